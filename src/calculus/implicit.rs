//! Unknowns that equations give: a solver's result with its derivatives by the parameters.
//!
//! The equations are solved in plain floats, once, by whatever method. Then Newton steps on numbers, each a solution of the
//! linear equations with the exact Jacobian, add the derivatives: every step doubles the orders that are right, so one is
//! enough for a `Dual` and two for a `HyperDual`. Nothing is iterated until it converges, and no derivative is taken of the
//! solver's own steps.

use core::convert::Infallible;

use num_traits::{Float, One, Zero};

use crate::number::{Dual, Scalar};

/// The steps after which all orders of `S` are right.
pub(super) fn steps<S: Scalar>() -> u32 {
    usize::BITS - S::ORDER.leading_zeros()
}

/// The number with its plain value made 0, and with it what the residual of a solution in floats is off from 0.
pub(super) fn derivatives_alone<S: Scalar>(residual: S) -> S {
    residual - S::lifted(residual.primitive())
}

/// The number with its plain value replaced, which singular equations may have made NaN.
pub(super) fn with_value<S: Scalar>(number: S, value: S::Primitive) -> S {
    let (zero, one) = (S::Primitive::zero(), S::Primitive::one());
    number.lift(&[value, one, zero, zero, zero], 0)
}

/// The unknown x of the equation `residual`(x, parameters) = 0 as a number, with its derivatives by whatever `parameters` have
/// derivatives by.
///
/// `solve` gives the plain solution for plain parameters (`|_| x` where it is known already). It is the value of the result,
/// bit for bit; the derivatives are exact for the level of the residual through it. The residual's sign and scale don't
/// matter. Where it has slope 0 the derivatives by live parameters are NaN.
///
/// With the derivatives r_x, r_a, r_xa, .. of the residual r by the unknown x and the parameters a and b, those of the solution
/// are
///
#[doc = include_str!("../../docs/formulas/implicit.html")]
///
/// ```
/// use tapeless::calculus::{hessian, implicit};
///
/// // Kepler's equation x - e sin(x) = m: a plain iteration, then the derivatives of x by e and m.
/// let solve = |[e, m]: [f64; 2]| (0..100).fold(m, |x, _| m + e * x.sin());
/// let at = hessian(|parameters| implicit(parameters, solve, |x, [e, m]| x - e * x.sin() - m), [0.5_f64, 1.0]);
/// let x = at.value;
/// assert!((at.gradient[1] - 1.0 / (1.0 - 0.5 * x.cos())).abs() < 1e-15);
/// assert!((at.hessian[1][1] + 0.5 * x.sin() / (1.0 - 0.5 * x.cos()).powi(3)).abs() < 1e-15);
/// ```
#[inline]
pub fn implicit<S: Scalar, const K: usize>(
    parameters: [S; K],
    solve: impl FnOnce([S::Primitive; K]) -> S::Primitive,
    mut residual: impl FnMut(Dual<S, 1>, [Dual<S, 1>; K]) -> Dual<S, 1>,
) -> S {
    let Ok(unknown) =
        try_implicit(parameters, |plain| Ok::<_, Infallible>(solve(plain)), |x, parameters| Ok(residual(x, parameters)));
    unknown
}

/// As [`implicit`], with a solver and a residual that may fail.
///
/// ```
/// use tapeless::{calculus::try_implicit, Dual};
///
/// let root = |[a]: [f64; 1]| if a >= 0.0 { Ok(a.sqrt()) } else { Err("no root") };
/// let [a] = Dual::variables([9.0]);
/// assert_eq!(try_implicit([a], root, |x, [a]| Ok(x * x - a)).unwrap().gradient(), [1.0 / 6.0]);
/// assert_eq!(try_implicit([-a], root, |x, [a]| Ok(x * x - a)), Err("no root"));
/// ```
///
/// # Errors
///
/// That of the solver or of the residual.
#[inline]
pub fn try_implicit<S: Scalar, E, const K: usize>(
    parameters: [S; K],
    solve: impl FnOnce([S::Primitive; K]) -> Result<S::Primitive, E>,
    mut residual: impl FnMut(Dual<S, 1>, [Dual<S, 1>; K]) -> Result<Dual<S, 1>, E>,
) -> Result<S, E> {
    let [unknown] = try_implicit_system(
        parameters,
        |plain| solve(plain).map(|x| [x]),
        |[x], parameters| residual(x, parameters).map(|r| [r]),
    )?;
    Ok(unknown)
}

/// The `M` unknowns of as many equations `residual`(unknowns, parameters) = 0 as numbers.
///
/// As [`implicit`], with the Jacobian of the equations in place of the slope. Where it is singular the derivatives by live
/// parameters are NaN.
///
/// With the Jacobian J of the residuals r by the unknowns x, and indices k and l for derivatives by unknowns, a and b for those
/// by parameters, the solution has
///
#[doc = include_str!("../../docs/formulas/implicit_system.html")]
///
/// ```
/// use tapeless::calculus::{implicit_system, jacobian};
///
/// // x + y = a and x y = b, at (a, b) = (3, 2), whose solution is known.
/// let at = jacobian(
///     |parameters| implicit_system(parameters, |_| [1.0, 2.0], |[x, y], [a, b]| [x + y - a, x * y - b]),
///     [3.0, 2.0],
/// );
/// assert_eq!(at.value, [1.0, 2.0]);
/// assert_eq!(at.jacobian, [[-1.0, 1.0], [2.0, -1.0]]);
/// ```
#[inline]
pub fn implicit_system<S: Scalar, const M: usize, const K: usize>(
    parameters: [S; K],
    solve: impl FnOnce([S::Primitive; K]) -> [S::Primitive; M],
    mut residual: impl FnMut([Dual<S, M>; M], [Dual<S, M>; K]) -> [Dual<S, M>; M],
) -> [S; M] {
    let Ok(unknowns) = try_implicit_system(
        parameters,
        |plain| Ok::<_, Infallible>(solve(plain)),
        |x, parameters| Ok(residual(x, parameters)),
    );
    unknowns
}

/// As [`implicit_system`], with a solver and a residual that may fail.
///
/// ```
/// use tapeless::{calculus::try_implicit_system, Dual};
///
/// let [a] = Dual::variables([9.0]);
/// let residual = |[x]: [_; 1], [a]: [_; 1]| Ok([x * x - a]);
/// assert_eq!(try_implicit_system([a], |_| Ok::<_, &str>([3.0]), residual).unwrap()[0].gradient(), [1.0 / 6.0]);
/// assert!(try_implicit_system([a], |_| Err::<[f64; 1], _>("no root"), residual).is_err());
/// ```
///
/// # Errors
///
/// That of the solver or of the residual.
pub fn try_implicit_system<S: Scalar, E, const M: usize, const K: usize>(
    parameters: [S; K],
    solve: impl FnOnce([S::Primitive; K]) -> Result<[S::Primitive; M], E>,
    mut residual: impl FnMut([Dual<S, M>; M], [Dual<S, M>; K]) -> Result<[Dual<S, M>; M], E>,
) -> Result<[S; M], E> {
    let solution = solve(parameters.map(|parameter| parameter.primitive()))?;
    let mut unknowns = solution.map(S::lifted);
    for _ in 0..steps::<S>() {
        let at = residual(Dual::variables(unknowns), parameters.map(Dual::constant))?;
        let (mut matrix, mut step) = (at.map(|r| r.gradient()), at.map(|r| derivatives_alone(r.value())));
        eliminate(matrix.as_flattened_mut(), &mut step);
        unknowns = core::array::from_fn(|i| with_value(unknowns[i] - step[i], solution[i]));
    }
    Ok(unknowns)
}

/// Replaces `right` by the solution of the linear equations, by elimination with the largest pivot of each column. The matrix
/// lies row by row. With a pivot of 0 the solution is NaN.
pub(super) fn eliminate<S: Scalar>(matrix: &mut [S], right: &mut [S]) {
    let m = right.len();
    for k in 0..m {
        let size = |i: usize| matrix[i * m + k].primitive().abs();
        let largest = (k..m).fold(k, |largest, i| if size(i) > size(largest) { i } else { largest });
        for j in 0..m {
            matrix.swap(k * m + j, largest * m + j);
        }
        right.swap(k, largest);
        if matrix[k * m + k].primitive().is_zero() {
            // No solution or many; what is 0 on every right-hand side stays 0.
            let undefined = right.iter().fold(S::zero(), |sum, &r| sum + r * S::nan());
            right.fill(undefined);
            return;
        }
        for i in k + 1..m {
            let factor = matrix[i * m + k] / matrix[k * m + k];
            for j in k + 1..m {
                let above = matrix[k * m + j];
                matrix[i * m + j] -= factor * above;
            }
            let above = right[k];
            right[i] -= factor * above;
        }
    }
    for k in (0..m).rev() {
        let known = (k + 1..m).fold(right[k], |rest, j| rest - matrix[k * m + j] * right[j]);
        right[k] = known / matrix[k * m + k];
    }
}
