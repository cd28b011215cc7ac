//! The part of a domain that a picture shows.

use tapeless::operator::Expression;
use tapeless::train::sampling::Domain;

use crate::cli::train::error::{At, KeyError, Keyed};
use crate::cli::train::file::File;
use crate::cli::train::texts::Texts;
use tapeless::picture;

/// One or two inputs that vary, and values of the others.
pub struct Slice {
    low: Vec<f64>,
    high: Vec<f64>,
    /// Values of all inputs, used where they are fixed.
    fixed: Vec<f64>,
    /// The inputs that vary.
    pub free: Vec<usize>,
}

impl Slice {
    /// Inputs that the file does not fix vary, up to two of them; the others lie in the middle.
    pub fn read(file: &File, texts: &Texts, domain: &Domain) -> Result<Self, Keyed> {
        let (low, high) = (domain.low().to_vec(), domain.high().to_vec());
        let mut fixed: Vec<f64> = low.iter().zip(&high).map(|(low, high)| low / 2.0 + high / 2.0).collect();
        let mut free: Vec<usize> = (0..fixed.len()).collect();
        for (name, value) in &file.picture.at {
            let key = format!("picture.at.{name}");
            let input = texts.input(name, &key)?;
            let value = texts.number(value, &key)?;
            domain.at(input, value).at(&key)?;
            fixed[input] = value;
            free.retain(|&free| free != input);
        }
        free.truncate(2);
        match free.is_empty() {
            true => Err(KeyError::value("at least one input that is not fixed", "none")).at("picture.at"),
            false => Ok(Self { low, high, fixed, free }),
        }
    }

    /// From where to where an input goes.
    pub fn bounds(&self, input: usize) -> (f64, f64) {
        (self.low[input], self.high[input])
    }

    /// So many values of an input, from one bound to the other.
    pub fn axis(&self, input: usize, count: usize) -> Vec<f64> {
        let (low, high) = self.bounds(input);
        let part = |k| k as f64 / (count - 1) as f64;
        (0..count).map(|k| low * (1.0 - part(k)) + high * part(k)).collect()
    }

    /// Rows of coordinates, `count` along each axis, the first axis fastest.
    pub fn points(&self, count: usize) -> Vec<f64> {
        let mut points = Vec::new();
        let first = self.axis(self.free[0], count);
        let second = self.free.get(1).map_or(vec![f64::NAN], |&input| self.axis(input, count));
        for &y in &second {
            for &x in &first {
                let row = points.len();
                points.extend_from_slice(&self.fixed);
                points[row + self.free[0]] = x;
                if let Some(&input) = self.free.get(1) {
                    points[row + input] = y;
                }
            }
        }
        points
    }

    /// A function at these points.
    pub fn evaluate(&self, count: usize, function: &Expression) -> Vec<f64> {
        self.points(count).chunks_exact(self.fixed.len()).map(|point| function.evaluate(point, &[])).collect()
    }

    /// The inputs that are fixed, for a title.
    pub fn words(&self, inputs: &[String]) -> String {
        let fixed = (0..inputs.len()).filter(|input| !self.free.contains(input));
        let words: Vec<String> =
            fixed.map(|input| format!("{} = {}", inputs[input], picture::label(self.fixed[input]))).collect();
        if words.is_empty() { String::new() } else { format!(" at {}", words.join(", ")) }
    }
}
