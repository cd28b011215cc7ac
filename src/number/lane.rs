//! What the rules of activations are written for: one plain float, or a vector of them in a SIMD register.

use core::ops::{Add, Div, Mul, Neg, Sub};

/// A plain float or a vector of plain floats, with what the rules of activations need. There are no branches on values, since
/// the lanes of a vector can't take different ones: both sides are computed and one is selected.
///
/// The functions have long names so that they don't clash with those of `num_traits::Float`. For a plain float they are the
/// float's own.
pub trait Lane:
    Copy + Neg<Output = Self> + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self>
{
    /// The result of a comparison.
    type Mask: Copy;

    /// A constant beside `self`.
    fn constant(self, value: f64) -> Self;

    /// What the rounding of `value + rest` to the float leaves, beside `self`.
    fn constant_rest(self, value: f64, rest: f64) -> Self;

    /// Whether self < other; false for NaN.
    fn less(self, other: Self) -> Self::Mask;

    /// `self` where the mask holds, else `other`.
    fn or_else(self, mask: Self::Mask, other: Self) -> Self;

    /// The absolute value.
    fn magnitude(self) -> Self;

    /// The magnitude of `self` with the sign of `sign`.
    fn with_sign_of(self, sign: Self) -> Self;

    /// The float with the lower half of its significand cleared, so that its square is exact.
    fn upper_half(self) -> Self;

    /// e^x.
    fn exponential(self) -> Self;

    /// e^-x and 1 - e^-x for x >= 0.
    fn decay(self) -> (Self, Self);

    /// tanh(x) and its slope. The slope goes through e = exp(-2|x|) as 4e/(1+e)^2 where 1 - tanh^2 has no digits left (none at
    /// x = 20) and 1/cosh^2 overflows.
    fn hyperbolic_tangent(self) -> (Self, Self);

    /// ln(1 + x) for 0 <= x <= 1.
    fn logarithm_of_one_plus(self) -> Self;

    /// Sine and cosine.
    fn sine_and_cosine(self) -> (Self, Self);

    /// The error function.
    fn error_function(self) -> Self;

    /// The complementary error function.
    fn complementary_error_function(self) -> Self;
}

macro_rules! plain_lane {
    ($float:ident, $upper_half:literal, $erf:path, $erfc:path) => {
        impl Lane for $float {
            type Mask = bool;

            #[inline(always)]
            fn constant(self, value: f64) -> Self {
                value as $float
            }

            #[inline(always)]
            fn constant_rest(self, value: f64, rest: f64) -> Self {
                (value - f64::from(value as $float) + rest) as $float
            }

            #[inline(always)]
            fn less(self, other: Self) -> bool {
                self < other
            }

            #[inline(always)]
            fn or_else(self, mask: bool, other: Self) -> Self {
                if mask { self } else { other }
            }

            #[inline(always)]
            fn magnitude(self) -> Self {
                num_traits::Float::abs(self)
            }

            #[inline(always)]
            fn with_sign_of(self, sign: Self) -> Self {
                num_traits::Float::copysign(self, sign)
            }

            #[inline(always)]
            fn upper_half(self) -> Self {
                Self::from_bits(self.to_bits() & $upper_half)
            }

            #[inline(always)]
            fn exponential(self) -> Self {
                num_traits::Float::exp(self)
            }

            #[inline(always)]
            fn decay(self) -> (Self, Self) {
                (num_traits::Float::exp(-self), -num_traits::Float::exp_m1(-self))
            }

            #[inline(always)]
            fn hyperbolic_tangent(self) -> (Self, Self) {
                let t = num_traits::Float::tanh(self);
                if t.magnitude() <= 0.5 {
                    // No digits are lost here yet, and a function is saved.
                    return (t, (1.0 - t) * (1.0 + t));
                }
                let e = num_traits::Float::exp(-2.0 * self.magnitude());
                let sum = 1.0 + e;
                (t, 4.0 * e / (sum * sum))
            }

            #[inline(always)]
            fn logarithm_of_one_plus(self) -> Self {
                num_traits::Float::ln_1p(self)
            }

            #[inline(always)]
            fn sine_and_cosine(self) -> (Self, Self) {
                num_traits::Float::sin_cos(self)
            }

            #[inline(always)]
            fn error_function(self) -> Self {
                $erf(self)
            }

            #[inline(always)]
            fn complementary_error_function(self) -> Self {
                $erfc(self)
            }
        }
    };
}

plain_lane!(f32, 0xffff_f000, libm::erff, libm::erfcf);
plain_lane!(f64, 0xffff_ffff_f800_0000, libm::erf, libm::erfc);
