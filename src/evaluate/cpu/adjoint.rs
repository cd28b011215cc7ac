//! Second-order forms by a sweep back through the layers of a tile, where that is cheaper than to carry them.
//!
//! For a = s(z), z = W a' + b in each layer, an output u of the network has
//!
//! ```text
//! sum M_ij d2u/dx_i dx_j  =  sum over layers and neurons of  (du/da) s''(z) sum M_ij z_i z_j
//! ```
//!
//! with the first partials z_i that the forward pass carries. du/da comes back through the transposed weights: one channel for
//! each output, whatever the number of forms. So a full Hessian of 3 inputs takes 1 + 3 channels forward and 1 back, not 10.
//! Only the tile at hand is kept; memory stays a number that is known beforehand.

use pulp::{Simd, WithSimd};

use super::instruction_set::InstructionSet;
use super::product::{BLOCK, PackedWeights, Product};
use super::push::WeightedForm;
use super::simd::SimdReal;
use crate::network::{Activation, Network};

/// A network prepared for the sweep back.
pub(super) struct Adjoint<R> {
    set: InstructionSet,
    outputs: usize,
    firsts: usize,
    /// Weights of the last layer, of shape (outputs, neurons).
    last: Vec<R>,
    /// Neurons of each hidden layer.
    widths: Vec<usize>,
    /// Transposed weights of the hidden layers but the first.
    transposed: Vec<PackedWeights<R>>,
}

/// The memory of the sweep.
pub(super) struct Sweep<'a, R> {
    /// As [`Adjoint::record_row`] lays it out.
    pub record: &'a mut [R],
    /// Two buffers of a channel for each output.
    pub front: &'a mut [R],
    /// The other one.
    pub back: &'a mut [R],
    /// Adjoint times s'' for each neuron and output.
    pub curvature: &'a mut [R],
    /// The results: for each output the forms.
    pub sums: &'a mut [R],
}

impl<R: SimdReal> Adjoint<R> {
    /// Prepares the sweep, if it is cheaper than to carry `forms` channels: with fewer outputs than forms, at least one hidden
    /// layer, and an output layer without activation.
    pub fn new(network: &Network<R>, firsts: usize, forms: usize, set: InstructionSet) -> Option<Self> {
        let (last, hidden) = network.layers().split_last()?;
        let cheaper = forms > network.outputs() && !hidden.is_empty() && last.activation() == Activation::Identity;
        let transpose = |layer: &crate::network::Layer<R>| {
            let (inputs, outputs) = (layer.inputs(), layer.outputs());
            let rows = (0..inputs).flat_map(|i| (0..outputs).map(move |o| layer.weights()[o * inputs + i]));
            PackedWeights::new(&rows.collect::<Vec<R>>(), &vec![R::zero(); inputs], outputs, set.registers())
        };
        cheaper.then(|| Self {
            set,
            outputs: network.outputs(),
            firsts,
            last: last.weights().to_vec(),
            widths: hidden.iter().map(|layer| layer.outputs()).collect(),
            transposed: hidden.iter().skip(1).map(transpose).collect(),
        })
    }

    /// Channels of the sweep.
    pub fn channels(&self) -> usize {
        self.outputs
    }

    /// Multiplications and additions of its products for one point.
    pub fn operations(&self) -> usize {
        2 * self.outputs * self.transposed.iter().map(PackedWeights::weights).sum::<usize>()
    }

    /// Rows of the tile's width in the record of all hidden layers: for each neuron s', s'' and the first partials.
    pub fn record_rows(&self) -> usize {
        (2 + self.firsts) * self.widths.iter().sum::<usize>()
    }

    /// The place in the record of a neuron of a hidden layer: s', s'', and the first partials of its sum.
    pub fn record_row<'a>(&self, record: &'a mut [R], layer: usize, neuron: usize, tile: usize) -> &'a mut [R] {
        let before: usize = self.widths[..layer].iter().sum();
        let length = (2 + self.firsts) * tile;
        &mut record[(before + neuron) * length..][..length]
    }

    /// Sums the forms of every output over all layers. `first_curvatures` holds sum M_ij w_i w_j of each neuron of the first
    /// layer and form, whose first partials are constants.
    pub fn sweep(&self, sweep: Sweep<'_, R>, forms: &[WeightedForm<R>], first_curvatures: &[R], tile: usize) {
        let Sweep { record, mut front, mut back, curvature, sums } = sweep;
        let m = self.outputs;
        let last_width = self.widths.last().copied().unwrap_or(0);
        for (neuron, row) in front[..last_width * m * tile].chunks_exact_mut(m * tile).enumerate() {
            for (output, channel) in row.chunks_exact_mut(tile).enumerate() {
                channel.fill(self.last[output * last_width + neuron]);
            }
        }
        sums.fill(R::zero());
        let record_length = (2 + self.firsts) * tile;
        for (layer, &width) in self.widths.iter().enumerate().rev() {
            let before: usize = self.widths[..layer].iter().sum();
            let record = &record[before * record_length..][..width * record_length];
            let adjoint = &mut front[..width * m * tile];
            let curvature = &mut curvature[..width * m * tile];
            self.set.dispatch(Through { outputs: m, firsts: self.firsts, record, adjoint, curvature });
            if layer == 0 {
                self.set.dispatch(ConstantSums { outputs: m, factors: first_curvatures, curvature, sums });
                return;
            }
            self.set.dispatch(CurvatureSums { outputs: m, firsts: self.firsts, forms, record, curvature, sums });
            let weights = &self.transposed[layer - 1];
            self.set.dispatch(Product { weights, channels: m, input: front, output: back });
            std::mem::swap(&mut front, &mut back);
        }
    }
}

/// Takes the adjoints of a layer's results to those of its sums (times s'), and to their share of curvature (times s'').
struct Through<'a, R> {
    outputs: usize,
    firsts: usize,
    record: &'a [R],
    adjoint: &'a mut [R],
    curvature: &'a mut [R],
}

impl<R: SimdReal> WithSimd for Through<'_, R> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let (record, _) = R::vectors::<S>(self.record);
        let (adjoint, _) = R::vectors_mut::<S>(self.adjoint);
        let (curvature, _) = R::vectors_mut::<S>(self.curvature);
        let record_stride = (2 + self.firsts) * BLOCK;
        let stride = self.outputs * BLOCK;
        for neuron in 0..record.len() / record_stride {
            let record = &record[neuron * record_stride..][..2 * BLOCK];
            for channel in 0..self.outputs {
                let place = neuron * stride + channel * BLOCK;
                for v in 0..BLOCK {
                    let x = adjoint[place + v];
                    curvature[place + v] = R::times(simd, x, record[BLOCK + v]);
                    adjoint[place + v] = R::times(simd, x, record[v]);
                }
            }
        }
    }
}

/// Adds curvature times sum M_ij z_i z_j over the neurons of a layer.
struct CurvatureSums<'a, R> {
    outputs: usize,
    firsts: usize,
    forms: &'a [WeightedForm<R>],
    record: &'a [R],
    curvature: &'a [R],
    sums: &'a mut [R],
}

impl<R: SimdReal> WithSimd for CurvatureSums<'_, R> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let (record, _) = R::vectors::<S>(self.record);
        let (curvature, _) = R::vectors::<S>(self.curvature);
        let (sums, _) = R::vectors_mut::<S>(self.sums);
        let record_stride = (2 + self.firsts) * BLOCK;
        let stride = self.outputs * BLOCK;
        let neurons = record.len() / record_stride;
        for output in 0..self.outputs {
            let rows = Rows { record, record_stride, curvature: &curvature[output * BLOCK..], stride, neurons };
            let mut number = 0;
            while number < self.forms.len() {
                let place = (output * self.forms.len() + number) * BLOCK;
                // Single second partials by the same first variable share a product.
                let [first, second, third] =
                    [number, number + 1, number + 2].map(|n| self.forms.get(n).and_then(WeightedForm::single));
                match (first, second, third) {
                    (Some((i, a)), Some((j, b)), Some((k, c))) if i == j && i == k => {
                        rows.add::<S, R, 3>(simd, i, [a, b, c], R::one(), &mut sums[place..]);
                        number += 3;
                    }
                    (Some((i, a)), Some((j, b)), _) if i == j => {
                        rows.add::<S, R, 2>(simd, i, [a, b], R::one(), &mut sums[place..]);
                        number += 2;
                    }
                    _ => {
                        for &(i, j, weight) in &self.forms[number].terms {
                            rows.add::<S, R, 1>(simd, i, [j], weight, &mut sums[place..]);
                        }
                        number += 1;
                    }
                }
            }
        }
    }
}

/// What the neurons of a layer have recorded, and their curvatures for one output.
struct Rows<'a, V> {
    record: &'a [V],
    record_stride: usize,
    curvature: &'a [V],
    stride: usize,
    neurons: usize,
}

impl<V: Copy> Rows<'_, V> {
    /// Adds the sums over the neurons of weight * curvature * z_i z_j for several j, one after another in `sums`.
    #[inline(always)]
    fn add<S: Simd, R: SimdReal<Vector<S> = V>, const K: usize>(
        &self,
        simd: S,
        i: usize,
        j: [usize; K],
        weight: R,
        sums: &mut [V],
    ) {
        let mut totals = [[R::splat(simd, R::zero()); BLOCK]; K];
        for neuron in 0..self.neurons {
            let record = &self.record[neuron * self.record_stride..][..self.record_stride];
            let zi = &record[(2 + i) * BLOCK..][..BLOCK];
            let curvature = &self.curvature[neuron * self.stride..][..BLOCK];
            for v in 0..BLOCK {
                let product = R::times(simd, curvature[v], zi[v]);
                for k in 0..K {
                    totals[k][v] = R::times_plus(simd, product, record[(2 + j[k]) * BLOCK + v], totals[k][v]);
                }
            }
        }
        let weight = R::splat(simd, weight);
        for k in 0..K {
            for v in 0..BLOCK {
                sums[k * BLOCK + v] = R::times_plus(simd, weight, totals[k][v], sums[k * BLOCK + v]);
            }
        }
    }
}

/// Adds curvature times a constant of each neuron and form.
struct ConstantSums<'a, R> {
    outputs: usize,
    factors: &'a [R],
    curvature: &'a [R],
    sums: &'a mut [R],
}

impl<R: SimdReal> WithSimd for ConstantSums<'_, R> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let (curvature, _) = R::vectors::<S>(self.curvature);
        let (sums, _) = R::vectors_mut::<S>(self.sums);
        let stride = self.outputs * BLOCK;
        let neurons = curvature.len() / stride;
        let forms = self.factors.len() / neurons;
        for output in 0..self.outputs {
            for form in 0..forms {
                let place = (output * forms + form) * BLOCK;
                let mut total = [R::splat(simd, R::zero()); BLOCK];
                for neuron in 0..neurons {
                    let factor = R::splat(simd, self.factors[neuron * forms + form]);
                    let t = &curvature[neuron * stride + output * BLOCK..][..BLOCK];
                    for v in 0..BLOCK {
                        total[v] = R::times_plus(simd, factor, t[v], total[v]);
                    }
                }
                for v in 0..BLOCK {
                    sums[place + v] = R::plus(simd, sums[place + v], total[v]);
                }
            }
        }
    }
}
