//! After it was made, an optimiser allocates nothing.
#![cfg(feature = "train")]

use std::alloc::System;
use std::convert::Infallible;

use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};
use tapeless::train::optimizer::{Adam, AdamSettings, Lbfgs, LbfgsSettings};

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

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

/// One test alone in this file: the counter sees all threads of the process.
#[test]
fn steps_allocate_nothing() {
    let start: Vec<f64> = (0..1000).map(|k| f64::from(k).sin()).collect();
    let (mut parameters, mut gradient) = (start.clone(), start.clone());
    let mut adam = Adam::new(AdamSettings::default(), start.len()).unwrap();
    let mut lbfgs = Lbfgs::new(LbfgsSettings { history: 10, ..LbfgsSettings::default() }, start.len()).unwrap();
    let region = Region::new(ALLOCATOR);
    for _ in 0..100 {
        objective(&parameters, &mut gradient).unwrap();
        adam.step(&mut parameters, &gradient).unwrap();
    }
    for _ in 0..100 {
        lbfgs.step(&mut parameters, objective).unwrap();
    }
    let change = region.change();
    assert_eq!((change.allocations, change.reallocations), (0, 0), "{change:?}");
}
