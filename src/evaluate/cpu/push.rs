//! What an activation does to the channels of a neuron.

use pulp::Simd;

use super::lanes::Lanes;
use super::product::BLOCK;
use super::simd::SimdReal;
use crate::network::Activation;
use crate::number::lane::Lane;
use crate::number::rule::{self, Jet};

/// Value, first and second derivative of an activation at the sums of one neuron: three rows, one after another.
#[inline(always)]
pub(super) fn derivatives<S: Simd, R: SimdReal>(
    simd: S,
    activation: Activation,
    sums: &[R::Vector<S>],
    derivatives: &mut [R::Vector<S>],
) {
    let constant = |value: f64| Lanes::<S, R>::new(simd, R::splat(simd, R::literal(value)));
    macro_rules! each {
        ($rule:expr) => {
            each::<S, R>(simd, sums, derivatives, $rule)
        };
    }
    match activation {
        Activation::Identity => each!(|x| {
            let (zero, one) = (x.constant(0.0), x.constant(1.0));
            [x, one, zero, zero, zero]
        }),
        Activation::Tanh => each!(rule::tanh),
        Activation::Sigmoid => each!(rule::sigmoid),
        Activation::Sin { w0 } => {
            let w0 = constant(w0);
            each!(|x| scaled_argument(w0, rule::sin(w0 * x)));
        }
        Activation::Cos => each!(rule::cos),
        Activation::Softplus { beta } => {
            let beta = constant(beta);
            each!(|x| {
                let [value, first, second, third, fourth] = scaled_argument(beta, rule::softplus(beta * x));
                [value / beta, first / beta, second / beta, third / beta, fourth / beta]
            });
        }
        Activation::Silu => each!(rule::silu),
        Activation::Gelu => each!(rule::gelu),
        Activation::GeluTanh => each!(rule::gelu_tanh),
        Activation::Elu { alpha } => {
            let alpha = constant(alpha);
            each!(|x| rule::elu(x, alpha));
        }
        Activation::Relu => each!(rule::relu),
        Activation::LeakyRelu { slope } => {
            let slope = constant(slope);
            each!(|x| rule::leaky_relu(x, slope));
        }
        Activation::Exp => each!(rule::exp),
        Activation::Gaussian => each!(rule::gaussian),
        Activation::Erf => each!(rule::erf),
        Activation::Mish => each!(rule::mish),
    }
}

/// The jet of x -> s(factor x) from that of s.
#[inline(always)]
fn scaled_argument<L: Lane>(factor: L, jet: Jet<L>) -> Jet<L> {
    let square = factor * factor;
    [jet[0], factor * jet[1], square * jet[2], square * factor * jet[3], square * square * jet[4]]
}

#[inline(always)]
fn each<S: Simd, R: SimdReal>(
    simd: S,
    sums: &[R::Vector<S>],
    derivatives: &mut [R::Vector<S>],
    rule: impl Fn(Lanes<S, R>) -> Jet<Lanes<S, R>>,
) {
    let (value, rest) = derivatives.split_at_mut(sums.len());
    let (first, second) = rest.split_at_mut(sums.len());
    // Blocks, so that the long chains of several vectors run side by side.
    let outputs = value.chunks_exact_mut(BLOCK).zip(first.chunks_exact_mut(BLOCK)).zip(second.chunks_exact_mut(BLOCK));
    for (sums, ((value, first), second)) in sums.chunks_exact(BLOCK).zip(outputs) {
        for (((x, value), first), second) in sums.iter().zip(value).zip(first).zip(second) {
            let jet = rule(Lanes::new(simd, *x));
            (*value, *first, *second) = (jet[0].vector, jet[1].vector, jet[2].vector);
        }
    }
}

/// A second-order form with its weights as floats.
#[derive(Clone, Debug)]
pub(super) struct WeightedForm<R> {
    /// Positions of two first partials, and a weight.
    pub terms: Vec<(usize, usize, R)>,
}

/// Pushes the channels of one neuron through its activation, in place: y_0 = s, y_i = s' z_i,
/// y_q = s' z_q + s'' sum M_ij z_i z_j.
#[inline(always)]
pub(super) fn push_forward<S: Simd, R: SimdReal>(
    simd: S,
    derivatives: &[R::Vector<S>],
    firsts: usize,
    forms: &[WeightedForm<R>],
    row: &mut [R::Vector<S>],
) {
    let vectors = derivatives.len() / 3;
    let (value, derivatives) = derivatives.split_at(vectors);
    let (first, second) = derivatives.split_at(vectors);
    let (lower, upper) = row.split_at_mut((1 + firsts) * vectors);
    for (form, channel) in forms.iter().zip(upper.chunks_exact_mut(vectors)) {
        let row_of = |position: usize| &lower[(1 + position) * vectors..][..vectors];
        if let [(i, j, weight)] = form.terms[..]
            && weight == R::one()
        {
            let (zi, zj) = (row_of(i), row_of(j));
            for (v, z) in channel.iter_mut().enumerate() {
                let curvature = R::times(simd, second[v], R::times(simd, zi[v], zj[v]));
                *z = R::times_plus(simd, first[v], *z, curvature);
            }
            continue;
        }
        for (v, z) in channel.iter_mut().enumerate() {
            let mut sum = R::splat(simd, R::zero());
            for &(i, j, weight) in &form.terms {
                let product = R::times(simd, row_of(i)[v], row_of(j)[v]);
                sum = R::times_plus(simd, R::splat(simd, weight), product, sum);
            }
            *z = R::times_plus(simd, first[v], *z, R::times(simd, second[v], sum));
        }
    }
    for channel in lower[vectors..].chunks_exact_mut(vectors) {
        for (z, &first) in channel.iter_mut().zip(first) {
            *z = R::times(simd, first, *z);
        }
    }
    lower[..vectors].copy_from_slice(value);
}
