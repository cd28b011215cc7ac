//! The arithmetic of the GPU kernels as WGSL text, for programs that write kernels of their own.
//!
//! Every text is for one type of float, which it calls `real`: `f32`, or `f64` where the adapter has `SHADER_F64`. Put it into
//! a shader together with a function that reads a zero at run time, by which compilers are kept from reassociating sums whose
//! rounding matters:
//!
//! ```wgsl
//! @group(0) @binding(0) var<uniform> zero: u32;
//! fn opaque_zero() -> u32 { return zero; }
//! ```
//!
//! The functions don't use the built-in `exp`, `sin`, `tanh` and so on, which promise little in f32 and are wrong in f64. How
//! accurate they are is in `docs/accuracy.md`.

use crate::number::triangle_index;
use crate::{Const, Packed};

/// Elementary functions: `exponential`, `decay`, `hyperbolic_tangent`, `logarithm`, `logarithm_of_one_plus`,
/// `sine_and_cosine`, `error_function`, `complementary_error_function`, and what they are made of.
pub fn elementary(double: bool) -> String {
    let for_type = if double {
        include_str!("../shaders/elementary_f64.wgsl")
    } else {
        include_str!("../shaders/elementary_f32.wgsl")
    };
    [for_type, include_str!("../shaders/elementary.wgsl")].join("\n")
}

/// The activations of networks on top of the [elementary functions](elementary), which are included: for each of
/// [`Activation`](crate::network::Activation) a function such as `activation_gelu_tanh(x: real, parameter: real) -> Jet`
/// with the members `value`, `first` and `second`.
pub fn activations(double: bool) -> String {
    [elementary(double).as_str(), include_str!("../shaders/activation.wgsl")].join("\n")
}

/// Hyper-dual numbers of `N` variables on top of the [activations], which are included: a struct `HyperDual` that lies in memory
/// as [`HyperDual<f32, N>`](crate::HyperDual) or that of `f64`, and functions such as
/// `hyper_dual_mul(a: HyperDual, b: HyperDual) -> HyperDual`: `constant`, `variable`, `add`, `sub`, `neg`, `scale`, `mul`, `div`,
/// `powi`, `sqrt`, `exp`, `ln`, `sin`, `cos`, `tanh`, `sigmoid`, `softplus`, `erf`, `abs`, `max`, `min`; and `chain`, for functions
/// of your own.
///
/// ```
/// let text = tapeless::shaders::hyper_dual::<2>(false);
/// let shader = format!(
///     "{text}
///     @group(0) @binding(0) var<uniform> zero: u32;
///     fn opaque_zero() -> u32 {{ return zero; }}
///     @group(0) @binding(1) var<storage, read_write> results: array<HyperDual>;
///     @compute @workgroup_size(1) fn saddle() {{
///         let x = hyper_dual_variable(3.0, 0u);
///         let y = hyper_dual_variable(2.0, 1u);
///         results[0] = hyper_dual_mul(x, hyper_dual_sin(y));
///     }}"
/// );
/// # naga::front::wgsl::parse_str(&shader).unwrap();
/// ```
pub fn hyper_dual<const N: usize>(double: bool) -> String
where
    Const<N>: Packed,
{
    let mut text = activations(double);
    for line in include_str!("../shaders/hyper_dual.wgsl").lines() {
        let mut write = |i: usize, j: usize| {
            text += &line
                .replace("{n}", &N.to_string())
                .replace("{entries}", &(N * (N + 1) / 2).to_string())
                .replace("{i}", &i.to_string())
                .replace("{j}", &j.to_string())
                .replace("{ij}", &triangle_index(N, i, j).to_string());
            text.push('\n');
        };
        match (line.contains("{i}"), line.contains("{ij}")) {
            (_, true) => (0..N).flat_map(|i| (i..N).map(move |j| (i, j))).for_each(|(i, j)| write(i, j)),
            (true, false) => (0..N).for_each(|i| write(i, i)),
            (false, false) => write(0, 0),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::network::Activation;

    fn validate(text: &str) {
        let text =
            format!("@group(0) @binding(0) var<uniform> zero: u32;\nfn opaque_zero() -> u32 {{ return zero; }}\n{text}");
        let module = naga::front::wgsl::parse_str(&text).unwrap_or_else(|e| panic!("{}", e.emit_to_string(&text)));
        naga::valid::Validator::new(naga::valid::ValidationFlags::all(), naga::valid::Capabilities::FLOAT64)
            .validate(&module)
            .unwrap_or_else(|e| panic!("{}", e.emit_to_string(&text)));
    }

    #[test]
    fn every_text_is_valid() {
        for double in [false, true] {
            validate(&elementary(double));
            validate(&activations(double));
            validate(&hyper_dual::<1>(double));
            validate(&hyper_dual::<4>(double));
            validate(&hyper_dual::<16>(double));
        }
    }

    #[test]
    fn every_activation_has_a_function() {
        let text = activations(false);
        for name in Activation::NAMES {
            let name = name.split('[').next().unwrap_or_default();
            assert!(text.contains(&format!("\nfn activation_{name}(x: real, parameter: real) -> Jet {{")), "{name}");
        }
    }
}
