//! What can be wrong with a network.

/// A network that does not fit together, or inputs that do not fit the network.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NetworkError {
    /// A network without layers.
    #[error("a network needs at least one layer")]
    NoLayers,
    /// A layer with no inputs or no outputs.
    #[error("layer {layer} has {inputs} inputs and {outputs} outputs; both must be at least 1")]
    EmptyLayer {
        /// Position of the layer, counted from 0.
        layer: usize,
        /// Its inputs.
        inputs: usize,
        /// Its outputs.
        outputs: usize,
    },
    /// Weights or biases whose number is not that of the layer's shape.
    #[error("{what} of a layer with {inputs} inputs and {outputs} outputs: expected {expected} numbers, found {found}")]
    WrongCount {
        /// "weights" or "bias".
        what: &'static str,
        /// The layer's inputs.
        inputs: usize,
        /// The layer's outputs.
        outputs: usize,
        /// How many there should be.
        expected: usize,
        /// How many there are.
        found: usize,
    },
    /// Layers that do not fit together.
    #[error("layer {layer} gives {given} numbers, but layer {} takes {taken}", .layer + 1)]
    Chain {
        /// Position of the first of the two layers, counted from 0.
        layer: usize,
        /// What it gives.
        given: usize,
        /// What the next one takes.
        taken: usize,
    },
    /// A point with the wrong number of inputs, or room for the wrong number of outputs.
    #[error("the network has {expected} {what}, but {found} were given")]
    WrongLength {
        /// "inputs" or "outputs".
        what: &'static str,
        /// What the network has.
        expected: usize,
        /// What was given.
        found: usize,
    },
    /// As many activations as there are hidden layers, or one for all, are needed.
    #[error("{found} activations for {expected} hidden layers; give one for all, or one for each")]
    ActivationCount {
        /// Hidden layers of the network.
        expected: usize,
        /// Activations given.
        found: usize,
    },
    /// A finite weight that is infinite in the float type asked for.
    #[error("{what} of layer \"{layer}\": {number} is too large for f32; evaluate in f64")]
    Overflow {
        /// Name of the layer in its file.
        layer: String,
        /// "weights" or "bias".
        what: &'static str,
        /// The number.
        number: String,
    },
    /// An activation with a parameter that is infinite or zero in the float type asked for, though it is not by itself.
    #[error("the parameter of activation {activation} is beyond the range of f32; evaluate in f64")]
    Parameter {
        /// The activation.
        activation: String,
    },
    /// A layer that does not fit into memory.
    #[error("layer {layer} with {inputs} inputs and {outputs} outputs does not fit into memory; take a narrower network")]
    OutOfMemory {
        /// Position of the layer, counted from 0.
        layer: usize,
        /// Its inputs.
        inputs: usize,
        /// Its outputs.
        outputs: usize,
    },
    /// SIREN's rule of initialisation for a network with another activation.
    #[error("initialisation siren is for activation sin, but the network has {activation}; take glorot_normal, or sin:30")]
    SirenWithout {
        /// The network's activation.
        activation: String,
    },
}
