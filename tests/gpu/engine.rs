//! Random networks: depths, widths, activations, inputs, outputs, operators, both paths, both precisions.

use tapeless::evaluate::gpu::{GpuDevice, GpuEvaluator, GpuReal};
use tapeless::evaluate::{Batch, Derivatives, Evaluator, ScalarEvaluator};
use tapeless::network::Activation;
use tapeless::operator::Operator;

use crate::{Random, device, network, points, relative_error};

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
        // Not a sum of values, which may cancel.
        3.0 * Operator::value(outputs - 1),
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

/// Networks of one activation each, the last layer without.
fn check_each(cases: &[(&[usize], &str)]) {
    for (widths, activation) in cases {
        check(&Case::new(widths, activation, 67), Derivatives::ALL);
    }
}

#[test]
fn depths_and_widths_agree() {
    check_each(&[
        (&[3, 2], "tanh"),
        (&[1, 7, 1], "sigmoid"),
        (&[2, 100, 100, 2], "sin"),
        (&[3, 64, 64, 64, 3], "cos"),
        (&[3, 64, 64, 64, 64, 1], "tanh"),
        (&[4, 7, 7, 7, 7, 1], "softplus"),
        (&[5, 32, 32, 32, 32, 32, 2], "softplus:3"),
        (&[6, 20, 20, 20, 20, 20, 20, 3], "silu"),
        (&[2, 16, 16, 16, 16, 16, 16, 16, 1], "gelu"),
        (&[3, 12, 12, 12, 12, 12, 12, 12, 12, 1], "gelu_tanh"),
        (&[2, 1, 1, 1], "elu"),
    ]);
}

#[test]
fn activations_agree() {
    check_each(&[
        (&[1, 256, 256, 1], "elu:0.5"),
        (&[3, 24, 24, 2], "relu"),
        (&[3, 24, 24, 2], "leaky_relu:0.2"),
        (&[3, 24, 24, 2], "exp"),
        (&[3, 24, 24, 2], "gaussian"),
        (&[3, 24, 24, 2], "identity"),
        (&[3, 24, 24, 2], "erf"),
        (&[3, 24, 24, 2], "mish"),
        (&[3, 24, 24, 2], "sin:30"),
    ]);
}

#[test]
fn layers_of_different_widths_and_activations_agree() {
    let names = ["silu", "sin", "gelu", "gelu", "softplus:3", "tanh"];
    let activations: Vec<Activation> = names.iter().map(|name| name.parse().unwrap()).collect();
    let case = Case { widths: vec![2, 30, 20, 20, 20, 7, 3], activations, count: 67, seed: 3, layered: false };
    for derivatives in [Derivatives::VALUE, Derivatives::GRADIENT, Derivatives::ALL] {
        check(&case, derivatives);
    }
}

#[test]
fn layers_too_wide_for_a_workgroup_agree() {
    check(&Case::new(&[3, 600, 400, 1], "tanh", 33), Derivatives::ALL);
    // Too many channels for the registers of a thread.
    check(&Case::new(&[20, 9, 2], "gelu", 33), Derivatives::ALL);
    check(&Case { layered: true, ..Case::new(&[3, 24, 24, 2], "mish", 67) }, Derivatives::GRADIENT);
}

#[test]
fn operators_alone_agree_with_first_partials_in_their_forms() {
    let Some(device) = device() else { return };
    let heat = Operator::first(0, 2) - 0.05 * Operator::laplacian(0, [0, 1]);
    let oracle = network::<f64>(&[3, 24, 24, 1], &[Activation::Tanh, Activation::Mish, Activation::Identity], 5);
    let nothing = Derivatives { value: false, gradient: false, hessian: false };
    let coordinates = points::<f64>(67, 3, 1);
    let expected = ScalarEvaluator::with_operators(oracle, nothing, vec![heat.clone()]).unwrap();
    let expected = expected.evaluate(&coordinates).unwrap();
    let network = network::<f32>(&[3, 24, 24, 1], &[Activation::Tanh, Activation::Mish, Activation::Identity], 5);
    for make in [GpuEvaluator::new, GpuEvaluator::layer_by_layer] {
        let evaluator = make(device, &network, nothing, std::slice::from_ref(&heat)).unwrap();
        assert_eq!(evaluator.plan().channels(), 4);
        let found = evaluator.evaluate(&points::<f32>(67, 3, 1)).unwrap();
        assert!(relative_error(&found.operators, &expected.operators) <= 3e-6);
    }
}

#[test]
fn batches_of_more_workgroups_than_a_dispatch_has_in_a_row_agree() {
    let Some(device) = device() else { return };
    // A tile of this network has at most 16 points, so that these are more than 65,535 workgroups.
    let (widths, count) = ([1, 256, 1], 16 * 65_536 + 5);
    let activations = [Activation::Gaussian, Activation::Identity];
    let points: Vec<f32> = (0..count).map(|k| k as f32 / count as f32).collect();
    let evaluator = GpuEvaluator::new(device, &network::<f32>(&widths, &activations, 1), Derivatives::ALL, &[]).unwrap();
    let explanation = evaluator.explain();
    assert!([8, 12, 16].iter().any(|tile| explanation.contains(&format!("for {tile} points,"))), "{explanation}");
    let found = evaluator.evaluate(&points).unwrap();
    assert_eq!(evaluator.times().chunks, 1);
    let sample = || (0..count).step_by(997).chain(count - 20..count);
    let oracle = ScalarEvaluator::new(network::<f64>(&widths, &activations, 1), Derivatives::ALL);
    let expected = oracle.evaluate(&sample().map(|k| f64::from(points[k])).collect::<Vec<_>>()).unwrap();
    for (found, expected) in
        [(&found.value, &expected.value), (&found.gradient, &expected.gradient), (&found.hessian, &expected.hessian)]
    {
        let found: Vec<f32> = sample().map(|k| found[k]).collect();
        assert!(relative_error(&found, expected) <= 3e-6);
    }
}

#[test]
fn kernels_with_run_time_checks_agree() {
    let Some(device) = device() else { return };
    let case = Case::new(&[3, 17, 17, 2], "tanh", 67);
    check_type::<f32>(&device.with_checks(), &case, Derivatives::ALL, 3e-6);
    check_type::<f32>(&device.with_checks(), &Case { layered: true, ..case }, Derivatives::ALL, 3e-6);
}

#[test]
fn numbers_that_are_not_finite_stay_what_they_are() {
    let Some(device) = device() else { return };
    let activations = [Activation::Tanh, Activation::Tanh, Activation::Identity];
    let network = network::<f32>(&[2, 8, 8, 1], &activations, 5);
    let found = GpuEvaluator::new(device, &network, Derivatives::ALL, &[]).unwrap();
    let found = found.evaluate(&[f32::NAN, 0.0, 0.5, 0.5, 1e30, -1e30]).unwrap();
    assert!(found.value[0].is_nan() && found.value[1].is_finite() && found.value[2].is_finite());
    assert!(found.gradient[..2].iter().all(|x| x.is_nan()));
    assert_eq!(found.hessian[8..], [0.0; 4]);
}

#[test]
fn nothing_asked_for_and_wrong_lengths() {
    let Some(device) = device() else { return };
    let network = network::<f32>(&[2, 8, 8, 1], &[Activation::Tanh, Activation::Tanh, Activation::Identity], 5);
    let nothing = Derivatives { value: false, gradient: false, hessian: false };
    let evaluator = GpuEvaluator::new(device, &network, nothing, &[]).unwrap();
    assert!(evaluator.evaluate(&[0.0; 6]).unwrap().value.is_empty());
    let evaluator = GpuEvaluator::new(device, &network, Derivatives::ALL, &[]).unwrap();
    assert_eq!(
        evaluator.evaluate(&[0.0; 5]).unwrap_err().to_string(),
        "5 coordinates are not a whole number of points with 2 inputs"
    );
    assert!(GpuEvaluator::new(device, &network, Derivatives::ALL, &[Operator::first(0, 2)]).is_err());
}

#[test]
fn results_may_stay_on_the_device() {
    let Some(device) = device() else { return };
    let (widths, count) = ([3, 24, 24, 2], 100_000);
    let activations = [Activation::Tanh, Activation::Tanh, Activation::Identity];
    let operators = operators(3, 2);
    let points = points::<f32>(count, 3, 9);
    let evaluator =
        GpuEvaluator::new(device, &network::<f32>(&widths, &activations, 4), Derivatives::ALL, &operators).unwrap();
    let all = evaluator.evaluate(&points).unwrap();
    let kept = evaluator.evaluate_on_device(&points).unwrap();
    assert_eq!(kept.points(), count);
    assert_eq!(kept.read(0..count).unwrap(), all);
    let few = kept.read(99_990..count + 7).unwrap();
    assert_eq!((few.points(), few.value.as_slice()), (10, &all.value[2 * 99_990..]));

    let mean = |column: usize| {
        all.operators.iter().skip(column).step_by(operators.len()).map(|x| f64::from(x * x)).sum::<f64>() / count as f64
    };
    let means = evaluator.mean_square(&points).unwrap();
    assert!(means.iter().enumerate().all(|(column, found)| (found - mean(column)).abs() <= 1e-6 * mean(column)));
    // The same bits however the points were cut into chunks.
    assert_eq!(evaluator.mean_square(&points).unwrap(), means);
    assert_eq!(kept.mean_square().unwrap(), means);
}

#[test]
fn threads_may_share_a_device_and_an_evaluator() {
    let Some(device) = device() else { return };
    let network = network::<f32>(&[2, 8, 8, 1], &[Activation::Tanh, Activation::Tanh, Activation::Identity], 5);
    let shared = GpuEvaluator::new(device, &network, Derivatives::ALL, &[]).unwrap();
    let points = points::<f32>(1000, 2, 3);
    let expected = shared.evaluate(&points).unwrap();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                let own = GpuEvaluator::new(device, &network, Derivatives::ALL, &[]).unwrap();
                for _ in 0..50 {
                    assert_eq!(own.evaluate(&points).unwrap(), expected);
                    assert_eq!(shared.evaluate(&points).unwrap(), expected);
                }
            });
        }
    });
}

#[test]
fn calls_from_inside_a_thread_pool_do_not_wait_for_each_other() {
    let Some(device) = device() else { return };
    let network = network::<f32>(&[2, 8, 8, 1], &[Activation::Tanh, Activation::Tanh, Activation::Identity], 5);
    let evaluator = GpuEvaluator::new(device, &network, Derivatives::ALL, &[]).unwrap();
    // So many points that their rows are written by several threads, which may take up another call while they wait.
    let points = points::<f32>(50_000, 2, 3);
    let expected = evaluator.evaluate(&points).unwrap();
    rayon::scope(|scope| {
        for _ in 0..20 {
            scope.spawn(|_| assert_eq!(evaluator.evaluate(&points).unwrap(), expected));
        }
    });
}

/// `cargo test --test gpu random -- --ignored --nocapture`
#[test]
#[ignore = "some seconds for each network on a software adapter"]
fn random_networks_agree() {
    let mut random = Random(2026);
    // exp in several layers leaves the range of f32, sin:30 multiplies rounding by 30 in each.
    let names =
        ["tanh", "sigmoid", "sin", "cos", "softplus:2", "silu", "gelu", "gelu_tanh", "elu", "gaussian", "erf", "mish"];
    for seed in 0..40 {
        let mut below = |count: usize| (random.next() * count as f64) as usize;
        let depth = below(9);
        let mut widths = vec![1 + below(6)];
        widths.extend((0..depth).map(|_| [1, 2, 3, 7, 8, 9, 16, 31, 64, 65, 100, 128, 256][below(13)]));
        widths.push(1 + below(3));
        let activations = (0..=depth).map(|_| names[below(names.len())].parse().unwrap()).collect();
        let derivatives = [Derivatives::VALUE, Derivatives::GRADIENT, Derivatives::ALL][below(3)];
        check(&Case { widths, activations, count: 1 + below(100), seed, layered: below(4) == 0 }, derivatives);
    }
}

/// `cargo test --release --test gpu -- --ignored`
#[test]
#[ignore = "takes 6 GiB of memory, and a minute on a software adapter"]
fn results_of_several_gib_are_right() {
    let Some(device) = device() else { return };
    // 43 numbers for each point: more than 4 GiB.
    let (widths, count) = ([6, 1], 25_500_000);
    let network_32 = network::<f32>(&widths, &[Activation::Gaussian], 3);
    let coordinate = |k: usize, i: usize| ((k * (2 * i + 3)) % 1009) as f32 / 1009.0 - 0.5;
    let points: Vec<f32> = (0..count).flat_map(|k| (0..6).map(move |i| coordinate(k, i))).collect();
    let evaluator = GpuEvaluator::new(device, &network_32, Derivatives::ALL, &[]).unwrap();
    let found = evaluator.evaluate(&points).unwrap();
    println!("{} bytes in {} chunks", 4 * 43 * count, evaluator.times().chunks);
    let rows: Vec<usize> = (0..count).step_by(99_991).chain(count - 1000..count).collect();
    let sample: Vec<f64> = rows.iter().flat_map(|&k| (0..6).map(move |i| f64::from(coordinate(k, i)))).collect();
    let oracle = ScalarEvaluator::new(network::<f64>(&widths, &[Activation::Gaussian], 3), Derivatives::ALL);
    let expected = oracle.evaluate(&sample).unwrap();
    let hessian: Vec<f32> = rows.iter().flat_map(|&k| found.hessian[36 * k..][..36].to_vec()).collect();
    let gradient: Vec<f32> = rows.iter().flat_map(|&k| found.gradient[6 * k..][..6].to_vec()).collect();
    let value: Vec<f32> = rows.iter().map(|&k| found.value[k]).collect();
    for (found, expected) in [(value, expected.value), (gradient, expected.gradient), (hessian, expected.hessian)] {
        assert!(relative_error(&found, &expected) <= 3e-6);
    }
}
