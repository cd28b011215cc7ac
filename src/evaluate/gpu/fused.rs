//! The path of a network in one dispatch.

use super::binding::{self, Access};
use super::device::GpuDevice;
use super::error::GpuError;
use super::kernel::KernelBuffers;
use super::readout::Record;
use super::real::ShaderReal;
use super::shape::{Shape, Tile};
use super::text;
use crate::network::Network;

pub(super) struct Fused {
    pub tile: Tile,
    pipeline: wgpu::ComputePipeline,
    layout: wgpu::BindGroupLayout,
    parameters: wgpu::Buffer,
    readout: wgpu::Buffer,
}

/// Bytes of the call's numbers.
const CALL_BYTES: u64 = 16;

impl Fused {
    pub fn new<R: ShaderReal>(
        device: &GpuDevice,
        network: &Network<R>,
        shape: &Shape,
        tile: Tile,
        record: &Record,
    ) -> Result<Self, GpuError> {
        let accesses = [Access::Uniform, Access::Read, Access::Read, Access::Read, Access::Write];
        let (layout, pipeline_layout) = device.guarded(0, || {
            let layout = binding::layout(device, &accesses, CALL_BYTES);
            let pipeline_layout = binding::pipeline_layout(device, &layout);
            (layout, pipeline_layout)
        })?;
        let pipeline = device.pipeline(&text::text::<R>(shape, &tile), "fused", &pipeline_layout)?;
        let numbers = text::parameters(network, shape, &tile, record.factors());
        let parameters = binding::filled(device, "the weights", &numbers)?;
        let readout = binding::filled(device, "the list of results", &record.table(shape.channels()))?;
        Ok(Self { tile, pipeline, layout, parameters, readout })
    }

    pub fn buffers(&self, device: &GpuDevice, coordinates: u64, results: u64) -> Result<KernelBuffers, GpuError> {
        device.guarded(coordinates + results, || {
            use wgpu::BufferUsages as Usages;
            let points = binding::buffer(device, "points", coordinates, Usages::STORAGE | Usages::COPY_DST);
            let results = binding::buffer(device, "results", results, Usages::STORAGE | Usages::COPY_SRC);
            let calls = binding::buffer(device, "call", CALL_BYTES, Usages::UNIFORM | Usages::COPY_DST);
            let storage = [&points, &self.parameters, &self.readout, &results];
            let group = binding::group(device, &self.layout, &calls, CALL_BYTES, &storage);
            KernelBuffers { points, calls, results, rows: Vec::new(), groups: vec![group] }
        })
    }

    fn dispatch(&self, count: usize) -> (u32, u32) {
        binding::dispatch(count.div_ceil(self.tile.tile()))
    }

    /// The numbers of `Call`.
    pub fn calls(&self, count: usize) -> Vec<u32> {
        vec![0, count as u32, self.dispatch(count).0, 0]
    }

    pub fn encode(&self, pass: &mut wgpu::ComputePass<'_>, buffers: &KernelBuffers, count: usize) {
        let (row, rows) = self.dispatch(count);
        pass.set_pipeline(&self.pipeline);
        for group in &buffers.groups {
            pass.set_bind_group(0, group, &[0]);
        }
        pass.dispatch_workgroups(row, rows, 1);
    }
}
