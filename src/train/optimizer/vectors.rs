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

/// Adds `factor` times `other`.
pub(super) fn add_scaled<R: Real>(to: &mut [R], factor: f64, other: &[R]) {
    let factor = R::literal(factor);
    for (to, other) in to.iter_mut().zip(other) {
        *to += factor * *other;
    }
}

/// Takes the numbers away from those of `from`, into their own place.
pub(super) fn subtract_from<R: Real>(numbers: &mut [R], from: &[R]) {
    for (number, from) in numbers.iter_mut().zip(from) {
        *number = *from - *number;
    }
}

/// The largest magnitude.
pub(super) fn largest<R: Real>(numbers: &[R]) -> f64 {
    numbers.iter().fold(0.0, |largest, number| largest.max(number.as_().abs()))
}

/// So many zeros, if they fit into memory.
pub(in crate::train) fn zeros<R: Real>(count: usize) -> Option<Vec<R>> {
    let mut zeros = Vec::new();
    zeros.try_reserve_exact(count).ok()?;
    zeros.resize(count, R::zero());
    Some(zeros)
}
