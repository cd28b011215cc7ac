//! Names of inputs and outputs, and the texts of the derivatives that can be made of them.

use std::collections::HashMap;

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
    /// What may follow the underscore, and what it means.
    suffixes: HashMap<String, Derivative>,
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
        let mut suffixes = HashMap::new();
        let mut see = |text: String, derivative: Derivative| match suffixes.insert(text.clone(), derivative) {
            Some(other) if other != derivative => Err(OperatorError::Ambiguous {
                text: format!("{}_{text}", outputs.first().map_or("", String::as_str)),
                first: meaning(other, &inputs),
                second: meaning(derivative, &inputs),
            }),
            _ => Ok(()),
        };
        for (i, first) in inputs.iter().enumerate() {
            see(first.clone(), Derivative::First(i))?;
            for (j, second) in inputs.iter().enumerate() {
                see(format!("{first}{second}"), Derivative::second(i, j))?;
            }
        }
        Ok(Self { inputs, outputs, suffixes })
    }

    /// The default names: x0, x1, .. and u, or u0, u1, .. where there are several outputs.
    ///
    /// # Errors
    ///
    /// None that can occur: these names are never ambiguous.
    pub fn numbered(inputs: usize, outputs: usize) -> Result<Self, OperatorError> {
        let numbered = |letter: &str, count: usize| (0..count).map(|i| format!("{letter}{i}")).collect::<Vec<_>>();
        Self::new(numbered("x", inputs), if outputs == 1 { vec!["u".to_owned()] } else { numbered("u", outputs) })
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
        self.suffixes.get(suffix).copied()
    }
}

fn meaning(derivative: Derivative, inputs: &[String]) -> String {
    match derivative {
        Derivative::Value => "the value".to_owned(),
        Derivative::First(i) => format!("the derivative by {}", inputs[i]),
        Derivative::Second(i, j) => format!("the derivative by {} and {}", inputs[i], inputs[j]),
    }
}

fn checked(names: Vec<String>) -> Result<Vec<String>, OperatorError> {
    for (position, name) in names.iter().enumerate() {
        if !name.starts_with(char::is_alphabetic) || !name.chars().all(char::is_alphanumeric) {
            return Err(OperatorError::NotAName { name: name.clone() });
        }
        if names[..position].contains(name) {
            return Err(OperatorError::Twice { name: name.clone() });
        }
    }
    Ok(names)
}
