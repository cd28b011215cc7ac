//! The GPU engine against the f64 oracle, on whatever adapter the machine has: a real GPU, else a software adapter.
//!
//! Without any adapter the tests say that they were skipped; with `TAPELESS_REQUIRE_GPU=1` in the environment they fail.
#![cfg(feature = "gpu")]

mod cases;
// Other tests need more of it.
#[allow(dead_code)]
#[path = "../common/mod.rs"]
mod common;
mod engine;
mod heat;
// The program's tests need more of it.
#[allow(dead_code)]
#[path = "../common/no_adapter.rs"]
mod no_adapter;

use std::sync::OnceLock;

use tapeless::Real;
use tapeless::evaluate::gpu::{DeviceChoice, GpuDevice};
use tapeless::network::{Activation, Layer, Network};

/// The device that all tests share; `None` where there is no adapter.
fn device() -> Option<&'static GpuDevice> {
    static DEVICE: OnceLock<Option<GpuDevice>> = OnceLock::new();
    let open = || {
        let choices = [DeviceChoice::Gpu, DeviceChoice::Software];
        choices.iter().find_map(|choice| choice.open().ok().flatten())
    };
    let device = DEVICE.get_or_init(open).as_ref();
    if device.is_none() {
        no_adapter::no_adapter();
    }
    device
}

/// A small generator of uniform numbers (Knuth's MMIX multiplier), so that failures repeat.
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.next()
    }
}

/// Weights and biases that an f32 holds, so that both precisions evaluate the same network.
fn network<R: Real>(widths: &[usize], activations: &[Activation], seed: u64) -> Network<R> {
    let mut random = Random(seed);
    let layers = widths.windows(2).zip(activations).map(|(pair, &activation)| {
        let scale = (3.0 / pair[0] as f64).sqrt() / if activation == (Activation::Sin { w0: 30.0 }) { 10.0 } else { 1.0 };
        let mut numbers = |count: usize, scale: f64| {
            (0..count).map(|_| R::literal(f64::from(random.between(-scale, scale) as f32))).collect::<Vec<R>>()
        };
        let (weights, bias) = (numbers(pair[0] * pair[1], scale), numbers(pair[1], 0.3));
        Layer::new(pair[0], pair[1], weights, bias, activation).unwrap()
    });
    Network::new(layers.collect()).unwrap()
}

fn points<R: Real>(count: usize, inputs: usize, seed: u64) -> Vec<R> {
    let mut random = Random(seed);
    (0..count * inputs).map(|_| R::literal(f64::from(random.between(-1.5, 1.5) as f32))).collect()
}

/// The relative error in the Euclidean norm; NaN where a number is NaN in one of the two only.
fn relative_error<R: Real>(found: &[R], expected: &[f64]) -> f64 {
    assert_eq!(found.len(), expected.len());
    let square = |sum: f64, x: f64| sum + x * x;
    let error = found.iter().zip(expected).map(|(a, b)| a.as_() - b).fold(0.0, square).sqrt();
    let size = expected.iter().copied().fold(0.0, square).sqrt();
    if error == 0.0 { 0.0 } else { error / size }
}
