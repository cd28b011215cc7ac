//! A network of the 2-D heat equation u_t = 0.05 (u_xx + u_yy), trained in PyTorch: how well does it satisfy the equation?
//!
//! `cargo run --release --example heat`

use std::error::Error;
use std::path::Path;

use tapeless::evaluate::{CpuEvaluator, Derivatives, Evaluator};
use tapeless::network::Activation;
use tapeless::network::import::Model;
use tapeless::operator::{Names, Operator};

fn main() -> Result<(), Box<dyn Error>> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/heat/heat_pinn.safetensors");
    let network = Model::read(&file)?.network::<f32>(&[Activation::Tanh], Activation::Identity)?;
    let names = Names::new(["x", "y", "t"], ["u"])?;
    let residual = Operator::parse("u_t - 0.05*(u_xx + u_yy)", &names)?;
    let rate = Operator::parse("u_t", &names)?;
    let evaluator = CpuEvaluator::new(&network, Derivatives::VALUE, &[residual, rate])?;
    println!("channels: {}", evaluator.plan().explain(&names));

    // A grid of points (x, y, t) inside the unit cube.
    let steps = 20;
    let coordinate = |k: usize| (k as f32 + 0.5) / steps as f32;
    let points: Vec<f32> = (0..steps * steps * steps)
        .flat_map(|k| [coordinate(k / (steps * steps)), coordinate(k / steps % steps), coordinate(k % steps)])
        .collect();
    let results = evaluator.evaluate(&points)?;

    let root_mean_square = |operator: usize| {
        let squares = results.operators.iter().skip(operator).step_by(2).map(|x| f64::from(*x).powi(2));
        (squares.sum::<f64>() / results.points() as f64).sqrt()
    };
    println!("{} points", results.points());
    println!("root mean square of u_t - 0.05*(u_xx + u_yy): {:.3e}", root_mean_square(0));
    println!("root mean square of u_t: {:.3e}", root_mean_square(1));
    Ok(())
}
