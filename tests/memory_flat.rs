//! Memory does not grow: not with the number of evaluations, and with the number of points only by inputs and results.

#[path = "common/memory.rs"]
mod memory;

use memory::status;
use tapeless::evaluate::{Batch, CpuEvaluator, Derivatives, Evaluator};
use tapeless::network::{Activation, Layer, Network};

fn network(widths: &[usize]) -> Network<f32> {
    let layers = widths.windows(2).map(|pair| {
        let weights = (0..pair[0] * pair[1]).map(|k| (k as f32 * 0.7).sin() / pair[0] as f32).collect();
        Layer::new(pair[0], pair[1], weights, vec![0.1; pair[1]], Activation::Tanh).unwrap()
    });
    Network::new(layers.collect()).unwrap()
}

/// `cargo test --release --test memory_flat -- --ignored`
#[test]
#[ignore = "a minute, in a build with optimisation"]
fn ten_million_points_take_inputs_results_and_workspace_and_a_hundred_thousand_calls_take_nothing() {
    let evaluator = CpuEvaluator::new(&network(&[3, 16, 16, 1]), Derivatives::ALL, &[]).unwrap();
    let few: Vec<f32> = (0..300).map(|k| (k as f32 * 0.37).sin()).collect();
    let mut results = Batch::new();
    for _ in 0..1000 {
        evaluator.evaluate_into(&few, &mut results).unwrap();
    }
    let before = status("VmRSS");
    for _ in 0..100_000 {
        evaluator.evaluate_into(&few, &mut results).unwrap();
    }
    let after = status("VmRSS");
    println!("resident before and after 100,000 calls: {before:?}, {after:?}");
    assert!(after <= before.map(|bytes| bytes + 256 * 1024));

    const POINTS: usize = 10_000_000;
    let many: Vec<f32> = (0..3 * POINTS).map(|k| (k as f32 * 0.37).sin()).collect();
    let mut results = Batch::new();
    evaluator.evaluate_into(&many, &mut results).unwrap();
    let numbers = many.len() + results.value.len() + results.gradient.len() + results.hessian.len();
    let needed = (numbers * size_of::<f32>() + evaluator.workspace_bytes()) as u64;
    let peak = status("VmHWM");
    println!("inputs, results and workspace: {needed} bytes, peak resident: {peak:?}");
    assert!(peak.is_none_or(|peak| peak < needed + 20_000_000));
}
