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
