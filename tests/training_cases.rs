//! Every case of kind `training` in `tests/cases/expected.json`, and G13, which is one too. T09 is in `tests/export.rs`.
#![cfg(feature = "train")]

#[allow(dead_code, reason = "shared with tests that use more of it")]
mod common;
#[path = "common/memory.rs"]
mod memory;

use common::{Case, assert_every_case_has_a_test, number};
use tapeless::network::{Activation, Initialization, Layer, Network};
use tapeless::operator::{Expression, Names};
use tapeless::train::optimizer::AdamSettings;
use tapeless::train::{Objective, Stage, Term, TrainError, Trainer};

/// The parameters of T01 in their order.
const NAMES: [&str; 7] = ["w1", "w2", "b1", "b2", "v1", "v2", "c"];
const START: [f64; 7] = [0.9, -1.4, 0.1, -0.2, 0.7, -0.5, 0.05];

/// The network of T01.
fn small_network() -> Network<f64> {
    let hidden = Layer::new(1, 2, START[..2].to_vec(), START[2..4].to_vec(), Activation::Tanh).unwrap();
    let last = Layer::new(2, 1, START[4..6].to_vec(), START[6..].to_vec(), Activation::Identity).unwrap();
    Network::new(vec![hidden, last]).unwrap()
}

/// The loss of T01 with these points inside.
fn objective(network: &Network<f64>, inside: Vec<f64>) -> Result<Objective<f64>, TrainError> {
    let names = Names::new(["x"], ["u"]).unwrap();
    let term =
        |name, text, points| Term::of_expressions(name, vec![Expression::parse(text, &names, &[], &[]).unwrap()], points);
    let equation = term("equation", "u_xx + pi^2*sin(pi*x)", inside);
    Objective::new(network, vec![equation, term("ends", "u", vec![-1.0, 1.0])])
}

fn inside() -> Vec<f64> {
    vec![-0.75, -0.25, 0.25, 0.5]
}

/// k/10000.
fn many() -> Vec<f64> {
    (0..10_000).map(|k| f64::from(k) / 1e4).collect()
}

fn adam(steps: u64) -> Vec<Stage> {
    vec![Stage::Adam { settings: AdamSettings::default(), steps }]
}

fn with_threads<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(work)
}

#[track_caller]
fn assert_close(found: f64, expected: f64, relative: f64) {
    assert!((found / expected - 1.0).abs() <= relative, "{found} for {expected}");
}

#[test]
fn every_batch_case_has_a_test() {
    let sources = concat!(
        include_str!("gpu/cases.rs"),
        include_str!("program/gpu.rs"),
        include_str!("program/memory.rs"),
        include_str!("../src/evaluate/gpu/device_tests.rs"),
        include_str!("training_cases.rs"),
    );
    assert_every_case_has_a_test("batch", sources);
}

#[test]
fn every_training_case_has_a_test() {
    assert_every_case_has_a_test("training", concat!(include_str!("training_cases.rs"), include_str!("export.rs")));
}

#[test]
fn t01_loss_and_gradient_by_the_weights_checked_by_hand() {
    let case = Case::named("T01");
    let (expected, relative) = (&case.json["expected"], number(&case.json["rtol"]));
    let mut gradient = [0.0; 7];
    let loss = objective(&small_network(), inside()).unwrap().loss_and_gradient(&START, &mut gradient).unwrap();
    assert_close(loss, number(&expected["loss"]), relative);
    for (name, found) in NAMES.iter().zip(gradient) {
        assert_close(found, number(&expected["grad"][name]), relative);
    }
}

#[test]
fn t02_three_steps_of_adam() {
    let case = Case::named("T02");
    let relative = number(&case.json["rtol"]);
    let mut trainer = Trainer::new(objective(&small_network(), inside()).unwrap(), adam(3)).unwrap();
    for expected in case.json["expected"]["steps"].as_array().unwrap() {
        let report = trainer.step().unwrap().unwrap();
        assert_eq!(report.step, expected["step"].as_u64().unwrap());
        for (name, &found) in NAMES.iter().zip(trainer.parameters()) {
            assert_close(found, number(&expected["params"][name]), relative);
        }
        assert_close(trainer.loss().unwrap(), number(&expected["loss_after"]), relative);
    }
    assert_eq!(trainer.step(), Ok(None));
}

/// Five steps in one process, five more in another, by the program; and the same by the library.
#[cfg(feature = "cli")]
#[test]
fn t05_five_steps_and_five_more_in_a_new_process_are_ten_steps() {
    use tapeless::network::import::Model;

    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    Model::of(&small_network()).write(at("start.safetensors")).unwrap();
    std::fs::write(at("points.csv"), "x\n-0.75\n-0.25\n0.25\n0.5\n").unwrap();
    let train = |steps: u32, out: &str, options: &[&str]| {
        let problem = include_str!("program/t01.toml").replace("steps = 10", &format!("steps = {steps}"));
        std::fs::write(at("t01.toml"), problem).unwrap();
        let mut program = std::process::Command::new(env!("CARGO_BIN_EXE_tapeless"));
        let output = program.arg("train").arg(at("t01.toml")).arg("--out").arg(at(out)).args(options).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        std::fs::read(at(out).join("network.safetensors")).unwrap()
    };
    let whole = train(10, "whole", &[]);
    let half = train(5, "parts", &[]);
    assert_ne!(half, whole);
    assert_eq!(train(10, "parts", &["--resume"]), whole);

    let mut trainer = Trainer::new(objective(&small_network(), inside()).unwrap(), adam(10)).unwrap();
    while trainer.step().unwrap().is_some() {}
    let mut model = Model::of(&trainer.network().unwrap());
    // The program also writes the names that the problem gives.
    model.metadata.extend([("inputs", "x"), ("outputs", "u")].map(|(key, name)| (key.to_owned(), name.to_owned())));
    assert_eq!(model.to_bytes().unwrap(), whole);
}

#[test]
fn t07_second_derivatives_of_relu_are_refused_with_the_reason() {
    for activation in [Activation::Relu, "leaky_relu".parse().unwrap()] {
        let network = Network::initialized(&[1, 4, 1], activation, Initialization::HeNormal, 1).unwrap();
        let error = objective(&network, inside()).err().unwrap();
        assert!(matches!(error, TrainError::NotSmooth { .. }));
        assert!(error.to_string().contains("are 0 almost everywhere"), "{error}");
    }
}

/// `cargo test --release --test training_cases -- --ignored`
#[test]
#[ignore = "a minute, in a build with optimisation"]
fn t08_memory_does_not_grow_over_two_thousand_steps() {
    let network = Network::initialized(&[1, 64, 64, 1], Activation::Tanh, Initialization::GlorotNormal, 1).unwrap();
    let points = (0..4096).map(|k| f64::from(k) / 2048.0 - 1.0).collect();
    let mut trainer = Trainer::new(objective(&network, points).unwrap(), adam(2000)).unwrap();
    let mut early = None;
    while let Some(report) = trainer.step().unwrap() {
        if report.step == 200 {
            early = memory::status("VmRSS");
        }
    }
    let late = memory::status("VmRSS");
    println!("resident at step 200 and at step 2,000: {early:?}, {late:?}");
    assert!(late.zip(early).is_none_or(|(late, early)| late.abs_diff(early) < 5_000_000));
}

#[test]
fn t11_a_seed_is_a_run_for_any_number_of_threads() {
    let run = || {
        let network = Network::initialized(&[1, 16, 16, 1], Activation::Tanh, Initialization::GlorotNormal, 7).unwrap();
        let points = (0..200).map(|k| f64::from(k) / 100.0 - 1.0).collect();
        let mut trainer = Trainer::new(objective(&network, points).unwrap(), adam(50)).unwrap();
        while trainer.step().unwrap().is_some() {}
        trainer.parameters().iter().map(|weight| weight.to_bits()).collect::<Vec<_>>()
    };
    let first = with_threads(1, run);
    assert_eq!(with_threads(1, run), first);
    assert_eq!(with_threads(2, run), first);
    assert_eq!(with_threads(2, run), first);
}

#[test]
fn g13_loss_and_gradient_have_the_same_bits_for_any_number_of_threads() {
    let bits = || {
        let mut gradient = [0.0; 7];
        let loss = objective(&small_network(), many()).unwrap().loss_and_gradient(&START, &mut gradient).unwrap();
        (loss.to_bits(), gradient.map(f64::to_bits))
    };
    let one = with_threads(1, bits);
    assert_eq!(with_threads(2, bits), one);
    assert_eq!(with_threads(3, bits), one);
}
