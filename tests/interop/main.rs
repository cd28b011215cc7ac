//! The numbers in other crates; run with `cargo test --all-features --test interop`.

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
