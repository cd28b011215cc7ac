//! The traits of other crates for the numbers, each crate behind a feature that is named by its version, so that a new version
//! there becomes a new feature here and breaks nothing.
//!
//! | feature | crate | what the numbers are there |
//! |---|---|---|
//! | `approx-v0_5` | approx 0.5 | comparable within a tolerance, derivatives included |
//! | `bytemuck-v1` | bytemuck 1 | plain bytes |
//! | `nalgebra-v0_35` | nalgebra 0.35 | real numbers: vectors, matrices, LU, QR, Cholesky, .. |
//! | `ndarray-v0_17` | ndarray 0.17 | operands of arrays; `dot` needs no feature |
//! | `serde-v1` | serde 1 | readable and writable |

#[cfg(feature = "approx-v0_5")]
mod approx;
#[cfg(feature = "bytemuck-v1")]
mod bytemuck;
#[cfg(feature = "nalgebra-v0_35")]
mod nalgebra;
#[cfg(feature = "ndarray-v0_17")]
mod ndarray;
#[cfg(feature = "serde-v1")]
mod serde;
