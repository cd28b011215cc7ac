//! The Laplacian, as a whole and by its terms.

use alloc::vec::Vec;

use super::chunk::{best, with_size};
use super::forms::{forms, scalar_forms};
use super::gradient::or_plain;
use super::workspace::reset;
use super::{Function, TryFunction, Workspace};
use crate::number::{HyperDual, Scalar, TraceDual};

/// Value, gradient and Laplacian of a function at a point.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Laplacian<T> {
    /// The value of the function.
    pub value: T,
    /// Entry i: the derivative by variable i.
    pub gradient: Vec<T>,
    /// The sum of the second derivatives by each variable twice.
    pub laplacian: T,
}

/// Value, gradient and the terms of the Laplacian of a function at a point.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LaplacianTerms<T> {
    /// The value of the function.
    pub value: T,
    /// Entry i: the derivative by variable i.
    pub gradient: Vec<T>,
    /// Entry i: the second derivative by variable i twice. Together they are the diagonal of the Hessian.
    pub terms: Vec<T>,
}

scalar_forms! {
    /// Value, gradient and Laplacian of `function` at `point`, by numbers that carry the sum of second derivatives alone.
    ///
    /// ```
    /// use tapeless::{dynamic, function};
    ///
    /// let at = dynamic::laplacian(&function!(|x: &[S]| x[0] * x[0] * x[1] + x[2].powi(3)), &[3.0, 2.0, 1.0]);
    /// assert_eq!((at.value, at.gradient), (19.0, vec![12.0, 9.0, 3.0]));
    /// assert_eq!(at.laplacian, 2.0 * 2.0 + 6.0);
    /// ```
    laplacian, laplacian_into, try_laplacian, try_laplacian_into
    (Function TryFunction) -> Laplacian<T>;
}

/// As [`laplacian_into`], of a function that may fail; `result` is then not to be used.
///
/// ```
/// use tapeless::{dynamic, function};
///
/// let f = function!(|x: &[S]| -> Result<S, &'static str> { x.first().map(|&x| x * x).ok_or("no variables") });
/// let (mut result, mut workspace) = Default::default();
/// assert!(dynamic::try_laplacian_into(&f, &[3.0], &mut result, &mut workspace).is_ok());
/// assert_eq!((result.value, result.laplacian), (9.0, 2.0));
/// ```
///
/// # Errors
///
/// That of the function.
pub fn try_laplacian_into<T: Scalar, F: TryFunction>(
    function: &F,
    point: &[T],
    result: &mut Laplacian<T>,
    workspace: &mut Workspace,
) -> Result<(), F::Error> {
    reset(&mut result.gradient, point.len());
    result.laplacian = T::zero();
    let mut value = None;
    with_size!(best(point.len(), |size| size + 1, |chunks| chunks), C => {
        for (chunk, gradient) in result.gradient.chunks_mut(C).enumerate() {
            let x = workspace.filled(point, |i, x| match i.checked_sub(chunk * C) {
                Some(k) => TraceDual::<T, C>::variable(x, k),
                None => x.into(),
            });
            let at = function.try_evaluate(x)?;
            gradient.copy_from_slice(&at.gradient()[..gradient.len()]);
            result.laplacian += at.laplacian();
            value = Some(at.value());
        }
    });
    result.value = or_plain(value, function, point)?;
    Ok(())
}

scalar_forms! {
    /// Value, gradient and the terms of the Laplacian of `function` at `point`: the diagonal of the Hessian.
    ///
    /// ```
    /// use tapeless::{dynamic, function};
    ///
    /// let at = dynamic::laplacian_terms(&function!(|x: &[S]| x[0] * x[0] * x[1] + x[2].powi(3)), &[3.0, 2.0, 1.0]);
    /// assert_eq!(at.terms, [4.0, 0.0, 6.0]);
    /// ```
    laplacian_terms, laplacian_terms_into, try_laplacian_terms, try_laplacian_terms_into
    (Function TryFunction) -> LaplacianTerms<T>;
}

/// As [`laplacian_terms_into`], of a function that may fail; `result` is then not to be used.
///
/// ```
/// use tapeless::{dynamic, function};
///
/// let f = function!(|x: &[S]| -> Result<S, &'static str> { x.first().map(|&x| x * x).ok_or("no variables") });
/// let (mut result, mut workspace) = Default::default();
/// assert!(dynamic::try_laplacian_terms_into(&f, &[3.0], &mut result, &mut workspace).is_ok());
/// assert_eq!((result.value, result.terms), (9.0, vec![2.0]));
/// ```
///
/// # Errors
///
/// That of the function.
pub fn try_laplacian_terms_into<T: Scalar, F: TryFunction>(
    function: &F,
    point: &[T],
    result: &mut LaplacianTerms<T>,
    workspace: &mut Workspace,
) -> Result<(), F::Error> {
    reset(&mut result.gradient, point.len());
    reset(&mut result.terms, point.len());
    let mut value = None;
    with_size!(best(point.len(), |size| size + size * (size + 1) / 2, |chunks| chunks), C => {
        let pieces = result.gradient.chunks_mut(C).zip(result.terms.chunks_mut(C));
        for (chunk, (gradient, terms)) in pieces.enumerate() {
            let x = workspace.filled(point, |i, x| match i.checked_sub(chunk * C) {
                Some(k) => HyperDual::<T, C>::variable(x, k),
                None => x.into(),
            });
            let at = function.try_evaluate(x)?;
            gradient.copy_from_slice(&at.gradient()[..gradient.len()]);
            for (k, (term, row)) in terms.iter_mut().zip(at.hessian()).enumerate() {
                *term = row[k];
            }
            value = Some(at.value());
        }
    });
    result.value = or_plain(value, function, point)?;
    Ok(())
}
