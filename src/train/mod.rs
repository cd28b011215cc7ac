//! Training of networks.

pub mod optimizer;
pub mod sampling;
