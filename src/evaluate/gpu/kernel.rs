//! A network as kernels: in one dispatch where it fits, else layer by layer.

use super::device::GpuDevice;
use super::error::GpuError;
use super::flight::BLOCK;
use super::fused::Fused;
use super::layered::Layered;
use super::readout::Record;
use super::real::ShaderReal;
use super::shape::{Limits, Shape, Tile};
use crate::network::Network;

/// A network on a device.
pub(super) struct Kernel {
    path: Path,
    inputs: usize,
    results: usize,
    number_bytes: usize,
    operations: usize,
}

enum Path {
    Fused(Fused),
    Layered(Layered),
}

/// The buffers of one chunk of points.
pub(super) struct KernelBuffers {
    pub points: wgpu::Buffer,
    pub calls: wgpu::Buffer,
    pub results: wgpu::Buffer,
    /// Rows of a layer before and after it, on the path layer by layer.
    pub rows: Vec<wgpu::Buffer>,
    pub groups: Vec<wgpu::BindGroup>,
}

impl KernelBuffers {
    pub fn bytes(&self) -> u64 {
        let single = [&self.points, &self.calls, &self.results];
        single.into_iter().chain(&self.rows).map(wgpu::Buffer::size).sum()
    }
}

impl Kernel {
    pub fn new<R: ShaderReal>(
        device: &GpuDevice,
        network: &Network<R>,
        shape: &Shape,
        record: &Record,
        layered: bool,
    ) -> Result<Self, GpuError> {
        let limits =
            Limits { memory: device.info().workgroup_memory as usize, threads: device.info().workgroup_threads as usize };
        let tile = if layered { None } else { Tile::choose(shape, size_of::<R>(), limits) };
        let path = match tile {
            Some(tile) => Path::Fused(Fused::new(device, network, shape, tile, record)?),
            None => Path::Layered(Layered::new(device, network, shape, record)?),
        };
        Ok(Self {
            path,
            inputs: shape.inputs(),
            results: shape.results,
            number_bytes: size_of::<R>(),
            operations: shape.operations(),
        })
    }

    /// The tile of the kernel; `None` on the path layer by layer.
    pub fn tile(&self) -> Option<Tile> {
        match &self.path {
            Path::Fused(fused) => Some(fused.tile),
            Path::Layered(_) => None,
        }
    }

    pub fn inputs(&self) -> usize {
        self.inputs
    }

    /// Multiplications and additions for each point.
    pub fn operations(&self) -> usize {
        self.operations
    }

    /// Bytes of the results of so many points.
    pub fn result_bytes(&self, points: usize) -> u64 {
        (points * self.results * self.number_bytes) as u64
    }

    /// Numbers of the largest buffers for each point.
    fn numbers_per_point(&self) -> usize {
        let rows = match &self.path {
            Path::Fused(_) => 0,
            Path::Layered(layered) => layered.row_numbers,
        };
        rows.max(self.results).max(self.inputs)
    }

    /// The most points of a chunk: what the adapter lets a kernel see at once, and no more than so many bytes.
    pub fn most_points(&self, device: &GpuDevice, bytes: usize) -> Result<usize, GpuError> {
        let info = device.info();
        let limit = info.largest_binding.min(info.largest_buffer);
        let needed = self.numbers_per_point() * self.number_bytes;
        let points = bytes.max(needed).min(usize::try_from(limit).unwrap_or(usize::MAX)) / needed;
        match points {
            0 => Err(GpuError::Limit { adapter: device.name(), what: "one point", needed: needed as u64, limit }),
            1..BLOCK => Ok(points),
            _ => Ok(points / BLOCK * BLOCK),
        }
    }

    /// Buffers for a chunk of so many points.
    pub fn buffers(&self, device: &GpuDevice, points: usize) -> Result<KernelBuffers, GpuError> {
        let coordinates = (points * self.inputs * self.number_bytes) as u64;
        let results = self.result_bytes(points);
        match &self.path {
            Path::Fused(fused) => fused.buffers(device, coordinates, results),
            Path::Layered(layered) => {
                layered.buffers(device, coordinates, results, (points * layered.row_numbers * self.number_bytes) as u64)
            }
        }
    }

    /// Hands the points to the device, to be there when the next work is submitted.
    pub fn upload<R: ShaderReal>(&self, device: &GpuDevice, buffers: &KernelBuffers, points: &[R]) {
        let count = points.len() / self.inputs;
        device.queue().write_buffer(&buffers.points, 0, bytemuck::cast_slice(points));
        let calls = match &self.path {
            Path::Fused(fused) => fused.calls(count),
            Path::Layered(layered) => layered.calls(count),
        };
        device.queue().write_buffer(&buffers.calls, 0, bytemuck::cast_slice(&calls));
    }

    /// Records the work for the points that were uploaded.
    pub fn encode(&self, encoder: &mut wgpu::CommandEncoder, buffers: &KernelBuffers, count: usize) {
        let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
        match &self.path {
            Path::Fused(fused) => fused.encode(&mut pass, buffers, count),
            Path::Layered(layered) => layered.encode(&mut pass, buffers, count),
        }
    }
}
