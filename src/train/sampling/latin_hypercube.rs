//! Latin hypercubes.

use super::Domain;
use crate::number::Real;
use crate::random::Random;

/// Cuts each side into as many parts as there are points, so that each part holds one of them (McKay, Beckman and Conover, A
/// comparison of three methods for selecting values of input variables, 1979).
pub(super) fn fill<R: Real>(domain: &Domain, random: &mut Random, points: &mut [R]) {
    let dimensions = domain.dimensions();
    let count = points.len() / dimensions;
    for dimension in 0..dimensions {
        for (part, point) in points.chunks_exact_mut(dimensions).enumerate() {
            point[dimension] = domain.coordinate(dimension, (part as f64 + random.unit()) / count as f64);
        }
        // In random order (Fisher and Yates).
        for last in (1..count).rev() {
            let other = random.below(last + 1);
            points.swap(last * dimensions + dimension, other * dimensions + dimension);
        }
    }
}
