//! The cases of kind `batch` in `tests/cases/expected.json` that concern the GPU and need the library alone; those of the program
//! are in `tests/program/gpu.rs`, and G09 in `src/evaluate/gpu/device_tests.rs`.

use std::path::{Path, PathBuf};

use tapeless::Real;
use tapeless::evaluate::gpu::{GpuEvaluator, GpuReal};
use tapeless::evaluate::{Batch, Derivatives, Evaluator, ScalarEvaluator};
use tapeless::network::import::Model;
use tapeless::network::{Activation, Layer, Network};

use crate::common::{Case, number};
use crate::{device, network};

fn f01<R: Real>() -> Network<R> {
    let path: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases/files/F01_deepxde_f64.safetensors");
    Model::read(path).unwrap().network(&[Activation::Tanh], Activation::Identity).unwrap()
}

/// Point k of G01.
fn point(k: usize) -> [f64; 2] {
    [(k % 1000) as f64 / 1000.0, (k % 777) as f64 / 777.0 - 0.5]
}

fn points<R: Real>(count: usize) -> Vec<R> {
    (0..count).flat_map(|k| point(k).map(R::literal)).collect()
}

/// Value, gradient and Hessian of a row of a network with one output.
fn row<R: Real>(batch: &Batch<R>, row: usize) -> Vec<f64> {
    let d = batch.inputs();
    let part = |numbers: &[R], width: usize| numbers[row * width..(row + 1) * width].to_vec();
    let all = [part(&batch.value, 1), part(&batch.gradient, d), part(&batch.hessian, d * d)].concat();
    all.into_iter().map(|x| x.as_()).collect()
}

/// Asserts the bounds of G15: value and gradient within 1e-5, the Hessian within 1e-4, times 1 + |entry|.
fn assert_close(found: &[f64], expected: &[f64], inputs: usize) {
    assert_eq!(found.len(), expected.len());
    for (entry, (a, b)) in found.iter().zip(expected).enumerate() {
        let bound = if entry <= inputs { 1e-5 } else { 1e-4 };
        assert!((a - b).abs() <= bound * (1.0 + b.abs()), "entry {entry}: {a}, expected {b}");
    }
}

/// Asserts that rows of the f32 evaluation are those of the f64 oracle.
fn assert_rows(found: &Batch<f32>, rows: impl Iterator<Item = usize>) {
    let rows: Vec<usize> = rows.collect();
    let coordinates: Vec<f64> = rows.iter().flat_map(|&k| point(k)).collect();
    let expected = ScalarEvaluator::new(f01::<f64>(), Derivatives::ALL).evaluate(&coordinates).unwrap();
    for (position, &k) in rows.iter().enumerate() {
        assert_close(&row(found, k), &row(&expected, position), 2);
    }
}

fn evaluated<R: GpuReal>(count: usize) -> Option<Batch<R>> {
    let evaluator = GpuEvaluator::new(device()?, &f01::<R>(), Derivatives::ALL, &[]).unwrap();
    Some(evaluator.evaluate(&points::<R>(count)).unwrap())
}

#[test]
fn g01_more_points_than_65535_workgroups_of_64() {
    let case = Case::named("G01");
    let indices: Vec<usize> = serde_json::from_value(case.json["expected"]["indices"].clone()).unwrap();
    let count = 4_194_305;
    let Some(found) = evaluated::<f32>(count) else { return };
    assert_eq!(found.points(), count);
    assert_rows(&found, indices.iter().copied().chain((0..count).step_by(9973)));
    drop(found);
    if device().is_some_and(|device| device.info().f64) {
        let found = evaluated::<f64>(count).unwrap();
        for (point, &index) in case.points().iter().zip(&indices) {
            point.outputs[0].assert_found(&row(&found, index));
        }
    }
}

#[test]
fn g03_results_that_do_not_fit_one_binding() {
    let Some(device) = device() else { return };
    let (count, widths) = (1_198_373, [6, 8, 1]);
    let case = Case::named("G03");
    assert_eq!(case.json["expected"]["n"], count);
    let activations = [Activation::Tanh, Activation::Identity];
    let evaluator = GpuEvaluator::new(device, &network::<f32>(&widths, &activations, 3), Derivatives::ALL, &[]).unwrap();
    let coordinate = |k: usize, i: usize| ((k * (2 * i + 3)) % 1009) as f32 / 1009.0 - 0.5;
    let points: Vec<f32> = (0..count).flat_map(|k| (0..6).map(move |i| coordinate(k, i))).collect();
    let found = evaluator.evaluate(&points).unwrap();
    let limit = case.json["expected"]["limit"].as_u64().unwrap();
    let times = evaluator.times();
    assert_eq!(times.bytes, case.json["expected"]["bytes"]);
    assert!(times.chunks >= 2 || device.info().largest_binding > limit);

    let edge = (limit / 112) as usize;
    let rows: Vec<usize> = (0..count).step_by(1999).chain(edge - 2000..count).collect();
    let coordinates: Vec<f64> = rows.iter().flat_map(|&k| (0..6).map(move |i| f64::from(coordinate(k, i)))).collect();
    let oracle = ScalarEvaluator::new(network::<f64>(&widths, &activations, 3), Derivatives::ALL);
    let expected = oracle.evaluate(&coordinates).unwrap();
    for (position, &k) in rows.iter().enumerate() {
        assert_close(&row(&found, k), &row(&expected, position), 6);
    }
}

#[test]
fn g07_tanh_of_large_arguments() {
    let Some(device) = device() else { return };
    let unit = Network::new(vec![Layer::new(1, 1, vec![1.0_f32], vec![0.0], Activation::Tanh).unwrap()]).unwrap();
    let evaluator = GpuEvaluator::new(device, &unit, Derivatives::ALL, &[]).unwrap();
    let case = Case::named("G07");
    let tolerance = number(&case.json["atol"]);
    for point in case.json["expected"]["points"].as_array().unwrap() {
        let found = evaluator.evaluate(&[number(&point["at"][0]) as f32]).unwrap();
        assert!((f64::from(found.value[0]) - number(&point["value"])).abs() <= tolerance);
        assert!(f64::from(found.gradient[0].abs()) <= tolerance && f64::from(found.hessian[0].abs()) <= tolerance);
    }
    let between: Vec<f32> = (0..361).map(|k| 9.0 + k as f32 * 0.1).collect();
    let found = evaluator.evaluate(&between).unwrap();
    assert!(found.gradient.iter().all(|slope| *slope >= 0.0 && slope.is_finite()));
    assert!(found.gradient.windows(2).all(|pair| pair[1] <= pair[0]));
    let twenty = found.gradient[110];
    assert!(twenty > 0.0, "the slope at 20 is 4 exp(-40), not 0");
}

#[test]
fn g10_batches_around_the_size_of_a_workgroup() {
    if device().is_none() {
        return;
    }
    for count in [0, 1, 31, 32, 33, 63, 64, 65, 127, 128, 129, 255, 256, 257] {
        let found = evaluated::<f32>(count).unwrap();
        assert_eq!(found.points(), count);
        assert_rows(&found, 0..count);
    }
}

#[test]
fn g15_gpu_against_cpu() {
    let Some(found) = evaluated::<f32>(1000) else { return };
    assert_rows(&found, 0..1000);
}
