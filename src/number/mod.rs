//! The numbers: [`HyperDual`] (value, gradient, Hessian), its first-order sibling [`Dual`], and the trait [`Scalar`] of all
//! that a generic function can be run on.
//!
//! Every operation makes the derivatives of its result from those of its operands. For numbers x and y with first derivatives
//! x_i and second ones x_ij by the variables i and j, a product has
//!
#![doc = include_str!("../../docs/formulas/product.html")]
//!
//! a quotient, its differences taken before the division so that they keep their digits,
//!
#![doc = include_str!("../../docs/formulas/quotient.html")]
//!
//! and an elementary function f with the derivatives f' and f'' of its rule
//!
#![doc = include_str!("../../docs/formulas/chain.html")]
//!
//! A function of two numbers takes its partial derivatives f_x, f_y, f_xx, .. by them:
//!
#![doc = include_str!("../../docs/formulas/chain_of_two.html")]
//!
//! Numbers that carry a part of the Hessian ([`RectangularHyperDual`]: a block, [`TraceDual`]: the trace, [`FormDual`]: a weighted
//! sum) follow the same formulas for the entries or sums of entries that they have.

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
