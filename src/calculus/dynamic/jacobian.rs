//! Derivatives of vector functions.

use alloc::vec::Vec;

use super::chunk::{best, with_size};
use super::forms::{forms, vector_forms};
use super::hessian::{block_size, mirror, write_block};
use super::workspace::reset;
use super::{TryVectorFunction, VectorFunction, Workspace};
use crate::number::{Dual, HyperDual, RectangularHyperDual, Scalar};

/// Values and Jacobian of a vector function at a point.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Jacobian<T> {
    /// Entry k: output k.
    pub value: Vec<T>,
    /// Row by row, entry k n + i: the derivative of output k by variable i of n.
    pub jacobian: Vec<T>,
}

/// Values, Jacobian and Hessians of a vector function at a point.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Hessians<T> {
    /// Entry k: output k.
    pub value: Vec<T>,
    /// Row by row, entry k n + i: the derivative of output k by variable i of n.
    pub jacobian: Vec<T>,
    /// Matrix by matrix, entry (k n + i) n + j: the derivative of output k by variables i and j.
    pub hessians: Vec<T>,
}

vector_forms! {
    /// Values and Jacobian of the vector `function` at `point`.
    ///
    /// ```
    /// use tapeless::{dynamic, function};
    ///
    /// let polar = function!(|x: &[S]| -> [S; 2] { [x[0] * x[1].cos(), x[0] * x[1].sin()] });
    /// let at = dynamic::jacobian(&polar, &[2.0, 0.0]);
    /// assert_eq!((at.value, at.jacobian), (vec![2.0, 0.0], vec![1.0, 0.0, 0.0, 2.0]));
    /// ```
    jacobian, jacobian_into, try_jacobian, try_jacobian_into
    (VectorFunction TryVectorFunction) -> Jacobian<T>;
}

/// As [`jacobian_into`], of a function that may fail; `result` is then not to be used.
///
/// ```
/// use tapeless::{dynamic, function};
///
/// let f = function!(|x: &[S]| -> Result<[S; 1], &'static str> { x.first().map(|&x| [x * x]).ok_or("no variables") });
/// let (mut result, mut workspace) = Default::default();
/// assert!(dynamic::try_jacobian_into(&f, &[3.0], &mut result, &mut workspace).is_ok());
/// assert_eq!((result.value, result.jacobian), (vec![9.0], vec![6.0]));
/// ```
///
/// # Errors
///
/// That of the function.
pub fn try_jacobian_into<T: Scalar, F: TryVectorFunction>(
    function: &F,
    point: &[T],
    result: &mut Jacobian<T>,
    workspace: &mut Workspace,
) -> Result<(), F::Error> {
    let (n, outputs) = (point.len(), function.outputs());
    reset(&mut result.value, outputs);
    reset(&mut result.jacobian, outputs * n);
    if n == 0 {
        return function.try_evaluate(point, &mut result.value);
    }
    with_size!(best(n, |size| size, |chunks| chunks), C => {
        for start in (0..n).step_by(C) {
            let (x, y) = workspace.with_outputs::<Dual<T, C>>(constants(point), outputs);
            for (k, x) in x[start..].iter_mut().take(C).enumerate() {
                *x = Dual::variable(x.value(), k);
            }
            function.try_evaluate(x, y)?;
            for (output, y) in y.iter().enumerate() {
                result.value[output] = y.value();
                let row = &mut result.jacobian[output * n..(output + 1) * n];
                for (entry, derivative) in row[start..].iter_mut().zip(y.gradient()) {
                    *entry = derivative;
                }
            }
        }
    });
    Ok(())
}

vector_forms! {
    /// Values, Jacobian and the Hessian of every output of the vector `function` at `point`, by the passes of one Hessian.
    ///
    /// ```
    /// use tapeless::{dynamic, function};
    ///
    /// let at = dynamic::hessians(&function!(|x: &[S]| -> [S; 2] { [x[0] * x[1], x[0] * x[0]] }), &[3.0, 2.0]);
    /// assert_eq!((at.value, at.jacobian), (vec![6.0, 9.0], vec![2.0, 3.0, 6.0, 0.0]));
    /// assert_eq!(at.hessians, [0.0, 1.0, 1.0, 0.0, 2.0, 0.0, 0.0, 0.0]);
    /// ```
    hessians, hessians_into, try_hessians, try_hessians_into
    (VectorFunction TryVectorFunction) -> Hessians<T>;
}

/// As [`hessians_into`], of a function that may fail; `result` is then not to be used.
///
/// ```
/// use tapeless::{dynamic, function};
///
/// let f = function!(|x: &[S]| -> Result<[S; 1], &'static str> { x.first().map(|&x| [x * x]).ok_or("no variables") });
/// let (mut result, mut workspace) = Default::default();
/// assert!(dynamic::try_hessians_into(&f, &[3.0], &mut result, &mut workspace).is_ok());
/// assert_eq!((result.value, result.hessians), (vec![9.0], vec![2.0]));
/// ```
///
/// # Errors
///
/// That of the function.
pub fn try_hessians_into<T: Scalar, F: TryVectorFunction>(
    function: &F,
    point: &[T],
    result: &mut Hessians<T>,
    workspace: &mut Workspace,
) -> Result<(), F::Error> {
    let (n, outputs) = (point.len(), function.outputs());
    reset(&mut result.value, outputs);
    reset(&mut result.jacobian, outputs * n);
    reset(&mut result.hessians, outputs * n * n);
    if n == 0 {
        return function.try_evaluate(point, &mut result.value);
    }
    with_size!(block_size(n), C => {
        for start in (0..n).step_by(C) {
            let rows = C.min(n - start);
            let (x, y) = workspace.with_outputs::<HyperDual<T, C>>(constants(point), outputs);
            for (k, x) in x[start..].iter_mut().take(C).enumerate() {
                *x = HyperDual::variable(x.value(), k);
            }
            function.try_evaluate(x, y)?;
            for (output, y) in y.iter().enumerate() {
                result.value[output] = y.value();
                result.jacobian[output * n + start..][..rows].copy_from_slice(&y.gradient()[..rows]);
                write_block(&mut result.hessians[(output * n + start) * n..][..rows * n], n, start, &y.hessian());
            }
            for column in (start + C..n).step_by(C) {
                let (x, y) = workspace.with_outputs::<RectangularHyperDual<T, C, C>>(constants(point), outputs);
                for k in 0..C {
                    x[start + k] = RectangularHyperDual::left_variable(point[start + k], k);
                }
                for (k, x) in x[column..].iter_mut().take(C).enumerate() {
                    *x = RectangularHyperDual::right_variable(x.value(), k);
                }
                function.try_evaluate(x, y)?;
                for (output, y) in y.iter().enumerate() {
                    write_block(&mut result.hessians[(output * n + start) * n..][..rows * n], n, column, &y.cross());
                }
            }
        }
    });
    for hessian in result.hessians.chunks_mut(n * n) {
        mirror(hessian, n);
    }
    Ok(())
}

fn constants<T: Scalar, S: From<T>>(point: &[T]) -> impl Iterator<Item = S> {
    point.iter().map(|&x| x.into())
}
