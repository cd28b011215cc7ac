//! Weighted sums of second derivatives.

use super::infallible;
use crate::number::{FormDual, Scalar};

/// Value, gradient and a weighted sum of the second derivatives of a function at a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SecondOrderForm<T, const N: usize> {
    /// The value of the function.
    pub value: T,
    /// Entry i: the derivative by variable i.
    pub gradient: [T; N],
    /// The sum of `weights[i][j]` times the derivative by variables i and j, over all pairs.
    pub form: T,
}

/// Value, gradient and the second derivatives of `function` at `point`, added up with `weights`, in one pass that doesn't form
/// the Hessian. The weights need be neither symmetric nor definite; both (i, j) and (j, i) count.
///
/// ```
/// // The wave equation u_tt = 4 u_xx holds for sin(x - 2 t).
/// let wave = [[1.0, 0.0], [0.0, -4.0]];
/// let at = tapeless::calculus::second_order_form(|[t, x]| (x - t * 2.0).sin(), [0.3_f64, 0.4], wave);
/// assert!(at.form.abs() < 1e-15);
/// ```
#[inline]
pub fn second_order_form<T: Scalar, const N: usize>(
    function: impl FnOnce([FormDual<T, N>; N]) -> FormDual<T, N>,
    point: [T; N],
    weights: [[T; N]; N],
) -> SecondOrderForm<T, N> {
    let Ok(at) = try_second_order_form(infallible(function), point, weights);
    at
}

/// As [`second_order_form`], of a function that may fail.
///
/// ```
/// use tapeless::{calculus::try_second_order_form, FormDual};
///
/// let root = |[x]: [FormDual<f64, 1>; 1]| if x >= 0.0 { Ok(x.sqrt()) } else { Err("no root") };
/// assert_eq!(try_second_order_form(root, [4.0], [[-32.0]]).unwrap().form, 1.0);
/// assert_eq!(try_second_order_form(root, [-4.0], [[-32.0]]), Err("no root"));
/// ```
///
/// # Errors
///
/// That of the function.
#[inline]
pub fn try_second_order_form<T: Scalar, E, const N: usize>(
    function: impl FnOnce([FormDual<T, N>; N]) -> Result<FormDual<T, N>, E>,
    point: [T; N],
    weights: [[T; N]; N],
) -> Result<SecondOrderForm<T, N>, E> {
    let result = function(FormDual::variables(point, weights))?;
    Ok(SecondOrderForm { value: result.value(), gradient: result.left(), form: result.form() })
}
