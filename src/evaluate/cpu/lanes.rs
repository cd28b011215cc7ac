//! A SIMD register as a [`Lane`], so that the rules of activations run on it, with the elementary functions that they need.

use std::ops::{Add, Div, Mul, Neg, Sub};

use pulp::Simd;

use super::simd::SimdReal;
use crate::number::lane::Lane;
use crate::number::rule;

/// A register of floats with the instruction set that it is for.
#[derive(Clone, Copy)]
pub(super) struct Lanes<S: Simd, R: SimdReal> {
    pub simd: S,
    pub vector: R::Vector<S>,
}

impl<S: Simd, R: SimdReal> Lanes<S, R> {
    #[inline(always)]
    pub fn new(simd: S, vector: R::Vector<S>) -> Self {
        Self { simd, vector }
    }

    #[inline(always)]
    fn with(self, vector: R::Vector<S>) -> Self {
        Self { simd: self.simd, vector }
    }

    /// self * factor + term.
    #[inline(always)]
    pub fn multiply_add(self, factor: Self, term: Self) -> Self {
        self.with(R::times_plus(self.simd, self.vector, factor.vector, term.vector))
    }

    /// Nearest whole number, and the bits that hold it at their low end.
    #[inline(always)]
    fn rounded(self) -> (Self, R::Bits<S>) {
        let rounder = self.constant(R::CONSTANTS.rounder);
        let shifted = self + rounder;
        (shifted - rounder, R::to_integer_bits(self.simd, shifted.vector))
    }

    /// 2^self for a whole number within the exponents of normal floats.
    #[inline(always)]
    fn power_of_two(self) -> Self {
        let shifted = self + self.constant(R::CONSTANTS.rounder + R::CONSTANTS.bias);
        let bits = R::to_integer_bits(self.simd, shifted.vector);
        let one = R::splat_bits(self.simd, R::CONSTANTS.exponent_one);
        self.with(R::from_integer_bits(self.simd, R::multiply_bits(self.simd, bits, one)))
    }

    /// The polynomial with these coefficients, constant term first.
    #[inline(always)]
    fn polynomial(self, coefficients: &'static [f64]) -> Self {
        let mut sum = self.constant(0.0);
        for &coefficient in coefficients.iter().rev() {
            sum = sum.multiply_add(self, self.constant(coefficient));
        }
        sum
    }

    /// With self = n ln 2 + r: n, and exp(r) - 1. Arguments so low that exp is 0 are held at the lowest one.
    #[inline(always)]
    fn exponential_parts(self) -> (Self, Self) {
        let low = self.constant(R::CONSTANTS.exp_range.0);
        // NaN is not below and stays.
        let x = low.or_else(self.less(low), self);
        let (n, _) = (x * x.constant(std::f64::consts::LOG2_E)).rounded();
        let (ln_2, ln_2_rest) = R::CONSTANTS.ln_2;
        let r = n.multiply_add(n.constant(-ln_2), x);
        let r = n.multiply_add(n.constant(-ln_2_rest), r);
        let tail = r.polynomial(R::CONSTANTS.exp);
        (n, (r * r).multiply_add(tail, r))
    }

    #[inline(always)]
    fn each(self, function: impl Fn(R) -> (R, R)) -> (Self, Self) {
        let mut first = [R::zero(); MOST_LANES];
        let mut second = [R::zero(); MOST_LANES];
        R::vectors_mut::<S>(&mut first).0[0] = self.vector;
        for (x, y) in first.iter_mut().zip(&mut second).take(R::lanes::<S>()) {
            (*x, *y) = function(*x);
        }
        (self.with(R::vectors::<S>(&first).0[0]), self.with(R::vectors::<S>(&second).0[0]))
    }

    #[inline(always)]
    fn has_bit(self, bits: R::Bits<S>, bit: u64) -> R::MaskVector<S> {
        let bit = R::splat_bits(self.simd, bit);
        R::equal_bits(self.simd, R::and_bits(self.simd, bits, bit), bit)
    }

    #[inline(always)]
    fn any(self, mask: R::MaskVector<S>) -> bool {
        let ones = self.constant(1.0).or_else(mask, self.constant(0.0));
        R::largest(self.simd, ones.vector) > R::zero()
    }

    /// erfc(|self|).
    #[inline(always)]
    fn complementary_error_function_of_magnitude(self) -> Self {
        let (center, coefficients) = R::CONSTANTS.erfc;
        // Far beyond underflow; infinity would make NaN of the quotient.
        let limit = self.constant(100.0);
        let a = self.magnitude();
        let a = limit.or_else(limit.less(a), a);
        let t = (a - a.constant(center)) / (a + a.constant(center));
        let g = t.polynomial(coefficients);
        rule::exp_minus_square(a, 1.0) * g / (a + a + a.constant(1.0))
    }
}

/// No register of a supported instruction set has more.
const MOST_LANES: usize = 16;

macro_rules! operator {
    ($trait:ident $method:ident $function:ident) => {
        impl<S: Simd, R: SimdReal> $trait for Lanes<S, R> {
            type Output = Self;

            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                self.with(R::$function(self.simd, self.vector, other.vector))
            }
        }
    };
}

operator!(Add add plus);
operator!(Sub sub minus);
operator!(Mul mul times);
operator!(Div div over);

impl<S: Simd, R: SimdReal> Neg for Lanes<S, R> {
    type Output = Self;

    #[inline(always)]
    fn neg(self) -> Self {
        self.with(R::negated(self.simd, self.vector))
    }
}

impl<S: Simd, R: SimdReal> Lane for Lanes<S, R> {
    type Mask = R::MaskVector<S>;

    #[inline(always)]
    fn constant(self, value: f64) -> Self {
        self.with(R::splat(self.simd, R::zero().constant(value)))
    }

    #[inline(always)]
    fn constant_rest(self, value: f64, rest: f64) -> Self {
        self.with(R::splat(self.simd, R::zero().constant_rest(value, rest)))
    }

    #[inline(always)]
    fn less(self, other: Self) -> R::MaskVector<S> {
        R::less_than(self.simd, self.vector, other.vector)
    }

    #[inline(always)]
    fn or_else(self, mask: R::MaskVector<S>, other: Self) -> Self {
        self.with(R::select(self.simd, mask, self.vector, other.vector))
    }

    #[inline(always)]
    fn magnitude(self) -> Self {
        self.with(R::absolute(self.simd, self.vector))
    }

    #[inline(always)]
    fn with_sign_of(self, sign: Self) -> Self {
        let mask = R::splat_bits(self.simd, R::CONSTANTS.sign);
        let sign = R::and_bits(self.simd, R::to_integer_bits(self.simd, sign.vector), mask);
        let magnitude = R::to_integer_bits(self.simd, self.magnitude().vector);
        self.with(R::from_integer_bits(self.simd, R::or_bits(self.simd, magnitude, sign)))
    }

    #[inline(always)]
    fn upper_half(self) -> Self {
        let mask = R::splat_bits(self.simd, R::CONSTANTS.upper_half);
        let bits = R::and_bits(self.simd, R::to_integer_bits(self.simd, self.vector), mask);
        self.with(R::from_integer_bits(self.simd, bits))
    }

    #[inline(always)]
    fn exponential(self) -> Self {
        let high = self.constant(R::CONSTANTS.exp_range.1);
        let (n, p) = high.or_else(high.less(self), self).exponential_parts();
        // In two steps, so that results below the normal numbers and at the end of the range come out.
        let (half, _) = (n * n.constant(0.5)).rounded();
        let scale = half.power_of_two();
        scale.multiply_add(p, scale) * (n - half).power_of_two()
    }

    #[inline(always)]
    fn decay(self) -> (Self, Self) {
        let (n, p) = (-self).exponential_parts();
        // 2^n as a normal number, and what is missing below them.
        let lowest = n.constant(1.0 - R::CONSTANTS.bias);
        let normal = lowest.or_else(n.less(lowest), n);
        let scale = normal.power_of_two();
        let e = scale.multiply_add(p, scale) * (n - normal).power_of_two();
        let one_minus_e = (-scale).multiply_add(p, scale.constant(1.0) - scale);
        (e, one_minus_e)
    }

    #[inline(always)]
    fn hyperbolic_tangent(self) -> (Self, Self) {
        let magnitude = self.magnitude();
        let (e, one_minus_e) = (magnitude + magnitude).decay();
        let inverse = e.constant(1.0) / (e + e.constant(1.0));
        let slope = (e + e) * (inverse + inverse) * inverse;
        ((one_minus_e * inverse).with_sign_of(self), slope)
    }

    #[inline(always)]
    fn logarithm_of_one_plus(self) -> Self {
        // ln(1 + x) = 2 atanh(s) with s = x / (2 + x), at most 1/3.
        let s = self / (self + self.constant(2.0));
        s * (s * s).polynomial(R::CONSTANTS.atanh)
    }

    #[inline(always)]
    fn sine_and_cosine(self) -> (Self, Self) {
        let limit = self.constant(R::CONSTANTS.trigonometric_limit);
        if self.any(limit.less(self.magnitude())) {
            return self.each(num_traits::Float::sin_cos);
        }
        let (n, quadrant) = (self * self.constant(std::f64::consts::FRAC_2_PI)).rounded();
        let mut r = self;
        for &part in &R::CONSTANTS.half_pi {
            r = n.multiply_add(n.constant(-part), r);
        }
        let square = r * r;
        let sine = (square * r).multiply_add(square.polynomial(R::CONSTANTS.sine), r);
        let cosine = square.multiply_add(square.polynomial(R::CONSTANTS.cosine), square.constant(1.0));
        let (odd, upper) = (self.has_bit(quadrant, 1), self.has_bit(quadrant, 2));
        let (s, c) = (cosine.or_else(odd, sine), sine.or_else(odd, cosine));
        // cos changes its sign in quadrants 1 and 2, sin in 2 and 3.
        let s = (-s).or_else(upper, s);
        let c = (-c).or_else(odd, c);
        (s, (-c).or_else(upper, c))
    }

    #[inline(always)]
    fn error_function(self) -> Self {
        let limit = self.constant(0.9);
        let magnitude = self.magnitude();
        let small = limit.or_else(limit.less(magnitude), magnitude);
        let near = small * (small * small).polynomial(R::CONSTANTS.erf);
        let far = self.constant(1.0) - self.complementary_error_function_of_magnitude();
        far.or_else(limit.less(magnitude), near).with_sign_of(self)
    }

    #[inline(always)]
    fn complementary_error_function(self) -> Self {
        let right = self.complementary_error_function_of_magnitude();
        let left = self.constant(2.0) - right;
        left.or_else(self.less(self.constant(0.0)), right)
    }
}
