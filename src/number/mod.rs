//! The numbers: [`HyperDual`] (value, gradient, Hessian), its first-order sibling [`Dual`], and the trait [`Scalar`] of all
//! that a generic function can be run on.

mod departure;
mod dual;
mod form_dual;
mod format;
mod functions;
mod hyper_dual;
pub(crate) mod lane;
mod operators;
mod packed;
mod real;
mod rectangular_hyper_dual;
pub(crate) mod rule;
mod scalar;
mod second_order;
mod strong;
mod trace_dual;
mod traits;
mod variables;

pub use dual::Dual;
pub use form_dual::FormDual;
pub use hyper_dual::HyperDual;

#[cfg(feature = "network")]
pub(crate) use packed::triangle_index;
pub use packed::{Const, Packed};
pub use real::Real;
pub use rectangular_hyper_dual::RectangularHyperDual;
pub use scalar::Scalar;
pub use trace_dual::TraceDual;

mod sealed {
    pub trait Sealed {}
}
