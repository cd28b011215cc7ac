//! Nothing is allocated by a training step, whatever the number of points.
#![cfg(feature = "train")]

use std::alloc::System;

use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};
use tapeless::network::{Activation, Initialization, Network};
use tapeless::operator::{Expression, Names};
use tapeless::train::optimizer::{AdamSettings, LbfgsSettings};
use tapeless::train::{Objective, Stage, Term, Trainer};

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

fn trainer(points: usize, stage: Stage) -> Trainer<f64> {
    let names = Names::new(["x", "t"], ["u"]).unwrap();
    let expression = |text| Expression::parse(text, &names, &[], &[]).unwrap();
    let numbers = |count: usize| (0..2 * count).map(|k| (k as f64 * 0.7).sin()).collect();
    let terms = vec![
        Term::of_expressions("equation", vec![expression("u_t + u*u_x - 0.1*u_xx")], numbers(points)),
        Term::of_expressions("start", vec![expression("u - sin(x)")], numbers(20)),
    ];
    let network = Network::initialized(&[2, 6, 6, 1], Activation::Tanh, Initialization::GlorotNormal, 1).unwrap();
    Trainer::new(Objective::new(&network, terms).unwrap(), vec![stage]).unwrap()
}

/// One test alone in this file: the counter sees all threads of the process.
#[test]
fn training_steps_allocate_nothing_after_the_first() {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    let adam = Stage::Adam { settings: AdamSettings::default(), steps: 1000 };
    let lbfgs =
        Stage::Lbfgs { settings: LbfgsSettings { gradient_tolerance: 0.0, ..LbfgsSettings::default() }, steps: 1000 };
    for (points, stage, steps) in [(100, adam, 300), (1000, adam, 50), (100, lbfgs, 100)] {
        pool.install(|| {
            let mut trainer = trainer(points, stage);
            // The first steps: until each thread of the pool has taken work once, rayon sets up its queues.
            for _ in 0..50 {
                trainer.step().unwrap().unwrap();
            }
            let region = Region::new(ALLOCATOR);
            for _ in 0..steps {
                trainer.step().unwrap().unwrap();
            }
            let change = region.change();
            assert_eq!((change.allocations, change.reallocations), (0, 0), "{points} points, {stage:?}: {change:?}");
        });
    }
}
