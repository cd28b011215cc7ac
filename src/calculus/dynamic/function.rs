//! Functions given once, generic over the scalar.

use core::convert::Infallible;

use crate::number::Scalar;

/// A function of any number of variables that can be run on every kind of number.
///
/// A closure is of one type only, but a driver runs the function on several; hence a trait with a generic method. The macro
/// [`function!`](crate::function) writes the type and the implementation for what would be a plain closure.
///
/// ```
/// use tapeless::{dynamic::{self, Function}, Scalar};
///
/// struct Rosenbrock {
///     steepness: f64,
/// }
///
/// impl Function for Rosenbrock {
///     fn evaluate<S: Scalar>(&self, x: &[S]) -> S {
///         let steepness = S::literal(self.steepness);
///         x.windows(2).map(|x| (S::one() - x[0]).powi(2) + steepness * (x[1] - x[0] * x[0]).powi(2)).sum()
///     }
/// }
///
/// let at = dynamic::gradient(&Rosenbrock { steepness: 100.0 }, &[1.0, 1.0, 2.0]);
/// assert_eq!((at.value, at.gradient), (100.0, vec![0.0, -400.0, 200.0]));
/// ```
pub trait Function: Sync {
    /// The value of the function for the variables `x`.
    fn evaluate<S: Scalar>(&self, x: &[S]) -> S;
}

/// A [`Function`] that may fail. (Every `Function` is one that never does.)
///
/// ```
/// use tapeless::{dynamic::{self, TryFunction}, Scalar};
///
/// struct Logarithm;
///
/// impl TryFunction for Logarithm {
///     type Error = String;
///
///     fn try_evaluate<S: Scalar>(&self, x: &[S]) -> Result<S, String> {
///         if x[0] > S::zero() { Ok(x[0].ln()) } else { Err(format!("no logarithm of {}", x[0].primitive())) }
///     }
/// }
///
/// assert_eq!(dynamic::try_gradient(&Logarithm, &[2.0]).unwrap().gradient, [0.5]);
/// assert_eq!(dynamic::try_gradient(&Logarithm, &[-2.0]).unwrap_err(), "no logarithm of -2");
/// ```
pub trait TryFunction: Sync {
    /// What goes wrong.
    type Error: Send;

    /// The value of the function for the variables `x`.
    ///
    /// # Errors
    ///
    /// Whatever can go wrong; the driver hands it on.
    fn try_evaluate<S: Scalar>(&self, x: &[S]) -> Result<S, Self::Error>;
}

impl<F: Function> TryFunction for F {
    type Error = Infallible;

    #[inline]
    fn try_evaluate<S: Scalar>(&self, x: &[S]) -> Result<S, Infallible> {
        Ok(self.evaluate(x))
    }
}

/// A vector function of any number of variables that can be run on every kind of number.
///
/// ```
/// use tapeless::{dynamic::{self, VectorFunction}, Scalar};
///
/// /// The differences of neighbours.
/// struct Differences(usize);
///
/// impl VectorFunction for Differences {
///     fn outputs(&self) -> usize {
///         self.0 - 1
///     }
///
///     fn evaluate<S: Scalar>(&self, x: &[S], y: &mut [S]) {
///         for (y, x) in y.iter_mut().zip(x.windows(2)) {
///             *y = x[1] - x[0];
///         }
///     }
/// }
///
/// let at = dynamic::jacobian(&Differences(3), &[1.0, 2.0, 5.0]);
/// assert_eq!(at.value, [1.0, 3.0]);
/// assert_eq!(at.jacobian, [-1.0, 1.0, 0.0, 0.0, -1.0, 1.0]);
/// ```
pub trait VectorFunction: Sync {
    /// The number of outputs.
    fn outputs(&self) -> usize;

    /// Writes the outputs for the variables `x` to `y`, which holds as many zeros.
    fn evaluate<S: Scalar>(&self, x: &[S], y: &mut [S]);
}

/// A [`VectorFunction`] that may fail. (Every `VectorFunction` is one that never does.)
///
/// ```
/// use tapeless::{dynamic::{self, TryVectorFunction}, Scalar};
///
/// struct Roots;
///
/// impl TryVectorFunction for Roots {
///     type Error = &'static str;
///
///     fn outputs(&self) -> usize {
///         2
///     }
///
///     fn try_evaluate<S: Scalar>(&self, x: &[S], y: &mut [S]) -> Result<(), &'static str> {
///         if x[0] < S::zero() {
///             return Err("no root");
///         }
///         y.copy_from_slice(&[x[0].sqrt(), -x[0].sqrt()]);
///         Ok(())
///     }
/// }
///
/// assert_eq!(dynamic::try_jacobian(&Roots, &[4.0]).unwrap().jacobian, [0.25, -0.25]);
/// assert_eq!(dynamic::try_jacobian(&Roots, &[-4.0]).unwrap_err(), "no root");
/// ```
pub trait TryVectorFunction: Sync {
    /// What goes wrong.
    type Error: Send;

    /// The number of outputs.
    fn outputs(&self) -> usize;

    /// Writes the outputs for the variables `x` to `y`, which holds as many zeros.
    ///
    /// # Errors
    ///
    /// Whatever can go wrong; the driver hands it on.
    fn try_evaluate<S: Scalar>(&self, x: &[S], y: &mut [S]) -> Result<(), Self::Error>;
}

impl<F: VectorFunction> TryVectorFunction for F {
    type Error = Infallible;

    #[inline]
    fn outputs(&self) -> usize {
        VectorFunction::outputs(self)
    }

    #[inline]
    fn try_evaluate<S: Scalar>(&self, x: &[S], y: &mut [S]) -> Result<(), Infallible> {
        self.evaluate(x, y);
        Ok(())
    }
}

/// A function for the drivers in [`dynamic`](crate::dynamic), written as a closure is. `S` (or any other name) stands for the
/// type of the numbers; constants are `S::literal(2.5)`.
///
/// ```
/// use tapeless::{dynamic, function, Scalar};
///
/// let f = function!(|x: &[S]| x[0] * x[0] * x[1] + S::literal(2.5));
/// assert_eq!(dynamic::hessian(&f, &[3.0, 2.0]).hessian, [4.0, 6.0, 6.0, 0.0]);
/// ```
///
/// What it captures is named first, with its type, and is at hand as a reference:
///
/// ```
/// use tapeless::{dynamic, function, Scalar};
///
/// let (scale, data) = (0.5, vec![1.0, 2.0, 4.0]);
/// let misfit = function!([scale: f64, data: [f64]] |x: &[S]| {
///     data.iter().map(|&d| (x[0] * S::literal(*scale) - S::literal(d)).powi(2)).sum::<S>()
/// });
/// assert_eq!(dynamic::gradient(&misfit, &[2.0]).gradient, [-4.0]);
/// ```
///
/// A function that may fail, a vector function and one that is both say what they return:
///
/// ```
/// use tapeless::{dynamic, function, Scalar};
///
/// let f = function!(|x: &[S]| -> Result<S, &'static str> { if x[0] > S::zero() { Ok(x[0].ln()) } else { Err("x <= 0") } });
/// assert_eq!(dynamic::try_gradient(&f, &[-1.0]).unwrap_err(), "x <= 0");
///
/// let f = function!(|x: &[S]| -> [S; 2] { [x[0] * x[1].cos(), x[0] * x[1].sin()] });
/// assert_eq!(dynamic::jacobian(&f, &[2.0, 0.0]).jacobian, [1.0, 0.0, 0.0, 2.0]);
///
/// let f = function!(|x: &[S]| -> Result<[S; 1], &'static str> { if x[0] < S::zero() { Err("x < 0") } else { Ok([x[0]]) } });
/// assert_eq!(dynamic::try_jacobian(&f, &[-1.0]).unwrap_err(), "x < 0");
/// ```
#[macro_export]
macro_rules! function {
    ([$($capture:ident: $type:ty),* $(,)?] |$x:ident: &[$S:ident]| -> Result<[$R:ident; $outputs:expr], $E:ty> $body:block) => {
        $crate::function!(@type [$($capture: $type),*] impl TryVectorFunction {
            type Error = $E;

            fn outputs(&self) -> usize {
                $outputs
            }

            fn try_evaluate<$S: $crate::Scalar>(&self, $x: &[$S], y: &mut [$S]) -> Result<(), $E> {
                $(let $capture = self.$capture;)*
                // Within a closure of its own, so that `return` and `?` give the array.
                let function = || -> Result<[$R; $outputs], $E> { $body };
                y.copy_from_slice(&function()?);
                Ok(())
            }
        })
    };
    ([$($capture:ident: $type:ty),* $(,)?] |$x:ident: &[$S:ident]| -> Result<$R:ident, $E:ty> $body:block) => {
        $crate::function!(@type [$($capture: $type),*] impl TryFunction {
            type Error = $E;

            fn try_evaluate<$S: $crate::Scalar>(&self, $x: &[$S]) -> Result<$R, $E> {
                $(let $capture = self.$capture;)*
                $body
            }
        })
    };
    ([$($capture:ident: $type:ty),* $(,)?] |$x:ident: &[$S:ident]| -> [$R:ident; $outputs:expr] $body:block) => {
        $crate::function!(@type [$($capture: $type),*] impl VectorFunction {
            fn outputs(&self) -> usize {
                $outputs
            }

            fn evaluate<$S: $crate::Scalar>(&self, $x: &[$S], y: &mut [$S]) {
                $(let $capture = self.$capture;)*
                let function = || -> [$R; $outputs] { $body };
                y.copy_from_slice(&function());
            }
        })
    };
    ([$($capture:ident: $type:ty),* $(,)?] |$x:ident: &[$S:ident]| $body:expr) => {
        $crate::function!(@type [$($capture: $type),*] impl Function {
            fn evaluate<$S: $crate::Scalar>(&self, $x: &[$S]) -> $S {
                $(let $capture = self.$capture;)*
                $body
            }
        })
    };
    (@type [$($capture:ident: $type:ty),*] impl $trait:ident { $($items:tt)* }) => {{
        struct Generic<'capture> {
            $($capture: &'capture $type,)*
            captures: ::core::marker::PhantomData<&'capture ()>,
        }

        impl $crate::dynamic::$trait for Generic<'_> {
            $($items)*
        }

        Generic { $($capture: &$capture,)* captures: ::core::marker::PhantomData }
    }};
    (|$($rest:tt)*) => {
        $crate::function!([] |$($rest)*)
    };
}
