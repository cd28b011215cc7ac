//! How many multiply-adds a device can do.

use std::time::{Duration, Instant};

use super::binding::{self, Access};
use super::device::GpuDevice;
use super::error::GpuError;
use super::real::ShaderReal;

const TEMPLATE: &str = include_str!("../../../shaders/peak.wgsl");

/// Threads of a workgroup, and rounds of each.
const THREADS: usize = 256;
const ROUNDS: usize = 4096;

/// Operations of a round: eight vectors of four, a multiplication and an addition each.
const OPERATIONS_PER_ROUND: usize = 8 * 4 * 2;

/// The most workgroups of a dispatch.
const MOST_GROUPS: usize = 1 << 14;

/// Long beside what a dispatch costs.
const LONG: Duration = Duration::from_millis(30);

/// Bytes of the call's number.
const CALL_BYTES: u64 = 16;

/// The most floating-point operations per second: multiply-adds from registers to registers, the best of several dispatches.
pub(super) fn fma_peak<R: ShaderReal>(device: &GpuDevice) -> Result<f64, GpuError> {
    use wgpu::BufferUsages as Usages;
    let bytes = (MOST_GROUPS * THREADS * size_of::<R>()) as u64;
    let (pipeline_layout, group) = device.guarded(bytes, || {
        let layout = binding::layout(device, &[Access::Uniform, Access::Write], CALL_BYTES);
        let pipeline_layout = binding::pipeline_layout(device, &layout);
        let call = binding::buffer(device, "call", CALL_BYTES, Usages::UNIFORM | Usages::COPY_DST);
        let results = binding::buffer(device, "results", bytes, Usages::STORAGE);
        let group = binding::group(device, &layout, &call, CALL_BYTES, &[&results]);
        (pipeline_layout, group)
    })?;
    let pipeline = device.pipeline(&text::<R>(), "peak", &pipeline_layout)?;
    let run = |groups: usize| -> Result<Duration, GpuError> {
        let mut encoder = device.device().create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        {
            let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
            pass.set_pipeline(&pipeline);
            pass.set_bind_group(0, &group, &[0]);
            pass.dispatch_workgroups(groups as u32, 1, 1);
        }
        let start = Instant::now();
        let submission = device.queue().submit([encoder.finish()]);
        device.wait(&submission)?;
        Ok(start.elapsed())
    };
    let mut groups = 1;
    // The first run is the driver's to compile.
    run(groups)?;
    while groups < MOST_GROUPS && run(groups)? < LONG {
        groups *= 2;
    }
    let operations = (groups * THREADS * ROUNDS * OPERATIONS_PER_ROUND) as f64;
    let mut best = 0.0_f64;
    for _ in 0..3 {
        best = best.max(operations / run(groups)?.as_secs_f64().max(1e-9));
    }
    Ok(best)
}

/// The text of the kernel.
pub(super) fn text<R: ShaderReal>() -> String {
    let name = if R::DOUBLE { "f64" } else { "f32" };
    format!("alias real = {name};\nconst THREADS = {THREADS}u;\nconst ROUNDS = {ROUNDS}u;\n{TEMPLATE}")
}
