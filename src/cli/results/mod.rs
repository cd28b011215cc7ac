//! The results of an evaluation, written to a `.npz` or `.csv` file.

mod error;
mod npz;
#[cfg(test)]
mod tests;
mod text;

use std::path::Path;

pub use error::ResultsError;
pub use npz::write_npz;
pub use text::write_csv;

/// One array of a `.npz` file.
#[derive(Clone, Copy, Debug)]
pub struct Member<'a, R> {
    /// Its name, without `.npy`.
    pub name: &'a str,
    /// Length along each dimension; empty for a single number.
    pub shape: &'a [usize],
    /// Its numbers, last index fastest, `stride` apart.
    pub data: &'a [R],
    /// From one number to the next; at least 1.
    pub stride: usize,
}

impl<R> Member<'_, R> {
    /// How many numbers it has.
    fn count(&self) -> usize {
        self.data.len().div_ceil(self.stride)
    }
}

/// One column of a `.csv` file: the numbers at `offset`, `offset + stride`, … of `data`, one a line.
#[derive(Clone, Debug)]
pub struct Column<'a, R> {
    /// Its name, for the first line.
    pub name: String,
    /// Where the numbers are, with others between them.
    pub data: &'a [R],
    /// Place of the first.
    pub offset: usize,
    /// From one to the next.
    pub stride: usize,
}

/// The formats of a file of results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// One array for each result, for `numpy.load`.
    Npz,
    /// One line for each point.
    Csv,
}

impl Format {
    /// The format that the extension of `path` names. To be asked before any work is done.
    pub fn of(path: &Path) -> Result<Self, ResultsError> {
        let extension = path.extension().map(|extension| extension.to_string_lossy().to_lowercase());
        match extension.as_deref() {
            Some("npz") => Ok(Format::Npz),
            Some("csv") => Ok(Format::Csv),
            _ => Err(ResultsError::Extension { path: path.to_owned() }),
        }
    }
}
