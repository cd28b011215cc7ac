//! Products and sums with their rounding error, for the few rules in which an argument rounded to one float would cost
//! digits (Dekker 1971; Knuth, TAOCP 2, 4.2.2).

use crate::number::lane::Lane;

/// `x * x` as an exact leading part and the rest.
#[inline(always)]
pub(super) fn square<L: Lane>(x: L) -> (L, L) {
    let high = x.upper_half();
    (high * high, (x - high) * (x + high))
}

/// `a * b` rounded, and its rounding error.
#[inline(always)]
pub(super) fn product<L: Lane>(a: L, b: L) -> (L, L) {
    let rounded = a * b;
    let (a_high, b_high) = (a.upper_half(), b.upper_half());
    let (a_low, b_low) = (a - a_high, b - b_high);
    let error = ((a_high * b_high - rounded) + a_high * b_low + a_low * b_high) + a_low * b_low;
    (rounded, error)
}

/// `a + b` rounded, and its rounding error.
#[inline(always)]
pub(super) fn sum<L: Lane>(a: L, b: L) -> (L, L) {
    let rounded = a + b;
    let b_part = rounded - a;
    (rounded, (a - (rounded - b_part)) + (b - b_part))
}

/// A real constant given as the nearest `f64` and the rest, as a float and the rest, beside `x`.
#[inline(always)]
pub(super) fn constant<L: Lane>(x: L, (high, low): (f64, f64)) -> (L, L) {
    (x.constant(high), x.constant_rest(high, low))
}

/// `exp(-factor * x^2)` for a `factor` of 1 or 1/2: rounding `x^2` first would cost x^2/2 units in the last place.
/// Zero from |x| = 100 on, where every float has underflowed.
#[inline(always)]
pub(crate) fn exp_minus_square<L: Lane>(x: L, factor: f64) -> L {
    let limit = x.constant(100.0);
    let inside = limit.or_else(limit.less(x.magnitude()), x);
    let (high, low) = square(inside);
    let factor = x.constant(-factor);
    (factor * high).exponential() * (factor * low).exponential()
}
