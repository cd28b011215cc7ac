//! Products of the Hessian with vectors.

use super::infallible;
use crate::number::{RectangularHyperDual, Scalar};

/// Value, gradient and products of the Hessian with vectors at a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HessianVectorProducts<T, const N: usize, const P: usize> {
    /// The value of the function.
    pub value: T,
    /// Entry i: the derivative by variable i.
    pub gradient: [T; N],
    /// Entry `[p]`: the Hessian times vector p.
    pub products: [[T; N]; P],
}

/// Value, gradient and the products of the Hessian of `function` at `point` with all `vectors`, in one pass that doesn't form
/// the Hessian.
///
/// For the Hessian H of f and a vector v, the numbers carry the derivatives by the variables x_i on their left and the one along
/// v on their right, and so as cross derivatives
///
#[doc = include_str!("../../docs/formulas/hessian_vector.html")]
///
/// ```
/// let vectors = [[1.0, 0.0], [1.0, -1.0]];
/// let at = tapeless::calculus::hessian_vector_products(|[x, y]| x * x * y, [3.0, 2.0], vectors);
/// assert_eq!((at.value, at.gradient), (18.0, [12.0, 9.0]));
/// assert_eq!(at.products, [[4.0, 6.0], [-2.0, 6.0]]);
/// ```
#[inline]
pub fn hessian_vector_products<T: Scalar, const N: usize, const P: usize>(
    function: impl FnOnce([RectangularHyperDual<T, N, P>; N]) -> RectangularHyperDual<T, N, P>,
    point: [T; N],
    vectors: [[T; N]; P],
) -> HessianVectorProducts<T, N, P> {
    let Ok(at) = try_hessian_vector_products(infallible(function), point, vectors);
    at
}

/// As [`hessian_vector_products`], of a function that may fail.
///
/// ```
/// use tapeless::{calculus::try_hessian_vector_products, RectangularHyperDual};
///
/// let root = |[x]: [RectangularHyperDual<f64, 1, 1>; 1]| if x >= 0.0 { Ok(x.sqrt()) } else { Err("no root") };
/// assert_eq!(try_hessian_vector_products(root, [4.0], [[32.0]]).unwrap().products, [[-1.0]]);
/// assert_eq!(try_hessian_vector_products(root, [-4.0], [[32.0]]), Err("no root"));
/// ```
///
/// # Errors
///
/// That of the function.
#[inline]
pub fn try_hessian_vector_products<T: Scalar, E, const N: usize, const P: usize>(
    function: impl FnOnce([RectangularHyperDual<T, N, P>; N]) -> Result<RectangularHyperDual<T, N, P>, E>,
    point: [T; N],
    vectors: [[T; N]; P],
) -> Result<HessianVectorProducts<T, N, P>, E> {
    let variables = core::array::from_fn(|i| {
        let axis = core::array::from_fn(|k| if k == i { T::one() } else { T::zero() });
        RectangularHyperDual::from_parts(point[i], axis, vectors.map(|vector| vector[i]), [[T::zero(); P]; N])
    });
    let result = function(variables)?;
    let cross = result.cross();
    Ok(HessianVectorProducts {
        value: result.value(),
        gradient: result.left(),
        products: core::array::from_fn(|p| core::array::from_fn(|i| cross[i][p])),
    })
}
