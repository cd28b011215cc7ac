//! Residuals given as text.

use super::Residual;
use crate::number::Scalar;
use crate::operator::Expression;

/// A residual for each expression, on the quantities of all, one after another.
pub(super) struct Equations {
    expressions: Vec<Expression>,
}

impl Equations {
    pub fn new(expressions: Vec<Expression>) -> Self {
        Self { expressions }
    }
}

impl Residual for Equations {
    fn residuals(&self) -> usize {
        self.expressions.len()
    }

    fn evaluate<S: Scalar>(&self, point: &[S], u: &[S], residuals: &mut [S]) {
        let mut rest = u;
        for (residual, expression) in residuals.iter_mut().zip(&self.expressions) {
            let (quantities, following) = rest.split_at(expression.quantities().len().min(rest.len()));
            *residual = expression.evaluate(point, quantities);
            rest = following;
        }
    }
}
