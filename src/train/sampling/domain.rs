//! Boxes.

use super::SamplingError;
use crate::number::Real;

/// A box with sides along the axes. A dimension whose bounds are equal is a fixed coordinate.
#[derive(Clone, Debug, PartialEq)]
pub struct Domain {
    low: Vec<f64>,
    high: Vec<f64>,
}

/// One of the two faces of a box across a dimension.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// At the lower bound.
    Low,
    /// At the upper bound.
    High,
}

impl Domain {
    /// A box from its lower and upper bounds, one of each for each dimension.
    ///
    /// # Errors
    ///
    /// [`SamplingError::BoundCount`]; [`SamplingError::Bounds`] for a lower bound above the upper one, or one that is not finite.
    pub fn new(low: impl Into<Vec<f64>>, high: impl Into<Vec<f64>>) -> Result<Self, SamplingError> {
        let (low, high) = (low.into(), high.into());
        if low.len() != high.len() || low.is_empty() {
            return Err(SamplingError::BoundCount { low: low.len(), high: high.len() });
        }
        for (dimension, (&low, &high)) in low.iter().zip(&high).enumerate() {
            if !low.is_finite() || !high.is_finite() || low > high {
                return Err(SamplingError::Bounds { dimension, low, high });
            }
        }
        Ok(Self { low, high })
    }

    /// How many dimensions it has.
    pub fn dimensions(&self) -> usize {
        self.low.len()
    }

    /// The lower bounds.
    pub fn low(&self) -> &[f64] {
        &self.low
    }

    /// The upper bounds.
    pub fn high(&self) -> &[f64] {
        &self.high
    }

    /// The part of the box where one coordinate has this value, such as the time of an initial condition.
    ///
    /// # Errors
    ///
    /// [`SamplingError::NoDimension`]; [`SamplingError::Outside`] for a value that is not within the bounds.
    pub fn at(&self, dimension: usize, value: f64) -> Result<Self, SamplingError> {
        let (low, high) = self.bounds(dimension)?;
        if !(low..=high).contains(&value) {
            return Err(SamplingError::Outside { dimension, value, low, high });
        }
        Ok(self.clone().fixed(dimension, value))
    }

    /// One face of the box.
    ///
    /// # Errors
    ///
    /// [`SamplingError::NoDimension`]
    pub fn face(&self, dimension: usize, side: Side) -> Result<Self, SamplingError> {
        let (low, high) = self.bounds(dimension)?;
        let value = match side {
            Side::Low => low,
            Side::High => high,
        };
        Ok(self.clone().fixed(dimension, value))
    }

    fn fixed(mut self, dimension: usize, value: f64) -> Self {
        (self.low[dimension], self.high[dimension]) = (value, value);
        self
    }

    fn bounds(&self, dimension: usize) -> Result<(f64, f64), SamplingError> {
        let no_dimension = SamplingError::NoDimension { dimension, dimensions: self.dimensions() };
        self.low.get(dimension).copied().zip(self.high.get(dimension).copied()).ok_or(no_dimension)
    }

    /// The coordinate at a part of the way from the lower bound (0) to the upper one (1).
    pub(super) fn coordinate<R: Real>(&self, dimension: usize, part: f64) -> R {
        let (low, high) = (self.low[dimension], self.high[dimension]);
        // Neither overflows, as high - low can, nor leaves the bounds by rounding.
        R::literal((low * (1.0 - part) + high * part).clamp(low, high))
    }

    /// How many points fill a slice.
    pub(super) fn points<R: Real>(&self, coordinates: &[R]) -> Result<usize, SamplingError> {
        let dimensions = self.dimensions();
        if !coordinates.len().is_multiple_of(dimensions) {
            return Err(SamplingError::Points { dimensions, found: coordinates.len() });
        }
        for (dimension, (&low, &high)) in self.low.iter().zip(&self.high).enumerate() {
            if !R::literal(low).is_finite() || !R::literal(high).is_finite() {
                return Err(SamplingError::Bounds { dimension, low, high });
            }
        }
        Ok(coordinates.len() / dimensions)
    }
}
