//! A network of the 2-D heat equation u_t = 0.05 (u_xx + u_yy), trained in PyTorch: how well does it satisfy the equation?
//!
//! `cargo run --release --example heat`

use std::error::Error;
use std::path::Path;

use tapeless::evaluate::{Derivatives, Evaluator, ScalarEvaluator};
use tapeless::network::Activation;
use tapeless::network::import::Model;

fn main() -> Result<(), Box<dyn Error>> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/heat/heat_pinn.safetensors");
    let network = Model::read(&file)?.network::<f64>(&[Activation::Tanh], Activation::Identity)?;
    let evaluator = ScalarEvaluator::new(network, Derivatives::ALL);

    // A grid of points (x, y, t) inside the unit cube.
    let steps = 20;
    let coordinate = |k: usize| (k as f64 + 0.5) / steps as f64;
    let points: Vec<f64> = (0..steps * steps * steps)
        .flat_map(|k| [coordinate(k / (steps * steps)), coordinate(k / steps % steps), coordinate(k % steps)])
        .collect();
    let results = evaluator.evaluate(&points)?;

    println!("{} points, workspace {} bytes", results.points(), evaluator.workspace_bytes());
    let (mut residual, mut rate) = (0.0, 0.0);
    for (gradient, hessian) in results.gradient.chunks(3).zip(results.hessian.chunks(9)) {
        let (u_t, u_xx, u_yy) = (gradient[2], hessian[0], hessian[4]);
        residual += (u_t - DIFFUSIVITY * (u_xx + u_yy)).powi(2);
        rate += u_t.powi(2);
    }
    let root_mean_square = |squares: f64| (squares / results.points() as f64).sqrt();
    println!("root mean square of u_t - {DIFFUSIVITY} (u_xx + u_yy): {:.3e}", root_mean_square(residual));
    println!("root mean square of u_t: {:.3e}", root_mean_square(rate));
    Ok(())
}

/// Of the equation that the network was trained on.
const DIFFUSIVITY: f64 = 0.05;
