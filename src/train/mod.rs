//! Training of networks.

pub mod optimizer;
