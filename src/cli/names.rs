//! Names of inputs and outputs, and the names of derivatives made of them.

use std::collections::HashMap;

/// Names that can't be used.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum NamesError {
    /// Too few or too many.
    #[error("{flag}: the network has {expected} {}, but {found} names were given", kind(*.expected, .flag))]
    Count {
        /// The flag.
        flag: &'static str,
        /// How many the network has.
        expected: usize,
        /// How many names there are.
        found: usize,
    },
    /// Not a name.
    #[error("{flag}: \"{name}\" is not a name; a name is a letter followed by letters and digits")]
    NotAName {
        /// The flag.
        flag: &'static str,
        /// The text.
        name: String,
    },
    /// Twice the same.
    #[error("{flag}: the name \"{name}\" is given twice")]
    Twice {
        /// The flag.
        flag: &'static str,
        /// The name.
        name: String,
    },
    /// Two derivatives that would be called the same.
    #[error(
        "with these --inputs, \"{text}\" would mean both {first} and {second}; choose names that can't be read in two ways"
    )]
    Ambiguous {
        /// The name.
        text: String,
        /// One meaning.
        first: String,
        /// The other.
        second: String,
    },
}

fn kind(count: usize, flag: &str) -> &'static str {
    match (flag, count) {
        ("--inputs", 1) => "input",
        ("--inputs", _) => "inputs",
        (_, 1) => "output",
        (_, _) => "outputs",
    }
}

/// The names of a network's inputs and outputs.
#[derive(Debug)]
pub struct Names {
    /// One for each input.
    pub inputs: Vec<String>,
    /// One for each output.
    pub outputs: Vec<String>,
}

impl Names {
    /// The names given by the user, or x0, x1, .. and u (u0, u1, .. where there are several outputs).
    pub fn new(
        inputs: Option<&str>,
        input_count: usize,
        outputs: Option<&str>,
        output_count: usize,
    ) -> Result<Self, NamesError> {
        let numbered = |letter: &str, count: usize| (0..count).map(|i| format!("{letter}{i}")).collect();
        let names = Self {
            inputs: match inputs {
                Some(text) => read("--inputs", text, input_count)?,
                None => numbered("x", input_count),
            },
            outputs: match outputs {
                Some(text) => read("--outputs", text, output_count)?,
                None if output_count == 1 => vec!["u".to_owned()],
                None => numbered("u", output_count),
            },
        };
        names.check_derivatives()?;
        Ok(names)
    }

    /// The name of the first derivative of an output by an input, such as `u_x`.
    pub fn first(&self, output: usize, input: usize) -> String {
        format!("{}_{}", self.outputs[output], self.inputs[input])
    }

    /// The name of a second derivative, such as `u_xy`.
    pub fn second(&self, output: usize, i: usize, j: usize) -> String {
        format!("{}_{}{}", self.outputs[output], self.inputs[i], self.inputs[j])
    }

    /// Inputs named x and xx would make `u_xx` a first and a second derivative.
    fn check_derivatives(&self) -> Result<(), NamesError> {
        let mut seen = HashMap::new();
        let mut see = |text: String, meaning: String| match seen.insert(text.clone(), meaning.clone()) {
            Some(first) => Err(NamesError::Ambiguous { text, first, second: meaning }),
            None => Ok(()),
        };
        for (i, first) in self.inputs.iter().enumerate() {
            see(self.first(0, i), format!("the derivative by {first}"))?;
            for (j, second) in self.inputs.iter().enumerate().skip(i) {
                see(self.second(0, i, j), format!("the derivative by {first} and {second}"))?;
            }
        }
        Ok(())
    }
}

fn read(flag: &'static str, text: &str, expected: usize) -> Result<Vec<String>, NamesError> {
    let names: Vec<String> = text.split(',').map(|name| name.trim().to_owned()).collect();
    for (position, name) in names.iter().enumerate() {
        let is_name = name.starts_with(char::is_alphabetic) && name.chars().all(char::is_alphanumeric);
        if !is_name {
            return Err(NamesError::NotAName { flag, name: name.clone() });
        }
        if names[..position].contains(name) {
            return Err(NamesError::Twice { flag, name: name.clone() });
        }
    }
    if names.len() != expected {
        return Err(NamesError::Count { flag, expected, found: names.len() });
    }
    Ok(names)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_are_numbered() {
        let names = Names::new(None, 2, None, 1).unwrap();
        assert_eq!(names.first(0, 1), "u_x1");
        assert_eq!(names.second(0, 0, 1), "u_x0x1");
        let names = Names::new(Some("x, t"), 2, None, 2).unwrap();
        assert_eq!(names.second(1, 0, 1), "u1_xt");
    }

    #[test]
    fn wrong_names_are_refused() {
        let message = |inputs| Names::new(Some(inputs), 2, None, 1).unwrap_err().to_string();
        assert!(message("x").contains("2 inputs, but 1 names"));
        assert!(message("x,x").contains("twice"));
        assert!(message("x,").contains("\"\" is not a name"));
        assert!(message("x,y_t").contains("not a name"));
        assert!(message("x,xx").contains("\"u_xx\" would mean both"));
    }
}
