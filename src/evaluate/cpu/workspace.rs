//! The memory of one thread.

use super::simd::SimdReal;

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
    pub fn new(inputs: usize, widest: usize, channels: usize, tile: usize) -> Self {
        let per_line = LINE / size_of::<R>();
        let coordinates = (inputs * tile).next_multiple_of(per_line);
        let buffer = (widest * channels * tile).next_multiple_of(per_line);
        let numbers = vec![R::zero(); coordinates + 2 * buffer + 3 * tile + per_line];
        let start = numbers.as_ptr().align_offset(LINE).min(per_line);
        Self { numbers, start, coordinates, buffer }
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
