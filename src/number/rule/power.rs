//! Powers and roots with a plain exponent.

use num_traits::Float;

use super::{Jet, MAX_ORDER, Real, constant};

#[inline]
pub(crate) fn recip<R: Real>(x: R) -> Jet<R> {
    let l = R::literal;
    let r = x.recip();
    let second = l(2.0) * r * r * r;
    [r, -(r * r), second, l(-3.0) * second * r, l(12.0) * second * r * r]
}

#[inline]
pub(crate) fn sqrt<R: Real>(x: R) -> Jet<R> {
    let l = R::literal;
    let root = x.sqrt();
    // At -0 the root is -0; the limit is taken inside the domain.
    let first = l(0.5) / root.abs();
    let x = if x == R::zero() { R::zero() } else { x };
    let second = l(-0.5) * first / x;
    let third = l(-1.5) * second / x;
    [root, first, second, third, l(-2.5) * third / x]
}

#[inline]
pub(crate) fn cbrt<R: Real>(x: R) -> Jet<R> {
    let l = R::literal;
    let root = x.cbrt();
    let first = (l(3.0) * root * root).recip();
    let second = l(-2.0) * first / (l(3.0) * x);
    let third = l(-5.0) * second / (l(3.0) * x);
    [root, first, second, third, l(-8.0) * third / (l(3.0) * x)]
}

/// x^n for a plain integer. A derivative whose coefficient n(n-1).. is zero is zero, also at x = 0.
#[inline(always)]
pub(crate) fn powi<R: Real>(x: R, exponent: i32) -> Jet<R> {
    // Squares are too common to go through the loop.
    if exponent == 2 {
        [x.powi(2), R::literal(2.0) * x, R::literal(2.0), R::zero(), R::zero()]
    } else {
        any_powi(x, exponent)
    }
}

#[inline]
fn any_powi<R: Real>(x: R, exponent: i32) -> Jet<R> {
    let mut jet = constant(x.powi(exponent));
    let mut coefficient = 1.0;
    for (order, entry) in jet.iter_mut().enumerate().skip(1) {
        let lowered = i64::from(exponent) - order as i64;
        coefficient *= (lowered + 1) as f64;
        if coefficient == 0.0 {
            break;
        }
        *entry = integer_power(coefficient, x, lowered);
    }
    jet
}

/// coefficient * x^n: by multiplication while that is within 4 units in the last place, else by the general power of an
/// f64, which holds every exponent of an i32 and its neighbours exactly.
#[inline]
fn integer_power<R: Real>(coefficient: f64, x: R, exponent: i64) -> R {
    match exponent {
        0 => R::literal(coefficient),
        1 => R::literal(coefficient) * x,
        2 => R::literal(coefficient) * (x * x),
        3..=6 => R::literal(coefficient) * x.powi(exponent as i32),
        _ => R::literal(coefficient * Float::powf(x.as_(), exponent as f64)),
    }
}

/// x^p for a plain exponent. A derivative whose coefficient p(p-1).. is zero is zero, also at x = 0.
#[inline]
pub(crate) fn powf<R: Real>(x: R, exponent: R) -> Jet<R> {
    let mut jet = constant(x.powf(exponent));
    let mut coefficient = R::one();
    for order in 1..=MAX_ORDER {
        let factor = exponent - R::literal((order - 1) as f64);
        coefficient *= factor;
        if coefficient == R::zero() {
            break;
        }
        // Dividing by x keeps the digits that a rounded exponent p - 1 would lose, but only between the ends of the range.
        let divided = factor * (jet[order - 1] / x);
        jet[order] = if divided.is_normal() && jet[order - 1].is_normal() {
            divided
        } else {
            scaled_power(coefficient, x, exponent - R::literal(order as f64))
        };
    }
    jet
}

/// coefficient * x^p, also where the power alone leaves the float's range.
#[inline]
fn scaled_power<R: Real>(coefficient: R, x: R, exponent: R) -> R {
    let power = x.powf(exponent);
    if power.is_normal() || x <= R::zero() {
        return coefficient * power;
    }
    let root = x.powf(exponent * R::literal(0.5));
    coefficient * root * root
}
