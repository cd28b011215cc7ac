//! A problem as it is trained, made from its file.

use std::path::Path;
use std::str::FromStr;
use std::time::Duration;

use tapeless::evaluate::CpuReal;
use tapeless::network::import::Model;
use tapeless::operator::Names;
use tapeless::train::{Objective, TrainError, Trainer};

use super::error::{At, KeyError, Keyed, ProblemError};
use super::exact::Exact;
use super::file::File;
use super::history::History;
use super::network::Start;
use super::pictures::Slice;
use super::terms::{self, Terms};
use super::texts::Texts;
use super::transform::{self, Transform};
use super::{domain, stages};

/// What a run needs to know beside its trainer.
pub struct Problem<R> {
    /// The inputs and outputs.
    pub names: Names,
    /// The solution, where it is known.
    pub exact: Option<Exact<R>>,
    /// What the outputs are made of beside the network, in words.
    pub transform: Option<String>,
    /// The file that the weights came from.
    pub model: Option<Model>,
    /// Columns of the history.
    pub columns: Vec<String>,
    /// Points of all terms.
    pub points: usize,
    /// What the pictures show.
    pub slice: Slice,
    /// When something is written.
    pub pace: Pace,
}

/// When something is written.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    /// Steps between two checkpoints.
    pub checkpoint_steps: Option<u64>,
    /// Time between two checkpoints.
    pub checkpoint_time: Duration,
    /// Steps between two lines of the history.
    pub history: u64,
}

impl<R: CpuReal + FromStr> Problem<R> {
    /// Makes the problem of a file, and its trainer.
    pub fn read(file: &File, path: &Path) -> Result<(Self, Trainer<R>), ProblemError> {
        let parts = Self::parts(file, path).map_err(|keyed| ProblemError::Key { path: path.to_owned(), keyed })?;
        let (problem, trainer) = parts;
        let trainer = trainer.map_err(|error| ProblemError::train(path, error))?;
        Ok((problem, trainer))
    }

    fn parts(file: &File, path: &Path) -> Result<(Self, Result<Trainer<R>, TrainError>), Keyed> {
        let texts = Texts::read(file, path.parent().unwrap_or(Path::new("")).to_owned())?;
        let domain = domain::read(file, &texts)?;
        let pace = pace(file)?;
        let stages = stages::read(file)?;
        let transform = Transform::read(file, &texts)?;
        let start = Start::read(file, &texts)?;
        let slice = Slice::read(file, &texts, &domain)?;
        let exact = Exact::read(file, &texts, &domain)?;
        let Terms { terms, resamplings, points } = terms::read(file, &texts, &domain)?;

        let known = exact.iter().flat_map(|exact| {
            let column =
                |(column, &output): (usize, &usize)| (texts.names.outputs()[output].as_str(), exact.is_zero(column));
            exact.outputs.iter().enumerate().map(column)
        });
        let columns = History::columns(file.term.iter().map(|term| term.name.as_str()), known);
        let build = || {
            let mut builder = Objective::builder(&start.network, terms);
            if start.scale_inputs {
                builder = builder.scaling(domain::scaling(&domain));
            }
            if let Some(transform) = transform {
                builder = builder.transform(transform);
            }
            let trainer = Trainer::new(builder.build()?, stages)?;
            resamplings.into_iter().try_fold(trainer, Trainer::with_resampling)
        };
        let trainer = build();
        let transform = transform::in_words(file);
        Ok((Self { names: texts.names, exact, transform, model: start.model, columns, points, slice, pace }, trainer))
    }
}

fn pace(file: &File) -> Result<Pace, Keyed> {
    let run = &file.run;
    let counts = [("history_every", Some(run.history_every)), ("checkpoint_steps", run.checkpoint_steps)];
    if let Some((key, _)) = counts.iter().find(|(_, count)| *count == Some(0)) {
        return Err(KeyError::value("at least 1 step", "0")).at(format!("run.{key}"));
    }
    if !(1..=1024).contains(&run.threads.unwrap_or(1)) {
        return Err(KeyError::value("1 to 1024", run.threads.unwrap_or(0).to_string())).at("run.threads");
    }
    let checkpoint_time = Duration::try_from_secs_f64(run.checkpoint_seconds)
        .map_err(|_| KeyError::value("a number of seconds of at least 0", run.checkpoint_seconds.to_string()))
        .at("run.checkpoint_seconds")?;
    Ok(Pace { checkpoint_steps: run.checkpoint_steps, checkpoint_time, history: run.history_every })
}
