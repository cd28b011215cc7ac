//! What is wrong with the arguments of a driver.

use core::convert::Infallible;
use core::error::Error;
use core::fmt::{self, Display, Formatter};

/// An argument that doesn't fit the point.
///
/// ```
/// use tapeless::{dynamic, function};
///
/// let f = function!(|x: &[S]| x[0] * x[1]);
/// let error = dynamic::second_along(&f, &[1.0, 2.0], &[1.0]).unwrap_err();
/// assert_eq!(error.to_string(), "the direction must have 2 entries, not 1");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ArgumentError {
    /// An argument of the wrong length.
    Length {
        /// Which argument.
        argument: &'static str,
        /// The entries that it must have.
        expected: usize,
        /// The entries that it has.
        found: usize,
    },
    /// A variable that there is not.
    NoSuchVariable {
        /// Its index.
        index: usize,
        /// The number of variables.
        variables: usize,
    },
    /// A variable that is chosen more than once.
    Repeated {
        /// Its index.
        index: usize,
    },
}

impl ArgumentError {
    pub(super) fn check_length(argument: &'static str, expected: usize, found: usize) -> Result<(), Self> {
        if found == expected { Ok(()) } else { Err(Self::Length { argument, expected, found }) }
    }
}

impl Display for ArgumentError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Length { argument, expected, found } => {
                write!(f, "the {argument} must have {expected} entries, not {found}")
            }
            Self::NoSuchVariable { index, variables } => {
                write!(f, "there is no variable {index} (counted from 0) among {variables}")
            }
            Self::Repeated { index } => write!(f, "variable {index} is chosen more than once"),
        }
    }
}

impl Error for ArgumentError {}

/// An argument that doesn't fit the point, or the function's own error.
///
/// ```
/// use tapeless::{dynamic::{self, DriverError}, function, Scalar};
///
/// let f = function!(|x: &[S]| -> Result<S, &'static str> { if x[0] < S::zero() { Err("no root") } else { Ok(x[0].sqrt()) } });
/// assert_eq!(dynamic::try_second_along(&f, &[-1.0], &[1.0]), Err(DriverError::Function("no root")));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DriverError<E> {
    /// An argument that doesn't fit the point.
    Argument(ArgumentError),
    /// The function's error.
    Function(E),
}

impl<E> From<ArgumentError> for DriverError<E> {
    fn from(error: ArgumentError) -> Self {
        Self::Argument(error)
    }
}

impl From<DriverError<Infallible>> for ArgumentError {
    fn from(error: DriverError<Infallible>) -> Self {
        let DriverError::Argument(error) = error;
        error
    }
}

impl<E: Display> Display for DriverError<E> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Argument(error) => error.fmt(f),
            Self::Function(error) => error.fmt(f),
        }
    }
}

impl<E: Error> Error for DriverError<E> {}

/// The result of what can't fail.
pub(super) fn certain<T>(result: Result<T, Infallible>) -> T {
    let Ok(x) = result;
    x
}

/// The result of a driver whose function can't fail.
pub(super) fn of_arguments<T>(result: Result<T, DriverError<Infallible>>) -> Result<T, ArgumentError> {
    result.map_err(ArgumentError::from)
}
