//! Sums over vectors, always in the same order.

use super::OptimizerError;
use crate::number::Real;

/// The scalar product, summed in f64.
pub(super) fn dot<R: Real>(one: &[R], other: &[R]) -> f64 {
    // Sums side by side, which become one SIMD register.
    const LANES: usize = 8;
    let mut sums = [0.0; LANES];
    let (pieces, rest) = (one.chunks_exact(LANES), one.chunks_exact(LANES).remainder());
    let other_rest = &other[other.len() - rest.len()..];
    for (x, y) in pieces.zip(other.chunks_exact(LANES)) {
        for (lane, sum) in sums.iter_mut().enumerate() {
            *sum += x[lane].as_() * y[lane].as_();
        }
    }
    let rest: f64 = rest.iter().zip(other_rest).map(|(x, y)| x.as_() * y.as_()).sum();
    sums.iter().sum::<f64>() + rest
}

/// The Euclidean norm of a gradient.
///
/// # Errors
///
/// [`OptimizerError::GradientNotFinite`]
pub(super) fn gradient_norm<R: Real>(gradient: &[R]) -> Result<f64, OptimizerError> {
    let norm = dot(gradient, gradient).sqrt();
    // A finite sum of squares has finite terms; an infinite one may have overflowed.
    let culprit = if norm.is_finite() { None } else { gradient.iter().position(|derivative| !derivative.is_finite()) };
    match culprit {
        None => Ok(norm),
        Some(position) => Err(OptimizerError::GradientNotFinite { position, found: gradient[position].as_() }),
    }
}
