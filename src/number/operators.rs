//! Arithmetic: owned, by reference and in place, with a plain number on either side.

use core::iter::{Product, Sum};
use core::ops::{Add, AddAssign, Div, DivAssign, Mul, MulAssign, Neg, Rem, RemAssign, Sub, SubAssign};

use super::{Const, Dual, HyperDual, Packed, Scalar};

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
        $number:ident [$($bound:tt)*], $trait:ident $method:ident, $assign:ident $assign_method:ident,
        $both:expr, $right:expr, $left:expr
    ) => {
        impl<T: Scalar, const N: usize> $trait for $number<T, N> $($bound)* {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                $both(&self, &other)
            }
        }

        impl<T: Scalar, const N: usize> $trait<&Self> for $number<T, N> $($bound)* {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: &Self) -> Self {
                $both(&self, other)
            }
        }

        impl<T: Scalar, const N: usize> $trait<$number<T, N>> for &$number<T, N> $($bound)* {
            type Output = $number<T, N>;
            #[inline(always)]
            fn $method(self, other: $number<T, N>) -> $number<T, N> {
                $both(self, &other)
            }
        }

        impl<T: Scalar, const N: usize> $trait for &$number<T, N> $($bound)* {
            type Output = $number<T, N>;
            #[inline(always)]
            fn $method(self, other: Self) -> $number<T, N> {
                $both(self, other)
            }
        }

        impl<T: Scalar, const N: usize> $trait<T> for $number<T, N> $($bound)* {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: T) -> Self {
                $right(&self, other)
            }
        }

        impl<T: Scalar, const N: usize> $trait<T> for &$number<T, N> $($bound)* {
            type Output = $number<T, N>;
            #[inline(always)]
            fn $method(self, other: T) -> $number<T, N> {
                $right(self, other)
            }
        }

        operator!(@plain_left $number [$($bound)*], $trait $method, $left, f32);
        operator!(@plain_left $number [$($bound)*], $trait $method, $left, f64);

        impl<T: Scalar, const N: usize> $assign for $number<T, N> $($bound)* {
            #[inline(always)]
            fn $assign_method(&mut self, other: Self) {
                *self = $both(self, &other);
            }
        }

        impl<T: Scalar, const N: usize> $assign<&Self> for $number<T, N> $($bound)* {
            #[inline(always)]
            fn $assign_method(&mut self, other: &Self) {
                *self = $both(self, other);
            }
        }

        impl<T: Scalar, const N: usize> $assign<T> for $number<T, N> $($bound)* {
            #[inline(always)]
            fn $assign_method(&mut self, other: T) {
                *self = $right(self, other);
            }
        }
    };
    (@plain_left $number:ident [$($bound:tt)*], $trait:ident $method:ident, $left:expr, $plain:ty) => {
        impl<const N: usize> $trait<$number<$plain, N>> for $plain $($bound)* {
            type Output = $number<$plain, N>;
            #[inline(always)]
            fn $method(self, other: $number<$plain, N>) -> $number<$plain, N> {
                $left(self, &other)
            }
        }

        impl<const N: usize> $trait<&$number<$plain, N>> for $plain $($bound)* {
            type Output = $number<$plain, N>;
            #[inline(always)]
            fn $method(self, other: &$number<$plain, N>) -> $number<$plain, N> {
                $left(self, other)
            }
        }
    };
}

macro_rules! operators {
    ($number:ident [$($bound:tt)*]) => {
        operator!(
            $number [$($bound)*], Add add, AddAssign add_assign,
            |a: &$number<_, N>, b: &$number<_, N>| a.zip(b, |a, b| a + b),
            |a: &$number<_, N>, plain| a.with_value(a.value + plain),
            |plain, b: &$number<_, N>| b.with_value(plain + b.value)
        );
        operator!(
            $number [$($bound)*], Sub sub, SubAssign sub_assign,
            |a: &$number<_, N>, b: &$number<_, N>| a.zip(b, |a, b| a - b),
            |a: &$number<_, N>, plain| a.with_value(a.value - plain),
            |plain, b: &$number<_, N>| (-*b).with_value(plain - b.value)
        );
        operator!(
            $number [$($bound)*], Mul mul, MulAssign mul_assign,
            |a: &$number<_, N>, b: &$number<_, N>| a.product(b),
            |a: &$number<_, N>, plain| a.scaled(a.value * plain, plain),
            |plain, b: &$number<_, N>| b.scaled(plain * b.value, plain)
        );
        operator!(
            $number [$($bound)*], Div div, DivAssign div_assign,
            |a: &$number<_, N>, b: &$number<_, N>| a.quotient(b),
            |a: &$number<_, N>, plain| a.quotient(&$number::constant(plain)),
            |plain, b: &$number<_, N>| $number::constant(plain).quotient(b)
        );
        operator!(
            $number [$($bound)*], Rem rem, RemAssign rem_assign,
            |a: &$number<_, N>, b: &$number<_, N>| {
                let remainder = a.value % b.value;
                let multiples = multiples_removed(a.value, b.value, remainder);
                a.zip(&b.scaled(b.value, multiples), |a, b| a - b).with_value(remainder)
            },
            |a: &$number<_, N>, plain| a.with_value(a.value % plain),
            |plain, b: &$number<_, N>| $number::constant(plain) % *b
        );

        impl<T: Scalar, const N: usize> Neg for $number<T, N> $($bound)* {
            type Output = Self;
            #[inline(always)]
            fn neg(self) -> Self {
                self.map(|x| -x)
            }
        }

        impl<T: Scalar, const N: usize> Neg for &$number<T, N> $($bound)* {
            type Output = $number<T, N>;
            #[inline(always)]
            fn neg(self) -> $number<T, N> {
                self.map(|x| -x)
            }
        }

        impl<T: Scalar, const N: usize> Sum for $number<T, N> $($bound)* {
            fn sum<I: Iterator<Item = Self>>(numbers: I) -> Self {
                // As the float's own sum, which starts from -0.
                numbers.fold($number::constant(-T::zero()), |sum, x| sum + x)
            }
        }

        impl<'a, T: Scalar, const N: usize> Sum<&'a Self> for $number<T, N> $($bound)* {
            fn sum<I: Iterator<Item = &'a Self>>(numbers: I) -> Self {
                numbers.copied().sum()
            }
        }

        impl<T: Scalar, const N: usize> Product for $number<T, N> $($bound)* {
            fn product<I: Iterator<Item = Self>>(numbers: I) -> Self {
                numbers.fold($number::constant(T::one()), |product, x| product * x)
            }
        }

        impl<'a, T: Scalar, const N: usize> Product<&'a Self> for $number<T, N> $($bound)* {
            fn product<I: Iterator<Item = &'a Self>>(numbers: I) -> Self {
                numbers.copied().product()
            }
        }
    };
}

operators!(Dual []);
operators!(HyperDual [where Const<N>: Packed]);
