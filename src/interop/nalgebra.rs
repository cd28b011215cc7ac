//! nalgebra: numbers in its vectors, matrices and solvers.
//!
//! nalgebra sees a number as a real one (its traits live in the crate simba). Every method is written out: the defaults there
//! are made for plain floats and drop or break derivatives, such as that of sinh(x)/x at 0.

use num_traits::{Float, FloatConst};
use simba::scalar::{ComplexField, Field, RealField, SubsetOf};
use simba::simd::{PrimitiveSimdValue, SimdValue};

use crate::number::{Const, Dual, HyperDual, Packed, Scalar};

/// Methods that have the same name and meaning as inherent ones.
macro_rules! forward {
    ($number:ident: $($name:ident($($argument:ident: $type:ty),*) -> $result:ty;)*) => {$(
        #[inline]
        fn $name(self $(, $argument: $type)*) -> $result {
            $number::$name(self $(, $argument)*)
        }
    )*};
}

/// Constants with another name than in num-traits.
macro_rules! constants {
    ($($name:ident = $constant:ident;)*) => {$(
        #[inline]
        fn $name() -> Self {
            <Self as FloatConst>::$constant()
        }
    )*};
}

/// sinh(x)/x for |x| < 1, where the quotient's derivatives would lose their digits: the sum of x^(2k)/(2k+1)!.
fn hyperbolic_sinc_series<S: Scalar>(x: S) -> S {
    // The first term left out is smaller than 1/21! = 2e-20.
    const TERMS: i32 = 10;
    let square = x * x;
    (1..TERMS).rev().fold(S::one(), |sum, k| {
        let step = S::literal(f64::from(2 * k * (2 * k + 1)));
        S::one() + square * sum / step
    })
}

macro_rules! nalgebra {
    ($number:ident [$($bound:tt)*]) => {
        impl<T: Scalar, const N: usize> SimdValue for $number<T, N> $($bound)* {
            const LANES: usize = 1;
            type Element = Self;
            type SimdBool = bool;

            #[inline(always)]
            fn splat(number: Self) -> Self {
                number
            }

            #[inline(always)]
            fn extract(&self, _: usize) -> Self {
                *self
            }

            // SAFETY: nothing is unsafe here; there is one lane, whatever the index.
            #[allow(unsafe_code)]
            #[inline(always)]
            unsafe fn extract_unchecked(&self, _: usize) -> Self {
                *self
            }

            #[inline(always)]
            fn replace(&mut self, _: usize, number: Self) {
                *self = number;
            }

            // SAFETY: nothing is unsafe here; there is one lane, whatever the index.
            #[allow(unsafe_code)]
            #[inline(always)]
            unsafe fn replace_unchecked(&mut self, _: usize, number: Self) {
                *self = number;
            }

            #[inline(always)]
            fn select(self, condition: bool, other: Self) -> Self {
                if condition { self } else { other }
            }
        }

        impl<T: Scalar, const N: usize> PrimitiveSimdValue for $number<T, N> $($bound)* {}

        impl<T: Scalar, const N: usize> Field for $number<T, N> $($bound)* {}

        impl<T: Scalar, const N: usize> SubsetOf<Self> for $number<T, N> $($bound)* {
            #[inline]
            fn to_superset(&self) -> Self {
                *self
            }

            #[inline]
            fn from_superset_unchecked(number: &Self) -> Self {
                *number
            }

            #[inline]
            fn is_in_subset(_: &Self) -> bool {
                true
            }
        }

        nalgebra!(@plain f32 in $number [$($bound)*]);
        nalgebra!(@plain f64 in $number [$($bound)*]);

        impl<T: Scalar + RealField, const N: usize> ComplexField for $number<T, N> $($bound)* {
            type RealField = Self;

            #[inline]
            fn from_real(number: Self) -> Self {
                number
            }

            #[inline]
            fn real(self) -> Self {
                self
            }

            #[inline]
            fn imaginary(self) -> Self {
                Self::constant(T::zero())
            }

            #[inline]
            fn modulus(self) -> Self {
                $number::abs(self)
            }

            #[inline]
            fn modulus_squared(self) -> Self {
                self * self
            }

            /// 0 for positive numbers, pi for negative ones.
            #[inline]
            fn argument(self) -> Self {
                Self::constant(if $number::value(&self) >= T::zero() { T::zero() } else { <T as FloatConst>::PI() })
            }

            #[inline]
            fn norm1(self) -> Self {
                $number::abs(self)
            }

            #[inline]
            fn scale(self, factor: Self) -> Self {
                self * factor
            }

            #[inline]
            fn unscale(self, factor: Self) -> Self {
                self / factor
            }

            #[inline]
            fn to_polar(self) -> (Self, Self) {
                (self.modulus(), self.argument())
            }

            #[inline]
            fn to_exp(self) -> (Self, Self) {
                let one = Self::constant(T::one());
                if $number::value(&self) >= T::zero() { (self, one) } else { (-self, -one) }
            }

            #[inline]
            fn conjugate(self) -> Self {
                self
            }

            #[inline]
            fn sinh_cosh(self) -> (Self, Self) {
                ($number::sinh(self), $number::cosh(self))
            }

            #[inline]
            fn sinhc(self) -> Self {
                let value = $number::value(&self);
                if Float::abs(value.primitive()) < T::literal(1.0).primitive() {
                    hyperbolic_sinc_series(self).with_value(ComplexField::sinhc(value))
                } else {
                    $number::sinh(self) / self
                }
            }

            /// cos(x)/x, and 1 at 0 as for plain floats; the derivatives there are not finite.
            #[inline]
            fn cosc(self) -> Self {
                ($number::cos(self) / self).with_value(ComplexField::cosc($number::value(&self)))
            }

            /// cosh(x)/x, and 1 at 0 as for plain floats; the derivatives there are not finite.
            #[inline]
            fn coshc(self) -> Self {
                ($number::cosh(self) / self).with_value(ComplexField::coshc($number::value(&self)))
            }

            #[inline]
            fn powc(self, exponent: Self) -> Self {
                $number::powf(self, exponent)
            }

            #[inline]
            fn is_finite(&self) -> bool {
                $number::is_finite(*self)
            }

            #[inline]
            fn try_sqrt(self) -> Option<Self> {
                ($number::value(&self) >= T::zero()).then(|| $number::sqrt(self))
            }

            forward! {
                $number:
                signum() -> Self; floor() -> Self; ceil() -> Self; round() -> Self; trunc() -> Self; fract() -> Self;
                mul_add(a: Self, b: Self) -> Self; abs() -> Self; hypot(other: Self) -> Self; recip() -> Self;
                sin() -> Self; cos() -> Self; sin_cos() -> (Self, Self); tan() -> Self;
                asin() -> Self; acos() -> Self; atan() -> Self;
                sinh() -> Self; cosh() -> Self; tanh() -> Self; asinh() -> Self; acosh() -> Self; atanh() -> Self;
                sinc() -> Self; log(base: Self) -> Self; log2() -> Self; log10() -> Self; ln() -> Self; ln_1p() -> Self;
                sqrt() -> Self; exp() -> Self; exp2() -> Self; exp_m1() -> Self;
                powi(exponent: i32) -> Self; powf(exponent: Self) -> Self; cbrt() -> Self;
            }
        }

        impl<T: Scalar + RealField, const N: usize> RealField for $number<T, N> $($bound)* {
            #[inline]
            fn is_sign_positive(&self) -> bool {
                Float::is_sign_positive($number::value(self))
            }

            #[inline]
            fn is_sign_negative(&self) -> bool {
                Float::is_sign_negative($number::value(self))
            }

            forward! {
                $number:
                copysign(sign: Self) -> Self; max(other: Self) -> Self; min(other: Self) -> Self;
                clamp(low: Self, high: Self) -> Self; atan2(x: Self) -> Self;
            }

            #[inline]
            fn min_value() -> Option<Self> {
                Some(<Self as Float>::min_value())
            }

            #[inline]
            fn max_value() -> Option<Self> {
                Some(<Self as Float>::max_value())
            }

            constants! {
                pi = PI; two_pi = TAU; frac_pi_2 = FRAC_PI_2; frac_pi_3 = FRAC_PI_3; frac_pi_4 = FRAC_PI_4;
                frac_pi_6 = FRAC_PI_6; frac_pi_8 = FRAC_PI_8; frac_1_pi = FRAC_1_PI; frac_2_pi = FRAC_2_PI;
                frac_2_sqrt_pi = FRAC_2_SQRT_PI; e = E; log2_e = LOG2_E; log10_e = LOG10_E; ln_2 = LN_2; ln_10 = LN_10;
            }
        }
    };
    // A plain float is a constant.
    (@plain $float:ident in $number:ident [$($bound:tt)*]) => {
        impl<T: Scalar, const N: usize> SubsetOf<$number<T, N>> for $float $($bound)* {
            #[inline]
            fn to_superset(&self) -> $number<T, N> {
                $number::constant(T::literal((*self).into()))
            }

            #[inline]
            fn from_superset_unchecked(number: &$number<T, N>) -> Self {
                num_traits::AsPrimitive::<f64>::as_(number.primitive()) as Self
            }

            #[inline]
            fn is_in_subset(number: &$number<T, N>) -> bool {
                number.is_constant()
            }
        }
    };
}

nalgebra!(Dual []);
nalgebra!(HyperDual [where Const<N>: Packed]);
