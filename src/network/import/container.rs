//! The safetensors container: 8 bytes of length, a JSON header, the bytes of the tensors.
//!
//! The header is read here rather than by `SafeTensors::deserialize` because that one does not say which tensor is
//! wrong or by how much, and lets the last of two equal names win. A test holds the two together: what this accepts,
//! the crate `safetensors` accepts too.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::ops::Range;
use std::path::Path;

use safetensors::Dtype;
use safetensors::tensor::TensorInfo;
use serde::de::{Deserialize, Deserializer, Error, MapAccess, Visitor};

use super::error::ImportError;
use super::foreign;

/// Longest header that is read, the same limit as in the crate `safetensors`.
pub(super) const LARGEST_HEADER: u64 = 100_000_000;

/// So many bytes from the beginning are enough for [`data_start`].
pub(super) const START: usize = 4096;

/// The bytes that hold the length of the header.
const LENGTH_BYTES: u64 = 8;

/// One tensor as the header describes it.
#[derive(Debug)]
pub(super) struct Tensor {
    pub name: String,
    pub dtype: Dtype,
    pub shape: Vec<usize>,
    /// Its bytes within the file.
    pub bytes: Range<usize>,
}

impl Tensor {
    /// The shape of a matrix, `None` for any other number of dimensions.
    pub fn matrix_shape(&self) -> Option<[usize; 2]> {
        self.shape.as_slice().try_into().ok()
    }

    pub fn is_float(&self) -> bool {
        !matches!(
            self.dtype,
            Dtype::BOOL
                | Dtype::U8
                | Dtype::I8
                | Dtype::I16
                | Dtype::U16
                | Dtype::I32
                | Dtype::U32
                | Dtype::I64
                | Dtype::U64
        )
    }
}

/// The checked header: every tensor lies within the file and has as many bytes as its shape needs.
#[derive(Debug)]
pub(super) struct Header {
    /// In the order of their bytes.
    pub tensors: Vec<Tensor>,
    pub metadata: BTreeMap<String, String>,
    /// The size of the file.
    pub end: usize,
}

/// Where the header ends and the data start.
///
/// `start`: the first bytes of the file, [`START`] of them or all; `size`: of the whole file.
pub(super) fn data_start(file: &Path, start: &[u8], size: u64) -> Result<usize, ImportError> {
    let refuse = |header| ImportError::NotSafetensors {
        file: file.to_owned(),
        size,
        header,
        hint: foreign::advice(start).to_owned(),
    };
    let Some(length) = start.first_chunk().map(|bytes| u64::from_le_bytes(*bytes)) else {
        return Err(refuse(None));
    };
    // The shortest header is `{}`.
    if !(2..=LARGEST_HEADER).contains(&length) || length > size.saturating_sub(LENGTH_BYTES) {
        return Err(refuse(Some(length)));
    }
    usize::try_from(LENGTH_BYTES + length).map_err(|_| refuse(Some(length)))
}

impl Header {
    /// Reads and checks the header.
    ///
    /// `bytes`: the file at least up to `data_start`; `size`: of the whole file.
    pub fn parse(file: &Path, bytes: &[u8], data_start: usize, size: u64) -> Result<Header, ImportError> {
        let json = bytes.get(LENGTH_BYTES as usize..data_start).unwrap_or_default();
        let refuse = |problem| ImportError::Header {
            file: file.to_owned(),
            problem,
            hint: foreign::advice(&bytes[..bytes.len().min(START)]).to_owned(),
        };
        let json = std::str::from_utf8(json).map_err(|error| refuse(error.to_string()))?;
        let Entries { tensors, metadata } = serde_json::from_str(json).map_err(|error| refuse(error.to_string()))?;
        let metadata = unique(file, metadata)?.into_iter().collect();
        let mut tensors = unique(file, tensors)?;
        tensors.sort_by_key(|(_, info)| info.data_offsets);
        for (name, info) in &tensors {
            check_size(file, name, info)?;
        }
        let data_end = check_offsets(file, &tensors)?;
        let expected = (data_start as u64).saturating_add(data_end as u64);
        if expected != size {
            return Err(ImportError::FileSize { file: file.to_owned(), expected, found: size });
        }
        let tensors = tensors
            .into_iter()
            .map(|(name, info)| Tensor {
                name,
                dtype: info.dtype,
                shape: info.shape,
                bytes: data_start + info.data_offsets.0..data_start + info.data_offsets.1,
            })
            .collect();
        Ok(Header { tensors, metadata, end: data_start + data_end })
    }
}

/// The entries, or an error when a name comes twice: which of the two is meant nobody can tell.
fn unique<T>(file: &Path, entries: Vec<(String, T)>) -> Result<Vec<(String, T)>, ImportError> {
    let mut seen = BTreeSet::new();
    match entries.iter().find(|(name, _)| !seen.insert(name.as_str())) {
        Some((name, _)) => Err(ImportError::Duplicate { file: file.to_owned(), name: name.clone() }),
        None => Ok(entries),
    }
}

/// As many bytes between the offsets as type and shape need.
fn check_size(file: &Path, name: &str, info: &TensorInfo) -> Result<(), ImportError> {
    let (start, end) = info.data_offsets;
    // Saturated sizes are refused too: no file is that long.
    let expected = info
        .shape
        .iter()
        .fold(1u64, |product, dimension| product.saturating_mul(*dimension as u64))
        .saturating_mul(info.dtype.bitsize() as u64)
        .div_ceil(8);
    match end.checked_sub(start) {
        Some(found) if found as u64 != expected => Err(ImportError::TensorSize {
            file: file.to_owned(),
            tensor: name.to_owned(),
            dtype: info.dtype.to_string(),
            shape: info.shape.clone(),
            expected,
            found: found as u64,
        }),
        // Offsets the wrong way round are for `check_offsets` to report.
        _ => Ok(()),
    }
}

/// Each tensor starts where the one before it ends; gives the end of the last one.
fn check_offsets(file: &Path, sorted: &[(String, TensorInfo)]) -> Result<usize, ImportError> {
    let mut expected = 0;
    for (name, info) in sorted {
        let (start, end) = info.data_offsets;
        if start != expected || end < start {
            return Err(ImportError::Offsets { file: file.to_owned(), tensor: name.clone(), start, end, expected });
        }
        expected = end;
    }
    Ok(expected)
}

/// The JSON of the header as it stands, with names that come twice kept.
struct Entries {
    tensors: Vec<(String, TensorInfo)>,
    metadata: Vec<(String, String)>,
}

impl<'de> Deserialize<'de> for Entries {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct EntriesVisitor;
        impl<'de> Visitor<'de> for EntriesVisitor {
            type Value = Entries;

            fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
                formatter.write_str("an object with one entry for each tensor")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Entries, A::Error> {
                let mut tensors = Vec::new();
                let mut metadata = None;
                while let Some(name) = map.next_key::<String>()? {
                    let context = |error| A::Error::custom(format!("entry {}: {error}", super::error::quoted(&name)));
                    if name != "__metadata__" {
                        let info = map.next_value().map_err(context)?;
                        tensors.push((name, info));
                    } else if metadata.is_none() {
                        let Texts(texts) = map.next_value().map_err(context)?;
                        metadata = Some(texts);
                    } else {
                        return Err(A::Error::custom("`__metadata__` comes twice"));
                    }
                }
                Ok(Entries { tensors, metadata: metadata.unwrap_or_default() })
            }
        }
        deserializer.deserialize_map(EntriesVisitor)
    }
}

/// A JSON object of strings, with keys that come twice kept.
#[derive(Default)]
struct Texts(Vec<(String, String)>);

impl<'de> Deserialize<'de> for Texts {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct TextsVisitor;
        impl<'de> Visitor<'de> for TextsVisitor {
            type Value = Texts;

            fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
                formatter.write_str("an object whose values are strings")
            }

            fn visit_unit<E>(self) -> Result<Texts, E> {
                Ok(Texts::default())
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Texts, A::Error> {
                let mut texts = Vec::new();
                while let Some(text) = map.next_entry()? {
                    texts.push(text);
                }
                Ok(Texts(texts))
            }
        }
        deserializer.deserialize_any(TextsVisitor)
    }
}
