//! Hyperbolic functions and their inverses.

use super::{Jet, Real, undefined};

#[inline]
pub(crate) fn sinh<R: Real>(x: R) -> Jet<R> {
    let (s, c) = (x.sinh(), x.cosh());
    [s, c, s, c, s]
}

#[inline]
pub(crate) fn cosh<R: Real>(x: R) -> Jet<R> {
    let (s, c) = (x.sinh(), x.cosh());
    [c, s, c, s, c]
}

/// For |x| > 1 through 1/x, where x^2 could overflow.
#[inline]
pub(crate) fn asinh<R: Real>(x: R) -> Jet<R> {
    let l = R::literal;
    let one = R::one();
    if x.abs() <= one {
        let square = x * x;
        let sum = one + square;
        let first = sum.sqrt().recip();
        let third_power = first / sum;
        return [
            x.asinh(),
            first,
            -x * third_power,
            (l(2.0) * square - one) * third_power / sum,
            x * (l(9.0) - l(6.0) * square) * third_power / (sum * sum),
        ];
    }
    let r = x.recip();
    let square = r * r;
    let sum = one + square;
    let first = r.abs() / sum.sqrt();
    let second = -(r * first) / sum;
    [
        x.asinh(),
        first,
        second,
        (l(2.0) - square) * (square * first) / (sum * sum),
        second * (l(6.0) - l(9.0) * square) * (r / sum) * (r / sum),
    ]
}

/// x^2 - 1 is taken as (x-1)(x+1), which is exact near 1; far out acosh is ln(2x) and x^2 could overflow.
#[inline]
pub(crate) fn acosh<R: Real>(x: R) -> Jet<R> {
    let l = R::literal;
    let one = R::one();
    let value = x.acosh();
    if x < one {
        return undefined(value);
    }
    if x > l(4.0) / R::epsilon().sqrt() {
        let r = x.recip();
        let second = -(r * r);
        return [value, r, second, l(-2.0) * second * r, l(-6.0) * second * second];
    }
    let difference = (x - one) * (x + one);
    let first = difference.sqrt().recip();
    let second = -x * first / difference;
    let square = x * x;
    [
        value,
        first,
        second,
        first * (l(2.0) * square + one) / difference / difference,
        second * (l(6.0) * square + l(9.0)) / difference / difference,
    ]
}

/// 1 - x^2 is taken as (1-x)(1+x), which is exact near |x| = 1.
#[inline]
pub(crate) fn atanh<R: Real>(x: R) -> Jet<R> {
    let l = R::literal;
    let one = R::one();
    let value = x.atanh();
    let complement = (one - x) * (one + x);
    if complement < R::zero() {
        return undefined(value);
    }
    let square = x * x;
    let first = complement.recip();
    let second = l(2.0) * x * first * first;
    [
        value,
        first,
        second,
        (l(2.0) + l(6.0) * square) * first * first * first,
        l(12.0) * second * (one + square) * first * first,
    ]
}
