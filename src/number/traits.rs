//! The traits of the crate `num-traits`, so that code written for `T: Float` runs unchanged.

use core::cmp::Ordering;
use core::num::FpCategory;

use num_traits::{
    Bounded, Float, FloatConst, FromPrimitive, Inv, MulAdd, MulAddAssign, Num, NumCast, One, Pow, Signed, ToPrimitive, Zero,
};

use super::{Const, Dual, FormDual, HyperDual, Packed, RectangularHyperDual, Scalar, TraceDual};

/// Methods that have the same name and meaning as inherent ones.
macro_rules! forward {
    ($number:ident: $($name:ident($($argument:ident: $type:ty),*) -> $result:ty;)*) => {$(
        #[inline]
        fn $name(self $(, $argument: $type)*) -> $result {
            $number::$name(self $(, $argument)*)
        }
    )*};
}

/// Methods that make a constant from the method of the same name of the value's type.
macro_rules! constants {
    ($trait:ident: $($name:ident)*) => {$(
        #[inline]
        #[allow(non_snake_case)]
        fn $name() -> Self {
            Self::constant(<T as $trait>::$name())
        }
    )*};
}

/// Methods that look at the value alone.
macro_rules! of_value {
    ($($name:ident -> $result:ty;)*) => {$(
        #[inline]
        fn $name(self) -> $result {
            self.value.$name()
        }
    )*};
}

macro_rules! to_primitive {
    ($($name:ident -> $result:ty;)*) => {$(
        #[inline]
        fn $name(&self) -> Option<$result> {
            self.value.$name()
        }
    )*};
}

macro_rules! traits {
    ($number:ident [$($size:ident)*] [$($bound:tt)*] order $order:literal) => {
        impl<T: Scalar, $(const $size: usize),*> $number<T, $($size),*> $($bound)* {
            pub(super) const OWN_ORDER: usize = $order;
        }

        impl<T: Scalar, $(const $size: usize),*> PartialEq for $number<T, $($size),*> $($bound)* {
            /// Compares values only, so that a program branches as its plain version does.
            #[inline]
            fn eq(&self, other: &Self) -> bool {
                self.value == other.value
            }
        }

        impl<T: Scalar, $(const $size: usize),*> PartialOrd for $number<T, $($size),*> $($bound)* {
            /// Compares values only, so that a program branches as its plain version does.
            #[inline]
            fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
                self.value.partial_cmp(&other.value)
            }
        }

        impl<T: Scalar, $(const $size: usize),*> PartialEq<T> for $number<T, $($size),*> $($bound)* {
            #[inline]
            fn eq(&self, other: &T) -> bool {
                self.value == *other
            }
        }

        impl<T: Scalar, $(const $size: usize),*> PartialOrd<T> for $number<T, $($size),*> $($bound)* {
            #[inline]
            fn partial_cmp(&self, other: &T) -> Option<Ordering> {
                self.value.partial_cmp(other)
            }
        }

        impl<T: Scalar, $(const $size: usize),*> Zero for $number<T, $($size),*> $($bound)* {
            #[inline]
            fn zero() -> Self {
                Self::constant(T::zero())
            }

            /// Looks at every component, unlike `==`: a loop that stops at a zero must not lose a derivative.
            #[inline]
            fn is_zero(&self) -> bool {
                $number::is_zero(self)
            }
        }

        impl<T: Scalar, $(const $size: usize),*> One for $number<T, $($size),*> $($bound)* {
            #[inline]
            fn one() -> Self {
                Self::constant(T::one())
            }

            /// Looks at every component, unlike `==`.
            #[inline]
            fn is_one(&self) -> bool {
                $number::is_one(self)
            }
        }

        impl<T: Scalar, $(const $size: usize),*> Num for $number<T, $($size),*> $($bound)* {
            type FromStrRadixErr = T::FromStrRadixErr;

            fn from_str_radix(text: &str, radix: u32) -> Result<Self, Self::FromStrRadixErr> {
                T::from_str_radix(text, radix).map(Self::constant)
            }
        }

        impl<T: Scalar, $(const $size: usize),*> Signed for $number<T, $($size),*> $($bound)* {
            #[inline]
            fn abs(&self) -> Self {
                $number::abs(*self)
            }

            #[inline]
            fn abs_sub(&self, other: &Self) -> Self {
                $number::abs_sub(*self, *other)
            }

            #[inline]
            fn signum(&self) -> Self {
                $number::signum(*self)
            }

            #[inline]
            fn is_positive(&self) -> bool {
                self.value.is_sign_positive()
            }

            #[inline]
            fn is_negative(&self) -> bool {
                self.value.is_sign_negative()
            }
        }

        impl<T: Scalar, $(const $size: usize),*> ToPrimitive for $number<T, $($size),*> $($bound)* {
            to_primitive! {
                to_i64 -> i64; to_u64 -> u64; to_i128 -> i128; to_u128 -> u128; to_f32 -> f32; to_f64 -> f64;
            }
        }

        impl<T: Scalar, $(const $size: usize),*> NumCast for $number<T, $($size),*> $($bound)* {
            #[inline]
            fn from<P: ToPrimitive>(number: P) -> Option<Self> {
                <T as NumCast>::from(number).map(Self::constant)
            }
        }

        impl<T: Scalar, $(const $size: usize),*> FromPrimitive for $number<T, $($size),*> $($bound)* {
            #[inline]
            fn from_i64(number: i64) -> Option<Self> {
                T::from_i64(number).map(Self::constant)
            }

            #[inline]
            fn from_u64(number: u64) -> Option<Self> {
                T::from_u64(number).map(Self::constant)
            }

            #[inline]
            fn from_i128(number: i128) -> Option<Self> {
                T::from_i128(number).map(Self::constant)
            }

            #[inline]
            fn from_u128(number: u128) -> Option<Self> {
                T::from_u128(number).map(Self::constant)
            }

            #[inline]
            fn from_f64(number: f64) -> Option<Self> {
                T::from_f64(number).map(Self::constant)
            }
        }

        impl<T: Scalar, $(const $size: usize),*> Bounded for $number<T, $($size),*> $($bound)* {
            constants!(Float: min_value max_value);
        }

        impl<T: Scalar, $(const $size: usize),*> FloatConst for $number<T, $($size),*> $($bound)* {
            constants! {
                FloatConst: E FRAC_1_PI FRAC_1_SQRT_2 FRAC_2_PI FRAC_2_SQRT_PI FRAC_PI_2 FRAC_PI_3 FRAC_PI_4 FRAC_PI_6
                FRAC_PI_8 LN_10 LN_2 LOG10_E LOG2_E PI SQRT_2 TAU LOG10_2 LOG2_10
            }
        }

        impl<T: Scalar, $(const $size: usize),*> Inv for $number<T, $($size),*> $($bound)* {
            type Output = Self;
            #[inline]
            fn inv(self) -> Self {
                self.recip()
            }
        }

        impl<T: Scalar, $(const $size: usize),*> MulAdd for $number<T, $($size),*> $($bound)* {
            type Output = Self;
            #[inline]
            fn mul_add(self, a: Self, b: Self) -> Self {
                $number::mul_add(self, a, b)
            }
        }

        impl<T: Scalar, $(const $size: usize),*> MulAddAssign for $number<T, $($size),*> $($bound)* {
            #[inline]
            fn mul_add_assign(&mut self, a: Self, b: Self) {
                *self = $number::mul_add(*self, a, b);
            }
        }

        impl<T: Scalar, $(const $size: usize),*> Pow<i32> for $number<T, $($size),*> $($bound)* {
            type Output = Self;
            #[inline]
            fn pow(self, exponent: i32) -> Self {
                self.powi(exponent)
            }
        }

        impl<T: Scalar, $(const $size: usize),*> Pow<T> for $number<T, $($size),*> $($bound)* {
            type Output = Self;
            #[inline]
            fn pow(self, exponent: T) -> Self {
                self.powf(exponent)
            }
        }

        impl<T: Scalar, $(const $size: usize),*> Pow<Self> for $number<T, $($size),*> $($bound)* {
            type Output = Self;
            #[inline]
            fn pow(self, exponent: Self) -> Self {
                self.powf(exponent)
            }
        }

        impl<T: Scalar, $(const $size: usize),*> Float for $number<T, $($size),*> $($bound)* {
            constants! {
                Float: nan infinity neg_infinity neg_zero min_value min_positive_value max_value epsilon
            }

            of_value! {
                is_infinite -> bool; is_normal -> bool; classify -> FpCategory; is_sign_positive -> bool;
                is_sign_negative -> bool; integer_decode -> (u64, i16, i8);
            }

            forward! {
                $number:
                is_nan() -> bool; is_finite() -> bool;
                floor() -> Self; ceil() -> Self; round() -> Self; trunc() -> Self; fract() -> Self;
                abs() -> Self; signum() -> Self;
                mul_add(a: Self, b: Self) -> Self;
                recip() -> Self; powi(exponent: i32) -> Self; powf(exponent: Self) -> Self; sqrt() -> Self; cbrt() -> Self;
                exp() -> Self; exp2() -> Self; exp_m1() -> Self;
                ln() -> Self; ln_1p() -> Self; log(base: Self) -> Self; log2() -> Self; log10() -> Self;
                max(other: Self) -> Self; min(other: Self) -> Self; clamp(low: Self, high: Self) -> Self;
                abs_sub(other: Self) -> Self; copysign(sign: Self) -> Self;
                hypot(other: Self) -> Self; atan2(x: Self) -> Self;
                sin() -> Self; cos() -> Self; tan() -> Self; sin_cos() -> (Self, Self);
                asin() -> Self; acos() -> Self; atan() -> Self;
                sinh() -> Self; cosh() -> Self; tanh() -> Self; asinh() -> Self; acosh() -> Self; atanh() -> Self;
                to_degrees() -> Self; to_radians() -> Self;
            }
        }
    };
}

traits!(Dual [N] [] order 1);
traits!(HyperDual [N] [where Const<N>: Packed] order 2);
traits!(RectangularHyperDual [M N] [] order 2);
traits!(TraceDual [N] [] order 2);
traits!(FormDual [N] [] order 2);
