//! The adjoint of a tile: channels forward through all layers, then their adjoints back, which sums up the gradient by all
//! weights. Only the tile at hand is kept.
//!
//! ```text
//! forward   z_c = W a_c (+ b for the value)       y = s(z) for every channel, see evaluate::cpu
//! adjoint   zbar from ybar                        see push_back
//!           Wbar += sum_c zbar_c a_c^T            bbar += zbar_0      abar_c = W^T zbar_c
//! ```

mod channels;
mod push_back;
mod weights;

pub(super) use channels::Channels;
use push_back::PushBack;
use weights::{ROWS, RowProducts, RowSums, Transpose, WeightGradient};

use crate::evaluate::CpuReal;
use crate::evaluate::cpu::InstructionSet;
use crate::evaluate::cpu::product::{PackedWeights, Product};
use crate::evaluate::cpu::push::{self, PushForward};
use crate::evaluate::cpu::tile::{AffineSum, load};
use crate::network::{Activation, Network};

/// One dense layer: its shape, and where its numbers lie.
#[derive(Clone, Copy, Debug)]
struct Dense {
    inputs: usize,
    outputs: usize,
    activation: Activation,
    /// Where its weights start among the parameters; the bias follows them.
    parameters: usize,
    /// Where its part of a gradient starts: the weights in rows of `stride`, then the bias.
    gradient: usize,
    stride: usize,
    /// Rows of the weights in a gradient, a few more than there are outputs.
    rows: usize,
    /// Neurons of all layers before it.
    before: usize,
}

impl Dense {
    /// Where the bias starts in a gradient.
    fn bias(&self) -> usize {
        self.gradient + self.rows * self.stride
    }

    /// The numbers of this layer in a record that has so many for each neuron.
    fn record<'a, R>(&self, numbers: &'a mut [R], each: usize) -> &'a mut [R] {
        &mut numbers[self.before * each..][..self.outputs * each]
    }
}

/// A network whose weights change from step to step, prepared for tiles.
pub(super) struct Adjoint<R> {
    set: InstructionSet,
    tile: usize,
    layers: Vec<Dense>,
    /// Weights and bias of the first layer.
    first: Vec<R>,
    /// Of each later layer the weights, and the transposed ones.
    later: Vec<[PackedWeights<R>; 2]>,
    /// What is subtracted from each input, and what the difference is multiplied with.
    scaling: Vec<(R, R)>,
    /// Length of a gradient.
    gradient: usize,
}

/// How many parts the memory of a thread has.
pub(super) const PARTS: usize = 8;

/// The memory of a thread, for channels forward and back.
pub(super) struct Parts<'a, R> {
    /// Coordinates of the points, scaled.
    coordinates: &'a mut [R],
    /// Channels of all neurons before their activation.
    sums: &'a mut [R],
    /// Value, s', s'' and s''' of all neurons.
    derivatives: &'a mut [R],
    /// Channels of all neurons behind their activation.
    activated: &'a mut [R],
    /// Two buffers of adjoints.
    front: &'a mut [R],
    back: &'a mut [R],
    /// The inputs of a layer, transposed.
    transposed: &'a mut [R],
    /// Numbers of the outputs and the residuals.
    pub scratch: &'a mut [R],
}

impl<'a, R> Parts<'a, R> {
    pub fn new(parts: [&'a mut [R]; PARTS]) -> Self {
        let [coordinates, sums, derivatives, activated, front, back, transposed, scratch] = parts;
        Self { coordinates, sums, derivatives, activated, front, back, transposed, scratch }
    }
}

impl<R: CpuReal> Adjoint<R> {
    /// `lanes` is how many floats a register of the instruction set holds, `tile` how many points a tile.
    pub fn new(network: &Network<R>, scaling: &[(R, R)], set: InstructionSet, lanes: usize, tile: usize) -> Self {
        let (mut parameters, mut gradient, mut before) = (0, 0, 0);
        let mut layers = Vec::new();
        for (position, layer) in network.layers().iter().enumerate() {
            let (inputs, outputs) = (layer.inputs(), layer.outputs());
            let (stride, rows) = match position {
                0 => (inputs, outputs),
                _ => (inputs.next_multiple_of(lanes), outputs.next_multiple_of(ROWS)),
            };
            let activation = layer.activation();
            layers.push(Dense { inputs, outputs, activation, parameters, gradient, stride, rows, before });
            parameters += layer.parameters();
            gradient += (rows * stride + outputs).next_multiple_of(lanes);
            before += outputs;
        }
        let pack = |layer: &Dense| {
            let pack = |inputs: usize, outputs: usize| {
                PackedWeights::new(&vec![R::zero(); inputs * outputs], &vec![R::zero(); outputs], inputs, set.registers())
            };
            [pack(layer.inputs, layer.outputs), pack(layer.outputs, layer.inputs)]
        };
        let later = layers[1..].iter().map(pack).collect();
        let first = vec![R::zero(); layers[0].inputs * layers[0].outputs + layers[0].outputs];
        Self { set, tile, first, later, scaling: scaling.to_vec(), gradient, layers }
    }

    /// Length of a gradient as [`backward`](Adjoint::backward) sums it up.
    pub fn gradient_length(&self) -> usize {
        self.gradient
    }

    /// Points of a tile.
    pub fn tile(&self) -> usize {
        self.tile
    }

    /// Number of inputs of the network.
    pub fn inputs(&self) -> usize {
        self.layers[0].inputs
    }

    /// Number of outputs of the network.
    pub fn outputs(&self) -> usize {
        self.last().outputs
    }

    fn last(&self) -> &Dense {
        &self.layers[self.layers.len() - 1]
    }

    /// Lengths of the parts of a thread's memory for so many channels; the scratch is for the caller to size.
    pub fn lengths(&self, channels: usize, scratch: u128) -> [u128; PARTS] {
        let tile = self.tile as u128;
        let neurons = (self.last().before + self.outputs()) as u128;
        let widest = self.layers.iter().map(|layer| layer.outputs.next_multiple_of(ROWS)).max().unwrap_or(0) as u128;
        let stride = self.layers[1..].iter().map(|layer| layer.stride).max().unwrap_or(0) as u128;
        let channels = channels as u128 * tile;
        [
            self.inputs() as u128 * tile,
            neurons * channels,
            neurons * 4 * tile,
            neurons * channels,
            widest * channels,
            widest * channels,
            stride * channels,
            scratch,
        ]
    }

    /// Takes new weights: layer after layer the weights of shape (outputs, inputs), then the bias.
    pub fn renew(&mut self, parameters: &[R]) {
        let length = self.first.len();
        self.first.copy_from_slice(&parameters[..length]);
        for (layer, [forward, transposed]) in self.layers[1..].iter().zip(&mut self.later) {
            let (weights, rest) = parameters[layer.parameters..].split_at(layer.inputs * layer.outputs);
            forward.renew(|output, input| weights[output * layer.inputs + input]);
            forward.renew_bias(&rest[..layer.outputs]);
            transposed.renew(|input, output| weights[output * layer.inputs + input]);
        }
    }

    /// Leaves the channels of the outputs at `points`, which start rows of `width` numbers (as many as a tile has points, or
    /// fewer), in [`outputs`](Adjoint::outputs_of).
    pub fn forward(&self, parts: &mut Parts<'_, R>, channels: &Channels<R>, points: &[R], width: usize) {
        let tile = self.tile;
        let columns = channels.count() * tile;
        load(parts.coordinates, points, width, self.inputs(), tile);
        for (&(shift, scale), row) in self.scaling.iter().zip(parts.coordinates.chunks_exact_mut(tile)) {
            row.iter_mut().for_each(|x| *x = (*x - shift) * scale);
        }
        for (position, layer) in self.layers.iter().enumerate() {
            match position.checked_sub(1) {
                None => self.first_sums(parts, channels),
                Some(before) => {
                    let input = &parts.activated[self.layers[before].before * columns..];
                    let output = layer.record(parts.sums, columns);
                    let weights = &self.later[before][0];
                    self.set.dispatch(Product { weights, channels: channels.count(), input, output });
                }
            }
            let sums = layer.record(parts.sums, columns);
            let activated = layer.record(parts.activated, columns);
            activated.copy_from_slice(sums);
            if layer.activation == Activation::Identity {
                continue;
            }
            let derivatives = layer.record(parts.derivatives, 4 * tile);
            for (row, jet) in activated.chunks_exact_mut(columns).zip(derivatives.chunks_exact_mut(4 * tile)) {
                push::derivatives::<R, 4>(self.set, layer.activation, &row[..tile], jet);
                let derivatives = &jet[..3 * tile];
                let (firsts, forms) = (channels.firsts.len(), &channels.forms);
                self.set.dispatch(PushForward { derivatives, firsts, forms, row });
            }
        }
    }

    /// The sums of the first layer, whose inputs are the variables: first partials are its weights, second ones 0.
    fn first_sums(&self, parts: &mut Parts<'_, R>, channels: &Channels<R>) {
        let (tile, layer) = (self.tile, &self.layers[0]);
        let (weights, bias) = self.first.split_at(layer.inputs * layer.outputs);
        let columns = channels.count() * tile;
        let rows = layer.record(parts.sums, columns).chunks_exact_mut(columns);
        for ((row, weights), &bias) in rows.zip(weights.chunks_exact(layer.inputs)).zip(bias) {
            let slope = |input: usize| weights[input] * self.scaling[input].1;
            let (value, partials) = row.split_at_mut(tile);
            self.set.dispatch(AffineSum { weights, bias, coordinates: parts.coordinates, sum: value });
            let firsts = channels.firsts.iter().map(|&input| slope(input));
            let drifts = channels
                .drifts
                .iter()
                .map(|drift| drift.iter().fold(R::zero(), |sum, &(input, weight)| sum + weight * slope(input)));
            for (channel, constant) in partials.chunks_exact_mut(tile).zip(firsts.chain(drifts)) {
                channel.fill(constant);
            }
        }
    }

    /// The channels of the outputs, which may be changed: of shape (outputs, channels, tile). Then the adjoints of the same
    /// shape, to be written.
    pub fn outputs_of<'a>(&self, parts: &'a mut Parts<'_, R>, channels: &Channels<R>) -> Outputs<'a, R> {
        let columns = channels.count() * self.tile;
        Outputs {
            channels: self.last().record(parts.activated, columns),
            adjoints: &mut parts.front[..self.outputs() * columns],
            scratch: parts.scratch,
        }
    }

    /// Adds the gradient by all weights for the adjoints of the outputs, which are used up.
    pub fn backward(&self, parts: &mut Parts<'_, R>, channels: &Channels<R>, gradient: &mut [R]) {
        let tile = self.tile;
        let columns = channels.count() * tile;
        let Parts { coordinates, sums, derivatives, activated, front, back, transposed, .. } = parts;
        let (mut front, mut back): (&mut [R], &mut [R]) = (front, back);
        for (position, layer) in self.layers.iter().enumerate().rev() {
            if layer.activation != Activation::Identity {
                let derivatives = layer.record(derivatives, 4 * tile).chunks_exact(4 * tile);
                let rows = layer.record(sums, columns).chunks_exact(columns).zip(derivatives);
                for ((sums, jet), adjoint) in rows.zip(front.chunks_exact_mut(columns)) {
                    let derivatives = &jet[tile..];
                    let (firsts, forms) = (channels.firsts.len(), &channels.forms);
                    self.set.dispatch(PushBack { derivatives, firsts, forms, sums, adjoint });
                }
            }
            let adjoint = &front[..layer.rows * columns];
            let bias = &mut gradient[layer.bias()..][..layer.outputs];
            self.set.dispatch(RowSums { rows: adjoint, columns, length: tile, sums: bias });
            let gradient = &mut gradient[layer.gradient..][..layer.rows * layer.stride];
            let (outputs, stride) = (layer.outputs, layer.stride);
            let Some(before) = position.checked_sub(1) else {
                return self.first_gradient(coordinates, channels, adjoint, gradient);
            };
            let inputs = self.layers[before].record(activated, columns);
            if outputs < ROWS {
                let adjoint = &adjoint[..outputs * columns];
                self.set.dispatch(RowProducts { adjoint, columns, inputs, stride, gradient });
            } else {
                self.set.dispatch(Transpose { input: inputs, columns, output: transposed, stride });
                self.set.dispatch(WeightGradient { adjoint, columns, outputs, transposed, stride, gradient });
            }
            let weights = &self.later[before][1];
            self.set.dispatch(Product { weights, channels: channels.count(), input: front, output: back });
            std::mem::swap(&mut front, &mut back);
        }
    }

    /// The gradient by the weights of the first layer, through the value and through the partials, which are the weights.
    fn first_gradient(&self, coordinates: &[R], channels: &Channels<R>, adjoint: &[R], gradient: &mut [R]) {
        let tile = self.tile;
        let columns = channels.count() * tile;
        for (row, gradient) in adjoint.chunks_exact(columns).zip(gradient.chunks_exact_mut(self.inputs())) {
            let (value, partials) = row.split_at(tile);
            self.set.dispatch(RowProducts {
                adjoint: value,
                columns: tile,
                inputs: coordinates,
                stride: self.inputs(),
                gradient,
            });
            let mut channel_sums = partials.chunks_exact(tile).map(|channel| {
                let mut sum = [R::zero()];
                self.set.dispatch(RowSums { rows: channel, columns: tile, length: tile, sums: &mut sum });
                sum[0]
            });
            for (&input, sum) in channels.firsts.iter().zip(&mut channel_sums) {
                gradient[input] += self.scaling[input].1 * sum;
            }
            for (drift, sum) in channels.drifts.iter().zip(&mut channel_sums) {
                for &(input, weight) in drift {
                    gradient[input] += self.scaling[input].1 * weight * sum;
                }
            }
        }
    }

    /// Writes the sum of several gradients as parameters lie: layer after layer weights, then bias.
    pub fn collect<'a>(&self, gradients: impl Iterator<Item = &'a [R]> + Clone, sum: &mut [R]) {
        for layer in &self.layers {
            let (weights, rest) = sum[layer.parameters..].split_at_mut(layer.inputs * layer.outputs);
            for (output, row) in weights.chunks_exact_mut(layer.inputs).enumerate() {
                add(gradients.clone(), layer.gradient + output * layer.stride, row);
            }
            add(gradients.clone(), layer.bias(), &mut rest[..layer.outputs]);
        }
    }
}

/// Writes the sum of a stretch of several gradients, first to last.
fn add<'a, R: CpuReal>(gradients: impl Iterator<Item = &'a [R]>, start: usize, sum: &mut [R]) {
    sum.fill(R::zero());
    for gradient in gradients {
        for (place, &entry) in sum.iter_mut().zip(&gradient[start..]) {
            *place += entry;
        }
    }
}

/// What the residuals read and write at a tile.
pub(super) struct Outputs<'a, R> {
    pub channels: &'a mut [R],
    pub adjoints: &'a mut [R],
    pub scratch: &'a mut [R],
}
