//! What a kernel gives for each point, and how it becomes rows of results.

use super::real::ShaderReal;
use crate::evaluate::{Derivatives, Rows};
use crate::operator::Plan;

/// The numbers that a kernel gives for a point, each a sum of channels of the outputs: values, gradients, the upper triangles of
/// the Hessians (one half is not sent twice), operators.
pub(super) struct Record {
    inputs: usize,
    outputs: usize,
    derivatives: Derivatives,
    /// For each number its terms: (output, channel, factor).
    numbers: Vec<Vec<(usize, usize, f64)>>,
}

impl Record {
    pub fn new(inputs: usize, outputs: usize, derivatives: Derivatives, plan: &Plan) -> Self {
        let readout = plan.readout();
        let mut numbers = Vec::new();
        if derivatives.value {
            numbers.extend((0..outputs).map(|output| vec![(output, 0, 1.0)]));
        }
        for output in 0..outputs {
            numbers.extend(readout.gradient.iter().map(|&channel| vec![(output, channel, 1.0)]));
        }
        if derivatives.hessian {
            for output in 0..outputs {
                let pairs = (0..inputs).flat_map(|i| (i..inputs).map(move |j| i * inputs + j));
                let sums = pairs.filter_map(|pair| readout.hessian.get(pair));
                numbers.extend(sums.map(|sum| sum.iter().map(|&(channel, factor)| (output, channel, factor)).collect()));
            }
        }
        numbers.extend(readout.operators.iter().cloned());
        Self { inputs, outputs, derivatives, numbers }
    }

    /// Numbers for each point.
    pub fn width(&self) -> usize {
        self.numbers.len()
    }

    /// Where the terms of each number start, then the end of the last, then for each term its output times `channels` plus its
    /// channel.
    pub fn table(&self, channels: usize) -> Vec<u32> {
        let mut position = self.numbers.len() + 1;
        let mut table = Vec::with_capacity(position);
        for terms in &self.numbers {
            table.push(position as u32);
            position += terms.len();
        }
        table.push(position as u32);
        table.extend(self.numbers.iter().flatten().map(|&(output, channel, _)| (output * channels + channel) as u32));
        table
    }

    /// The factors of the terms, in order.
    pub fn factors<R: ShaderReal>(&self) -> impl Iterator<Item = R> {
        self.numbers.iter().flatten().map(|&(.., factor)| R::literal(factor))
    }

    /// Writes the rows of some points from what the kernel gave for them.
    pub fn unpack<R: ShaderReal>(&self, found: &[R], rows: Rows<'_, R>) {
        let width = self.width();
        if width == 0 {
            return;
        }
        let points = found.len() / width;
        if points > POINTS_PER_PIECE {
            let half = (points / 2).next_multiple_of(POINTS_PER_PIECE);
            let (left, right) = found.split_at(half * width);
            let (left_rows, right_rows) = rows.split(half, points);
            rayon::join(|| self.unpack(left, left_rows), || self.unpack(right, right_rows));
            return;
        }
        let (d, m) = (self.inputs, self.outputs);
        let lengths = [rows.value.len(), rows.gradient.len(), rows.hessian.len(), rows.operators.len()];
        let [value, gradient, hessian, operators] = lengths.map(|length| length / points.max(1));
        for (point, numbers) in found.chunks_exact(width).enumerate() {
            let (from, numbers) = numbers.split_at(value);
            rows.value[point * value..][..value].copy_from_slice(from);
            let (from, numbers) = numbers.split_at(gradient);
            rows.gradient[point * gradient..][..gradient].copy_from_slice(from);
            let (triangles, from) = numbers.split_at(width - value - gradient - operators);
            rows.operators[point * operators..][..operators].copy_from_slice(from);
            if hessian > 0 {
                let square = &mut rows.hessian[point * hessian..][..hessian];
                let mut triangles = triangles.iter();
                for (k, i, j) in (0..m).flat_map(|k| (0..d).flat_map(move |i| (i..d).map(move |j| (k, i, j)))) {
                    let Some(&second) = triangles.next() else { return };
                    square[(k * d + i) * d + j] = second;
                    square[(k * d + j) * d + i] = second;
                }
            }
        }
    }

    /// What is computed at each point.
    pub fn derivatives(&self) -> Derivatives {
        self.derivatives
    }
}

/// Points whose rows one thread writes at a time.
const POINTS_PER_PIECE: usize = 4096;
