//! Functions of two numbers: their value and local partials, generic over the scalar, so that they nest by themselves.

use num_traits::{AsPrimitive, Float, One};

use crate::number::{Real, Scalar};

/// Value and local partial derivatives of a function of two numbers.
pub(crate) struct Partials<T> {
    pub value: T,
    pub a: T,
    pub b: T,
    pub aa: T,
    pub ab: T,
    pub bb: T,
}

/// A power of two by which two numbers can be multiplied so that their distance neither overflows nor loses digits to
/// underflow; mostly 1.
#[inline]
fn safe_scale<T: Scalar>(a: T, b: T) -> T::Primitive {
    let largest = a.primitive().abs().max(b.primitive().abs());
    let scale = |exponent: f64| T::literal(exponent).primitive();
    // For f32 the two powers are 2^60 and 2^-60, for f64 2^600 and 2^-600.
    let wide = T::Primitive::max_value().as_() > f64::from(f32::MAX);
    let (up, down) = if wide {
        (4.149_515_568_880_993e180, 2.409_919_865_102_884e-181)
    } else {
        (1.152_921_504_606_847e18, 8.673_617_379_884_035e-19)
    };
    if largest > scale(up) {
        scale(down)
    } else if largest < scale(down) {
        scale(up)
    } else {
        T::Primitive::one()
    }
}

/// Where both arguments are 0 the derivatives are NaN: the distance has no derivative there.
#[inline]
pub(crate) fn hypot<T: Scalar>(a: T, b: T) -> Partials<T> {
    let scale = safe_scale(a, b);
    let (scaled_a, scaled_b) = (a.scale(scale), b.scale(scale));
    let distance = scaled_a.hypot(scaled_b);
    let (cosine, sine) = direction(scaled_a, scaled_b);
    Partials {
        value: a.hypot(b),
        a: cosine,
        b: sine,
        aa: (sine * sine / distance).scale(scale),
        ab: -(cosine * sine / distance).scale(scale),
        bb: (cosine * cosine / distance).scale(scale),
    }
}

/// Cosine and sine of the direction of (a, b). Through the ratio of the smaller to the larger one: differentiated further,
/// a / distance would cancel.
#[inline]
fn direction<T: Scalar>(a: T, b: T) -> (T, T) {
    let of_larger = |larger: T, ratio: T| (T::one() + ratio * ratio).sqrt().recip().copysign(larger);
    if a.primitive().abs() >= b.primitive().abs() {
        let ratio = b / a;
        let cosine = of_larger(a, ratio);
        (cosine, ratio * cosine)
    } else {
        let ratio = a / b;
        let sine = of_larger(b, ratio);
        (ratio * sine, sine)
    }
}

/// The angle of the point (x, y), y first as in the float's function.
#[inline]
pub(crate) fn atan2<T: Scalar>(y: T, x: T) -> Partials<T> {
    let scale = safe_scale(y, x);
    let (scaled_y, scaled_x) = (y.scale(scale), x.scale(scale));
    let distance = scaled_y.hypot(scaled_x);
    let (cosine, sine) = (scaled_x / distance, scaled_y / distance);
    let twice_product = (T::literal(2.0) * cosine * sine / distance).scale(scale) / distance;
    let squares = ((scaled_y - scaled_x) / distance) * ((scaled_y + scaled_x) / distance);
    Partials {
        value: y.atan2(x),
        a: (cosine / distance).scale(scale),
        b: -(sine / distance).scale(scale),
        aa: -twice_product.scale(scale),
        ab: ((squares / distance).scale(scale) / distance).scale(scale),
        bb: twice_product.scale(scale),
    }
}

/// The logarithm of `a` to a live `base`.
#[inline]
pub(crate) fn log<T: Scalar>(a: T, base: T) -> Partials<T> {
    let value = a.log(base);
    if value.is_nan() {
        return Partials { value, a: value, b: value, aa: value, ab: value, bb: value };
    }
    let logarithm = base.ln();
    // An argument at one end of the range and a base at the other cancel.
    let scale = safe_scale(a, a);
    let by_a = logarithm.recip() / a;
    let by_base = -(value / logarithm) / base;
    Partials {
        value,
        a: by_a,
        b: by_base,
        aa: -by_a / a,
        ab: -(logarithm * logarithm).recip() / a.scale(scale) / base.scale(scale.recip()),
        bb: -by_base / base * ((logarithm + T::literal(2.0)) / logarithm),
    }
}

/// `base` to the power of a live `exponent`.
#[inline]
pub(crate) fn pow<T: Scalar>(base: T, exponent: T) -> Partials<T> {
    let one = T::one();
    let value = base.powf(exponent);
    if base.primitive() == num_traits::Zero::zero() {
        let limit = |i, j| base.power_at_zero(exponent, i, j);
        return Partials { value, a: limit(1, 0), b: limit(0, 1), aa: limit(2, 0), ab: limit(1, 1), bb: limit(0, 2) };
    }
    let lowered = lowered_power(one, value, one, base, exponent - one);
    let a = if exponent.is_zero() { T::zero() } else { exponent * lowered };
    let curvature = exponent * (exponent - one);
    let aa = if curvature.is_zero() {
        T::zero()
    } else {
        lowered_power(curvature, a, exponent - one, base, exponent - T::literal(2.0))
    };
    let logarithm = base.ln();
    let b = value * logarithm;
    Partials { value, a, b, aa, ab: lowered + a * logarithm, bb: b * logarithm }
}

/// `coefficient` * `base`^`exponent`, given the same with an exponent higher by one: `power`, which lacks the factor `step` of
/// the coefficient. Dividing keeps the digits that a rounded exponent loses, but only between the ends of the float's
/// range; beyond them the power is taken in two halves.
#[inline]
fn lowered_power<T: Scalar>(coefficient: T, power: T, step: T, base: T, exponent: T) -> T {
    let divided = power * step / base;
    if power.is_normal() && divided.is_normal() {
        return divided;
    }
    let lowered = base.powf(exponent);
    if lowered.is_normal() || base <= T::zero() {
        return coefficient * lowered;
    }
    let root = base.powf(exponent * T::literal(0.5));
    coefficient * root * root
}

/// The limit for x -> 0 from above of the i-th derivative by x and the j-th by y of x^y.
///
/// It is the sum over k of (j over k) c^(k)(y) ln(x)^(j-k) x^(y-i), with c(y) = y (y-1) .. (y-i+1), whose zeros are simple:
/// so the first term that is not zero is that of k = 0 or 1, and it rules.
pub(crate) fn power_at_zero<R: Real>(y: R, i: u32, j: u32) -> R {
    let factor = |n: u32| y - R::literal(f64::from(n));
    let product =
        |left_out: Option<u32>| (0..i).filter(|&n| Some(n) != left_out).fold(R::one(), |product, n| product * factor(n));
    let root = (0..i).find(|&n| factor(n) == R::zero());
    if root.is_some() && j == 0 {
        return R::zero();
    }
    let (coefficient, logarithms) = match root {
        None => (product(None), j),
        Some(_) => (product(root) * R::literal(f64::from(j)), j - 1),
    };
    let power = factor(i);
    if power > R::zero() {
        R::zero()
    } else if power == R::zero() && logarithms == 0 {
        coefficient
    } else {
        // ln(x) -> -inf; NaN stays NaN.
        let sign = if logarithms % 2 == 0 { R::one() } else { -R::one() };
        sign * coefficient * R::infinity()
    }
}
