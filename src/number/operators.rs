//! Arithmetic: owned, by reference and in place, with a plain number on either side.

use core::iter::{Product, Sum};
use core::ops::{Add, AddAssign, Div, DivAssign, Mul, MulAssign, Neg, Rem, RemAssign, Sub, SubAssign};

use super::strong::is_regular;
use super::{Const, Dual, FormDual, HyperDual, Packed, RectangularHyperDual, Scalar, TraceDual};

/// Whole divisions: the multiple that `a % b` takes away, from the remainder, because a / b alone may have been rounded up
/// to the next one.
#[inline]
fn multiples_removed<T: Scalar>(a: T, b: T, remainder: T) -> T {
    ((a - remainder) / b).round()
}

/// One operator between two numbers and between a number and a plain one: `$both(&a, &b)`, `$right(&a, plain)`,
/// `$left(plain, &b)`.
macro_rules! operator {
    (
        $number:ident [$($size:ident)*] [$($bound:tt)*], $trait:ident $method:ident, $assign:ident $assign_method:ident,
        $both:expr, $right:expr, $left:expr
    ) => {
        impl<T: Scalar, $(const $size: usize),*> $trait for $number<T, $($size),*> $($bound)* {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                $both(&self, &other)
            }
        }

        impl<T: Scalar, $(const $size: usize),*> $trait<&Self> for $number<T, $($size),*> $($bound)* {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: &Self) -> Self {
                $both(&self, other)
            }
        }

        impl<T: Scalar, $(const $size: usize),*> $trait<$number<T, $($size),*>> for &$number<T, $($size),*> $($bound)* {
            type Output = $number<T, $($size),*>;
            #[inline(always)]
            fn $method(self, other: $number<T, $($size),*>) -> $number<T, $($size),*> {
                $both(self, &other)
            }
        }

        impl<T: Scalar, $(const $size: usize),*> $trait for &$number<T, $($size),*> $($bound)* {
            type Output = $number<T, $($size),*>;
            #[inline(always)]
            fn $method(self, other: Self) -> $number<T, $($size),*> {
                $both(self, other)
            }
        }

        impl<T: Scalar, $(const $size: usize),*> $trait<T> for $number<T, $($size),*> $($bound)* {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: T) -> Self {
                $right(&self, other)
            }
        }

        impl<T: Scalar, $(const $size: usize),*> $trait<T> for &$number<T, $($size),*> $($bound)* {
            type Output = $number<T, $($size),*>;
            #[inline(always)]
            fn $method(self, other: T) -> $number<T, $($size),*> {
                $right(self, other)
            }
        }

        operator!(@plain_left $number [$($size)*] [$($bound)*], $trait $method, $left, f32);
        operator!(@plain_left $number [$($size)*] [$($bound)*], $trait $method, $left, f64);

        impl<T: Scalar, $(const $size: usize),*> $assign for $number<T, $($size),*> $($bound)* {
            #[inline(always)]
            fn $assign_method(&mut self, other: Self) {
                *self = $both(self, &other);
            }
        }

        impl<T: Scalar, $(const $size: usize),*> $assign<&Self> for $number<T, $($size),*> $($bound)* {
            #[inline(always)]
            fn $assign_method(&mut self, other: &Self) {
                *self = $both(self, other);
            }
        }

        impl<T: Scalar, $(const $size: usize),*> $assign<T> for $number<T, $($size),*> $($bound)* {
            #[inline(always)]
            fn $assign_method(&mut self, other: T) {
                *self = $right(self, other);
            }
        }
    };
    (@plain_left $number:ident [$($size:ident)*] [$($bound:tt)*], $trait:ident $method:ident, $left:expr, $plain:ty) => {
        impl<$(const $size: usize),*> $trait<$number<$plain, $($size),*>> for $plain $($bound)* {
            type Output = $number<$plain, $($size),*>;
            #[inline(always)]
            fn $method(self, other: $number<$plain, $($size),*>) -> $number<$plain, $($size),*> {
                $left(self, &other)
            }
        }

        impl<$(const $size: usize),*> $trait<&$number<$plain, $($size),*>> for $plain $($bound)* {
            type Output = $number<$plain, $($size),*>;
            #[inline(always)]
            fn $method(self, other: &$number<$plain, $($size),*>) -> $number<$plain, $($size),*> {
                $left(self, other)
            }
        }
    };
}

macro_rules! operators {
    ($number:ident [$($size:ident)*] [$($bound:tt)*]) => {
        impl<T: Scalar, $(const $size: usize),*> $number<T, $($size),*> $($bound)* {
            /// The product with a plain factor.
            #[inline(always)]
            fn times(&self, factor: T) -> Self {
                if !is_regular(factor) {
                    let singular = self.times_singular(factor);
                    return singular;
                }
                self.map(|x| x * factor)
            }

            // With a value computed here, or else the compiler takes that out of the fast path's vectors.
            #[cold]
            #[inline(never)]
            fn times_singular(self, factor: T) -> Self {
                self.scaled(self.value * factor, factor)
            }
        }

        operator!(
            $number [$($size)*] [$($bound)*], Add add, AddAssign add_assign,
            |a: &$number<_, $($size),*>, b: &$number<_, $($size),*>| a.zip(b, |a, b| a + b),
            |a: &$number<_, $($size),*>, plain| a.with_value(a.value + plain),
            |plain, b: &$number<_, $($size),*>| b.with_value(plain + b.value)
        );
        operator!(
            $number [$($size)*] [$($bound)*], Sub sub, SubAssign sub_assign,
            |a: &$number<_, $($size),*>, b: &$number<_, $($size),*>| a.zip(b, |a, b| a - b),
            |a: &$number<_, $($size),*>, plain| a.with_value(a.value - plain),
            |plain, b: &$number<_, $($size),*>| (-*b).with_value(plain - b.value)
        );
        operator!(
            $number [$($size)*] [$($bound)*], Mul mul, MulAssign mul_assign,
            |a: &$number<_, $($size),*>, b: &$number<_, $($size),*>| a.product(b),
            |a: &$number<_, $($size),*>, plain| a.times(plain),
            |plain, b: &$number<_, $($size),*>| b.times(plain)
        );
        operator!(
            $number [$($size)*] [$($bound)*], Div div, DivAssign div_assign,
            |a: &$number<_, $($size),*>, b: &$number<_, $($size),*>| a.quotient(b),
            |a: &$number<_, $($size),*>, plain| a.quotient(&$number::constant(plain)),
            |plain, b: &$number<_, $($size),*>| $number::constant(plain).quotient(b)
        );
        operator!(
            $number [$($size)*] [$($bound)*], Rem rem, RemAssign rem_assign,
            |a: &$number<_, $($size),*>, b: &$number<_, $($size),*>| {
                let remainder = a.value % b.value;
                let multiples = multiples_removed(a.value, b.value, remainder);
                a.zip(&b.scaled(b.value, multiples), |a, b| a - b).with_value(remainder)
            },
            |a: &$number<_, $($size),*>, plain| a.with_value(a.value % plain),
            |plain, b: &$number<_, $($size),*>| $number::constant(plain) % *b
        );

        impl<T: Scalar, $(const $size: usize),*> Neg for $number<T, $($size),*> $($bound)* {
            type Output = Self;
            #[inline(always)]
            fn neg(self) -> Self {
                self.map(|x| -x)
            }
        }

        impl<T: Scalar, $(const $size: usize),*> Neg for &$number<T, $($size),*> $($bound)* {
            type Output = $number<T, $($size),*>;
            #[inline(always)]
            fn neg(self) -> $number<T, $($size),*> {
                self.map(|x| -x)
            }
        }

        impl<T: Scalar, $(const $size: usize),*> Sum for $number<T, $($size),*> $($bound)* {
            fn sum<I: Iterator<Item = Self>>(numbers: I) -> Self {
                // As the float's own sum, which starts from -0.
                numbers.fold($number::constant(-T::zero()), |sum, x| sum + x)
            }
        }

        impl<'a, T: Scalar, $(const $size: usize),*> Sum<&'a Self> for $number<T, $($size),*> $($bound)* {
            fn sum<I: Iterator<Item = &'a Self>>(numbers: I) -> Self {
                numbers.copied().sum()
            }
        }

        impl<T: Scalar, $(const $size: usize),*> Product for $number<T, $($size),*> $($bound)* {
            fn product<I: Iterator<Item = Self>>(numbers: I) -> Self {
                numbers.fold($number::constant(T::one()), |product, x| product * x)
            }
        }

        impl<'a, T: Scalar, $(const $size: usize),*> Product<&'a Self> for $number<T, $($size),*> $($bound)* {
            fn product<I: Iterator<Item = &'a Self>>(numbers: I) -> Self {
                numbers.copied().product()
            }
        }
    };
}

operators!(Dual [N] []);
operators!(HyperDual [N] [where Const<N>: Packed]);
operators!(RectangularHyperDual [M N] []);
operators!(TraceDual [N] []);
operators!(FormDual [N] []);
