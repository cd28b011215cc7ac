//! Nothing is recorded: after the first call, evaluating allocates nothing.

#[path = "common/allocations.rs"]
mod allocations;

use allocations::{assert_allocates_nothing, wait_for_harness};
use tapeless::evaluate::{Batch, CpuEvaluator, Derivatives, Evaluator, ScalarEvaluator};
use tapeless::network::{Activation, Layer, Network};
use tapeless::operator::Operator;

fn network(widths: &[usize]) -> Network<f64> {
    let layers = widths.windows(2).map(|pair| {
        let weights = (0..pair[0] * pair[1]).map(|k| (k as f64 * 0.7).sin() / pair[0] as f64).collect();
        Layer::new(pair[0], pair[1], weights, vec![0.1; pair[1]], Activation::Tanh).unwrap()
    });
    Network::new(layers.collect()).unwrap()
}

fn check(evaluator: &dyn Evaluator<f64>, points: &[f64]) {
    let mut results = Batch::new();
    // The first calls: until each thread of the pool has taken work once, rayon sets up its queues.
    for _ in 0..50 {
        evaluator.evaluate_into(points, &mut results).unwrap();
    }
    let first = results.clone();
    assert_allocates_nothing("an evaluation", || {
        for _ in 0..1000 {
            evaluator.evaluate_into(points, &mut results).unwrap();
        }
    });
    assert_eq!(first, results);
}

#[test]
fn a_thousand_evaluations_allocate_nothing_after_the_first() {
    wait_for_harness();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    let points: Vec<f64> = (0..3 * 100).map(|k| (k as f64).cos()).collect();
    let network = network(&[3, 6, 6, 2]);
    for derivatives in [Derivatives::VALUE, Derivatives::GRADIENT, Derivatives::ALL] {
        pool.install(|| {
            check(&ScalarEvaluator::new(network.clone(), derivatives).unwrap(), &points);
            let operators = [Operator::laplacian(0, 0..3)];
            check(&CpuEvaluator::new(&network, derivatives, &operators).unwrap(), &points);
        });
    }
}
