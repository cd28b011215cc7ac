//! Import of trained weights: the `state_dict` of a PyTorch network in a `.safetensors` file becomes a chain of dense
//! layers.
//!
//! [`Model::read`] puts the layers in order by the numbers in their names (`net.0`, `net.2`, ..., `net.10`) and by words
//! such as input, hidden and output (`fc1`, `fc2`, `out`), widens the values to f64 exactly and works out weight norm.
//! Prefixes of wrappers (`module.`, `_orig_mod.`, `model.`) do not matter. A file that leaves a doubt is refused with an
//! [`ImportError`] that says what to do: a network that is read is the network that was saved. What was left out or
//! assumed stands in [`Model::notices`].
//!
//! The activation is not part of a `state_dict`. [`Model::activation`] finds it when the file was saved with it:
//! `save_file(model.state_dict(), "net.safetensors", metadata={"activation": "tanh"})`.

mod build;
mod container;
mod error;
mod extras;
mod foreign;
mod layers;
mod names;
mod weight_norm;

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::fmt;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use container::Header;
pub use error::ImportError;
use layers::Plan;

/// The weights of one network as a file holds them.
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    /// The file, as it was named.
    pub path: PathBuf,
    /// The dense layers from input to output, at least one; each takes as many values as the one before it gives.
    pub layers: Vec<StoredLayer>,
    /// The `__metadata__` of the file, empty when there is none.
    pub metadata: BTreeMap<String, String>,
    /// What the user should know about a file that could be read, one sentence each: tensors that were not used,
    /// prefixes taken off, layers without bias, values that are not finite.
    pub notices: Vec<String>,
}

/// One dense layer: outputs = weights inputs + bias.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredLayer {
    /// The name as in the file, such as `module._orig_mod.linears.0`; empty for the tensors `weight` and `bias` of a
    /// bare `nn.Linear`.
    pub name: String,
    /// How many values the layer takes.
    pub inputs: usize,
    /// How many values the layer gives.
    pub outputs: usize,
    /// Shape `[outputs, inputs]`, row by row; with weight norm already worked out.
    pub weights: Vec<f64>,
    /// Shape `[outputs]`; zeros when the file has none.
    pub bias: Vec<f64>,
    /// Whether the file has a bias for this layer.
    pub has_bias: bool,
    /// The widest type among the tensors of this layer.
    pub stored: StoredType,
    /// Whether the file holds the weight as gain and direction.
    pub weight_norm: bool,
}

/// A type of number that weights are stored in, from the least to the most precise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum StoredType {
    /// bfloat16: 8 bits of precision.
    Bf16,
    /// Half precision: 11 bits.
    F16,
    /// Single precision: 24 bits.
    F32,
    /// Double precision: 53 bits.
    F64,
}

impl fmt::Display for StoredType {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(match self {
            Self::Bf16 => "bf16",
            Self::F16 => "f16",
            Self::F32 => "f32",
            Self::F64 => "f64",
        })
    }
}

impl Model {
    /// Reads a `.safetensors` file.
    ///
    /// The header is checked against the size of the file, and the layers against one another, before any weight is
    /// read.
    ///
    /// # Errors
    ///
    /// [`ImportError`] when the file cannot be read, is not a safetensors file, is damaged, or holds anything but one
    /// chain of dense layers.
    pub fn read(path: impl AsRef<Path>) -> Result<Model, ImportError> {
        let path = path.as_ref();
        let unreadable = |source| ImportError::Unreadable { file: path.to_owned(), source };
        let status = fs::metadata(path).map_err(unreadable)?;
        if !status.is_file() {
            return Err(ImportError::NotAFile {
                file: path.to_owned(),
                found: match status.is_dir() {
                    true => "a directory",
                    false => "not a regular file",
                },
            });
        }
        let size = status.len();
        let mut file = File::open(path).map_err(unreadable)?;
        let mut bytes = Vec::new();
        read_up_to(&mut file, &mut bytes, container::START as u64).map_err(unreadable)?;
        let data_start = container::data_start(path, &bytes, size)?;
        read_up_to(&mut file, &mut bytes, data_start as u64).map_err(unreadable)?;
        let header = Header::parse(path, &bytes, data_start, size)?;
        let plan = Plan::new(path, &header)?;
        read_up_to(&mut file, &mut bytes, size).map_err(unreadable)?;
        Self::assemble(path, &header, plan, &bytes)
    }

    /// Reads the bytes of a `.safetensors` file.
    ///
    /// `name_for_messages` becomes [`Model::path`] and stands in the errors; no file of that name is touched.
    ///
    /// # Errors
    ///
    /// As for [`Model::read`].
    pub fn from_bytes(name_for_messages: &Path, bytes: &[u8]) -> Result<Model, ImportError> {
        let size = bytes.len() as u64;
        let start = &bytes[..bytes.len().min(container::START)];
        let data_start = container::data_start(name_for_messages, start, size)?;
        let header = Header::parse(name_for_messages, bytes, data_start, size)?;
        let plan = Plan::new(name_for_messages, &header)?;
        Self::assemble(name_for_messages, &header, plan, bytes)
    }

    /// Reads the values.
    fn assemble(path: &Path, header: &Header, plan: Plan, bytes: &[u8]) -> Result<Model, ImportError> {
        // The header was checked against the size; the file may have been cut since.
        if bytes.len() < header.end {
            return Err(ImportError::FileSize {
                file: path.to_owned(),
                expected: header.end as u64,
                found: bytes.len() as u64,
            });
        }
        let (layers, notices) = plan.read(path, bytes)?;
        Ok(Model { path: path.to_owned(), layers, metadata: header.metadata.clone(), notices })
    }

    /// How many weights and biases the file holds; a bias that it lacks does not count.
    pub fn parameters(&self) -> usize {
        self.layers.iter().map(|layer| layer.weights.len() + if layer.has_bias { layer.bias.len() } else { 0 }).sum()
    }

    /// How many values the network takes.
    pub fn inputs(&self) -> usize {
        self.layers.first().map_or(0, |layer| layer.inputs)
    }

    /// How many values the network gives.
    pub fn outputs(&self) -> usize {
        self.layers.last().map_or(0, |layer| layer.outputs)
    }

    /// Whether any layer is stored in f64, so that computing in f32 would lose digits of the file.
    pub fn holds_f64(&self) -> bool {
        self.layers.iter().any(|layer| layer.stored == StoredType::F64)
    }

    /// The activation that the file names for its hidden layers: the entry `activation`, `activations` or
    /// `hidden_activation` of [`Model::metadata`], the first that is not empty, without spaces around it.
    pub fn activation(&self) -> Option<&str> {
        ["activation", "activations", "hidden_activation"].into_iter().find_map(|key| self.entry(key))
    }

    /// The activation that the file names for its last layer: the entry `output_activation` of [`Model::metadata`].
    pub fn output_activation(&self) -> Option<&str> {
        self.entry("output_activation")
    }

    fn entry(&self, key: &str) -> Option<&str> {
        let text = self.metadata.get(key)?.trim();
        (!text.is_empty()).then_some(text)
    }
}

/// Reads on until `bytes` holds `total` bytes of the file or the file ends.
fn read_up_to(file: &mut File, bytes: &mut Vec<u8>, total: u64) -> io::Result<()> {
    let missing = total.saturating_sub(bytes.len() as u64);
    // Asked for rather than taken, so that a file larger than the memory is an error and not the end of the program.
    bytes.try_reserve_exact(usize::try_from(missing).unwrap_or(usize::MAX))?;
    file.take(missing).read_to_end(bytes)?;
    Ok(())
}
