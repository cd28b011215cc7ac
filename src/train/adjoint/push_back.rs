//! What an activation does to the adjoints of a neuron's channels.

use pulp::{Simd, WithSimd};

use crate::evaluate::cpu::product::BLOCK;
use crate::evaluate::cpu::push::WeightedForm;
use crate::evaluate::{CpuReal, cpu::SimdReal};

/// Takes the adjoints of one neuron's channels behind its activation to those before it, in place:
///
/// ```text
/// zbar_0 = s' ybar_0 + s'' sum_i z_i ybar_i + sum_q ybar_q (s'' z_q + s''' Q_q)
/// zbar_i = s' ybar_i + s'' sum_q ybar_q dQ_q/dz_i
/// zbar_q = s' ybar_q                                 with Q_q = sum M_ij z_i z_j
/// ```
pub(super) struct PushBack<'a, R> {
    /// s', s'' and s''', one after another.
    pub derivatives: &'a [R],
    /// Number of first partials.
    pub firsts: usize,
    /// The second-order forms.
    pub forms: &'a [WeightedForm<R>],
    /// All channels of the neuron before the activation.
    pub sums: &'a [R],
    /// The adjoints of all its channels.
    pub adjoint: &'a mut [R],
}

impl<R: CpuReal> WithSimd for PushBack<'_, R> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let (derivatives, _) = R::vectors::<S>(self.derivatives);
        let (sums, _) = R::vectors::<S>(self.sums);
        let (adjoint, _) = R::vectors_mut::<S>(self.adjoint);
        let first = load::<R::Vector<S>>(derivatives, 0);
        let second = load::<R::Vector<S>>(derivatives, 1);
        let third = load::<R::Vector<S>>(derivatives, 2);

        let mut value = [R::splat(simd, R::zero()); BLOCK];
        for i in 0..self.firsts {
            let (z, y) = (load(sums, 1 + i), load(adjoint, 1 + i));
            for v in 0..BLOCK {
                value[v] = R::times_plus(simd, z[v], y[v], value[v]);
            }
            scale::<S, R>(simd, adjoint, 1 + i, first);
        }
        let mut through_third = [R::splat(simd, R::zero()); BLOCK];
        for (q, form) in self.forms.iter().enumerate() {
            let channel = 1 + self.firsts + q;
            let (z, y) = (load(sums, channel), load(adjoint, channel));
            let mut curvature = [R::splat(simd, R::zero()); BLOCK];
            let mut slope = [R::splat(simd, R::zero()); BLOCK];
            for v in 0..BLOCK {
                value[v] = R::times_plus(simd, z[v], y[v], value[v]);
                slope[v] = R::times(simd, second[v], y[v]);
            }
            for &(i, j, weight) in &form.terms {
                let weight = R::splat(simd, weight);
                let (zi, zj) = (load(sums, 1 + i), load(sums, 1 + j));
                for v in 0..BLOCK {
                    let t = R::times(simd, weight, zj[v]);
                    curvature[v] = R::times_plus(simd, t, zi[v], curvature[v]);
                    let place = &mut adjoint[(1 + i) * BLOCK + v];
                    *place = R::times_plus(simd, t, slope[v], *place);
                    let place = &mut adjoint[(1 + j) * BLOCK + v];
                    *place = R::times_plus(simd, R::times(simd, weight, zi[v]), slope[v], *place);
                }
            }
            for v in 0..BLOCK {
                through_third[v] = R::times_plus(simd, y[v], curvature[v], through_third[v]);
            }
            scale::<S, R>(simd, adjoint, channel, first);
        }
        for v in 0..BLOCK {
            let curved = R::times(simd, third[v], through_third[v]);
            let sum = R::times_plus(simd, second[v], value[v], curved);
            adjoint[v] = R::times_plus(simd, first[v], adjoint[v], sum);
        }
    }
}

/// The vectors of one channel.
#[inline(always)]
fn load<V: Copy>(channels: &[V], channel: usize) -> [V; BLOCK] {
    let row = &channels[channel * BLOCK..][..BLOCK];
    std::array::from_fn(
        #[inline(always)]
        |v| row[v],
    )
}

/// Multiplies a channel with a row.
#[inline(always)]
fn scale<S: Simd, R: SimdReal>(simd: S, channels: &mut [R::Vector<S>], channel: usize, factor: [R::Vector<S>; BLOCK]) {
    for v in 0..BLOCK {
        let place = &mut channels[channel * BLOCK + v];
        *place = R::times(simd, factor[v], *place);
    }
}
