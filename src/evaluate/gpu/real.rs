//! The float types of kernels.

use crate::number::Real;

/// What the generator and the buffers need to know of a float type.
pub(crate) trait ShaderReal: Real + bytemuck::Pod {
    /// Its name in WGSL.
    const NAME: &'static str;
    /// The part of the arithmetic that depends on it.
    const ELEMENTARY: &'static str;
    /// Whether the adapter has to have double precision.
    const DOUBLE: bool;

    /// A number that WGSL reads back as the same one.
    fn literal_text(self) -> String;
}

impl ShaderReal for f32 {
    const NAME: &'static str = "f32";
    const ELEMENTARY: &'static str = include_str!("../../../shaders/elementary_f32.wgsl");
    const DOUBLE: bool = false;

    fn literal_text(self) -> String {
        format!("{self:e}f")
    }
}

impl ShaderReal for f64 {
    const NAME: &'static str = "f64";
    const ELEMENTARY: &'static str = include_str!("../../../shaders/elementary_f64.wgsl");
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
