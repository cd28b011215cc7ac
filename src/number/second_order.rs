//! The arithmetic of second order, written once for all numbers that carry second derivatives, whichever those are.
//!
//! Such a number has a function `build((a, b), value, first, pair, second)` with the one loop over its components. The
//! result has first-order entries `first(a_i, b_i)` and second-order entries `second(a_ij, b_ij, cross)`, where `cross` is
//! `pair([a_i, a_j], [b_i, b_j], [g_i, g_j])` with the result's own first-order entries g, added up where an entry is a sum
//! of second derivatives. With it come the bits of all entries that are not finite: where there are any, the operation is
//! done again with strong zeros.

use super::rule::{Jet, MAX_ORDER, Partials};
use super::strong::{strong_product, tangent_product};
use super::{Const, FormDual, HyperDual, Packed, RectangularHyperDual, Scalar, TraceDual};

macro_rules! second_order {
    ($number:ident [$($size:ident)*] [$($bound:tt)*]) => {
        impl<T: Scalar, $(const $size: usize),*> $number<T, $($size),*> $($bound)* {
            #[inline(always)]
            fn chain(&self, value: T, first: T, second: T) -> Self {
                let (result, bits) = Self::build(
                    (self, self),
                    value,
                    |g, _| first * g,
                    |[u, v], _, _| second * u * v,
                    |h, _, cross| first * h + cross,
                );
                if bits == 0 { result } else { self.chain_singular(value, first, second) }
            }

            #[cold]
            #[inline(never)]
            fn chain_singular(&self, value: T, first: T, second: T) -> Self {
                Self::build(
                    (self, self),
                    value,
                    |g, _| strong_product(first, g),
                    // A function without curvature adds none, however steep its argument is.
                    |[u, v], _, _| if second.is_zero() { second } else { strong_product(strong_product(second, u), v) },
                    |h, _, cross| strong_product(first, h) + cross,
                )
                .0
            }

            /// Derivatives times a plain factor, with the value given.
            #[inline(always)]
            pub(super) fn scaled(&self, value: T, factor: T) -> Self {
                let none = |_, _, _| T::zero();
                let (result, bits) = Self::build((self, self), value, |g, _| factor * g, none, |h, _, _| factor * h);
                if bits == 0 {
                    return result;
                }
                if factor.is_zero() {
                    return Self::constant(value);
                }
                let strong = |entry| strong_product(factor, entry);
                Self::build((self, self), value, |g, _| strong(g), none, |h, _, _| strong(h)).0
            }

            #[inline(always)]
            pub(super) fn product(&self, other: &Self) -> Self {
                let value = self.value * other.value;
                let (result, bits) = Self::build(
                    (self, other),
                    value,
                    |a, b| self.value * b + other.value * a,
                    |a, b, _| a[0] * b[1] + a[1] * b[0],
                    |aa, bb, cross| self.value * bb + other.value * aa + cross,
                );
                if bits == 0 { result } else { self.product_singular(other, value) }
            }

            #[cold]
            #[inline(never)]
            fn product_singular(&self, other: &Self, value: T) -> Self {
                // The constant 0 stays a constant, whatever it is multiplied with.
                if self.is_zero() || other.is_zero() {
                    return Self::constant(value);
                }
                Self::build(
                    (self, other),
                    value,
                    |a, b| strong_product(self.value, b) + strong_product(other.value, a),
                    |a, b, _| tangent_product(a[0], b[1]) + tangent_product(a[1], b[0]),
                    |aa, bb, cross| strong_product(self.value, bb) + strong_product(other.value, aa) + cross,
                )
                .0
            }

            /// (a'' - q' b' - b' q' - q b'') / b: the difference comes before the division, so that it keeps its digits.
            #[inline(always)]
            pub(super) fn quotient(&self, other: &Self) -> Self {
                let q = self.value / other.value;
                let reciprocal = other.value.recip();
                let (result, bits) = Self::build(
                    (self, other),
                    q,
                    |a, b| (a - q * b) * reciprocal,
                    |_, b, g| g[0] * b[1] + g[1] * b[0],
                    |aa, bb, cross| (aa - q * bb - cross) * reciprocal,
                );
                if bits == 0 && reciprocal.is_normal() { result } else { self.quotient_singular(other, q) }
            }

            #[cold]
            #[inline(never)]
            fn quotient_singular(&self, other: &Self, q: T) -> Self {
                let divided = |numerator: T| if numerator.is_zero() { numerator } else { numerator / other.value };
                Self::build(
                    (self, other),
                    q,
                    |a, b| divided(a - strong_product(q, b)),
                    |_, b, g| strong_product(g[0], b[1]) + strong_product(g[1], b[0]),
                    |aa, bb, cross| divided(aa - strong_product(q, bb) - cross),
                )
                .0
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
                .0
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
