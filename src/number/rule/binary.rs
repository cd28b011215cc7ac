//! Functions of two numbers: their value and local partials, generic over the scalar, so that they nest by themselves.

use crate::number::Scalar;

/// Value and local partial derivatives of a function of two numbers.
pub(crate) struct Partials<T> {
    pub value: T,
    pub a: T,
    pub b: T,
    pub aa: T,
    pub ab: T,
    pub bb: T,
}

/// Where both arguments are 0 the derivatives are NaN: the distance has no derivative there.
#[inline]
pub(crate) fn hypot<T: Scalar>(a: T, b: T) -> Partials<T> {
    let value = a.hypot(b);
    // Cosine and sine of the direction; squares of a and b could overflow.
    let (cosine, sine) = (a / value, b / value);
    Partials {
        value,
        a: cosine,
        b: sine,
        aa: sine * sine / value,
        ab: -(cosine * sine) / value,
        bb: cosine * cosine / value,
    }
}

/// The angle of the point (x, y), y first as in the float's function.
#[inline]
pub(crate) fn atan2<T: Scalar>(y: T, x: T) -> Partials<T> {
    let distance = y.hypot(x);
    let (cosine, sine) = (x / distance, y / distance);
    let twice_product = T::literal(2.0) * cosine * sine / distance / distance;
    Partials {
        value: y.atan2(x),
        a: cosine / distance,
        b: -sine / distance,
        aa: -twice_product,
        ab: ((y - x) / distance) * ((y + x) / distance) / distance / distance,
        bb: twice_product,
    }
}

/// `base` to the power of a live `exponent`. For a base of 0 the terms with a logarithm take their limits.
#[inline]
pub(crate) fn pow<T: Scalar>(base: T, exponent: T) -> Partials<T> {
    let one = T::one();
    let value = base.powf(exponent);
    let lowered = lowered_power(value, base, exponent, one);
    let twice_lowered = lowered_power(lowered, base, exponent, T::literal(2.0));
    let curvature = exponent * (exponent - one);
    let aa = if curvature.is_zero() { T::zero() } else { curvature * twice_lowered };
    let a = if exponent.is_zero() { T::zero() } else { exponent * lowered };

    if base.primitive() == num_traits::Zero::zero() {
        // x^p ln(x)^k goes to 0 with x for p > 0, and has no limit else.
        let vanishing = |power: T, p: T| if p > T::zero() { T::zero() } else { power * base.ln() };
        let slope = vanishing(value, exponent);
        return Partials {
            value,
            a,
            b: slope,
            aa,
            ab: vanishing(lowered, exponent - one),
            bb: if exponent > T::zero() { T::zero() } else { slope * base.ln() },
        };
    }
    let logarithm = base.ln();
    let b = value * logarithm;
    Partials { value, a, b, aa, ab: lowered + a * logarithm, bb: b * logarithm }
}

/// base^(exponent - by), given `power` = base^(exponent - by + 1). Dividing keeps digits that a rounded exponent loses,
/// but only between the ends of the float's range.
#[inline]
fn lowered_power<T: Scalar>(power: T, base: T, exponent: T, by: T) -> T {
    let divided = power / base;
    if power.is_normal() && divided.is_normal() { divided } else { base.powf(exponent - by) }
}
