//! The state of an optimiser in parts that a file can hold.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::OptimizerError;
use crate::number::Real;

/// What an optimiser knows between two steps, by name: enough to go on with identical bits, together with its settings and
/// the parameters, which the caller keeps.
///
/// Numbers are to be saved bit by bit; text with fewer than 17 digits is not enough.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OptimizerState<'a, R: Real> {
    /// Whole numbers, such as the number of steps done.
    pub counts: BTreeMap<Cow<'a, str>, u64>,
    /// Single numbers.
    pub numbers: BTreeMap<Cow<'a, str>, f64>,
    /// Vectors of one or more numbers for each parameter.
    pub vectors: BTreeMap<Cow<'a, str>, Cow<'a, [R]>>,
}

impl<'a, R: Real> OptimizerState<'a, R> {
    pub(super) fn count(&self, part: &'static str) -> Result<u64, OptimizerError> {
        self.counts.get(part).copied().ok_or(OptimizerError::MissingState { part })
    }

    /// A vector taken out.
    pub(super) fn take(&mut self, part: &'static str, expected: usize) -> Result<Vec<R>, OptimizerError> {
        let vector = self.vectors.remove(part).ok_or(OptimizerError::MissingState { part })?;
        check_length(part, expected, vector.len())?;
        Ok(vector.into_owned())
    }
}

pub(super) fn check_length(what: &str, expected: usize, found: usize) -> Result<(), OptimizerError> {
    match expected == found {
        true => Ok(()),
        false => Err(OptimizerError::WrongLength { what: what.to_owned(), expected, found }),
    }
}
