//! Products of the Hessian with vectors.

use alloc::vec::Vec;

use super::chunk::VALUE_WORK;
use super::forms::{forms, scalar_forms};
use super::gradient::or_plain;
use super::workspace::reset;
use super::{ArgumentError, DriverError, Function, TryFunction, Workspace};
use crate::number::{RectangularHyperDual, Scalar};

/// Value, gradient and products of the Hessian with vectors at a point.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HessianVectorProducts<T> {
    /// The value of the function.
    pub value: T,
    /// Entry i: the derivative by variable i.
    pub gradient: Vec<T>,
    /// Entry p n + i: entry i of the Hessian times vector p, for n variables.
    pub products: Vec<T>,
}

scalar_forms! {
    /// Value, gradient and the products of the Hessian of `function` at `point` with all `vectors`, without forming the Hessian.
    /// The vectors lie one after the other in one slice.
    ///
    /// ```
    /// use tapeless::{dynamic, function};
    ///
    /// let f = function!(|x: &[S]| x[0] * x[0] * x[1]);
    /// let at = dynamic::hessian_vector_products(&f, &[3.0, 2.0], &[1.0, 0.0, 1.0, -1.0]).unwrap();
    /// assert_eq!((at.value, at.gradient), (18.0, vec![12.0, 9.0]));
    /// assert_eq!(at.products, [4.0, 6.0, -2.0, 6.0]);
    /// ```
    hessian_vector_products, hessian_vector_products_into, try_hessian_vector_products, try_hessian_vector_products_into
    (Function TryFunction; vectors: &[T] = "&[1.0, 0.0, 1.0, -1.0]") -> HessianVectorProducts<T>;
}

/// As [`hessian_vector_products_into`], of a function that may fail; `result` is then not to be used.
///
/// ```
/// use tapeless::{dynamic, function};
///
/// let f = function!(|x: &[S]| -> Result<S, &'static str> { x.first().map(|&x| x * x).ok_or("no variables") });
/// let (mut result, mut workspace) = Default::default();
/// assert!(dynamic::try_hessian_vector_products_into(&f, &[3.0], &[2.0], &mut result, &mut workspace).is_ok());
/// assert_eq!(result.products, [4.0]);
/// ```
///
/// # Errors
///
/// Vectors that are not of one entry for each variable, or the function's error.
pub fn try_hessian_vector_products_into<T: Scalar, F: TryFunction>(
    function: &F,
    point: &[T],
    vectors: &[T],
    result: &mut HessianVectorProducts<T>,
    workspace: &mut Workspace,
) -> Result<(), DriverError<F::Error>> {
    let count = vectors.len() / point.len().max(1);
    ArgumentError::check_length("slice of vectors", count * point.len(), vectors.len())?;
    let run = match sizes(point.len(), count) {
        (2, 1) => by_chunks::<T, F, 2, 1>,
        (4, 1) => by_chunks::<T, F, 4, 1>,
        (8, 1) => by_chunks::<T, F, 8, 1>,
        (2, 4) => by_chunks::<T, F, 2, 4>,
        (4, 4) => by_chunks::<T, F, 4, 4>,
        _ => by_chunks::<T, F, 8, 4>,
    };
    run(function, point, vectors, result, workspace).map_err(DriverError::Function)
}

/// How many variables and how many vectors a pass takes, for the least work.
fn sizes(variables: usize, vectors: usize) -> (usize, usize) {
    let work = |(c, p): (usize, usize)| variables.div_ceil(c) * vectors.div_ceil(p) * (VALUE_WORK + c + p + c * p);
    [(2, 1), (4, 1), (8, 1), (2, 4), (4, 4), (8, 4)].into_iter().min_by_key(|&sizes| work(sizes)).unwrap_or((8, 4))
}

fn by_chunks<T: Scalar, F: TryFunction, const C: usize, const P: usize>(
    function: &F,
    point: &[T],
    vectors: &[T],
    result: &mut HessianVectorProducts<T>,
    workspace: &mut Workspace,
) -> Result<(), F::Error> {
    let n = point.len();
    reset(&mut result.gradient, n);
    reset(&mut result.products, vectors.len());
    let mut value = None;
    // At least one pass for each chunk of variables, for the gradient.
    for first_vector in (0..(vectors.len() / n.max(1)).max(1)).step_by(P) {
        for start in (0..n).step_by(C) {
            let x = workspace.filled(point, |i, x| {
                let left = core::array::from_fn(|k| if i == start + k { T::one() } else { T::zero() });
                let right = core::array::from_fn(|p| vectors.get((first_vector + p) * n + i).copied().unwrap_or(T::zero()));
                RectangularHyperDual::<T, C, P>::from_parts(x, left, right, [[T::zero(); P]; C])
            });
            let at = function.try_evaluate(x)?;
            value = Some(at.value());
            for (entry, derivative) in result.gradient[start..].iter_mut().zip(at.left()) {
                *entry = derivative;
            }
            for (p, product) in result.products.chunks_mut(n).skip(first_vector).take(P).enumerate() {
                for (entry, row) in product[start..].iter_mut().zip(at.cross()) {
                    *entry = row[p];
                }
            }
        }
    }
    result.value = or_plain(value, function, point)?;
    Ok(())
}
