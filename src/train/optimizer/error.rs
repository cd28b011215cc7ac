//! What can be wrong with an optimiser and its calls.

/// Settings, numbers or a saved state that an optimiser cannot work with. The parameters are then as they were before.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum OptimizerError {
    /// A setting out of its range.
    #[error("{setting} is {found}; it must be {expected}")]
    Setting {
        /// Its name.
        setting: &'static str,
        /// Its range.
        expected: &'static str,
        /// What was given.
        found: f64,
    },
    /// A vector of the wrong length.
    #[error("{what}: expected {expected} numbers, found {found}")]
    WrongLength {
        /// "parameters", "gradient", or the name of a vector of the state.
        what: String,
        /// What the optimiser was made for.
        expected: usize,
        /// What was given.
        found: usize,
    },
    /// A derivative that is infinite or no number: a step would spoil all that was learned.
    #[error(
        "the derivative by parameter {position} is {found}; take a smaller learning rate, or look for a singular point"
    )]
    GradientNotFinite {
        /// Position of the first such parameter, counted from 0.
        position: usize,
        /// The derivative.
        found: f64,
    },
    /// A part that a saved state lacks.
    #[error("the saved state lacks \"{part}\"; it is that of another optimiser, or damaged")]
    MissingState {
        /// Name of the part.
        part: &'static str,
    },
    /// A loss that is infinite or no number where a search starts.
    #[error("the loss is {found} before the first step; start from other parameters, or look for a singular point")]
    LossNotFinite {
        /// The loss.
        found: f64,
    },
    /// A history that does not fit into memory.
    #[error("a history of {pairs} steps of {parameters} parameters does not fit into memory; keep a shorter one")]
    OutOfMemory {
        /// Steps to be kept.
        pairs: usize,
        /// Parameters.
        parameters: usize,
    },
}

/// What ended a step that calls the loss itself. The parameters are then as they were before.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum StepError<E> {
    /// The loss could not be worked out.
    #[error(transparent)]
    Objective(E),
    /// The optimiser cannot work with what it was given.
    #[error(transparent)]
    Optimizer(#[from] OptimizerError),
}
