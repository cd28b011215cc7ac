//! The memory of one thread.

use super::simd::SimdReal;
use crate::evaluate::EvaluateError;

/// Bytes of a cache line: rows that start at one are loaded without crossing another.
const LINE: usize = 64;

/// All numbers that one thread works with, in one piece cut into `N` parts.
#[derive(Debug)]
pub(crate) struct Workspace<R, const N: usize> {
    numbers: Vec<R>,
    start: usize,
    ends: [usize; N],
}

impl<R: SimdReal, const N: usize> Workspace<R, N> {
    /// Room for parts of these lengths, in numbers.
    pub fn new(lengths: [u128; N]) -> Result<Self, EvaluateError> {
        let per_line = (LINE / size_of::<R>()) as u128;
        let mut total = 0;
        let ends = lengths.map(|length| {
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
        Ok(Self { numbers, start, ends })
    }

    /// Size in bytes.
    pub fn bytes(&self) -> usize {
        self.numbers.len() * size_of::<R>()
    }

    /// All parts, one after another.
    #[cfg(feature = "train")]
    pub fn numbers(&self) -> &[R] {
        &self.numbers[self.start..]
    }

    /// All parts, to be written.
    pub fn parts(&mut self) -> [&mut [R]; N] {
        let mut rest = &mut self.numbers[self.start..];
        let mut done = 0;
        self.ends.map(|end| {
            let (part, following) = std::mem::take(&mut rest).split_at_mut(end - done);
            (rest, done) = (following, end);
            part
        })
    }
}
