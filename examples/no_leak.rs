//! 100,000 evaluations of value, gradient and Hessian of a network: resident memory as it goes. Beside it,
//! `benches/peers/leak.py` shows what PyTorch users see.
//!
//! `cargo run --release --example no_leak`

use std::error::Error;
use std::fs;
use std::path::Path;

use tapeless::evaluate::{Batch, CpuEvaluator, Derivatives, Evaluator};
use tapeless::network::Activation;
use tapeless::network::import::Model;

const EVALUATIONS: usize = 100_000;
const POINTS: usize = 100;

fn main() -> Result<(), Box<dyn Error>> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/heat/heat_pinn.safetensors");
    let network = Model::read(&file)?.network::<f32>(&[Activation::Tanh], Activation::Identity)?;
    let evaluator = CpuEvaluator::new(&network, Derivatives::ALL, &[])?;
    let points: Vec<f32> = (0..3 * POINTS).map(|k| (k as f32 * 0.37).fract()).collect();
    let mut results = Batch::new();
    evaluator.evaluate_into(&points, &mut results)?;

    println!("workspace: {} bytes, known before the first point", evaluator.workspace_bytes());
    let start = resident_bytes();
    for evaluation in 1..=EVALUATIONS {
        evaluator.evaluate_into(&points, &mut results)?;
        if evaluation % (EVALUATIONS / 10) == 0 {
            let grown = resident_bytes().zip(start).map(|(now, start)| now - start);
            let text =
                grown.map_or("resident memory is not known on this system".to_owned(), |bytes| format!("{bytes:+} bytes"));
            println!("{evaluation:7} evaluations of {POINTS} points: {text}");
        }
    }
    Ok(())
}

/// Resident memory of this process, where the system tells (Linux).
fn resident_bytes() -> Option<i64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    Some(1024 * line.trim().strip_suffix("kB")?.trim().parse::<i64>().ok()?)
}
