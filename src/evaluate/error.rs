//! What can be wrong with an evaluator and its calls.

use crate::operator::OperatorError;

/// Operators, points or results that do not fit, or memory that is not there.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum EvaluateError {
    /// Points that are not whole rows.
    #[error("{found} coordinates are not a whole number of points with {inputs} inputs")]
    Points {
        /// Inputs of the network.
        inputs: usize,
        /// Numbers found.
        found: usize,
    },
    /// A result of the wrong length.
    #[error("the result \"{what}\" needs room for {expected} numbers, but has {found}")]
    Results {
        /// "value", "gradient" or "hessian".
        what: &'static str,
        /// Numbers that it needs; 0 where it was not asked for.
        expected: usize,
        /// Numbers that it has room for.
        found: usize,
    },
    /// Results that do not fit into memory.
    #[error(
        "the results of {points} points need {bytes} bytes, which this machine does not give; evaluate fewer points at a time, or ask for fewer derivatives"
    )]
    OutOfMemory {
        /// Points of the batch.
        points: usize,
        /// Bytes asked for.
        bytes: u128,
    },
    /// Intermediate numbers that do not fit into memory.
    #[error(
        "a workspace of {bytes} bytes is needed for each thread, which this machine does not give; ask for fewer derivatives, or take fewer threads"
    )]
    Workspace {
        /// Bytes asked for.
        bytes: u128,
    },
    /// An operator that does not fit the network.
    #[error(transparent)]
    Operator(#[from] OperatorError),
    /// A GPU that is not there, does not suffice or failed.
    #[cfg(feature = "gpu")]
    #[error(transparent)]
    Gpu(#[from] super::gpu::GpuError),
    /// A coefficient of an operator that is infinite in the float type.
    #[error("an operator has the coefficient {coefficient:e}, which is too large for f32; evaluate in f64")]
    Coefficient {
        /// The coefficient.
        coefficient: f64,
    },
}
