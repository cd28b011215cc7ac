//! What can be wrong with a problem and its run.

use std::io;
use std::path::{Path, PathBuf};

use tapeless::file::FileError;
use tapeless::network::export::ExportError;
use tapeless::network::import::ImportError;
use tapeless::network::{ActivationError, InitializationError, NetworkError};
use tapeless::operator::OperatorError;
use tapeless::picture::PictureError;
use tapeless::train::optimizer::OptimizerError;
use tapeless::train::sampling::SamplingError;
use tapeless::train::{CheckpointError, TrainError};

use super::data;
use crate::cli::points::PointsError;

/// Why a problem could not be trained.
#[derive(Debug, thiserror::Error)]
pub enum ProblemError {
    /// The problem file can't be read.
    #[error("{}: can't be read: {source}", .path.display())]
    Read {
        /// The problem file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// It is no TOML, or something in it is not known, missing or of the wrong type.
    #[error("{}: {message}", .path.display())]
    Syntax {
        /// The problem file.
        path: PathBuf,
        /// Where and what, with the line.
        message: String,
    },
    /// A key whose value can't be used.
    #[error("{}: {}: {}", .path.display(), .keyed.key, .keyed.error)]
    Key {
        /// The problem file.
        path: PathBuf,
        /// The key and why.
        keyed: Keyed,
    },
    /// Parts that do not fit together, or a run that can't go on.
    #[error("{}: {error}{hint}", .path.display())]
    Train {
        /// The problem file.
        path: PathBuf,
        /// Why; in a box, since it is rare and large.
        error: Box<TrainError>,
        /// Where the last checkpoint is.
        hint: String,
    },
    /// The folder of the results.
    #[error("{}: {problem}", .folder.display())]
    Folder {
        /// The folder.
        folder: PathBuf,
        /// What is wrong with it.
        problem: FolderProblem,
    },
    /// A checkpoint that can't be written or read.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    /// A result that can't be written.
    #[error(transparent)]
    File(#[from] FileError),
    /// A network that can't be written.
    #[error(transparent)]
    Export(#[from] ExportError),
    /// A picture.
    #[error(transparent)]
    Picture(#[from] PictureError),
    /// The handlers of signals can't be set.
    #[error("the program can't listen for signals: {0}")]
    Signals(io::Error),
}

impl ProblemError {
    /// Parts of a problem file that do not fit together.
    pub fn train(path: &Path, error: TrainError) -> Self {
        Self::Train { path: path.to_owned(), error: Box::new(error), hint: String::new() }
    }
}

/// What can be wrong with the folder of the results.
#[derive(Debug, thiserror::Error)]
pub enum FolderProblem {
    /// Nothing with that name can be a folder.
    #[error("is not a folder; name another with --out")]
    NotAFolder,
    /// It can't be made, or a file in it can't be used.
    #[error("{what}: {source}; name another folder with --out")]
    System {
        /// What was tried.
        what: String,
        /// What the system says.
        source: io::Error,
    },
    /// There is a run in it.
    #[error("holds a run already; go on with it by --resume, replace it by --overwrite, or name another folder with --out")]
    HoldsRun,
    /// Files that are no run's, but have the names of results.
    #[error("holds {}, which this run would replace; name another folder with --out, or replace them by --overwrite", .names.join(", "))]
    HoldsFiles {
        /// The files.
        names: Vec<String>,
    },
    /// A folder, or a device, has the name of a result.
    #[error("{name} is not a file, so no result can be written there; name another folder with --out")]
    NotAFile {
        /// The name.
        name: String,
    },
    /// A file that the problem reads would be replaced.
    #[error("{key} reads {name} in it, which this run would replace; name another folder with --out")]
    Reads {
        /// The file.
        name: String,
        /// The key that names it.
        key: String,
    },
    /// There is a run in it that can't be gone on with.
    #[error("holds no checkpoint to go on from; start the run anew with --overwrite instead of --resume")]
    NoCheckpoint,
    /// There is no run in it.
    #[error("holds no run to resume; leave --resume away to start one")]
    NoRun,
    /// There is a run of another problem in it.
    #[error(
        "holds a run of another problem, which differs in {}; take that problem, or another folder with --out", .keys.join(", ")
    )]
    OtherRun {
        /// The keys that differ.
        keys: Vec<String>,
    },
    /// A checkpoint of another run in it.
    #[error(
        "checkpoint.safetensors is of another run: {}; take what that run was started with, or another folder with --out",
        .reasons.join("; ")
    )]
    OtherCheckpoint {
        /// What differs.
        reasons: Vec<String>,
    },
    /// A program is at work in it.
    #[error("another program is training in it; wait for it, or name another folder with --out")]
    Busy,
    /// A history that is not that of this run.
    #[error("history.csv has the columns {found}, but this run has {expected}; name another folder with --out")]
    History {
        /// The columns of this run.
        expected: String,
        /// The columns found.
        found: String,
    },
}

/// A key and what is wrong with its value.
#[derive(Debug)]
pub struct Keyed {
    /// Such as `domain.x`.
    pub key: String,
    /// What is wrong; in a box, since it is rare and large.
    pub error: Box<KeyError>,
}

/// What can be wrong with the value of a key.
#[derive(Debug, thiserror::Error)]
pub enum KeyError {
    /// A text, or a name in one.
    #[error(transparent)]
    Operator(#[from] OperatorError),
    /// A domain or points in it.
    #[error(transparent)]
    Sampling(#[from] SamplingError),
    /// An activation.
    #[error(transparent)]
    Activation(#[from] ActivationError),
    /// An initialisation.
    #[error(transparent)]
    Initialization(#[from] InitializationError),
    /// A network.
    #[error(transparent)]
    Network(#[from] NetworkError),
    /// A file with weights.
    #[error(transparent)]
    Import(#[from] ImportError),
    /// A file with points.
    #[error("{}: {}", .0.path.display(), data::told(&.0.problem))]
    Points(#[from] PointsError),
    /// Settings of an optimiser.
    #[error(transparent)]
    Optimizer(#[from] OptimizerError),
    /// A number that is infinite or none.
    #[error("must be finite, but is {found}")]
    NotFinite {
        /// What it is.
        found: String,
    },
    /// Anything else.
    #[error("expected {expected}, found {found}")]
    Value {
        /// What it should be.
        expected: String,
        /// What it is.
        found: String,
    },
}

impl KeyError {
    /// From words.
    pub fn value(expected: impl Into<String>, found: impl Into<String>) -> Self {
        Self::Value { expected: expected.into(), found: found.into() }
    }
}

/// Names the key that an error is at.
pub trait At<T> {
    /// The error with its key.
    fn at(self, key: impl Into<String>) -> Result<T, Keyed>;
}

impl<T, E: Into<KeyError>> At<T> for Result<T, E> {
    fn at(self, key: impl Into<String>) -> Result<T, Keyed> {
        self.map_err(|error| Keyed { key: key.into(), error: Box::new(error.into()) })
    }
}
