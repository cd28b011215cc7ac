//! Names of inputs and outputs as the user gives them.

use tapeless::operator::{Names, OperatorError};

/// Names that can't be used.
#[derive(Debug, thiserror::Error)]
pub enum NamesError {
    /// Too few or too many.
    #[error("{flag}: the network has {expected}, but {found} given: {names}", expected = counted(*.expected, .flag), found = found_words(.names.len()), names = .names.join(", "))]
    Count {
        /// The flag.
        flag: &'static str,
        /// How many the network has.
        expected: usize,
        /// The names.
        names: Vec<String>,
    },
    /// An output that could not be asked for.
    #[error("--outputs: \"{name}\" is the name of a result of its own; choose another")]
    Reserved {
        /// The name.
        name: String,
    },
    /// Names that are none, twice the same, or ambiguous.
    #[error("--inputs or --outputs: {0}")]
    Unusable(#[from] OperatorError),
}

fn counted(count: usize, flag: &str) -> String {
    super::report::counted(count, if flag == "--inputs" { "input" } else { "output" })
}

fn found_words(count: usize) -> String {
    if count == 1 { "1 name was".to_owned() } else { format!("{count} names were") }
}

/// The names given by the user, or the default ones: x0, x1, .. and u, or u0, u1, ..
pub fn read(
    inputs: Option<&str>,
    input_count: usize,
    outputs: Option<&str>,
    output_count: usize,
) -> Result<Names, NamesError> {
    let inputs = split("--inputs", inputs, input_count)?.unwrap_or_else(|| Names::default_inputs(input_count));
    let outputs = split("--outputs", outputs, output_count)?.unwrap_or_else(|| Names::default_outputs(output_count));
    if let Some(name) = outputs.iter().find(|name| matches!(name.as_str(), "value" | "gradient" | "hessian")) {
        return Err(NamesError::Reserved { name: name.clone() });
    }
    Ok(Names::new(inputs, outputs)?)
}

fn split(flag: &'static str, text: Option<&str>, expected: usize) -> Result<Option<Vec<String>>, NamesError> {
    let Some(text) = text else { return Ok(None) };
    let names: Vec<String> = text.split(',').map(|name| name.trim().to_owned()).collect();
    if names.len() != expected {
        return Err(NamesError::Count { flag, expected, names });
    }
    Ok(Some(names))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_are_numbered() {
        let names = read(None, 2, None, 1).unwrap();
        assert_eq!(names.first(0, 1), "u_x1");
        assert_eq!(names.second(0, 0, 1), "u_x0x1");
        let names = read(Some("x, t"), 2, None, 2).unwrap();
        assert_eq!(names.second(1, 0, 1), "u1_xt");
    }

    #[test]
    fn wrong_names_are_refused() {
        let message = |inputs| read(Some(inputs), 2, None, 1).unwrap_err().to_string();
        assert!(message("x").contains("2 inputs, but 1 name was given"));
        assert!(message("x,x").contains("twice"));
        assert!(message("x,").contains("\"\" is not a name"));
        assert!(message("x,y_t").contains("not a name"));
        assert!(message("x,xx").contains("\"u_xx\" would mean both"));
    }
}
