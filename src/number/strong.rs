//! Zero tangents are strong.

use super::Scalar;

/// `factor * tangent`, where a tangent that is exactly zero stays zero whatever the factor: a constant is never turned
/// into NaN by a singular function.
#[inline]
pub(super) fn strong_product<T: Scalar>(factor: T, tangent: T) -> T {
    if tangent.is_zero() { tangent } else { factor * tangent }
}

/// The product of two tangents, either of which is strong where it is exactly zero.
#[inline]
pub(super) fn tangent_product<T: Scalar>(a: T, b: T) -> T {
    if a.is_zero() { a } else { strong_product(a, b) }
}

/// Whether every component is finite. (A sum may be infinite though its terms are not: then an operation is done with strong
/// products without need, which come to the same.)
#[inline(always)]
pub(super) fn is_finite<T: Scalar>(sum: T) -> bool {
    sum.non_finite_bits() == 0
}

/// Whether a factor is neither zero nor infinite nor NaN in any component, so that its products need no care.
#[inline(always)]
pub(super) fn is_regular<T: Scalar>(factor: T) -> bool {
    factor.is_normal() && (T::ORDER == 0 || factor.non_finite_bits() == 0)
}
