//! `tapeless bench`: how fast this machine evaluates a network of a given shape.

use std::time::{Duration, Instant};

use num_traits::AsPrimitive;
use serde_json::{Value, json};
use tapeless::evaluate::gpu::{DeviceChoice, GpuReal};
use tapeless::evaluate::{Batch, CpuReal};
use tapeless::network::{Activation, Initialization, Network};
use tapeless::train::sampling::{Domain, Sampling};

use super::arguments::{BenchArguments, Precision};
use super::bench_gpu::GpuFigures;
use super::engine::Engine;
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
        if !matches!(arguments.device, DeviceChoice::Cpu | DeviceChoice::Auto) {
            return Err(CommandError::TrainDevice);
        }
        return bench_train::run(arguments, operator);
    }
    match arguments.precision {
        Precision::F32 => measure::<f32>(arguments),
        Precision::F64 => measure::<f64>(arguments),
    }
}

/// The network to measure and the points of its batch, drawn from the seed.
pub fn drawn<R: CpuReal>(arguments: &BenchArguments) -> Result<(Network<R>, Vec<R>), CommandError> {
    let (inputs, outputs) = (arguments.inputs.into(), arguments.outputs.into());
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
    Ok((network, points))
}

fn measure<R: CpuReal + GpuReal>(arguments: &BenchArguments) -> Result<(), CommandError> {
    let (inputs, outputs) = (arguments.inputs.into(), arguments.outputs.into());
    let names = names::read(None, inputs, None, outputs)?;
    let request = Request::read(&arguments.derive, &names)?;
    let (network, points) = drawn::<R>(arguments)?;

    let pool = threads::pool(arguments.threads)?;
    let engine = Engine::new(&arguments.device, &pool, &network, &request)?;
    // The peak before and after the runs, since the clock of the processor changes with its load.
    let peak = || -> Result<f64, CommandError> {
        Ok(match &engine {
            Engine::Cpu { evaluator, .. } => pool.broadcast(|_| evaluator.fma_peak(PEAK_TIME)).iter().sum::<f64>() / 1e9,
            Engine::Gpu { evaluator, .. } => evaluator.fma_peak()? / 1e9,
        })
    };
    let peak_before = peak()?;
    let mut gpu = GpuFigures::default();
    let mut seconds = pool.install(|| -> Result<Vec<f64>, CommandError> {
        let mut results = Batch::new();
        let mut run = || -> Result<_, CommandError> {
            let start = Instant::now();
            engine.evaluator().evaluate_into(&points, &mut results)?;
            let times = if let Engine::Gpu { evaluator, .. } = &engine { evaluator.times() } else { Default::default() };
            Ok((start.elapsed().as_secs_f64(), times))
        };
        // Warm-up: memory is touched, the clock settles.
        gpu.first = run()?.1;
        run()?;
        let (seconds, times) = (0..RUNS).map(|_| run()).collect::<Result<Vec<_>, _>>()?.into_iter().unzip();
        gpu.runs = times;
        Ok(seconds)
    })?;
    let peak = peak_before.max(peak()?);

    seconds.sort_by(f64::total_cmp);
    let rate = |seconds: f64| arguments.batch as f64 / seconds.max(1e-9);
    let (median, best) = (rate(seconds[RUNS / 2]), rate(seconds[0]));
    let (plan, operations, sweeps, instructions) = match &engine {
        Engine::Cpu { evaluator, .. } => {
            let instructions = Some(evaluator.instruction_set().to_string());
            (evaluator.plan(), evaluator.operations_per_point(), evaluator.sweeps(), instructions)
        }
        Engine::Gpu { evaluator, .. } => {
            let plan = evaluator.plan();
            (plan, evaluator.operations_per_point(), (plan.channels(), 0), None)
        }
    };
    let operations: f64 = operations.as_();
    let gflops = median * operations / 1e9;
    let resident = memory::peak_resident_bytes();
    let workspace = engine.evaluator().workspace_bytes();
    report::line(format_args!(
        "network   {inputs}-{}x{}-{outputs}, {}, {}, {} channels{}",
        arguments.width,
        arguments.layers,
        network.layers()[0].activation(),
        std::any::type_name::<R>(),
        plan.channels(),
        instructions.as_deref().map_or(String::new(), |instructions| format!(", {instructions}")),
    ));
    report::line(format_args!("channels  {}", plan.explain(&names)));
    report::line(format_args!(
        "points    {} points/s (median of {RUNS} runs of {}), {} points/s (best), on {}",
        report::count(median as usize),
        report::counted(arguments.batch, "point"),
        report::count(best as usize),
        engine.place(),
    ));
    report::line(format_args!(
        "products  {gflops:.1} GFLOP/s, {:.0} % of the {peak:.1} GFLOP/s that multiply-adds alone reach",
        100.0 * gflops / peak,
    ));
    report::line(format_args!(
        "memory    workspace {}, peak resident {}",
        report::bytes(workspace as u64),
        resident.map_or("not known on this system".to_owned(), report::bytes),
    ));
    let mut figures = json!({
        "points_per_second_median": median,
        "points_per_second_best": best,
        "gflops": gflops,
        "fma_peak_gflops": peak,
        "workspace_bytes": workspace,
        "peak_resident_bytes": resident,
        "channels": plan.channels(),
        "channels_forward": sweeps.0,
        "channels_back": sweeps.1,
        "threads": pool.current_num_threads(),
        "precision": std::any::type_name::<R>(),
        "instruction_set": instructions,
        "batch": arguments.batch,
    });
    if let Engine::Gpu { evaluator, build } = &engine
        && let (Value::Object(all), Value::Object(more)) =
            (&mut figures, gpu.report(evaluator, *build, peak, arguments.batch, &pool))
    {
        all.extend(more);
    }
    if arguments.json {
        report::line(figures);
    }
    Ok(())
}

/// Refuses a network that does not fit into memory twice, as weights and as the kernels read them.
fn check_memory<R: CpuReal>(arguments: &BenchArguments) -> Result<(), CommandError> {
    let (width, layers) = (usize::from(arguments.width), usize::from(arguments.layers));
    let ends = usize::from(arguments.inputs) + usize::from(arguments.outputs);
    let weights = width * (ends + (layers - 1) * width);
    let mut probe: Vec<R> = Vec::new();
    probe.try_reserve_exact(3 * weights).map_err(|_| CommandError::NetworkMemory { weights })
}
