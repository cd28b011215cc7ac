//! The memory of one thread.

use super::simd::SimdReal;
use crate::evaluate::EvaluateError;

/// Bytes of a cache line: rows that start at one are loaded without crossing another.
const LINE: usize = 64;

/// All numbers that one thread works with, in one piece: two buffers of channels, coordinates of points, derivatives of an
/// activation.
#[derive(Debug)]
pub(super) struct Workspace<R> {
    numbers: Vec<R>,
    start: usize,
    coordinates: usize,
    buffer: usize,
}

impl<R: SimdReal> Workspace<R> {
    /// Room for tiles of so many points.
    pub fn new(inputs: usize, widest: usize, channels: usize, tile: usize) -> Result<Self, EvaluateError> {
        let per_line = LINE / size_of::<R>();
        let rounded = |numbers: u128| numbers.next_multiple_of(per_line as u128);
        let coordinates = rounded((inputs * tile) as u128);
        let buffer = rounded(widest as u128 * channels as u128 * tile as u128);
        let length = coordinates + 2 * buffer + (3 * tile + per_line) as u128;
        let error = || EvaluateError::Workspace { channels, bytes: length * size_of::<R>() as u128 };
        let mut numbers = Vec::new();
        let in_memory = usize::try_from(length).map_err(|_| error())?;
        numbers.try_reserve_exact(in_memory).map_err(|_| error())?;
        numbers.resize(in_memory, R::zero());
        let start = numbers.as_ptr().align_offset(LINE).min(per_line);
        Ok(Self { numbers, start, coordinates: coordinates as usize, buffer: buffer as usize })
    }

    /// Size in bytes.
    pub fn bytes(&self) -> usize {
        self.numbers.len() * size_of::<R>()
    }

    /// Rows of coordinates of the points.
    pub fn coordinates(&mut self) -> &mut [R] {
        &mut self.numbers[self.start..][..self.coordinates]
    }

    /// The buffer that holds the channels of the outputs at the end.
    pub fn front(&self) -> &[R] {
        &self.numbers[self.start + self.coordinates..][..self.buffer]
    }

    /// Coordinates, the two buffers, and the derivatives of an activation.
    pub fn split(&mut self) -> (&[R], &mut [R], &mut [R], &mut [R]) {
        let (coordinates, rest) = self.numbers[self.start..].split_at_mut(self.coordinates);
        let (front, rest) = rest.split_at_mut(self.buffer);
        let (back, rest) = rest.split_at_mut(self.buffer);
        (coordinates, front, back, rest)
    }
}
