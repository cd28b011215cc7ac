//! What can be wrong with a network that is to be written.

use crate::file::FileError;

/// Why a model could not take a network's weights, or could not be written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExportError {
    /// A network with another number of layers than the model.
    #[error("the network has {found} layers, the model has {expected}; write it as a model of its own (Model::of)")]
    LayerCount {
        /// Layers of the model.
        expected: usize,
        /// Layers of the network.
        found: usize,
    },
    /// A layer of another shape than the model's.
    #[error(
        "layer \"{layer}\" has {} inputs and {} outputs in the network, but {} and {} in the model; write it as a model of its own (Model::of)",
        found[0], found[1], expected[0], expected[1]
    )]
    LayerShape {
        /// The layer's name in the model.
        layer: String,
        /// Its inputs and outputs in the model.
        expected: [usize; 2],
        /// Its inputs and outputs in the network.
        found: [usize; 2],
    },
    /// Weights or biases whose number is not that of the layer's shape.
    #[error("{what} of layer \"{layer}\": expected {expected} numbers, found {found}")]
    WrongCount {
        /// The layer's name.
        layer: String,
        /// "weights" or "bias".
        what: &'static str,
        /// How many its inputs and outputs ask for.
        expected: usize,
        /// How many there are.
        found: usize,
    },
    /// Two layers of the same name.
    #[error("two layers are named \"{layer}\"; give each a name of its own")]
    SameName {
        /// The name.
        layer: String,
    },
    /// A finite number that is infinite in the type that it is to be stored in.
    #[error("{what} of layer \"{layer}\": {number} is too large for {stored}; store it as f64")]
    Overflow {
        /// The layer's name.
        layer: String,
        /// "weights" or "bias".
        what: &'static str,
        /// The number.
        number: String,
        /// The type.
        stored: super::StoredType,
    },
    /// The file could not be written.
    #[error(transparent)]
    File(#[from] FileError),
}
