//! Training without a graph: the gradient of a loss by the weights of a network, where the loss is made of first and second
//! derivatives by its inputs.
//!
//! The loss is a sum of [`Term`]s. An [`Objective`] evaluates it and its gradient tile by tile, channels forward and their
//! adjoints back, in a workspace whose size does not depend on the number of points or steps.

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
