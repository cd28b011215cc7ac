//! What an activation does to the channels of a neuron.

use pulp::{Simd, WithSimd};

use super::instruction_set::InstructionSet;
use super::lanes::Lanes;
use super::product::BLOCK;
use super::simd::SimdReal;
use crate::network::Activation;
use crate::number::lane::Lane;
use crate::number::rule::{self, Jet};

/// Writes value, first and second derivative of an activation at the sums of one neuron: three rows, one after another.
///
/// Each activation is compiled into a function of its own: all in one would need a stack of megabytes where nothing is
/// optimised.
pub(super) fn derivatives<R: SimdReal>(set: InstructionSet, activation: Activation, sums: &[R], derivatives: &mut [R]) {
    // Closures have to be inlined by order, and can be only as arguments of calls.
    macro_rules! each {
        ($rule:path) => {
            each!(|activation, x| $rule(x))
        };
        (|$activation:ident, $x:ident| $rule:expr) => {{
            struct Each<'a, R> {
                activation: Activation,
                sums: &'a [R],
                derivatives: &'a mut [R],
            }

            impl<R: SimdReal> WithSimd for Each<'_, R> {
                type Output = ();

                #[inline(always)]
                fn with_simd<S: Simd>(self, simd: S) {
                    let Self { activation, sums, derivatives } = self;
                    each::<S, R>(
                        simd,
                        sums,
                        derivatives,
                        #[inline(always)]
                        |x| apply(activation, x),
                    );
                }
            }

            #[inline(always)]
            #[allow(unused_variables)]
            fn apply<L: Lane>($activation: Activation, $x: L) -> Jet<L> {
                $rule
            }

            set.dispatch(Each { activation, sums, derivatives })
        }};
    }
    let done = match activation {
        Activation::Identity => each!(identity),
        Activation::Tanh => each!(rule::tanh),
        Activation::Sigmoid => each!(rule::sigmoid),
        Activation::Sin { .. } => each!(|activation, x| {
            let w0 = x.constant(activation.parameter());
            scaled_argument(w0, rule::sin(w0 * x))
        }),
        Activation::Cos => each!(rule::cos),
        Activation::Softplus { .. } => each!(|activation, x| {
            let beta = x.constant(activation.parameter());
            let [value, first, second, third, fourth] = scaled_argument(beta, rule::softplus(beta * x));
            [value / beta, first / beta, second / beta, third / beta, fourth / beta]
        }),
        Activation::Silu => each!(rule::silu),
        Activation::Gelu => each!(rule::gelu),
        Activation::GeluTanh => each!(rule::gelu_tanh),
        Activation::Elu { .. } => each!(|activation, x| rule::elu(x, x.constant(activation.parameter()))),
        Activation::Relu => each!(rule::relu),
        Activation::LeakyRelu { .. } => each!(|activation, x| rule::leaky_relu(x, x.constant(activation.parameter()))),
        Activation::Exp => each!(rule::exp),
        Activation::Gaussian => each!(rule::gaussian),
        Activation::Erf => each!(rule::erf),
        Activation::Mish => each!(rule::mish),
    };
    debug_assert!(done.is_some(), "the instruction set was checked when the evaluator was built");
}

#[inline(always)]
fn identity<L: Lane>(x: L) -> Jet<L> {
    let (zero, one) = (x.constant(0.0), x.constant(1.0));
    [x, one, zero, zero, zero]
}

/// The jet of x -> s(factor x) from that of s.
#[inline(always)]
fn scaled_argument<L: Lane>(factor: L, jet: Jet<L>) -> Jet<L> {
    let square = factor * factor;
    [jet[0], factor * jet[1], square * jet[2], square * factor * jet[3], square * square * jet[4]]
}

#[inline(always)]
fn each<S: Simd, R: SimdReal>(simd: S, sums: &[R], derivatives: &mut [R], rule: impl Fn(Lanes<S, R>) -> Jet<Lanes<S, R>>) {
    let (sums, _) = R::vectors::<S>(sums);
    let (derivatives, _) = R::vectors_mut::<S>(derivatives);
    let (value, rest) = derivatives.split_at_mut(sums.len());
    let (first, second) = rest.split_at_mut(sums.len());
    // Blocks, so that the long chains of several vectors run side by side.
    for start in (0..sums.len() / BLOCK * BLOCK).step_by(BLOCK) {
        for v in start..start + BLOCK {
            let jet = rule(Lanes::new(simd, sums[v]));
            value[v] = jet[0].vector;
            first[v] = jet[1].vector;
            second[v] = jet[2].vector;
        }
    }
}

/// A second-order form with its weights as floats.
#[derive(Clone, Debug)]
pub(super) struct WeightedForm<R> {
    /// Positions of two first partials, and a weight.
    pub terms: Vec<(usize, usize, R)>,
}

impl<R: SimdReal> WeightedForm<R> {
    /// The two first partials of a form that is a single second partial.
    pub fn single(&self) -> Option<(usize, usize)> {
        match self.terms[..] {
            [(i, j, weight)] if weight == R::one() => Some((i, j)),
            _ => None,
        }
    }
}

/// Pushes the channels of one neuron through its activation, in place: y_0 = s, y_i = s' z_i,
/// y_q = s' z_q + s'' sum M_ij z_i z_j.
pub(super) struct PushForward<'a, R> {
    /// As [`derivatives`] writes them.
    pub derivatives: &'a [R],
    /// Number of first partials.
    pub firsts: usize,
    /// The second-order forms.
    pub forms: &'a [WeightedForm<R>],
    /// All channels of the neuron.
    pub row: &'a mut [R],
}

impl<R: SimdReal> WithSimd for PushForward<'_, R> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        push_forward::<S, R>(
            simd,
            R::vectors::<S>(self.derivatives).0,
            self.firsts,
            self.forms,
            R::vectors_mut::<S>(self.row).0,
        );
    }
}

#[inline(always)]
fn push_forward<S: Simd, R: SimdReal>(
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
        if let Some((i, j)) = form.single() {
            let (zi, zj) = (&lower[(1 + i) * vectors..][..vectors], &lower[(1 + j) * vectors..][..vectors]);
            for v in 0..vectors {
                let curvature = R::times(simd, second[v], R::times(simd, zi[v], zj[v]));
                channel[v] = R::times_plus(simd, first[v], channel[v], curvature);
            }
            continue;
        }
        for v in 0..vectors {
            let mut sum = R::splat(simd, R::zero());
            for &(i, j, weight) in &form.terms {
                let product = R::times(simd, lower[(1 + i) * vectors + v], lower[(1 + j) * vectors + v]);
                sum = R::times_plus(simd, R::splat(simd, weight), product, sum);
            }
            channel[v] = R::times_plus(simd, first[v], channel[v], R::times(simd, second[v], sum));
        }
    }
    for channel in lower[vectors..].chunks_exact_mut(vectors) {
        for v in 0..vectors {
            channel[v] = R::times(simd, first[v], channel[v]);
        }
    }
    lower[..vectors].copy_from_slice(value);
}
