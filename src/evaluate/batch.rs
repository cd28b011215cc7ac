//! What is asked for at each point, and the arrays that hold it.

use super::EvaluateError;
use crate::number::Real;

/// What to compute at each point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Derivatives {
    /// The outputs themselves.
    pub value: bool,
    /// Their first derivatives by every input.
    pub gradient: bool,
    /// Their second derivatives by every pair of inputs.
    pub hessian: bool,
}

impl Derivatives {
    /// Value, gradient and Hessian.
    pub const ALL: Self = Self { value: true, gradient: true, hessian: true };
    /// The value alone.
    pub const VALUE: Self = Self { value: true, gradient: false, hessian: false };
    /// Value and gradient.
    pub const GRADIENT: Self = Self { value: true, gradient: true, hessian: false };

    /// Numbers per point of each of the results; 0 for one that is not asked for.
    fn widths(self, inputs: usize, outputs: usize, operators: usize) -> [usize; 4] {
        let width = |asked: bool, width: usize| if asked { width } else { 0 };
        [
            width(self.value, outputs),
            width(self.gradient, outputs * inputs),
            width(self.hessian, outputs * inputs * inputs),
            operators,
        ]
    }
}

/// The results of a batch of points as plain row-major arrays. A result that was not asked for is empty.
///
/// The unit of a derivative is that of the output over that of the input, or of the two inputs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Batch<R> {
    points: usize,
    inputs: usize,
    outputs: usize,
    widths: [usize; 4],
    /// Shape (points, outputs).
    pub value: Vec<R>,
    /// Shape (points, outputs, inputs).
    pub gradient: Vec<R>,
    /// Shape (points, outputs, inputs, inputs), full and symmetric.
    pub hessian: Vec<R>,
    /// Shape (points, operators).
    pub operators: Vec<R>,
}

impl<R: Real> Batch<R> {
    /// An empty batch, to be filled by [`Evaluator::evaluate_into`](super::Evaluator::evaluate_into).
    pub fn new() -> Self {
        Self::default()
    }

    /// Number of points.
    pub fn points(&self) -> usize {
        self.points
    }

    /// Number of inputs of the network.
    pub fn inputs(&self) -> usize {
        self.inputs
    }

    /// Number of outputs of the network.
    pub fn outputs(&self) -> usize {
        self.outputs
    }

    /// Makes room for the results of `points` points; allocates only where there was less room before. Numbers that were
    /// there stay until they are overwritten.
    ///
    /// # Errors
    ///
    /// [`EvaluateError::OutOfMemory`] where the memory can't be had.
    pub fn resize(
        &mut self,
        points: usize,
        inputs: usize,
        outputs: usize,
        derivatives: Derivatives,
        operators: usize,
    ) -> Result<(), EvaluateError> {
        let widths = derivatives.widths(inputs, outputs, operators);
        let results = [&mut self.value, &mut self.gradient, &mut self.hessian, &mut self.operators];
        for (result, width) in results.into_iter().zip(widths) {
            let bytes = points as u128 * width as u128 * size_of::<R>() as u128;
            let error = || EvaluateError::OutOfMemory { points, bytes };
            let length = points.checked_mul(width).ok_or_else(error)?;
            result.try_reserve_exact(length.saturating_sub(result.len())).map_err(|_| error())?;
            result.resize(length, R::zero());
        }
        (self.points, self.inputs, self.outputs, self.widths) = (points, inputs, outputs, widths);
        Ok(())
    }

    /// All rows, to be written.
    pub fn rows(&mut self) -> Rows<'_, R> {
        self.rows_between(0, self.points)
    }

    /// The rows from `start` up to `end`, to be written; cut to the rows that there are.
    pub fn rows_between(&mut self, start: usize, end: usize) -> Rows<'_, R> {
        let end = end.min(self.points);
        let start = start.min(end);
        let [value, gradient, hessian, operators] = self.widths;
        Rows {
            value: self.value.get_mut(start * value..end * value).unwrap_or_default(),
            gradient: self.gradient.get_mut(start * gradient..end * gradient).unwrap_or_default(),
            hessian: self.hessian.get_mut(start * hessian..end * hessian).unwrap_or_default(),
            operators: self.operators.get_mut(start * operators..end * operators).unwrap_or_default(),
        }
    }
}

/// Memory of the caller's for the results of some points, each row-major as in [`Batch`]; empty where not asked for.
#[derive(Debug)]
pub struct Rows<'a, R> {
    /// Shape (points, outputs).
    pub value: &'a mut [R],
    /// Shape (points, outputs, inputs).
    pub gradient: &'a mut [R],
    /// Shape (points, outputs, inputs, inputs).
    pub hessian: &'a mut [R],
    /// Shape (points, operators).
    pub operators: &'a mut [R],
}

impl<'a, R: Real> Rows<'a, R> {
    /// Checks the lengths for that many points.
    pub(super) fn check(
        &self,
        points: usize,
        inputs: usize,
        outputs: usize,
        derivatives: Derivatives,
        operators: usize,
    ) -> Result<(), EvaluateError> {
        let results = [
            ("value", self.value.len()),
            ("gradient", self.gradient.len()),
            ("hessian", self.hessian.len()),
            ("operators", self.operators.len()),
        ];
        for ((what, found), width) in results.into_iter().zip(derivatives.widths(inputs, outputs, operators)) {
            let expected = points.saturating_mul(width);
            if found != expected {
                return Err(EvaluateError::Results { what, expected, found });
            }
        }
        Ok(())
    }

    /// The first `points` rows of `total`, and the rest.
    pub(super) fn split(self, points: usize, total: usize) -> (Rows<'a, R>, Rows<'a, R>) {
        let halves = |result: &'a mut [R]| {
            let length = result.len() / total * points;
            result.split_at_mut(length)
        };
        let (value, value_rest) = halves(self.value);
        let (gradient, gradient_rest) = halves(self.gradient);
        let (hessian, hessian_rest) = halves(self.hessian);
        let (operators, operators_rest) = halves(self.operators);
        (
            Rows { value, gradient, hessian, operators },
            Rows { value: value_rest, gradient: gradient_rest, hessian: hessian_rest, operators: operators_rest },
        )
    }
}
