//! Drivers: derivatives of a generic function at a point.
//!
//! The function takes an array of numbers and is run once, on numbers that carry the derivatives along. A closure needs no
//! annotation; a function that is to run on plain floats as well is written for `S: Scalar`. (One thing that the compiler
//! can't guess: `(2.0 * x).sin()` at a point of bare literals such as `[1.0, 2.0]`; write `1.0_f64` or `x * 2.0`.)
//!
//! | driver | numbers it runs the function on | scalars in each |
//! |---|---|---|
//! | [`gradient`] | `Dual<T, N>` | 1 + N |
//! | [`jacobian`] | `Dual<T, N>` | 1 + N |
//! | [`hessian`] | `HyperDual<T, N>` | 1 + N + N(N+1)/2 |
//! | [`second_derivative`] | `HyperDual<T, 1>` | 3 |

use crate::number::{Const, Dual, HyperDual, Packed, Scalar};

/// Value and gradient of a function at a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gradient<T, const N: usize> {
    /// The value of the function.
    pub value: T,
    /// Entry i: the derivative by variable i.
    pub gradient: [T; N],
}

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

/// Values and Jacobian of a vector function at a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Jacobian<T, const N: usize, const M: usize> {
    /// Entry k: output k.
    pub value: [T; M],
    /// Entry `[k][i]`: the derivative of output k by variable i.
    pub jacobian: [[T; N]; M],
}

/// Value and the first two derivatives of a function of one variable.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SecondDerivative<T> {
    /// The value of the function.
    pub value: T,
    /// The first derivative.
    pub first: T,
    /// The second derivative.
    pub second: T,
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
    let result = function(Dual::variables(point));
    Gradient { value: result.value(), gradient: result.gradient() }
}

/// Value, gradient and Hessian of `function` at `point`, in one pass.
///
/// ```
/// let at = tapeless::hessian(|[x, y]| x * x * y + y.sin(), [3.0, 0.0]);
/// assert_eq!(at.value, 0.0);
/// assert_eq!(at.gradient, [0.0, 10.0]);
/// assert_eq!(at.hessian, [[0.0, 6.0], [6.0, 0.0]]);
/// ```
#[inline]
pub fn hessian<T: Scalar, const N: usize>(
    function: impl FnOnce([HyperDual<T, N>; N]) -> HyperDual<T, N>,
    point: [T; N],
) -> Hessian<T, N>
where
    Const<N>: Packed,
{
    let result = function(HyperDual::variables(point));
    Hessian { value: result.value(), gradient: result.gradient(), hessian: result.hessian() }
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
    let result = function(Dual::variables(point));
    Jacobian { value: result.map(|output| output.value()), jacobian: result.map(|output| output.gradient()) }
}

/// Value and the first two derivatives of a `function` of one variable at `point`.
///
/// ```
/// let at = tapeless::second_derivative(|x| x.powi(3), 2.0);
/// assert_eq!((at.value, at.first, at.second), (8.0, 12.0, 12.0));
/// ```
#[inline]
pub fn second_derivative<T: Scalar>(
    function: impl FnOnce(HyperDual<T, 1>) -> HyperDual<T, 1>,
    point: T,
) -> SecondDerivative<T> {
    let Hessian { value, gradient: [first], hessian: [[second]] } = hessian(|[x]| function(x), [point]);
    SecondDerivative { value, first, second }
}
