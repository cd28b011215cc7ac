//! What can be wrong with a domain and with the points asked for.

/// A domain that is not one, or points that cannot be drawn from it.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SamplingError {
    /// Bounds that do not belong together, or none.
    #[error("{low} lower and {high} upper bounds; a domain has one of each for each dimension, and at least one dimension")]
    BoundCount {
        /// Lower bounds.
        low: usize,
        /// Upper bounds.
        high: usize,
    },
    /// Bounds in the wrong order, or not finite in the float type asked for.
    #[error("dimension {dimension} reaches from {low} to {high}; the bounds must be finite numbers, the lower first")]
    Bounds {
        /// The dimension, counted from 0.
        dimension: usize,
        /// Its lower bound.
        low: f64,
        /// Its upper bound.
        high: f64,
    },
    /// A dimension that the domain does not have.
    #[error("there is no dimension {dimension}; the domain has {dimensions}, counted from 0")]
    NoDimension {
        /// The dimension asked for.
        dimension: usize,
        /// How many there are.
        dimensions: usize,
    },
    /// No dimension to take faces of.
    #[error("no dimension is named whose faces are to be sampled; name at least one")]
    NoFaces,
    /// A coordinate that is not in the domain.
    #[error("{value} lies outside dimension {dimension}, which reaches from {low} to {high}")]
    Outside {
        /// The dimension, counted from 0.
        dimension: usize,
        /// The coordinate.
        value: f64,
        /// Lower bound of the dimension.
        low: f64,
        /// Its upper bound.
        high: f64,
    },
    /// Coordinates that are not whole points.
    #[error("{found} coordinates are not a whole number of points with {dimensions} dimensions")]
    Points {
        /// Dimensions of the domain.
        dimensions: usize,
        /// Coordinates found.
        found: usize,
    },
    /// Numbers of lines of a grid that do not belong to the domain, or a 0 among them.
    #[error("{counts:?} are not the numbers of grid lines in {dimensions} dimensions, each at least 1")]
    GridLines {
        /// What was given.
        counts: Vec<usize>,
        /// Dimensions of the domain.
        dimensions: usize,
    },
    /// Room for another number of points than the grid has.
    #[error("a grid of {counts:?} lines does not have {found} points")]
    GridSize {
        /// Lines in each dimension.
        counts: Vec<usize>,
        /// Points that there is room for.
        found: usize,
    },
    /// More dimensions than there are Sobol numbers for.
    #[error("Sobol points have at most {most} dimensions, the domain has {found}; take latin_hypercube")]
    TooManyDimensions {
        /// The most that there are.
        most: usize,
        /// Dimensions of the domain.
        found: usize,
    },
    /// Residuals and points that do not belong together.
    #[error("{residuals} residuals for {candidates} points; there must be one for each")]
    ResidualCount {
        /// Points to choose from.
        candidates: usize,
        /// Residuals.
        residuals: usize,
    },
    /// A residual that is infinite or no number.
    #[error("the residual of point {position} is {found}; points cannot be chosen by it")]
    Residual {
        /// The first such point, counted from 0.
        position: usize,
        /// Its residual.
        found: f64,
    },
    /// Fewer points than are to be chosen.
    #[error("{wanted} points are to be chosen from {candidates}; offer more")]
    TooFewCandidates {
        /// Points to choose from.
        candidates: usize,
        /// Points asked for.
        wanted: usize,
    },
    /// An exponent or an offset of the residuals out of its range.
    #[error("{setting} is {found}; it must be finite and at least 0")]
    Setting {
        /// Its name.
        setting: &'static str,
        /// What was given.
        found: f64,
    },
}
