//! The solution where it is known, and how far off the trained one is.

use std::str::FromStr;

use tapeless::evaluate::CpuReal;
use tapeless::operator::Expression;
use tapeless::train::sampling::{Domain, Sampling};
use tapeless::train::{TrainError, Trainer};

use super::data;
use super::error::{At, KeyError, Keyed};
use super::file::{Data, File, Number};
use super::texts::Texts;

/// Points that a known solution is compared at.
const POINTS: usize = 10_000;

/// A solution that is known for some outputs.
pub struct Exact<R> {
    /// Which outputs.
    pub outputs: Vec<usize>,
    /// The solution as functions of the inputs, one for each of these outputs; none where it is known at points only.
    pub functions: Vec<Expression>,
    /// Points to compare at, rows of coordinates.
    pub points: Vec<R>,
    /// The solution there, a row of these outputs for each point.
    pub values: Vec<f64>,
}

impl<R: CpuReal + FromStr> Exact<R> {
    /// What the problem says, if anything.
    pub fn read(file: &File, texts: &Texts, domain: &Domain) -> Result<Option<Self>, Keyed> {
        match (&file.exact, &file.reference) {
            (None, None) => Ok(None),
            (Some(functions), None) => Self::of_functions(functions, file.seed, texts, domain).map(Some),
            (None, Some(reference)) => Self::of_file(reference, texts).map(Some),
            (Some(_), Some(_)) => Err(KeyError::value("either exact or reference", "both")).at("exact"),
        }
    }

    fn of_functions(
        functions: &std::collections::BTreeMap<String, Number>,
        seed: u64,
        texts: &Texts,
        domain: &Domain,
    ) -> Result<Self, Keyed> {
        let mut outputs = Vec::new();
        let mut expressions = Vec::new();
        for (name, text) in functions {
            let key = format!("exact.{name}");
            outputs.push(texts.output(name, &key)?);
            expressions.push(texts.function(text, &key)?);
        }
        if outputs.is_empty() {
            return Err(KeyError::value("a solution for at least one output", "none")).at("exact");
        }
        let mut points = vec![R::zero(); POINTS * domain.dimensions()];
        Sampling::LatinHypercube.fill(domain, seed.wrapping_add(1), &mut points).at("exact")?;
        let values = points.chunks_exact(domain.dimensions()).flat_map(|point| {
            let point: Vec<f64> = point.iter().map(|x| x.to_f64().unwrap_or(f64::NAN)).collect();
            expressions.iter().map(move |expression| expression.evaluate(&point, &[])).collect::<Vec<f64>>()
        });
        let values: Vec<f64> = values.collect();
        check_finite(&values).at("exact")?;
        Ok(Self { outputs, functions: expressions, points, values })
    }

    fn of_file(reference: &Data, texts: &Texts) -> Result<Self, Keyed> {
        let data = data::read::<R>(texts, &reference.file, &reference.columns, "reference")?;
        let inputs = texts.names.inputs().len();
        let outputs = data.names.iter().map(|name| texts.output(name, "reference: columns"));
        let outputs = outputs.collect::<Result<Vec<_>, _>>()?;
        if outputs.is_empty() || data.rows.is_empty() {
            return Err(KeyError::value("at least one output at at least one point", "none")).at("reference");
        }
        let rows = || data.rows.chunks_exact(inputs + outputs.len());
        let points = rows().flat_map(|row| &row[..inputs]).copied().collect();
        let values: Vec<f64> = rows().flat_map(|row| &row[inputs..]).map(|x| x.to_f64().unwrap_or(f64::NAN)).collect();
        check_finite(&data.rows.iter().map(|x| x.to_f64().unwrap_or(f64::NAN)).collect::<Vec<_>>()).at("reference")?;
        Ok(Self { outputs, functions: Vec::new(), points, values })
    }

    /// The error of each of these outputs: the relative L2 error, or where the solution is 0 everywhere the root mean square.
    pub fn errors(&self, trainer: &mut Trainer<R>) -> Result<Vec<f64>, TrainError> {
        let found = trainer.outputs(&self.points)?;
        let width = found.len() / self.count();
        let error = |(column, &output): (usize, &usize)| {
            let found = found.iter().skip(output).step_by(width).map(|x| x.to_f64().unwrap_or(f64::NAN));
            let off = root_mean_square(found.zip(self.column(column)).map(|(found, known)| found - known));
            if self.is_zero(column) { off } else { off / root_mean_square(self.column(column)) }
        };
        Ok(self.outputs.iter().enumerate().map(error).collect())
    }

    /// Whether the solution of this column is 0 everywhere, so that no error is relative to it.
    pub fn is_zero(&self, column: usize) -> bool {
        self.column(column).all(|value| value == 0.0)
    }

    fn column(&self, column: usize) -> impl Iterator<Item = f64> + Clone {
        self.values.iter().skip(column).step_by(self.outputs.len()).copied()
    }

    /// How many points it is compared at.
    pub fn count(&self) -> usize {
        self.values.len() / self.outputs.len()
    }
}

fn check_finite(values: &[f64]) -> Result<(), KeyError> {
    match values.iter().find(|value| !value.is_finite()) {
        None => Ok(()),
        Some(value) => Err(KeyError::value("finite numbers everywhere", value.to_string())),
    }
}

/// Free of overflow.
fn root_mean_square(values: impl Iterator<Item = f64> + Clone) -> f64 {
    // Unlike `f64::max` it keeps what is no number.
    let largest = values.clone().map(f64::abs).fold(0.0, |most: f64, value| if most >= value { most } else { value });
    if largest == 0.0 || !largest.is_finite() {
        return largest;
    }
    let (count, sum) = values.fold((0.0, 0.0), |(count, sum), value| (count + 1.0, sum + (value / largest).powi(2)));
    largest * f64::sqrt(sum / count)
}
