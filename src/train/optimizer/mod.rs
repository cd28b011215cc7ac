//! Optimisers of a flat vector of parameters.
//!
//! They know nothing of networks: a parameter and its derivative are a place in two slices. After it was made, an optimiser
//! allocates nothing; its state can be taken apart and put together again ([`OptimizerState`]) without the loss of a bit.

mod adam;
mod error;
mod schedule;
mod state;
mod vectors;

pub use adam::{Adam, AdamReport, AdamSettings};
pub use error::OptimizerError;
pub use schedule::{Decay, Schedule};
pub use state::OptimizerState;
