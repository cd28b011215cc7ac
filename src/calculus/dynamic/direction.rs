//! Derivatives along one direction, up to the fourth.

use super::forms::{forms, scalar_forms};
use super::{ArgumentError, DriverError, Function, TryFunction, Workspace};
use crate::calculus::direction::{on_line_2, on_line_3, on_line_4, orders_2, orders_3, orders_4};
use crate::number::Scalar;

macro_rules! along {
    (
        $count:literal, $on_line:ident, $orders:ident; $(#[$doc:meta])*
        $name:ident, $into:ident, $try_name:ident, $try_into:ident
    ) => {
        scalar_forms! {
            $(#[$doc])*
            $name, $into, $try_name, $try_into
            (Function TryFunction; direction: &[T] = "&[1.0, -1.0]") -> [T; $count];
        }

        #[doc = concat!("As [`", stringify!($into), "`], of a function that may fail; `result` is then as before.")]
        ///
        /// ```
        /// use tapeless::{dynamic, function};
        ///
        /// let f = function!(|x: &[S]| -> Result<S, &'static str> { x.first().copied().ok_or("no variables") });
        #[doc = concat!("let (mut result, mut workspace) = ([0.0; ", stringify!($count), "], dynamic::Workspace::new());")]
        #[doc = concat!(
            "assert!(dynamic::", stringify!($try_into), "(&f, &[3.0], &[2.0], &mut result, &mut workspace).is_ok());"
        )]
        /// assert_eq!(result[..3], [3.0, 2.0, 0.0]);
        /// ```
        ///
        /// # Errors
        ///
        /// A direction that is not of one entry for each variable, or the function's error.
        pub fn $try_into<T: Scalar, F: TryFunction>(
            function: &F,
            point: &[T],
            direction: &[T],
            result: &mut [T; $count],
            workspace: &mut Workspace,
        ) -> Result<(), DriverError<F::Error>> {
            ArgumentError::check_length("direction", point.len(), direction.len())?;
            let x = workspace.filled(point, |i, x| $on_line(x, direction[i]));
            *result = $orders(function.try_evaluate(x).map_err(DriverError::Function)?);
            Ok(())
        }
    };
}

along! {
    3, on_line_2, orders_2;
    /// Value and the first two derivatives of `function` along `direction`: those of f(`point` + s `direction`) by s at 0. The
    /// last is the quadratic form v'Hv of the Hessian. The direction is taken as it is, not made a unit vector.
    ///
    /// ```
    /// use tapeless::{dynamic, function};
    ///
    /// let f = function!(|x: &[S]| x[0] * x[0] * x[1]);
    /// assert_eq!(dynamic::second_along(&f, &[3.0, 2.0], &[1.0, -1.0]), Ok([18.0, 3.0, -8.0]));
    /// ```
    second_along, second_along_into, try_second_along, try_second_along_into
}

along! {
    4, on_line_3, orders_3;
    /// Value and the first three derivatives of `function` along `direction`: those of f(`point` + s `direction`) by s at 0.
    ///
    /// ```
    /// use tapeless::{dynamic, function};
    ///
    /// let f = function!(|x: &[S]| x[0] * x[0] * x[1]);
    /// assert_eq!(dynamic::third_along(&f, &[3.0, 2.0], &[1.0, -1.0]), Ok([18.0, 3.0, -8.0, -6.0]));
    /// ```
    third_along, third_along_into, try_third_along, try_third_along_into
}

along! {
    5, on_line_4, orders_4;
    /// Value and the first four derivatives of `function` along `direction`: those of f(`point` + s `direction`) by s at 0.
    ///
    /// ```
    /// use tapeless::{dynamic, function};
    ///
    /// let f = function!(|x: &[S]| x[0] * x[0] * x[1]);
    /// assert_eq!(dynamic::fourth_along(&f, &[3.0, 2.0], &[1.0, -1.0]), Ok([18.0, 3.0, -8.0, -6.0, 0.0]));
    /// ```
    fourth_along, fourth_along_into, try_fourth_along, try_fourth_along_into
}
