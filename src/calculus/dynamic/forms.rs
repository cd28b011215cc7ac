//! The forms of a driver.

/// Makes of the form `$try_into`, which may fail and writes into the caller's memory, the other three: `$name`, `$into` and
/// `$try_name`. The examples in their documentation run `function` and `try_function` at (3, 2), the latter fails at (-3, 2).
macro_rules! forms {
    // A driver that can't go wrong by itself.
    (
        $(#[$doc:meta])*
        $name:ident, $into:ident, $try_name:ident, $try_into:ident
        ($function:ident $try_function:ident) -> $result:ty;
        function $example:literal; try_function $try_example:literal;
    ) => {
        forms!(@all
            [$(#[$doc])*]
            [$name, $into, $try_name, $try_into ($function $try_function;) -> $result]
            [$result, (), F::Error]
            [$crate::calculus::dynamic::error::certain]
            ["", "", $example, $try_example]
        );
    };
    // A driver with arguments that may not fit the point.
    (
        $(#[$doc:meta])*
        $name:ident, $into:ident, $try_name:ident, $try_into:ident
        ($function:ident $try_function:ident; $($argument:ident: $type:ty = $value:literal),*) -> $result:ty;
        function $example:literal; try_function $try_example:literal;
    ) => {
        forms!(@all
            [
                $(#[$doc])*
                ///
                /// # Errors
                ///
                /// An argument that doesn't fit the point.
            ]
            [$name, $into, $try_name, $try_into ($function $try_function; $($argument: $type),*) -> $result]
            [Result<$result, ArgumentError>, Result<(), ArgumentError>, DriverError<F::Error>]
            [$crate::calculus::dynamic::error::of_arguments]
            [concat!($(", ", $value),*), ".unwrap()", $example, $try_example]
        );
    };
    (@all
        [$($doc:tt)*]
        [
            $name:ident, $into:ident, $try_name:ident, $try_into:ident
            ($function:ident $try_function:ident; $($argument:ident: $type:ty),*) -> $result:ty
        ]
        [$plain:ty, $plain_into:ty, $error:ty]
        [$unwrap:path]
        [$values:expr, $unwrapped:literal, $example:literal, $try_example:literal]
    ) => {
        $($doc)*
        pub fn $name<T: Scalar, F: $function>(function: &F, point: &[T] $(, $argument: $type)*) -> $plain {
            $unwrap($try_name(function, point $(, $argument)*))
        }

        #[doc = concat!("As [`", stringify!($name), "`](", stringify!($name), "()), into the caller's `result`. Nothing is")]
        /// allocated where `result` and `workspace` were used for as many variables before.
        ///
        /// ```
        /// use tapeless::{dynamic, function};
        ///
        #[doc = concat!("let f = ", $example, ";")]
        /// let (mut result, mut workspace) = Default::default();
        #[doc = concat!(
            "dynamic::", stringify!($into), "(&f, &[3.0, 2.0]", $values, ", &mut result, &mut workspace)", $unwrapped, ";"
        )]
        #[doc = concat!("assert_eq!(result, dynamic::", stringify!($name), "(&f, &[3.0, 2.0]", $values, ")", $unwrapped, ");")]
        /// ```
        ///
        #[doc = concat!("Errors are those of [`", stringify!($name), "`](", stringify!($name), "()), if it has any.")]
        pub fn $into<T: Scalar, F: $function>(
            function: &F,
            point: &[T],
            $($argument: $type,)*
            result: &mut $result,
            workspace: &mut Workspace,
        ) -> $plain_into {
            $unwrap($try_into(function, point, $($argument,)* result, workspace))
        }

        #[doc = concat!("As [`", stringify!($name), "`](", stringify!($name), "()), of a function that may fail.")]
        ///
        /// ```
        /// use tapeless::{dynamic, function, Scalar};
        ///
        #[doc = concat!("let f = ", $try_example, ";")]
        #[doc = concat!("assert!(dynamic::", stringify!($try_name), "(&f, &[3.0, 2.0]", $values, ").is_ok());")]
        #[doc = concat!("assert!(dynamic::", stringify!($try_name), "(&f, &[-3.0, 2.0]", $values, ").is_err());")]
        /// ```
        ///
        /// # Errors
        ///
        /// That of the function, and those of the form that can't fail.
        pub fn $try_name<T: Scalar, F: $try_function>(
            function: &F,
            point: &[T],
            $($argument: $type),*
        ) -> Result<$result, $error> {
            let (mut result, mut workspace) = (<$result>::default(), Workspace::new());
            $try_into(function, point, $($argument,)* &mut result, &mut workspace)?;
            Ok(result)
        }
    };
}

/// The functions of the examples.
macro_rules! scalar_forms {
    ($($driver:tt)*) => {
        forms! {
            $($driver)*
            function "function!(|x: &[S]| x[0] * x[0] * x[1])";
            try_function "function!(|x: &[S]| -> Result<S, i32> { if x[0] > S::zero() { Ok(x[0].ln() * x[1]) } else { Err(1) } })";
        }
    };
}

macro_rules! vector_forms {
    ($($driver:tt)*) => {
        forms! {
            $($driver)*
            function "function!(|x: &[S]| -> [S; 2] { [x[0] * x[1], x[1].exp()] })";
            try_function "function!(|x: &[S]| -> Result<[S; 1], i32> { if x[0] > S::zero() { Ok([x[0].ln()]) } else { Err(1) } })";
        }
    };
}

pub(super) use {forms, scalar_forms, vector_forms};
