//! The residuals at a tile, and the adjoints of the outputs.

use super::{Objective, Prepared};
use crate::evaluate::CpuReal;
use crate::train::adjoint::{Channels, Outputs};
use crate::train::transform::{self, TilePoints};

impl<R: CpuReal> Objective<R> {
    /// Makes the outputs from those of the network, if there is a transform. The channels of its offsets and its factors are
    /// left at the start of the scratch.
    pub(super) fn transform(&self, channels: &Channels<R>, points: &[R], width: usize, outputs: &mut Outputs<'_, R>) {
        let (tile, inputs) = (self.adjoint.tile(), self.adjoint.inputs());
        let columns = channels.count() * tile;
        let Outputs { channels: u, scratch, .. } = outputs;
        let (offsets, rest) = scratch.split_at_mut(u.len());
        let factors = &mut rest[..u.len()];
        if let Some(transform) = &self.transform {
            let rows = u.chunks_exact_mut(columns).zip(offsets.chunks_exact_mut(columns));
            for (output, ((u, g), l)) in rows.zip(factors.chunks_exact_mut(columns)).enumerate() {
                transform.channels(output, TilePoints { points, width, inputs, tile }, channels, g, l);
                transform::forward(channels, tile, g, l, u);
            }
        }
    }

    /// Residuals and their slopes at the points of a tile.
    pub(super) fn linearize<'a>(
        &self,
        prepared: &Prepared<R>,
        points: &[R],
        outputs: &'a mut Outputs<'_, R>,
    ) -> Scratch<'a, R> {
        let (tile, inputs) = (self.adjoint.tile(), self.adjoint.inputs());
        let Prepared { term, channels } = prepared;
        let (width, columns) = (term.width(inputs), channels.count() * tile);
        self.transform(channels, points, width, outputs);
        let Outputs { channels: u, scratch, .. } = outputs;
        let (factors, rest) = scratch[u.len()..].split_at_mut(u.len());
        let [quantities, residuals, slopes] = Scratch::cut(prepared, tile, rest);
        for (terms, row) in channels.quantities.iter().zip(quantities.chunks_exact_mut(tile)) {
            row.fill(R::zero());
            for &(output, channel, factor) in terms {
                let channel = &u[output * columns + channel * tile..][..tile];
                row.iter_mut().zip(channel).for_each(|(sum, &entry)| *sum += factor * entry);
            }
        }
        term.residual.linearize(points, width, tile, quantities, residuals, slopes);
        Scratch { factors, residuals, slopes }
    }

    /// The sum of squared residuals at the points of a tile; writes the adjoints of the outputs, each multiplied with `scale`.
    pub(super) fn residual_adjoints(
        &self,
        prepared: &Prepared<R>,
        points: &[R],
        mut outputs: Outputs<'_, R>,
        scale: R,
    ) -> f64 {
        let tile = self.adjoint.tile();
        let channels = &prepared.channels;
        let (count, columns) = (points.len() / prepared.term.width(self.adjoint.inputs()), channels.count() * tile);
        let adjoints = std::mem::take(&mut outputs.adjoints);
        let Scratch { factors, residuals, slopes } = self.linearize(prepared, points, &mut outputs);
        let mut sum = 0.0;
        for row in residuals.chunks_exact(tile) {
            for residual in &row[..count] {
                let residual = residual.to_f64().unwrap_or(f64::NAN);
                sum += residual * residual;
            }
        }
        adjoints.fill(R::zero());
        for (k, terms) in channels.quantities.iter().enumerate() {
            for (j, residual) in residuals.chunks_exact(tile).enumerate() {
                let slope = &slopes[(j * channels.quantities.len() + k) * tile..][..count];
                for &(output, channel, factor) in terms {
                    let adjoint = &mut adjoints[output * columns + channel * tile..][..count];
                    let factor = factor * scale;
                    for ((place, &slope), &residual) in adjoint.iter_mut().zip(slope).zip(residual) {
                        *place += factor * residual * slope;
                    }
                }
            }
        }
        if self.transform.is_some() {
            for (adjoint, l) in adjoints.chunks_exact_mut(columns).zip(factors.chunks_exact(columns)) {
                transform::backward(channels, tile, l, adjoint);
            }
        }
        sum
    }
}

/// Numbers of the residuals at a tile.
pub(super) struct Scratch<'a, R> {
    /// The channels of the factors of an output transform, of shape (outputs, channels, tile).
    factors: &'a [R],
    /// Shape (residuals, tile).
    pub(super) residuals: &'a [R],
    /// Shape (residuals, quantities, tile).
    slopes: &'a [R],
}

impl<R: CpuReal> Scratch<'_, R> {
    /// Lengths of quantities, residuals and slopes.
    fn lengths(prepared: &Prepared<R>, tile: usize) -> [usize; 3] {
        let (k, j) = (prepared.channels.quantities.len(), prepared.term.residual.residuals());
        [k, j, j * k].map(|rows| rows * tile)
    }

    /// Length of all, for a network with `m` outputs.
    pub(super) fn length(prepared: &Prepared<R>, m: usize, tile: usize) -> u128 {
        let transform = 2 * m as u128 * prepared.channels.count() as u128 * tile as u128;
        Self::lengths(prepared, tile).iter().map(|&length| length as u128).sum::<u128>() + transform
    }

    fn cut<'b>(prepared: &Prepared<R>, tile: usize, mut rest: &'b mut [R]) -> [&'b mut [R]; 3] {
        Self::lengths(prepared, tile).map(|length| {
            let (part, following) = std::mem::take(&mut rest).split_at_mut(length);
            rest = following;
            part
        })
    }
}
