//! From stored weights and activations to a network.

use super::{Model, StoredLayer};
use crate::network::{Activation, Layer, Network, NetworkError};
use crate::number::Real;

impl Model {
    /// The network, with weights in the float type `R`: `hidden` holds one activation for all hidden layers or one for each,
    /// `output` is that of the last layer (mostly [`Activation::Identity`]).
    ///
    /// # Errors
    ///
    /// [`NetworkError::ActivationCount`] where the number of activations fits neither; [`NetworkError::Overflow`] where a
    /// finite weight is too large for `R`.
    pub fn network<R: Real>(&self, hidden: &[Activation], output: Activation) -> Result<Network<R>, NetworkError> {
        let expected = self.layers.len().saturating_sub(1);
        if hidden.len() != 1 && hidden.len() != expected {
            return Err(NetworkError::ActivationCount { expected, found: hidden.len() });
        }
        let layers = self.layers.iter().enumerate().map(|(position, layer)| {
            let activation = match hidden {
                _ if position == expected => output,
                [all] => *all,
                each => each[position],
            };
            let weights = narrowed(layer, "weights", &layer.weights)?;
            let bias = narrowed(layer, "bias", &layer.bias)?;
            Layer::new(layer.inputs, layer.outputs, weights, bias, activation)
        });
        Network::new(layers.collect::<Result<_, _>>()?)
    }
}

/// The numbers in the float type `R`, rounded to nearest.
fn narrowed<R: Real>(layer: &StoredLayer, what: &'static str, numbers: &[f64]) -> Result<Vec<R>, NetworkError> {
    let narrow = |&wide: &f64| {
        let number = R::literal(wide);
        if number.is_infinite() && wide.is_finite() {
            return Err(NetworkError::Overflow { layer: layer.name.clone(), what, number: wide.to_string() });
        }
        Ok(number)
    };
    numbers.iter().map(narrow).collect()
}
