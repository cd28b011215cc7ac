//! tapeless
#![cfg_attr(not(feature = "std"), no_std)]

pub mod calculus;
#[cfg(feature = "network")]
pub mod evaluate;
#[cfg(feature = "network")]
pub mod network;
pub mod number;

pub use calculus::{gradient, hessian, jacobian, second_derivative};
pub use number::{Const, Dual, HyperDual, Packed, Real, Scalar};
