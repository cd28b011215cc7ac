//! What the problems ask of a number, for every crate that is compared, so that each runs the same expression.

use std::ops::{Add, Div, Mul, Sub};

use echidna::{BReverse, DualVec};
use hyperjet::jets::Jet2;
use num_dual::{Dual2SVec64, DualNum, HyperDual64};
use num_traits::Float;
use tapeless::{Const, HyperDual, Packed};

/// A number of any of the crates. Plain numbers come in through methods, since a trait can't ask for `2.0 * x`.
pub trait Number: Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self> {
    fn plus(self, plain: f64) -> Self;
    fn times(self, plain: f64) -> Self;
    fn minus_from(self, plain: f64) -> Self;
    fn powi(self, exponent: i32) -> Self;
    fn sqrt(self) -> Self;
    fn exp(self) -> Self;
    fn ln(self) -> Self;
    fn sin(self) -> Self;
    fn tanh(self) -> Self;
}

/// A plain number as the crate takes it beside an operator; the type or trait with the functions, and whether they borrow.
macro_rules! number {
    ([$($generics:tt)*] $number:ty, plain $plain:expr, functions of $functions:ident [$($borrow:tt)*] $(, where $bounds:ty: $bound:ident)?) => {
        impl<$($generics)*> Number for $number $(where $bounds: $bound)? {
            #[inline(always)]
            fn plus(self, plain: f64) -> Self {
                self + $plain(plain)
            }

            #[inline(always)]
            fn times(self, plain: f64) -> Self {
                self * $plain(plain)
            }

            #[inline(always)]
            fn minus_from(self, plain: f64) -> Self {
                -self + $plain(plain)
            }

            #[inline(always)]
            fn powi(self, exponent: i32) -> Self {
                $functions::powi($($borrow)* self, exponent)
            }

            #[inline(always)]
            fn sqrt(self) -> Self {
                $functions::sqrt($($borrow)* self)
            }

            #[inline(always)]
            fn exp(self) -> Self {
                $functions::exp($($borrow)* self)
            }

            #[inline(always)]
            fn ln(self) -> Self {
                $functions::ln($($borrow)* self)
            }

            #[inline(always)]
            fn sin(self) -> Self {
                $functions::sin($($borrow)* self)
            }

            #[inline(always)]
            fn tanh(self) -> Self {
                $functions::tanh($($borrow)* self)
            }
        }
    };
}

/// The number as it is.
#[inline(always)]
fn itself(plain: f64) -> f64 {
    plain
}

number!([] f64, plain itself, functions of Float []);
number!([const N: usize] HyperDual<f64, N>, plain itself, functions of HyperDual [], where Const<N>: Packed);
number!([const N: usize] Dual2SVec64<N>, plain itself, functions of DualNum [&]);
number!([] HyperDual64, plain itself, functions of DualNum [&]);
number!([const N: usize, const H: usize] Jet2<N, H>, plain itself, functions of Jet2 []);
number!([const N: usize] DualVec<DualVec<f64, N>, N>, plain |plain| DualVec::constant(DualVec::constant(plain)), functions of Float []);
number!([] BReverse<f64>, plain itself, functions of Float []);
