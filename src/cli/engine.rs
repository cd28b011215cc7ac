//! The evaluator of a command, on the device that was asked for.

use std::time::{Duration, Instant};

use rayon::ThreadPool;
use tapeless::evaluate::gpu::{DeviceChoice, GpuDevice, GpuEvaluator, GpuReal};
use tapeless::evaluate::{CpuEvaluator, CpuReal, Evaluator};
use tapeless::network::Network;
use tapeless::operator::Names;

use super::error::CommandError;
use super::report;
use super::request::Request;

/// An evaluator and where it runs.
pub enum Engine<R: CpuReal + GpuReal> {
    /// On the CPU.
    Cpu {
        /// The evaluator.
        evaluator: CpuEvaluator<R>,
        /// Threads of the pool.
        threads: usize,
        /// Whether the program was free to take a GPU.
        auto: bool,
    },
    /// On a GPU or software adapter.
    Gpu {
        /// The evaluator.
        evaluator: GpuEvaluator<R>,
        /// What it took to open the device and to build the kernels.
        build: Duration,
    },
}

impl<R: CpuReal + GpuReal> Engine<R> {
    /// The engine for what is asked. Only `auto` gives the CPU where a GPU can't be had, and the report says so.
    pub fn new(
        choice: &DeviceChoice,
        pool: &ThreadPool,
        network: &Network<R>,
        request: &Request,
    ) -> Result<Self, CommandError> {
        let start = Instant::now();
        let auto = *choice == DeviceChoice::Auto;
        let gpu = |device: GpuDevice| {
            let evaluator = GpuEvaluator::new(&device, network, request.derivatives, &request.operators)?;
            Ok::<_, CommandError>(Self::Gpu { evaluator, build: start.elapsed() })
        };
        match choice.open().map_err(CommandError::from).and_then(|device| device.map(gpu).transpose()) {
            Ok(Some(engine)) => return Ok(engine),
            Err(error) if !auto => return Err(error),
            Err(error) => report::notice(format_args!("the GPU is not taken: {error}")),
            Ok(None) => {}
        }
        let evaluator = pool.install(|| CpuEvaluator::new(network, request.derivatives, &request.operators))?;
        Ok(Self::Cpu { evaluator, threads: pool.current_num_threads(), auto })
    }

    /// The evaluator.
    pub fn evaluator(&self) -> &dyn Evaluator<R> {
        match self {
            Self::Cpu { evaluator, .. } => evaluator,
            Self::Gpu { evaluator, .. } => evaluator,
        }
    }

    /// Points between two looks at the progress. A GPU is idle at each look.
    pub fn slab(&self) -> usize {
        match self {
            Self::Cpu { .. } => 1 << 14,
            Self::Gpu { .. } => 1 << 22,
        }
    }

    /// Where it runs, in words.
    pub fn place(&self) -> String {
        match self {
            Self::Cpu { threads, auto, .. } => {
                let chosen = if *auto { " of the CPU (no GPU found)" } else { "" };
                format!("{}{chosen}", report::counted(*threads, "thread"))
            }
            Self::Gpu { evaluator, .. } => {
                let info = evaluator.device().info();
                format!("{} ({})", info.name, info.kind)
            }
        }
    }

    /// After the first evaluation on a GPU, from the opening of the device to the first result.
    pub fn start(&self) -> Option<Duration> {
        match self {
            Self::Cpu { .. } => None,
            Self::Gpu { evaluator, build } => Some(*build + evaluator.times().first),
        }
    }

    /// What is carried and what it costs, line by line.
    pub fn explain(&self, names: &Names) -> Vec<String> {
        let (plan, cost, place) = match self {
            Self::Cpu { evaluator, .. } => {
                let (carried, back) = evaluator.sweeps();
                let place = format!("{carried} channels forward, {back} back, on {}", evaluator.instruction_set());
                (evaluator.plan(), evaluator.operations_per_point(), place)
            }
            Self::Gpu { evaluator, .. } => (evaluator.plan(), evaluator.operations_per_point(), evaluator.explain()),
        };
        vec![
            format!("channels  {}: {}", plan.channels(), plan.explain(names)),
            format!("cost      {} multiplications and additions for each point: {place}", report::count(cost)),
        ]
    }
}
