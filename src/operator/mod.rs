//! Which derivatives: linear operators on the outputs of a network, in the notation of the field, and the plan of channels
//! that computes them.
//!
//! ```
//! use tapeless::operator::{Names, Operator};
//!
//! let names = Names::new(["x", "y", "t"], ["u"])?;
//! let heat = Operator::parse("u_t - 0.05*(u_xx + u_yy)", &names)?;
//! // The same, made in code: inputs and outputs by number.
//! let same = Operator::first(0, 2) - 0.05 * Operator::laplacian(0, [0, 1]);
//! assert_eq!(heat.terms(), same.terms());
//! # Ok::<(), tapeless::operator::OperatorError>(())
//! ```

mod cursor;
mod error;
mod expression;
mod names;
mod parse;
mod plan;

pub use error::OperatorError;
pub use expression::Expression;
pub use names::Names;
pub use plan::{Form, Plan, Readout};

use std::ops::{Add, Div, Mul, Neg, Sub};

/// A derivative of order zero to two, by inputs counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Derivative {
    /// The output itself.
    Value,
    /// By one input.
    First(usize),
    /// By two inputs, the lower number first.
    Second(usize, usize),
}

impl Derivative {
    /// The second derivative by two inputs in either order.
    pub fn second(i: usize, j: usize) -> Self {
        Self::Second(i.min(j), i.max(j))
    }
}

/// One derivative of one output, with its coefficient.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Term {
    /// The factor.
    pub coefficient: f64,
    /// Which output, counted from 0.
    pub output: usize,
    /// Which derivative of it.
    pub derivative: Derivative,
}

/// A sum of derivatives with coefficients, such as `u_t - 0.05*(u_xx + u_yy)`.
///
/// Its unit is that of its terms, which have to agree: a coefficient carries whatever unit makes them do so.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Operator {
    /// Ordered by output, then derivative; none twice.
    terms: Vec<Term>,
}

impl Operator {
    /// One derivative of one output.
    pub fn term(output: usize, derivative: Derivative) -> Self {
        Self { terms: vec![Term { coefficient: 1.0, output, derivative }] }
    }

    /// An output itself.
    pub fn value(output: usize) -> Self {
        Self::term(output, Derivative::Value)
    }

    /// The derivative of an output by an input.
    pub fn first(output: usize, input: usize) -> Self {
        Self::term(output, Derivative::First(input))
    }

    /// The derivative of an output by two inputs.
    pub fn second(output: usize, i: usize, j: usize) -> Self {
        Self::term(output, Derivative::second(i, j))
    }

    /// The sum of the second derivatives of an output by each of some inputs.
    pub fn laplacian(output: usize, inputs: impl IntoIterator<Item = usize>) -> Self {
        inputs.into_iter().fold(Self::default(), |sum, i| sum + Self::second(output, i, i))
    }

    /// Reads an operator: sums, differences, numbers times derivatives, brackets, `laplacian(u)` over all inputs and
    /// `laplacian(u, x, y)` over some.
    ///
    /// # Errors
    ///
    /// [`OperatorError::Syntax`] with the place in the text.
    pub fn parse(text: &str, names: &Names) -> Result<Self, OperatorError> {
        parse::parse(text, names)
    }

    /// The terms, ordered by output, then derivative; none twice.
    pub fn terms(&self) -> &[Term] {
        &self.terms
    }

    /// Adds a term to the one for the same derivative, if there is one.
    fn add_term(&mut self, term: Term) {
        let key = |term: &Term| (term.output, term.derivative);
        match self.terms.binary_search_by_key(&key(&term), key) {
            Ok(position) => self.terms[position].coefficient += term.coefficient,
            Err(position) => self.terms.insert(position, term),
        }
    }
}

impl Add for Operator {
    type Output = Self;

    fn add(mut self, other: Self) -> Self {
        other.terms.into_iter().for_each(|term| self.add_term(term));
        self
    }
}

impl Sub for Operator {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl Neg for Operator {
    type Output = Self;

    fn neg(self) -> Self {
        -1.0 * self
    }
}

impl Div<f64> for Operator {
    type Output = Self;

    fn div(mut self, divisor: f64) -> Self {
        self.terms.iter_mut().for_each(|term| term.coefficient /= divisor);
        self
    }
}

impl Mul<Operator> for f64 {
    type Output = Operator;

    fn mul(self, mut operator: Operator) -> Operator {
        operator.terms.iter_mut().for_each(|term| term.coefficient *= self);
        operator
    }
}
