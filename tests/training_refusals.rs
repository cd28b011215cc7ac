//! What can't be trained is refused, and what goes wrong on the way is told, with the weights as they were.
#![cfg(feature = "train")]

use std::path::Path;

use tapeless::network::{Activation, Initialization, Network};
use tapeless::operator::{Expression, Names, Operator, OperatorError};
use tapeless::residual;
use tapeless::train::optimizer::{Adam, AdamSettings, Lbfgs, LbfgsSettings, Schedule};
use tapeless::train::sampling::{ByResidual, Domain, Sampling};
use tapeless::train::{CheckpointError, Objective, Resampling, Stage, Term, TrainError, Trainer};

fn network() -> Network<f64> {
    Network::initialized(&[1, 4, 1], Activation::Tanh, Initialization::GlorotUniform, 1).unwrap()
}

fn term(text: &str) -> Term<f64> {
    let names = Names::new(["x"], ["u"]).unwrap();
    Term::of_expressions("equation", vec![Expression::parse(text, &names, &[], &[]).unwrap()], vec![0.25, 0.5, 0.75])
}

fn adam(settings: AdamSettings, steps: u64) -> Trainer<f64> {
    let objective = Objective::new(&network(), vec![term("u_x - u")]).unwrap();
    Trainer::new(objective, vec![Stage::Adam { settings, steps }]).unwrap()
}

#[test]
fn residuals_without_an_output_are_refused() {
    for text in ["1", "x", "pi", "x - 3"] {
        let error = Objective::new(&network(), vec![term(text)]).err().unwrap();
        assert_eq!(error, TrainError::NoOutput { term: "equation".to_owned() });
    }
    // With one that plays no part the loss is that of the constant.
    let mut objective = Objective::new(&network(), vec![term("0*u + 3")]).unwrap();
    let mut gradient = vec![1.0; 13];
    assert_eq!(objective.loss_and_gradient(&network().to_parameters(), &mut gradient).unwrap(), 9.0);
    assert!(gradient.iter().all(|derivative| *derivative == 0.0));
}

#[test]
fn names_that_mean_something_else_are_refused() {
    let twice = OperatorError::Twice { name: "x".to_owned() };
    assert_eq!(Names::new(["x", "t"], ["u", "x"]).err().unwrap(), twice);
    for (inputs, outputs, taken) in [(["pi"], ["u"], "pi"), (["x"], ["sin"], "sin"), (["x"], ["laplacian"], "laplacian")] {
        let names = Names::new(inputs, outputs).unwrap();
        let error = Expression::parse("1", &names, &[], &[]).err().unwrap();
        assert_eq!(error, OperatorError::NameTaken { name: taken.to_owned() });
    }
}

#[test]
fn an_operator_that_is_not_there_is_told_with_its_term() {
    let residual = residual!(|x: &[S], u: &[S]| u[0]);
    let error = Objective::new(&network(), vec![Term::new("side", vec![Operator::value(1)], residual, vec![0.0])]);
    assert_eq!(error.err().unwrap().to_string(), "term \"side\": an operator asks for output 1, but the network has 1");
}

#[test]
fn weights_that_are_not_finite_are_refused_and_never_reached() {
    let mut parameters = network().to_parameters();
    parameters[3] = f64::NAN;
    let bad = network().with_parameters(&parameters).unwrap();
    let error = Objective::new(&bad, vec![term("u")]).err().unwrap();
    assert!(matches!(error, TrainError::StartNotFinite { index: 3, .. }));

    let settings = AdamSettings { schedule: Schedule::constant(1e308), ..AdamSettings::default() };
    let mut trainer = adam(settings, 5);
    let error = loop {
        let before = trainer.parameters().to_vec();
        if let Err(error) = trainer.step() {
            assert_eq!(trainer.parameters(), before);
            break error;
        }
    };
    let told = matches!(error, TrainError::WeightNotFinite { .. } | TrainError::Diverged { .. } | TrainError::Optimizer(_));
    assert!(told, "{error}");
    assert!(trainer.parameters().iter().all(|weight| weight.is_finite()));

    // Without slope, 0/0.
    assert!(Adam::<f64>::new(AdamSettings { epsilon: 0.0, ..AdamSettings::default() }, 1).is_err());
    assert!(Adam::<f32>::new(AdamSettings { epsilon: 1e-50, ..AdamSettings::default() }, 1).is_err());
}

#[test]
fn memory_that_is_not_there_is_an_error() {
    for history in [usize::MAX, usize::MAX / 2, 1 << 60] {
        assert!(Lbfgs::<f64>::new(LbfgsSettings { history, ..LbfgsSettings::default() }, 0).is_err(), "{history}");
    }
    for candidates in [usize::MAX, (1 << 62) + 1, 1 << 50] {
        let resampling = Resampling {
            term: 0,
            every: 1,
            domain: Domain::new([0.0], [1.0]).unwrap(),
            sampling: Sampling::Uniform,
            seed: 1,
            by_residual: Some((candidates, ByResidual::new(1.0, 1.0).unwrap())),
        };
        let mut trainer = adam(AdamSettings::default(), 5).with_resampling(resampling).unwrap();
        trainer.step().unwrap();
        assert!(matches!(trainer.step(), Err(TrainError::Candidates { points: 3, .. })), "{candidates}");
    }
}

#[test]
fn a_checkpoint_with_any_bit_changed_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("checkpoint.safetensors");
    let mut trainer = adam(AdamSettings::default(), 10);
    for _ in 0..3 {
        trainer.step().unwrap();
    }
    trainer.save(&path).unwrap();
    let whole = std::fs::read(&path).unwrap();
    let changed: &Path = &folder.path().join("changed.safetensors");
    let resumed = || adam(AdamSettings::default(), 10).resume(changed);
    std::fs::write(changed, &whole).unwrap();
    resumed().unwrap();
    for position in 0..whole.len() {
        let mut bytes = whole.clone();
        bytes[position] ^= 0x40;
        std::fs::write(changed, bytes).unwrap();
        match resumed() {
            // Blanks behind the header fill it up to a whole number of words; they say nothing.
            Ok(()) => assert_eq!(whole[position], b' ', "byte {position}"),
            Err(CheckpointError::Damaged { .. }) => {}
            Err(other) => panic!("byte {position}: {other}"),
        }
    }
}
