//! The arithmetic of second order, written once for all numbers that carry second derivatives, whichever those are.
//!
//! Such a number has the loops over its components: `set_first((a, b), first)` makes its first derivatives `first(a_i, b_i)`,
//! and then `set_second((a, b), pair, second)` its second ones `second(a_ij, b_ij, cross)`, where `cross` is
//! `pair([a_i, a_j], [b_i, b_j], [g_i, g_j])` with the number's own first derivatives g, added up where an entry is a sum of
//! second derivatives.
//!
//! Zeros are strong, but the fast path takes no care of them. It must only be left where a factor of a second derivative is not
//! finite, and every such factor shows in a first derivative or in its product with the function's curvature: so a few sums tell,
//! and no second derivative is looked at.
//!
//! Two things keep the numbers of a whole expression in registers. Results are written over a constant, since a returned number
//! would be copied once for each function that hands it on. And the slow path takes numbers by value and gives a variable of its
//! own: with its address given away, a number has to live in memory on the fast path too.

use super::rule::{Jet, MAX_ORDER, Partials};
use super::strong::{is_finite, is_regular, strong_product, tangent_product};
use super::{Const, FormDual, HyperDual, Packed, RectangularHyperDual, Scalar, TraceDual};

macro_rules! second_order {
    ($number:ident [$($size:ident)*] [$($bound:tt)*]) => {
        impl<T: Scalar, $(const $size: usize),*> $number<T, $($size),*> $($bound)* {
            /// The number that an operation makes of two.
            #[inline(always)]
            fn build(
                of: (&Self, &Self),
                value: T,
                first: impl Fn(T, T) -> T,
                pair: impl Fn([T; 2], [T; 2], [T; 2]) -> T,
                second: impl Fn(T, T, T) -> T,
            ) -> Self {
                let mut result = Self::constant(value);
                result.set_first(of, first);
                result.set_second(of, pair, second);
                result
            }

            #[inline(always)]
            fn chain(&self, value: T, first: T, second: T) -> Self {
                let mut result = Self::constant(value);
                result.set_chain(self, first, second);
                result
            }

            #[inline(always)]
            fn set_chain(&mut self, x: &Self, first: T, second: T) {
                let slopes = x.first_derivatives().map(|&g| second * g);
                if !is_finite(slopes.fold(first, |sum, slope| sum + slope)) {
                    let singular = x.chain_singular(self.value, first, second);
                    *self = singular;
                    return;
                }
                self.set_first((x, x), |g, _| first * g);
                // u * v could leave the range of the floats where the whole does not, so it may not come first; hence the last bit
                // of an entry depends on the order of the variables.
                self.set_second((x, x), |[u, v], _, _| second * u * v, |h, _, cross| first * h + cross);
            }

            #[cold]
            #[inline(never)]
            fn chain_singular(self, value: T, first: T, second: T) -> Self {
                Self::build(
                    (&self, &self),
                    value,
                    |g, _| strong_product(first, g),
                    // A function without curvature adds none, however steep its argument is.
                    |[u, v], _, _| if second.is_zero() { second } else { strong_product(strong_product(second, u), v) },
                    |h, _, cross| strong_product(first, h) + cross,
                )
            }

            /// Derivatives times a plain factor, with the value given.
            #[inline(always)]
            pub(super) fn scaled(&self, value: T, factor: T) -> Self {
                if !is_regular(factor) {
                    let singular = self.scaled_singular(value, factor);
                    return singular;
                }
                self.map(|x| factor * x).with_value(value)
            }

            #[cold]
            #[inline(never)]
            fn scaled_singular(self, value: T, factor: T) -> Self {
                if factor.is_zero() {
                    return Self::constant(value);
                }
                self.map(|x| strong_product(factor, x)).with_value(value)
            }

            #[inline(always)]
            pub(super) fn product(&self, other: &Self) -> Self {
                let mut result = Self::constant(self.value * other.value);
                result.set_product(self, other);
                result
            }

            #[inline(always)]
            fn set_product(&mut self, x: &Self, y: &Self) {
                self.set_first((x, y), |a, b| x.value * b + y.value * a);
                if !is_finite(self.first_derivatives().fold(T::zero(), |sum, &g| sum + g)) {
                    let singular = x.product_singular(*y, self.value);
                    *self = singular;
                    return;
                }
                if self.value.is_zero() && x.is_absorbed(*y) {
                    *self = Self::constant(self.value);
                    return;
                }
                self.set_second(
                    (x, y),
                    |a, b, _| a[0] * b[1] + a[1] * b[0],
                    |aa, bb, cross| x.value * bb + y.value * aa + cross,
                );
            }

            /// The constant 0 stays a constant, whatever it is multiplied with.
            #[cold]
            #[inline(never)]
            fn is_absorbed(self, other: Self) -> bool {
                self.is_zero() || other.is_zero()
            }

            #[cold]
            #[inline(never)]
            fn product_singular(self, other: Self, value: T) -> Self {
                if self.is_absorbed(other) {
                    return Self::constant(value);
                }
                Self::build(
                    (&self, &other),
                    value,
                    |a, b| strong_product(self.value, b) + strong_product(other.value, a),
                    |a, b, _| tangent_product(a[0], b[1]) + tangent_product(a[1], b[0]),
                    |aa, bb, cross| strong_product(self.value, bb) + strong_product(other.value, aa) + cross,
                )
            }

            #[inline(always)]
            pub(super) fn quotient(&self, other: &Self) -> Self {
                let mut result = Self::constant(self.value / other.value);
                result.set_quotient(self, other);
                result
            }

            /// (a'' - q' b' - b' q' - q b'') / b: the difference comes before the division, so that it keeps its digits.
            #[inline(always)]
            fn set_quotient(&mut self, x: &Self, y: &Self) {
                let q = self.value;
                let reciprocal = y.value.recip();
                self.set_first((x, y), |a, b| (a - q * b) * reciprocal);
                let sum = self.first_derivatives().fold(T::zero(), |sum, &g| sum + g);
                if !reciprocal.is_normal() || !is_finite(sum) {
                    let singular = x.quotient_singular(*y, q);
                    *self = singular;
                    return;
                }
                self.set_second(
                    (x, y),
                    |_, b, g| g[0] * b[1] + g[1] * b[0],
                    |aa, bb, cross| (aa - q * bb - cross) * reciprocal,
                );
            }

            #[cold]
            #[inline(never)]
            fn quotient_singular(self, other: Self, q: T) -> Self {
                let divided = |numerator: T| if numerator.is_zero() { numerator } else { numerator / other.value };
                Self::build(
                    (&self, &other),
                    q,
                    |a, b| divided(a - strong_product(q, b)),
                    |_, b, g| strong_product(g[0], b[1]) + strong_product(g[1], b[0]),
                    |aa, bb, cross| divided(aa - strong_product(q, bb) - cross),
                )
            }

            /// A function of two numbers from its local partials.
            #[inline(never)]
            pub(super) fn combine(&self, other: &Self, p: Partials<T>) -> Self {
                let curvature = |second, u: T, v: T| strong_product(strong_product(second, u), v);
                Self::build(
                    (self, other),
                    p.value,
                    |a, b| strong_product(p.a, a) + strong_product(p.b, b),
                    |a, b, _| {
                        curvature(p.aa, a[0], a[1])
                            + (curvature(p.ab, a[0], b[1]) + curvature(p.ab, a[1], b[0]))
                            + curvature(p.bb, b[0], b[1])
                    },
                    |aa, bb, cross| strong_product(p.a, aa) + strong_product(p.b, bb) + cross,
                )
            }

            #[inline(always)]
            pub(super) fn lift_jet(self, jet: &Jet<T::Primitive>, offset: usize) -> Self {
                const {
                    assert!(
                        T::ORDER + 1 < MAX_ORDER,
                        "functions of numbers nested beyond order four are not supported"
                    )
                };
                let [value, first, second] = [0, 1, 2].map(|order| self.value.lift(jet, offset + order));
                self.chain(value, first, second)
            }
        }
    };
}

second_order!(HyperDual [N] [where Const<N>: Packed]);
second_order!(RectangularHyperDual [M N] []);
second_order!(TraceDual [N] []);
second_order!(FormDual [N] []);
