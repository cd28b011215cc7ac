//! Training without a graph: the gradient of a loss by the weights of a network, where the loss is made of first and second
//! derivatives by its inputs.
//!
//! The loss is a sum of [`Term`]s. An [`Objective`] evaluates it and its gradient tile by tile, channels forward and their
//! adjoints back, in a workspace whose size does not depend on the number of points or steps.
//!
//! For residuals r_k of the outputs u and their derivatives at the n points x_p of each term, with the weight w of the term, the
//! loss as a function of the network's parameters θ is
//!
#![doc = include_str!("../../docs/formulas/loss.html")]
//!
//! Its gradient comes back through the layers as adjoints: with a bar, the derivative of the loss by a number. The channels of a
//! layer (0: value, i and j: first partials, q: second-order forms, c: any of them) go forward as [`evaluate`](crate::evaluate)
//! says, for weights W, bias b and activation s from a to sums z to y. Their adjoints go back by
//!
#![doc = include_str!("../../docs/formulas/adjoint.html")]
//!
//! where the derivatives of s are taken at the value z_0, and sums over points are left out.

mod adjoint;
mod checkpoint;
mod equations;
mod error;
mod objective;
pub mod optimizer;
mod resampling;
mod residual;
pub mod sampling;
mod term;
mod trainer;
mod transform;

pub use checkpoint::CheckpointError;
pub use error::TrainError;
pub use objective::{Objective, ObjectiveBuilder};
pub use resampling::Resampling;
pub use residual::Residual;
pub use term::Term;
pub use trainer::{Stage, StepReport, Trainer};
pub use transform::OutputTransform;

/// The Rust of the documentation compiles.
#[cfg(doctest)]
#[doc = include_str!("../../docs/training.md")]
struct Documentation;
