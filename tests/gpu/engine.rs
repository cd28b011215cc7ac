//! Random networks: depths, widths, activations, inputs, outputs, operators, both paths, both precisions.

use tapeless::evaluate::gpu::{GpuDevice, GpuEvaluator, GpuReal};
use tapeless::evaluate::{Batch, Derivatives, Evaluator, ScalarEvaluator};
use tapeless::network::Activation;
use tapeless::operator::Operator;

use crate::{device, network, points, relative_error};

struct Case {
    widths: Vec<usize>,
    activations: Vec<Activation>,
    count: usize,
    seed: u64,
    layered: bool,
}

impl Case {
    /// A network of one activation, the last layer without.
    fn new(widths: &[usize], activation: &str, count: usize) -> Self {
        let mut activations = vec![activation.parse().unwrap(); widths.len() - 2];
        activations.push(Activation::Identity);
        Self { widths: widths.to_vec(), activations, count, seed: 7, layered: false }
    }
}

fn operators(inputs: usize, outputs: usize) -> Vec<Operator> {
    let last = inputs - 1;
    vec![
        Operator::laplacian(0, 0..inputs),
        Operator::first(outputs - 1, last) - 0.05 * Operator::laplacian(outputs - 1, 0..last.max(1)),
        Operator::second(0, 0, last) + 1.75 * Operator::second(outputs - 1, last, last),
        Operator::value(0) + 3.0 * Operator::value(outputs - 1),
    ]
}

/// Asserts that all results are within `bound` of the oracle's, in the relative Euclidean norm.
fn check_type<R: GpuReal>(device: &GpuDevice, case: &Case, derivatives: Derivatives, bound: f64) {
    let (inputs, outputs) = (case.widths[0], *case.widths.last().unwrap());
    let operators = operators(inputs, outputs);
    let oracle = network::<f64>(&case.widths, &case.activations, case.seed);
    let oracle = ScalarEvaluator::with_operators(oracle, derivatives, operators.clone()).unwrap();
    let expected = oracle.evaluate(&points::<f64>(case.count, inputs, case.seed + 1)).unwrap();
    let network = network::<R>(&case.widths, &case.activations, case.seed);
    let make = if case.layered { GpuEvaluator::layer_by_layer } else { GpuEvaluator::new };
    let evaluator = make(device, &network, derivatives, &operators).unwrap();
    let mut found = Batch::new();
    evaluator.evaluate_into(&points::<R>(case.count, inputs, case.seed + 1), &mut found).unwrap();
    let errors = [
        ("value", relative_error(&found.value, &expected.value)),
        ("gradient", relative_error(&found.gradient, &expected.gradient)),
        ("hessian", relative_error(&found.hessian, &expected.hessian)),
        ("operators", relative_error(&found.operators, &expected.operators)),
    ];
    let name = std::any::type_name::<R>();
    let widths = &case.widths;
    println!(
        "{name} {widths:?} {:?} {}: {:?}",
        case.activations.first(),
        evaluator.explain(),
        errors.map(|(_, error)| format!("{error:.1e}"))
    );
    for (what, error) in errors {
        assert!(
            error <= bound,
            "{name} {widths:?} {:?}, {}: {what} is off by {error:e}",
            case.activations,
            evaluator.explain()
        );
    }
}

fn check(case: &Case, derivatives: Derivatives) {
    let Some(device) = device() else { return };
    check_type::<f32>(device, case, derivatives, 3e-6);
    if device.info().f64 {
        check_type::<f64>(device, case, derivatives, 1e-14);
    }
}

#[test]
fn a_network_of_the_usual_shape_agrees() {
    check(&Case::new(&[3, 64, 64, 64, 64, 1], "tanh", 300), Derivatives::ALL);
    let layered = Case { layered: true, ..Case::new(&[3, 64, 64, 64, 64, 1], "tanh", 300) };
    check(&layered, Derivatives::ALL);
}
