//! Chunks of a batch on their way: points up, kernel, results down, several at a time.

use std::collections::VecDeque;
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use super::device::{GpuDevice, Mapped};
use super::error::GpuError;
use super::kernel::{Kernel, KernelBuffers};
use super::real::ShaderReal;
use super::reduce::{Reducer, ReducerBuffers};

/// Chunks that are under way at a time: one goes up, one is computed, one comes down.
const SLOTS: usize = 3;

/// Points of a chunk are a multiple of this, so that sums over blocks of so many points do not depend on the chunks.
pub(super) const BLOCK: usize = 256;

/// Bytes that the largest buffer of a chunk may take.
const CHUNK_BYTES: usize = 64 << 20;

/// Operations of the first chunk. Its time tells how large the next ones may be.
const FIRST_OPERATIONS: usize = 4_000_000_000;

/// A chunk should take longer than this, or overhead shows, ..
const SHORT: Duration = Duration::from_millis(10);

/// .. and less than this: a screen should not freeze, and some systems reset a device after two seconds.
const LONG: Duration = Duration::from_millis(100);

/// What the last evaluation took.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct GpuTimes {
    /// Kernels alone, measured on the device; `None` where the adapter can't.
    pub kernel: Option<Duration>,
    /// From the call to the rows of the first chunk: at the first call, most of what the driver needs to compile.
    pub first: Duration,
    /// Copies of results within reach of the host, measured on the device; `None` where the adapter can't.
    pub copy: Option<Duration>,
    /// The host's reading of the results into the rows of the batch.
    pub unpack: Duration,
    /// Bytes that came back.
    pub bytes: u64,
    /// Chunks that the batch was cut into.
    pub chunks: usize,
}

/// What becomes of the results of the chunks.
pub(super) enum Sink<'a, R> {
    /// They come down and are taken in order.
    Rows(&'a mut dyn FnMut(&[R])),
    /// Their squares are summed up.
    SquareSums(&'a Reducer, &'a mut [f64]),
    /// They stay on the device, so many points in each buffer.
    Keep(&'a [wgpu::Buffer], usize),
}

impl<R: ShaderReal> Sink<'_, R> {
    /// Bytes that come down for so many points.
    fn bytes(&self, kernel: &Kernel, points: usize) -> u64 {
        match self {
            Self::Rows(_) => kernel.result_bytes(points),
            Self::SquareSums(reducer, _) => reducer.sum_bytes(points),
            Self::Keep(..) => 0,
        }
    }

    /// Takes what came down.
    fn take(&mut self, numbers: &[R]) {
        match self {
            Self::Rows(take) => take(numbers),
            Self::SquareSums(reducer, totals) => reducer.add(numbers, totals),
            Self::Keep(..) => {}
        }
    }

    /// Where a chunk from `start` to `end` has to stop.
    fn cut(&self, start: usize, end: usize) -> usize {
        match self {
            Self::Keep(_, points) => end.min(start - start % points + points),
            Self::Rows(_) | Self::SquareSums(..) => end,
        }
    }
}

/// Buffers of one chunk.
struct Slot {
    kernel: KernelBuffers,
    /// Made when sums are first asked for.
    reducer: Option<ReducerBuffers>,
    staging: wgpu::Buffer,
    clock: Option<Clock>,
}

/// Time stamps of a chunk: before the kernel, after it, after the copy.
struct Clock {
    queries: wgpu::QuerySet,
    resolved: wgpu::Buffer,
    staging: wgpu::Buffer,
}

const STAMPS: u32 = 3;
const STAMP_BYTES: u64 = 8 * STAMPS as u64;

/// The buffers of an evaluator, made at the first call and used again; larger ones take their place when a call needs them.
#[derive(Default)]
pub(super) struct Flight {
    slots: Vec<Slot>,
    /// Points that a slot has room for.
    capacity: usize,
    /// Points of a chunk that takes a reasonable time; 0 before the first one.
    pace: usize,
}

/// A chunk under way.
struct Chunk {
    slot: usize,
    points: usize,
    /// That come down.
    bytes: u64,
    submission: wgpu::SubmissionIndex,
    /// Told when the buffers of the chunk can be read.
    mapped: Vec<Receiver<Mapped>>,
}

impl Flight {
    /// Bytes on the device.
    pub fn bytes(&self) -> u64 {
        self.slots.iter().map(|slot| slot.kernel.bytes() + slot.staging.size()).sum()
    }

    /// Runs the kernel over the points.
    pub fn run<R: ShaderReal>(
        &mut self,
        device: &GpuDevice,
        kernel: &Kernel,
        points: &[R],
        mut sink: Sink<'_, R>,
    ) -> Result<GpuTimes, GpuError> {
        let mut times = GpuTimes::default();
        let count = points.len() / kernel.inputs();
        self.prepare(device, kernel, count)?;
        if let Sink::SquareSums(reducer, _) = &sink {
            for slot in self.slots.iter_mut().filter(|slot| slot.reducer.is_none()) {
                slot.reducer = Some(reducer.buffers(device, &slot.kernel.results, self.capacity)?);
            }
        }
        let stamped = self.slots.iter().all(|slot| slot.clock.is_some());
        if stamped {
            (times.kernel, times.copy) = (Some(Duration::ZERO), Some(Duration::ZERO));
        }
        let mut flying = VecDeque::with_capacity(SLOTS);
        let mut start = 0;
        let mut launched = 0;
        let mut landed_at = Instant::now();
        let called_at = Instant::now();
        let result = loop {
            if start < count && flying.len() < self.slots.len() {
                let end = sink.cut(start, count.min(start + self.pace));
                let slot = launched % self.slots.len();
                let coordinates = &points[start * kernel.inputs()..end * kernel.inputs()];
                match self.launch(device, kernel, slot, start, coordinates, &sink) {
                    Ok(chunk) => flying.push_back(chunk),
                    Err(error) => break Err(error),
                }
                (start, launched) = (end, launched + 1);
                continue;
            }
            let Some(chunk) = flying.pop_front() else { break Ok(()) };
            if let Err(error) = self.land(device, &chunk, &mut times, &mut sink) {
                break Err(error);
            }
            if times.first.is_zero() {
                times.first = called_at.elapsed();
            }
            self.adapt(chunk.points, landed_at.elapsed());
            landed_at = Instant::now();
        };
        if result.is_err() {
            // Buffers of chunks that never landed may still be mapped.
            *self = Self::default();
        }
        times.chunks = launched;
        result.map(|()| times)
    }

    /// Makes the buffers for so many points, or for as many of them as one chunk may have.
    fn prepare(&mut self, device: &GpuDevice, kernel: &Kernel, count: usize) -> Result<(), GpuError> {
        let most = kernel.most_points(device, CHUNK_BYTES)?;
        if self.pace == 0 {
            let first = FIRST_OPERATIONS / kernel.operations().max(1);
            self.pace = first.clamp(1, most).next_multiple_of(BLOCK);
        }
        let needed = count.checked_next_power_of_two().unwrap_or(most).clamp(1, most);
        if needed > self.capacity {
            let mut capacity = needed;
            self.slots.clear();
            loop {
                match (0..SLOTS).map(|_| Slot::new(device, kernel, capacity)).collect::<Result<_, _>>() {
                    Ok(slots) => {
                        self.slots = slots;
                        break;
                    }
                    // Half as much may be had.
                    Err(GpuError::OutOfMemory { .. }) if capacity > BLOCK => capacity /= 2,
                    Err(error) => return Err(error),
                }
            }
            self.capacity = capacity;
        }
        self.pace = self.pace.min(self.capacity);
        Ok(())
    }

    /// Longer chunks where they are short, shorter ones where they are long.
    fn adapt(&mut self, points: usize, took: Duration) {
        if took > LONG {
            self.pace = (points / 2).max(1).next_multiple_of(BLOCK).min(self.capacity);
        } else if took < SHORT && points == self.pace {
            self.pace = (2 * self.pace).min(self.capacity);
        }
    }

    fn launch<R: ShaderReal>(
        &self,
        device: &GpuDevice,
        kernel: &Kernel,
        number: usize,
        start: usize,
        points: &[R],
        sink: &Sink<'_, R>,
    ) -> Result<Chunk, GpuError> {
        let slot = &self.slots[number];
        let count = points.len() / kernel.inputs();
        kernel.upload(device, &slot.kernel, points);
        let mut encoder = device.device().create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        let stamp = |encoder: &mut wgpu::CommandEncoder, index| {
            if let Some(clock) = &slot.clock {
                encoder.write_timestamp(&clock.queries, index);
            }
        };
        stamp(&mut encoder, 0);
        kernel.encode(&mut encoder, &slot.kernel, count);
        stamp(&mut encoder, 1);
        let bytes = sink.bytes(kernel, count);
        match sink {
            Sink::Rows(_) => encoder.copy_buffer_to_buffer(&slot.kernel.results, 0, &slot.staging, 0, bytes),
            Sink::SquareSums(reducer, _) => {
                if let Some(buffers) = &slot.reducer {
                    reducer.encode(device, &mut encoder, buffers, count);
                    encoder.copy_buffer_to_buffer(&buffers.sums, 0, &slot.staging, 0, bytes);
                }
            }
            Sink::Keep(parts, part_points) => {
                if let Some(part) = parts.get(start / part_points) {
                    let (offset, length) = (kernel.result_bytes(start % part_points), kernel.result_bytes(count));
                    encoder.copy_buffer_to_buffer(&slot.kernel.results, 0, part, offset, length);
                }
            }
        }
        stamp(&mut encoder, 2);
        if let Some(clock) = &slot.clock {
            encoder.resolve_query_set(&clock.queries, 0..STAMPS, &clock.resolved, 0);
            encoder.copy_buffer_to_buffer(&clock.resolved, 0, &clock.staging, 0, STAMP_BYTES);
        }
        let mut mapped = Vec::new();
        let mut map = |buffer: &wgpu::Buffer, bytes: u64| {
            let (sender, receiver) = channel();
            encoder.map_buffer_on_submit(buffer, wgpu::MapMode::Read, 0..bytes, move |result| {
                let _ = sender.send(result);
            });
            mapped.push(receiver);
        };
        if bytes > 0 {
            map(&slot.staging, bytes);
        }
        if let Some(clock) = &slot.clock {
            map(&clock.staging, STAMP_BYTES);
        }
        let submission = device.queue().submit([encoder.finish()]);
        device.check(bytes)?;
        Ok(Chunk { slot: number, points: count, bytes, submission, mapped })
    }

    fn land<R: ShaderReal>(
        &self,
        device: &GpuDevice,
        chunk: &Chunk,
        times: &mut GpuTimes,
        sink: &mut Sink<'_, R>,
    ) -> Result<(), GpuError> {
        device.wait(&chunk.submission)?;
        let refused = |reason: String| GpuError::Refused { adapter: device.name(), reason };
        chunk.mapped.iter().try_for_each(|mapped| device.mapped(mapped))?;
        let slot = &self.slots[chunk.slot];
        if chunk.bytes > 0 {
            let started = Instant::now();
            {
                let view = slot.staging.get_mapped_range(0..chunk.bytes).map_err(|error| refused(error.to_string()))?;
                sink.take(bytemuck::try_cast_slice(&view).map_err(|error| refused(error.to_string()))?);
            }
            slot.staging.unmap();
            times.unpack += started.elapsed();
            times.bytes += chunk.bytes;
        }
        if let Some(clock) = &slot.clock {
            let [before, between, after] = clock.read().map_err(refused)?;
            let period = f64::from(device.queue().get_timestamp_period());
            let time = |ticks: u64| Duration::from_nanos((ticks as f64 * period) as u64);
            times.kernel = times.kernel.map(|kernel| kernel + time(between.saturating_sub(before)));
            times.copy = times.copy.map(|copy| copy + time(after.saturating_sub(between)));
        }
        Ok(())
    }
}

impl Slot {
    fn new(device: &GpuDevice, kernel: &Kernel, points: usize) -> Result<Self, GpuError> {
        let buffers = kernel.buffers(device, points)?;
        let bytes = kernel.result_bytes(points);
        let clock = device.info().timestamps;
        device.guarded(bytes, || Self {
            kernel: buffers,
            reducer: None,
            staging: staging(device, bytes),
            clock: clock.then(|| Clock::new(device)),
        })
    }
}

fn staging(device: &GpuDevice, size: u64) -> wgpu::Buffer {
    device.device().create_buffer(&wgpu::BufferDescriptor {
        label: Some("staging"),
        size,
        usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: false,
    })
}

impl Clock {
    fn new(device: &GpuDevice) -> Self {
        let queries = device.device().create_query_set(&wgpu::QuerySetDescriptor {
            label: None,
            ty: wgpu::QueryType::Timestamp,
            count: STAMPS,
        });
        let resolved = device.device().create_buffer(&wgpu::BufferDescriptor {
            label: None,
            size: STAMP_BYTES,
            usage: wgpu::BufferUsages::QUERY_RESOLVE | wgpu::BufferUsages::COPY_SRC,
            mapped_at_creation: false,
        });
        Self { queries, resolved, staging: staging(device, STAMP_BYTES) }
    }

    fn read(&self) -> Result<[u64; STAMPS as usize], String> {
        let stamps = {
            let view = self.staging.get_mapped_range(0..STAMP_BYTES).map_err(|error| error.to_string())?;
            bytemuck::try_pod_read_unaligned(&view).map_err(|error| error.to_string())?
        };
        self.staging.unmap();
        Ok(stamps)
    }
}
