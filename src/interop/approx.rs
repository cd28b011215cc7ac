//! approx: comparisons within a tolerance that look at every derivative as well. (`==` looks at the value alone.)
//!
//! The tolerance is a number, as nalgebra wants it; its value is the tolerance of every component.

use approx::{AbsDiffEq, RelativeEq, UlpsEq};

use crate::number::{Const, Dual, FormDual, HyperDual, Packed, RectangularHyperDual, Scalar, TraceDual};

macro_rules! approx {
    ($number:ident [$($size:ident)*] [$($bound:tt)*]) => {
        impl<T: Scalar + AbsDiffEq<Epsilon = T>, $(const $size: usize),*> AbsDiffEq for $number<T, $($size),*> $($bound)* {
            type Epsilon = Self;

            fn default_epsilon() -> Self {
                Self::constant(T::default_epsilon())
            }

            fn abs_diff_eq(&self, other: &Self, epsilon: Self) -> bool {
                self.components().zip(other.components()).all(|(a, b)| a.abs_diff_eq(b, epsilon.value()))
            }
        }

        impl<T: Scalar + RelativeEq<Epsilon = T>, $(const $size: usize),*> RelativeEq for $number<T, $($size),*> $($bound)* {
            fn default_max_relative() -> Self {
                Self::constant(T::default_max_relative())
            }

            fn relative_eq(&self, other: &Self, epsilon: Self, max_relative: Self) -> bool {
                let close = |(a, b): (&T, &T)| a.relative_eq(b, epsilon.value(), max_relative.value());
                self.components().zip(other.components()).all(close)
            }
        }

        impl<T: Scalar + UlpsEq<Epsilon = T>, $(const $size: usize),*> UlpsEq for $number<T, $($size),*> $($bound)* {
            fn default_max_ulps() -> u32 {
                T::default_max_ulps()
            }

            fn ulps_eq(&self, other: &Self, epsilon: Self, max_ulps: u32) -> bool {
                self.components().zip(other.components()).all(|(a, b)| a.ulps_eq(b, epsilon.value(), max_ulps))
            }
        }
    };
}

approx!(Dual [N] []);
approx!(HyperDual [N] [where Const<N>: Packed]);
approx!(RectangularHyperDual [M N] []);
approx!(TraceDual [N] []);
approx!(FormDual [N] []);
