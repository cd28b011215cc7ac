//! Buffers and how kernels see them.

use super::device::GpuDevice;
use super::error::GpuError;

/// What a kernel does with a buffer.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Access {
    /// Reads a few numbers, the same for all threads; those at one of several places.
    Uniform,
    Read,
    Write,
}

/// Bytes from one place of a uniform buffer to the next; enough for every adapter.
pub(super) const UNIFORM_STRIDE: u64 = 256;

/// The bindings of a kernel, numbered in order.
pub(super) fn layout(device: &GpuDevice, accesses: &[Access], uniform_bytes: u64) -> wgpu::BindGroupLayout {
    let entry = |(binding, &access): (usize, &Access)| wgpu::BindGroupLayoutEntry {
        binding: binding as u32,
        visibility: wgpu::ShaderStages::COMPUTE,
        ty: wgpu::BindingType::Buffer {
            ty: match access {
                Access::Uniform => wgpu::BufferBindingType::Uniform,
                Access::Read => wgpu::BufferBindingType::Storage { read_only: true },
                Access::Write => wgpu::BufferBindingType::Storage { read_only: false },
            },
            has_dynamic_offset: access == Access::Uniform,
            min_binding_size: if access == Access::Uniform { uniform_bytes.try_into().ok() } else { None },
        },
        count: None,
    };
    let entries: Vec<_> = accesses.iter().enumerate().map(entry).collect();
    device.device().create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor { label: None, entries: &entries })
}

pub(super) fn pipeline_layout(device: &GpuDevice, layout: &wgpu::BindGroupLayout) -> wgpu::PipelineLayout {
    device.device().create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
        label: None,
        bind_group_layouts: &[Some(layout)],
        immediate_size: 0,
    })
}

/// Binds a uniform buffer and then storage buffers, in order.
pub(super) fn group(
    device: &GpuDevice,
    layout: &wgpu::BindGroupLayout,
    uniform: &wgpu::Buffer,
    uniform_bytes: u64,
    storage: &[&wgpu::Buffer],
) -> wgpu::BindGroup {
    let first = wgpu::BindingResource::Buffer(wgpu::BufferBinding {
        buffer: uniform,
        offset: 0,
        size: uniform_bytes.try_into().ok(),
    });
    let resources = std::iter::once(first).chain(storage.iter().map(|buffer| buffer.as_entire_binding()));
    let entries: Vec<_> = resources
        .enumerate()
        .map(|(binding, resource)| wgpu::BindGroupEntry { binding: binding as u32, resource })
        .collect();
    device.device().create_bind_group(&wgpu::BindGroupDescriptor { label: None, layout, entries: &entries })
}

/// A buffer on the device. To be called where errors are guarded.
pub(super) fn buffer(device: &GpuDevice, label: &str, size: u64, usage: wgpu::BufferUsages) -> wgpu::Buffer {
    device.device().create_buffer(&wgpu::BufferDescriptor { label: Some(label), size, usage, mapped_at_creation: false })
}

/// A buffer that a kernel reads these numbers from.
pub(super) fn filled<T: bytemuck::Pod>(
    device: &GpuDevice,
    label: &'static str,
    numbers: &[T],
) -> Result<wgpu::Buffer, GpuError> {
    let size = size_of_val(numbers) as u64;
    let limit = device.info().largest_binding.min(device.info().largest_buffer);
    if size > limit {
        return Err(GpuError::Limit { adapter: device.name(), what: label, needed: size, limit });
    }
    device.guarded(size, || {
        let usage = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_DST;
        let buffer = buffer(device, label, size, usage);
        device.queue().write_buffer(&buffer, 0, bytemuck::cast_slice(numbers));
        buffer
    })
}

/// So many workgroups as a dispatch of two dimensions, about square, since a dimension is limited: (in a row, rows).
pub(super) fn dispatch(groups: usize) -> (u32, u32) {
    const LONGEST_ROW: usize = 65_535;
    if groups <= LONGEST_ROW {
        return (groups as u32, 1);
    }
    let rows = groups.div_ceil(LONGEST_ROW);
    (groups.div_ceil(rows) as u32, rows as u32)
}
