//! Batches of points: an evaluator turns a network and points into values, gradients and Hessians.

mod batch;
pub(crate) mod cpu;
mod error;
#[cfg(feature = "gpu")]
pub mod gpu;
mod scalar;

pub use batch::{Batch, Derivatives, Rows};
pub use cpu::{CpuEvaluator, CpuReal, InstructionSet};
pub use error::EvaluateError;
pub use scalar::ScalarEvaluator;

use crate::number::Real;

/// Evaluates a network and its derivatives at many points.
///
/// Results keep the order of the points, and their bits are the same for any number of threads. Work runs on the current
/// rayon thread pool (`ThreadPool::install` chooses another). Calls from inside the pool allocate nothing; from outside,
/// rayon's own queue allocates a block of about 1.5 kB every 63 calls and frees it again.
pub trait Evaluator<R: Real>: Send + Sync {
    /// Number of inputs of the network.
    fn inputs(&self) -> usize;

    /// Number of outputs of the network.
    fn outputs(&self) -> usize;

    /// What is computed at each point.
    fn derivatives(&self) -> Derivatives;

    /// Number of operators that are computed at each point besides.
    fn operators(&self) -> usize;

    /// Bytes of memory held for intermediate numbers, whatever the number of points.
    fn workspace_bytes(&self) -> usize;

    /// Evaluates at `points`, row-major of shape (points, inputs), into memory of the caller's.
    ///
    /// # Errors
    ///
    /// [`EvaluateError::Points`] where the length is not a multiple of the number of inputs; [`EvaluateError::Results`]
    /// where a result does not have the length that [`Rows`] asks for.
    fn evaluate_rows(&self, points: &[R], results: Rows<'_, R>) -> Result<(), EvaluateError>;

    /// How many points there are.
    ///
    /// # Errors
    ///
    /// [`EvaluateError::Points`] where the coordinates are not whole points.
    fn count(&self, points: &[R]) -> Result<usize, EvaluateError> {
        let (inputs, found) = (self.inputs(), points.len());
        if found.is_multiple_of(inputs) { Ok(found / inputs) } else { Err(EvaluateError::Points { inputs, found }) }
    }

    /// Checks that points and results fit this evaluator.
    ///
    /// # Errors
    ///
    /// As [`evaluate_rows`](Evaluator::evaluate_rows).
    fn check(&self, points: &[R], results: &Rows<'_, R>) -> Result<(), EvaluateError> {
        let count = self.count(points)?;
        results.check(count, self.inputs(), self.outputs(), self.derivatives(), self.operators())
    }

    /// Evaluates at `points` into a batch, which is resized if it has another size.
    ///
    /// # Errors
    ///
    /// As [`evaluate_rows`](Evaluator::evaluate_rows), and [`EvaluateError::OutOfMemory`].
    fn evaluate_into(&self, points: &[R], results: &mut Batch<R>) -> Result<(), EvaluateError> {
        let count = self.count(points)?;
        results.resize(count, self.inputs(), self.outputs(), self.derivatives(), self.operators())?;
        self.evaluate_rows(points, results.rows())
    }

    /// Evaluates at `points`, row-major of shape (points, inputs), into a new batch.
    ///
    /// # Errors
    ///
    /// As [`evaluate_into`](Evaluator::evaluate_into).
    fn evaluate(&self, points: &[R]) -> Result<Batch<R>, EvaluateError> {
        let mut results = Batch::new();
        self.evaluate_into(points, &mut results)?;
        Ok(results)
    }
}
