//! Names of inputs and outputs, and the texts of the derivatives that can be made of them.

use std::collections::{HashMap, HashSet};

use super::{Derivative, OperatorError};

/// The names of a network's inputs and outputs, such as x, y, t and u.
///
/// A name is a letter followed by letters and digits. Names that would let a text be read in two ways are refused: with inputs
/// x and xx, `u_xx` would be both a second and a first derivative.
///
/// ```
/// use tapeless::operator::Names;
///
/// let names = Names::new(["x", "rho"], ["u"])?;
/// assert_eq!(names.second(0, 0, 1), "u_xrho");
/// assert!(Names::new(["x", "xx"], ["u"]).is_err());
/// # Ok::<(), tapeless::operator::OperatorError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Names {
    inputs: Vec<String>,
    outputs: Vec<String>,
    /// The number of each input by its name.
    positions: HashMap<String, usize>,
}

impl Names {
    /// Names given by the user.
    ///
    /// # Errors
    ///
    /// [`OperatorError::NotAName`], [`OperatorError::Twice`] or [`OperatorError::Ambiguous`].
    pub fn new<I: Into<String>, O: Into<String>>(
        inputs: impl IntoIterator<Item = I>,
        outputs: impl IntoIterator<Item = O>,
    ) -> Result<Self, OperatorError> {
        let inputs = checked(inputs.into_iter().map(Into::into).collect())?;
        let outputs = checked(outputs.into_iter().map(Into::into).collect())?;
        let positions: HashMap<String, usize> =
            inputs.iter().enumerate().map(|(position, name)| (name.clone(), position)).collect();
        if let Some(name) = outputs.iter().find(|name| positions.contains_key(*name)) {
            return Err(OperatorError::Twice { name: name.clone() });
        }
        let names = Self { inputs, outputs, positions };
        names.check_unambiguous()?;
        Ok(names)
    }

    /// A text has two meanings only where a name begins with another one: with a = b r, `a` is also b r if r is a name, and a c
    /// is also b (r c) if r c is a name for a name c.
    fn check_unambiguous(&self) -> Result<(), OperatorError> {
        let ambiguous = |text: String, first: &[&str], second: &[&str]| {
            let output = self.outputs.first().map_or("", String::as_str);
            let meaning = |inputs: &[&str]| format!("the derivative by {}", inputs.join(" and "));
            Err(OperatorError::Ambiguous {
                text: format!("{output}_{text}"),
                first: meaning(first),
                second: meaning(second),
            })
        };
        for name in &self.inputs {
            for (split, next) in name.char_indices().skip(1) {
                let (start, rest) = name.split_at(split);
                if !next.is_alphabetic() || !self.positions.contains_key(start) {
                    continue;
                }
                if self.positions.contains_key(rest) {
                    return ambiguous(name.clone(), &[start, rest], &[name]);
                }
                let mut longer = self.inputs.iter().filter_map(|longer| Some((longer, longer.strip_prefix(rest)?)));
                if let Some((longer, end)) = longer.find(|(_, end)| self.positions.contains_key(*end)) {
                    return ambiguous(format!("{name}{end}"), &[name, end], &[start, longer]);
                }
            }
        }
        Ok(())
    }

    /// The default names of inputs: x0, x1, ..
    pub fn default_inputs(count: usize) -> Vec<String> {
        (0..count).map(|i| format!("x{i}")).collect()
    }

    /// The default names of outputs: u, or u0, u1, .. where there are several.
    pub fn default_outputs(count: usize) -> Vec<String> {
        if count == 1 { vec!["u".to_owned()] } else { (0..count).map(|i| format!("u{i}")).collect() }
    }

    /// The names of the inputs.
    pub fn inputs(&self) -> &[String] {
        &self.inputs
    }

    /// The names of the outputs.
    pub fn outputs(&self) -> &[String] {
        &self.outputs
    }

    /// The text of the first derivative of an output by an input, such as `u_x`.
    pub fn first(&self, output: usize, input: usize) -> String {
        format!("{}_{}", self.outputs[output], self.inputs[input])
    }

    /// The text of a second derivative, such as `u_xy`.
    pub fn second(&self, output: usize, i: usize, j: usize) -> String {
        format!("{}_{}{}", self.outputs[output], self.inputs[i], self.inputs[j])
    }

    /// What the text after the underscore means.
    pub(super) fn derivative(&self, suffix: &str) -> Option<Derivative> {
        if let Some(&input) = self.positions.get(suffix) {
            return Some(Derivative::First(input));
        }
        suffix.char_indices().find_map(|(split, _)| {
            let (first, second) = suffix.split_at(split);
            Some(Derivative::second(*self.positions.get(first)?, *self.positions.get(second)?))
        })
    }
}

fn checked(names: Vec<String>) -> Result<Vec<String>, OperatorError> {
    let mut seen = HashSet::new();
    for name in &names {
        if !name.starts_with(char::is_alphabetic) || !name.chars().all(char::is_alphanumeric) {
            return Err(OperatorError::NotAName { name: name.clone() });
        }
        if !seen.insert(name) {
            return Err(OperatorError::Twice { name: name.clone() });
        }
    }
    Ok(names)
}
