//! The float types of kernels.

use crate::number::Real;

/// What the generator and the buffers need to know of a float type.
pub(crate) trait ShaderReal: Real + bytemuck::Pod {
    /// Whether kernels need an adapter with double precision.
    const DOUBLE: bool;

    /// A number that WGSL reads back as the same one.
    fn literal_text(self) -> String;
}

impl ShaderReal for f32 {
    const DOUBLE: bool = false;

    fn literal_text(self) -> String {
        format!("{self:e}f")
    }
}

impl ShaderReal for f64 {
    const DOUBLE: bool = true;

    fn literal_text(self) -> String {
        format!("{self:e}lf")
    }
}

/// A float type that the GPU evaluator has kernels for: `f32`, and `f64` where the adapter has double precision. Sealed.
#[allow(private_bounds)]
pub trait GpuReal: ShaderReal {}

impl GpuReal for f32 {}
impl GpuReal for f64 {}
