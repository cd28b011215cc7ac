//! One term of a loss: points, and the residuals that are to vanish there.

use super::TrainError;
use super::equations::Equations;
use super::residual::{Linearize, MOST, Residual};
use crate::evaluate::CpuReal;
use crate::operator::{Expression, Operator};

/// Points with a residual: a differential equation inside a domain, a boundary or initial condition, measurements.
///
/// The loss of a term is its weight times the mean over its points of the sum of squared residuals. A residual is written on
/// quantities, which are operators on the outputs: for `u_t + u*u_x - nu*u_xx` the quantities may be u, u_t, u_x, u_xx, or,
/// cheaper, u, u_x and `u_t - nu*u_xx`, since a linear operator is carried as one channel.
///
/// ```
/// use tapeless::{operator::{Names, Operator}, residual, train::Term};
///
/// let names = Names::new(["x", "t"], ["u"])?;
/// let operators = ["u", "u_x", "u_t - 0.01*u_xx"].map(|text| Operator::parse(text, &names));
/// let operators = operators.into_iter().collect::<Result<Vec<_>, _>>()?;
/// let points = vec![0.5, 0.0, 0.25, 0.5];
/// let equation = Term::new("equation", operators, residual!(|x: &[S], u: &[S]| u[0] * u[1] + u[2]), points);
/// # let _: Term<f64> = equation;
/// # Ok::<(), tapeless::operator::OperatorError>(())
/// ```
pub struct Term<R> {
    pub(super) name: String,
    pub(super) weight: f64,
    pub(super) operators: Vec<Operator>,
    pub(super) residual: Box<dyn Linearize<R>>,
    /// Rows of coordinates and data.
    pub(super) points: Vec<R>,
    /// Data values of each point.
    pub(super) data: usize,
}

impl<R: CpuReal> Term<R> {
    /// A term of weight 1, whose points are rows of coordinates.
    pub fn new(
        name: impl Into<String>,
        operators: Vec<Operator>,
        residual: impl Residual + 'static,
        points: Vec<R>,
    ) -> Self {
        Self { name: name.into(), weight: 1.0, operators, residual: Box::new(residual), points, data: 0 }
    }

    /// A term of weight 1 from residuals as text, see [`Expression`].
    ///
    /// ```
    /// use tapeless::{operator::{Expression, Names}, train::Term};
    ///
    /// let names = Names::new(["x", "t"], ["u"])?;
    /// let burgers = Expression::parse("u_t + u*u_x - nu*u_xx", &names, &[], &[("nu", 0.01)])?;
    /// let equation = Term::of_expressions("equation", vec![burgers], vec![0.5, 0.0, 0.25, 0.5]);
    /// # let _: Term<f64> = equation;
    /// # Ok::<(), tapeless::operator::OperatorError>(())
    /// ```
    pub fn of_expressions(name: impl Into<String>, expressions: Vec<Expression>, points: Vec<R>) -> Self {
        let operators = expressions.iter().flat_map(Expression::quantities).cloned().collect();
        Self::new(name, operators, Equations::new(expressions), points)
    }

    /// With a factor on its part of the loss.
    #[must_use]
    pub fn with_weight(self, weight: f64) -> Self {
        Self { weight, ..self }
    }

    /// With `data` values behind the coordinates of each point, such as what was measured there.
    #[must_use]
    pub fn with_data(self, data: usize) -> Self {
        Self { data, ..self }
    }

    /// Checks everything that can be wrong with it, for a network of so many inputs.
    pub(super) fn check(&self, inputs: usize) -> Result<(), TrainError> {
        let term = || self.name.clone();
        if !(self.weight.is_finite() && self.weight >= 0.0) {
            return Err(TrainError::Weight { term: term(), weight: self.weight });
        }
        if self.operators.is_empty() {
            return Err(TrainError::NoOutput { term: term() });
        }
        let counts = [
            ("residuals at most", self.residual.residuals()),
            ("quantities at most", self.operators.len()),
            ("coordinates and data values of a point at most", self.width(inputs)),
        ];
        if let Some((what, found)) = counts.into_iter().find(|&(_, count)| count > MOST) {
            return Err(TrainError::Count { term: term(), what, expected: MOST, found });
        }
        self.check_points(&self.points, inputs)
    }

    /// Checks points before they are taken.
    pub(super) fn check_points(&self, points: &[R], inputs: usize) -> Result<(), TrainError> {
        let width = self.width(inputs);
        let rest = points.len() % width;
        if rest != 0 {
            let what = "coordinates and data values in the last row of points";
            return Err(TrainError::Count { term: self.name.clone(), what, expected: width, found: rest });
        }
        match points.iter().position(|number| !number.is_finite()) {
            None => Ok(()),
            Some(position) => {
                let index = position % width;
                let (what, index) = if index < inputs { ("coordinate", index) } else { ("data value", index - inputs) };
                let value = points[position].to_f64().unwrap_or(f64::NAN);
                Err(TrainError::NotFinite { term: self.name.clone(), what, point: position / width, index, value })
            }
        }
    }

    /// Numbers of a point: coordinates and data.
    pub(super) fn width(&self, inputs: usize) -> usize {
        inputs + self.data
    }
}
