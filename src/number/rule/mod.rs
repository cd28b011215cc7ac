//! The rule table: for every elementary function and activation its value and its derivatives up to order four, each
//! written once.
//!
//! A rule takes a plain float and gives a [`Jet`]. Dual numbers of any kind and nesting take from it as many orders as
//! they carry; entries nobody reads cost nothing, because rules are inlined. The value is the float's own function, bit
//! for bit. Where a textbook formula loses digits, a comment says which one and why ours does not.

mod activation;
mod binary;
mod compensated;
mod error_function;
mod exponential;
mod hyperbolic;
mod power;
mod trigonometric;

pub(crate) use activation::*;
pub(crate) use binary::*;
#[cfg(feature = "network")]
pub(crate) use compensated::exp_minus_square;
pub(crate) use error_function::*;
pub(crate) use exponential::*;
pub(crate) use hyperbolic::*;
pub(crate) use power::*;
pub(crate) use trigonometric::*;

use super::Real;

/// The highest order of derivative in the table: a hyper-dual number of hyper-dual numbers needs four.
pub(crate) const MAX_ORDER: usize = 4;

/// Value and derivatives of orders one to four of a function at a point.
pub type Jet<R> = [R; MAX_ORDER + 1];

/// The jet of a function at a point where it is not defined.
#[inline]
fn undefined<R: Real>(value: R) -> Jet<R> {
    let nan = R::nan();
    [value, nan, nan, nan, nan]
}

/// The jet of a function that is constant around the point.
#[inline]
fn constant<R: Real>(value: R) -> Jet<R> {
    let zero = R::zero();
    [value, zero, zero, zero, zero]
}
