//! What can go wrong with a GPU.

/// A device that is not there, does not suffice or failed. Every message says what to do.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum GpuError {
    /// A text that names no device.
    #[error(
        "{text:?} is not a device; write cpu, gpu, gpu:NUMBER, gpu:NAME, gpu:cpu or auto (the numbers: tapeless devices)"
    )]
    Choice {
        /// The text.
        text: String,
    },
    /// The machine has no adapter.
    #[error(
        "no GPU adapter was found{}; install the driver of the GPU (on Linux with its Vulkan part and libvulkan1), or take the CPU: --device cpu",
        backends.as_deref().map_or(String::new(), |backends| format!(" (WGPU_BACKEND={backends})"))
    )]
    NoAdapter {
        /// What the environment variable `WGPU_BACKEND` allows, where it is set.
        backends: Option<String>,
    },
    /// The machine has adapters, but no GPU.
    #[error(
        "no GPU was found, only the software adapter {adapter}, which is a CPU; take the CPU engine, which is faster: --device cpu, or name the software adapter: --device gpu:cpu"
    )]
    OnlySoftware {
        /// Its name.
        adapter: String,
    },
    /// No adapter has the number or name.
    #[error("no adapter is {wanted}; there are {available}; or take the CPU: --device cpu")]
    NoSuchAdapter {
        /// What was asked for.
        wanted: String,
        /// Numbers and names of all adapters.
        available: String,
    },
    /// The driver refused to open the device.
    #[error("{adapter}: the driver does not open the device: {reason}; take another device or the CPU: --device cpu")]
    Open {
        /// Name of the adapter.
        adapter: String,
        /// What the driver says.
        reason: String,
    },
    /// An adapter without double precision.
    #[error(
        "{adapter}: has no double precision in shaders (feature SHADER_F64); evaluate in f64 on the CPU: --device cpu, or in single precision: --precision f32"
    )]
    MissingF64 {
        /// Name of the adapter.
        adapter: String,
    },
    /// A limit of the adapter is too small for the network.
    #[error("{adapter}: {what} needs {needed}, the adapter's limit is {limit}; take the CPU: --device cpu")]
    Limit {
        /// Name of the adapter.
        adapter: String,
        /// What is too large.
        what: &'static str,
        /// What it needs.
        needed: u64,
        /// What there is.
        limit: u64,
    },
    /// The device has no memory left.
    #[error(
        "{adapter}: {bytes} bytes of device memory could not be had; close other programs that use it, or take the CPU: --device cpu"
    )]
    OutOfMemory {
        /// Name of the adapter.
        adapter: String,
        /// Bytes asked for.
        bytes: u64,
    },
    /// The device was lost: a driver's reset, a watchdog, an unplugged GPU.
    #[error("{adapter}: the device was lost ({reason}); open it again, or take the CPU: --device cpu")]
    Lost {
        /// Name of the adapter.
        adapter: String,
        /// What the driver says.
        reason: String,
    },
    /// The driver refused what it should do, which is a fault of this crate or of the driver.
    #[error("{adapter}: the driver refused the work: {reason}; please report it, and take the CPU: --device cpu")]
    Refused {
        /// Name of the adapter.
        adapter: String,
        /// What it says.
        reason: String,
    },
}
