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

pub use error::ProblemError;
use file::File;
use folder::{Folder, Way};
use problem::Problem;
use signals::Signals;

use super::arguments::{Precision, TrainArguments};
use super::error::CommandError;
use super::threads;

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
    let beside = path.parent().unwrap_or(Path::new(""));
    folder.check_inputs(way, file.files().map(|(key, file)| (key, beside.join(file))))?;
    let pool = threads::pool(arguments.threads.or(file.run.threads))?;
    let setup = Setup { arguments, path, text: &text, file: &file, folder, way };
    match arguments.precision.unwrap_or(file.run.precision) {
        Precision::F32 => pool.install(|| setup.train::<f32>()),
        Precision::F64 => pool.install(|| setup.train::<f64>()),
    }
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
        if self.way == Way::Resume {
            trainer.resume(&self.folder.checkpoint()).map_err(ProblemError::from)?;
        }
        let signals = Signals::listen().map_err(ProblemError::Signals)?;
        self.folder.prepare(self.way, self.text)?;
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
}
