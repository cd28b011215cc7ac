//! All that can end a command.

use tapeless::evaluate::EvaluateError;
use tapeless::evaluate::gpu::GpuError;
use tapeless::file::FileError;
use tapeless::network::import::ImportError;
use tapeless::network::{ActivationError, NetworkError};
use tapeless::operator::OperatorError;
use tapeless::train::TrainError;
use tapeless::train::sampling::SamplingError;

use super::names::NamesError;
use super::points::PointsError;
use super::report::ReportError;
use super::request::RequestError;
use super::results::ResultsError;
use super::train::ProblemError;

/// Why a command failed.
#[derive(Debug, thiserror::Error)]
pub enum CommandError {
    /// The model file.
    #[error(transparent)]
    Import(#[from] ImportError),
    /// The points file.
    #[error(transparent)]
    Points(#[from] PointsError),
    /// The output file.
    #[error(transparent)]
    Results(#[from] ResultsError),
    /// The place of the output file.
    #[error(transparent)]
    File(#[from] FileError),
    /// The report.
    #[error(transparent)]
    Report(#[from] ReportError),
    /// The names of inputs and outputs.
    #[error(transparent)]
    Names(#[from] NamesError),
    /// Neither the file nor the user says the activation.
    #[error(
        "{model}: the file does not say which activation its hidden layers have; give it with --activation, for example --activation tanh"
    )]
    NoActivation {
        /// The model file.
        model: String,
    },
    /// An activation's name.
    #[error("{origin}: {error}")]
    Activation {
        /// The flag, or the file and its metadata key.
        origin: String,
        /// What is wrong with it.
        error: ActivationError,
    },
    /// The network that the layers and activations make.
    #[error("{model}: {error}{}", if matches!(error, NetworkError::ActivationCount { .. }) { " (--activation)" } else { "" })]
    Network {
        /// The model file.
        model: String,
        /// What is wrong with it.
        error: NetworkError,
    },
    /// What is asked for.
    #[error(transparent)]
    Request(#[from] RequestError),
    /// Columns in another order than the inputs.
    #[error(
        "{points}: its columns are named {columns}, but the network's inputs are {inputs}, in this order; bring the columns into the order of the inputs"
    )]
    ColumnOrder {
        /// The points file.
        points: String,
        /// Names of its columns.
        columns: String,
        /// Names of the inputs.
        inputs: String,
    },
    /// The output would replace what is read.
    #[error("--out {out}: is the same file as {input}, which is read; choose another name")]
    OutIsInput {
        /// The output.
        out: String,
        /// The model or points.
        input: String,
    },
    /// The evaluation.
    #[error(transparent)]
    Evaluate(#[from] EvaluateError),
    /// The device.
    #[error(transparent)]
    Gpu(#[from] GpuError),
    /// The points that are drawn.
    #[error(transparent)]
    Sampling(#[from] SamplingError),
    /// The problem of a training.
    #[error(transparent)]
    Problem(Box<ProblemError>),
    /// The operator of `bench --train`.
    #[error("--train: {0}")]
    TrainOperator(OperatorError),
    /// A GPU for a training step.
    #[error("--device: training runs on the CPU, so --train can't be measured on a GPU; leave --device away")]
    TrainDevice,
    /// A training step that can't be measured.
    #[error("--train: {0}")]
    TrainStep(#[from] TrainError),
    /// Points that do not fit into memory.
    #[error("--batch {points}: this machine does not have the memory for so many points; give fewer")]
    Memory {
        /// How many.
        points: usize,
    },
    /// A network that does not fit into memory.
    #[error("--width and --layers: this machine does not have the memory for {weights} weights; give less")]
    NetworkMemory {
        /// How many.
        weights: usize,
    },
    /// The threads could not be started.
    #[error("{threads} threads could not be started: {error}; give fewer with --threads")]
    Threads {
        /// How many.
        threads: usize,
        /// What the system says.
        error: rayon::ThreadPoolBuildError,
    },
}

impl From<ProblemError> for CommandError {
    fn from(error: ProblemError) -> Self {
        Self::Problem(Box::new(error))
    }
}
