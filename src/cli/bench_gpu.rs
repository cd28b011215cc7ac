//! The figures of `tapeless bench` on a GPU.

use std::time::Duration;

use rayon::ThreadPool;
use serde_json::{Value, json};
use tapeless::evaluate::gpu::{GpuEvaluator, GpuReal, GpuTimes};

use super::report;

/// What was measured beside the time of each run.
#[derive(Default)]
pub struct GpuFigures {
    /// The first run, in which the driver may still compile.
    pub first: GpuTimes,
    /// The others.
    pub runs: Vec<GpuTimes>,
}

impl GpuFigures {
    /// The median of a time of the runs, in seconds.
    fn median(&self, time: impl Fn(&GpuTimes) -> Option<Duration>) -> Option<f64> {
        let mut seconds: Vec<f64> = self.runs.iter().filter_map(time).map(|time| time.as_secs_f64()).collect();
        seconds.sort_by(f64::total_cmp);
        seconds.get(seconds.len() / 2).copied()
    }

    /// Prints the device and its times, and gives the figures for the JSON object.
    pub fn report<R: GpuReal>(
        &self,
        evaluator: &GpuEvaluator<R>,
        build: Duration,
        peak: f64,
        batch: usize,
        pool: &ThreadPool,
    ) -> Value {
        let info = evaluator.device().info();
        let per_second = |amount: f64, seconds: Option<f64>| seconds.filter(|seconds| *seconds > 0.0).map(|s| amount / s);
        let kernel = self.median(|times| times.kernel);
        let copy = self.median(|times| times.copy);
        let unpack = self.median(|times| Some(times.unpack));
        let bytes = self.first.bytes as f64;
        let operations = batch as f64 * evaluator.operations_per_point() as f64;
        let kernel_gflops = per_second(operations / 1e9, kernel);
        // The copy within reach of the host, and the host's reading of it.
        let read_back = per_second(bytes, copy.map_or(unpack, |copy| unpack.map(|unpack| copy + unpack)));
        let first = build + self.first.first;
        report::line(format_args!("device    {} ({}), {}, {}", info.name, info.kind, info.driver, info.backend));
        report::line(format_args!("kernel    {}", evaluator.explain()));
        match (kernel, kernel_gflops) {
            (Some(seconds), Some(gflops)) => report::line(format_args!(
                "on device {:.3} ms in kernels: {} points/s, {gflops:.1} GFLOP/s in matrix products, {:.0} % of the peak",
                1e3 * seconds,
                report::count((batch as f64 / seconds) as usize),
                100.0 * gflops / peak,
            )),
            _ => report::line(
                "on device times of kernels are not measured: the adapter has no clock, or there are no points",
            ),
        }
        if let Some(rate) = read_back {
            report::line(format_args!(
                "read-back {} in {} at {}/s, into rows on {}",
                report::bytes(self.first.bytes),
                report::counted(self.first.chunks, "chunk"),
                report::bytes(rate as u64),
                report::counted(pool.current_num_threads(), "thread"),
            ));
        }
        report::line(format_args!(
            "start     {:.3} s to the first result, {:.3} s of it to open the device and build the kernels",
            first.as_secs_f64(),
            build.as_secs_f64(),
        ));
        json!({
            "device": info.name,
            "device_kind": info.kind.to_string(),
            "device_backend": info.backend,
            "device_driver": info.driver,
            "kernel_seconds": kernel,
            "kernel_points_per_second": per_second(batch as f64, kernel),
            "kernel_gflops": kernel_gflops,
            "read_back_bytes": self.first.bytes,
            "read_back_bytes_per_second": read_back,
            "chunks": self.first.chunks,
            "build_seconds": build.as_secs_f64(),
            "first_result_seconds": first.as_secs_f64(),
        })
    }
}
