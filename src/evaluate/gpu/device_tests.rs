//! What only the inside of a device can show: missing features, small limits, a lost device, live resources.
//!
//! Without an adapter the tests say that they were skipped; with `TAPELESS_REQUIRE_GPU=1` in the environment they fail.

// The program's tests need more of it.
#[allow(dead_code)]
#[path = "../../../tests/common/no_adapter.rs"]
mod no_adapter;

use super::{DeviceChoice, GpuDevice, GpuError, GpuEvaluator};
use crate::evaluate::{Batch, Derivatives, EvaluateError, Evaluator};
use crate::network::{Activation, Layer, Network};
use crate::number::Real;
use crate::operator::Operator;

/// A device of the test's own.
fn device() -> Option<GpuDevice> {
    let choices = [DeviceChoice::Gpu, DeviceChoice::Software];
    let device = choices.iter().find_map(|choice| choice.open().ok().flatten());
    if device.is_none() {
        no_adapter::no_adapter();
    }
    device
}

fn network<R: Real>() -> Network<R> {
    let numbers = |count: usize| (0..count).map(|k| R::literal(k as f64 / 8.0 - 0.5)).collect::<Vec<R>>();
    let hidden = Layer::new(2, 4, numbers(8), numbers(4), Activation::Tanh).unwrap();
    let last = Layer::new(4, 1, numbers(4), numbers(1), Activation::Identity).unwrap();
    Network::new(vec![hidden, last]).unwrap()
}

#[test]
fn g09_f64_without_the_feature_is_refused() {
    let Some(device) = device() else { return };
    let without = device.with_info(super::AdapterInfo { f64: false, ..device.info().clone() });
    let error = GpuEvaluator::new(&without, &network::<f64>(), Derivatives::ALL, &[]).err().unwrap();
    assert!(matches!(error, EvaluateError::Gpu(GpuError::MissingF64 { .. })));
    let message = error.to_string();
    assert!(["SHADER_F64", "--device cpu", "--precision f32"].iter().all(|part| message.contains(part)), "{message}");
    assert!(GpuEvaluator::new(&without, &network::<f32>(), Derivatives::ALL, &[]).is_ok());
}

#[test]
fn limits_too_small_for_the_weights_or_a_point_are_errors() {
    let Some(device) = device() else { return };
    let small = |largest_binding| device.with_info(super::AdapterInfo { largest_binding, ..device.info().clone() });
    let limited = |error: EvaluateError| matches!(error, EvaluateError::Gpu(GpuError::Limit { .. }));
    assert!(limited(GpuEvaluator::new(&small(16), &network::<f32>(), Derivatives::ALL, &[]).err().unwrap()));
    // Enough for weights, but not for the rows of one point: u = exp of half the sum of 20 inputs, through 32 neurons.
    let hidden = Layer::new(20, 32, vec![1.0_f32 / 64.0; 640], vec![0.0; 32], Activation::Identity).unwrap();
    let last = Layer::new(32, 1, vec![1.0; 32], vec![0.0], Activation::Exp).unwrap();
    let wide = Network::new(vec![hidden, last]).unwrap();
    let evaluator = GpuEvaluator::new(&small(26_000), &wide, Derivatives::ALL, &[]).unwrap();
    assert!(limited(evaluator.evaluate(&[0.0; 20]).unwrap_err()));
    // A few points at a time.
    let evaluator = GpuEvaluator::new(&small(100_000), &wide, Derivatives::ALL, &[]).unwrap();
    let found = evaluator.evaluate(&[0.0; 2000]).unwrap();
    assert!(evaluator.times().chunks > 10);
    assert!(found.value.iter().all(|x| *x == 1.0) && found.hessian.iter().all(|x| *x == 0.25));
}

#[test]
fn a_lost_device_is_an_error_and_the_next_one_works() {
    let Some(lost) = device() else { return };
    let evaluator = GpuEvaluator::new(&lost, &network::<f32>(), Derivatives::ALL, &[]).unwrap();
    let expected = evaluator.evaluate(&[0.5; 200]).unwrap();
    lost.device().destroy();
    for _ in 0..2 {
        let error = evaluator.evaluate(&[0.5; 200]).unwrap_err();
        assert!(matches!(error, EvaluateError::Gpu(GpuError::Lost { .. })), "{error}");
    }
    let error = GpuEvaluator::new(&lost, &network::<f32>(), Derivatives::GRADIENT, &[]).err().unwrap();
    assert!(matches!(error, EvaluateError::Gpu(GpuError::Lost { .. })), "{error}");
    let next = GpuEvaluator::new(&device().unwrap(), &network::<f32>(), Derivatives::ALL, &[]).unwrap();
    assert_eq!(next.evaluate(&[0.5; 200]).unwrap(), expected);
}

#[test]
fn a_thousand_evaluations_leave_the_resources_as_they_were() {
    let Some(device) = device() else { return };
    let operators = [Operator::laplacian(0, [0, 1])];
    let evaluator = GpuEvaluator::new(&device, &network::<f32>(), Derivatives::ALL, &operators).unwrap();
    let mut results = Batch::new();
    let mut run = |points: usize| {
        let points = vec![0.25; 2 * points];
        evaluator.evaluate_into(&points, &mut results).unwrap();
        evaluator.mean_square(&points).unwrap();
        evaluator.evaluate_on_device(&points).unwrap().read(0..3).unwrap();
        let _ = device.device().poll(wgpu::PollType::wait_indefinitely());
        let hal = device.device().get_internal_counters().hal;
        let counters = [&hal.buffers, &hal.bind_groups, &hal.compute_pipelines, &hal.shader_modules, &hal.query_sets];
        (counters.map(|counter| counter.read()), evaluator.workspace_bytes())
    };
    run(300);
    let before = run(300);
    assert!(before.0[0] > 0, "resources are counted");
    for count in 0..1000 {
        assert_eq!(run(1 + count % 300), before, "after {count} evaluations");
    }
}
