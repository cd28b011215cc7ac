//! `tapeless bench`: how fast this machine evaluates a network of a given shape.

use std::time::{Duration, Instant};

use num_traits::AsPrimitive;
use tapeless::evaluate::{Batch, CpuEvaluator, CpuReal, Evaluator};
use tapeless::network::{Activation, Initialization, Network};
use tapeless::train::sampling::{Domain, Sampling};

use super::arguments::{BenchArguments, Precision};
use super::error::CommandError;
use super::request::Request;
use super::{bench_train, memory, names, report, threads};

/// Runs that are timed.
pub const RUNS: usize = 15;

/// How long the peak is measured.
pub const PEAK_TIME: Duration = Duration::from_millis(300);

/// Measures and reports.
pub fn run(arguments: &BenchArguments) -> Result<(), CommandError> {
    if let Some(operator) = &arguments.train {
        return bench_train::run(arguments, operator);
    }
    match arguments.precision {
        Precision::F32 => measure::<f32>(arguments),
        Precision::F64 => measure::<f64>(arguments),
    }
}

fn measure<R: CpuReal>(arguments: &BenchArguments) -> Result<(), CommandError> {
    let (inputs, outputs) = (arguments.inputs.into(), arguments.outputs.into());
    let names = names::read(None, inputs, None, outputs)?;
    let request = Request::read(&arguments.derive, &names)?;
    let activation: Activation = arguments
        .activation
        .parse()
        .map_err(|error| CommandError::Activation { origin: "--activation".to_owned(), error })?;
    check_memory::<R>(arguments)?;
    let widths = [&[inputs], vec![arguments.width.into(); arguments.layers.into()].as_slice(), &[outputs]].concat();
    let network = Network::<R>::initialized(&widths, activation, Initialization::GlorotUniform, arguments.seed)
        .map_err(|error| CommandError::Network { model: "the network to measure".to_owned(), error })?;
    let mut points: Vec<R> = Vec::new();
    let coordinates = inputs.saturating_mul(arguments.batch);
    points.try_reserve_exact(coordinates).map_err(|_| CommandError::Memory { points: arguments.batch })?;
    points.resize(coordinates, R::zero());
    let domain = Domain::new(vec![-1.0; inputs], vec![1.0; inputs])?;
    Sampling::Uniform.fill(&domain, arguments.seed, &mut points)?;

    let pool = threads::pool(arguments.threads)?;
    let evaluator = pool.install(|| CpuEvaluator::new(&network, request.derivatives, &request.operators))?;
    // The peak before and after the runs, since the clock of the processor changes with its load.
    let peak = || pool.broadcast(|_| evaluator.fma_peak(PEAK_TIME)).iter().sum::<f64>() / 1e9;
    let peak_before = peak();
    let mut seconds = pool.install(|| -> Result<Vec<f64>, CommandError> {
        let mut results = Batch::new();
        // Warm-up: memory is touched, the clock settles.
        evaluator.evaluate_into(&points, &mut results)?;
        evaluator.evaluate_into(&points, &mut results)?;
        (0..RUNS)
            .map(|_| {
                let start = Instant::now();
                evaluator.evaluate_into(&points, &mut results)?;
                Ok(start.elapsed().as_secs_f64())
            })
            .collect()
    })?;
    let peak = peak_before.max(peak());

    seconds.sort_by(f64::total_cmp);
    let rate = |seconds: f64| arguments.batch as f64 / seconds.max(1e-9);
    let (median, best) = (rate(seconds[RUNS / 2]), rate(seconds[0]));
    let operations: f64 = evaluator.operations_per_point().as_();
    let gflops = median * operations / 1e9;
    let resident = memory::peak_resident_bytes();
    report::line(format_args!(
        "network   {inputs}-{}x{}-{outputs}, {activation}, {}, {} channels, {}",
        arguments.width,
        arguments.layers,
        std::any::type_name::<R>(),
        evaluator.plan().channels(),
        evaluator.instruction_set(),
    ));
    report::line(format_args!("channels  {}", evaluator.plan().explain(&names)));
    report::line(format_args!(
        "points    {} points/s (median of {RUNS} runs of {}), {} points/s (best), on {}",
        report::count(median as usize),
        report::counted(arguments.batch, "point"),
        report::count(best as usize),
        report::counted(pool.current_num_threads(), "thread"),
    ));
    report::line(format_args!(
        "products  {gflops:.1} GFLOP/s, {:.0} % of the {peak:.1} GFLOP/s that multiply-adds alone reach",
        100.0 * gflops / peak,
    ));
    report::line(format_args!(
        "memory    workspace {}, peak resident {}",
        report::bytes(evaluator.workspace_bytes() as u64),
        resident.map_or("not known on this system".to_owned(), report::bytes),
    ));
    if arguments.json {
        report::line(serde_json::json!({
            "points_per_second_median": median,
            "points_per_second_best": best,
            "gflops": gflops,
            "fma_peak_gflops": peak,
            "workspace_bytes": evaluator.workspace_bytes(),
            "peak_resident_bytes": resident,
            "channels": evaluator.plan().channels(),
            "channels_forward": evaluator.sweeps().0,
            "channels_back": evaluator.sweeps().1,
            "threads": pool.current_num_threads(),
            "precision": std::any::type_name::<R>(),
            "instruction_set": evaluator.instruction_set().to_string(),
            "batch": arguments.batch,
        }));
    }
    Ok(())
}

/// Refuses a network that does not fit into memory twice, as weights and as the kernels read them.
pub fn check_memory<R: CpuReal>(arguments: &BenchArguments) -> Result<(), CommandError> {
    let (width, layers) = (usize::from(arguments.width), usize::from(arguments.layers));
    let ends = usize::from(arguments.inputs) + usize::from(arguments.outputs);
    let weights = width * (ends + (layers - 1) * width);
    let mut probe: Vec<R> = Vec::new();
    probe.try_reserve_exact(3 * weights).map_err(|_| CommandError::NetworkMemory { weights })
}
