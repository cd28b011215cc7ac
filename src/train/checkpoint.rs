//! Checkpoints: a run in a file, to go on with identical bits.
//!
//! The file is a safetensors file: `parameters`, `optimizer.*`, `points.*`, and in its metadata the counts. It takes its place
//! at once, when it is complete and on the disk, so that a run that is killed leaves the last one whole.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use safetensors::tensor::{Dtype, SafeTensors, TensorView};

use super::optimizer::OptimizerState;
use super::trainer::Snapshot;
use super::{TrainError, Trainer};
use crate::evaluate::CpuReal;
use crate::file::{self, FileError};

/// What can be wrong with a checkpoint.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CheckpointError {
    /// A file that can't be read.
    #[error("the checkpoint {} can't be read: {source}", .path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// A file that can't be written; the one before it, if any, is as it was.
    #[error(transparent)]
    Write(#[from] FileError),
    /// A run that does not fit the format.
    #[error("the checkpoint {} can't be written: {problem}", .path.display())]
    Encode {
        /// The file.
        path: PathBuf,
        /// Why.
        problem: String,
    },
    /// A file that is not a checkpoint, or a damaged one.
    #[error("{} is not a whole checkpoint: {problem}", .path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        problem: String,
    },
    /// A checkpoint of another run.
    #[error(
        "the checkpoint {} is of another run, so it can't be gone on with\n  there: {found}\n  here:  {expected}\ntake the settings of that run, or another place for checkpoints",
        .path.display()
    )]
    OtherRun {
        /// The file.
        path: PathBuf,
        /// The run at hand.
        expected: String,
        /// The run of the checkpoint.
        found: String,
    },
    /// A checkpoint whose numbers do not fit the run.
    #[error("the checkpoint {} does not fit: {source}", .path.display())]
    Unfit {
        /// The file.
        path: PathBuf,
        /// Why.
        source: Box<TrainError>,
    },
}

const FORMAT: (&str, &str) = ("format", "tapeless-checkpoint-1");
const CHECKSUM: &str = "checksum";
const RUN: &str = "run";
const COUNT: &str = "optimizer.count.";
const NUMBER: &str = "optimizer.number.";
const VECTOR: &str = "optimizer.";
const POINTS: &str = "points.";
const PARAMETERS: &str = "parameters";

impl<R: CpuReal> Trainer<R> {
    /// Writes the run as it is. The file takes the place of one that is there only once it is complete and on the disk.
    ///
    /// # Errors
    ///
    /// [`CheckpointError::Write`], [`CheckpointError::Encode`].
    pub fn save(&self, path: &Path) -> Result<(), CheckpointError> {
        let snapshot = self.snapshot();
        let mut metadata: HashMap<String, String> = [
            (FORMAT.0.to_owned(), FORMAT.1.to_owned()),
            (RUN.to_owned(), self.description()),
            ("step".to_owned(), snapshot.step.to_string()),
            ("stage".to_owned(), snapshot.stage.to_string()),
            ("steps_in_stage".to_owned(), snapshot.steps_in_stage.to_string()),
            ("arrived".to_owned(), u8::from(snapshot.arrived).to_string()),
        ]
        .into();
        let OptimizerState { counts, numbers, vectors } = &snapshot.optimizer;
        metadata.extend(counts.iter().map(|(name, count)| (format!("{COUNT}{name}"), count.to_string())));
        // Bit by bit, so that nothing is rounded.
        metadata.extend(numbers.iter().map(|(name, x)| (format!("{NUMBER}{name}"), format!("{:016x}", x.to_bits()))));
        let mut tensors: Vec<(String, Vec<u8>)> = vec![(PARAMETERS.to_owned(), R::to_bytes(snapshot.parameters))];
        tensors.extend(vectors.iter().map(|(name, vector)| (format!("{VECTOR}{name}"), R::to_bytes(vector))));
        tensors.extend(snapshot.points.iter().map(|(term, points)| (format!("{POINTS}{term}"), R::to_bytes(points))));

        let parts = tensors.iter().map(|(name, bytes)| (name.as_str(), bytes.as_slice()));
        metadata.insert(CHECKSUM.to_owned(), checksum(&metadata, parts));
        let views = tensors.iter().map(|(name, bytes)| {
            let view = TensorView::new(dtype::<R>(), vec![bytes.len() / size_of::<R>()], bytes);
            view.map(|view| (name, view))
        });
        let bytes = views
            .collect::<Result<Vec<_>, _>>()
            .and_then(|views| safetensors::serialize(views, Some(metadata)))
            .map_err(|error| CheckpointError::Encode { path: path.to_owned(), problem: error.to_string() })?;
        file::replace(path, |mut file| file.write_all(&bytes))?;
        Ok(())
    }

    /// Goes on from a checkpoint of the same run, with identical bits. Where that fails the run is as it was. Stages may have
    /// got another length or rate since.
    ///
    /// # Errors
    ///
    /// Any [`CheckpointError`] but that of writing.
    pub fn resume(&mut self, path: &Path) -> Result<(), CheckpointError> {
        let bytes = fs::read(path).map_err(|source| CheckpointError::Read { path: path.to_owned(), source })?;
        let damaged = |problem: String| CheckpointError::Damaged { path: path.to_owned(), problem };
        let (_, header) = SafeTensors::read_metadata(&bytes).map_err(|error| damaged(error.to_string()))?;
        let tensors = SafeTensors::deserialize(&bytes).map_err(|error| damaged(error.to_string()))?;
        let empty = HashMap::new();
        let metadata = header.metadata().as_ref().unwrap_or(&empty);
        let text = |key: &str| metadata.get(key).ok_or_else(|| damaged(format!("it has no \"{key}\"")));
        if text(FORMAT.0)? != FORMAT.1 {
            return Err(damaged(format!("its format is not {}", FORMAT.1)));
        }
        let contents = tensors.iter().map(|(name, tensor)| (name, tensor.data()));
        if *text(CHECKSUM)? != checksum(metadata, contents) {
            return Err(damaged("its checksum is not that of its contents".to_owned()));
        }
        let (expected, found) = (self.description(), text(RUN)?);
        if expected != *found {
            return Err(CheckpointError::OtherRun { path: path.to_owned(), expected, found: found.clone() });
        }
        let count = |key: &str| {
            let text = text(key)?;
            text.parse::<u64>().map_err(|_| damaged(format!("\"{key}\" is {text:?}, not a whole number")))
        };
        let numbers_of = |name: &str| -> Result<Vec<R>, CheckpointError> {
            let tensor = tensors.tensor(name).map_err(|error| damaged(format!("{name}: {error}")))?;
            match tensor.dtype() == dtype::<R>() {
                true => Ok(R::from_bytes(tensor.data())),
                false => Err(damaged(format!("{name} is {:?}, expected {:?}", tensor.dtype(), dtype::<R>()))),
            }
        };

        let mut state = OptimizerState { counts: BTreeMap::new(), numbers: BTreeMap::new(), vectors: BTreeMap::new() };
        for (key, value) in metadata {
            if let Some(name) = key.strip_prefix(COUNT) {
                state.counts.insert(name.to_owned().into(), count(key)?);
            } else if let Some(name) = key.strip_prefix(NUMBER) {
                let bits = u64::from_str_radix(value, 16).map_err(|_| damaged(format!("\"{key}\" is {value:?}")))?;
                state.numbers.insert(name.to_owned().into(), f64::from_bits(bits));
            }
        }
        let mut points = Vec::new();
        for name in tensors.names() {
            if let Some(term) = name.strip_prefix(POINTS) {
                let term = term.parse().map_err(|_| damaged(format!("\"{name}\" names no term")))?;
                points.push((term, numbers_of(name)?));
            } else if let Some(vector) = name.strip_prefix(VECTOR) {
                state.vectors.insert(vector.to_owned().into(), Cow::from(numbers_of(name)?));
            }
        }
        let parameters = numbers_of(PARAMETERS)?;
        let snapshot = Snapshot {
            step: count("step")?,
            stage: usize::try_from(count("stage")?).unwrap_or(usize::MAX),
            steps_in_stage: count("steps_in_stage")?,
            arrived: count("arrived")? != 0,
            parameters: &parameters,
            optimizer: state,
            points: points.iter().map(|(term, points)| (*term, points.as_slice())).collect(),
        };
        self.restore(snapshot).map_err(|source| CheckpointError::Unfit { path: path.to_owned(), source: Box::new(source) })
    }
}

/// A number that changes with every bit of the metadata and tensors (Fowler, Noll and Vo's hash of 64 bits), in any order.
fn checksum<'a>(metadata: &'a HashMap<String, String>, tensors: impl Iterator<Item = (&'a str, &'a [u8])>) -> String {
    let metadata = metadata.iter().filter(|(key, _)| *key != CHECKSUM);
    let parts = metadata.map(|(key, value)| (key.as_str(), value.as_bytes())).chain(tensors);
    let sum = parts.fold(0_u64, |sum, (name, bytes)| {
        let bytes = name.bytes().chain([0]).chain(bytes.iter().copied());
        sum.wrapping_add(
            bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)),
        )
    });
    format!("{sum:016x}")
}

fn dtype<R>() -> Dtype {
    if size_of::<R>() == 4 { Dtype::F32 } else { Dtype::F64 }
}
