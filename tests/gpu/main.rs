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

// The CPU engine's tests need more of it.
#[allow(dead_code)]
#[path = "../common/random_networks.rs"]
mod random_networks;

use std::sync::OnceLock;

use random_networks::{Random, network, points};
use tapeless::Real;
use tapeless::evaluate::gpu::{DeviceChoice, GpuDevice};

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

/// The relative error in the Euclidean norm; NaN where a number is NaN in one of the two only.
fn relative_error<R: Real>(found: &[R], expected: &[f64]) -> f64 {
    assert_eq!(found.len(), expected.len());
    let square = |sum: f64, x: f64| sum + x * x;
    let error = found.iter().zip(expected).map(|(a, b)| a.as_() - b).fold(0.0, square).sqrt();
    let size = expected.iter().copied().fold(0.0, square).sqrt();
    if error == 0.0 { 0.0 } else { error / size }
}
