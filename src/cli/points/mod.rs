//! The points to evaluate at, read from a `.npy`, `.npz` or `.csv` file.
//!
//! Whatever is in the file, the answer is the right numbers or a [`PointsError`] that names the file, what was expected,
//! what was found and what to do; no declared size is believed before the bytes behind it have been seen.
//!
//! The readers are our own because a file of points is untrusted text: crate `py_literal`, on which `npyz` and
//! `ndarray-npy` both rest, takes time exponential in the nesting depth of the header and refuses legal spellings (line
//! breaks, `5L`); crate `csv` reports wrong line numbers after CRLF and blank lines and reads the cell `"1"2` as 12.

mod error;
mod header;
#[cfg(test)]
mod mutations;
mod npy;
mod npz;
#[cfg(test)]
mod tests;
mod text;

use std::fmt;
use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::str::FromStr;

use num_traits::Float;

pub use error::{PointsError, Problem};

/// The points of one file, row by row.
#[derive(Clone, Debug, PartialEq)]
pub struct Points<R> {
    /// Number of points.
    pub rows: usize,
    /// Numbers in a point: the inputs of the network.
    pub columns: usize,
    /// The numbers, one point after the other.
    pub values: Vec<R>,
    /// How the file holds the numbers.
    pub stored: StoredType,
    /// What the user should know about how the file was read, each a sentence that names the file.
    pub notices: Vec<String>,
    /// Names of the columns, where a text file has them.
    pub names: Option<Vec<String>>,
}

/// How a file holds its numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StoredType {
    /// Half precision, 2 bytes.
    F16,
    /// Single precision, 4 bytes.
    F32,
    /// Double precision, 8 bytes.
    F64,
    /// Decimal text.
    Text,
}

impl fmt::Display for StoredType {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            StoredType::F16 => "f16",
            StoredType::F32 => "f32",
            StoredType::F64 => "f64",
            StoredType::Text => "text",
        })
    }
}

/// The formats of a file of points.
enum Format {
    Npy,
    Npz,
    Csv,
}

/// Reads the points in the file at `path` for a network of `inputs` inputs.
///
/// The extension `.npy`, `.npz` or `.csv` says how to read it; a file with another one is taken for `.npy` or `.npz` if it
/// starts like one. `member` names the array within a `.npz` file, with or without `.npy`; it may be left out where there
/// is one only.
///
/// * `.npy` and `.npz`: shape `(n, inputs)`, or `(n,)` for one input, of half, single or double precision in either byte
///   order, C or Fortran order. Single and half precision are widened exactly. Double precision is rounded to nearest for
///   `R = f32`, with a notice; a finite number that would become infinite is refused.
/// * `.csv`: one point a line, cells separated by commas, a decimal point, UTF-8, optional quotes around a cell. The first
///   line may name the columns. Blank lines may stand at the end only, as one further up may be a lost point. Semicolons,
///   tabs, decimal commas and comment lines are refused.
///
/// NaN and infinities are numbers like others.
pub fn read<R: Float + FromStr>(path: &Path, member: Option<&str>, inputs: usize) -> Result<Points<R>, PointsError> {
    let mut points = read_any(path, member, inputs)
        .map_err(|problem| PointsError { path: path.to_owned(), problem: Box::new(problem) })?;
    let wanted = std::any::type_name::<R>();
    let change = match (points.stored, size_of::<R>()) {
        (StoredType::F64, 4) => "rounded to the nearest",
        (StoredType::F16 | StoredType::F32, 8) => "widened exactly to",
        _ => return Ok(points),
    };
    points.notices.push(format!("{} holds {} numbers, {change} {wanted}", path.display(), points.stored));
    Ok(points)
}

fn read_any<R: Float + FromStr>(path: &Path, member: Option<&str>, inputs: usize) -> Result<Points<R>, Problem> {
    // Looked at before opening: to open a pipe would wait for a writer.
    let metadata = fs::metadata(path).map_err(Problem::Open)?;
    if metadata.is_dir() {
        return Err(Problem::NotAFile("a folder"));
    }
    if !metadata.is_file() {
        return Err(Problem::NotAFile("a pipe or device"));
    }
    let mut file = BufReader::new(File::open(path).map_err(Problem::Open)?);
    let start = file.fill_buf().map_err(Problem::Read)?;
    if start.is_empty() {
        return Err(Problem::Empty);
    }
    let format = Format::of(path, start)?;
    if let (Format::Npy | Format::Csv, Some(member)) = (&format, member) {
        return Err(Problem::NoMembers(member.to_owned()));
    }
    match format {
        Format::Npy => npy::read(&mut file, metadata.len(), inputs),
        Format::Npz => npz::read(file, metadata.len(), member, inputs),
        Format::Csv => text::read(path, file, inputs),
    }
}

impl Format {
    /// By extension, otherwise by the first bytes of the file.
    fn of(path: &Path, start: &[u8]) -> Result<Self, Problem> {
        let extension = path.extension().map(|extension| extension.to_string_lossy().to_lowercase());
        match extension.as_deref() {
            Some("npy") => Ok(Format::Npy),
            Some("npz") => Ok(Format::Npz),
            Some("csv") => Ok(Format::Csv),
            _ if start.starts_with(header::MAGIC) => Ok(Format::Npy),
            _ if start.starts_with(npz::MAGIC) => Ok(Format::Npz),
            _ => Err(Problem::UnknownFormat),
        }
    }
}

/// A guess at what a file is that is not what its name says, as the end of an error message.
fn guess(start: &[u8]) -> &'static str {
    const KNOWN: &[(&[u8], &str)] = &[
        (header::MAGIC, "; it is a .npy file: give it that extension"),
        (npz::MAGIC, "; it is a zip archive: if numpy.savez wrote it, give it the extension .npz"),
        (b"\x80", "; it looks like a Python pickle: write it with numpy.save"),
        (b"version https://git-lfs", "; it is a git-lfs pointer: fetch the file itself with `git lfs pull`"),
        (b"\x89HDF", "; it is an HDF5 file: write it with numpy.save"),
        (b"<", "; it looks like a web page: the download may have failed"),
    ];
    KNOWN
        .iter()
        .find(|(magic, _)| start.starts_with(magic))
        .map_or("; write it again with numpy.save or numpy.savez", |known| known.1)
}
