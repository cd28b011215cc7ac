//! Derivatives of vector functions.

use super::infallible;
use crate::number::{Const, Dual, HyperDual, Packed, Scalar};

/// Values and Jacobian of a vector function at a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Jacobian<T, const N: usize, const M: usize> {
    /// Entry k: output k.
    pub value: [T; M],
    /// Entry `[k][i]`: the derivative of output k by variable i.
    pub jacobian: [[T; N]; M],
}

/// Values, Jacobian and Hessians of a vector function at a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hessians<T, const N: usize, const M: usize> {
    /// Entry k: output k.
    pub value: [T; M],
    /// Entry `[k][i]`: the derivative of output k by variable i.
    pub jacobian: [[T; N]; M],
    /// Entry `[k][i][j]`: the derivative of output k by variables i and j.
    pub hessians: [[[T; N]; N]; M],
}

/// Values and Jacobian of the vector `function` at `point`.
///
/// ```
/// // Polar coordinates.
/// let at = tapeless::jacobian(|[r, phi]| [r * phi.cos(), r * phi.sin()], [2.0, 0.0]);
/// assert_eq!(at.value, [2.0, 0.0]);
/// assert_eq!(at.jacobian, [[1.0, 0.0], [0.0, 2.0]]);
/// ```
#[inline]
pub fn jacobian<T: Scalar, const N: usize, const M: usize>(
    function: impl FnOnce([Dual<T, N>; N]) -> [Dual<T, N>; M],
    point: [T; N],
) -> Jacobian<T, N, M> {
    let Ok(at) = try_jacobian(infallible(function), point);
    at
}

/// As [`jacobian`], of a function that may fail.
///
/// ```
/// use tapeless::{calculus::try_jacobian, Dual};
///
/// let roots = |[x]: [Dual<f64, 1>; 1]| if x >= 0.0 { Ok([x.sqrt(), -x.sqrt()]) } else { Err("no root") };
/// assert_eq!(try_jacobian(roots, [4.0]).unwrap().jacobian, [[0.25], [-0.25]]);
/// assert_eq!(try_jacobian(roots, [-4.0]), Err("no root"));
/// ```
///
/// # Errors
///
/// That of the function.
#[inline]
pub fn try_jacobian<T: Scalar, E, const N: usize, const M: usize>(
    function: impl FnOnce([Dual<T, N>; N]) -> Result<[Dual<T, N>; M], E>,
    point: [T; N],
) -> Result<Jacobian<T, N, M>, E> {
    let result = function(Dual::variables(point))?;
    Ok(Jacobian { value: result.map(|output| output.value()), jacobian: result.map(|output| output.gradient()) })
}

/// Values, Jacobian and the Hessian of every output of the vector `function` at `point`, in one pass.
///
/// ```
/// let at = tapeless::calculus::hessians(|[x, y]| [x * y, x * x], [3.0, 2.0]);
/// assert_eq!(at.value, [6.0, 9.0]);
/// assert_eq!(at.jacobian, [[2.0, 3.0], [6.0, 0.0]]);
/// assert_eq!(at.hessians, [[[0.0, 1.0], [1.0, 0.0]], [[2.0, 0.0], [0.0, 0.0]]]);
/// ```
#[inline]
pub fn hessians<T: Scalar, const N: usize, const M: usize>(
    function: impl FnOnce([HyperDual<T, N>; N]) -> [HyperDual<T, N>; M],
    point: [T; N],
) -> Hessians<T, N, M>
where
    Const<N>: Packed,
{
    let Ok(at) = try_hessians(infallible(function), point);
    at
}

/// As [`hessians`], of a function that may fail.
///
/// ```
/// use tapeless::{calculus::try_hessians, HyperDual};
///
/// let roots = |[x]: [HyperDual<f64, 1>; 1]| if x >= 0.0 { Ok([x.sqrt(), -x.sqrt()]) } else { Err("no root") };
/// assert_eq!(try_hessians(roots, [4.0]).unwrap().hessians, [[[-1.0 / 32.0]], [[1.0 / 32.0]]]);
/// assert_eq!(try_hessians(roots, [-4.0]), Err("no root"));
/// ```
///
/// # Errors
///
/// That of the function.
#[inline]
pub fn try_hessians<T: Scalar, E, const N: usize, const M: usize>(
    function: impl FnOnce([HyperDual<T, N>; N]) -> Result<[HyperDual<T, N>; M], E>,
    point: [T; N],
) -> Result<Hessians<T, N, M>, E>
where
    Const<N>: Packed,
{
    let result = function(HyperDual::variables(point))?;
    Ok(Hessians {
        value: result.map(|output| output.value()),
        jacobian: result.map(|output| output.gradient()),
        hessians: result.map(|output| output.hessian()),
    })
}
