//! Every case of kind `network` in `tests/cases/expected.json`: through [`Activation::apply`] on hyper-dual numbers, and through
//! a [`Network`] in the scalar evaluator.
#![cfg(feature = "network")]

mod common;

use common::{Case, Point, assert_every_case_has_a_test, numbers};
use tapeless::evaluate::{Derivatives, Evaluator, ScalarEvaluator};
use tapeless::network::{Activation, Layer, Network};
use tapeless::{Const, HyperDual, Packed, hessian};

type Number<const N: usize> = HyperDual<f64, N>;

fn check<const N: usize>(point: &Point, f: impl FnOnce([Number<N>; N]) -> Number<N>)
where
    Const<N>: Packed,
{
    let found = hessian(f, std::array::from_fn(|i| point.at[i]));
    let found = [&[found.value], found.gradient.as_slice(), found.hessian.as_flattened()].concat();
    point.outputs[0].assert_found(&found);
}

/// Checks one function at every point of a case.
fn check_everywhere<const N: usize>(id: &str, f: impl Fn([Number<N>; N]) -> Number<N>)
where
    Const<N>: Packed,
{
    for point in Case::named(id).points() {
        check(&point, &f);
    }
}

/// Checks a network at points, all in one batch.
fn check_network(network: Network<f64>, points: &[Point]) {
    let (inputs, outputs) = (network.inputs(), network.outputs());
    let coordinates: Vec<f64> = points.iter().flat_map(|point| point.at.clone()).collect();
    let found = ScalarEvaluator::new(network, Derivatives::ALL).unwrap().evaluate(&coordinates).unwrap();
    let expected = points.iter().flat_map(|point| &point.outputs);
    assert_eq!(expected.clone().count(), points.len() * outputs);
    for (row, expected) in expected.enumerate() {
        let part = |numbers: &[f64], width: usize| numbers[row * width..(row + 1) * width].to_vec();
        let gradient = part(&found.gradient, inputs);
        let hessian = part(&found.hessian, inputs * inputs);
        expected.assert_found(&[vec![found.value[row]], gradient, hessian].concat());
    }
}

/// The chain of layers of one number each: (weight, bias, activation).
fn narrow(layers: &[(f64, f64, Activation)]) -> Network<f64> {
    let layer = |&(weight, bias, activation)| Layer::new(1, 1, vec![weight], vec![bias], activation).unwrap();
    Network::new(layers.iter().map(layer).collect()).unwrap()
}

/// Checks an activation at points: alone, and as a layer.
fn check_activation(activation: Activation, points: &[Point]) {
    for point in points {
        check(point, |[x]| activation.apply(x));
    }
    check_network(narrow(&[(1.0, 0.0, activation)]), points);
}

/// Checks the network that is written in a case at the case's points.
fn check_written_network(id: &str) {
    let case = Case::named(id);
    let layers = case.json["network"].as_array().unwrap().iter().map(|layer| {
        let (weights, bias) = (numbers(&layer["W"]), numbers(&layer["b"]));
        let activation = layer["act"].as_str().unwrap().parse().unwrap();
        Layer::new(weights.len() / bias.len(), bias.len(), weights, bias, activation).unwrap()
    });
    let network = Network::new(layers.collect()).unwrap();
    for point in case.points() {
        let [x, y] = [point.at[0], point.at[1]];
        let outputs = network.forward(&HyperDual::variables([x, y])).unwrap();
        assert_eq!(outputs.len(), point.outputs.len());
        for (output, expected) in outputs.iter().zip(&point.outputs) {
            expected
                .assert_found(&[&[output.value()], output.gradient().as_slice(), output.hessian().as_flattened()].concat());
        }
    }
    check_network(network, &case.points());
}

#[test]
fn every_network_case_has_a_test() {
    assert_every_case_has_a_test("network", include_str!("network_cases.rs"));
}

#[test]
fn n01_softplus_with_beta_has_beta_in_its_curvature() {
    check_activation(Activation::Softplus { beta: 3.0 }, &Case::named("N01").points());
}

#[test]
fn n02_softplus_is_exact_above_the_threshold_of_pytorch() {
    check_activation(Activation::Softplus { beta: 1.0 }, &Case::named("N02").points());
}

#[test]
fn n03_softplus_far_out_on_both_sides() {
    check_activation(Activation::Softplus { beta: 1.0 }, &Case::named("N03").points());
}

#[test]
fn n04_silu_in_both_tails() {
    check_activation(Activation::Silu, &Case::named("N04").points());
}

#[test]
fn n06_elu_keeps_the_factor_in_front() {
    let elu = Activation::Elu { alpha: 1.0 };
    check_everywhere("N06", |[x]| 2.0 * elu.apply(-x));
    check_network(narrow(&[(-1.0, 0.0, elu), (2.0, 0.0, Activation::Identity)]), &Case::named("N06").points());
}

#[test]
fn n09_gelu_and_its_tanh_form_are_two_functions() {
    let case = Case::named("N09");
    check_activation("gelu".parse().unwrap(), &case.points());
    check_activation("gelu_tanh".parse().unwrap(), &case.also());
}

#[test]
fn n11_relu_and_leaky_relu_have_no_curvature() {
    let points = Case::named("N11").points();
    let (relu, leaky) = points.split_at(2);
    check_activation(Activation::Relu, relu);
    check_activation("leaky_relu".parse().unwrap(), leaky);
    for zero in [0.0, -0.0] {
        let found = hessian(|[x]| Activation::Relu.apply(x), [zero]);
        assert_eq!((found.value, found.gradient, found.hessian), (0.0, [0.0], [[0.0]]));
    }
}

#[test]
fn n12_tanh_network_with_two_hidden_layers() {
    check_written_network("N12");
}

#[test]
fn n13_three_outputs_keep_their_order() {
    check_written_network("N13");
}

#[test]
fn n15_sin_network() {
    check_written_network("N15");
}

#[test]
fn n17_softplus_network() {
    check_written_network("N17");
}

#[test]
fn n18_silu_network() {
    check_written_network("N18");
}

#[test]
fn n23_log_sum_exp_of_large_numbers() {
    check_everywhere("N23", |variables: [Number<3>; 3]| {
        let shift = variables.into_iter().reduce(|a, b| a.max(b)).unwrap();
        shift + variables.iter().map(|x| (x - shift).exp()).sum::<Number<3>>().ln()
    });
}

#[test]
fn n24_mish_in_both_tails() {
    check_activation(Activation::Mish, &Case::named("N24").points());
}

#[test]
fn n25_input_scaling_enters_the_hessian_squared() {
    let (low, high) = (0.0, 4.0);
    check_everywhere("N25", |[x]| Activation::Tanh.apply(2.0 * (x - low) / (high - low) - 1.0));
    let scaling = (2.0 / (high - low), -1.0, Activation::Identity);
    check_network(narrow(&[scaling, (1.0, 0.0, Activation::Tanh)]), &Case::named("N25").points());
}

#[test]
fn n26_boundary_factor_around_a_network() {
    let network = narrow(&[(0.8, 0.1, Activation::Tanh)]);
    check_everywhere("N26", |[x]| x * (1.0 - x) * network.forward(&[x]).unwrap()[0]);
}
