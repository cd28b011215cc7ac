//! `tapeless bench --train`: how fast this machine takes a training step.

use std::time::Instant;

use tapeless::evaluate::{CpuEvaluator, CpuReal, Derivatives};
use tapeless::operator::Expression;
use tapeless::train::{Objective, Term};

use super::arguments::{BenchArguments, Precision};
use super::bench::{PEAK_TIME, RUNS, drawn};
use super::error::CommandError;
use super::{memory, names, report, threads};

/// Measures and reports.
pub fn run(arguments: &BenchArguments, operator: &str) -> Result<(), CommandError> {
    match arguments.precision {
        Precision::F32 => measure::<f32>(arguments, operator),
        Precision::F64 => measure::<f64>(arguments, operator),
    }
}

fn measure<R: CpuReal>(arguments: &BenchArguments, operator: &str) -> Result<(), CommandError> {
    let (inputs, outputs) = (arguments.inputs.into(), arguments.outputs.into());
    let names = names::read(None, inputs, None, outputs)?;
    let residual = Expression::parse(operator, &names, &[], &[]).map_err(CommandError::TrainOperator)?;
    let (network, points) = drawn::<R>(arguments)?;

    let pool = threads::pool(arguments.threads)?;
    let peaks = pool.install(|| CpuEvaluator::new(&network, Derivatives::VALUE, &[]))?;
    let terms = vec![Term::of_expressions("operator", vec![residual], points)];
    let mut objective = pool.install(|| Objective::new(&network, terms))?;
    let parameters = network.to_parameters();
    let mut gradient = vec![R::zero(); parameters.len()];
    // The peak before and after the runs, since the clock of the processor changes with its load.
    let peak = || pool.broadcast(|_| peaks.fma_peak(PEAK_TIME)).iter().sum::<f64>() / 1e9;
    let peak_before = peak();
    let mut seconds = pool.install(|| -> Result<Vec<f64>, CommandError> {
        // Warm-up: memory is touched, the clock settles.
        objective.loss_and_gradient(&parameters, &mut gradient)?;
        objective.loss_and_gradient(&parameters, &mut gradient)?;
        (0..RUNS)
            .map(|_| {
                let start = Instant::now();
                objective.loss_and_gradient(&parameters, &mut gradient)?;
                Ok(start.elapsed().as_secs_f64())
            })
            .collect()
    })?;
    let peak = peak_before.max(peak());

    seconds.sort_by(f64::total_cmp);
    let rate = |seconds: f64| arguments.batch as f64 / seconds.max(1e-9);
    let (median, best) = (rate(seconds[RUNS / 2]), rate(seconds[0]));
    let step = seconds[RUNS / 2];
    let gflops = objective.operations_per_step() / step.max(1e-9) / 1e9;
    let resident = memory::peak_resident_bytes();
    report::line(format_args!(
        "network   {inputs}-{}x{}-{outputs}, {}, {}, {}",
        arguments.width,
        arguments.layers,
        network.layers()[0].activation(),
        std::any::type_name::<R>(),
        peaks.instruction_set(),
    ));
    report::line(format_args!("loss      mean square of {operator}, with its gradient by {} weights", parameters.len()));
    report::line(format_args!(
        "step      {:.3} ms (median of {RUNS} runs of {}), {} points/s, {} points/s (best), on {}",
        1e3 * step,
        report::counted(arguments.batch, "point"),
        report::count(median as usize),
        report::count(best as usize),
        report::counted(pool.current_num_threads(), "thread"),
    ));
    report::line(format_args!(
        "products  {gflops:.1} GFLOP/s, {:.0} % of the {peak:.1} GFLOP/s that multiply-adds alone reach",
        100.0 * gflops / peak,
    ));
    report::line(format_args!(
        "memory    workspace {}, peak resident {}",
        report::bytes(objective.workspace_bytes() as u64),
        resident.map_or("not known on this system".to_owned(), report::bytes),
    ));
    if arguments.json {
        report::line(serde_json::json!({
            "step_seconds_median": step,
            "points_per_second_median": median,
            "points_per_second_best": best,
            "gflops": gflops,
            "fma_peak_gflops": peak,
            "workspace_bytes": objective.workspace_bytes(),
            "peak_resident_bytes": resident,
            "threads": pool.current_num_threads(),
            "precision": std::any::type_name::<R>(),
            "instruction_set": peaks.instruction_set().to_string(),
            "batch": arguments.batch,
        }));
    }
    Ok(())
}
