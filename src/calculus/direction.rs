//! Derivatives along one direction, up to the fourth.

use super::{Hessian, infallible, try_hessian};
use crate::number::{Dual, HyperDual, Scalar};

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
    let Ok(at) = try_second_derivative(infallible(function), point);
    at
}

/// As [`second_derivative`], of a function that may fail.
///
/// ```
/// use tapeless::{calculus::try_second_derivative, HyperDual};
///
/// let root = |x: HyperDual<f64, 1>| if x >= 0.0 { Ok(x.sqrt()) } else { Err("no root") };
/// assert_eq!(try_second_derivative(root, 4.0).unwrap().second, -1.0 / 32.0);
/// assert_eq!(try_second_derivative(root, -4.0), Err("no root"));
/// ```
///
/// # Errors
///
/// That of the function.
#[inline]
pub fn try_second_derivative<T: Scalar, E>(
    function: impl FnOnce(HyperDual<T, 1>) -> Result<HyperDual<T, 1>, E>,
    point: T,
) -> Result<SecondDerivative<T>, E> {
    let Hessian { value, gradient: [first], hessian: [[second]] } = try_hessian(|[x]| function(x), [point])?;
    Ok(SecondDerivative { value, first, second })
}

/// The point at s = 0 of the line `point` + s `direction`.
#[inline]
pub(super) fn on_line_2<T: Scalar>(point: T, direction: T) -> HyperDual<T, 1> {
    HyperDual::from_parts(point, [direction], [T::zero()])
}

#[inline]
pub(super) fn on_line_3<T: Scalar>(point: T, direction: T) -> Dual<HyperDual<T, 1>, 1> {
    Dual::from_parts(on_line_2(point, direction), [HyperDual::constant(direction)])
}

#[inline]
pub(super) fn on_line_4<T: Scalar>(point: T, direction: T) -> HyperDual<HyperDual<T, 1>, 1> {
    HyperDual::from_parts(on_line_2(point, direction), [HyperDual::constant(direction)], [HyperDual::constant(T::zero())])
}

/// The derivatives of orders 0, 1, ..
#[inline]
pub(super) fn orders_2<T: Scalar>(x: HyperDual<T, 1>) -> [T; 3] {
    let ([first], [[second]]) = (x.gradient(), x.hessian());
    [x.value(), first, second]
}

#[inline]
pub(super) fn orders_3<T: Scalar>(x: Dual<HyperDual<T, 1>, 1>) -> [T; 4] {
    let ([value, first, second], [by_s]) = (orders_2(x.value()), x.gradient());
    let [_, _, third] = orders_2(by_s);
    [value, first, second, third]
}

#[inline]
pub(super) fn orders_4<T: Scalar>(x: HyperDual<HyperDual<T, 1>, 1>) -> [T; 5] {
    let ([value, first, second], [[by_ss]]) = (orders_2(x.value()), x.hessian());
    let [_, third, fourth] = orders_2(by_ss);
    [value, first, second, third, fourth]
}

macro_rules! along {
    (
        $count:literal, $number:ty, $on_line:ident, $orders:ident;
        $(#[$doc:meta])* $name:ident;
        $(#[$try_doc:meta])* $try_name:ident;
    ) => {
        $(#[$doc])*
        #[inline]
        pub fn $name<T: Scalar, const N: usize>(
            function: impl FnOnce([$number; N]) -> $number,
            point: [T; N],
            direction: [T; N],
        ) -> [T; $count] {
            let Ok(orders) = $try_name(infallible(function), point, direction);
            orders
        }

        $(#[$try_doc])*
        ///
        /// # Errors
        ///
        /// That of the function.
        #[inline]
        pub fn $try_name<T: Scalar, E, const N: usize>(
            function: impl FnOnce([$number; N]) -> Result<$number, E>,
            point: [T; N],
            direction: [T; N],
        ) -> Result<[T; $count], E> {
            function(core::array::from_fn(|i| $on_line(point[i], direction[i]))).map($orders)
        }
    };
}

along! {
    3, HyperDual<T, 1>, on_line_2, orders_2;
    /// Value and the first two derivatives of `function` along `direction`: those of f(`point` + s `direction`) by s at 0.
    /// The last is the quadratic form v'Hv of the Hessian. The direction is taken as it is, not made a unit vector.
    ///
    /// ```
    /// let [value, slope, curvature] = tapeless::calculus::second_along(|[x, y]| x * x * y, [3.0, 2.0], [1.0, -1.0]);
    /// assert_eq!((value, slope, curvature), (18.0, 12.0 - 9.0, 4.0 - 2.0 * 6.0));
    /// ```
    second_along;
    /// As [`second_along`], of a function that may fail.
    ///
    /// ```
    /// use tapeless::{calculus::try_second_along, HyperDual};
    ///
    /// let root = |[x]: [HyperDual<f64, 1>; 1]| if x >= 0.0 { Ok(x.sqrt()) } else { Err("no root") };
    /// assert_eq!(try_second_along(root, [4.0], [2.0]), Ok([2.0, 0.5, -0.125]));
    /// assert_eq!(try_second_along(root, [-4.0], [2.0]), Err("no root"));
    /// ```
    try_second_along;
}

along! {
    4, Dual<HyperDual<T, 1>, 1>, on_line_3, orders_3;
    /// Value and the first three derivatives of `function` along `direction`: those of f(`point` + s `direction`) by s at 0.
    ///
    /// ```
    /// let orders = tapeless::calculus::third_along(|[x]| x.powi(3), [2.0], [1.0]);
    /// assert_eq!(orders, [8.0, 12.0, 12.0, 6.0]);
    /// ```
    third_along;
    /// As [`third_along`], of a function that may fail.
    ///
    /// ```
    /// use tapeless::calculus::try_third_along;
    ///
    /// assert_eq!(try_third_along(|[x]| Ok::<_, ()>(x.powi(3)), [2.0], [1.0]), Ok([8.0, 12.0, 12.0, 6.0]));
    /// assert_eq!(try_third_along(|[_]| Err("no value"), [2.0], [1.0]), Err("no value"));
    /// ```
    try_third_along;
}

along! {
    5, HyperDual<HyperDual<T, 1>, 1>, on_line_4, orders_4;
    /// Value and the first four derivatives of `function` along `direction`: those of f(`point` + s `direction`) by s at 0.
    ///
    /// ```
    /// let orders = tapeless::calculus::fourth_along(|[x, y]| x.powi(2) * y.powi(2), [1.0, 1.0], [1.0, 1.0]);
    /// assert_eq!(orders, [1.0, 4.0, 12.0, 24.0, 24.0]);
    /// ```
    fourth_along;
    /// As [`fourth_along`], of a function that may fail.
    ///
    /// ```
    /// use tapeless::calculus::try_fourth_along;
    ///
    /// assert_eq!(try_fourth_along(|[x]| Ok::<_, ()>(x.powi(4)), [1.0], [1.0]), Ok([1.0, 4.0, 12.0, 24.0, 24.0]));
    /// assert_eq!(try_fourth_along(|[_]| Err("no value"), [2.0], [1.0]), Err("no value"));
    /// ```
    try_fourth_along;
}
