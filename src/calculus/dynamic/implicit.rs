//! Unknowns that equations give, any number of them.

use alloc::vec::Vec;

use super::chunk::{best, with_size};
use super::{ArgumentError, DriverError, TryVectorFunction, VectorFunction, Workspace};
use crate::calculus::implicit::{derivatives_alone, eliminate, steps, with_value};
use crate::number::{Dual, Scalar};

/// The unknowns of as many equations as numbers, with their derivatives by whatever `parameters` have derivatives by, from the
/// plain `solution`.
///
/// The variables of `residual` are the unknowns and after them the parameters. The values of the result are the given solution,
/// bit for bit; the derivatives are exact for the level of the residual through it. Where the Jacobian of the equations is
/// singular those by live parameters are NaN. Any scalar may carry the derivatives, so this can stand within a [`Function`](super::Function)
/// that is itself differentiated.
///
/// ```
/// use tapeless::{dynamic, function, Dual};
///
/// // x + y = a and x y = b, at (a, b) = (3, 2).
/// let residual = function!(|x: &[S]| -> [S; 2] { [x[0] + x[1] - x[2], x[0] * x[1] - x[3]] });
/// let unknowns = dynamic::implicit_system(&residual, &Dual::variables([3.0, 2.0]), &[1.0, 2.0]).unwrap();
/// assert_eq!(unknowns[0].gradient(), [-1.0, 1.0]);
/// assert_eq!(unknowns[1].gradient(), [2.0, -1.0]);
/// ```
///
/// # Errors
///
/// A solution that is not of one entry for each equation.
pub fn implicit_system<S: Scalar, F: VectorFunction>(
    residual: &F,
    parameters: &[S],
    solution: &[S::Primitive],
) -> Result<Vec<S>, ArgumentError> {
    Ok(try_implicit_system(residual, parameters, solution)?)
}

/// As [`implicit_system`], into the caller's memory. Nothing is allocated where `unknowns` and `workspace` were used for as many
/// equations before.
///
/// ```
/// use tapeless::{dynamic::{self, Workspace}, function, Dual};
///
/// let residual = function!(|x: &[S]| -> [S; 1] { [x[0] * x[0] - x[1]] });
/// let (mut unknowns, mut workspace) = (Vec::new(), Workspace::new());
/// for root in [1.0, 2.0, 4.0] {
///     let parameters: [Dual<f64, 1>; 1] = Dual::variables([root * root]);
///     dynamic::implicit_system_into(&residual, &parameters, &[root], &mut unknowns, &mut workspace).unwrap();
///     assert_eq!(unknowns[0].gradient(), [0.5 / root]);
/// }
/// ```
///
/// # Errors
///
/// A solution that is not of one entry for each equation.
pub fn implicit_system_into<S: Scalar, F: VectorFunction>(
    residual: &F,
    parameters: &[S],
    solution: &[S::Primitive],
    unknowns: &mut Vec<S>,
    workspace: &mut Workspace,
) -> Result<(), ArgumentError> {
    Ok(try_implicit_system_into(residual, parameters, solution, unknowns, workspace)?)
}

/// As [`implicit_system`], with equations that may fail.
///
/// ```
/// use tapeless::{dynamic, function, Dual, Scalar};
///
/// let residual = function!(|x: &[S]| -> Result<[S; 1], &'static str> {
///     if x[0] > S::zero() { Ok([x[0] * x[0] - x[1]]) } else { Err("wrong branch") }
/// });
/// let parameters: [Dual<f64, 1>; 1] = Dual::variables([9.0]);
/// assert!(dynamic::try_implicit_system(&residual, &parameters, &[3.0]).is_ok());
/// assert!(dynamic::try_implicit_system(&residual, &parameters, &[-3.0]).is_err());
/// ```
///
/// # Errors
///
/// A solution that is not of one entry for each equation, or the function's error.
pub fn try_implicit_system<S: Scalar, F: TryVectorFunction>(
    residual: &F,
    parameters: &[S],
    solution: &[S::Primitive],
) -> Result<Vec<S>, DriverError<F::Error>> {
    let (mut unknowns, mut workspace) = (Vec::new(), Workspace::new());
    try_implicit_system_into(residual, parameters, solution, &mut unknowns, &mut workspace)?;
    Ok(unknowns)
}

/// As [`implicit_system_into`], with equations that may fail; `unknowns` are then not to be used.
///
/// ```
/// use tapeless::{dynamic::{self, Workspace}, function, Dual};
///
/// let residual = function!(|x: &[S]| -> Result<[S; 1], &'static str> { Ok([x[0] * x[0] - x[1]]) });
/// let (parameters, mut unknowns): ([Dual<f64, 1>; 1], _) = (Dual::variables([4.0]), Vec::new());
/// dynamic::try_implicit_system_into(&residual, &parameters, &[2.0], &mut unknowns, &mut Workspace::new()).unwrap();
/// assert_eq!(unknowns[0].gradient(), [0.25]);
/// ```
///
/// # Errors
///
/// A solution that is not of one entry for each equation, or the function's error.
pub fn try_implicit_system_into<S: Scalar, F: TryVectorFunction>(
    residual: &F,
    parameters: &[S],
    solution: &[S::Primitive],
    unknowns: &mut Vec<S>,
    workspace: &mut Workspace,
) -> Result<(), DriverError<F::Error>> {
    let m = residual.outputs();
    ArgumentError::check_length("solution", m, solution.len())?;
    unknowns.clear();
    unknowns.extend(solution.iter().map(|&x| S::lifted(x)));
    for _ in 0..steps::<S>() {
        // The memory for numbers of type S holds the Jacobian and the step, in turn with that for the duals of them.
        let (matrix, step) = workspace.with_outputs(core::iter::repeat_n(S::zero(), m * m), m);
        let (mut matrix, mut step) = (core::mem::take(matrix), core::mem::take(step));
        with_size!(best(m, |size| size, |chunks| chunks), C => {
            for start in (0..m).step_by(C) {
                let variable = |(i, &x): (usize, &S)| match i.checked_sub(start) {
                    Some(k) if i < m => Dual::<S, C>::variable(x, k),
                    _ => Dual::constant(x),
                };
                let variables = unknowns.iter().chain(parameters).enumerate().map(variable);
                let (x, y) = workspace.with_outputs(variables, m);
                residual.try_evaluate(x, y).map_err(DriverError::Function)?;
                for (i, y) in y.iter().enumerate() {
                    step[i] = derivatives_alone(y.value());
                    for (entry, derivative) in matrix[i * m..(i + 1) * m][start..].iter_mut().zip(y.gradient()) {
                        *entry = derivative;
                    }
                }
            }
        });
        eliminate(&mut matrix, &mut step);
        for ((unknown, step), &value) in unknowns.iter_mut().zip(&step).zip(solution) {
            *unknown = with_value(*unknown - *step, value);
        }
        workspace.keep(matrix, step);
    }
    Ok(())
}
