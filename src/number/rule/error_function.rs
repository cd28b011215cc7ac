//! The error function and what is built on it.

use super::activation::saturate;
use super::{Jet, compensated};
use crate::number::lane::Lane;

/// 1 / sqrt(2 pi)
const NORMAL_DENSITY_AT_0: f64 = 0.398_942_280_401_432_7;
/// 1 / sqrt(2), and what is missing from the f64.
const FRAC_1_SQRT_2: (f64, f64) = (core::f64::consts::FRAC_1_SQRT_2, -4.833_646_656_726_457e-17);

/// `scale * exp(-x^2)` and its first three derivatives.
#[inline(always)]
fn bell<L: Lane>(x: L, scale: f64) -> [L; 4] {
    // Beyond this the bell has underflowed, and a power of x could make NaN of it.
    let limit = x.constant(100.0).with_sign_of(x);
    let x = limit.or_else(x.constant(100.0).less(x.magnitude()), x);
    let value = x.constant(scale) * compensated::exp_minus_square(x, 1.0);
    let (high, low) = compensated::square(x);
    let square = high + low;
    let first = x.constant(-2.0) * x * value;
    [
        value,
        first,
        // The leading part is exact, so the difference keeps its digits near the inflection.
        ((x.constant(4.0) * high - x.constant(2.0)) + x.constant(4.0) * low) * value,
        first * (x.constant(4.0) * square - x.constant(6.0)),
    ]
}

#[inline(always)]
pub(crate) fn erf<L: Lane>(x: L) -> Jet<L> {
    let [first, second, third, fourth] = bell(x, core::f64::consts::FRAC_2_SQRT_PI);
    [x.error_function(), first, second, third, fourth]
}

#[inline(always)]
pub(crate) fn erfc<L: Lane>(x: L) -> Jet<L> {
    let [first, second, third, fourth] = bell(x, -core::f64::consts::FRAC_2_SQRT_PI);
    [x.complementary_error_function(), first, second, third, fourth]
}

/// exp(-x^2)
#[inline(always)]
pub(crate) fn gaussian<L: Lane>(x: L) -> Jet<L> {
    let [value, first, second, third] = bell(x, 1.0);
    let limit = x.constant(100.0);
    let magnitude = limit.or_else(limit.less(x.magnitude()), x.magnitude());
    let square = magnitude * magnitude;
    [value, first, second, third, value * ((x.constant(16.0) * square - x.constant(48.0)) * square + x.constant(12.0))]
}

/// x Phi(x) with the normal distribution function Phi: the exact GELU, PyTorch's default.
#[inline(always)]
pub(crate) fn gelu<L: Lane>(x: L) -> Jet<L> {
    let density = x.constant(NORMAL_DENSITY_AT_0) * compensated::exp_minus_square(x, 0.5);
    // Phi(x) = erfc(y) / 2 at y = -x / sqrt(2); the rounding error of y is worth x^2 units in the last place far to the
    // left, so it enters through the slope of erfc.
    let (factor, factor_rest) = compensated::constant(x, FRAC_1_SQRT_2);
    let (y, y_error) = compensated::product(-x, factor);
    let y_rest = y_error - x * factor_rest;
    let distribution =
        x.constant(0.5) * y.complementary_error_function() - x.constant(core::f64::consts::SQRT_2) * density * y_rest;
    let (high, low) = compensated::square(x);
    let square = high + low;
    let jet = [
        x * distribution,
        distribution + x * density,
        density * ((x.constant(2.0) - high) - low),
        x * density * ((high - x.constant(4.0)) + low),
        density * ((x.constant(7.0) - square) * square - x.constant(4.0)),
    ];
    saturate(x, 100.0, jet)
}
