//! Sums of squares over the points, made on the device.

use super::binding::{self, Access};
use super::device::GpuDevice;
use super::error::GpuError;
use super::flight::BLOCK;
use super::readout::Record;
use super::real::ShaderReal;

const TEMPLATE: &str = include_str!("../../../shaders/network_reduce.wgsl");

/// Bytes of the numbers of a call.
const CALL_BYTES: u64 = 16;

/// The kernel that squares and sums the operators of each block of points.
pub(super) struct Reducer {
    pipeline: wgpu::ComputePipeline,
    layout: wgpu::BindGroupLayout,
    operators: usize,
    number_bytes: usize,
}

/// The buffers of one chunk.
pub(super) struct ReducerBuffers {
    calls: wgpu::Buffer,
    pub sums: wgpu::Buffer,
    group: wgpu::BindGroup,
}

impl Reducer {
    pub fn new<R: ShaderReal>(device: &GpuDevice, record: &Record, operators: usize) -> Result<Self, GpuError> {
        let (layout, pipeline_layout) = device.guarded(0, || {
            let layout = binding::layout(device, &[Access::Uniform, Access::Read, Access::Write], CALL_BYTES);
            let pipeline_layout = binding::pipeline_layout(device, &layout);
            (layout, pipeline_layout)
        })?;
        let pipeline = device.pipeline(&text::<R>(record.width(), operators), "square_sums", &pipeline_layout)?;
        Ok(Self { pipeline, layout, operators, number_bytes: size_of::<R>() })
    }

    /// Bytes of the sums of so many points.
    pub fn sum_bytes(&self, points: usize) -> u64 {
        (points.div_ceil(BLOCK) * self.operators * self.number_bytes) as u64
    }

    /// Buffers for the results of so many points.
    pub fn buffers(&self, device: &GpuDevice, results: &wgpu::Buffer, points: usize) -> Result<ReducerBuffers, GpuError> {
        use wgpu::BufferUsages as Usages;
        let bytes = self.sum_bytes(points);
        device.guarded(bytes, || {
            let calls = binding::buffer(device, "call", CALL_BYTES, Usages::UNIFORM | Usages::COPY_DST);
            let sums = binding::buffer(device, "sums", bytes, Usages::STORAGE | Usages::COPY_SRC);
            let group = binding::group(device, &self.layout, &calls, CALL_BYTES, &[results, &sums]);
            ReducerBuffers { calls, sums, group }
        })
    }

    /// Records the sums of the results of so many points.
    pub fn encode(&self, device: &GpuDevice, encoder: &mut wgpu::CommandEncoder, buffers: &ReducerBuffers, points: usize) {
        let (row, rows) = binding::dispatch(points.div_ceil(BLOCK));
        device.queue().write_buffer(&buffers.calls, 0, bytemuck::cast_slice(&[points as u32, row, 0, 0]));
        let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
        pass.set_pipeline(&self.pipeline);
        pass.set_bind_group(0, &buffers.group, &[0]);
        pass.dispatch_workgroups(row, rows, 1);
    }

    /// Adds the sums of blocks to the totals, block by block.
    pub fn add<R: ShaderReal>(&self, sums: &[R], totals: &mut [f64]) {
        for block in sums.chunks_exact(self.operators) {
            for (total, &sum) in totals.iter_mut().zip(block) {
                *total += num_traits::AsPrimitive::<f64>::as_(sum);
            }
        }
    }
}

/// The text of the kernel for records of so many numbers, the operators at their end.
pub(super) fn text<R: ShaderReal>(width: usize, operators: usize) -> String {
    let name = if R::DOUBLE { "f64" } else { "f32" };
    let first = width - operators;
    format!(
        "alias real = {name};\nconst RESULTS = {width}u;\nconst FIRST = {first}u;\nconst COLUMNS = {operators}u;\nconst BLOCK = \
         {BLOCK}u;\n{TEMPLATE}"
    )
}
