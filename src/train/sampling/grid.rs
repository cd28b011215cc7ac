//! Regular grids.

use super::{Domain, SamplingError};
use crate::number::Real;

/// Fills a slice with the points of a grid, the last coordinate fastest. `counts` are the grid's lines in each dimension; the
/// first and the last lie on the faces, a single one in the middle.
///
/// ```
/// use tapeless::train::sampling::{Domain, grid};
///
/// let mut points = [0.0; 2 * 6];
/// grid(&Domain::new([0.0, 0.0], [1.0, 4.0])?, &[2, 3], &mut points)?;
/// assert_eq!(points, [0.0, 0.0, 0.0, 2.0, 0.0, 4.0, 1.0, 0.0, 1.0, 2.0, 1.0, 4.0]);
/// # Ok::<(), tapeless::train::sampling::SamplingError>(())
/// ```
///
/// # Errors
///
/// [`SamplingError::Points`], [`SamplingError::GridLines`], [`SamplingError::GridSize`]; [`SamplingError::Bounds`] for bounds that
/// are infinite in `R`.
pub fn grid<R: Real>(domain: &Domain, counts: &[usize], points: &mut [R]) -> Result<(), SamplingError> {
    let found = domain.points(points)?;
    let dimensions = domain.dimensions();
    if counts.len() != dimensions || counts.contains(&0) {
        return Err(SamplingError::GridLines { counts: counts.to_vec(), dimensions });
    }
    let expected = counts.iter().try_fold(1_usize, |product, &count| product.checked_mul(count));
    if expected != Some(found) {
        return Err(SamplingError::GridSize { counts: counts.to_vec(), found });
    }
    for (index, point) in points.chunks_exact_mut(dimensions).enumerate() {
        let mut rest = index;
        for dimension in (0..dimensions).rev() {
            let count = counts[dimension];
            let (line, last) = (rest % count, count - 1);
            rest /= count;
            let part = if last == 0 { 0.5 } else { line as f64 / last as f64 };
            point[dimension] = domain.coordinate(dimension, part);
        }
    }
    Ok(())
}
