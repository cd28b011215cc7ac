//! A thousand evaluations on the GPU leave the memory of the process where it was. A test of its own, so that no other test
//! allocates beside it.
#![cfg(all(feature = "gpu", target_os = "linux"))]

#[path = "common/memory.rs"]
mod memory;
// The program's tests need more of it.
#[allow(dead_code)]
#[path = "common/no_adapter.rs"]
mod no_adapter;

use tapeless::evaluate::gpu::{DeviceChoice, GpuEvaluator};
use tapeless::evaluate::{Batch, Derivatives, Evaluator};
use tapeless::network::{Activation, Layer, Network};

#[test]
fn a_thousand_evaluations_leave_the_memory_as_it_was() {
    let choices = [DeviceChoice::Gpu, DeviceChoice::Software];
    let Some(device) = choices.iter().find_map(|choice| choice.open().ok().flatten()) else {
        no_adapter::no_adapter();
        return;
    };
    let layer = |inputs: usize, outputs: usize, activation| {
        let weights = (0..inputs * outputs).map(|k| (k % 13) as f32 / 13.0 - 0.5).collect();
        Layer::new(inputs, outputs, weights, vec![0.1; outputs], activation).unwrap()
    };
    let layers = vec![layer(3, 64, Activation::Tanh), layer(64, 64, Activation::Tanh), layer(64, 1, Activation::Identity)];
    let evaluator = GpuEvaluator::new(&device, &Network::new(layers).unwrap(), Derivatives::ALL, &[]).unwrap();
    let points: Vec<f32> = (0..3 * 1000).map(|k| (k % 97) as f32 / 97.0).collect();
    let mut results = Batch::new();
    let mut evaluate = |count: usize| {
        for _ in 0..count {
            evaluator.evaluate_into(&points, &mut results).unwrap();
        }
        memory::status("VmRSS").unwrap() as i64
    };
    let before = evaluate(200);
    let after = evaluate(1000);
    println!("resident after 200 evaluations: {before} bytes, after 1,200: {after}");
    assert!(after - before < 2 << 20, "{} bytes more", after - before);
}
