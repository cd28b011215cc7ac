//! What an activation does to the channels of a neuron.

use pulp::{Simd, WithSimd};

use super::instruction_set::InstructionSet;
use super::lanes::Lanes;
use super::product::BLOCK;
use super::simd::SimdReal;
use crate::network::{Activation, by_activation};
use crate::number::lane::Lane;
use crate::number::rule::Jet;

/// Writes the value of an activation and its derivatives at the sums of one neuron: `ROWS` rows, one after another, 3 for the
/// second derivative and 4 for the third.
///
/// Each activation is compiled into a function of its own: all in one would need a stack of megabytes where nothing is
/// optimised.
pub(crate) fn derivatives<R: SimdReal, const ROWS: usize>(
    set: InstructionSet,
    activation: Activation,
    sums: &[R],
    derivatives: &mut [R],
) {
    macro_rules! apply {
        ($rule:path) => {
            apply!(@ |_parameter, x| $rule(x))
        };
        ($rule:path, parameter) => {
            apply!(@ |parameter, x| $rule(x, x.constant(parameter)))
        };
        (@ |$parameter:ident, $x:ident| $jet:expr) => {{
            struct Each<'a, R, const ROWS: usize> {
                parameter: f64,
                sums: &'a [R],
                derivatives: &'a mut [R],
            }

            impl<R: SimdReal, const ROWS: usize> WithSimd for Each<'_, R, ROWS> {
                type Output = ();

                #[inline(always)]
                fn with_simd<S: Simd>(self, simd: S) {
                    let $parameter = self.parameter;
                    // A closure has to be inlined by order, and can be only as the argument of a call.
                    each::<S, R, ROWS>(simd, self.sums, self.derivatives, #[inline(always)] |$x| $jet);
                }
            }

            set.dispatch(Each::<R, ROWS> { parameter: activation.parameter(), sums, derivatives })
        }};
    }
    let done = by_activation!(activation, apply);
    debug_assert!(done.is_some(), "the instruction set was checked when the evaluator was built");
}

#[inline(always)]
fn each<S: Simd, R: SimdReal, const ROWS: usize>(
    simd: S,
    sums: &[R],
    derivatives: &mut [R],
    rule: impl Fn(Lanes<S, R>) -> Jet<Lanes<S, R>>,
) {
    let (sums, _) = R::vectors::<S>(sums);
    let (derivatives, _) = R::vectors_mut::<S>(derivatives);
    let derivatives = &mut derivatives[..ROWS * sums.len()];
    // Blocks, so that the long chains of several vectors run side by side.
    for start in (0..sums.len() / BLOCK * BLOCK).step_by(BLOCK) {
        for v in start..start + BLOCK {
            let jet = rule(Lanes::new(simd, sums[v]));
            for order in 0..ROWS {
                derivatives[order * sums.len() + v] = jet[order].vector;
            }
        }
    }
}

/// A second-order form with its weights as floats.
#[derive(Clone, Debug)]
pub(crate) struct WeightedForm<R> {
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
pub(crate) struct PushForward<'a, R> {
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
