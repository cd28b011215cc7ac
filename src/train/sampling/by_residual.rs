//! Points where the residual is large.

use super::SamplingError;
use crate::number::Real;
use crate::random::Random;

/// Chooses points with probability proportional to |residual|^k / mean(|residual|^k) + c (RAD of Wu et al., A comprehensive
/// study of non-adaptive and residual-based adaptive sampling for physics-informed neural networks, 2023; k = c = 1 there for
/// most problems).
///
/// No point is chosen twice, and each is chosen in proportion among those that are left, as by `numpy.random.choice` without
/// replacement. Its memory is made at the first call and used again.
///
/// ```
/// use tapeless::train::sampling::ByResidual;
///
/// let candidates = [0.1, 0.3, 0.5, 0.7]; // four points of one dimension
/// let mut points = [0.0; 2];
/// ByResidual::new(1.0, 0.0)?.fill(1, &candidates, &[0.0, 2.0, 0.0, -1.0], 7, &mut points)?;
/// assert_eq!(points, [0.3, 0.7]);
/// # Ok::<(), tapeless::train::sampling::SamplingError>(())
/// ```
#[derive(Clone, Debug)]
pub struct ByResidual {
    exponent: f64,
    offset: f64,
    keys: Vec<(f64, usize)>,
}

impl ByResidual {
    /// With exponent k and offset c.
    ///
    /// # Errors
    ///
    /// [`SamplingError::Setting`] where one is below 0 or not finite.
    pub fn new(exponent: f64, offset: f64) -> Result<Self, SamplingError> {
        for (setting, found) in [("the exponent of the residuals", exponent), ("their offset", offset)] {
            if !(0.0..f64::INFINITY).contains(&found) {
                return Err(SamplingError::Setting { setting, found });
            }
        }
        Ok(Self { exponent, offset, keys: Vec::new() })
    }

    /// Fills `points` with some of the `candidates`, both rows of `dimensions` coordinates, in the order that they have
    /// there. `residuals` holds one number for each candidate.
    ///
    /// # Errors
    ///
    /// [`SamplingError::Points`], [`SamplingError::ResidualCount`], [`SamplingError::Residual`],
    /// [`SamplingError::TooFewCandidates`].
    pub fn fill<R: Real>(
        &mut self,
        dimensions: usize,
        candidates: &[R],
        residuals: &[R],
        seed: u64,
        points: &mut [R],
    ) -> Result<(), SamplingError> {
        let rows = |coordinates: &[R]| match coordinates.len().checked_rem(dimensions) {
            Some(0) => Ok(coordinates.len() / dimensions),
            _ => Err(SamplingError::Points { dimensions, found: coordinates.len() }),
        };
        let (offered, wanted) = (rows(candidates)?, rows(points)?);
        if residuals.len() != offered {
            return Err(SamplingError::ResidualCount { candidates: offered, residuals: residuals.len() });
        }
        if wanted > offered {
            return Err(SamplingError::TooFewCandidates { candidates: offered, wanted });
        }
        if let Some(position) = residuals.iter().position(|residual| !residual.is_finite()) {
            return Err(SamplingError::Residual { position, found: residuals[position].as_() });
        }
        self.draw_keys(residuals, &mut Random::new(seed));
        if wanted > 0 {
            self.keys.select_nth_unstable_by(wanted - 1, |one, other| one.0.total_cmp(&other.0).then(one.1.cmp(&other.1)));
        }
        let chosen = &mut self.keys[..wanted];
        chosen.sort_unstable_by_key(|(_, row)| *row);
        for (point, (_, row)) in points.chunks_exact_mut(dimensions).zip(chosen) {
            point.copy_from_slice(&candidates[*row * dimensions..(*row + 1) * dimensions]);
        }
        Ok(())
    }

    /// A waiting time for each candidate, exponential with its weight as the rate: the first to come are a sample without
    /// replacement (Efraimidis and Spirakis, Weighted random sampling with a reservoir, 2006).
    fn draw_keys<R: Real>(&mut self, residuals: &[R], random: &mut Random) {
        let largest = residuals.iter().fold(0.0, |largest: f64, residual| largest.max(residual.as_().abs()));
        // In parts of the largest, so that no power overflows.
        let power = |residual: &R| match largest > 0.0 {
            true => libm::pow(residual.as_().abs() / largest, self.exponent),
            false => 1.0,
        };
        let mean = residuals.iter().map(power).sum::<f64>() / residuals.len() as f64;
        self.keys.clear();
        self.keys.extend(residuals.iter().enumerate().map(|(row, residual)| {
            let weight = power(residual) / mean + self.offset;
            let time = -libm::log(1.0 - random.unit());
            // Those of weight 0 come last.
            (if weight > 0.0 { time / weight } else { f64::INFINITY }, row)
        }));
    }
}
