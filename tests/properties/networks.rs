//! Networks: the evaluator against differences of a forward pass written out here, against closed forms, and against
//! itself with other precisions, batches and numbers of threads.

use std::sync::LazyLock;

use proptest::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use tapeless::evaluate::{Batch, Derivatives, Evaluator, ScalarEvaluator};
use tapeless::network::{Activation, Layer, Network};

use super::config;
use super::finite_differences::{assert_estimated, differences};
use super::kinds_of_numbers::same_but_for_the_sign_of_zero;

/// Every activation, its parameter drawn at random.
fn activations() -> impl Strategy<Value = Activation> {
    prop_oneof![
        Just(Activation::Identity),
        Just(Activation::Tanh),
        Just(Activation::Sigmoid),
        Just(Activation::Sin { w0: 1.0 }),
        (0.5..3.0).prop_map(|w0| Activation::Sin { w0 }),
        Just(Activation::Cos),
        Just(Activation::Softplus { beta: 1.0 }),
        (0.5..4.0).prop_map(|beta| Activation::Softplus { beta }),
        Just(Activation::Silu),
        Just(Activation::Gelu),
        Just(Activation::GeluTanh),
        (0.3..2.0).prop_map(|alpha| Activation::Elu { alpha }),
        Just(Activation::Relu),
        (-0.5..0.5).prop_map(|slope| Activation::LeakyRelu { slope }),
        Just(Activation::Exp),
        Just(Activation::Gaussian),
        Just(Activation::Erf),
        Just(Activation::Mish),
    ]
}

/// The activation by its textbook formula.
fn textbook(activation: Activation, x: f64) -> f64 {
    let sigmoid = |x: f64| 1.0 / (1.0 + (-x).exp());
    match activation {
        Activation::Identity => x,
        Activation::Tanh => x.tanh(),
        Activation::Sigmoid => sigmoid(x),
        Activation::Sin { w0 } => (w0 * x).sin(),
        Activation::Cos => x.cos(),
        Activation::Softplus { beta } => (beta * x).exp().ln_1p() / beta,
        Activation::Silu => x * sigmoid(x),
        Activation::Gelu => 0.5 * x * (1.0 + libm::erf(x / 2.0_f64.sqrt())),
        Activation::GeluTanh => 0.5 * x * (1.0 + ((2.0 / std::f64::consts::PI).sqrt() * (x + 0.044715 * x.powi(3))).tanh()),
        Activation::Elu { alpha } => {
            if x > 0.0 {
                x
            } else {
                alpha * x.exp_m1()
            }
        }
        Activation::Relu => x.max(0.0),
        Activation::LeakyRelu { slope } => {
            if x > 0.0 {
                x
            } else {
                slope * x
            }
        }
        Activation::Exp => x.exp(),
        Activation::Gaussian => (-x * x).exp(),
        Activation::Erf => libm::erf(x),
        Activation::Mish => x * (x.exp().ln_1p()).tanh(),
    }
}

/// The outputs at a point by the textbook, and on which side of its kink each unit is.
fn textbook_forward(network: &Network<f64>, point: &[f64]) -> (Vec<f64>, Vec<bool>) {
    let mut numbers = point.to_vec();
    let mut sides = Vec::new();
    for layer in network.layers() {
        let sums = layer
            .weights()
            .chunks(layer.inputs())
            .zip(layer.bias())
            .map(|(row, bias)| bias + row.iter().zip(&numbers).map(|(weight, x)| weight * x).sum::<f64>());
        let sums: Vec<f64> = sums.collect();
        if matches!(layer.activation(), Activation::Elu { .. } | Activation::Relu | Activation::LeakyRelu { .. }) {
            sides.extend(sums.iter().map(|&sum| sum > 0.0));
        }
        numbers = sums.iter().map(|&sum| textbook(layer.activation(), sum)).collect();
    }
    (numbers, sides)
}

/// Networks with 1 to 4 hidden layers of 1 to 9 units, 1 to 6 inputs and 1 to 3 outputs. All weights fit into an f32.
fn networks() -> impl Strategy<Value = Network<f64>> {
    let widths = (1..=6_usize, prop::collection::vec(1..=9_usize, 1..=4), 1..=3_usize);
    let layers = widths.prop_flat_map(|(inputs, hidden, outputs)| {
        let widths = [vec![inputs], hidden, vec![outputs]].concat();
        widths.windows(2).map(|pair| layers(pair[0], pair[1])).collect::<Vec<_>>()
    });
    layers.prop_map(|layers| Network::new(layers).unwrap())
}

fn layers(inputs: usize, outputs: usize) -> impl Strategy<Value = Layer<f64>> {
    let scale = 1.5 / (inputs as f64).sqrt();
    let number = |scale: f64| (-scale..scale).prop_map(|x| f64::from(x as f32));
    let weights = prop::collection::vec(number(scale), inputs * outputs);
    let bias = prop::collection::vec(number(0.5), outputs);
    (weights, bias, activations())
        .prop_map(move |(weights, bias, activation)| Layer::new(inputs, outputs, weights, bias, activation).unwrap())
}

/// Coordinates for many points, cut to whole points by `whole`; they fit into an f32.
fn coordinates(numbers: impl Into<prop::collection::SizeRange>) -> impl Strategy<Value = Vec<f64>> {
    prop::collection::vec((-1.5..1.5).prop_map(|x| f64::from(x as f32)), numbers)
}

fn whole<'a>(network: &Network<f64>, coordinates: &'a [f64]) -> &'a [f64] {
    &coordinates[..coordinates.len() / network.inputs() * network.inputs()]
}

fn evaluate(network: &Network<f64>, points: &[f64]) -> Batch<f64> {
    ScalarEvaluator::new(network.clone(), Derivatives::ALL).unwrap().evaluate(points).unwrap()
}

fn bits(batch: &Batch<f64>) -> Vec<u64> {
    batch.value.iter().chain(&batch.gradient).chain(&batch.hessian).map(|x| x.to_bits()).collect()
}

/// The network with its weights and biases changed one by one.
fn changed<R: tapeless::Real>(network: &Network<f64>, mut change: impl FnMut(f64) -> R) -> Network<R> {
    let layers = network.layers().iter().map(|layer| {
        let weights = layer.weights().iter().map(|&x| change(x)).collect();
        let bias = layer.bias().iter().map(|&x| change(x)).collect();
        Layer::new(layer.inputs(), layer.outputs(), weights, bias, layer.activation()).unwrap()
    });
    Network::new(layers.collect()).unwrap()
}

fn largest<'a>(numbers: impl IntoIterator<Item = &'a f64>) -> f64 {
    numbers.into_iter().fold(0.0, |largest, x| largest.max(x.abs()))
}

static POOLS: LazyLock<[ThreadPool; 3]> =
    LazyLock::new(|| [1, 2, 3].map(|threads| ThreadPoolBuilder::new().num_threads(threads).build().unwrap()));

proptest! {
    #![proptest_config(config(96))]

    #[test]
    fn gradient_and_hessian_of_a_network_are_its_differences(network in networks(), coordinates in coordinates(6)) {
        let d = network.inputs();
        let point = &coordinates[..d];
        let result = evaluate(&network, point);
        let (outputs, sides) = textbook_forward(&network, point);
        prop_assume!(result.hessian.iter().chain(&outputs).all(|x| x.abs() < 1e4));
        let pairs: Vec<[usize; 2]> = (0..d).flat_map(|i| (i..d).map(move |j| [i, j])).collect();
        for (k, &output) in outputs.iter().enumerate() {
            let function = |x: &[f64]| {
                let (outputs, sides_there) = textbook_forward(&network, x);
                (sides_there == sides).then_some(outputs[k])
            };
            let gradient = &result.gradient[k * d..][..d];
            let noise = 64.0 * f64::EPSILON * (1.0 + output.abs() + largest(gradient));
            prop_assert!((result.value[k] - output).abs() <= 4.0 * noise, "{} is not {}", result.value[k], output);
            for (i, &found) in gradient.iter().enumerate() {
                assert_estimated(found, differences(function, point, &[i], noise), &format!("derivative {i} of output {k}"))?;
            }
            for &[i, j] in &pairs {
                let estimate = differences(function, point, &[i, j], noise);
                let (entry, mirrored) = (result.hessian[(k * d + i) * d + j], result.hessian[(k * d + j) * d + i]);
                prop_assert_eq!(entry.to_bits(), mirrored.to_bits());
                assert_estimated(entry, estimate, &format!("derivative ({i}, {j}) of output {k}"))?;
            }
        }
    }

    #[test]
    fn values_are_those_of_the_plain_forward_pass(network in networks(), coordinates in coordinates(6..60)) {
        let points = whole(&network, &coordinates);
        let (d, m) = (network.inputs(), network.outputs());
        let all = evaluate(&network, points);
        let first = ScalarEvaluator::new(network.clone(), Derivatives::GRADIENT).unwrap().evaluate(points).unwrap();
        let value = ScalarEvaluator::new(network.clone(), Derivatives::VALUE).unwrap().evaluate(points).unwrap();
        prop_assert!(first.hessian.is_empty() && value.gradient.is_empty() && value.hessian.is_empty());
        for (k, point) in points.chunks(d).enumerate() {
            for (output, expected) in network.forward(point).unwrap().into_iter().enumerate() {
                for batch in [&all, &first, &value] {
                    let found = batch.value[k * m + output];
                    prop_assert!(found.to_bits() == expected.to_bits() || (found.is_nan() && expected.is_nan()));
                }
            }
        }
        for (&a, &b) in all.gradient.iter().zip(&first.gradient) {
            prop_assert!(same_but_for_the_sign_of_zero(a, b), "{a:e} and {b:e}");
        }
    }

    #[test]
    fn every_point_has_its_own_results_in_order(network in networks(), coordinates in coordinates(1..500)) {
        let points = whole(&network, &coordinates);
        let (d, m) = (network.inputs(), network.outputs());
        let together = evaluate(&network, points);
        prop_assert_eq!(together.points(), points.len() / d);
        for (k, point) in points.chunks(d).enumerate() {
            let alone = evaluate(&network, point);
            let rows = [
                &together.value[k * m..][..m],
                &together.gradient[k * m * d..][..m * d],
                &together.hessian[k * m * d * d..][..m * d * d],
            ];
            prop_assert_eq!(rows.concat().into_iter().map(f64::to_bits).collect::<Vec<_>>(), bits(&alone));
        }
    }

    /// The bound: 64 units of f32 rounding times the largest entry, and times the largest change per relative change of
    /// the weights, biases and coordinates.
    #[test]
    fn f32_is_within_its_rounding_of_f64(network in networks(), coordinates in coordinates(6)) {
        let point = &coordinates[..network.inputs()];
        // The kinks of relu could fall on either side.
        let sides = |network: &Network<f64>, point: &[f64]| textbook_forward(network, point).1;
        let exact = evaluate(&network, point);
        prop_assume!(exact.hessian.iter().chain(&exact.value).all(|x| x.abs() < 1e4));
        let narrow = ScalarEvaluator::new(changed(&network, |x| x as f32), Derivatives::ALL).unwrap()
            .evaluate(&point.iter().map(|&x| x as f32).collect::<Vec<_>>())
            .unwrap();

        let mut changes = [0.0_f64; 3];
        for trial in 0..4_u32 {
            let error = 2.0_f64.powi(-20);
            let mut step = trial;
            let mut disturbed = |x: f64| {
                step = step.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                if step >> 31 == 0 { x * (1.0 + error) } else { x * (1.0 - error) }
            };
            let other_point: Vec<f64> = point.iter().map(|&x| disturbed(x)).collect();
            let other_network = changed(&network, disturbed);
            prop_assume!(sides(&other_network, &other_point) == sides(&network, point));
            let other = evaluate(&other_network, &other_point);
            for (change, (a, b)) in changes.iter_mut().zip([
                (&other.value, &exact.value),
                (&other.gradient, &exact.gradient),
                (&other.hessian, &exact.hessian),
            ]) {
                *change = a.iter().zip(b).fold(*change, |change, (a, b)| change.max((a - b).abs() / error));
            }
        }
        let results = [
            (&narrow.value, &exact.value),
            (&narrow.gradient, &exact.gradient),
            (&narrow.hessian, &exact.hessian),
        ];
        for ((found, expected), change) in results.into_iter().zip(changes) {
            let bound = 64.0 * f64::from(f32::EPSILON) / 2.0 * (largest(expected) + change) + 1e-37;
            for (&found, expected) in found.iter().zip(expected) {
                prop_assert!((f64::from(found) - expected).abs() <= bound, "{found:e} is not {expected:e} +- {bound:e}");
            }
        }
    }
}

proptest! {
    #![proptest_config(config(24))]

    #[test]
    fn bits_are_the_same_for_any_number_of_threads(network in networks(), coordinates in coordinates(1..300)) {
        let points = whole(&network, &coordinates);
        let expected = bits(&evaluate(&network, points));
        for pool in &*POOLS {
            let evaluator = ScalarEvaluator::new(network.clone(), Derivatives::ALL).unwrap();
            prop_assert_eq!(&bits(&pool.install(|| evaluator.evaluate(points).unwrap())), &expected);
            prop_assert_eq!(&bits(&pool.install(|| evaluate(&network, points))), &expected);
        }
    }

    #[test]
    fn more_inputs_than_one_number_holds_have_the_closed_form(
        inputs in prop::sample::select(vec![1, 5, 7, 13, 16, 17, 20, 24, 25, 33]),
        numbers in prop::collection::vec(-8..=8_i32, 4 * 33),
    ) {
        // Two outputs exp(w x), exp(v x). The sums are exact, for all numbers are whole eighths.
        let eighths: Vec<f64> = numbers.iter().map(|&x| f64::from(x) / 8.0).collect();
        let (weights, points) = (&eighths[..2 * inputs], &eighths[2 * 33..][..2 * inputs]);
        let layer = Layer::new(inputs, 2, weights.to_vec(), vec![0.0; 2], Activation::Exp).unwrap();
        let network = Network::new(vec![layer]).unwrap();
        let results = evaluate(&network, points);
        let first = ScalarEvaluator::new(network, Derivatives::GRADIENT).unwrap().evaluate(points).unwrap();
        prop_assert_eq!(&first.value, &results.value);
        prop_assert_eq!(&first.gradient, &results.gradient);

        for (k, point) in points.chunks(inputs).enumerate() {
            for (output, w) in weights.chunks(inputs).enumerate() {
                let row = 2 * k + output;
                let u = w.iter().zip(point).map(|(w, x)| w * x).sum::<f64>().exp();
                prop_assert_eq!(results.value[row], u);
                for i in 0..inputs {
                    prop_assert_eq!(results.gradient[row * inputs + i], w[i] * u);
                    for j in 0..inputs {
                        // A product of two weights is exact, so two roundings are left at most.
                        let (found, expected) = (results.hessian[(row * inputs + i) * inputs + j], w[i] * w[j] * u);
                        prop_assert!((found - expected).abs() <= f64::EPSILON * expected.abs(), "{found:e}, {expected:e}");
                    }
                }
            }
        }
    }
}
