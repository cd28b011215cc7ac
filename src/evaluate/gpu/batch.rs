//! Results that stay on the device.

use std::marker::PhantomData;
use std::ops::Range;
use std::sync::{Arc, mpsc};

use super::device::GpuDevice;
use super::error::GpuError;
use super::flight::BLOCK;
use super::readout::Record;
use super::real::GpuReal;
use super::reduce::Reducer;
use crate::evaluate::{Batch, EvaluateError};

/// The results of a batch of points in the memory of a GPU, from
/// [`GpuEvaluator::evaluate_on_device`](super::GpuEvaluator::evaluate_on_device).
pub struct GpuBatch<R: GpuReal> {
    device: GpuDevice,
    record: Arc<Record>,
    reducer: Option<Arc<Reducer>>,
    /// As many points in each as a kernel may see at once, fewer in the last.
    parts: Vec<wgpu::Buffer>,
    points_of_a_part: usize,
    points: usize,
    inputs: usize,
    outputs: usize,
    operators: usize,
    number: PhantomData<R>,
}

/// Bytes that come down at a time.
const READ_BYTES: usize = 64 << 20;

impl<R: GpuReal> GpuBatch<R> {
    pub(super) fn new(
        device: &GpuDevice,
        record: Arc<Record>,
        reducer: Option<Arc<Reducer>>,
        [points, inputs, outputs, operators]: [usize; 4],
    ) -> Result<Self, GpuError> {
        let row = record.width() * size_of::<R>();
        let limit = device.info().largest_binding.min(device.info().largest_buffer);
        let most = usize::try_from(limit).unwrap_or(usize::MAX) / row.max(1);
        let points_of_a_part = (most / BLOCK * BLOCK).max(BLOCK);
        let parts = (0..if row == 0 { 0 } else { points }).step_by(points_of_a_part).map(|start| {
            let size = (points_of_a_part.min(points - start) * row) as u64;
            device.guarded(size, || {
                let usage = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::COPY_SRC;
                let descriptor = wgpu::BufferDescriptor { label: Some("kept"), size, usage, mapped_at_creation: false };
                device.device().create_buffer(&descriptor)
            })
        });
        let parts = parts.collect::<Result<_, _>>()?;
        let device = device.clone();
        let number = PhantomData;
        Ok(Self { device, record, reducer, parts, points_of_a_part, points, inputs, outputs, operators, number })
    }

    pub(super) fn parts(&self) -> &[wgpu::Buffer] {
        &self.parts
    }

    pub(super) fn points_of_a_part(&self) -> usize {
        self.points_of_a_part
    }

    /// Number of points.
    pub fn points(&self) -> usize {
        self.points
    }

    /// Bytes of memory on the device.
    pub fn bytes(&self) -> u64 {
        self.parts.iter().map(wgpu::Buffer::size).sum()
    }

    /// The mean over the points of the square of each operator, as
    /// [`GpuEvaluator::mean_square`](super::GpuEvaluator::mean_square) gives it.
    ///
    /// # Errors
    ///
    /// [`GpuError`] where the device fails.
    pub fn mean_square(&self) -> Result<Vec<f64>, GpuError> {
        let mut totals = vec![0.0; self.operators];
        if let Some(reducer) = &self.reducer {
            for (number, part) in self.parts.iter().enumerate() {
                let points = self.points_of_a_part.min(self.points - number * self.points_of_a_part);
                let buffers = reducer.buffers(&self.device, part, points)?;
                let mut encoder = self.device.device().create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
                reducer.encode(&self.device, &mut encoder, &buffers, points);
                let bytes = reducer.sum_bytes(points);
                self.down(encoder, &buffers.sums, 0, bytes, |sums| reducer.add(sums, &mut totals))?;
            }
        }
        Ok(totals.into_iter().map(|total| total / self.points as f64).collect())
    }

    /// The results of some of the points, or all of `0..points()`; cut to the points that there are.
    ///
    /// # Errors
    ///
    /// [`EvaluateError::OutOfMemory`] where the results do not fit into the host's memory, [`EvaluateError::Gpu`] where the device
    /// fails.
    pub fn read(&self, points: Range<usize>) -> Result<Batch<R>, EvaluateError> {
        let end = points.end.min(self.points);
        let first = points.start.min(end);
        let mut batch = Batch::new();
        batch.resize(end - first, self.inputs, self.outputs, self.record.derivatives(), self.operators)?;
        let row = self.record.width() * size_of::<R>();
        let mut start = first;
        while start < end && row > 0 {
            let (number, offset) = (start / self.points_of_a_part, start % self.points_of_a_part);
            let count = (end - start).min(self.points_of_a_part - offset).min((READ_BYTES / row).max(1));
            let encoder = self.device.device().create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
            let rows = batch.rows_between(start - first, start - first + count);
            let Some(part) = self.parts.get(number) else { break };
            let mut rows = Some(rows);
            self.down(encoder, part, (offset * row) as u64, (count * row) as u64, |numbers| {
                if let Some(rows) = rows.take() {
                    self.record.unpack(numbers, rows);
                }
            })?;
            start += count;
        }
        Ok(batch)
    }

    /// Does the recorded work, then brings a part of a buffer down.
    fn down(
        &self,
        mut encoder: wgpu::CommandEncoder,
        buffer: &wgpu::Buffer,
        offset: u64,
        bytes: u64,
        take: impl FnOnce(&[R]),
    ) -> Result<(), GpuError> {
        let device = &self.device;
        let refused = |reason: String| GpuError::Refused { adapter: device.name(), reason };
        let staging = device.guarded(bytes, || {
            device.device().create_buffer(&wgpu::BufferDescriptor {
                label: Some("staging"),
                size: bytes,
                usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
                mapped_at_creation: false,
            })
        })?;
        encoder.copy_buffer_to_buffer(buffer, offset, &staging, 0, bytes);
        let (sender, receiver) = mpsc::channel();
        encoder.map_buffer_on_submit(&staging, wgpu::MapMode::Read, 0..bytes, move |result| {
            let _ = sender.send(result);
        });
        let submission = device.queue().submit([encoder.finish()]);
        device.wait(&submission)?;
        device.mapped(&receiver)?;
        let view = staging.get_mapped_range(0..bytes).map_err(|error| refused(error.to_string()))?;
        take(bytemuck::try_cast_slice(&view).map_err(|error| refused(error.to_string()))?);
        Ok(())
    }
}
