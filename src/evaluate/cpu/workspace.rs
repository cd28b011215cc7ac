//! The memory of one thread.

use super::simd::SimdReal;
use crate::evaluate::EvaluateError;

/// Bytes of a cache line: rows that start at one are loaded without crossing another.
const LINE: usize = 64;

/// Lengths of the parts of a workspace, in numbers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lengths {
    /// Coordinates of the points of a tile.
    pub coordinates: usize,
    /// Each of two buffers of channels.
    pub channels: u128,
    /// Value and derivatives of an activation at one neuron.
    pub derivatives: usize,
    /// What the sweep back needs of every layer.
    pub record: u128,
    /// Each of two buffers of adjoints, and the curvatures.
    pub adjoint: u128,
    /// The forms of the outputs.
    pub sums: usize,
}

/// All numbers that one thread works with, in one piece.
#[derive(Debug)]
pub(super) struct Workspace<R> {
    numbers: Vec<R>,
    start: usize,
    ends: [usize; 8],
}

/// The parts of a workspace.
pub(super) struct Parts<'a, R> {
    pub coordinates: &'a mut [R],
    pub front: &'a mut [R],
    pub back: &'a mut [R],
    pub derivatives: &'a mut [R],
    pub record: &'a mut [R],
    pub adjoint: [&'a mut [R]; 3],
    pub sums: &'a mut [R],
}

impl<R: SimdReal> Workspace<R> {
    /// Room for parts of these lengths.
    pub fn new(lengths: Lengths) -> Result<Self, EvaluateError> {
        let per_line = (LINE / size_of::<R>()) as u128;
        let Lengths { coordinates, channels, derivatives, record, adjoint, sums } = lengths;
        let parts =
            [coordinates as u128, channels, channels, derivatives as u128, record, adjoint, adjoint, adjoint, sums as u128];
        let mut total = 0;
        let ends = parts.map(|length| {
            total += length.next_multiple_of(per_line);
            total as usize
        });
        let length = total + per_line;
        let error = || EvaluateError::Workspace { bytes: length * size_of::<R>() as u128 };
        let mut numbers = Vec::new();
        let in_memory = usize::try_from(length).map_err(|_| error())?;
        numbers.try_reserve_exact(in_memory).map_err(|_| error())?;
        numbers.resize(in_memory, R::zero());
        let start = numbers.as_ptr().align_offset(LINE).min(per_line as usize);
        let [e0, e1, e2, e3, e4, e5, e6, e7, _] = ends;
        Ok(Self { numbers, start, ends: [e0, e1, e2, e3, e4, e5, e6, e7] })
    }

    /// Size in bytes.
    pub fn bytes(&self) -> usize {
        self.numbers.len() * size_of::<R>()
    }

    /// All parts, to be written.
    pub fn parts(&mut self) -> Parts<'_, R> {
        let mut rest = &mut self.numbers[self.start..];
        let mut done = 0;
        let [coordinates, front, back, derivatives, record, a0, a1, a2] = self.ends.map(|end| {
            let (part, following) = std::mem::take(&mut rest).split_at_mut(end - done);
            (rest, done) = (following, end);
            part
        });
        Parts { coordinates, front, back, derivatives, record, adjoint: [a0, a1, a2], sums: rest }
    }
}
