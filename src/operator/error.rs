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
    #[error("{problem}\n{}", excerpt(.text, *.column))]
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

/// The most characters of a text that are shown on either side of a place.
const SHOWN: usize = 60;

/// The text around a place, and below it a mark under the place.
fn excerpt(text: &str, column: usize) -> String {
    let start = column.saturating_sub(SHOWN);
    let shown: String = text.chars().skip(start).take(2 * SHOWN).map(|c| if c.is_control() { ' ' } else { c }).collect();
    let before = if start > 0 { ".." } else { "" };
    let behind = if text.chars().nth(start + 2 * SHOWN).is_some() { ".." } else { "" };
    format!("  {before}{shown}{behind}\n  {}^", " ".repeat(before.len() + column - start))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_are_shown_around_the_place() {
        assert_eq!(excerpt("u + w", 4), "  u + w\n      ^");
        let long = format!("{}w{}", "u+".repeat(1000), "+u".repeat(1000));
        let (text, mark) = excerpt(&long, 2000).split_once('\n').map(|(a, b)| (a.to_owned(), b.to_owned())).unwrap();
        assert!(text.len() < 130 && text.as_bytes()[mark.len() - 1] == b'w');
    }
}
