//! Dense neural networks: layers, activations, a forward pass that is generic over the scalar, and the import of weights.

mod activation;
mod error;
pub mod export;
pub mod import;
mod initialize;
mod layer;
mod parameters;

pub(crate) use activation::by_activation;
pub use activation::{Activation, ActivationError};
pub use error::NetworkError;
pub use initialize::{Initialization, InitializationError};
pub use layer::Layer;

use crate::number::{Real, Scalar};

/// A chain of dense layers.
///
/// ```
/// use tapeless::network::{Activation, Layer, Network};
/// use tapeless::HyperDual;
///
/// let hidden = Layer::new(2, 2, vec![1.0, 0.5, -1.0, 2.0], vec![0.1, -0.2], Activation::Tanh)?;
/// let last = Layer::new(2, 1, vec![0.7, -0.4], vec![0.0], Activation::Identity)?;
/// let network = Network::new(vec![hidden, last])?;
///
/// // The same forward pass on plain numbers and on hyper-dual ones.
/// let value = network.forward(&[0.3, -0.7])?[0];
/// let u = network.forward(&HyperDual::variables([0.3, -0.7]))?[0];
/// assert_eq!(u.value(), value);
/// println!("u_xx = {}", u.hessian()[0][0]);
/// # Ok::<(), tapeless::network::NetworkError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Network<R> {
    layers: Vec<Layer<R>>,
}

/// Room for a forward pass: two rows as wide as the widest layer.
#[derive(Clone, Debug)]
pub struct Workspace<S> {
    front: Vec<S>,
    back: Vec<S>,
}

impl<S> Workspace<S> {
    /// Its size in bytes.
    pub fn bytes(&self) -> usize {
        size_of::<S>() * (self.front.len() + self.back.len())
    }
}

impl<R: Real> Network<R> {
    /// A network from its layers, first to last.
    ///
    /// # Errors
    ///
    /// [`NetworkError::NoLayers`], [`NetworkError::EmptyLayer`], or [`NetworkError::Chain`] where a layer does not take as
    /// many numbers as the one before it gives.
    pub fn new(layers: Vec<Layer<R>>) -> Result<Self, NetworkError> {
        if layers.is_empty() {
            return Err(NetworkError::NoLayers);
        }
        for (position, layer) in layers.iter().enumerate() {
            let (inputs, outputs) = (layer.inputs(), layer.outputs());
            if inputs == 0 || outputs == 0 {
                return Err(NetworkError::EmptyLayer { layer: position, inputs, outputs });
            }
        }
        for (position, pair) in layers.windows(2).enumerate() {
            let (given, taken) = (pair[0].outputs(), pair[1].inputs());
            if given != taken {
                return Err(NetworkError::Chain { layer: position, given, taken });
            }
        }
        Ok(Self { layers })
    }

    /// The layers, first to last.
    pub fn layers(&self) -> &[Layer<R>] {
        &self.layers
    }

    /// The first layer and those that follow.
    pub(crate) fn first_and_rest(&self) -> (&Layer<R>, &[Layer<R>]) {
        (&self.layers[0], &self.layers[1..])
    }

    /// How many inputs the network has.
    pub fn inputs(&self) -> usize {
        self.layers.first().map_or(0, Layer::inputs)
    }

    /// How many outputs the network has.
    pub fn outputs(&self) -> usize {
        self.layers.last().map_or(0, Layer::outputs)
    }

    /// The widest of the layers' outputs.
    fn widest(&self) -> usize {
        self.layers.iter().map(Layer::outputs).max().unwrap_or(0)
    }

    /// Room for [`forward_into`](Network::forward_into).
    pub fn workspace<S: Scalar<Primitive = R>>(&self) -> Workspace<S> {
        let widest = self.widest();
        Workspace { front: vec![S::zero(); widest], back: vec![S::zero(); widest] }
    }

    /// The same of memory that may not be there.
    pub(crate) fn workspace_of<S: Scalar<Primitive = R>, E>(
        &self,
        zeros: impl Fn(usize) -> Result<Vec<S>, E>,
    ) -> Result<Workspace<S>, E> {
        let widest = self.widest();
        Ok(Workspace { front: zeros(widest)?, back: zeros(widest)? })
    }

    /// The outputs of the network at a point of plain or dual numbers.
    ///
    /// # Errors
    ///
    /// [`NetworkError::WrongLength`] where the point does not have the network's number of inputs.
    pub fn forward<S: Scalar<Primitive = R>>(&self, point: &[S]) -> Result<Vec<S>, NetworkError> {
        let mut outputs = vec![S::zero(); self.outputs()];
        self.forward_into(point, &mut self.workspace(), &mut outputs)?;
        Ok(outputs)
    }

    /// As [`forward`](Network::forward), into memory of the caller's; allocates nothing.
    ///
    /// # Errors
    ///
    /// [`NetworkError::WrongLength`] where the point or `outputs` do not have the network's numbers of inputs and outputs.
    pub fn forward_into<S: Scalar<Primitive = R>>(
        &self,
        point: &[S],
        workspace: &mut Workspace<S>,
        outputs: &mut [S],
    ) -> Result<(), NetworkError> {
        let checked = |what, expected, found| match expected == found {
            true => Ok(()),
            false => Err(NetworkError::WrongLength { what, expected, found }),
        };
        checked("inputs", self.inputs(), point.len())?;
        checked("outputs", self.outputs(), outputs.len())?;
        if workspace.front.len() < self.widest() {
            *workspace = self.workspace();
        }
        let Workspace { front, back } = workspace;
        let Some((last, hidden)) = self.layers.split_last() else { return Ok(()) };
        // How many numbers of `front` are filled; none before the first layer, which reads the point.
        let mut filled = None;
        for layer in hidden {
            let width = layer.outputs();
            match filled {
                None => layer.forward(point, &mut front[..width]),
                Some(inputs) => {
                    layer.forward(&front[..inputs], &mut back[..width]);
                    std::mem::swap(front, back);
                }
            }
            filled = Some(width);
        }
        last.forward(filled.map_or(point, |inputs| &front[..inputs]), outputs);
        Ok(())
    }
}
