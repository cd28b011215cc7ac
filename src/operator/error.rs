//! What can be wrong with names and operators.

/// Names that can't be used, or a text that is not an operator.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum OperatorError {
    /// Not a name.
    #[error("\"{name}\" is not a name; a name is a letter followed by letters and digits")]
    NotAName {
        /// The text.
        name: String,
    },
    /// Twice the same name.
    #[error("the name \"{name}\" is given twice")]
    Twice {
        /// The name.
        name: String,
    },
    /// Names that would let a text be read in two ways.
    #[error(
        "with these names, \"{text}\" would mean both {first} and {second}; choose names that can't be read in two ways"
    )]
    Ambiguous {
        /// The text.
        text: String,
        /// One meaning.
        first: String,
        /// The other.
        second: String,
    },
    /// A text that can't be read.
    #[error("{problem}\n  {text}\n  {}^", " ".repeat(*.column))]
    Syntax {
        /// The whole text.
        text: String,
        /// Characters before the place.
        column: usize,
        /// What is wrong there.
        problem: String,
    },
    /// An operator made in code that names an input or output which the network does not have.
    #[error("an operator asks for {what} {index}, but the network has {count}")]
    OutOfRange {
        /// "input" or "output".
        what: &'static str,
        /// Which, counted from 0.
        index: usize,
        /// How many there are.
        count: usize,
    },
    /// A coefficient that is infinite or NaN.
    #[error("an operator has the coefficient {coefficient}; coefficients must be finite")]
    Coefficient {
        /// The coefficient.
        coefficient: String,
    },
    /// Data or a constant with the name of something else.
    #[error("\"{name}\" is the name of something else; choose another one")]
    NameTaken {
        /// The name.
        name: String,
    },
}
