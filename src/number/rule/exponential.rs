//! Exponentials and logarithms.

use super::{Jet, Real, undefined};

#[inline]
pub(crate) fn exp2<R: Real>(x: R) -> Jet<R> {
    let value = x.exp2();
    // Where 2^x has just overflowed, its derivatives have not.
    let (scale, doubled) = if value.is_infinite() { ((x - R::one()).exp2(), 2.0) } else { (value, 1.0) };
    // Powers of ln 2 rounded once, so that errors don't add up.
    let [first, second, third, fourth] =
        [core::f64::consts::LN_2, 0.480_453_013_918_201_4, 0.333_024_651_988_929_5, 0.230_835_098_583_083_46]
            .map(|power| scale * R::literal(power * doubled));
    [value, first, second, third, fourth]
}

/// exp(x) - 1. Its derivative is exp(x) itself: value + 1 has no digits left for x below -37.
#[inline]
pub(crate) fn exp_m1<R: Real>(x: R) -> Jet<R> {
    let e = x.exp();
    [x.exp_m1(), e, e, e, e]
}

/// Derivatives of scale * ln, given the value and the reciprocal of the argument.
#[inline]
fn logarithm<R: Real>(value: R, reciprocal: R, scale: R) -> Jet<R> {
    let r = reciprocal;
    let first = scale * r;
    let second = -(first * r);
    let third = -(second * r) * R::literal(2.0);
    [value, first, second, third, -(third * r) * R::literal(3.0)]
}

#[inline]
fn logarithm_at<R: Real>(x: R, value: R, scale: R) -> Jet<R> {
    if x < R::zero() {
        return undefined(value);
    }
    // The absolute value turns -0 into 0: the limit is taken inside the domain.
    logarithm(value, x.abs().recip(), scale)
}

#[inline]
pub(crate) fn ln<R: Real>(x: R) -> Jet<R> {
    logarithm_at(x, x.ln(), R::one())
}

#[inline]
pub(crate) fn log2<R: Real>(x: R) -> Jet<R> {
    logarithm_at(x, x.log2(), R::LOG2_E())
}

#[inline]
pub(crate) fn log10<R: Real>(x: R) -> Jet<R> {
    logarithm_at(x, x.log10(), R::LOG10_E())
}

#[inline]
pub(crate) fn ln_1p<R: Real>(x: R) -> Jet<R> {
    let shifted = R::one() + x;
    if shifted < R::zero() {
        return undefined(x.ln_1p());
    }
    logarithm(x.ln_1p(), shifted.recip(), R::one())
}
