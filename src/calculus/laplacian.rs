//! The Laplacian.

use super::infallible;
use crate::number::{Scalar, TraceDual};

/// Value, gradient and Laplacian of a function at a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Laplacian<T, const N: usize> {
    /// The value of the function.
    pub value: T,
    /// Entry i: the derivative by variable i.
    pub gradient: [T; N],
    /// The sum of the second derivatives by each variable twice.
    pub laplacian: T,
}

/// Value, gradient and Laplacian of `function` at `point`, in one pass that doesn't form the Hessian.
///
/// ```
/// let at = tapeless::calculus::laplacian(|[x, y, z]| x * x * y + z.powi(3), [3.0, 2.0, 1.0]);
/// assert_eq!((at.value, at.gradient), (19.0, [12.0, 9.0, 3.0]));
/// assert_eq!(at.laplacian, 2.0 * 2.0 + 6.0);
/// ```
///
/// Its separate terms are the diagonal of [`hessian`](super::hessian).
#[inline]
pub fn laplacian<T: Scalar, const N: usize>(
    function: impl FnOnce([TraceDual<T, N>; N]) -> TraceDual<T, N>,
    point: [T; N],
) -> Laplacian<T, N> {
    let Ok(at) = try_laplacian(infallible(function), point);
    at
}

/// As [`laplacian`], of a function that may fail.
///
/// ```
/// use tapeless::{calculus::try_laplacian, TraceDual};
///
/// let root = |[x]: [TraceDual<f64, 1>; 1]| if x >= 0.0 { Ok(x.sqrt()) } else { Err("no root") };
/// assert_eq!(try_laplacian(root, [4.0]).unwrap().laplacian, -1.0 / 32.0);
/// assert_eq!(try_laplacian(root, [-4.0]), Err("no root"));
/// ```
///
/// # Errors
///
/// That of the function.
#[inline]
pub fn try_laplacian<T: Scalar, E, const N: usize>(
    function: impl FnOnce([TraceDual<T, N>; N]) -> Result<TraceDual<T, N>, E>,
    point: [T; N],
) -> Result<Laplacian<T, N>, E> {
    let result = function(TraceDual::variables(point))?;
    Ok(Laplacian { value: result.value(), gradient: result.gradient(), laplacian: result.laplacian() })
}
