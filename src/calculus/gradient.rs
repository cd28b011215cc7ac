//! Value and gradient.

use super::infallible;
use crate::number::{Dual, Scalar};

/// Value and gradient of a function at a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gradient<T, const N: usize> {
    /// The value of the function.
    pub value: T,
    /// Entry i: the derivative by variable i.
    pub gradient: [T; N],
}

/// Value and gradient of `function` at `point`.
///
/// ```
/// let at = tapeless::gradient(|[x, y]| x * y.exp(), [3.0, 0.0]);
/// assert_eq!((at.value, at.gradient), (3.0, [1.0, 3.0]));
/// ```
#[inline]
pub fn gradient<T: Scalar, const N: usize>(
    function: impl FnOnce([Dual<T, N>; N]) -> Dual<T, N>,
    point: [T; N],
) -> Gradient<T, N> {
    let Ok(at) = try_gradient(infallible(function), point);
    at
}

/// As [`gradient`], of a function that may fail.
///
/// ```
/// let logarithm = |[x]: [tapeless::Dual<f64, 1>; 1]| if x > 0.0 { Ok(x.ln()) } else { Err("x must be positive") };
/// assert_eq!(tapeless::calculus::try_gradient(logarithm, [2.0]).unwrap().gradient, [0.5]);
/// assert_eq!(tapeless::calculus::try_gradient(logarithm, [-2.0]), Err("x must be positive"));
/// ```
///
/// # Errors
///
/// That of the function.
#[inline]
pub fn try_gradient<T: Scalar, E, const N: usize>(
    function: impl FnOnce([Dual<T, N>; N]) -> Result<Dual<T, N>, E>,
    point: [T; N],
) -> Result<Gradient<T, N>, E> {
    let result = function(Dual::variables(point))?;
    Ok(Gradient { value: result.value(), gradient: result.gradient() })
}
