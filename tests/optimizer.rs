//! Optimisers against known answers.
#![cfg(feature = "train")]

#[allow(dead_code, reason = "shared with tests that use more of it")]
mod common;

use std::convert::Infallible;
use std::f64::consts::PI;

use common::{Case, number};
use tapeless::train::optimizer::{
    Adam, AdamSettings, Lbfgs, LbfgsOutcome, LbfgsReport, LbfgsSettings, OptimizerError, OptimizerState, Schedule,
    StepError,
};
use tapeless::{Dual, Real, Scalar, gradient};

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

/// A loss with its gradient, which cannot fail.
type Objective<R> = fn(&[R], &mut [R]) -> Result<f64, Infallible>;

/// Minima at 1 in every dimension, the start at -1.2, 1, -1.2, 1, ..
fn rosenbrock<R: Real>(at: &[R], gradient: &mut [R]) -> Result<f64, Infallible> {
    gradient.fill(R::zero());
    let mut loss = R::zero();
    for i in 0..at.len() - 1 {
        let (a, b) = (R::one() - at[i], at[i + 1] - at[i] * at[i]);
        loss += a * a + R::literal(100.0) * b * b;
        gradient[i] -= R::literal(2.0) * a + R::literal(400.0) * at[i] * b;
        gradient[i + 1] += R::literal(200.0) * b;
    }
    Ok(loss.as_())
}

/// The minimum 0 at (3, 1/2), the start at (1, 1).
fn beale(at: &[f64], slopes: &mut [f64]) -> Result<f64, Infallible> {
    let beale = |[x, y]: [Dual<f64, 2>; 2]| {
        (1.5 - x + x * y).powi(2) + (2.25 - x + x * y * y).powi(2) + (2.625 - x + x * y.powi(3)).powi(2)
    };
    let found = gradient(beale, [at[0], at[1]]);
    slopes.copy_from_slice(&found.gradient);
    Ok(found.value)
}

/// The minimum 0 at (1, 1, 1, 1), the start at (-3, -1, -3, -1).
fn wood(at: &[f64], slopes: &mut [f64]) -> Result<f64, Infallible> {
    let wood = |[a, b, c, d]: [Dual<f64, 4>; 4]| {
        let (b1, d1) = (b - 1.0, d - 1.0);
        100.0 * (a * a - b).powi(2)
            + (a - 1.0).powi(2)
            + (c - 1.0).powi(2)
            + 90.0 * (c * c - d).powi(2)
            + 10.1 * (b1 * b1 + d1 * d1)
            + 19.8 * b1 * d1
    };
    let found = gradient(wood, [at[0], at[1], at[2], at[3]]);
    slopes.copy_from_slice(&found.gradient);
    Ok(found.value)
}

/// A quadratic whose curvatures reach from 1 to 10^4, with its minimum 0 at sin 1, sin 2, ..; the start is 0.
fn quadratic(at: &[f64], gradient: &mut [f64]) -> Result<f64, Infallible> {
    let last = (at.len() - 1) as f64;
    let mut loss = 0.0;
    for (i, (x, derivative)) in at.iter().zip(gradient).enumerate() {
        let curvature = 10.0_f64.powf(4.0 * i as f64 / last);
        let away = x - (1.0 + i as f64).sin();
        loss += 0.5 * curvature * away * away;
        *derivative = curvature * away;
    }
    Ok(loss)
}

fn rosenbrock_start<R: Real>(count: usize) -> Vec<R> {
    (0..count).map(|i| R::literal(if i % 2 == 0 { -1.2 } else { 1.0 })).collect()
}

/// Steps until it stops: the last report, the number of steps and the number of evaluations.
fn run<R: Real>(lbfgs: &mut Lbfgs<R>, at: &mut [R], objective: Objective<R>) -> (LbfgsReport, u64, u32) {
    let mut evaluations = 0;
    loop {
        let report = lbfgs.step(at, objective).unwrap();
        evaluations += report.evaluations;
        if report.outcome != LbfgsOutcome::Advanced {
            return (report, lbfgs.steps(), evaluations);
        }
        assert!(lbfgs.steps() < 5000, "no end");
    }
}

/// Known problems, with the iterations and evaluations that scipy 1.17's L-BFGS-B takes (ftol 0, gtol 1e-8, maxls 25). No
/// two programs round alike, and so many steps multiply the difference: a fifth more is allowed.
#[test]
fn lbfgs_on_known_problems() {
    type Row = (&'static str, Objective<f64>, Vec<f64>, fn(usize) -> f64, [(usize, u64, u32); 2]);
    let one: fn(usize) -> f64 = |_| 1.0;
    let sines: fn(usize) -> f64 = |i| (1.0 + i as f64).sin();
    let table: [Row; 5] = [
        ("Rosenbrock 2", rosenbrock, rosenbrock_start(2), one, [(10, 38, 46), (50, 38, 46)]),
        ("Rosenbrock 100", rosenbrock, rosenbrock_start(100), one, [(10, 538, 629), (50, 510, 597)]),
        ("Beale", beale, vec![1.0; 2], |i| [3.0, 0.5][i], [(10, 16, 17), (50, 16, 17)]),
        ("Wood", wood, vec![-3.0, -1.0, -3.0, -1.0], one, [(10, 86, 114), (50, 92, 122)]),
        ("quadratic", quadratic, vec![0.0; 20], sines, [(10, 713, 775), (50, 110, 114)]),
    ];
    for (name, objective, start, minimum, scipy) in table {
        for (history, iterations, evaluations) in scipy {
            let (mut lbfgs, mut at) = (lbfgs(history, start.len()), start.clone());
            let (report, steps, asked) = run(&mut lbfgs, &mut at, objective);
            println!(
                "{name}, history {history}: {steps} steps ({iterations} in scipy), {asked} evaluations ({evaluations})"
            );
            assert_eq!(report.outcome, LbfgsOutcome::GradientSmall, "{name}");
            assert!(
                steps <= iterations * 6 / 5 && asked <= evaluations * 6 / 5,
                "{name}: {steps} steps, {asked} evaluations"
            );
            for (i, x) in at.iter().enumerate() {
                assert!((x - minimum(i)).abs() < 1e-7, "{name}: component {i} is {x}");
            }
        }
    }
}

fn lbfgs<R: Real>(history: usize, parameters: usize) -> Lbfgs<R> {
    Lbfgs::new(LbfgsSettings { history, ..LbfgsSettings::default() }, parameters).unwrap()
}

#[test]
fn lbfgs_in_f32() {
    let (mut lbfgs, mut at) = (lbfgs::<f32>(10, 6), rosenbrock_start(6));
    let (report, _, _) = run(&mut lbfgs, &mut at, rosenbrock);
    assert!(report.loss < 1e-9, "{report:?}");
    assert!(at.iter().all(|x| (x - 1.0).abs() < 1e-4), "{at:?}");
}

#[test]
fn lbfgs_goes_on_from_its_state_with_identical_bits() {
    // A ring that is not full, and one that has gone round.
    for stop in [3, 25] {
        let (mut whole, mut expected) = (lbfgs::<f64>(10, 20), rosenbrock_start(20));
        for _ in 0..stop + 20 {
            whole.step(&mut expected, rosenbrock).unwrap();
        }
        let (mut first, mut found) = (lbfgs::<f64>(10, 20), rosenbrock_start(20));
        for _ in 0..stop {
            first.step(&mut found, rosenbrock).unwrap();
        }
        let mut second = Lbfgs::from_state(*first.settings(), 20, first.state()).unwrap();
        assert_eq!(second.state(), first.state());
        for _ in 0..20 {
            second.step(&mut found, rosenbrock).unwrap();
        }
        assert!(found.iter().zip(&expected).all(|(found, expected)| found.to_bits() == expected.to_bits()));
        assert_eq!(second.state(), whole.state());
    }
}

#[test]
fn lbfgs_refuses_a_state_that_does_not_fit() {
    let (mut whole, mut at) = (lbfgs::<f64>(4, 6), rosenbrock_start(6));
    for _ in 0..9 {
        whole.step(&mut at, rosenbrock).unwrap();
    }
    let from = |history, parameters, state| {
        let settings = LbfgsSettings { history, ..LbfgsSettings::default() };
        Lbfgs::<f64>::from_state(settings, parameters, state).unwrap_err()
    };
    assert_eq!(from(4, 6, OptimizerState::default()), OptimizerError::MissingState { part: "pairs" });
    assert!(from(3, 6, whole.state()).to_string().contains("number of saved pairs is 4"));
    let wrong = OptimizerError::WrongLength { what: "gradient".to_owned(), expected: 7, found: 6 };
    assert_eq!(from(4, 7, whole.state()), wrong);
    let mut state = whole.state();
    state.counts.insert("next".into(), 4);
    assert!(from(4, 6, state).to_string().contains("place of the next pair is 4"));
}

#[test]
fn lbfgs_without_a_better_point_stops() {
    // The gradient points the wrong way.
    let uphill = |at: &[f64], gradient: &mut [f64]| {
        gradient[0] = -2.0 * at[0];
        Ok::<_, Infallible>(at[0] * at[0])
    };
    let (mut stalled, mut at) = (lbfgs(10, 1), [1.0]);
    let report = stalled.step(&mut at, uphill).unwrap();
    assert_eq!((report.outcome, report.loss, report.step_length, at), (LbfgsOutcome::Stalled, 1.0, 0.0, [1.0]));

    // With a history of another function, which is given up.
    let (mut moved, mut at) = (lbfgs(10, 2), [-1.2, 1.0]);
    moved.step(&mut at, rosenbrock).unwrap();
    let before = at;
    let rising = |at: &[f64], gradient: &mut [f64]| {
        rosenbrock(at, gradient)?;
        Ok::<_, Infallible>(1e6)
    };
    let report = moved.step(&mut at, rising).unwrap();
    assert_eq!((report.outcome, report.restarted, at), (LbfgsOutcome::Stalled, true, before));
    assert_eq!(moved.step(&mut at, rosenbrock).unwrap().outcome, LbfgsOutcome::Advanced);
}

#[test]
fn lbfgs_at_a_minimum_stays() {
    let (mut lbfgs, mut at) = (lbfgs(10, 2), [1.0, 1.0]);
    let report = lbfgs.step(&mut at, rosenbrock).unwrap();
    assert_eq!((report.outcome, report.evaluations, at), (LbfgsOutcome::GradientSmall, 1, [1.0, 1.0]));
}

/// ln has no value left of 0, where a step of the whole gradient would lead.
#[test]
fn lbfgs_goes_round_losses_that_are_not_finite() {
    let logarithm = |at: &[f64], gradient: &mut [f64]| {
        gradient[0] = 1.0 - 1e-3 / at[0];
        Ok::<_, Infallible>(at[0] - 1e-3 * at[0].ln())
    };
    let (mut lbfgs, mut at) = (lbfgs(10, 1), [0.5]);
    while lbfgs.step(&mut at, logarithm).unwrap().outcome == LbfgsOutcome::Advanced {}
    assert!((at[0] - 1e-3).abs() < 1e-9, "{at:?}");

    let mut nowhere = [-1.0];
    let refused = self::lbfgs(10, 1).step(&mut nowhere, logarithm).unwrap_err();
    assert!(matches!(refused, StepError::Optimizer(OptimizerError::LossNotFinite { .. })));
    assert_eq!(nowhere, [-1.0]);
}

#[test]
fn an_error_of_the_objective_changes_nothing() {
    let (mut lbfgs, mut at) = (lbfgs(10, 2), vec![-1.2, 1.0]);
    for _ in 0..5 {
        lbfgs.step(&mut at, rosenbrock).unwrap();
    }
    let (before, state) = (at.clone(), lbfgs.clone());
    let refused = lbfgs.step(&mut at, |_: &[f64], _: &mut [f64]| Err("no more")).unwrap_err();
    assert_eq!(refused, StepError::Objective("no more"));
    assert_eq!((&at, lbfgs.state()), (&before, state.state()));
}

#[test]
fn a_restart_asks_for_the_loss_again() {
    let (mut lbfgs, mut at) = (lbfgs(10, 2), vec![-1.2, 1.0]);
    lbfgs.step(&mut at, rosenbrock).unwrap();
    lbfgs.restart();
    at.copy_from_slice(&[1.0, 1.0]);
    assert_eq!(lbfgs.step(&mut at, rosenbrock).unwrap().outcome, LbfgsOutcome::GradientSmall);
}

#[test]
fn settings_of_lbfgs_out_of_range_are_named() {
    let message = |settings| Lbfgs::<f64>::new(settings, 2).unwrap_err().to_string();
    let default = LbfgsSettings::default();
    assert!(message(LbfgsSettings { history: 0, ..default }).contains("history is 0; it must be at least 1"));
    assert!(message(LbfgsSettings { curvature: 1e-5, ..default }).contains("curvature"));
    assert!(message(LbfgsSettings { loss_tolerance: f64::NAN, ..default }).contains("tolerance of the loss"));
    assert!(message(LbfgsSettings { history: usize::MAX, ..default }).contains("does not fit into memory"));
}
