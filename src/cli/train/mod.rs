//! `tapeless train`: a problem in a file, trained from start to end.

mod data;
mod domain;
mod error;
mod exact;
mod file;
mod folder;
mod history;
mod network;
mod pictures;
mod problem;
mod progress;
mod record;
mod results;
mod run;
mod signals;
mod stages;
mod syntax;
mod terms;
#[cfg(test)]
mod tests;
mod texts;
mod transform;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use error::FolderProblem;
pub use error::ProblemError;
use file::File;
use folder::{Folder, Way};
use problem::Problem;
use signals::Signals;

use tapeless::train::{CheckpointError, Trainer};

use super::arguments::{Precision, TrainArguments};
use super::error::CommandError;
use super::{report, threads};

/// Trains a problem, and gives the exit code: that of a signal, if one ended the run before its time.
pub fn run(arguments: &TrainArguments) -> Result<ExitCode, CommandError> {
    let path = &arguments.problem;
    let text = fs::read_to_string(path).map_err(|source| ProblemError::Read { path: path.clone(), source })?;
    let file: File = toml::from_str(&text)
        .map_err(|error| ProblemError::Syntax { path: path.clone(), message: syntax::told(&error, &text) })?;
    let way = match (arguments.resume, arguments.overwrite) {
        (true, _) => Way::Resume,
        (false, true) => Way::Overwrite,
        (false, false) => Way::New,
    };
    let folder = Folder::check(&out(arguments, &file), way, &text)?;
    let itself = std::iter::once(("the program".to_owned(), path.clone()));
    folder.check_inputs(way, files(path, &file).chain(itself))?;
    let pool = threads::pool(arguments.threads.or(file.run.threads))?;
    let setup = Setup { arguments, path, text: &text, file: &file, folder, way };
    match arguments.precision.unwrap_or(file.run.precision) {
        Precision::F32 => pool.install(|| setup.train::<f32>()),
        Precision::F64 => pool.install(|| setup.train::<f64>()),
    }
}

/// Files that the problem names, with their keys.
fn files<'a>(path: &'a Path, file: &'a File) -> impl Iterator<Item = (String, PathBuf)> + 'a {
    let beside = path.parent().unwrap_or(Path::new(""));
    file.files().map(move |(key, file)| (key, beside.join(file)))
}

/// The folder for the results: as asked for, as in the file, or named after the file.
fn out(arguments: &TrainArguments, file: &File) -> PathBuf {
    let path = &arguments.problem;
    let beside = |out: &PathBuf| path.parent().unwrap_or(Path::new("")).join(out);
    let named = || PathBuf::from(path.file_stem().unwrap_or("run".as_ref()));
    arguments.out.clone().or_else(|| file.run.out.as_ref().map(beside)).unwrap_or_else(named)
}

/// What a run is made from.
struct Setup<'a> {
    arguments: &'a TrainArguments,
    path: &'a Path,
    text: &'a str,
    file: &'a File,
    folder: Folder,
    way: Way,
}

impl Setup<'_> {
    fn train<R>(mut self) -> Result<ExitCode, CommandError>
    where
        R: tapeless::evaluate::CpuReal + std::str::FromStr,
    {
        // All that can be refused is refused before anything is written.
        let (problem, mut trainer) = Problem::<R>::read(self.file, self.path)?;
        let record = record::record(self.text, files(self.path, self.file));
        if self.way == Way::Resume {
            self.resume(&mut trainer, &record)?;
        }
        let signals = Signals::listen().map_err(ProblemError::Signals)?;
        self.folder.prepare(self.way, &record)?;
        let outcome = run::run(&problem, &mut trainer, &self.folder, &signals, self.path)?;
        results::write_network(&problem, &trainer, &self.folder, self.path)?;
        match outcome.signal {
            Some(code) => {
                results::report_stop(&trainer, &self.folder, self.arguments);
                Ok(ExitCode::from(code))
            }
            None => {
                results::finish(&problem, &mut trainer, &self.folder, &outcome, self.path)?;
                Ok(ExitCode::SUCCESS)
            }
        }
    }

    /// Goes on from the checkpoint, and tells what is not as it was.
    fn resume<R: tapeless::evaluate::CpuReal>(&self, trainer: &mut Trainer<R>, record: &str) -> Result<(), ProblemError> {
        let changed = record::changed(&self.folder.record()?, record);
        trainer.resume(&self.folder.checkpoint()).map_err(|error| match error {
            CheckpointError::OtherRun { expected, found, .. } => {
                let reasons = reasons(&expected, &found, changed.clone());
                self.folder.problem(FolderProblem::OtherCheckpoint { reasons })
            }
            error => error.into(),
        })?;
        if changed.iter().any(|key| key.starts_with("reference")) {
            report::notice(format_args!(
                "{}: the file of [reference] has changed; errors behind step {} are those against the new one",
                self.path.display(),
                report::count(trainer.steps() as usize),
            ));
        }
        let total = trainer.stages().iter().map(tapeless::train::Stage::steps).fold(0, u64::saturating_add);
        if total < trainer.steps() {
            report::notice(format_args!(
                "{}: the stages have {} in all, but {} are done, which stay done",
                self.path.display(),
                report::counted(total as usize, "step"),
                report::count(trainer.steps() as usize),
            ));
        }
        Ok(())
    }
}

/// Why a checkpoint is of another run, though the keys of the problem are the same.
fn reasons(expected: &str, found: &str, changed: Vec<String>) -> Vec<String> {
    let precision = |text: &str| text.split(' ').next().filter(|word| ["f32", "f64"].contains(word)).map(str::to_owned);
    let mut reasons = Vec::new();
    if let (Some(here), Some(there)) = (precision(expected), precision(found))
        && here != there
    {
        reasons.push(format!("the precision is {here} here and {there} there (--precision, run.precision)"));
    }
    reasons.extend(changed.into_iter().map(|key| format!("{key}: the file has changed")));
    if reasons.is_empty() {
        reasons.push("the folder does not tell what differs".to_owned());
    }
    reasons
}
