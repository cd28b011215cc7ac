//! One dense layer.

use super::{Activation, NetworkError};
use crate::number::{Real, Scalar};

/// A dense layer: a = s(W x + b).
#[derive(Clone, Debug, PartialEq)]
pub struct Layer<R> {
    inputs: usize,
    outputs: usize,
    weights: Vec<R>,
    bias: Vec<R>,
    activation: Activation,
}

impl<R: Real> Layer<R> {
    /// A layer from its weights, row-major of shape (outputs, inputs) as PyTorch keeps them, and its bias of shape
    /// (outputs).
    ///
    /// # Errors
    ///
    /// [`NetworkError::WrongCount`] where the number of weights or biases is not that of the shape;
    /// [`NetworkError::Parameter`] where the activation's parameter is beyond the float type.
    pub fn new(
        inputs: usize,
        outputs: usize,
        weights: Vec<R>,
        bias: Vec<R>,
        activation: Activation,
    ) -> Result<Self, NetworkError> {
        let checked = |what, expected: Option<usize>, found| match expected == Some(found) {
            true => Ok(()),
            false => {
                let expected = expected.unwrap_or(usize::MAX);
                Err(NetworkError::WrongCount { what, inputs, outputs, expected, found })
            }
        };
        checked("weights", inputs.checked_mul(outputs), weights.len())?;
        checked("bias", Some(outputs), bias.len())?;
        let parameter = R::literal(activation.parameter());
        if !parameter.is_finite() || parameter.is_zero() && activation.parameter() != 0.0 {
            return Err(NetworkError::Parameter { activation: activation.to_string() });
        }
        Ok(Self { inputs, outputs, weights, bias, activation })
    }

    /// How many numbers the layer takes.
    pub fn inputs(&self) -> usize {
        self.inputs
    }

    /// How many numbers the layer gives.
    pub fn outputs(&self) -> usize {
        self.outputs
    }

    /// The weights, row-major of shape (outputs, inputs).
    pub fn weights(&self) -> &[R] {
        &self.weights
    }

    /// The bias, of shape (outputs).
    pub fn bias(&self) -> &[R] {
        &self.bias
    }

    /// The activation.
    pub fn activation(&self) -> Activation {
        self.activation
    }

    /// Weights and biases together.
    pub fn parameters(&self) -> usize {
        self.weights.len() + self.bias.len()
    }

    /// Writes s(W x + b). Both slices have the layer's lengths; that is the caller's business.
    pub(super) fn forward<S: Scalar<Primitive = R>>(&self, inputs: &[S], outputs: &mut [S]) {
        let rows = self.weights.chunks_exact(self.inputs);
        for ((output, row), &bias) in outputs.iter_mut().zip(rows).zip(&self.bias) {
            let mut sum = S::lifted(bias);
            for (x, &weight) in inputs.iter().zip(row) {
                sum.add_scaled(x, weight);
            }
            if sum.non_finite_bits() != 0 {
                // Weight 0 times an infinite derivative is 0: the input plays no part.
                sum = inputs.iter().zip(row).fold(S::lifted(bias), |sum, (x, &weight)| sum + x.scale(weight));
            }
            *output = self.activation.apply(sum);
        }
    }
}
