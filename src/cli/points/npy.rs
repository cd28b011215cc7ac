//! One array: the body of a `.npy` file or of a member of a `.npz` archive.

use std::io::{self, Read};

use half::f16;
use num_traits::Float;

use super::header::{Descr, Header, shortened};
use super::{Points, Problem, StoredType};

/// Bytes read at a time; a multiple of every item's size.
const CHUNK: usize = 65_536;

/// Reads the array whose file is `size` bytes long, header included, as far as is known beforehand.
pub(super) fn read<R: Float>(reader: &mut impl Read, size: u64, inputs: usize) -> Result<Points<R>, Problem> {
    let header = Header::read(reader)?;
    let item = Item::of(&header.descr)?;
    let rows = rows(&header, inputs)?;

    let count = u128::from(rows) * inputs as u128;
    let expected = count * item.width() as u128;
    let wrong_size = |found| Problem::Size { shape: header.shape_text(), expected, found };
    let found = size.saturating_sub(header.length);
    if u128::from(found) != expected {
        return Err(wrong_size(found));
    }
    let no_memory = || Problem::Memory(count * size_of::<R>() as u128);
    let rows = usize::try_from(rows).map_err(|_| no_memory())?;
    let count = usize::try_from(count).map_err(|_| no_memory())?;
    let mut values = Vec::new();
    values.try_reserve_exact(count).map_err(|_| no_memory())?;
    values.resize(count, R::zero());

    let mut buffer = vec![0; CHUNK];
    let mut decoded = Vec::new();
    let mut done = 0;
    while done < count {
        let items = (count - done).min(CHUNK / item.width());
        let chunk = &mut buffer[..items * item.width()];
        let got = fill(reader, chunk).map_err(Problem::Read)?;
        if got < chunk.len() {
            return Err(wrong_size((done * item.width() + got) as u64));
        }
        item.decode(chunk, &mut decoded);
        for &value in &decoded {
            let place = if header.fortran_order { done % rows * inputs + done / rows } else { done };
            values[place] =
                R::from(value).filter(|rounded| rounded.is_infinite() == value.is_infinite()).ok_or(Problem::TooLarge {
                    row: place / inputs,
                    column: place % inputs,
                    value,
                    wanted: std::any::type_name::<R>(),
                })?;
            done += 1;
        }
    }
    // Reaching the end also has an archive check its sum.
    let beyond = fill(reader, &mut buffer).map_err(Problem::Read)?;
    if beyond > 0 {
        return Err(wrong_size(found.saturating_add(beyond as u64)));
    }
    Ok(Points { rows, columns: inputs, values, stored: item.stored(), notices: Vec::new(), names: None })
}

/// The number of points, if the shape suits the network.
fn rows(header: &Header, inputs: usize) -> Result<u64, Problem> {
    match header.shape[..] {
        [rows] if inputs == 1 => Ok(rows),
        [rows, columns] if u64::try_from(inputs) == Ok(columns) => Ok(rows),
        [rows, columns] => Err(Problem::Columns { rows, columns, inputs }),
        _ => Err(Problem::Shape { shape: header.shape_text(), inputs }),
    }
}

/// Reads until the buffer is full or the source at its end, and says how many bytes that were.
fn fill(reader: &mut impl Read, buffer: &mut [u8]) -> io::Result<usize> {
    let mut filled = 0;
    while filled < buffer.len() {
        match reader.read(&mut buffer[filled..]) {
            Ok(0) => break,
            Ok(count) => filled += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}

/// How one number is stored.
struct Item {
    precision: Precision,
    big_endian: bool,
}

enum Precision {
    Half,
    Single,
    Double,
}

impl Item {
    fn of(descr: &Descr) -> Result<Self, Problem> {
        let name = match descr {
            Descr::Plain(name) => name,
            Descr::Other(written) => {
                return Err(Problem::Type {
                    descr: written.clone(),
                    advice: "stack the fields of the structured array into one plain array",
                });
            }
        };
        let kind = name.strip_prefix(['<', '>', '=', '|']).unwrap_or(name);
        let big_endian = match name.chars().next() {
            Some('<') => false,
            Some('>') => true,
            _ => cfg!(target_endian = "big"),
        };
        let precision = match kind {
            "f2" | "e" | "half" | "float16" => Precision::Half,
            "f4" | "f" | "single" | "float32" => Precision::Single,
            "f8" | "d" | "double" | "float" | "float64" => Precision::Double,
            _ => {
                return Err(Problem::Type { descr: format!("'{}'", shortened(name)), advice: advice(kind) });
            }
        };
        Ok(Item { precision, big_endian })
    }

    fn stored(&self) -> StoredType {
        match self.precision {
            Precision::Half => StoredType::F16,
            Precision::Single => StoredType::F32,
            Precision::Double => StoredType::F64,
        }
    }

    fn width(&self) -> usize {
        match self.precision {
            Precision::Half => 2,
            Precision::Single => 4,
            Precision::Double => 8,
        }
    }

    /// Replaces `into` by the numbers in `bytes`, none of them rounded.
    fn decode(&self, bytes: &[u8], into: &mut Vec<f64>) {
        fn each<const N: usize>(
            bytes: &[u8],
            big_endian: bool,
            value: impl Fn([u8; N]) -> f64,
        ) -> impl Iterator<Item = f64> {
            bytes.as_chunks().0.iter().map(move |&little| {
                let mut little: [u8; N] = little;
                if big_endian {
                    little.reverse();
                }
                value(little)
            })
        }
        into.clear();
        let big = self.big_endian;
        match self.precision {
            Precision::Half => into.extend(each(bytes, big, |b| f16::from_le_bytes(b).to_f64())),
            Precision::Single => into.extend(each(bytes, big, |b| f32::from_le_bytes(b).into())),
            Precision::Double => into.extend(each(bytes, big, f64::from_le_bytes)),
        }
    }
}

/// What to do about numbers of a type that cannot be used.
fn advice(kind: &str) -> &'static str {
    match kind.chars().next() {
        Some('c' | 'F' | 'D' | 'G') => "save the real part, points.real",
        Some('O' | 'o') => {
            "this is a pickle of Python objects, which is never opened; convert with .astype('f8') and save again"
        }
        Some('M' | 'm') => "convert dates to numbers and save again",
        Some('V') => "raw bytes, as numpy saves bfloat16; convert with .astype('f4') and save again",
        _ => "convert with .astype('f8') and save again",
    }
}
