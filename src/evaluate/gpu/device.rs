//! An opened device, its kernels and its faults.

use std::collections::HashMap;
use std::sync::mpsc::Receiver;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::adapter::{AdapterInfo, TIMESTAMPS};
use super::error::GpuError;

/// A device that was opened by [`DeviceChoice::open`](super::DeviceChoice::open). Clones share it.
///
/// Kernels are kept with the device: a second evaluator of the same shape builds none.
#[derive(Clone)]
pub struct GpuDevice {
    shared: Arc<Shared>,
}

struct Shared {
    info: AdapterInfo,
    device: wgpu::Device,
    queue: wgpu::Queue,
    faults: Arc<Mutex<Faults>>,
    /// By text and entry point.
    pipelines: Mutex<HashMap<(String, &'static str), wgpu::ComputePipeline>>,
    checks: bool,
}

/// What is told when a buffer can be read, or can't.
pub(super) type Mapped = Result<(), wgpu::BufferAsyncError>;

/// How long to wait for word of a buffer whose work is done: another thread may be about to give it.
const WORD: Duration = Duration::from_secs(10);

/// What the driver complained about since somebody looked.
#[derive(Default)]
struct Faults {
    /// A lost device stays lost.
    lost: Option<String>,
    out_of_memory: bool,
    refused: Option<String>,
}

/// A panic in another thread leaves nothing half-done in what these locks hold.
pub(super) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl GpuDevice {
    /// Opens a device with all that its adapter has to offer of what kernels use.
    pub(super) fn open(adapter: &wgpu::Adapter, info: AdapterInfo) -> Result<Self, GpuError> {
        let descriptor = wgpu::DeviceDescriptor {
            label: Some("tapeless"),
            required_features: adapter.features() & (wgpu::Features::SHADER_F64 | TIMESTAMPS),
            required_limits: adapter.limits(),
            ..Default::default()
        };
        let (device, queue) = pollster::block_on(adapter.request_device(&descriptor))
            .map_err(|error| GpuError::Open { adapter: info.name.clone(), reason: error.to_string() })?;
        let faults = Arc::new(Mutex::new(Faults::default()));
        // Without a handler errors would be panics.
        let handler_faults = Arc::clone(&faults);
        device.on_uncaptured_error(Arc::new(move |error| {
            let mut faults = locked(&handler_faults);
            match error {
                wgpu::Error::OutOfMemory { .. } => faults.out_of_memory = true,
                error => _ = faults.refused.get_or_insert_with(|| error.to_string()),
            }
        }));
        let lost_faults = Arc::clone(&faults);
        device.set_device_lost_callback(move |reason, message| {
            let text = if message.is_empty() { format!("{reason:?}") } else { message };
            locked(&lost_faults).lost.get_or_insert(text);
        });
        Ok(Self { shared: Arc::new(Shared { info, device, queue, faults, pipelines: Mutex::default(), checks: false }) })
    }

    /// The adapter.
    pub fn info(&self) -> &AdapterInfo {
        &self.shared.info
    }

    /// The same device with every access to memory in kernels checked at run time, for those who look for a fault. Slower on
    /// real GPUs. Kernels that were built before are not shared.
    pub fn with_checks(&self) -> Self {
        let Shared { info, device, queue, faults, .. } = &*self.shared;
        Self {
            shared: Arc::new(Shared {
                info: info.clone(),
                device: device.clone(),
                queue: queue.clone(),
                faults: Arc::clone(faults),
                pipelines: Mutex::default(),
                checks: true,
            }),
        }
    }

    pub(super) fn device(&self) -> &wgpu::Device {
        &self.shared.device
    }

    pub(super) fn queue(&self) -> &wgpu::Queue {
        &self.shared.queue
    }

    pub(super) fn name(&self) -> String {
        self.info().name.clone()
    }

    /// A kernel of the text, built at the first call and kept.
    pub(super) fn pipeline(
        &self,
        text: &str,
        entry: &'static str,
        layout: &wgpu::PipelineLayout,
    ) -> Result<wgpu::ComputePipeline, GpuError> {
        let mut pipelines = locked(&self.shared.pipelines);
        let key = (text.to_owned(), entry);
        if let Some(pipeline) = pipelines.get(&key) {
            return Ok(pipeline.clone());
        }
        let pipeline = self.guarded(0, || {
            let module = self.module(text);
            self.device().create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
                label: Some(entry),
                layout: Some(layout),
                module: &module,
                entry_point: Some(entry),
                compilation_options: wgpu::PipelineCompilationOptions {
                    // Kernels write what they read.
                    zero_initialize_workgroup_memory: false,
                    ..Default::default()
                },
                cache: None,
            })
        })?;
        pipelines.insert(key, pipeline.clone());
        Ok(pipeline)
    }

    #[allow(unsafe_code)]
    fn module(&self, text: &str) -> wgpu::ShaderModule {
        let descriptor = wgpu::ShaderModuleDescriptor { label: None, source: wgpu::ShaderSource::Wgsl(text.into()) };
        if self.shared.checks {
            return self.device().create_shader_module(descriptor);
        }
        // SAFETY: the text is made by this crate's generator, from numbers of the network's shape alone. Its loops end, since
        // their bounds are constants or lengths that the host writes, and its indices stay within buffers and arrays whose
        // lengths are computed from the same numbers; tests run the kernels with the checks as well.
        unsafe { self.device().create_shader_module_trusted(descriptor, wgpu::ShaderRuntimeChecks::unchecked()) }
    }

    /// Does what may fail for lack of memory or for a driver's refusal; `bytes` are those that it asks for.
    pub(super) fn guarded<T>(&self, bytes: u64, work: impl FnOnce() -> T) -> Result<T, GpuError> {
        let memory = self.device().push_error_scope(wgpu::ErrorFilter::OutOfMemory);
        let validation = self.device().push_error_scope(wgpu::ErrorFilter::Validation);
        let internal = self.device().push_error_scope(wgpu::ErrorFilter::Internal);
        let done = work();
        let refused = pollster::block_on(internal.pop()).or(pollster::block_on(validation.pop()));
        let memory = pollster::block_on(memory.pop());
        self.check(0)?;
        match (memory, refused) {
            (Some(_), _) => Err(GpuError::OutOfMemory { adapter: self.name(), bytes }),
            (None, Some(error)) => Err(GpuError::Refused { adapter: self.name(), reason: error.to_string() }),
            (None, None) => Ok(done),
        }
    }

    /// What went wrong since the last look, if anything; `bytes` are those that were asked for.
    pub(super) fn check(&self, bytes: u64) -> Result<(), GpuError> {
        let mut faults = locked(&self.shared.faults);
        if let Some(reason) = &faults.lost {
            return Err(GpuError::Lost { adapter: self.name(), reason: reason.clone() });
        }
        if std::mem::take(&mut faults.out_of_memory) {
            return Err(GpuError::OutOfMemory { adapter: self.name(), bytes });
        }
        match faults.refused.take() {
            Some(reason) => Err(GpuError::Refused { adapter: self.name(), reason }),
            None => Ok(()),
        }
    }

    /// Waits until a submission is done; a lost device does not wait.
    pub(super) fn wait(&self, submission: &wgpu::SubmissionIndex) -> Result<(), GpuError> {
        let submission_index = Some(submission.clone());
        let waited = self.device().poll(wgpu::PollType::Wait { submission_index, timeout: None });
        if waited.is_err() {
            // That the device was lost may be told only by another poll.
            let _ = self.device().poll(wgpu::PollType::Poll);
        }
        self.check(0)?;
        waited.map(drop).map_err(|error| GpuError::Refused { adapter: self.name(), reason: error.to_string() })
    }

    /// Waits for the word that a buffer can be read, once the work that fills it is done.
    pub(super) fn mapped(&self, word: &Receiver<Mapped>) -> Result<(), GpuError> {
        let word = word.recv_timeout(WORD);
        self.check(0)?;
        let refused = |reason: String| GpuError::Refused { adapter: self.name(), reason };
        word.map_err(|error| refused(error.to_string()))?.map_err(|error| refused(error.to_string()))
    }

    /// The same device, as if its adapter were another.
    #[cfg(test)]
    pub(super) fn with_info(&self, info: AdapterInfo) -> Self {
        let Shared { device, queue, faults, .. } = &*self.shared;
        let (device, queue, faults) = (device.clone(), queue.clone(), Arc::clone(faults));
        Self { shared: Arc::new(Shared { info, device, queue, faults, pipelines: Mutex::default(), checks: false }) }
    }
}

impl std::fmt::Debug for GpuDevice {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("GpuDevice").field(self.info()).finish()
    }
}
