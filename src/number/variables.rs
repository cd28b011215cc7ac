//! Seeds and results of the numbers that carry one gradient.

use super::{Const, Dual, HyperDual, Packed, Scalar, TraceDual};

macro_rules! variables {
    ($number:ident [$($bound:tt)*]) => {
        impl<T: Scalar, const N: usize> $number<T, N> $($bound)* {
            /// Independent variable number `index`. (An index of N or more gives a constant.)
            #[inline]
            pub fn variable(value: T, index: usize) -> Self {
                let mut variable = Self::constant(value);
                if let Some(derivative) = variable.gradient.get_mut(index) {
                    *derivative = T::one();
                }
                variable
            }

            /// All `N` independent variables at a point.
            #[inline]
            pub fn variables(point: [T; N]) -> [Self; N] {
                core::array::from_fn(|i| Self::variable(point[i], i))
            }

            /// The gradient.
            #[inline]
            pub fn gradient(&self) -> [T; N] {
                self.gradient
            }
        }
    };
}

variables!(Dual []);
variables!(HyperDual [where Const<N>: Packed]);
variables!(TraceDual []);
