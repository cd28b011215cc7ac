//! The matrix product of a layer over all channels of a tile.

use pulp::Simd;

use super::simd::SimdReal;

/// Registers that one block of the product is wide: with three, loads and additions hide behind the multiplications on every
/// instruction set that has two units for them.
pub(super) const BLOCK: usize = 3;

/// Rows of a block: as many as the registers hold beside a row of the inputs and a weight.
const MOST_ROWS: usize = 8;

/// The weights of a layer in the order in which the product reads them: panels of rows, each input after input.
#[derive(Clone, Debug)]
pub(super) struct PackedWeights<R> {
    inputs: usize,
    outputs: usize,
    panels: Vec<R>,
    bias: Vec<R>,
    rows: usize,
}

impl<R: SimdReal> PackedWeights<R> {
    /// Packs weights of shape (outputs, inputs), row-major, for an instruction set with so many registers.
    pub fn new(weights: &[R], bias: &[R], inputs: usize, registers: usize) -> Self {
        let outputs = bias.len();
        let rows = if registers >= 32 { MOST_ROWS } else { MOST_ROWS / 2 };
        let mut panels = Vec::with_capacity(weights.len());
        for start in (0..outputs).step_by(rows) {
            let panel = start..outputs.min(start + rows);
            for input in 0..inputs {
                panels.extend(panel.clone().map(|row| weights[row * inputs + input]));
            }
        }
        Self { inputs, outputs, panels, bias: bias.to_vec(), rows }
    }

    /// How many neurons the layer has.
    pub fn outputs(&self) -> usize {
        self.outputs
    }

    /// Writes W a for every channel, and adds the bias to channel 0. Both matrices are row-major with a row for each neuron of
    /// `stride` vectors: channels one after another, `channel_vectors` each.
    #[inline(always)]
    pub fn multiply<S: Simd>(
        &self,
        simd: S,
        input: &[R::Vector<S>],
        output: &mut [R::Vector<S>],
        stride: usize,
        channel_vectors: usize,
    ) {
        let input = &input[..self.inputs * stride];
        let output = &mut output[..self.outputs * stride];
        for column in (0..stride).step_by(BLOCK) {
            let is_value = column < channel_vectors;
            let full = self.outputs / self.rows * self.rows;
            let panel_length = self.inputs * self.rows;
            for row in (0..full).step_by(self.rows) {
                let panel = &self.panels[row / self.rows * panel_length..][..panel_length];
                let rows = &mut output[row * stride..];
                let bias = &self.bias[row..];
                if self.rows == MOST_ROWS {
                    block::<S, R, MOST_ROWS>(simd, panel, bias, is_value, input, rows, stride, column);
                } else {
                    block::<S, R, { MOST_ROWS / 2 }>(simd, panel, bias, is_value, input, rows, stride, column);
                }
            }
            let panel = &self.panels[full * self.inputs..];
            let rows = &mut output[full * stride..];
            let bias = &self.bias[full..];
            macro_rules! rest {
                ($($count:literal)*) => {
                    match self.outputs - full {
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
        for (sums, &bias) in sums.iter_mut().zip(bias) {
            *sums = [R::splat(simd, bias); BLOCK];
        }
    }
    for (weights, row) in panel.chunks_exact(ROWS).zip(input.chunks_exact(stride)) {
        let Some(row) = row.get(column..column + BLOCK) else { return };
        for (sums, &weight) in sums.iter_mut().zip(weights) {
            let weight = R::splat(simd, weight);
            for (sum, &x) in sums.iter_mut().zip(row) {
                *sum = R::times_plus(simd, weight, x, *sum);
            }
        }
    }
    for (sums, row) in sums.iter().zip(output.chunks_exact_mut(stride)) {
        row[column..column + BLOCK].copy_from_slice(sums);
    }
}
