//! All weights and biases of a network as one row of numbers: layer after layer the weights, row-major of shape
//! (outputs, inputs), then the bias.

use super::{Layer, Network, NetworkError};
use crate::number::Real;

impl<R: Real> Network<R> {
    /// How many weights and biases all layers have together.
    pub fn parameters(&self) -> usize {
        self.layers().iter().map(Layer::parameters).sum()
    }

    /// All weights and biases: layer after layer the weights, row-major of shape (outputs, inputs), then the bias.
    pub fn to_parameters(&self) -> Vec<R> {
        self.layers().iter().flat_map(|layer| layer.weights().iter().chain(layer.bias())).copied().collect()
    }

    /// The network with these weights and biases in place of its own, in the order of
    /// [`to_parameters`](Network::to_parameters).
    ///
    /// ```
    /// use tapeless::network::{Activation, Layer, Network};
    ///
    /// let network = Network::new(vec![Layer::new(2, 1, vec![1.0, 2.0], vec![3.0], Activation::Tanh)?])?;
    /// assert_eq!(network.to_parameters(), [1.0, 2.0, 3.0]);
    /// assert_eq!(network.with_parameters(&[4.0, 5.0, 6.0])?.layers()[0].bias(), [6.0]);
    /// # Ok::<(), tapeless::network::NetworkError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`NetworkError::WrongLength`] where there are not as many.
    pub fn with_parameters(&self, parameters: &[R]) -> Result<Self, NetworkError> {
        let (expected, found) = (self.parameters(), parameters.len());
        if expected != found {
            return Err(NetworkError::WrongLength { what: "parameters", expected, found });
        }
        let mut rest = parameters;
        let layers = self.layers().iter().map(|layer| {
            let (weights, after) = rest.split_at(layer.inputs() * layer.outputs());
            let (bias, after) = after.split_at(layer.outputs());
            rest = after;
            Layer::new(layer.inputs(), layer.outputs(), weights.to_vec(), bias.to_vec(), layer.activation())
        });
        Self::new(layers.collect::<Result<_, _>>()?)
    }
}
