//! The gradient by the weights of a layer: adjoints times the layer's inputs, summed over all channels and points of a tile.

use pulp::{Simd, WithSimd};

use crate::evaluate::CpuReal;

/// Rows of a block of the product. Rows of the adjoints and of the gradient are padded to a multiple.
pub(super) const ROWS: usize = 6;

/// Writes rows as columns: `output` of shape (columns, stride) from `input` of shape (rows, columns).
pub(super) struct Transpose<'a, R> {
    pub input: &'a [R],
    pub columns: usize,
    pub output: &'a mut [R],
    pub stride: usize,
}

/// Side of the squares that are transposed at a time.
const SIDE: usize = 16;

impl<R: CpuReal> WithSimd for Transpose<'_, R> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let Self { input, columns, output, stride } = self;
        let rows = input.len() / columns;
        let (whole_rows, whole_columns) = (rows / SIDE * SIDE, columns / SIDE * SIDE);
        for row in (0..whole_rows).step_by(SIDE) {
            for column in (0..whole_columns).step_by(SIDE) {
                let mut square = [R::zero(); SIDE * SIDE];
                for (r, line) in square.chunks_exact_mut(SIDE).enumerate() {
                    line.copy_from_slice(&input[(row + r) * columns + column..][..SIDE]);
                }
                // Four of these turn the place 16 r + c into 16 c + r.
                for _ in 0..4 {
                    square = riffle(&square);
                }
                for (c, line) in square.chunks_exact(SIDE).enumerate() {
                    output[(column + c) * stride + row..][..SIDE].copy_from_slice(line);
                }
            }
        }
        for row in 0..rows {
            let start = if row < whole_rows { whole_columns } else { 0 };
            for column in start..columns {
                output[column * stride + row] = input[row * columns + column];
            }
        }
    }
}

/// The two halves of a square one into the other, as a pack of cards: in a loop that becomes vector instructions, as moving the
/// numbers one by one does not.
#[inline(always)]
fn riffle<R: CpuReal>(square: &[R; SIDE * SIDE]) -> [R; SIDE * SIDE] {
    let (low, high) = square.split_at(SIDE * SIDE / 2);
    let mut mixed = [R::zero(); SIDE * SIDE];
    for i in 0..SIDE * SIDE / 2 {
        mixed[2 * i] = low[i];
        mixed[2 * i + 1] = high[i];
    }
    mixed
}

/// Adds adjoint times transposed inputs to the gradient, of shape (outputs, stride). The rows of the adjoint and of the
/// gradient go on to a multiple of [`ROWS`]; what stands there has no meaning.
pub(super) struct WeightGradient<'a, R> {
    /// Shape (outputs, columns).
    pub adjoint: &'a [R],
    pub columns: usize,
    pub outputs: usize,
    /// Shape (columns, stride).
    pub transposed: &'a [R],
    pub stride: usize,
    pub gradient: &'a mut [R],
}

impl<R: CpuReal> WithSimd for WeightGradient<'_, R> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Self { adjoint, columns, outputs, transposed, stride, gradient } = self;
        let width = stride / R::lanes::<S>();
        let (transposed, _) = R::vectors::<S>(&transposed[..columns * stride]);
        let (gradient, _) = R::vectors_mut::<S>(gradient);
        // As many sums as the registers hold beside a row of inputs and a weight.
        let most = if S::REGISTER_COUNT >= 32 { 4 } else { 2 };
        for column in (0..width).step_by(most) {
            for row in (0..outputs).step_by(ROWS) {
                let adjoint = &adjoint[row * columns..][..ROWS * columns];
                let gradient = &mut gradient[row * width..][..ROWS * width];
                let place = Place { width, column };
                match (width - column).min(most) {
                    1 => block::<S, R, 1>(simd, adjoint, transposed, gradient, place),
                    2 => block::<S, R, 2>(simd, adjoint, transposed, gradient, place),
                    3 => block::<S, R, 3>(simd, adjoint, transposed, gradient, place),
                    _ => block::<S, R, 4>(simd, adjoint, transposed, gradient, place),
                }
            }
        }
    }
}

/// Where a block lies in a row, in vectors.
#[derive(Clone, Copy)]
struct Place {
    width: usize,
    column: usize,
}

/// [`ROWS`] rows by `WIDTH` vectors of the gradient.
#[inline(always)]
fn block<S: Simd, R: CpuReal, const WIDTH: usize>(
    simd: S,
    adjoint: &[R],
    transposed: &[R::Vector<S>],
    gradient: &mut [R::Vector<S>],
    Place { width, column }: Place,
) {
    let columns = adjoint.len() / ROWS;
    let rows: [&[R]; ROWS] = std::array::from_fn(
        #[inline(always)]
        |r| &adjoint[r * columns..][..columns],
    );
    let mut sums = [[R::splat(simd, R::zero()); WIDTH]; ROWS];
    for (k, inputs) in transposed.chunks_exact(width).enumerate().take(columns) {
        let inputs = &inputs[column..][..WIDTH];
        for r in 0..ROWS {
            let weight = R::splat(simd, rows[r][k]);
            for v in 0..WIDTH {
                sums[r][v] = R::times_plus(simd, weight, inputs[v], sums[r][v]);
            }
        }
    }
    for r in 0..ROWS {
        let row = &mut gradient[r * width + column..][..WIDTH];
        for v in 0..WIDTH {
            row[v] = R::plus(simd, row[v], sums[r][v]);
        }
    }
}

/// Adds the products of each row of the adjoint with each row of the inputs to the gradient, of shape (outputs, stride): for
/// layers with few outputs, where transposing does not pay.
pub(super) struct RowProducts<'a, R> {
    /// Shape (outputs, columns).
    pub adjoint: &'a [R],
    pub columns: usize,
    /// Shape (inputs, columns).
    pub inputs: &'a [R],
    pub stride: usize,
    pub gradient: &'a mut [R],
}

impl<R: CpuReal> WithSimd for RowProducts<'_, R> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Self { adjoint, columns, inputs, stride, gradient } = self;
        for (adjoint, gradient) in adjoint.chunks_exact(columns).zip(gradient.chunks_exact_mut(stride)) {
            let (adjoint, _) = R::vectors::<S>(adjoint);
            for (row, place) in inputs.chunks_exact(columns).zip(gradient) {
                let (row, _) = R::vectors::<S>(row);
                let mut sum = R::splat(simd, R::zero());
                for v in 0..adjoint.len() {
                    sum = R::times_plus(simd, adjoint[v], row[v], sum);
                }
                *place += R::total(simd, sum);
            }
        }
    }
}

/// Adds the sum of the first `length` numbers of each row to a column of numbers: the gradient by the bias, which enters the
/// value alone.
pub(super) struct RowSums<'a, R> {
    pub rows: &'a [R],
    pub columns: usize,
    pub length: usize,
    pub sums: &'a mut [R],
}

impl<R: CpuReal> WithSimd for RowSums<'_, R> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        for (row, place) in self.rows.chunks_exact(self.columns).zip(self.sums) {
            let (row, _) = R::vectors::<S>(&row[..self.length]);
            let mut sum = R::splat(simd, R::zero());
            for &x in row {
                sum = R::plus(simd, sum, x);
            }
            *place += R::total(simd, sum);
        }
    }
}
