//! Results as a `.npz` archive: stored, not compressed, as `numpy.savez` writes it.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use num_traits::{Float, ToBytes};
use tapeless::file;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use super::{Member, ResultsError};

/// Bytes that a member written without zip64 must stay below.
const ZIP64_FROM: u64 = u32::MAX as u64;

/// Writes one `.npy` member for each array, and says how many bytes the file has.
///
/// The same arrays give the same bytes at any time: no clock is read.
pub fn write_npz<R: Float + ToBytes>(path: &Path, members: &[Member<'_, R>]) -> Result<u64, ResultsError> {
    let mut headers = Vec::new();
    for member in members {
        headers.push(header(member).ok_or_else(|| ResultsError::Shape {
            path: path.to_owned(),
            name: member.name.to_owned(),
            shape: member.shape.to_owned(),
            found: member.count(),
        })?);
    }
    let bytes = file::replace(path, |file| {
        let mut archive = ZipWriter::new(BufWriter::new(file));
        for (member, header) in members.iter().zip(&headers) {
            if let Err(error) = write_member(&mut archive, member, header) {
                // Dropped, it would try to complete the archive and complain on the terminal.
                std::mem::forget(archive);
                return Err(error);
            }
        }
        archive.finish()?.flush()
    })?;
    Ok(bytes)
}

fn write_member<R: Float + ToBytes>(
    archive: &mut ZipWriter<BufWriter<&File>>,
    member: &Member<'_, R>,
    header: &[u8],
) -> io::Result<()> {
    let length = (header.len() + size_of::<R>() * member.count()) as u64;
    let options = SimpleFileOptions::default()
        .compression_method(CompressionMethod::Stored)
        .unix_permissions(0o644)
        .large_file(length >= ZIP64_FROM);
    archive.start_file(format!("{}.npy", member.name), options)?;
    archive.write_all(header)?;
    let mut bytes = Vec::new();
    for numbers in member.data.chunks(8192 * member.stride) {
        bytes.clear();
        for number in numbers.iter().step_by(member.stride) {
            bytes.extend_from_slice(number.to_le_bytes().as_ref());
        }
        archive.write_all(&bytes)?;
    }
    // So that a full disk shows here, where it can be handled, rather than in `finish`.
    archive.flush()
}

/// The header of format version 1.0, if the numbers fill the shape and numpy can read as many dimensions.
fn header<R>(member: &Member<'_, R>) -> Option<Vec<u8>> {
    /// Magic bytes, version and the length that follows them.
    const START: usize = 10;
    /// The numbers begin at a multiple of this.
    const ALIGNMENT: usize = 64;
    let count = member.shape.iter().try_fold(1_usize, |product, &length| product.checked_mul(length));
    if count != Some(member.count()) {
        return None;
    }
    let shape: String = member.shape.iter().map(|length| format!("{length}, ")).collect();
    let shape = match member.shape.len() {
        // A tuple of one has a comma in Python.
        1 => shape.trim_end(),
        _ => shape.trim_end_matches(", "),
    };
    let mut text = format!("{{'descr': '<f{}', 'fortran_order': False, 'shape': ({shape}), }}", size_of::<R>());
    let unpadded = START + text.len() + 1;
    let padding = unpadded.next_multiple_of(ALIGNMENT) - unpadded;
    text.extend(std::iter::repeat_n(' ', padding));
    text.push('\n');
    let length = u16::try_from(text.len()).ok()?;
    let mut header = b"\x93NUMPY\x01\x00".to_vec();
    header.extend(length.to_le_bytes());
    header.extend(text.into_bytes());
    Some(header)
}
