//! The texts of a problem: numbers, functions of the inputs, residuals.

use std::path::PathBuf;

use tapeless::operator::{Expression, Names};

use super::error::{At, KeyError, Keyed};
use super::file::{File, Number};

/// What texts may name, and where files are looked for.
pub struct Texts {
    /// The inputs and outputs.
    pub names: Names,
    constants: Vec<(String, f64)>,
    folder: PathBuf,
}

impl Texts {
    /// From a problem file that lies in `folder`.
    pub fn read(file: &File, folder: PathBuf) -> Result<Self, Keyed> {
        for (key, names) in [("inputs", &file.inputs), ("outputs", &file.outputs)] {
            if names.is_empty() {
                return Err(KeyError::value("at least one name", "none")).at(key);
            }
        }
        let names = Names::new(file.inputs.clone(), file.outputs.clone()).at("inputs and outputs")?;
        let mut texts = Self { names, constants: Vec::new(), folder };
        let constants = file.constants.iter().map(|(name, number)| {
            let key = format!("constants.{name}");
            // For its name, which must not be taken.
            Expression::parse("0", &texts.names, &[], &[(name, 0.0)]).at(&key)?;
            Ok((name.clone(), texts.number(number, &key)?))
        });
        texts.constants = constants.collect::<Result<_, _>>()?;
        Ok(texts)
    }

    /// A file that the problem names.
    pub fn path(&self, path: &PathBuf) -> PathBuf {
        self.folder.join(path)
    }

    /// The position of an input.
    pub fn input(&self, name: &str, key: &str) -> Result<usize, Keyed> {
        position(self.names.inputs(), name, "inputs").at(key)
    }

    /// The position of an output.
    pub fn output(&self, name: &str, key: &str) -> Result<usize, Keyed> {
        position(self.names.outputs(), name, "outputs").at(key)
    }

    /// A number.
    pub fn number(&self, number: &Number, key: &str) -> Result<f64, Keyed> {
        let expression = self.function(number, key)?;
        match expression.evaluate::<f64>(&[], &[]) {
            value if value.is_finite() => Ok(value),
            value => Err(KeyError::value("a finite number that no input is part of", found(number, value))).at(key),
        }
    }

    /// A function of the inputs.
    pub fn function(&self, number: &Number, key: &str) -> Result<Expression, Keyed> {
        let expression = match number {
            Number::Plain(number) if !number.is_finite() => {
                return Err(KeyError::NotFinite { found: number.to_string() }).at(key);
            }
            Number::Plain(number) => self.residual(&number.to_string(), &[], key)?,
            Number::Text(text) => self.residual(text, &[], key)?,
        };
        match expression.quantities() {
            [] => Ok(expression),
            _ => {
                let outputs = self.names.outputs().join(", ");
                Err(KeyError::value(format!("a text without {outputs}"), found(number, f64::NAN))).at(key)
            }
        }
    }

    /// A residual, on data with these names.
    pub fn residual(&self, text: &str, data: &[&str], key: &str) -> Result<Expression, Keyed> {
        let constants: Vec<(&str, f64)> = self.constants.iter().map(|(name, value)| (name.as_str(), *value)).collect();
        Expression::parse(text, &self.names, data, &constants).at(key)
    }
}

fn found(number: &Number, value: f64) -> String {
    match number {
        Number::Plain(_) => value.to_string(),
        Number::Text(text) => format!("\"{text}\""),
    }
}

fn position(names: &[String], name: &str, what: &str) -> Result<usize, KeyError> {
    let position = names.iter().position(|known| known == name);
    position.ok_or_else(|| KeyError::value(format!("one of the {what} {}", names.join(", ")), format!("\"{name}\"")))
}
