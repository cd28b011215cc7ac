//! The model of the heat equation against PyTorch's own derivatives in f64.

use std::path::{Path, PathBuf};

use tapeless::evaluate::gpu::{GpuDevice, GpuEvaluator, GpuReal};
use tapeless::evaluate::{Derivatives, Evaluator};
use tapeless::network::Activation;
use tapeless::network::import::Model;

use crate::{device, relative_error};

fn heat(file: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/heat").join(file)
}

fn reference(member: &str) -> Vec<f64> {
    let mut archive = npyz::npz::NpzArchive::open(heat("reference.npz")).unwrap();
    archive.by_name(member).unwrap().unwrap().into_vec().unwrap()
}

fn check<R: GpuReal>(device: &GpuDevice, bound: f64) {
    let model = Model::read(heat("heat_pinn.safetensors")).unwrap();
    let network = model.network::<R>(&[Activation::Tanh], Activation::Identity).unwrap();
    let points: Vec<R> = reference("points").into_iter().map(R::literal).collect();
    let found = GpuEvaluator::new(device, &network, Derivatives::ALL, &[]).unwrap().evaluate(&points).unwrap();
    for (name, found) in [("u", &found.value), ("gradient", &found.gradient), ("hessian", &found.hessian)] {
        let error = relative_error(found, &reference(name));
        println!("{} {name}: {error:.1e}", std::any::type_name::<R>());
        assert!(error <= bound, "{name}: {error:e}");
    }
}

#[test]
fn the_heat_model_agrees_with_pytorch() {
    let Some(device) = device() else { return };
    check::<f32>(device, 3e-6);
    if device.info().f64 {
        check::<f64>(device, 1e-14);
    }
}
