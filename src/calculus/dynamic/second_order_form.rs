//! Weighted sums of second derivatives.

use alloc::vec::Vec;

use super::chunk::{best, with_size};
use super::forms::{forms, scalar_forms};
use super::gradient::or_plain;
use super::workspace::reset;
use super::{ArgumentError, DriverError, Function, TryFunction, Workspace};
use crate::number::{FormDual, Scalar};

/// Value, gradient and a weighted sum of the second derivatives of a function at a point.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SecondOrderForm<T> {
    /// The value of the function.
    pub value: T,
    /// Entry i: the derivative by variable i.
    pub gradient: Vec<T>,
    /// The sum of the weight of (i, j) times the derivative by variables i and j, over all pairs.
    pub form: T,
}

scalar_forms! {
    /// Value, gradient and the second derivatives of `function` at `point`, added up with the `weights` of a matrix, row by row.
    /// It need be neither symmetric nor definite; both (i, j) and (j, i) count. The Hessian is not formed.
    ///
    /// ```
    /// use tapeless::{dynamic, function, Scalar};
    ///
    /// // The wave equation u_tt = 4 u_xx holds for sin(x - 2 t).
    /// let wave = function!(|x: &[S]| (x[1] - S::literal(2.0) * x[0]).sin());
    /// let at = dynamic::second_order_form(&wave, &[0.3_f64, 0.4], &[1.0, 0.0, 0.0, -4.0]).unwrap();
    /// assert!(at.form.abs() < 1e-15);
    /// ```
    second_order_form, second_order_form_into, try_second_order_form, try_second_order_form_into
    (Function TryFunction; weights: &[T] = "&[1.0, 0.5, 0.5, -4.0]") -> SecondOrderForm<T>;
}

/// As [`second_order_form_into`], of a function that may fail; `result` is then not to be used.
///
/// ```
/// use tapeless::{dynamic, function};
///
/// let f = function!(|x: &[S]| -> Result<S, &'static str> { x.first().map(|&x| x * x).ok_or("no variables") });
/// let (mut result, mut workspace) = Default::default();
/// assert!(dynamic::try_second_order_form_into(&f, &[3.0], &[-1.0], &mut result, &mut workspace).is_ok());
/// assert_eq!((result.value, result.form), (9.0, -2.0));
/// ```
///
/// # Errors
///
/// Weights that are not one for each pair of variables, or the function's error.
pub fn try_second_order_form_into<T: Scalar, F: TryFunction>(
    function: &F,
    point: &[T],
    weights: &[T],
    result: &mut SecondOrderForm<T>,
    workspace: &mut Workspace,
) -> Result<(), DriverError<F::Error>> {
    let n = point.len();
    ArgumentError::check_length("matrix of weights", n * n, weights.len())?;
    reset(&mut result.gradient, n);
    result.form = T::zero();
    let mut value = None;
    with_size!(best(n, |size| 2 * size + 1, |chunks| chunks), C => {
        for (chunk, gradient) in result.gradient.chunks_mut(C).enumerate() {
            let start = chunk * C;
            let x = workspace.filled(point, |j, x| {
                let left = core::array::from_fn(|k| if j == start + k { T::one() } else { T::zero() });
                let right = core::array::from_fn(|k| weights.get((start + k) * n + j).copied().unwrap_or(T::zero()));
                FormDual::<T, C>::from_parts(x, left, right, T::zero())
            });
            let at = function.try_evaluate(x).map_err(DriverError::Function)?;
            gradient.copy_from_slice(&at.left()[..gradient.len()]);
            result.form += at.form();
            value = Some(at.value());
        }
    });
    result.value = or_plain(value, function, point).map_err(DriverError::Function)?;
    Ok(())
}
