//! Activations of neural networks that are not elementary functions already.

use super::{Jet, Real, compensated, constant, times_argument};

/// The jet far out where an activation has become max(x, 0).
#[inline]
pub(super) fn saturated<R: Real>(x: R) -> Jet<R> {
    if x < R::zero() { constant(-R::zero()) } else { rising(x, R::one()) }
}

/// The jet of slope * x.
#[inline]
fn rising<R: Real>(x: R, slope: R) -> Jet<R> {
    let zero = R::zero();
    [slope * x, slope, zero, zero, zero]
}

/// 1/(1+exp(-x)). With e = exp(-|x|) nothing overflows, and t = tanh(x/2) carries the small differences of the higher
/// derivatives: s'' = -s' t.
#[inline]
pub(crate) fn sigmoid<R: Real>(x: R) -> Jet<R> {
    let l = R::literal;
    let one = R::one();
    let magnitude = x.abs();
    let e = (-magnitude).exp();
    let sum = one + e;
    let value = if x < R::zero() { e / sum } else { sum.recip() };
    let first = e / (sum * sum);
    let one_minus_e = if magnitude < one { -(-magnitude).exp_m1() } else { one - e };
    let t = if x < R::zero() { -one_minus_e / sum } else { one_minus_e / sum };
    let square = t * t;
    [value, first, -first * t, first * l(0.5) * (l(3.0) * square - one), first * t * (l(2.0) - l(3.0) * square)]
}

/// ln(1+exp(x)); its derivatives are those of the sigmoid. Exact everywhere: no threshold.
#[inline]
pub(crate) fn softplus<R: Real>(x: R) -> Jet<R> {
    let [first, second, third, fourth, _] = sigmoid(x);
    let value = x.max(R::zero()) + (-x.abs()).exp().ln_1p();
    // max would swallow a NaN.
    let value = if x.is_nan() { x } else { value };
    [value, first, second, third, fourth]
}

/// x times the sigmoid of x.
#[inline]
pub(crate) fn silu<R: Real>(x: R) -> Jet<R> {
    if x.abs() > R::literal(1e4) {
        return saturated(x);
    }
    times_argument(x, sigmoid(x))
}

/// sqrt(8/pi), and what is missing from the f64.
const SQRT_8_OVER_PI: (f64, f64) = (1.595_769_121_605_730_8, -9.969_308_809_110_92e-17);
/// 0.044715, and what is missing from the f64.
const CUBIC: (f64, f64) = (0.044_715, 2.196_021_142_708_56e-18);

/// The tanh form of GELU, x/2 (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3))) = x sigmoid(v) with v = sqrt(8/pi) (x + 0.044715 x^3).
#[inline]
pub(crate) fn gelu_tanh<R: Real>(x: R) -> Jet<R> {
    let l = R::literal;
    if x.abs() > l(50.0) {
        return saturated(x);
    }
    let (scale, scale_rest) = compensated::literal(SQRT_8_OVER_PI.0, SQRT_8_OVER_PI.1);
    let (cubic, cubic_rest) = compensated::literal(CUBIC.0, CUBIC.1);

    // The rounding error of v is worth |v| units in the last place on the left, so v is kept as v + rest.
    let (square, square_rest) = compensated::square(x);
    let (bend, bend_error) = compensated::product(cubic, square);
    let (stretch, stretch_error) = compensated::sum(R::one(), bend);
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
    let v1 = scale * (R::one() + l(3.0) * cubic * square);
    let v2 = l(6.0) * scale * cubic * x;
    let v3 = l(6.0) * scale * cubic;
    let v1_squared = v1 * v1;
    times_argument(
        x,
        [
            s[0],
            s[1] * v1,
            s[2] * v1_squared + s[1] * v2,
            s[3] * v1_squared * v1 + l(3.0) * s[2] * v1 * v2 + s[1] * v3,
            s[4] * v1_squared * v1_squared + l(6.0) * s[3] * v1_squared * v2 + s[2] * (l(3.0) * v2 * v2 + l(4.0) * v1 * v3),
        ],
    )
}

/// x tanh(softplus(x)). With e = exp(x), tanh(softplus(x)) = n/(n+2) for n = e(e+2), and its derivatives are polynomials
/// in e over powers of n+2; for x > 0 all is divided through by the highest power of e, so nothing overflows.
#[inline]
pub(crate) fn mish<R: Real>(x: R) -> Jet<R> {
    let l = R::literal;
    if x.abs() > l(1e4) {
        return saturated(x);
    }
    if x <= R::zero() {
        let e = x.exp();
        let n = e * (e + l(2.0));
        let d = (n + l(2.0)).recip();
        let slope = l(4.0) * e * d * d;
        return times_argument(
            x,
            [
                n * d,
                slope * (e + l(1.0)),
                slope * polynomial(e, [2.0, 2.0, -3.0, -2.0]) * d,
                slope * polynomial(e, [4.0, 0.0, -32.0, -24.0, 5.0, 4.0]) * d * d,
                slope * polynomial(e, [8.0, -24.0, -220.0, -128.0, 210.0, 154.0, 1.0, -8.0]) * d * d * d,
            ],
        );
    }
    let w = (-x).exp();
    let d = (l(1.0) + l(2.0) * w * (l(1.0) + w)).recip();
    let slope = l(4.0) * w * w * d * d;
    times_argument(
        x,
        [
            (l(1.0) + l(2.0) * w) * d,
            slope * (l(1.0) + w),
            slope * polynomial(w, [-2.0, -3.0, 2.0, 2.0]) * d,
            slope * polynomial(w, [4.0, 5.0, -24.0, -32.0, 0.0, 4.0]) * d * d,
            slope * polynomial(w, [-8.0, 1.0, 154.0, 210.0, -128.0, -220.0, -24.0, 8.0]) * d * d * d,
        ],
    )
}

/// The polynomial with these coefficients, constant term first.
#[inline]
fn polynomial<R: Real, const K: usize>(x: R, coefficients: [f64; K]) -> R {
    coefficients.iter().rev().fold(R::zero(), |sum, &c| sum * x + R::literal(c))
}

/// x for x > 0, alpha (exp(x) - 1) else. At 0 the left side's derivatives hold, as in PyTorch.
#[inline]
pub(crate) fn elu<R: Real>(x: R, alpha: R) -> Jet<R> {
    if x > R::zero() {
        return rising(x, R::one());
    }
    let slope = alpha * x.exp();
    [alpha * x.exp_m1(), slope, slope, slope, slope]
}

/// max(x, 0); slope 0 at 0, as in PyTorch.
#[inline]
pub(crate) fn relu<R: Real>(x: R) -> Jet<R> {
    if x > R::zero() { rising(x, R::one()) } else { constant(if x.is_nan() { x } else { R::zero() }) }
}

/// x for x > 0, slope * x else; at 0 the left side's slope holds, as in PyTorch.
#[inline]
pub(crate) fn leaky_relu<R: Real>(x: R, slope: R) -> Jet<R> {
    rising(x, if x > R::zero() { R::one() } else { slope })
}
