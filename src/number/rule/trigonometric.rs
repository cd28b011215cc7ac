//! Trigonometric functions, their inverses, and sinc.

use super::{Jet, Real, constant};

/// Through t = tan(x): every derivative is a polynomial in t with positive coefficients, so nothing cancels.
#[inline]
pub(crate) fn tan<R: Real>(x: R) -> Jet<R> {
    let l = R::literal;
    let t = x.tan();
    let square = t * t;
    let first = R::one() + square;
    let second = l(2.0) * t * first;
    [t, first, second, l(2.0) * first * (R::one() + l(3.0) * square), l(4.0) * second * (l(2.0) + l(3.0) * square)]
}

/// Derivatives of asin. 1 - x^2 is taken as (1-x)(1+x): near |x| = 1 the square would have lost the difference.
#[inline]
fn arcsine_derivatives<R: Real>(x: R) -> [R; 4] {
    let l = R::literal;
    let complement = (R::one() - x) * (R::one() + x);
    let square = x * x;
    let first = complement.sqrt().recip();
    let second = x * first / complement;
    let third = first / complement * (R::one() + l(2.0) * square) / complement;
    [first, second, third, second / complement * (l(9.0) + l(6.0) * square) / complement]
}

#[inline]
pub(crate) fn asin<R: Real>(x: R) -> Jet<R> {
    let [first, second, third, fourth] = arcsine_derivatives(x);
    [x.asin(), first, second, third, fourth]
}

#[inline]
pub(crate) fn acos<R: Real>(x: R) -> Jet<R> {
    let [first, second, third, fourth] = arcsine_derivatives(x);
    [x.acos(), -first, -second, -third, -fourth]
}

/// For |x| > 1 through 1/x, where x^2 could overflow.
#[inline]
pub(crate) fn atan<R: Real>(x: R) -> Jet<R> {
    let l = R::literal;
    let one = R::one();
    if x.abs() <= one {
        let square = x * x;
        let inverse = (one + square).recip();
        let first = inverse;
        let second = l(-2.0) * x * inverse * inverse;
        return [
            x.atan(),
            first,
            second,
            (l(6.0) * square - l(2.0)) * inverse * inverse * inverse,
            l(-12.0) * second * (one - square) * inverse * inverse,
        ];
    }
    let r = x.recip();
    let square = r * r;
    let inverse = (one + square).recip();
    let first = square * inverse;
    let second = l(-2.0) * r * square * inverse * inverse;
    [
        x.atan(),
        first,
        second,
        (l(6.0) - l(2.0) * square) * first * first * inverse,
        l(-12.0) * second * square * (square - one) * inverse * inverse,
    ]
}

/// sin(x)/x, with value 1 at 0. The closed forms divide small differences by powers of x, so below |x| = 2 each
/// derivative has its own series: f^(m)(x) = sum over 2k >= m of (-1)^k x^(2k-m) / ((2k+1) (2k-m)!).
#[inline]
pub(crate) fn sinc<R: Real>(x: R) -> Jet<R> {
    if x.is_infinite() {
        return constant(R::zero());
    }
    let value = if x == R::zero() { R::one() } else { x.sin() / x };
    if x.abs() < R::literal(2.0) {
        return [value, sinc_series(x, 1), sinc_series(x, 2), sinc_series(x, 3), sinc_series(x, 4)];
    }
    // x f = sin gives x f^(m) + m f^(m-1) = sin^(m).
    let (s, c) = x.sin_cos();
    let first = (c - value) / x;
    let second = (-s - R::literal(2.0) * first) / x;
    let third = (-c - R::literal(3.0) * second) / x;
    [value, first, second, third, (s - R::literal(4.0) * third) / x]
}

fn sinc_series<R: Real>(x: R, order: i32) -> R {
    // Terms below |x| = 2: the last is smaller than 2^26 / 26! = 1.7e-19.
    const LAST: i32 = 14;
    let first = (order + 1) / 2;
    let square = x * x;
    let mut sum = R::zero();
    for k in (first..=LAST).rev() {
        // Horner: multiply by x^2 over the step of the factorial, then add this term's 1/(2k+1).
        let (a, b) = (2 * k - order + 1, 2 * k - order + 2);
        sum = R::literal(f64::from(2 * k + 1)).recip() - square * sum / R::literal(f64::from(a * b));
    }
    // For odd orders the lowest power is x, for even ones 1.
    let lowest = if order % 2 == 1 { x } else { R::one() };
    if first % 2 == 1 { -lowest * sum } else { lowest * sum }
}
