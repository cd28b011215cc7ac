//! The error function and what is built on it.

use super::{Jet, Real, compensated};

/// 2 / sqrt(pi)
const TWO_OVER_SQRT_PI: f64 = core::f64::consts::FRAC_2_SQRT_PI;
/// 1 / sqrt(2 pi)
const NORMAL_DENSITY_AT_0: f64 = 0.398_942_280_401_432_7;
/// 1 / sqrt(2), and what is missing from the f64.
const FRAC_1_SQRT_2: (f64, f64) = (core::f64::consts::FRAC_1_SQRT_2, -4.833_646_656_726_457e-17);

/// `scale * exp(-x^2)` and its first three derivatives.
#[inline]
fn bell<R: Real>(x: R, scale: R) -> [R; 4] {
    let l = R::literal;
    let value = scale * compensated::exp_minus_square(x, R::one());
    if value == R::zero() {
        return [value; 4];
    }
    let (high, low) = compensated::square(x);
    let square = high + low;
    let first = l(-2.0) * x * value;
    [
        value,
        first,
        // The leading part is exact, so the difference keeps its digits near the inflection.
        ((l(4.0) * high - l(2.0)) + l(4.0) * low) * value,
        first * (l(4.0) * square - l(6.0)),
    ]
}

#[inline]
pub(crate) fn erf<R: Real>(x: R) -> Jet<R> {
    let [first, second, third, fourth] = bell(x, R::literal(TWO_OVER_SQRT_PI));
    [x.erf_value(), first, second, third, fourth]
}

#[inline]
pub(crate) fn erfc<R: Real>(x: R) -> Jet<R> {
    let [first, second, third, fourth] = bell(x, R::literal(-TWO_OVER_SQRT_PI));
    [x.erfc_value(), first, second, third, fourth]
}

/// exp(-x^2)
#[inline]
pub(crate) fn gaussian<R: Real>(x: R) -> Jet<R> {
    let l = R::literal;
    let [value, first, second, third] = bell(x, R::one());
    let square = x * x;
    let fourth = if value == R::zero() { value } else { value * ((l(16.0) * square - l(48.0)) * square + l(12.0)) };
    [value, first, second, third, fourth]
}

/// x Phi(x) with the normal distribution function Phi: the exact GELU, PyTorch's default.
#[inline]
pub(crate) fn gelu<R: Real>(x: R) -> Jet<R> {
    let l = R::literal;
    if x.abs() > l(100.0) {
        return super::saturated(x);
    }
    let density = l(NORMAL_DENSITY_AT_0) * compensated::exp_minus_square(x, l(0.5));
    // Phi(x) = erfc(y) / 2 at y = -x / sqrt(2); the rounding error of y is worth x^2 units in the last place far to the
    // left, so it enters through the slope of erfc.
    let (factor, factor_rest) = compensated::literal(FRAC_1_SQRT_2.0, FRAC_1_SQRT_2.1);
    let (y, y_error) = compensated::product(-x, factor);
    let y_rest = y_error - x * factor_rest;
    let distribution = l(0.5) * y.erfc_value() - l(core::f64::consts::SQRT_2) * density * y_rest;
    let (high, low) = compensated::square(x);
    let square = high + low;
    [
        x * distribution,
        distribution + x * density,
        density * ((l(2.0) - high) - low),
        x * density * ((high - l(4.0)) + low),
        density * ((l(7.0) - square) * square - l(4.0)),
    ]
}
