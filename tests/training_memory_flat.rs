//! The memory of training grows neither with the steps nor, but for the points themselves, with the points.

#[path = "common/memory.rs"]
mod memory;

use memory::status;
use tapeless::network::{Activation, Initialization, Network};
use tapeless::operator::{Expression, Names};
use tapeless::train::optimizer::AdamSettings;
use tapeless::train::{Objective, Stage, Term, Trainer};

/// The loss of `u_t - 0.1*(u_xx + u_yy)` of a network 3-64x4-1 in f32 over so many points.
fn objective(points: usize) -> Objective<f32> {
    let widths = [3, 64, 64, 64, 64, 1];
    let network = Network::initialized(&widths, Activation::Tanh, Initialization::GlorotUniform, 1).unwrap();
    let names = Names::new(["x", "y", "t"], ["u"]).unwrap();
    let equation = Expression::parse("u_t - 0.1*(u_xx + u_yy)", &names, &[], &[]).unwrap();
    let points = (0..3 * points).map(|k| (k as f32 * 0.37).sin()).collect();
    Objective::new(&network, vec![Term::of_expressions("equation", vec![equation], points)]).unwrap()
}

#[test]
fn the_workspace_does_not_depend_on_the_number_of_points() {
    assert_eq!(objective(10).workspace_bytes(), objective(100_000).workspace_bytes());
}

/// `cargo test --release --test training_memory_flat -- --ignored --nocapture`
#[test]
#[ignore = "a minute, in a build with optimisation"]
fn a_hundred_thousand_steps_leave_resident_memory_where_it_was() {
    let stage = Stage::Adam { settings: AdamSettings::default(), steps: 101_000 };
    let mut trainer = Trainer::new(objective(240), vec![stage]).unwrap();
    for _ in 0..1000 {
        trainer.step().unwrap();
    }
    let before = status("VmRSS");
    for _ in 0..100_000 {
        trainer.step().unwrap();
    }
    let after = status("VmRSS");
    println!("resident before and after 100,000 steps: {before:?}, {after:?}");
    assert!(after <= before.map(|bytes| bytes + 5_000_000));
}
