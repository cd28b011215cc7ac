//! The safetensors container: 8 bytes of length, a JSON header, the bytes of the tensors.
//!
//! Written here rather than by the crate `safetensors`, whose metadata come in an order that changes from run to run: the same
//! network is to be the same file.

use std::collections::BTreeMap;

use half::{bf16, f16};
use safetensors::Dtype;
use safetensors::tensor::TensorInfo;
use serde_json::{Value, json};

use super::StoredType;

/// One tensor of the file.
pub(super) struct Tensor {
    pub name: String,
    pub stored: StoredType,
    pub shape: Vec<usize>,
    pub bytes: Vec<u8>,
}

impl StoredType {
    fn dtype(self) -> Dtype {
        match self {
            Self::F64 => Dtype::F64,
            Self::F32 => Dtype::F32,
            Self::F16 => Dtype::F16,
            Self::Bf16 => Dtype::BF16,
        }
    }

    /// Appends a number rounded to the type, and gives it back.
    pub(super) fn append(self, number: f64, bytes: &mut Vec<u8>) -> f64 {
        match self {
            Self::F64 => {
                bytes.extend(number.to_le_bytes());
                number
            }
            Self::F32 => {
                let rounded = number as f32;
                bytes.extend(rounded.to_le_bytes());
                rounded.into()
            }
            Self::F16 => {
                let rounded = f16::from_f64(number);
                bytes.extend(rounded.to_le_bytes());
                rounded.into()
            }
            Self::Bf16 => {
                let rounded = bf16::from_f64(number);
                bytes.extend(rounded.to_le_bytes());
                rounded.into()
            }
        }
    }
}

/// The whole file.
pub(super) fn bytes(mut tensors: Vec<Tensor>, metadata: &BTreeMap<String, String>) -> Vec<u8> {
    /// The data begin at a multiple of this.
    const ALIGNMENT: usize = 8;
    // The widest types first, so that all numbers are aligned.
    tensors.sort_by_key(|tensor| std::cmp::Reverse(tensor.stored.dtype().bitsize()));
    let mut entries: BTreeMap<&str, Value> = BTreeMap::new();
    if !metadata.is_empty() {
        entries.insert("__metadata__", json!(metadata));
    }
    let mut end = 0;
    for Tensor { name, stored, shape, bytes } in &tensors {
        let start = end;
        end += bytes.len();
        let info = TensorInfo { dtype: stored.dtype(), shape: shape.clone(), data_offsets: (start, end) };
        entries.insert(name, json!(info));
    }
    let mut header = json!(entries).to_string();
    header.push_str(&" ".repeat(header.len().next_multiple_of(ALIGNMENT) - header.len()));
    let mut file = Vec::with_capacity(ALIGNMENT + header.len() + end);
    file.extend((header.len() as u64).to_le_bytes());
    file.extend(header.into_bytes());
    tensors.iter().for_each(|tensor| file.extend(&tensor.bytes));
    file
}
