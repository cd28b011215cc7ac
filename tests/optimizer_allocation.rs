//! After it was made, an optimiser allocates nothing.
#![cfg(feature = "train")]

#[path = "common/allocations.rs"]
mod allocations;

use std::convert::Infallible;

use allocations::{assert_allocates_nothing, wait_for_harness};
use tapeless::train::optimizer::{Adam, AdamSettings, Lbfgs, LbfgsSettings};

/// The sum of (cosh(x / k) - 1) for k = 1, 2, ..
fn objective(at: &[f64], gradient: &mut [f64]) -> Result<f64, Infallible> {
    let mut loss = 0.0;
    for ((x, derivative), k) in at.iter().zip(gradient).zip(1..) {
        let k = f64::from(k);
        loss += (x / k).cosh() - 1.0;
        *derivative = (x / k).sinh() / k;
    }
    Ok(loss)
}

#[test]
fn steps_allocate_nothing() {
    let start: Vec<f64> = (0..1000).map(|k| f64::from(k).sin()).collect();
    let (mut parameters, mut gradient) = (start.clone(), start.clone());
    let mut adam = Adam::new(AdamSettings::default(), start.len()).unwrap();
    let mut lbfgs = Lbfgs::new(LbfgsSettings { history: 10, ..LbfgsSettings::default() }, start.len()).unwrap();
    wait_for_harness();
    assert_allocates_nothing("steps", || {
        for _ in 0..100 {
            objective(&parameters, &mut gradient).unwrap();
            adam.step(&mut parameters, &gradient).unwrap();
        }
        for _ in 0..100 {
            lbfgs.step(&mut parameters, objective).unwrap();
        }
    });
}
