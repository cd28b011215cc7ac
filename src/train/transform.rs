//! Hard constraints: outputs made of the network's so that conditions hold by construction.

use super::adjoint::Channels;
use crate::evaluate::CpuReal;
use crate::number::{HyperDual, Scalar};

/// Makes the outputs u of a problem from those of its network N as u = g + l N, so that u = g wherever l = 0, such as on a
/// boundary. Second derivatives of g and l come from running them on hyper-dual numbers.
///
/// ```
/// use tapeless::{train::OutputTransform, Scalar};
///
/// /// u = sin(pi x) + t x (1 - x) N: exact at t = 0, x = 0 and x = 1.
/// struct Rod;
///
/// impl OutputTransform for Rod {
///     fn offset_and_factor<S: Scalar>(&self, _output: usize, point: &[S]) -> (S, S) {
///         let (x, t) = (point[0], point[1]);
///         ((S::PI() * x).sin(), t * x * (S::one() - x))
///     }
/// }
/// ```
pub trait OutputTransform: Send + Sync {
    /// g and l of an output at a point.
    fn offset_and_factor<S: Scalar>(&self, output: usize, point: &[S]) -> (S, S);
}

/// The most inputs that a transform can have.
pub(super) const MOST_INPUTS: usize = 8;

/// Points of a tile: rows of `width` numbers that start with the coordinates.
#[derive(Clone, Copy)]
pub(super) struct TilePoints<'a, R> {
    pub points: &'a [R],
    pub width: usize,
    pub inputs: usize,
    pub tile: usize,
}

/// The channels of g and l; every [`OutputTransform`] has them.
pub(super) trait TransformChannels<R>: Send + Sync {
    /// Writes the channels of g and of l of one output, of shape (channels, tile); 0 behind the last point.
    fn channels(&self, output: usize, at: TilePoints<'_, R>, channels: &Channels<R>, offset: &mut [R], factor: &mut [R]);
}

impl<R: CpuReal, F: OutputTransform> TransformChannels<R> for F {
    fn channels(&self, output: usize, at: TilePoints<'_, R>, channels: &Channels<R>, offset: &mut [R], factor: &mut [R]) {
        offset.fill(R::zero());
        factor.fill(R::zero());
        for (place, row) in at.points.chunks_exact(at.width).enumerate() {
            macro_rules! by_inputs {
                ($($N:literal)*) => {
                    match at.inputs {
                        $($N => {
                            let variables = std::array::from_fn(|i| row[i]);
                            let (g, l) = self.offset_and_factor(output, &HyperDual::<R, $N>::variables(variables));
                            for (number, room) in [(g, &mut *offset), (l, &mut *factor)] {
                                let (gradient, hessian) = (number.gradient(), number.hessian());
                                let room = room.iter_mut().skip(place).step_by(at.tile);
                                write(channels, number.value(), &gradient, |i, j| hessian[i][j], room);
                            }
                        })*
                        _ => {}
                    }
                };
            }
            by_inputs!(1 2 3 4 5 6 7 8);
        }
    }
}

/// The channels of a function from its gradient and Hessian.
fn write<'a, R: CpuReal>(
    channels: &Channels<R>,
    value: R,
    gradient: &[R],
    hessian: impl Fn(usize, usize) -> R,
    room: impl Iterator<Item = &'a mut R>,
) {
    let firsts = channels.firsts.iter().map(|&input| gradient[input]);
    let forms = channels.forms.iter().zip(&channels.drifts).map(|(form, drift)| {
        let second = form.terms.iter().map(|&(i, j, weight)| weight * hessian(channels.firsts[i], channels.firsts[j]));
        let first = drift.iter().map(|&(input, weight)| weight * gradient[input]);
        second.chain(first).fold(R::zero(), |sum, term| sum + term)
    });
    let numbers = std::iter::once(value).chain(firsts).chain(forms);
    room.zip(numbers).for_each(|(place, number)| *place = number);
}

/// Takes the channels of N at a tile to those of u = g + l N, in place; all have the shape (channels, tile).
pub(super) fn forward<R: CpuReal>(channels: &Channels<R>, tile: usize, g: &[R], l: &[R], n: &mut [R]) {
    let firsts = channels.firsts.len();
    for p in 0..tile {
        let at = |channel: usize| channel * tile + p;
        for (q, form) in channels.forms.iter().enumerate() {
            let channel = at(1 + firsts + q);
            let mut sum = g[channel] + l[channel] * n[p] + l[p] * n[channel];
            for &(i, j, weight) in &form.terms {
                let (i, j) = (at(1 + i), at(1 + j));
                sum += weight * (l[i] * n[j] + l[j] * n[i]);
            }
            n[channel] = sum;
        }
        for i in (1..=firsts).map(at) {
            n[i] = g[i] + l[i] * n[p] + l[p] * n[i];
        }
        n[p] = g[p] + l[p] * n[p];
    }
}

/// Takes the adjoints of the channels of u to those of N, in place.
pub(super) fn backward<R: CpuReal>(channels: &Channels<R>, tile: usize, l: &[R], adjoint: &mut [R]) {
    let firsts = channels.firsts.len();
    for p in 0..tile {
        let at = |channel: usize| channel * tile + p;
        let mut value = l[p] * adjoint[p];
        for i in (1..=firsts).map(at) {
            value += l[i] * adjoint[i];
            adjoint[i] = l[p] * adjoint[i];
        }
        for (q, form) in channels.forms.iter().enumerate() {
            let channel = at(1 + firsts + q);
            let above = adjoint[channel];
            value += l[channel] * above;
            for &(i, j, weight) in &form.terms {
                let (i, j) = (at(1 + i), at(1 + j));
                adjoint[i] += weight * l[j] * above;
                adjoint[j] += weight * l[i] * above;
            }
            adjoint[channel] = l[p] * above;
        }
        adjoint[p] = value;
    }
}
