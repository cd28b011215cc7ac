//! The numbers: [`HyperDual`] (value, gradient, Hessian), its first-order sibling [`Dual`], and the trait [`Scalar`] of all
//! that a generic function can be run on.

mod departure;
mod dual;
mod format;
mod functions;
mod hyper_dual;
pub(crate) mod lane;
mod operators;
mod packed;
mod real;
pub(crate) mod rule;
mod scalar;
mod strong;
mod traits;

pub use dual::Dual;
pub use hyper_dual::HyperDual;

#[cfg(feature = "network")]
pub(crate) use packed::triangle_index;
pub use packed::{Const, Packed};
pub use real::Real;
pub use scalar::Scalar;

mod sealed {
    pub trait Sealed {}
}
