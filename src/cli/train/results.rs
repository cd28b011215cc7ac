//! What a run leaves behind: the network, pictures, and words.

use std::fmt::Display;
use std::path::Path;
use std::str::FromStr;

use clap::ValueEnum;
use tapeless::evaluate::CpuReal;
use tapeless::network::import::Model;
use tapeless::train::{TrainError, Trainer};

use super::error::ProblemError;
use super::folder::Folder;
use super::problem::Problem;
use super::run::Outcome;
use super::{history, pictures};
use crate::cli::arguments::TrainArguments;
use crate::cli::eval::TRANSFORM;
use crate::cli::{memory, report};

/// Writes the network as it is, with the names of the file that it came from, if any. Its metadata say what the inputs and
/// outputs are called and what the network alone is not.
pub fn write_network<R: CpuReal>(
    problem: &Problem<R>,
    trainer: &Trainer<R>,
    folder: &Folder,
    path: &Path,
) -> Result<(), ProblemError> {
    let network = trainer.network().map_err(|error| ProblemError::train(path, error))?;
    let mut model = match &problem.model {
        None => Model::of(&network),
        Some(model) => {
            let mut model = model.clone();
            model.set_weights(&network)?;
            model
        }
    };
    model.metadata.insert("inputs".to_owned(), problem.names.inputs().join(","));
    model.metadata.insert("outputs".to_owned(), problem.names.outputs().join(","));
    model.metadata.remove(TRANSFORM);
    if let Some(words) = &problem.transform {
        model.metadata.insert(TRANSFORM.to_owned(), words.clone());
    }
    model.write(folder.network())?;
    Ok(())
}

/// Says how a run that was stopped is gone on with.
pub fn report_stop<R: CpuReal>(trainer: &Trainer<R>, folder: &Folder, arguments: &TrainArguments) {
    let precision = arguments.precision.and_then(|precision| precision.to_possible_value());
    let precision = precision.map_or(String::new(), |precision| format!(" --precision {}", precision.get_name()));
    let threads = arguments.threads.map_or(String::new(), |threads| format!(" --threads {threads}"));
    report::line(format_args!(
        "stopped   by a signal after step {}; nothing is lost. Go on with\n          tapeless train {} --out {}{precision}{threads} --resume",
        report::count(trainer.steps() as usize),
        quoted(&arguments.problem),
        quoted(folder.path()),
    ));
}

/// A path as it is typed in a shell.
fn quoted(path: &Path) -> String {
    let path = path.display().to_string();
    let plain = |character: char| character.is_alphanumeric() || "/\\._-+:,@%".contains(character);
    let path = if path.starts_with('-') { format!("./{path}") } else { path };
    match path.chars().all(plain) && (cfg!(windows) || !path.contains('\\')) {
        true => path,
        false if cfg!(windows) => format!("\"{path}\""),
        false => format!("'{}'", path.replace('\'', r"'\''")),
    }
}

/// Says what is about to be trained.
pub fn report_start<R: CpuReal + FromStr>(
    problem: &Problem<R>,
    trainer: &Trainer<R>,
    path: &Path,
) -> Result<(), ProblemError> {
    let terms = trainer.objective().term_names().count();
    let network = trainer.network().map_err(|error| ProblemError::train(path, error))?;
    let widths = network.layers().iter().map(|layer| layer.outputs().to_string());
    report::line(format_args!(
        "problem   {}: {} -> {}, {} with {}",
        path.display(),
        problem.names.inputs().join(", "),
        problem.names.outputs().join(", "),
        report::counted(terms, "term"),
        report::counted(problem.points, "point"),
    ));
    report::line(format_args!(
        "network   {}-{}, {}, {}",
        network.inputs(),
        widths.collect::<Vec<_>>().join("-"),
        report::counted(network.parameters(), "parameter"),
        std::any::type_name::<R>(),
    ));
    Ok(())
}

/// Draws the pictures and reports.
pub fn finish<R: CpuReal + FromStr>(
    problem: &Problem<R>,
    trainer: &mut Trainer<R>,
    folder: &Folder,
    outcome: &Outcome,
    path: &Path,
) -> Result<(), ProblemError> {
    let loss = trainer.loss().map_err(|error| ProblemError::train(path, error))?;
    if !loss.is_finite() {
        // Adam's last step, which no other step looked at.
        return Err(ProblemError::train(path, TrainError::Diverged { step: trainer.steps(), loss }));
    }
    let losses = trainer.objective().losses().to_vec();
    let errors = problem.exact.as_ref().map(|exact| exact.errors(trainer)).transpose();
    let errors = errors.map_err(|error| ProblemError::train(path, error))?;
    let names: Vec<String> = trainer.objective().term_names().map(str::to_owned).collect();

    let pictures = pictures(problem, trainer, folder, &names, path)?;
    let rate = outcome.steps as f64 / outcome.seconds.max(1e-9);
    let all = match trainer.steps() - outcome.steps {
        0 => String::new(),
        _ => format!("; {} in {:.1} s in all", report::counted(trainer.steps() as usize, "step"), outcome.all_seconds),
    };
    report::line(format_args!(
        "trained   {} in {:.1} s on {}: {rate:.1} steps/s{all}",
        report::counted(outcome.steps as usize, "step"),
        outcome.seconds,
        report::counted(rayon::current_num_threads(), "thread"),
    ));
    for end in &outcome.early_ends {
        report::line(format_args!("ended     {end}"));
    }
    report::line(format_args!("loss      {loss:.3e}: {}", pairs(names.iter().zip(&losses))));
    if let (Some(errors), Some(exact)) = (&errors, &problem.exact) {
        let name = |column: usize| &problem.names.outputs()[exact.outputs[column]];
        let (absolute, relative): (Vec<usize>, Vec<usize>) = (0..errors.len()).partition(|&column| exact.is_zero(column));
        let points = report::counted(exact.count(), "point");
        let told = |columns: &[usize]| pairs(columns.iter().map(|&column| (name(column), &errors[column])));
        if !relative.is_empty() {
            report::line(format_args!("error     relative L2 at {points}: {}", told(&relative)));
        }
        if !absolute.is_empty() {
            report::line(format_args!(
                "error     root mean square at {points}, as the solution is 0 everywhere and none is relative to that: {}",
                told(&absolute),
            ));
        }
        let without: Vec<&str> =
            (0..errors.len()).filter(|&column| !errors[column].is_finite()).map(|column| name(column).as_str()).collect();
        if !without.is_empty() {
            report::notice(format_args!(
                "the error of {} is not finite, as what the network gives is not, or is too far off for {}",
                without.join(", "),
                std::any::type_name::<R>(),
            ));
        }
    }
    report::line(format_args!(
        "memory    workspace {}, peak resident {}",
        report::bytes(trainer.objective().workspace_bytes() as u64),
        memory::peak_resident_bytes().map_or("not known on this system".to_owned(), report::bytes),
    ));
    report::line(format_args!("written   {}: network.safetensors, history.csv, {pictures}", folder.path().display()));
    Ok(())
}

fn pairs(pairs: impl Iterator<Item = (impl Display, impl std::fmt::LowerExp)>) -> String {
    let pairs: Vec<String> = pairs.map(|(name, number)| format!("{name} {number:.3e}")).collect();
    pairs.join(", ")
}

/// Draws all pictures that there is something to see in, and gives their names.
fn pictures<R: CpuReal + FromStr>(
    problem: &Problem<R>,
    trainer: &mut Trainer<R>,
    folder: &Folder,
    terms: &[String],
    path: &Path,
) -> Result<String, ProblemError> {
    let [loss, solution, error] = folder.pictures();
    let rows = history::losses(folder, terms.len());
    let rows = rows.map_err(|source| folder.system("history.csv can't be read", source))?;
    let drawn = [
        pictures::loss(&loss, terms, &rows).map(|drawn| drawn.then_some("loss.png"))?,
        pictures::solution(&solution, problem, trainer, path).map(|()| Some("solution.png"))?,
        pictures::error(&error, problem, trainer, path).map(|drawn| drawn.then_some("error.png"))?,
    ];
    Ok(drawn.into_iter().flatten().collect::<Vec<_>>().join(", "))
}
