//! The loop of a run.

use std::path::Path;
use std::str::FromStr;
use std::time::Instant;

use tapeless::evaluate::CpuReal;
use tapeless::train::optimizer::LbfgsOutcome;
use tapeless::train::{Stage, StepReport, TrainError, Trainer};

use super::error::ProblemError;
use super::folder::Folder;
use super::history::{History, Past};
use super::problem::Problem;
use super::progress::Progress;
use super::results;
use super::signals::Signals;

/// How a run ended.
pub struct Outcome {
    /// The exit code that a signal asks for, if one ended it.
    pub signal: Option<u8>,
    /// Steps of this program, not of those before it.
    pub steps: u64,
    /// Seconds of this program.
    pub seconds: f64,
    /// Seconds of all.
    pub all_seconds: f64,
    /// Why stages ended before their last step.
    pub early_ends: Vec<String>,
}

/// Trains until all stages are done or a signal comes.
pub fn run<R: CpuReal + FromStr>(
    problem: &Problem<R>,
    trainer: &mut Trainer<R>,
    folder: &Folder,
    signals: &Signals,
    path: &Path,
) -> Result<Outcome, ProblemError> {
    let first = trainer.steps();
    let Past { seconds: before, mut history } = History::open(folder, &problem.columns, first)?;
    results::report_start(problem, trainer, path)?;
    if first == 0 {
        trainer.save(&folder.checkpoint())?;
    }
    let total = trainer.stages().iter().map(tapeless::train::Stage::steps).fold(0, u64::saturating_add);
    let mut progress = Progress::new(total, first);
    let (start, mut last_checkpoint) = (Instant::now(), Instant::now());
    let failed = |error: TrainError, trainer: &Trainer<R>| {
        let terms = if let TrainError::Diverged { .. } = error { not_finite(trainer) } else { String::new() };
        let hint = format!("{terms}\nthe last checkpoint is {}", folder.checkpoint().display());
        ProblemError::Train { path: path.to_owned(), error: Box::new(error), hint }
    };
    let unwritten = |source| folder.system("history.csv can't be written", source);
    let save = |trainer: &Trainer<R>, history: &History| {
        history.sync().map_err(unwritten)?;
        trainer.save(&folder.checkpoint()).map_err(ProblemError::from)
    };
    let mut signal = None;
    let mut errors = Vec::new();
    let mut early_ends = Vec::new();
    while let Some(report) = trainer.step().map_err(|error| failed(error, trainer))? {
        if report.step == 1 || report.step.is_multiple_of(problem.pace.history) || report.stage_ended {
            // Before other points are evaluated.
            let losses = trainer.objective().losses().to_vec();
            if let Some(exact) = &problem.exact {
                errors = exact.errors(trainer).map_err(|error| failed(error, trainer))?;
            }
            let seconds = before + start.elapsed().as_secs_f64();
            history.write(&report, seconds, &losses, &errors).map_err(unwritten)?;
        }
        early_ends.extend(early_end(&report, trainer.stages()));
        progress.step(&report, trainer.objective().term_names(), trainer.objective().losses());
        signal = signals.exit_code();
        if signal.is_some() {
            break;
        }
        let due = problem.pace.checkpoint_steps.is_some_and(|steps| report.step.is_multiple_of(steps));
        if due || last_checkpoint.elapsed() >= problem.pace.checkpoint_time {
            save(trainer, &history)?;
            last_checkpoint = Instant::now();
        }
    }
    save(trainer, &history)?;
    progress.finish();
    let seconds = start.elapsed().as_secs_f64();
    Ok(Outcome { signal, steps: trainer.steps() - first, seconds, all_seconds: before + seconds, early_ends })
}

/// Why a stage of L-BFGS ended with this step, if it did so by itself.
fn early_end(report: &StepReport, stages: &[Stage]) -> Option<String> {
    let why = match report.outcome? {
        LbfgsOutcome::Advanced => return None,
        LbfgsOutcome::GradientSmall => "no derivative of the loss is above gradient_tolerance",
        LbfgsOutcome::LossFlat => "the loss fell by no more than loss_tolerance",
        LbfgsOutcome::Stalled => {
            "no lower loss was found along the line; in f32 the digits may be used up, f64 goes further"
        }
    };
    let most = stages.get(report.stage).map_or(0, Stage::steps);
    Some(format!("stage {}, of at most {} L-BFGS steps, ended at step {}: {why}", report.stage + 1, most, report.step))
}

/// Which terms the loss is not finite by, in words.
fn not_finite<R: CpuReal>(trainer: &Trainer<R>) -> String {
    let objective = trainer.objective();
    let terms = objective.term_names().zip(objective.losses()).filter(|(_, loss)| !loss.is_finite());
    let terms: Vec<String> = terms.map(|(name, loss)| format!("\"{name}\" ({loss})")).collect();
    match terms.is_empty() {
        true => String::new(),
        false => {
            format!("\nnot finite is the loss of the term{} {}", if terms.len() == 1 { "" } else { "s" }, terms.join(", "))
        }
    }
}
