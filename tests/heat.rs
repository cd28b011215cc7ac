//! The main job on a real model: a network of the 2-D heat equation trained in PyTorch, against PyTorch's own second
//! derivatives in f64.

use std::path::{Path, PathBuf};

use tapeless::Real;
use tapeless::evaluate::{Batch, CpuEvaluator, CpuReal, Derivatives, Evaluator, ScalarEvaluator};
use tapeless::network::Activation;
use tapeless::network::import::Model;

fn heat(file: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/heat").join(file)
}

fn reference(member: &str) -> Vec<f64> {
    let mut archive = npyz::npz::NpzArchive::open(heat("reference.npz")).unwrap();
    archive.by_name(member).unwrap().unwrap().into_vec().unwrap()
}

/// The largest error, each relative to 1 + |entry|.
fn worst<R: Real>(found: &[R], expected: &[f64]) -> f64 {
    assert_eq!(found.len(), expected.len());
    found
        .iter()
        .zip(expected)
        .map(|(found, expected)| (found.as_() - expected).abs() / (1.0 + expected.abs()))
        .fold(0.0, f64::max)
}

fn check<R: CpuReal>(bound: f64) {
    let model = Model::read(heat("heat_pinn.safetensors")).unwrap();
    let network = model.network::<R>(&[Activation::Tanh], Activation::Identity).unwrap();
    assert_eq!((network.inputs(), network.outputs(), network.parameters()), (3, 1, 12_801));
    let points: Vec<R> = reference("points").into_iter().map(R::literal).collect();
    let engine = CpuEvaluator::new(&network, Derivatives::ALL, &[]).unwrap().evaluate(&points).unwrap();
    let scalar = ScalarEvaluator::new(network, Derivatives::ALL).unwrap().evaluate(&points).unwrap();
    for (evaluator, results) in [("engine", engine), ("scalar", scalar)] {
        compare(evaluator, &results, bound);
    }
}

fn compare<R: Real>(evaluator: &str, results: &Batch<R>, bound: f64) {
    assert_eq!(results.points(), 256);
    for (name, found) in [("u", &results.value), ("gradient", &results.gradient), ("hessian", &results.hessian)] {
        let worst = worst(found, &reference(name));
        println!("{evaluator} {} {name}: {worst:.2e}", std::any::type_name::<R>());
        assert!(worst <= bound, "{name}: {worst}");
    }
}

#[test]
fn the_heat_model_agrees_with_pytorch_in_double_precision() {
    check::<f64>(1e-12);
}

#[test]
fn the_heat_model_agrees_with_pytorch_in_single_precision() {
    check::<f32>(2e-5);
}
