//! Optimisers against known answers.
#![cfg(feature = "train")]

#[allow(dead_code, reason = "shared with tests that use more of it")]
mod common;

use std::f64::consts::PI;

use common::{Case, number};
use tapeless::train::optimizer::{Adam, AdamSettings, OptimizerError, OptimizerState, Schedule};
use tapeless::{Scalar, gradient};

const START: [f64; 7] = [0.9, -1.4, 0.1, -0.2, 0.7, -0.5, 0.05];
const NAMES: [&str; 7] = ["w1", "w2", "b1", "b2", "v1", "v2", "c"];

/// The loss of case T01: u'' + pi^2 sin(pi x) inside, u at both ends.
fn loss<S: Scalar>([w1, w2, b1, b2, v1, v2, c]: [S; 7]) -> S {
    let neurons = [(w1, b1, v1), (w2, b2, v2)];
    let u = |x: f64| c + neurons.iter().map(|&(w, b, v)| v * (w * S::literal(x) + b).tanh()).sum::<S>();
    let u_xx = |x: f64| {
        let neuron = |&(w, b, v): &(S, S, S)| {
            let tanh = (w * S::literal(x) + b).tanh();
            v * w * w * S::literal(-2.0) * tanh * (S::one() - tanh * tanh)
        };
        neurons.iter().map(neuron).sum::<S>()
    };
    let points = [-0.75, -0.25, 0.25, 0.5];
    let residual = |x: f64| (u_xx(x) + S::literal(PI * PI * (PI * x).sin())).powi(2);
    let inside = points.map(residual).into_iter().sum::<S>() / S::literal(4.0);
    inside + (u(-1.0).powi(2) + u(1.0).powi(2)) / S::literal(2.0)
}

fn assert_close(found: f64, expected: f64) {
    assert!((found / expected - 1.0).abs() < 1e-11, "{found} for {expected}");
}

fn adam() -> Adam<f64> {
    Adam::new(AdamSettings::default(), 7).unwrap()
}

fn steps(adam: &mut Adam<f64>, parameters: &mut [f64; 7], count: usize) {
    for _ in 0..count {
        let slope = gradient(loss, *parameters).gradient;
        adam.step(parameters, &slope).unwrap();
    }
}

#[test]
fn t02_three_adam_steps() {
    let case = Case::named("T02");
    let (mut adam, mut parameters) = (adam(), START);
    for (done, expected) in case.json["expected"]["steps"].as_array().unwrap().iter().enumerate() {
        assert_eq!(adam.steps(), done as u64);
        steps(&mut adam, &mut parameters, 1);
        for (name, found) in NAMES.iter().zip(parameters) {
            assert_close(found, number(&expected["params"][name]));
        }
        assert_close(loss(parameters), number(&expected["loss_after"]));
    }
}

#[test]
fn adam_goes_on_from_its_state_with_identical_bits() {
    let (mut whole, mut expected) = (adam(), START);
    steps(&mut whole, &mut expected, 10);

    let (mut first, mut found) = (adam(), START);
    steps(&mut first, &mut found, 5);
    let mut second = Adam::from_state(AdamSettings::default(), 7, first.state()).unwrap();
    assert_eq!(second, first);
    steps(&mut second, &mut found, 5);
    assert_eq!(found.map(f64::to_bits), expected.map(f64::to_bits));
    assert_eq!(second, whole);
}

#[test]
fn adam_refuses_a_state_that_does_not_fit() {
    let adam = adam();
    let from = |parameters, state| Adam::<f64>::from_state(AdamSettings::default(), parameters, state).unwrap_err();
    assert_eq!(from(7, OptimizerState::default()), OptimizerError::MissingState { part: "step" });
    let wrong = OptimizerError::WrongLength { what: "first_moments".to_owned(), expected: 8, found: 7 };
    assert_eq!(from(8, adam.state()), wrong);
}

/// With steps of different length, a gradient of norm 5 moves like its shortened self.
#[test]
fn a_long_gradient_is_shortened() {
    let settings = |largest_norm| AdamSettings { largest_norm, ..AdamSettings::default() };
    let run = |largest_norm, gradients: [[f64; 2]; 2]| {
        let mut adam = Adam::new(settings(largest_norm), 2).unwrap();
        let mut parameters = [0.0; 2];
        let norms = gradients.map(|gradient| adam.step(&mut parameters, &gradient).unwrap().gradient_norm);
        (parameters, norms)
    };
    let (clipped, norms) = run(Some(1.0), [[3.0, 4.0], [0.3, 0.4]]);
    assert_eq!(norms, [5.0, 0.5]);
    let by_hand = [[3.0 / 5.000001, 4.0 / 5.000001], [0.3, 0.4]];
    let (expected, _) = run(None, by_hand);
    for (found, expected) in clipped.into_iter().zip(expected) {
        assert_close(found, expected);
    }
    assert_ne!(clipped, run(None, [[3.0, 4.0], [0.3, 0.4]]).0);
}

#[test]
fn adam_refuses_what_would_spoil_the_parameters() {
    let (mut adam, mut parameters) = (adam(), START);
    let before = adam.clone();
    let mut bad = [1.0; 7];
    bad[4] = f64::INFINITY;
    let refused = adam.step(&mut parameters, &bad).unwrap_err();
    assert_eq!(refused, OptimizerError::GradientNotFinite { position: 4, found: f64::INFINITY });
    let refused = adam.step(&mut parameters, &bad[..6]).unwrap_err();
    assert_eq!(refused, OptimizerError::WrongLength { what: "gradient".to_owned(), expected: 7, found: 6 });
    assert_eq!((adam, parameters), (before, START));

    let with = |settings: AdamSettings| Adam::<f32>::new(settings, 1).unwrap_err().to_string();
    let default = AdamSettings::default();
    assert!(with(AdamSettings { beta2: 1.0, ..default }).starts_with("beta2 is 1; it must be"));
    assert!(with(AdamSettings { epsilon: -1.0, ..default }).contains("epsilon"));
    assert!(with(AdamSettings { largest_norm: Some(f64::NAN), ..default }).contains("largest norm"));
    assert!(with(AdamSettings { schedule: Schedule::constant(-1.0), ..default }).contains("learning rate"));
}
