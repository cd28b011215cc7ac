//! A `.npz` file: a zip archive whose members are `.npy` files.

use std::fs::File;
use std::io::{BufRead, BufReader, Seek};

use num_traits::Float;
use zip::result::ZipError;
use zip::{CompressionMethod, ZipArchive};

use super::{Points, Problem, guess, npy};

/// The first bytes of a zip archive with something in it.
pub(super) const MAGIC: &[u8] = b"PK\x03\x04";

/// Deflate makes at most this many bytes out of one.
const LARGEST_RATIO: u64 = 1032;

/// Reads the member asked for, or the only one, of an archive of `size` bytes.
pub(super) fn read<R: Float>(
    mut file: BufReader<File>,
    size: u64,
    member: Option<&str>,
    inputs: usize,
) -> Result<Points<R>, Problem> {
    let hint = {
        let start = file.fill_buf().map_err(Problem::Read)?;
        let hint = guess(start);
        if start.starts_with(b"PK") { "; the file may be cut short: write or copy it again" } else { hint }
    };
    file.rewind().map_err(Problem::Read)?;
    let mut archive = ZipArchive::new(file).map_err(|error| broken(error, hint))?;
    let index = choose(&archive, member)?;
    let name = archive.name_for_index(index).and_then(Result::ok).unwrap_or_default().into_owned();
    read_member(&mut archive, index, size, inputs).map_err(|problem| Problem::Member { name, problem: Box::new(problem) })
}

/// The index of the member asked for.
fn choose(archive: &ZipArchive<BufReader<File>>, member: Option<&str>) -> Result<usize, Problem> {
    let arrays: Vec<(usize, String)> = archive
        .file_names()
        .enumerate()
        .filter_map(|(index, name)| Some((index, name.ok()?.strip_suffix(".npy")?.to_owned())))
        .collect();
    let names = || arrays.iter().map(|(_, name)| name.clone()).collect();
    let Some(wanted) = member else {
        return match arrays[..] {
            [] => Err(Problem::NoArray),
            [(index, _)] => Ok(index),
            _ => Err(Problem::SeveralArrays(names())),
        };
    };
    let find = |wanted: &str| arrays.iter().find(|(_, name)| name == wanted);
    find(wanted)
        .or_else(|| find(wanted.strip_suffix(".npy")?))
        .map(|(index, _)| *index)
        .ok_or_else(|| Problem::NoSuchArray { wanted: wanted.to_owned(), names: names() })
}

fn read_member<R: Float>(
    archive: &mut ZipArchive<BufReader<File>>,
    index: usize,
    archive_size: u64,
    inputs: usize,
) -> Result<Points<R>, Problem> {
    let entry = archive.by_index_raw(index).map_err(|error| broken(error, ""))?;
    if entry.encrypted() {
        return Err(Problem::Encrypted);
    }
    match entry.compression() {
        CompressionMethod::Stored | CompressionMethod::Deflated => {}
        other => return Err(Problem::Compression(other.to_string())),
    }
    let size = entry.size();
    drop(entry);
    // Memory is taken for the size that the archive declares, so it must be one that its bytes can make.
    if size > archive_size.saturating_mul(LARGEST_RATIO) {
        return Err(Problem::Archive {
            reason: format!("a member claims {size} bytes, more than an archive of {archive_size} can hold"),
            hint: "; write it again with numpy.savez",
        });
    }
    let mut entry = archive.by_index(index).map_err(|error| broken(error, ""))?;
    npy::read(&mut entry, size, inputs)
}

fn broken(error: ZipError, hint: &'static str) -> Problem {
    match error {
        ZipError::Io(error) => Problem::Read(error),
        error => Problem::Archive { reason: error.to_string(), hint },
    }
}
