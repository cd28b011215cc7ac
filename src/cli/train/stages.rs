//! The optimisers of a run.

use tapeless::train::Stage;
use tapeless::train::optimizer::{Adam, AdamSettings, Decay, Lbfgs, LbfgsSettings, Schedule};

use super::error::{At, KeyError, Keyed};
use super::file::{self, File};

/// The stages of a problem.
pub fn read(file: &File) -> Result<Vec<Stage>, Keyed> {
    if file.stage.is_empty() {
        return Err(KeyError::value("at least one", "none")).at("stage");
    }
    let checked = |(number, stage)| {
        let stage = made(stage);
        let check = match stage {
            Stage::Adam { settings, .. } => Adam::<f64>::new(settings, 0).map(|_| ()),
            Stage::Lbfgs { settings, .. } => Lbfgs::<f64>::new(settings, 0).map(|_| ()),
        };
        check.at(format!("stage {} ({})", number + 1, stage.name()))?;
        Ok(stage)
    };
    file.stage.iter().enumerate().map(checked).collect()
}

fn made(stage: &file::Stage) -> Stage {
    match *stage {
        file::Stage::Adam { steps, rate, warm_up, decay, beta1, beta2, epsilon, largest_norm } => {
            let default = AdamSettings::default();
            let decay = match decay {
                None => Decay::Constant,
                Some(file::Decay::Exponential { factor, steps }) => Decay::Exponential { factor, steps },
                Some(file::Decay::Steps { factor, steps }) => Decay::Steps { factor, steps },
                Some(file::Decay::Cosine { least, steps }) => Decay::Cosine { least, steps },
            };
            let settings = AdamSettings {
                schedule: Schedule { rate: rate.unwrap_or(default.schedule.rate), warm_up, decay },
                beta1: beta1.unwrap_or(default.beta1),
                beta2: beta2.unwrap_or(default.beta2),
                epsilon: epsilon.unwrap_or(default.epsilon),
                largest_norm,
            };
            Stage::Adam { settings, steps }
        }
        file::Stage::Lbfgs { steps, history, gradient_tolerance, loss_tolerance, evaluations } => {
            let default = LbfgsSettings::default();
            let settings = LbfgsSettings {
                history: history.unwrap_or(default.history),
                gradient_tolerance: gradient_tolerance.unwrap_or(default.gradient_tolerance),
                loss_tolerance: loss_tolerance.unwrap_or(default.loss_tolerance),
                evaluations: evaluations.unwrap_or(default.evaluations),
                ..default
            };
            Stage::Lbfgs { settings, steps }
        }
    }
}
