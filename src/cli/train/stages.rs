//! The optimisers of a run.

use tapeless::train::Stage;
use tapeless::train::optimizer::{Adam, AdamSettings, Decay, Lbfgs, LbfgsSettings, Schedule};

use super::error::{At, KeyError, Keyed};
use super::file::{self, DecayKind, File, Optimizer};

/// The stages of a problem.
pub fn read(file: &File) -> Result<Vec<Stage>, Keyed> {
    if file.stage.is_empty() {
        return Err(KeyError::value("at least one", "none")).at("stage");
    }
    let checked = |(number, stage): (usize, &file::Stage)| {
        let name = match stage.optimizer {
            Optimizer::Adam => "adam",
            Optimizer::Lbfgs => "lbfgs",
        };
        let key = format!("stage {} ({name})", number + 1);
        let stage = match stage.optimizer {
            Optimizer::Adam => adam(stage, &key)?,
            Optimizer::Lbfgs => lbfgs(stage, &key)?,
        };
        let check = match stage {
            Stage::Adam { settings, .. } => Adam::<f64>::new(settings, 0).map(|_| ()),
            Stage::Lbfgs { settings, .. } => Lbfgs::<f64>::new(settings, 0).map(|_| ()),
        };
        check.at(key)?;
        Ok(stage)
    };
    file.stage.iter().enumerate().map(checked).collect()
}

fn adam(stage: &file::Stage, key: &str) -> Result<Stage, Keyed> {
    let foreign = [
        ("history", stage.history.is_some()),
        ("gradient_tolerance", stage.gradient_tolerance.is_some()),
        ("loss_tolerance", stage.loss_tolerance.is_some()),
        ("evaluations", stage.evaluations.is_some()),
    ];
    refuse(&foreign, key, "lbfgs")?;
    let default = AdamSettings::default();
    let decay = stage.decay.map_or(Ok(Decay::Constant), |decay| self::decay(decay, key))?;
    let rate = stage.rate.unwrap_or(default.schedule.rate);
    let settings = AdamSettings {
        schedule: Schedule { rate, warm_up: stage.warm_up.unwrap_or(0), decay },
        beta1: stage.beta1.unwrap_or(default.beta1),
        beta2: stage.beta2.unwrap_or(default.beta2),
        epsilon: stage.epsilon.unwrap_or(default.epsilon),
        largest_norm: stage.largest_norm,
    };
    Ok(Stage::Adam { settings, steps: stage.steps })
}

fn lbfgs(stage: &file::Stage, key: &str) -> Result<Stage, Keyed> {
    let foreign = [
        ("rate", stage.rate.is_some()),
        ("warm_up", stage.warm_up.is_some()),
        ("decay", stage.decay.is_some()),
        ("beta1", stage.beta1.is_some()),
        ("beta2", stage.beta2.is_some()),
        ("epsilon", stage.epsilon.is_some()),
        ("largest_norm", stage.largest_norm.is_some()),
    ];
    refuse(&foreign, key, "adam")?;
    let default = LbfgsSettings::default();
    let settings = LbfgsSettings {
        history: stage.history.unwrap_or(default.history),
        gradient_tolerance: stage.gradient_tolerance.unwrap_or(default.gradient_tolerance),
        loss_tolerance: stage.loss_tolerance.unwrap_or(default.loss_tolerance),
        evaluations: stage.evaluations.unwrap_or(default.evaluations),
        ..default
    };
    Ok(Stage::Lbfgs { settings, steps: stage.steps })
}

/// Keys that are not for the optimiser at hand.
fn refuse(foreign: &[(&str, bool)], key: &str, owner: &str) -> Result<(), Keyed> {
    match foreign.iter().find(|(_, given)| *given) {
        None => Ok(()),
        Some((name, _)) => {
            let expected = format!("nothing, as this key is for optimizer = \"{owner}\"");
            Err(KeyError::value(expected, "a value")).at(format!("{key}: {name}"))
        }
    }
}

fn decay(decay: file::Decay, key: &str) -> Result<Decay, Keyed> {
    let steps = decay.steps;
    let (name, value, other, unwanted) = match decay.kind {
        DecayKind::Exponential | DecayKind::Steps => ("factor", decay.factor, "least", decay.least),
        DecayKind::Cosine => ("least", decay.least, "factor", decay.factor),
    };
    if unwanted.is_some() {
        return Err(KeyError::value(format!("{name} for this kind"), other)).at(format!("{key}: decay"));
    }
    let missing = || KeyError::value(format!("{name}, a number, for this kind"), "nothing");
    let value = value.ok_or_else(missing).at(format!("{key}: decay"))?;
    Ok(match decay.kind {
        DecayKind::Exponential => Decay::Exponential { factor: value, steps },
        DecayKind::Steps => Decay::Steps { factor: value, steps },
        DecayKind::Cosine => Decay::Cosine { least: value, steps },
    })
}
