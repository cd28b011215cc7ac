//! The matrix product of a layer over all channels of a tile.

use pulp::{Simd, WithSimd};

use super::simd::SimdReal;

/// Registers that one block of the product is wide: with three, loads and additions hide behind the multiplications on every
/// instruction set that has two units for them.
pub(crate) const BLOCK: usize = 3;

/// Rows of a block: as many as the registers hold beside a row of the inputs and a weight.
const MOST_ROWS: usize = 8;

/// The weights of a layer in the order in which the product reads them: panels of rows, each input after input.
#[derive(Clone, Debug)]
pub(crate) struct PackedWeights<R> {
    inputs: usize,
    outputs: usize,
    panels: Vec<R>,
    bias: Vec<R>,
    rows: usize,
}

impl<R: SimdReal> PackedWeights<R> {
    /// Packs weights of shape (outputs, inputs), row-major, for an instruction set with so many registers.
    pub fn new(weights: &[R], bias: &[R], inputs: usize, registers: usize) -> Self {
        let rows = if registers >= 32 { MOST_ROWS } else { MOST_ROWS / 2 };
        let (outputs, panels) = (bias.len(), vec![R::zero(); weights.len()]);
        let mut packed = Self { inputs, outputs, panels, bias: bias.to_vec(), rows };
        packed.renew(|output, input| weights[output * inputs + input]);
        packed
    }

    /// Packs other weights, given by output and input.
    pub fn renew(&mut self, weight: impl Fn(usize, usize) -> R) {
        let mut places = self.panels.iter_mut();
        for start in (0..self.outputs).step_by(self.rows) {
            let panel = start..self.outputs.min(start + self.rows);
            for input in 0..self.inputs {
                panel.clone().zip(&mut places).for_each(|(output, place)| *place = weight(output, input));
            }
        }
    }

    /// Takes another bias.
    #[cfg(feature = "train")]
    pub fn renew_bias(&mut self, bias: &[R]) {
        self.bias.copy_from_slice(bias);
    }

    /// How many weights the layer has.
    pub fn weights(&self) -> usize {
        self.panels.len()
    }

    /// How many neurons the layer has.
    pub fn outputs(&self) -> usize {
        self.outputs
    }
}

/// Writes W a for every channel, and adds the bias to channel 0. Both matrices are row-major with a row for each neuron;
/// in a row channel follows channel, each a [`BLOCK`] wide.
pub(crate) struct Product<'a, R> {
    pub weights: &'a PackedWeights<R>,
    pub channels: usize,
    pub input: &'a [R],
    pub output: &'a mut [R],
}

impl<R: SimdReal> WithSimd for Product<'_, R> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Self { weights, channels, input, output } = self;
        let stride = channels * BLOCK;
        let input = &R::vectors::<S>(input).0[..weights.inputs * stride];
        let output = &mut R::vectors_mut::<S>(output).0[..weights.outputs * stride];
        let full = weights.outputs / weights.rows * weights.rows;
        let panel_length = weights.inputs * weights.rows;
        for channel in 0..channels {
            let (is_value, column) = (channel == 0, channel * BLOCK);
            for row in (0..full).step_by(weights.rows) {
                let panel = &weights.panels[row / weights.rows * panel_length..][..panel_length];
                let rows = &mut output[row * stride..];
                let bias = &weights.bias[row..];
                if weights.rows == MOST_ROWS {
                    block::<S, R, MOST_ROWS>(simd, panel, bias, is_value, input, rows, stride, column);
                } else {
                    block::<S, R, { MOST_ROWS / 2 }>(simd, panel, bias, is_value, input, rows, stride, column);
                }
            }
            let panel = &weights.panels[full * weights.inputs..];
            let rows = &mut output[full * stride..];
            let bias = &weights.bias[full..];
            macro_rules! rest {
                ($($count:literal)*) => {
                    match weights.outputs - full {
                        $($count => block::<S, R, $count>(simd, panel, bias, is_value, input, rows, stride, column),)*
                        _ => {}
                    }
                };
            }
            rest!(1 2 3 4 5 6 7);
        }
    }
}

/// One block of `ROWS` neurons by [`BLOCK`] vectors of points.
#[inline(always)]
#[allow(clippy::too_many_arguments)]
fn block<S: Simd, R: SimdReal, const ROWS: usize>(
    simd: S,
    panel: &[R],
    bias: &[R],
    is_value: bool,
    input: &[R::Vector<S>],
    output: &mut [R::Vector<S>],
    stride: usize,
    column: usize,
) {
    let mut sums = [[R::splat(simd, R::zero()); BLOCK]; ROWS];
    if is_value {
        for r in 0..ROWS {
            sums[r] = [R::splat(simd, bias[r]); BLOCK];
        }
    }
    let (panel, _) = panel.as_chunks::<ROWS>();
    let inputs = panel.len().min(input.len() / stride);
    for k in 0..inputs {
        let row = &input[k * stride + column..][..BLOCK];
        let (x0, x1, x2) = (row[0], row[1], row[2]);
        let weights = &panel[k];
        for r in 0..ROWS {
            let weight = R::splat(simd, weights[r]);
            sums[r][0] = R::times_plus(simd, weight, x0, sums[r][0]);
            sums[r][1] = R::times_plus(simd, weight, x1, sums[r][1]);
            sums[r][2] = R::times_plus(simd, weight, x2, sums[r][2]);
        }
    }
    for r in 0..ROWS {
        output[r * stride + column..][..BLOCK].copy_from_slice(&sums[r]);
    }
}
