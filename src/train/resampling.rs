//! New points for a term as a run goes on.

use super::optimizer::vectors::zeros;
use super::sampling::{ByResidual, Domain, Sampling};
use super::{Objective, TrainError};
use crate::evaluate::CpuReal;

/// Draws the points of a term anew every so many steps.
///
/// Draws depend on the seed and the step alone, or with [`by_residual`](Resampling::by_residual) on the weights too.
pub struct Resampling {
    /// The term, counted from 0.
    pub term: usize,
    /// Steps between two draws, at least 1.
    pub every: u64,
    /// Where the points lie.
    pub domain: Domain,
    /// How they are spread.
    pub sampling: Sampling,
    /// The seed of all draws.
    pub seed: u64,
    /// Draws so many candidates for each point, and keeps those where the residual is large.
    pub by_residual: Option<(usize, ByResidual)>,
}

impl Resampling {
    /// Whether points are to be drawn before a step, counted from 0.
    pub(super) fn is_due(&self, step: u64) -> bool {
        step > 0 && step.is_multiple_of(self.every.max(1))
    }

    /// Draws as many points as the term has.
    pub(super) fn draw<R: CpuReal>(
        &mut self,
        step: u64,
        objective: &mut Objective<R>,
        parameters: &[R],
    ) -> Result<(), TrainError> {
        let dimensions = self.domain.dimensions();
        let length = objective.points(self.term)?.len();
        // Another stream of numbers for each step.
        let seed = self.seed ^ step.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mut points = vec![R::zero(); length];
        match &mut self.by_residual {
            None => self.sampling.fill(&self.domain, seed, &mut points)?,
            Some((candidates, choice)) => {
                let mut offered: Vec<R> = length
                    .checked_mul((*candidates).max(1))
                    .and_then(zeros)
                    .ok_or_else(|| objective.candidates(self.term, *candidates))?;
                self.sampling.fill(&self.domain, seed, &mut offered)?;
                let residuals = objective.residuals(parameters, self.term, &offered)?;
                choice.fill(dimensions, &offered, &residuals, seed.wrapping_add(1), &mut points)?;
            }
        }
        objective.set_points(self.term, &points)
    }
}
