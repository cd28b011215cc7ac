//! The adapters of the machine, and the choice of one.

use std::fmt::{self, Display, Formatter};
use std::str::FromStr;

use super::device::GpuDevice;
use super::error::GpuError;

/// What kind of device an adapter is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AdapterKind {
    /// A GPU with memory of its own.
    Discrete,
    /// A GPU that shares the memory of the CPU.
    Integrated,
    /// A part of a GPU, given to a virtual machine.
    Virtual,
    /// A driver that runs shaders on the CPU. Its speed is not that of a GPU.
    Software,
    /// The driver does not say.
    Other,
}

impl Display for AdapterKind {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Discrete => "discrete GPU",
            Self::Integrated => "integrated GPU",
            Self::Virtual => "virtual GPU",
            Self::Software => "software adapter: not a GPU speed",
            Self::Other => "device of unknown kind",
        })
    }
}

/// An adapter: a device together with the driver that reaches it.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct AdapterInfo {
    /// Its number, as in `gpu:NUMBER`.
    pub index: usize,
    /// Its name.
    pub name: String,
    /// What it is.
    pub kind: AdapterKind,
    /// The driver and its version.
    pub driver: String,
    /// The interface: Vulkan, Metal or Dx12.
    pub backend: String,
    /// Bytes of the largest buffer.
    pub largest_buffer: u64,
    /// Bytes of a buffer that a kernel sees at once.
    pub largest_binding: u64,
    /// Bytes of memory that the threads of a workgroup share.
    pub workgroup_memory: u32,
    /// The most threads of a workgroup.
    pub workgroup_threads: u32,
    /// Whether shaders have double precision.
    pub f64: bool,
    /// Whether the time of a kernel can be measured on the device.
    pub timestamps: bool,
}

/// Features that time stamps around a kernel and the copy after it need.
pub(super) const TIMESTAMPS: wgpu::Features =
    wgpu::Features::TIMESTAMP_QUERY.union(wgpu::Features::TIMESTAMP_QUERY_INSIDE_ENCODERS);

/// Environment variable by which wgpu's users restrict the interfaces.
const BACKENDS: &str = "WGPU_BACKEND";

pub(super) fn instance() -> wgpu::Instance {
    let mut descriptor = wgpu::InstanceDescriptor::new_without_display_handle();
    // Validation of indirect calls, which are not used, would limit buffers to 4 GiB.
    descriptor.flags = wgpu::InstanceFlags::empty().with_env();
    descriptor.backends = descriptor.backends.with_env();
    wgpu::Instance::new(descriptor)
}

fn enumerate(instance: &wgpu::Instance) -> Vec<(wgpu::Adapter, AdapterInfo)> {
    let adapters = pollster::block_on(instance.enumerate_adapters(wgpu::Backends::all()));
    let numbered = adapters.into_iter().enumerate().map(|(index, adapter)| {
        let info = describe(index, &adapter);
        (adapter, info)
    });
    numbered.collect()
}

fn describe(index: usize, adapter: &wgpu::Adapter) -> AdapterInfo {
    let (info, limits, features) = (adapter.get_info(), adapter.limits(), adapter.features());
    let kind = match info.device_type {
        wgpu::DeviceType::DiscreteGpu => AdapterKind::Discrete,
        wgpu::DeviceType::IntegratedGpu => AdapterKind::Integrated,
        wgpu::DeviceType::VirtualGpu => AdapterKind::Virtual,
        wgpu::DeviceType::Cpu => AdapterKind::Software,
        wgpu::DeviceType::Other => AdapterKind::Other,
    };
    AdapterInfo {
        index,
        name: info.name,
        kind,
        driver: format!("{} {}", info.driver, info.driver_info).trim().to_owned(),
        backend: format!("{:?}", info.backend),
        largest_buffer: limits.max_buffer_size,
        largest_binding: limits.max_storage_buffer_binding_size,
        workgroup_memory: limits.max_compute_workgroup_storage_size,
        workgroup_threads: limits.max_compute_invocations_per_workgroup.min(limits.max_compute_workgroup_size_x),
        f64: features.contains(wgpu::Features::SHADER_F64),
        timestamps: features.contains(TIMESTAMPS),
    }
}

/// All adapters of the machine, software adapters too, in the order of their numbers. The environment variable `WGPU_BACKEND`
/// (vulkan, metal, dx12) restricts the interfaces by which they are reached.
///
/// ```no_run
/// for adapter in tapeless::evaluate::gpu::adapters() {
///     println!("gpu:{} {} ({}), f64: {}", adapter.index, adapter.name, adapter.kind, adapter.f64);
/// }
/// ```
pub fn adapters() -> Vec<AdapterInfo> {
    enumerate(&instance()).into_iter().map(|(_, info)| info).collect()
}

/// On which device to evaluate.
///
/// Written as `cpu`, `gpu`, `gpu:1` (the number that [`adapters`] gives), `gpu:rtx` (a part of its name, in any case of letters),
/// `gpu:cpu` (a software adapter) and `auto`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum DeviceChoice {
    /// The CPU engine.
    #[default]
    Cpu,
    /// A GPU if there is one, else the CPU engine.
    Auto,
    /// A GPU: discrete before integrated before virtual ones. Never a software adapter.
    Gpu,
    /// A software adapter.
    Software,
    /// The adapter with this number.
    Index(usize),
    /// The first adapter whose name has this part.
    Named(String),
}

impl FromStr for DeviceChoice {
    type Err = GpuError;

    fn from_str(text: &str) -> Result<Self, GpuError> {
        let (device, adapter) = text.split_once(':').unwrap_or((text, ""));
        match (device.to_ascii_lowercase().as_str(), adapter) {
            ("cpu", "") => Ok(Self::Cpu),
            ("auto", "") => Ok(Self::Auto),
            ("gpu", "") if !text.ends_with(':') => Ok(Self::Gpu),
            ("gpu", adapter) if adapter.eq_ignore_ascii_case("cpu") => Ok(Self::Software),
            ("gpu", adapter) if !adapter.is_empty() => {
                Ok(adapter.parse().map_or_else(|_| Self::Named(adapter.to_owned()), Self::Index))
            }
            _ => Err(GpuError::Choice { text: text.to_owned() }),
        }
    }
}

impl Display for DeviceChoice {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cpu => f.write_str("cpu"),
            Self::Auto => f.write_str("auto"),
            Self::Gpu => f.write_str("gpu"),
            Self::Software => f.write_str("gpu:cpu"),
            Self::Index(index) => write!(f, "gpu:{index}"),
            Self::Named(name) => write!(f, "gpu:{name}"),
        }
    }
}

impl DeviceChoice {
    /// Opens the device; `None` where the choice is the CPU engine.
    ///
    /// # Errors
    ///
    /// [`GpuError::NoAdapter`], [`GpuError::OnlySoftware`], [`GpuError::NoSuchAdapter`] where the device is not there, and
    /// [`GpuError::Open`] where its driver refuses.
    pub fn open(&self) -> Result<Option<GpuDevice>, GpuError> {
        if *self == Self::Cpu {
            return Ok(None);
        }
        let instance = instance();
        let mut adapters = enumerate(&instance);
        let infos: Vec<AdapterInfo> = adapters.iter().map(|(_, info)| info.clone()).collect();
        match self.choose(&infos)? {
            None => Ok(None),
            Some(position) => {
                let (adapter, info) = adapters.swap_remove(position);
                GpuDevice::open(&adapter, info).map(Some)
            }
        }
    }

    /// Where the chosen adapter stands among all.
    fn choose(&self, adapters: &[AdapterInfo]) -> Result<Option<usize>, GpuError> {
        let rank = |kind: AdapterKind| match kind {
            AdapterKind::Discrete => Some(0),
            AdapterKind::Integrated => Some(1),
            AdapterKind::Virtual => Some(2),
            AdapterKind::Other => Some(3),
            AdapterKind::Software => None,
        };
        let gpus = adapters.iter().enumerate().filter_map(|(position, info)| Some((rank(info.kind)?, position)));
        let gpu = gpus.min().map(|(_, position)| position);
        let first = |wanted: &dyn Fn(&AdapterInfo) -> bool| adapters.iter().position(wanted);
        let found = match self {
            Self::Cpu => return Ok(None),
            Self::Auto => return Ok(gpu),
            Self::Gpu => gpu,
            Self::Software => first(&|info| info.kind == AdapterKind::Software),
            Self::Index(index) => first(&|info| info.index == *index),
            Self::Named(name) => first(&|info| info.name.to_lowercase().contains(&name.to_lowercase())),
        };
        match (found, adapters) {
            (Some(position), _) => Ok(Some(position)),
            (None, []) => Err(GpuError::NoAdapter { backends: std::env::var(BACKENDS).ok() }),
            (None, [first, ..]) if *self == Self::Gpu => Err(GpuError::OnlySoftware { adapter: first.name.clone() }),
            (None, _) => {
                let list = adapters.iter().map(|info| format!("gpu:{} {}", info.index, info.name));
                Err(GpuError::NoSuchAdapter { wanted: self.to_string(), available: list.collect::<Vec<_>>().join(", ") })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn adapter(index: usize, name: &str, kind: AdapterKind) -> AdapterInfo {
        AdapterInfo {
            index,
            name: name.to_owned(),
            kind,
            driver: String::new(),
            backend: String::new(),
            largest_buffer: 0,
            largest_binding: 0,
            workgroup_memory: 0,
            workgroup_threads: 0,
            f64: false,
            timestamps: false,
        }
    }

    fn choice(text: &str) -> DeviceChoice {
        text.parse().unwrap()
    }

    #[test]
    fn a_software_adapter_is_taken_only_when_named() {
        let all = [
            adapter(0, "llvmpipe (LLVM)", AdapterKind::Software),
            adapter(1, "Iris Xe", AdapterKind::Integrated),
            adapter(2, "RTX 4090", AdapterKind::Discrete),
            adapter(3, "RTX 4090", AdapterKind::Discrete),
        ];
        let chosen = |text: &str| choice(text).choose(&all);
        assert_eq!(chosen("cpu"), Ok(None));
        assert_eq!(chosen("auto"), Ok(Some(2)));
        assert_eq!(chosen("gpu"), Ok(Some(2)));
        assert_eq!(chosen("gpu:3"), Ok(Some(3)));
        assert_eq!(chosen("gpu:iris"), Ok(Some(1)));
        assert_eq!(chosen("gpu:cpu"), Ok(Some(0)));
        assert_eq!(chosen("gpu:llvm"), Ok(Some(0)));
        let message = chosen("gpu:radeon").unwrap_err().to_string();
        assert!(message.contains("gpu:1 Iris Xe") && message.contains("--device cpu"), "{message}");

        assert_eq!(choice("auto").choose(&all[..1]), Ok(None));
        let message = choice("gpu").choose(&all[..1]).unwrap_err().to_string();
        assert!(message.contains("llvmpipe") && message.contains("--device gpu:cpu"), "{message}");
        assert!(choice("gpu").choose(&[]).unwrap_err().to_string().contains("--device cpu"));
        assert_eq!(choice("auto").choose(&[]), Ok(None));
    }

    #[test]
    fn choices_are_read_and_written_back() {
        for text in ["cpu", "gpu", "gpu:0", "gpu:cpu", "gpu:RTX 4090", "auto"] {
            assert_eq!(choice(text).to_string(), text);
        }
        for text in ["", "gpu:", "tpu", "cpu:1"] {
            assert!(text.parse::<DeviceChoice>().is_err(), "{text:?}");
        }
    }
}
