//! The elementary functions as methods of the numbers, so that they need no trait in scope.

use super::departure::{Departure, departure};
use super::rule;
use super::{Const, Dual, FormDual, HyperDual, Packed, RectangularHyperDual, Scalar, TraceDual};

/// A unary function by its rule.
macro_rules! by_rule {
    ($($(#[$doc:meta])* $name:ident)*) => {$(
        $(#[$doc])*
        #[inline]
        #[must_use]
        pub fn $name(self) -> Self {
            self.lift(&rule::$name(self.primitive()), 0)
        }
    )*};
}

/// A function that is constant between its jumps.
macro_rules! steps {
    ($($(#[$doc:meta])* $name:ident)*) => {$(
        $(#[$doc])*
        #[inline]
        #[must_use]
        pub fn $name(self) -> Self {
            Self::constant(self.value.$name())
        }
    )*};
}

macro_rules! functions {
    ($number:ident [$($size:ident)*] [$($bound:tt)*]) => {
        impl<T: Scalar, $(const $size: usize),*> $number<T, $($size),*> $($bound)* {
            /// The value, without derivatives of this level.
            #[inline]
            pub fn value(&self) -> T {
                self.value
            }

            #[inline(always)]
            pub(crate) fn with_value(self, value: T) -> Self {
                Self { value, ..self }
            }

            by_rule! {
                /// 1/x.
                recip
                /// Square root. At 0 the derivatives are the one-sided limits +inf and -inf.
                sqrt
                /// Cube root.
                cbrt
                /// e^x.
                exp
                /// 2^x.
                exp2
                /// e^x - 1, accurate near 0; its derivative is e^x.
                exp_m1
                /// Natural logarithm. At 0: -inf, with derivatives +inf and -inf.
                ln
                /// ln(1 + x), accurate near 0.
                ln_1p
                /// Logarithm to base 2.
                log2
                /// Logarithm to base 10.
                log10
                /// Sine (radians).
                sin
                /// Cosine (radians).
                cos
                /// Tangent (radians).
                tan
                /// Inverse sine, in radians.
                asin
                /// Inverse cosine, in radians.
                acos
                /// Inverse tangent, in radians.
                atan
                /// Hyperbolic sine.
                sinh
                /// Hyperbolic cosine.
                cosh
                /// Hyperbolic tangent; its derivatives keep their digits where it is saturated.
                tanh
                /// Inverse hyperbolic sine.
                asinh
                /// Inverse hyperbolic cosine.
                acosh
                /// Inverse hyperbolic tangent.
                atanh
                /// The error function.
                erf
                /// The complementary error function 1 - erf(x).
                erfc
                /// 1/(1 + exp(-x)).
                sigmoid
                /// ln(1 + exp(x)), exact everywhere.
                softplus
                /// x sigmoid(x).
                silu
                /// x Phi(x), the exact GELU.
                gelu
                /// The tanh form of GELU.
                gelu_tanh
                /// x tanh(softplus(x)).
                mish
                /// sin(x)/x, 1 at 0.
                sinc
                /// exp(-x^2).
                gaussian
                /// max(x, 0), slope 0 at 0.
                relu
            }

            steps! {
                /// The greatest whole number not above the value; derivatives 0.
                floor
                /// The least whole number not below the value; derivatives 0.
                ceil
                /// The nearest whole number, ties away from 0; derivatives 0.
                round
                /// The whole part; derivatives 0.
                trunc
                /// 1 or -1 by the sign of the value (of a zero, by its sign bit), NaN for NaN; derivatives 0.
                signum
            }

            /// x - trunc(x); the derivatives of x.
            #[inline]
            #[must_use]
            pub fn fract(self) -> Self {
                self.with_value(self.value.fract())
            }

            /// Sine and cosine.
            #[inline]
            #[must_use]
            pub fn sin_cos(self) -> (Self, Self) {
                (self.sin(), self.cos())
            }

            /// x for x > 0, else `slope` * x.
            #[inline]
            #[must_use]
            pub fn leaky_relu(self, slope: T::Primitive) -> Self {
                self.lift(&rule::leaky_relu(self.primitive(), slope), 0)
            }

            /// x for x > 0, else `alpha` (exp(x) - 1).
            #[inline]
            #[must_use]
            pub fn elu(self, alpha: T::Primitive) -> Self {
                self.lift(&rule::elu(self.primitive(), alpha), 0)
            }

            /// x^n. Derivatives with coefficient 0 are 0, also at x = 0.
            #[inline(always)]
            #[must_use]
            pub fn powi(self, exponent: i32) -> Self {
                self.lift(&rule::powi(self.primitive(), exponent), 0)
            }

            /// x^p, for an exponent that is a plain number or a live one. A constant exponent takes the rule of the power,
            /// so a negative base with a whole exponent and a base of 0 come out right.
            #[inline]
            #[must_use]
            pub fn powf(self, exponent: impl Into<Self>) -> Self {
                let exponent = exponent.into();
                if exponent.is_constant() {
                    return self.lift(&rule::powf(self.primitive(), exponent.primitive()), 0);
                }
                self.combine(&exponent, rule::pow(self.value, exponent.value))
            }

            /// The logarithm to a base that may be live itself.
            #[inline]
            #[must_use]
            pub fn log(self, base: impl Into<Self>) -> Self {
                let base = base.into();
                self.combine(&base, rule::log(self.value, base.value))
            }

            /// sqrt(x^2 + y^2) without overflow. At (0, 0) the derivatives by live arguments are NaN.
            #[inline]
            #[must_use]
            pub fn hypot(self, other: impl Into<Self>) -> Self {
                let other = other.into();
                self.combine(&other, rule::hypot(self.value, other.value))
            }

            /// The angle of the point (`x`, self), in radians.
            #[inline]
            #[must_use]
            pub fn atan2(self, x: impl Into<Self>) -> Self {
                let x = x.into();
                self.combine(&x, rule::atan2(self.value, x.value))
            }

            /// self * a + b with the value rounded once, as the float's own fused operation.
            #[inline]
            #[must_use]
            pub fn mul_add(self, a: impl Into<Self>, b: impl Into<Self>) -> Self {
                let (a, b) = (a.into(), b.into());
                (self * a + b).with_value(self.value.mul_add(a.value, b.value))
            }

            /// The absolute value. At 0 the derivatives are 0, unless the argument leaves 0 to one side only: |-(x^2)| has
            /// curvature 2 there. Where nested derivatives don't tell to which side it leaves, they are NaN.
            #[inline]
            #[must_use]
            pub fn abs(self) -> Self {
                let value = self.primitive();
                let zero = T::zero().primitive();
                if value > zero || self.is_nan() {
                    return self.with_value(self.value.abs());
                }
                if value < zero {
                    return (-self).with_value(self.value.abs());
                }
                match departure(&self) {
                    Departure::Up => self.with_value(self.value.abs()),
                    Departure::Down => (-self).with_value(self.value.abs()),
                    Departure::Neither => Self::constant(self.value.abs()),
                    Departure::Unknown => self.map(|_| T::nan()).with_value(self.value.abs()),
                }
            }

            /// The larger number, whole; at a tie the first. A NaN is passed over, as by the float.
            #[inline]
            #[must_use]
            pub fn max(self, other: impl Into<Self>) -> Self {
                let other = other.into();
                let first = other.value.is_nan() || self.value >= other.value;
                (if first { self } else { other }).with_value(self.value.max(other.value))
            }

            /// The smaller number, whole; at a tie the first. A NaN is passed over, as by the float.
            #[inline]
            #[must_use]
            pub fn min(self, other: impl Into<Self>) -> Self {
                let other = other.into();
                let first = other.value.is_nan() || self.value <= other.value;
                (if first { self } else { other }).with_value(self.value.min(other.value))
            }

            /// The number held between `low` and `high`. At either end it is still itself, with its derivatives. Where `low`
            /// is above `high`, `low` wins for numbers below it; nothing panics.
            #[inline]
            #[must_use]
            pub fn clamp(self, low: impl Into<Self>, high: impl Into<Self>) -> Self {
                let (low, high) = (low.into(), high.into());
                if self < low {
                    low
                } else if self > high {
                    high
                } else {
                    self
                }
            }

            /// self - other where that is positive, else 0.
            #[inline]
            #[must_use]
            pub fn abs_sub(self, other: impl Into<Self>) -> Self {
                let other = other.into();
                if self <= other { Self::constant(T::zero()) } else { self - other }
            }

            /// The absolute value with the sign of another number, whose derivatives play no part.
            #[inline]
            #[must_use]
            pub fn copysign(self, sign: impl Into<Self>) -> Self {
                let magnitude = self.abs();
                if sign.into().value.is_sign_negative() { -magnitude } else { magnitude }
            }

            /// Radians to degrees.
            #[inline]
            #[must_use]
            pub fn to_degrees(self) -> Self {
                self.scaled(self.value.to_degrees(), T::literal(180.0 / core::f64::consts::PI))
            }

            /// Degrees to radians.
            #[inline]
            #[must_use]
            pub fn to_radians(self) -> Self {
                self.scaled(self.value.to_radians(), T::literal(core::f64::consts::PI / 180.0))
            }

            /// Whether the value is NaN.
            #[inline]
            pub fn is_nan(self) -> bool {
                self.value.is_nan()
            }

            /// Whether the value is finite.
            #[inline]
            pub fn is_finite(self) -> bool {
                self.value.is_finite()
            }

            /// Whether the number is 0 in every component, so that adding it changes nothing.
            #[inline]
            pub fn is_zero(&self) -> bool {
                self.components().all(num_traits::Zero::is_zero)
            }

            /// Whether the number is the constant 1, so that multiplying with it changes nothing.
            #[inline]
            pub fn is_one(&self) -> bool {
                num_traits::One::is_one(&self.value) && self.components().skip(1).all(num_traits::Zero::is_zero)
            }
        }

        impl<T: Scalar, $(const $size: usize),*> Scalar for $number<T, $($size),*> $($bound)* {
            type Primitive = T::Primitive;
            const ORDER: usize = T::ORDER + Self::OWN_ORDER;

            #[inline]
            fn lifted(value: T::Primitive) -> Self {
                Self::constant(T::lifted(value))
            }

            #[inline]
            fn primitive(&self) -> T::Primitive {
                self.value.primitive()
            }

            #[inline]
            fn scale(self, factor: T::Primitive) -> Self {
                self.scaled(self.value.scale(factor), T::lifted(factor))
            }

            #[inline(always)]
            fn add_scaled(&mut self, x: &Self, factor: T::Primitive) {
                *self = self.zip(x, |mut sum, x| {
                    sum.add_scaled(&x, factor);
                    sum
                });
            }

            fn same(&self, other: &Self) -> bool {
                self.components().zip(other.components()).all(|(a, b)| a.same(b))
            }

            #[inline(always)]
            fn lift(self, jet: &rule::Jet<T::Primitive>, offset: usize) -> Self {
                self.lift_jet(jet, offset)
            }

            fn power_at_zero(self, exponent: Self, i: u32, j: u32) -> Self {
                let at = |i, j| self.value.power_at_zero(exponent.value, i, j);
                let partials = rule::Partials {
                    value: at(i, j),
                    a: at(i + 1, j),
                    b: at(i, j + 1),
                    aa: at(i + 2, j),
                    ab: at(i + 1, j + 1),
                    bb: at(i, j + 2),
                };
                self.combine(&exponent, partials)
            }

            #[inline]
            fn non_finite_bits(self) -> u64 {
                self.components().fold(0, |bits, x| bits | x.non_finite_bits())
            }

            #[inline]
            fn is_constant(&self) -> bool {
                self.value.is_constant() && self.components().skip(1).all(num_traits::Zero::is_zero)
            }

            fn visit(&self, order: u32, on_diagonal: bool, visitor: &mut dyn FnMut(u32, bool, T::Primitive)) {
                self.visit_components(order, on_diagonal, visitor);
            }

            fn first_order(&self, i: usize) -> Option<T::Primitive> {
                self.first(i).map(Scalar::primitive)
            }

            fn curvature_departure(&self) -> Departure {
                self.curvature()
            }
        }

        impl<T: Scalar, $(const $size: usize),*> From<T> for $number<T, $($size),*> $($bound)* {
            #[inline]
            fn from(value: T) -> Self {
                Self::constant(value)
            }
        }

        impl<T: Scalar, $(const $size: usize),*> Default for $number<T, $($size),*> $($bound)* {
            /// The constant 0.
            #[inline]
            fn default() -> Self {
                Self::constant(T::zero())
            }
        }
    };
}

functions!(Dual [N] []);
functions!(HyperDual [N] [where Const<N>: Packed]);
functions!(RectangularHyperDual [M N] []);
functions!(TraceDual [N] []);
functions!(FormDual [N] []);
