//! Value, gradient and Hessian.

use super::infallible;
use crate::number::{Const, HyperDual, Packed, Scalar};

/// Value, gradient and Hessian of a function at a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hessian<T, const N: usize> {
    /// The value of the function.
    pub value: T,
    /// Entry i: the derivative by variable i.
    pub gradient: [T; N],
    /// Entry `[i][j]`: the derivative by variables i and j. Symmetric to the last bit.
    pub hessian: [[T; N]; N],
}

/// Value, gradient and Hessian of `function` at `point`, in one pass.
///
/// ```
/// let at = tapeless::hessian(|[x, y]| x * x * y + y.sin(), [3.0, 0.0]);
/// assert_eq!(at.value, 0.0);
/// assert_eq!(at.gradient, [0.0, 10.0]);
/// assert_eq!(at.hessian, [[0.0, 6.0], [6.0, 0.0]]);
/// ```
///
/// By some of the variables only: leave the others plain.
///
/// ```
/// let (x, z) = (3.0, 2.0);
/// let at = tapeless::hessian(|[x]| x * x * z, [x]);
/// assert_eq!(at.hessian, [[4.0]]);
/// ```
#[inline]
pub fn hessian<T: Scalar, const N: usize>(
    function: impl FnOnce([HyperDual<T, N>; N]) -> HyperDual<T, N>,
    point: [T; N],
) -> Hessian<T, N>
where
    Const<N>: Packed,
{
    let Ok(at) = try_hessian(infallible(function), point);
    at
}

/// As [`hessian`], of a function that may fail.
///
/// ```
/// use tapeless::{calculus::try_hessian, HyperDual};
///
/// let root = |[x]: [HyperDual<f64, 1>; 1]| if x >= 0.0 { Ok(x.sqrt()) } else { Err("x must not be negative") };
/// assert_eq!(try_hessian(root, [4.0]).unwrap().hessian, [[-1.0 / 32.0]]);
/// assert_eq!(try_hessian(root, [-4.0]), Err("x must not be negative"));
/// ```
///
/// # Errors
///
/// That of the function.
#[inline]
pub fn try_hessian<T: Scalar, E, const N: usize>(
    function: impl FnOnce([HyperDual<T, N>; N]) -> Result<HyperDual<T, N>, E>,
    point: [T; N],
) -> Result<Hessian<T, N>, E>
where
    Const<N>: Packed,
{
    let result = function(HyperDual::variables(point))?;
    Ok(Hessian { value: result.value(), gradient: result.gradient(), hessian: result.hessian() })
}
