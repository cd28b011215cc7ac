//! Value and gradient.

use alloc::vec::Vec;

use super::chunk::{best, with_size};
use super::forms::{forms, scalar_forms};
use super::workspace::reset;
use super::{Function, TryFunction, Workspace};
use crate::number::{Dual, Scalar};

/// Value and gradient of a function at a point.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Gradient<T> {
    /// The value of the function.
    pub value: T,
    /// Entry i: the derivative by variable i.
    pub gradient: Vec<T>,
}

scalar_forms! {
    /// Value and gradient of `function` at `point`, in passes by up to 8 variables.
    ///
    /// ```
    /// use tapeless::{dynamic, function};
    ///
    /// let at = dynamic::gradient(&function!(|x: &[S]| x[0] * x[0] * x[1]), &[3.0, 2.0]);
    /// assert_eq!((at.value, at.gradient), (18.0, vec![12.0, 9.0]));
    /// ```
    gradient, gradient_into, try_gradient, try_gradient_into
    (Function TryFunction) -> Gradient<T>;
}

/// As [`gradient_into`], of a function that may fail; `result` is then not to be used.
///
/// ```
/// use tapeless::{dynamic, function};
///
/// let f = function!(|x: &[S]| -> Result<S, &'static str> { x.first().copied().ok_or("no variables") });
/// let (mut result, mut workspace) = Default::default();
/// assert!(dynamic::try_gradient_into(&f, &[3.0], &mut result, &mut workspace).is_ok());
/// assert_eq!((result.value, result.gradient), (3.0, vec![1.0]));
/// ```
///
/// # Errors
///
/// That of the function.
pub fn try_gradient_into<T: Scalar, F: TryFunction>(
    function: &F,
    point: &[T],
    result: &mut Gradient<T>,
    workspace: &mut Workspace,
) -> Result<(), F::Error> {
    let size = best(point.len(), |size| size, |chunks| chunks);
    with_size!(size, C => by_chunks::<T, F, C>(function, point, result, workspace))
}

fn by_chunks<T: Scalar, F: TryFunction, const C: usize>(
    function: &F,
    point: &[T],
    result: &mut Gradient<T>,
    workspace: &mut Workspace,
) -> Result<(), F::Error> {
    reset(&mut result.gradient, point.len());
    let chunks = point.len().div_ceil(C);
    let reserve = |workspace: &mut Workspace| workspace.reserve::<Dual<T, C>>(point.len());
    let pass = |chunk, gradient: &mut [T], _: &mut [T], workspace: &mut Workspace| {
        let x = workspace.constants::<T, Dual<T, C>>(point);
        for (k, x) in x.iter_mut().skip(chunk * C).take(C).enumerate() {
            *x = Dual::variable(x.value(), k);
        }
        let at = function.try_evaluate(x)?;
        gradient.copy_from_slice(&at.gradient()[..gradient.len()]);
        Ok(at.value())
    };
    let value = workspace.for_each_piece(chunks, (&mut result.gradient, C), (&mut [], 1), reserve, pass)?;
    result.value = or_plain(value, function, point)?;
    Ok(())
}

/// The value found in the passes; where there were none, since there are no variables, that of a run on plain numbers.
pub(super) fn or_plain<T: Scalar, F: TryFunction>(value: Option<T>, function: &F, point: &[T]) -> Result<T, F::Error> {
    value.map_or_else(|| function.try_evaluate(point), Ok)
}
