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

#[cfg(test)]
mod tests {
    use super::*;

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
        }
    }
}
