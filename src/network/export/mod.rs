//! Networks as `.safetensors` files that PyTorch loads.
//!
//! What is written is a [`Model`]: the one that a network was read from, with the network's weights put into it by
//! [`Model::set_weights`], so that names and metadata stay; or a new one, made by [`Model::of`].
//!
//! ```
//! use tapeless::network::import::Model;
//! use tapeless::network::{Activation, Initialization, Network};
//!
//! let network = Network::<f32>::initialized(&[3, 16, 1], Activation::Tanh, Initialization::GlorotUniform, 1)?;
//! # let folder = tempfile::tempdir()?;
//! # let path = folder.path().join("net.safetensors");
//! Model::of(&network).write(&path)?;
//!
//! // And back, with the same bits; the activation stands in the file.
//! let model = Model::read(&path)?;
//! let activation = model.activation().unwrap_or("tanh").parse()?;
//! assert_eq!(model.network::<f32>(&[activation], Activation::Identity)?, network);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The same file in PyTorch, where modules of an `nn.Sequential` count activations too (`net.0`, `net.2`, ..):
//!
//! ```python
//! class Net(nn.Module):
//!     def __init__(self):
//!         super().__init__()
//!         self.net = nn.Sequential(nn.Linear(3, 16), nn.Tanh(), nn.Linear(16, 1))
//!
//! model = Net()
//! model.load_state_dict(safetensors.torch.load_file("net.safetensors"))
//! ```

mod container;
mod error;

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::path::{Path, PathBuf};

pub use error::ExportError;

use super::import::{Model, StoredLayer, StoredType};
use super::{Activation, Layer, Network};
use crate::file;
use crate::number::Real;

impl Model {
    /// A network built here as a model: layers named `net.0`, `net.2`, .. as in an `nn.Sequential` with an activation
    /// after each but the last, all of them with a bias, stored in the network's own float type.
    ///
    /// The metadata hold `activation`, one name for all hidden layers or one for each with commas between them, and
    /// `output_activation` where the last layer has one.
    pub fn of<R: Real>(network: &Network<R>) -> Self {
        let stored_layer = |(position, layer): (usize, &Layer<R>)| StoredLayer {
            name: format!("net.{}", 2 * position),
            inputs: layer.inputs(),
            outputs: layer.outputs(),
            weights: widened(layer.weights()),
            bias: widened(layer.bias()),
            has_bias: true,
            stored: type_of::<R>(),
            weight_norm: false,
        };
        let activations: Vec<Activation> = network.layers().iter().map(Layer::activation).collect();
        let mut metadata = BTreeMap::new();
        if let Some((output, hidden)) = activations.split_last() {
            let distinct =
                if hidden.windows(2).all(|pair| pair[0] == pair[1]) { &hidden[..hidden.len().min(1)] } else { hidden };
            if !distinct.is_empty() {
                let names: Vec<String> = distinct.iter().map(Activation::to_string).collect();
                metadata.insert("activation".to_owned(), names.join(","));
            }
            if *output != Activation::Identity {
                metadata.insert("output_activation".to_owned(), output.to_string());
            }
        }
        let layers = network.layers().iter().enumerate().map(stored_layer).collect();
        Model { path: PathBuf::new(), layers, metadata, notices: Vec::new() }
    }

    /// Puts the weights of a network into the model, which keeps its names and metadata.
    ///
    /// - No bit of the weights is lost: a layer is stored from now on in the wider of its type in the file and the network's.
    ///   So what was f64 stays f64; f16 and bf16, in which steps of training would drown, become f32 or f64.
    /// - A layer with weight norm becomes a plain one, `<name>.weight`, since the weights do not say how gain and direction
    ///   share a scale. In PyTorch, take the weight norm off the layer before loading.
    /// - A layer without bias gets one if the network's is not 0.
    ///
    /// # Errors
    ///
    /// [`ExportError::LayerCount`], [`ExportError::LayerShape`] where the network is another one. The model is then as before.
    pub fn set_weights<R: Real>(&mut self, network: &Network<R>) -> Result<(), ExportError> {
        let (expected, found) = (self.layers.len(), network.layers().len());
        if expected != found {
            return Err(ExportError::LayerCount { expected, found });
        }
        for (stored, layer) in self.layers.iter().zip(network.layers()) {
            let (expected, found) = ([stored.inputs, stored.outputs], [layer.inputs(), layer.outputs()]);
            if expected != found {
                return Err(ExportError::LayerShape { layer: stored.name.clone(), expected, found });
            }
        }
        for (stored, layer) in self.layers.iter_mut().zip(network.layers()) {
            stored.weights = widened(layer.weights());
            stored.bias = widened(layer.bias());
            stored.has_bias |= stored.bias.iter().any(|bias| *bias != 0.0);
            stored.stored = stored.stored.max(type_of::<R>());
            stored.weight_norm = false;
        }
        Ok(())
    }

    /// Writes the model to a `.safetensors` file and says how many bytes it has. The file appears whole or not at all.
    ///
    /// # Errors
    ///
    /// As for [`to_bytes`](Model::to_bytes); [`ExportError::File`].
    pub fn write(&self, path: impl AsRef<Path>) -> Result<u64, ExportError> {
        let bytes = self.to_bytes()?;
        Ok(file::replace(path.as_ref(), |mut file| file.write_all(&bytes))?)
    }

    /// The bytes of the model's `.safetensors` file, the same at every call: for each layer `<name>.weight` of shape
    /// `[outputs, inputs]`, row by row, and `<name>.bias` of shape `[outputs]` if it has one, both rounded to the type
    /// [`StoredLayer::stored`]; and the metadata.
    ///
    /// # Errors
    ///
    /// [`ExportError::WrongCount`], [`ExportError::SameName`], [`ExportError::Overflow`] for a model that was put together wrongly.
    pub fn to_bytes(&self) -> Result<Vec<u8>, ExportError> {
        let mut tensors = Vec::with_capacity(2 * self.layers.len());
        let mut names = BTreeSet::new();
        for layer in &self.layers {
            if !names.insert(&layer.name) {
                return Err(ExportError::SameName { layer: layer.name.clone() });
            }
            let (inputs, outputs) = (layer.inputs, layer.outputs);
            check_count(layer, "weights", inputs.saturating_mul(outputs), layer.weights.len())?;
            tensors.push(container::Tensor {
                name: tensor_name(layer, "weight"),
                stored: layer.stored,
                shape: vec![outputs, inputs],
                bytes: stored(layer, "weights", &layer.weights)?,
            });
            if layer.has_bias {
                check_count(layer, "bias", outputs, layer.bias.len())?;
                tensors.push(container::Tensor {
                    name: tensor_name(layer, "bias"),
                    stored: layer.stored,
                    shape: vec![outputs],
                    bytes: stored(layer, "bias", &layer.bias)?,
                });
            }
        }
        Ok(container::bytes(tensors, &self.metadata))
    }
}

fn check_count(layer: &StoredLayer, what: &'static str, expected: usize, found: usize) -> Result<(), ExportError> {
    match expected == found {
        true => Ok(()),
        false => Err(ExportError::WrongCount { layer: layer.name.clone(), what, expected, found }),
    }
}

/// The layer without a name is a bare `nn.Linear`.
fn tensor_name(layer: &StoredLayer, part: &str) -> String {
    match layer.name.as_str() {
        "" => part.to_owned(),
        name => format!("{name}.{part}"),
    }
}

/// The numbers as they are stored, least byte first.
fn stored(layer: &StoredLayer, what: &'static str, numbers: &[f64]) -> Result<Vec<u8>, ExportError> {
    let mut bytes = Vec::new();
    for &number in numbers {
        let rounded = layer.stored.append(number, &mut bytes);
        if rounded.is_infinite() && number.is_finite() {
            let (layer, stored) = (layer.name.clone(), layer.stored);
            return Err(ExportError::Overflow { layer, what, number: number.to_string(), stored });
        }
    }
    Ok(bytes)
}

fn widened<R: Real>(numbers: &[R]) -> Vec<f64> {
    numbers.iter().map(|number| number.as_()).collect()
}

/// The type of a network's own numbers.
fn type_of<R: Real>() -> StoredType {
    match size_of::<R>() {
        4 => StoredType::F32,
        _ => StoredType::F64,
    }
}
