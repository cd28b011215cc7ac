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
}
