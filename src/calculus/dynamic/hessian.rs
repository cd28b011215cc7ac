//! Value, gradient and Hessian.

use alloc::vec::Vec;

use super::chunk::{SIZES, VALUE_WORK, with_size};
use super::forms::{forms, scalar_forms};
use super::gradient::or_plain;
use super::workspace::reset;
use super::{ArgumentError, DriverError, Function, TryFunction, Workspace};
use crate::number::{Const, HyperDual, Packed, RectangularHyperDual, Scalar};

/// Value, gradient and Hessian of a function at a point.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Hessian<T> {
    /// The value of the function.
    pub value: T,
    /// Entry i: the derivative by variable i.
    pub gradient: Vec<T>,
    /// Row by row, entry i n + j: the derivative by variables i and j of n. Symmetric to the last bit.
    pub hessian: Vec<T>,
}

scalar_forms! {
    /// Value, gradient and Hessian of `function` at `point`. Of the blocks of the Hessian, one for two chunks of up to 8
    /// variables, only those on and above the diagonal are worked out, in a pass each.
    ///
    /// ```
    /// use tapeless::{dynamic, function, Scalar};
    ///
    /// let rosenbrock = function!(|x: &[S]| {
    ///     x.windows(2).map(|x| (S::one() - x[0]).powi(2) + S::literal(100.0) * (x[1] - x[0] * x[0]).powi(2)).sum::<S>()
    /// });
    /// let at = dynamic::hessian(&rosenbrock, &[1.0, 1.0, 2.0]);
    /// assert_eq!((at.value, at.gradient), (100.0, vec![0.0, -400.0, 200.0]));
    /// assert_eq!(at.hessian, [802.0, -400.0, 0.0, -400.0, 602.0, -400.0, 0.0, -400.0, 200.0]);
    /// ```
    hessian, hessian_into, try_hessian, try_hessian_into
    (Function TryFunction) -> Hessian<T>;
}

/// As [`hessian_into`], of a function that may fail; `result` is then not to be used.
///
/// ```
/// use tapeless::{dynamic, function};
///
/// let f = function!(|x: &[S]| -> Result<S, &'static str> { x.first().map(|&x| x * x).ok_or("no variables") });
/// let (mut result, mut workspace) = Default::default();
/// assert!(dynamic::try_hessian_into(&f, &[3.0], &mut result, &mut workspace).is_ok());
/// assert_eq!((result.value, result.hessian), (9.0, vec![2.0]));
/// ```
///
/// # Errors
///
/// That of the function.
pub fn try_hessian_into<T: Scalar, F: TryFunction>(
    function: &F,
    point: &[T],
    result: &mut Hessian<T>,
    workspace: &mut Workspace,
) -> Result<(), F::Error> {
    by(function, point, point.len(), |i| i, result, workspace)
}

scalar_forms! {
    /// Value, and gradient and Hessian by the chosen `variables` only, of `function` at `point`. The results' entries are in the
    /// order of `variables`.
    ///
    /// ```
    /// use tapeless::{dynamic, function};
    ///
    /// let f = function!(|x: &[S]| x[0] * x[1] * x[1] * x[2]);
    /// let at = dynamic::partial_hessian(&f, &[1.0, 2.0, 3.0], &[2, 1]).unwrap();
    /// assert_eq!((at.value, at.gradient), (12.0, vec![4.0, 12.0]));
    /// assert_eq!(at.hessian, [0.0, 4.0, 4.0, 6.0]);
    /// ```
    partial_hessian, partial_hessian_into, try_partial_hessian, try_partial_hessian_into
    (Function TryFunction; variables: &[usize] = "&[1]") -> Hessian<T>;
}

/// As [`partial_hessian_into`], of a function that may fail; `result` is then not to be used.
///
/// ```
/// use tapeless::{dynamic, function};
///
/// let f = function!(|x: &[S]| -> Result<S, &'static str> { x.first().map(|&x| x * x).ok_or("no variables") });
/// let (mut result, mut workspace) = Default::default();
/// assert!(dynamic::try_partial_hessian_into(&f, &[3.0, 1.0], &[0], &mut result, &mut workspace).is_ok());
/// assert_eq!((result.value, result.hessian), (9.0, vec![2.0]));
/// ```
///
/// # Errors
///
/// A variable that there is not or that is chosen twice, or the function's error.
pub fn try_partial_hessian_into<T: Scalar, F: TryFunction>(
    function: &F,
    point: &[T],
    variables: &[usize],
    result: &mut Hessian<T>,
    workspace: &mut Workspace,
) -> Result<(), DriverError<F::Error>> {
    for (k, &index) in variables.iter().enumerate() {
        if index >= point.len() {
            return Err(ArgumentError::NoSuchVariable { index, variables: point.len() }.into());
        }
        if variables[..k].contains(&index) {
            return Err(ArgumentError::Repeated { index }.into());
        }
    }
    by(function, point, variables.len(), |i| variables[i], result, workspace).map_err(DriverError::Function)
}

/// The chunk size with the least work for all blocks on and above the diagonal.
pub(super) fn block_size(count: usize) -> usize {
    let work = |size: usize| {
        let chunks = count.div_ceil(size);
        let (diagonal, off_diagonal) = (size + size * (size + 1) / 2, 2 * size + size * size);
        chunks * (VALUE_WORK + diagonal) + chunks * chunks.saturating_sub(1) / 2 * (VALUE_WORK + off_diagonal)
    };
    SIZES.into_iter().min_by_key(|&size| work(size)).unwrap_or(1)
}

/// By `count` variables, the i-th of which is number `variable(i)`.
fn by<T: Scalar, F: TryFunction>(
    function: &F,
    point: &[T],
    count: usize,
    variable: impl Fn(usize) -> usize + Sync,
    result: &mut Hessian<T>,
    workspace: &mut Workspace,
) -> Result<(), F::Error> {
    reset(&mut result.gradient, count);
    reset(&mut result.hessian, count * count);
    let value = with_size!(block_size(count), C => {
        let (rows, gradient) = (&mut result.hessian[..], &mut result.gradient[..]);
        let reserve = |workspace: &mut Workspace| {
            workspace.reserve::<HyperDual<T, C>>(point.len());
            workspace.reserve::<RectangularHyperDual<T, C, C>>(point.len());
        };
        let pass = |chunk, rows: &mut [T], gradient: &mut [T], workspace: &mut Workspace| {
            block_row::<T, F, C>(function, point, (chunk * C, count), &variable, rows, gradient, workspace)
        };
        workspace.for_each_piece(count.div_ceil(C), (rows, C * count), (gradient, C), reserve, pass)?
    });
    result.value = or_plain(value, function, point)?;
    mirror(&mut result.hessian, count);
    Ok(())
}

/// The blocks of one chunk of variables, from number `start` on, with itself and all later ones. Gives the value.
fn block_row<T: Scalar, F: TryFunction, const C: usize>(
    function: &F,
    point: &[T],
    (start, count): (usize, usize),
    variable: &impl Fn(usize) -> usize,
    rows: &mut [T],
    gradient: &mut [T],
    workspace: &mut Workspace,
) -> Result<T, F::Error>
where
    Const<C>: Packed,
{
    let x = workspace.constants::<T, HyperDual<T, C>>(point);
    for k in 0..gradient.len() {
        let x = &mut x[variable(start + k)];
        *x = HyperDual::variable(x.value(), k);
    }
    let at = function.try_evaluate(x)?;
    gradient.copy_from_slice(&at.gradient()[..gradient.len()]);
    write_block(rows, count, start, &at.hessian());

    let x = workspace.constants::<T, RectangularHyperDual<T, C, C>>(point);
    for k in 0..gradient.len() {
        let x = &mut x[variable(start + k)];
        *x = RectangularHyperDual::left_variable(x.value(), k);
    }
    for column in (start + C..count).step_by(C) {
        let columns = column..count.min(column + C);
        for (k, i) in columns.clone().enumerate() {
            let x = &mut x[variable(i)];
            *x = RectangularHyperDual::right_variable(x.value(), k);
        }
        write_block(rows, count, column, &function.try_evaluate(x)?.cross());
        for i in columns {
            let x = &mut x[variable(i)];
            *x = x.value().into();
        }
    }
    Ok(at.value())
}

/// Writes a block, as far as it fits, into rows of `count` entries from `column` on.
pub(super) fn write_block<T: Scalar, const C: usize>(rows: &mut [T], count: usize, column: usize, block: &[[T; C]; C]) {
    for (row, block_row) in rows.chunks_mut(count).zip(block) {
        for (entry, &derivative) in row[column..].iter_mut().zip(block_row) {
            *entry = derivative;
        }
    }
}

/// Copies what is above the diagonal to below it.
pub(super) fn mirror<T: Copy>(matrix: &mut [T], count: usize) {
    for i in 0..count {
        for j in 0..i {
            matrix[i * count + j] = matrix[j * count + i];
        }
    }
}
