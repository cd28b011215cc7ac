//! Products and sums with their rounding error, for the few rules in which an argument rounded to one float would cost
//! digits (Dekker 1971; Knuth, TAOCP 2, 4.2.2).

use super::Real;

/// `x * x` as an exact leading part and the rest.
#[inline]
pub(super) fn square<R: Real>(x: R) -> (R, R) {
    let high = x.upper_half();
    (high * high, (x - high) * (x + high))
}

/// `a * b` rounded, and its rounding error.
#[inline]
pub(super) fn product<R: Real>(a: R, b: R) -> (R, R) {
    let rounded = a * b;
    let (a_high, b_high) = (a.upper_half(), b.upper_half());
    let (a_low, b_low) = (a - a_high, b - b_high);
    let error = ((a_high * b_high - rounded) + a_high * b_low + a_low * b_high) + a_low * b_low;
    (rounded, error)
}

/// `a + b` rounded, and its rounding error.
#[inline]
pub(super) fn sum<R: Real>(a: R, b: R) -> (R, R) {
    let rounded = a + b;
    let b_part = rounded - a;
    (rounded, (a - (rounded - b_part)) + (b - b_part))
}

/// A real constant given as the nearest `f64` and the rest, as a float and the rest.
#[inline]
pub(super) fn literal<R: Real>(high: f64, low: f64) -> (R, R) {
    let leading = R::literal(high);
    let widened: f64 = leading.as_();
    (leading, R::literal(high - widened + low))
}

/// `exp(-factor * x^2)` for a `factor` of 1 or 1/2: rounding `x^2` first would cost x^2/2 units in the last place.
/// Zero from |x| = 100 on, where every float has underflowed.
#[inline]
pub(super) fn exp_minus_square<R: Real>(x: R, factor: R) -> R {
    if x.abs() > R::literal(100.0) {
        return R::zero();
    }
    let (high, low) = square(x);
    (-factor * high).exp() * (-factor * low).exp()
}
