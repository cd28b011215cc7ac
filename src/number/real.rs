//! The plain floats at the bottom of every number.

use super::Scalar;

/// A plain float, `f32` or `f64`: what a [`Scalar`] is made of once all derivatives are taken away.
///
/// Sealed: it carries the few facts about the bit pattern that accurate derivative formulas need.
pub trait Real: Scalar<Primitive = Self> + num_traits::AsPrimitive<f64> {
    /// The error function of the float itself.
    #[doc(hidden)]
    fn erf_value(self) -> Self;

    /// The complementary error function of the float itself.
    #[doc(hidden)]
    fn erfc_value(self) -> Self;

    /// The float with the lower half of its significand cleared, so that its square is exact.
    #[doc(hidden)]
    fn upper_half(self) -> Self;
}

impl Real for f32 {
    #[inline]
    fn erf_value(self) -> Self {
        libm::erff(self)
    }

    #[inline]
    fn erfc_value(self) -> Self {
        libm::erfcf(self)
    }

    #[inline]
    fn upper_half(self) -> Self {
        Self::from_bits(self.to_bits() & 0xffff_f000)
    }
}

impl Real for f64 {
    #[inline]
    fn erf_value(self) -> Self {
        libm::erf(self)
    }

    #[inline]
    fn erfc_value(self) -> Self {
        libm::erfc(self)
    }

    #[inline]
    fn upper_half(self) -> Self {
        Self::from_bits(self.to_bits() & 0xffff_ffff_f800_0000)
    }
}
