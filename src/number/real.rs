//! The plain floats at the bottom of every number.

use super::Scalar;
use super::lane::Lane;

/// A plain float, `f32` or `f64`: what a [`Scalar`] is made of once all derivatives are taken away. Sealed.
pub trait Real: Scalar<Primitive = Self> + num_traits::AsPrimitive<f64> + Lane {}

impl Real for f32 {}
impl Real for f64 {}
