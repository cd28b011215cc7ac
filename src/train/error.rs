//! What can be wrong with a problem and its training.

use super::optimizer::OptimizerError;
use super::sampling::SamplingError;
use crate::evaluate::EvaluateError;
use crate::network::NetworkError;
use crate::operator::OperatorError;

/// Terms, points or parameters that do not fit, or memory that is not there.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum TrainError {
    /// Nothing to train on.
    #[error("a loss needs at least one term with at least one point")]
    NoTerms,
    /// A term whose residuals no weight can change.
    #[error("term \"{term}\": its residuals name no output, so there is nothing to train; name one, such as u or u_x")]
    NoOutput {
        /// The term.
        term: String,
    },
    /// A weight to start from that is not a finite number.
    #[error("weight {index} of the network is {value} at the start; only finite weights can be trained")]
    StartNotFinite {
        /// Which, in the order of [`Network::to_parameters`](crate::network::Network::to_parameters), counted from 0.
        index: usize,
        /// What it is.
        value: f64,
    },
    /// A step to weights that are not finite.
    #[error("step {step} would make weight {index} {value}; the weights are those before it. Take a smaller learning rate")]
    WeightNotFinite {
        /// The step.
        step: u64,
        /// Which weight, counted from 0.
        index: usize,
        /// What it would be.
        value: f64,
    },
    /// More candidates for new points than memory holds.
    #[error("term \"{term}\": {candidates} candidates for each of {points} points do not fit into memory; take fewer")]
    Candidates {
        /// The term.
        term: String,
        /// Candidates for each point.
        candidates: usize,
        /// Points of the term.
        points: usize,
    },
    /// Points or data of a term that are not whole rows, or not as many as the others.
    #[error("term \"{term}\": expected {expected} {what}, found {found}")]
    Count {
        /// The term.
        term: String,
        /// What was counted.
        what: &'static str,
        /// How many there should be.
        expected: usize,
        /// How many there are.
        found: usize,
    },
    /// A coordinate or a data value that is not a finite number.
    #[error("term \"{term}\": {what} {index} of point {point} is {value}; only finite numbers can be trained on")]
    NotFinite {
        /// The term.
        term: String,
        /// "coordinate" or "data value".
        what: &'static str,
        /// The point, counted from 0.
        point: usize,
        /// Which of its numbers, counted from 0.
        index: usize,
        /// What it is.
        value: f64,
    },
    /// A weight of a term that is negative or not finite.
    #[error("term \"{term}\": the weight is {weight}; take a finite number of at least 0")]
    Weight {
        /// The term.
        term: String,
        /// The weight.
        weight: f64,
    },
    /// A second derivative through an activation that has none.
    #[error(
        "term \"{term}\" has second derivatives, but those of {activation} are 0 almost everywhere, so it can't be trained; take a smooth activation such as tanh, silu or sin"
    )]
    NotSmooth {
        /// The term.
        term: String,
        /// The activation.
        activation: String,
    },
    /// A scaling of an input that is not a finite shift and a finite factor above 0.
    #[error("input {input} is scaled by shift {shift} and factor {factor}; the factor has to be finite and not 0")]
    Scaling {
        /// The input, counted from 0.
        input: usize,
        /// What is subtracted.
        shift: f64,
        /// What the difference is multiplied with.
        factor: f64,
    },
    /// Parameters or a gradient of the wrong length.
    #[error("the network has {expected} parameters, but there is room for {found} in \"{what}\"")]
    Parameters {
        /// "parameters" or "gradient".
        what: &'static str,
        /// Parameters of the network.
        expected: usize,
        /// Numbers given.
        found: usize,
    },
    /// An output transform for more inputs than there are numbers for.
    #[error(
        "an output transform takes up to {most} inputs, but the network has {found}; put conditions into the loss as terms"
    )]
    TransformInputs {
        /// How many there may be.
        most: usize,
        /// How many there are.
        found: usize,
    },
    /// A term that is not there.
    #[error("there is no term {index}; there are {count}")]
    NoSuchTerm {
        /// The number asked for, counted from 0.
        index: usize,
        /// How many there are.
        count: usize,
    },
    /// A network that does not fit together.
    #[error(transparent)]
    Network(#[from] NetworkError),
    /// An optimiser that cannot work with what it was given.
    #[error(transparent)]
    Optimizer(#[from] OptimizerError),
    /// Points that can't be drawn.
    #[error(transparent)]
    Sampling(#[from] SamplingError),
    /// A loss that is no number any more.
    #[error(
        "the loss is {loss} at step {step}; the run can't go on from here. Take a smaller learning rate, a limit on the gradient's norm, or check that the residuals are finite everywhere"
    )]
    Diverged {
        /// The step.
        step: u64,
        /// The loss.
        loss: f64,
    },
    /// Resampling of a term whose points carry data.
    #[error("term \"{term}\" has data at its points, so other points can't be drawn for it")]
    Resampling {
        /// The term.
        term: String,
    },
    /// An operator that does not fit the network.
    #[error("term \"{term}\": {source}")]
    Operator {
        /// The term.
        term: String,
        /// What is wrong.
        source: OperatorError,
    },
    /// Memory that is not there.
    #[error(transparent)]
    Memory(#[from] EvaluateError),
}
