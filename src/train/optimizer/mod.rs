//! Optimisers of a flat vector of parameters.
//!
//! They know nothing of networks: a parameter and its derivative are a place in two slices. [`Adam`] is given the gradient;
//! [`Lbfgs`] asks for loss and gradient where it needs them. After it was made, an optimiser allocates nothing; its state can be taken apart and put together again ([`OptimizerState`]) without the loss of a bit.

mod adam;
mod error;
mod history;
mod lbfgs;
mod line_search;
mod schedule;
mod state;
pub(super) mod vectors;

pub use adam::{Adam, AdamReport, AdamSettings};
pub use error::{OptimizerError, StepError};
pub use lbfgs::{Lbfgs, LbfgsOutcome, LbfgsReport, LbfgsSettings};
pub use schedule::{Decay, Schedule};
pub use state::OptimizerState;
