//! Residuals: what is trained to zero, written once, generic over the scalar.

use crate::evaluate::CpuReal;
use crate::number::{Dual, Scalar};

/// The residuals of a differential equation, a boundary condition or a measurement at one point.
///
/// `point` holds the coordinates of the point, then its data values, as constants; `u` holds the quantities that the
/// [`Term`](super::Term) names, such as u, u_x and u_xx. The derivatives of the residuals by the quantities come from running
/// the same function on dual numbers. The macro [`residual!`](crate::residual) writes this implementation.
///
/// ```
/// use tapeless::{train::Residual, Scalar};
///
/// /// Burgers' equation on the quantities u, u_x and u_t - nu u_xx.
/// struct Burgers;
///
/// impl Residual for Burgers {
///     fn evaluate<S: Scalar>(&self, _point: &[S], u: &[S], residuals: &mut [S]) {
///         residuals[0] = u[0] * u[1] + u[2];
///     }
/// }
/// ```
pub trait Residual: Send + Sync {
    /// How many residuals there are.
    fn residuals(&self) -> usize {
        1
    }

    /// Writes the residuals.
    fn evaluate<S: Scalar>(&self, point: &[S], u: &[S], residuals: &mut [S]);
}

/// A [`Residual`] written as a closure is: `|x, u|` or `|x, u| -> [S; n]` over the coordinates and data of a point and the
/// quantities of the term. `S` (or any other name) stands for the type of the numbers; constants are `S::literal(2.5)`. What
/// it captures is named first, with its type, and is copied in.
///
/// ```
/// use tapeless::{residual, Scalar, train::Residual};
///
/// let nu = 0.01;
/// let burgers = residual!([nu: f64] |x: &[S], u: &[S]| u[2] + u[0] * u[1] - S::literal(nu) * u[3]);
/// let mut residuals = [0.0];
/// burgers.evaluate(&[0.5, 0.0], &[2.0, 3.0, 1.0, 100.0], &mut residuals);
/// assert_eq!(residuals, [6.0]);
///
/// let two = residual!(|x: &[S], u: &[S]| -> [S; 2] { [u[0] - x[0], u[1]] });
/// assert_eq!(two.residuals(), 2);
/// ```
#[macro_export]
macro_rules! residual {
    ([$($capture:ident: $type:ty),* $(,)?] |$x:ident: &[$S:ident], $u:ident: &[$T:ident]| -> [$R:ident; $count:expr] $body:block) => {{
        struct Generic {
            $($capture: $type,)*
        }

        impl $crate::train::Residual for Generic {
            fn residuals(&self) -> usize {
                $count
            }

            #[allow(unused_variables)]
            fn evaluate<$S: $crate::Scalar>(&self, $x: &[$S], $u: &[$S], residuals: &mut [$S]) {
                $(let $capture = self.$capture.clone();)*
                let residual = || -> [$S; $count] { $body };
                residuals.copy_from_slice(&residual());
            }
        }

        Generic { $($capture,)* }
    }};
    ([$($capture:ident: $type:ty),* $(,)?] |$x:ident: &[$S:ident], $u:ident: &[$T:ident]| $body:expr) => {
        $crate::residual!([$($capture: $type),*] |$x: &[$S], $u: &[$T]| -> [$S; 1] { [$body] })
    };
    (|$($rest:tt)*) => {
        $crate::residual!([] |$($rest)*)
    };
}

/// Residuals and their derivatives by the quantities at the points of a tile; every [`Residual`] has them.
pub(super) trait Linearize<R>: Send + Sync {
    /// How many residuals there are.
    fn residuals(&self) -> usize;

    /// Writes residuals of shape (residuals, tile) and their derivatives of shape (residuals, quantities, tile) for the points of
    /// `points`, rows of `width` numbers; quantities have the shape (quantities, tile).
    fn linearize(&self, points: &[R], width: usize, tile: usize, quantities: &[R], residuals: &mut [R], slopes: &mut [R]);
}

/// The most residuals of a term, and the most quantities and numbers of a point.
pub(super) const MOST: usize = 64;

/// Quantities by which derivatives are taken at a time.
const CHUNK: usize = 4;

impl<R: CpuReal, F: Residual> Linearize<R> for F {
    fn residuals(&self) -> usize {
        Residual::residuals(self)
    }

    fn linearize(&self, points: &[R], width: usize, tile: usize, quantities: &[R], residuals: &mut [R], slopes: &mut [R]) {
        let count = quantities.len() / tile;
        let pass = Pass { points, width, tile, quantities };
        // Without any quantity there is one pass, for the residuals alone.
        for start in (0..count.max(1)).step_by(CHUNK) {
            match (count - start).min(CHUNK) {
                0 => pass.run::<F, 0>(self, start, residuals, slopes),
                1 => pass.run::<F, 1>(self, start, residuals, slopes),
                2 => pass.run::<F, 2>(self, start, residuals, slopes),
                3 => pass.run::<F, 3>(self, start, residuals, slopes),
                _ => pass.run::<F, CHUNK>(self, start, residuals, slopes),
            }
        }
    }
}

/// What the residuals are evaluated on.
struct Pass<'a, R> {
    points: &'a [R],
    width: usize,
    tile: usize,
    quantities: &'a [R],
}

impl<R: CpuReal> Pass<'_, R> {
    /// Takes derivatives by `N` quantities from `start` on.
    fn run<F: Residual, const N: usize>(&self, residual: &F, start: usize, residuals: &mut [R], slopes: &mut [R]) {
        let &Pass { points, width, tile, quantities } = self;
        let (count, outputs) = (quantities.len() / tile, Residual::residuals(residual));
        let zero = Dual::<R, N>::constant(R::zero());
        let (mut point, mut u, mut results) = ([zero; MOST], [zero; MOST], [zero; MOST]);
        for (place, coordinates) in points.chunks_exact(width).enumerate() {
            for (number, &x) in point.iter_mut().zip(coordinates) {
                *number = Dual::constant(x);
            }
            for (k, number) in u.iter_mut().enumerate().take(count) {
                let gradient = std::array::from_fn(|n| if start + n == k { R::one() } else { R::zero() });
                *number = Dual::from_parts(quantities[k * tile + place], gradient);
            }
            residual.evaluate(&point[..width], &u[..count], &mut results[..outputs]);
            for (j, result) in results.iter().enumerate().take(outputs) {
                residuals[j * tile + place] = result.value();
                for (n, slope) in result.gradient().into_iter().enumerate() {
                    slopes[(j * count + start + n) * tile + place] = slope;
                }
            }
        }
    }
}
