//! Activations of neural networks.
//!
//! No closures here: in a SIMD kernel everything has to be inlined into the function that is compiled for the instruction set,
//! and a closure can't be told to be.

use super::{Jet, compensated};
use crate::number::lane::Lane;

/// The jet of x times a function that has the jet `g` at x: (x g)^(k) = x g^(k) + k g^(k-1).
#[inline(always)]
fn times_argument<L: Lane>(x: L, g: Jet<L>) -> Jet<L> {
    [
        x * g[0],
        x * g[1] + g[0],
        x * g[2] + x.constant(2.0) * g[1],
        x * g[3] + x.constant(3.0) * g[2],
        x * g[4] + x.constant(4.0) * g[3],
    ]
}

/// The jet `yes` where the mask holds, else `no`.
#[inline(always)]
fn select<L: Lane>(mask: L::Mask, yes: Jet<L>, no: Jet<L>) -> Jet<L> {
    let [y0, y1, y2, y3, y4] = yes;
    let [n0, n1, n2, n3, n4] = no;
    [y0.or_else(mask, n0), y1.or_else(mask, n1), y2.or_else(mask, n2), y3.or_else(mask, n3), y4.or_else(mask, n4)]
}

/// The jet, or beyond |x| = `limit`, where an activation has become max(x, 0), that of max(x, 0).
#[inline(always)]
pub(super) fn saturate<L: Lane>(x: L, limit: f64, jet: Jet<L>) -> Jet<L> {
    let zero = x.constant(0.0);
    let far = x.constant(limit).less(x.magnitude());
    let rising = zero.less(x);
    let far_jet = [x.or_else(rising, -zero), x.constant(1.0).or_else(rising, zero), zero, zero, zero];
    select(far, far_jet, jet)
}

/// The jet of a function that is x for x > 0 and else has the jet `left`.
#[inline(always)]
fn linear_on_the_right<L: Lane>(x: L, left: Jet<L>) -> Jet<L> {
    let zero = x.constant(0.0);
    select(zero.less(x), [x, x.constant(1.0), zero, zero, zero], left)
}

/// 1/(1+exp(-x)). With e = exp(-|x|) nothing overflows, and t = tanh(x/2) carries the small differences of the higher
/// derivatives: s'' = -s' t.
#[inline(always)]
pub(crate) fn sigmoid<L: Lane>(x: L) -> Jet<L> {
    let one = x.constant(1.0);
    let (e, one_minus_e) = x.magnitude().decay();
    let sum = one + e;
    let value = e.or_else(x.less(x.constant(0.0)), one) / sum;
    let first = e / (sum * sum);
    let t = (one_minus_e / sum).with_sign_of(x);
    let square = t * t;
    [
        value,
        first,
        -(first * t),
        first * x.constant(0.5) * (x.constant(3.0) * square - one),
        first * t * (x.constant(2.0) - x.constant(3.0) * square),
    ]
}

#[inline(always)]
pub(crate) fn tanh<L: Lane>(x: L) -> Jet<L> {
    let (t, first) = x.hyperbolic_tangent();
    let square = t * t;
    [
        t,
        first,
        x.constant(-2.0) * t * first,
        first * (x.constant(6.0) * square - x.constant(2.0)),
        x.constant(8.0) * t * first * (x.constant(2.0) - x.constant(3.0) * square),
    ]
}

#[inline(always)]
pub(crate) fn exp<L: Lane>(x: L) -> Jet<L> {
    [x.exponential(); 5]
}

#[inline(always)]
pub(crate) fn sin<L: Lane>(x: L) -> Jet<L> {
    let (s, c) = x.sine_and_cosine();
    [s, c, -s, -c, s]
}

/// The jet of x -> s(factor x) from that of s.
#[cfg(feature = "network")]
#[inline(always)]
fn scaled_argument<L: Lane>(factor: L, jet: Jet<L>) -> Jet<L> {
    let square = factor * factor;
    [jet[0], factor * jet[1], square * jet[2], square * factor * jet[3], square * square * jet[4]]
}

/// sin(w0 x)
#[cfg(feature = "network")]
#[inline(always)]
pub(crate) fn scaled_sin<L: Lane>(x: L, w0: L) -> Jet<L> {
    scaled_argument(w0, sin(w0 * x))
}

/// ln(1 + exp(beta x)) / beta
#[cfg(feature = "network")]
#[inline(always)]
pub(crate) fn scaled_softplus<L: Lane>(x: L, beta: L) -> Jet<L> {
    let [value, first, second, third, fourth] = softplus(beta * x);
    let square = beta * beta;
    [value / beta, first, beta * second, square * third, square * beta * fourth]
}

/// x itself
#[cfg(feature = "network")]
#[inline(always)]
pub(crate) fn identity<L: Lane>(x: L) -> Jet<L> {
    let (zero, one) = (x.constant(0.0), x.constant(1.0));
    [x, one, zero, zero, zero]
}

#[inline(always)]
pub(crate) fn cos<L: Lane>(x: L) -> Jet<L> {
    let (s, c) = x.sine_and_cosine();
    [c, -s, -c, s, c]
}

/// ln(1+exp(x)); its derivatives are those of the sigmoid. Exact everywhere: no threshold.
#[inline(always)]
pub(crate) fn softplus<L: Lane>(x: L) -> Jet<L> {
    let zero = x.constant(0.0);
    let (e, _) = x.magnitude().decay();
    // Not the other way round, so that NaN stays.
    let positive_part = zero.or_else(x.less(zero), x);
    let [first, second, third, fourth, _] = sigmoid(x);
    [positive_part + e.logarithm_of_one_plus(), first, second, third, fourth]
}

/// x times the sigmoid of x.
#[inline(always)]
pub(crate) fn silu<L: Lane>(x: L) -> Jet<L> {
    saturate(x, 1e4, times_argument(x, sigmoid(x)))
}

/// sqrt(8/pi), and what is missing from the f64.
const SQRT_8_OVER_PI: (f64, f64) = (1.595_769_121_605_730_8, -9.969_308_809_110_92e-17);
/// 0.044715, and what is missing from the f64.
const CUBIC: (f64, f64) = (0.044_715, 2.196_021_142_708_56e-18);

/// The tanh form of GELU, x/2 (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3))) = x sigmoid(v) with v = sqrt(8/pi) (x + 0.044715 x^3).
#[inline(always)]
pub(crate) fn gelu_tanh<L: Lane>(x: L) -> Jet<L> {
    let (scale, scale_rest) = compensated::constant(x, SQRT_8_OVER_PI);
    let (cubic, cubic_rest) = compensated::constant(x, CUBIC);

    // The rounding error of v is worth |v| units in the last place on the left, so v is kept as v + rest.
    let (square, square_rest) = compensated::square(x);
    let (bend, bend_error) = compensated::product(cubic, square);
    let (stretch, stretch_error) = compensated::sum(x.constant(1.0), bend);
    let stretch_rest = stretch_error + (bend_error + cubic_rest * square + cubic * square_rest);
    let (product, product_error) = compensated::product(x, stretch);
    let product_rest = product_error + x * stretch_rest;
    let (v, v_error) = compensated::product(scale, product);
    let (v, v_rest) = compensated::sum(v, v_error + scale * product_rest + scale_rest * product);

    let at_v = sigmoid(v);
    let s = [
        at_v[0] + v_rest * at_v[1],
        at_v[1] + v_rest * at_v[2],
        at_v[2] + v_rest * at_v[3],
        at_v[3] + v_rest * at_v[4],
        at_v[4],
    ];
    let square = square + square_rest;
    let v1 = scale * (x.constant(1.0) + x.constant(3.0) * cubic * square);
    let v2 = x.constant(6.0) * scale * cubic * x;
    let v3 = x.constant(6.0) * scale * cubic;
    let v1_squared = v1 * v1;
    let jet = times_argument(
        x,
        [
            s[0],
            s[1] * v1,
            s[2] * v1_squared + s[1] * v2,
            s[3] * v1_squared * v1 + x.constant(3.0) * s[2] * v1 * v2 + s[1] * v3,
            s[4] * v1_squared * v1_squared
                + x.constant(6.0) * s[3] * v1_squared * v2
                + s[2] * (x.constant(3.0) * v2 * v2 + x.constant(4.0) * v1 * v3),
        ],
    );
    saturate(x, 50.0, jet)
}

/// x tanh(softplus(x)). With e = exp(x), tanh(softplus(x)) = n/(n+2) for n = e(e+2), and its derivatives are polynomials
/// in e over powers of n+2; for x > 0 all is divided through by the highest power of e, so nothing overflows and
/// exp(-|x|) serves both sides.
#[inline(always)]
pub(crate) fn mish<L: Lane>(x: L) -> Jet<L> {
    let (e, _) = x.magnitude().decay();
    let rising = x.constant(0.0).less(x);
    let d = x.constant(1.0)
        / (x.constant(1.0) + x.constant(2.0) * e * (x.constant(1.0) + e))
            .or_else(rising, e * (e + x.constant(2.0)) + x.constant(2.0));
    let slope = x.constant(4.0) * e * d * d * e.or_else(rising, x.constant(1.0));
    let right = [
        x.constant(1.0) + x.constant(2.0) * e,
        x.constant(1.0) + e,
        polynomial(e, [-2.0, -3.0, 2.0, 2.0]),
        polynomial(e, [4.0, 5.0, -24.0, -32.0, 0.0, 4.0]),
        polynomial(e, [-8.0, 1.0, 154.0, 210.0, -128.0, -220.0, -24.0, 8.0]),
    ];
    let left = [
        e * (e + x.constant(2.0)),
        x.constant(1.0) + e,
        polynomial(e, [2.0, 2.0, -3.0, -2.0]),
        polynomial(e, [4.0, 0.0, -32.0, -24.0, 5.0, 4.0]),
        polynomial(e, [8.0, -24.0, -220.0, -128.0, 210.0, 154.0, 1.0, -8.0]),
    ];
    let [p0, p1, p2, p3, p4] = select(rising, right, left);
    let g = [p0 * d, slope * p1, slope * p2 * d, slope * p3 * d * d, slope * p4 * d * d * d];
    saturate(x, 1e4, times_argument(x, g))
}

/// The polynomial with these coefficients, constant term first.
#[inline(always)]
fn polynomial<L: Lane, const K: usize>(x: L, coefficients: [f64; K]) -> L {
    let mut sum = x.constant(0.0);
    for &coefficient in coefficients.iter().rev() {
        sum = sum * x + x.constant(coefficient);
    }
    sum
}

/// x for x > 0, alpha (exp(x) - 1) else. At 0 the left side's derivatives hold, as in PyTorch.
#[inline(always)]
pub(crate) fn elu<L: Lane>(x: L, alpha: L) -> Jet<L> {
    let zero = x.constant(0.0);
    let (e, one_minus_e) = zero.or_else(zero.less(x), -x).decay();
    let slope = alpha * e;
    linear_on_the_right(x, [-(alpha * one_minus_e), slope, slope, slope, slope])
}

/// max(x, 0); slope 0 at 0, as in PyTorch.
#[inline(always)]
pub(crate) fn relu<L: Lane>(x: L) -> Jet<L> {
    let zero = x.constant(0.0);
    // NaN is not less than 0 and stays.
    let value = zero.or_else(x.less(zero), x);
    linear_on_the_right(x, [value, zero, zero, zero, zero])
}

/// x for x > 0, slope * x else; at 0 the left side's slope holds, as in PyTorch.
#[inline(always)]
pub(crate) fn leaky_relu<L: Lane>(x: L, slope: L) -> Jet<L> {
    let zero = x.constant(0.0);
    linear_on_the_right(x, [slope * x, slope, zero, zero, zero])
}
