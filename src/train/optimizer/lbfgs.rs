//! L-BFGS.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::history::History;
use super::line_search::{Conditions, LineSearch, Next, Trial};
use super::state::check_length;
use super::vectors::{dot, gradient_norm, largest, subtract_from, zeros};
use super::{OptimizerError, OptimizerState, StepError};
use crate::number::Real;

const STEP: &str = "step";
const PAIRS: &str = "pairs";
const NEXT: &str = "next";
const LOSS: &str = "loss";
const GRADIENT: &str = "gradient";
const MOVES: &str = "moves";
const CHANGES: &str = "changes";

/// What an [`Lbfgs`] is told.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LbfgsSettings {
    /// How many of the last steps it remembers, at least 1; 50 by default. Each takes two numbers for each parameter.
    pub history: usize,
    /// It has arrived when no derivative is larger than this; 1e-8 by default.
    pub gradient_tolerance: f64,
    /// It has arrived when a step lessens the loss by no more than this part of it; 0 by default, for not at all.
    pub loss_tolerance: f64,
    /// c1 of the Wolfe conditions: how much of the decrease that the slope promises must come true, above 0 and below 1/2;
    /// 1e-4 by default.
    pub sufficient_decrease: f64,
    /// c2 of the Wolfe conditions: how much of the slope may be left, above c1 and below 1; 0.9 by default.
    pub curvature: f64,
    /// How often a search along one direction may ask for the loss, at least 1; 25 by default. Once more where it goes back to
    /// the best of its trials.
    pub evaluations: u32,
}

impl Default for LbfgsSettings {
    fn default() -> Self {
        Self {
            history: 50,
            gradient_tolerance: 1e-8,
            loss_tolerance: 0.0,
            sufficient_decrease: 1e-4,
            curvature: 0.9,
            evaluations: 25,
        }
    }
}

impl LbfgsSettings {
    fn check(&self) -> Result<(), OptimizerError> {
        let (c1, c2) = (self.sufficient_decrease, self.curvature);
        let check = |setting, holds, expected, found| match holds {
            true => Ok(()),
            false => Err(OptimizerError::Setting { setting, expected, found }),
        };
        check("the length of the history", self.history > 0, "at least 1", self.history as f64)?;
        let (gradient, loss) = (self.gradient_tolerance, self.loss_tolerance);
        check("the tolerance of the gradient", gradient >= 0.0, "at least 0", gradient)?;
        check("the tolerance of the loss", loss >= 0.0, "at least 0", loss)?;
        check("the sufficient decrease", c1 > 0.0 && c1 < 0.5, "above 0 and below 1/2", c1)?;
        check("the curvature", c2 > c1 && c2 < 1.0, "above the sufficient decrease and below 1", c2)?;
        check("the number of evaluations", self.evaluations > 0, "at least 1", self.evaluations.into())
    }
}

/// L-BFGS (Liu and Nocedal, On the limited memory BFGS method for large scale optimization, 1989) with the line search of Moré
/// and Thuente for the strong Wolfe conditions.
///
/// It is for a loss that is the same function at every call, such as one over fixed points; where that changes, call
/// [`restart`](Lbfgs::restart). In f32 the end is soon reached, where losses no longer differ; f64 goes further.
///
/// ```
/// use tapeless::train::optimizer::{Lbfgs, LbfgsOutcome, LbfgsSettings};
///
/// let rosenbrock = |at: &[f64], gradient: &mut [f64]| {
///     let (a, b) = (1.0 - at[0], at[1] - at[0] * at[0]);
///     gradient.copy_from_slice(&[-2.0 * a - 400.0 * at[0] * b, 200.0 * b]);
///     Ok::<f64, std::convert::Infallible>(a * a + 100.0 * b * b)
/// };
/// let mut lbfgs = Lbfgs::new(LbfgsSettings::default(), 2)?;
/// let mut parameters = [-1.2, 1.0];
/// while lbfgs.step(&mut parameters, rosenbrock)?.outcome == LbfgsOutcome::Advanced {}
/// assert!((parameters[0] - 1.0).abs() < 1e-8 && (parameters[1] - 1.0).abs() < 1e-8);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Lbfgs<R> {
    settings: LbfgsSettings,
    step: u64,
    /// Loss and gradient at the parameters, once they are known.
    loss: Option<f64>,
    gradient: Vec<R>,
    history: History<R>,
    room: Room<R>,
}

/// Room for what is needed within a step only.
#[derive(Clone, Debug)]
struct Room<R> {
    start: Vec<R>,
    direction: Vec<R>,
    gradient: Vec<R>,
    weights: Vec<f64>,
}

/// How a step of [`Lbfgs`] ended. All but the first are reasons to stop, though it may be called again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LbfgsOutcome {
    /// The parameters moved, and the loss with them.
    Advanced,
    /// No derivative is larger than the tolerance.
    GradientSmall,
    /// The parameters moved, but the loss fell by no more than the tolerance.
    LossFlat,
    /// No better parameters were found, not even along the steepest descent: the loss cannot be told from a minimum in this
    /// precision, or its gradient is wrong. The parameters are as before.
    Stalled,
}

/// What a step of [`Lbfgs`] saw and did.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LbfgsReport {
    /// How it ended.
    pub outcome: LbfgsOutcome,
    /// The loss at the parameters as they are now.
    pub loss: f64,
    /// The Euclidean norm of the gradient there.
    pub gradient_norm: f64,
    /// How often the loss was asked for.
    pub evaluations: u32,
    /// The step, as a part of the direction; 0 where the parameters did not move.
    pub step_length: f64,
    /// Whether the history was given up, since no step along its direction was a good one.
    pub restarted: bool,
}

impl<R: Real> Lbfgs<R> {
    /// An optimiser for so many parameters.
    ///
    /// # Errors
    ///
    /// [`OptimizerError::Setting`] for a setting out of its range, [`OptimizerError::OutOfMemory`].
    pub fn new(settings: LbfgsSettings, parameters: usize) -> Result<Self, OptimizerError> {
        settings.check()?;
        let pairs = settings.history;
        let out_of_memory = OptimizerError::OutOfMemory { pairs, parameters };
        let rows = pairs.checked_mul(parameters).ok_or(out_of_memory.clone())?;
        let room = |count: usize| zeros(count).ok_or(out_of_memory.clone());
        Ok(Self {
            settings,
            step: 0,
            loss: None,
            gradient: room(parameters)?,
            history: History::new(zeros(pairs).ok_or(out_of_memory.clone())?, room(rows)?, room(rows)?),
            room: Room {
                start: room(parameters)?,
                direction: room(parameters)?,
                gradient: room(parameters)?,
                weights: zeros(pairs).ok_or(out_of_memory.clone())?,
            },
        })
    }

    /// How many steps moved the parameters.
    pub fn steps(&self) -> u64 {
        self.step
    }

    /// What it was told.
    pub fn settings(&self) -> &LbfgsSettings {
        &self.settings
    }

    /// Forgets what it knows of the loss. To be called when the loss or the parameters were changed between two steps.
    pub fn restart(&mut self) {
        self.loss = None;
        self.history.clear();
    }

    /// Moves the parameters one step: a direction, a search along it, an entry in the history.
    ///
    /// `objective` gives the loss at the parameters and writes its gradient. A loss that is not finite there means that the
    /// trial was too far.
    ///
    /// # Errors
    ///
    /// [`StepError::Objective`] with what `objective` returns; [`OptimizerError::WrongLength`];
    /// [`OptimizerError::LossNotFinite`] and [`OptimizerError::GradientNotFinite`] where the parameters that it starts from are
    /// to blame. Parameters and state are then as before.
    pub fn step<E>(
        &mut self,
        parameters: &mut [R],
        mut objective: impl FnMut(&[R], &mut [R]) -> Result<f64, E>,
    ) -> Result<LbfgsReport, StepError<E>> {
        check_length("parameters", self.gradient.len(), parameters.len())?;
        let mut evaluations = 0;
        let mut objective = |at: &[R], gradient: &mut [R]| {
            evaluations += 1;
            objective(at, gradient).map_err(StepError::Objective)
        };
        let before = match self.loss {
            Some(loss) => loss,
            None => {
                let loss = objective(parameters, &mut self.gradient)?;
                if !loss.is_finite() {
                    return Err(OptimizerError::LossNotFinite { found: loss }.into());
                }
                gradient_norm(&self.gradient)?;
                self.loss = Some(loss);
                loss
            }
        };
        let mut restarted = false;
        let mut found = None;
        let arrived = largest(&self.gradient) <= self.settings.gradient_tolerance;
        if !arrived {
            found = self.search(parameters, before, true, &mut objective)?;
            if found.is_none() && !self.history.is_empty() {
                found = self.search(parameters, before, false, &mut objective)?;
                self.history.clear();
                restarted = true;
            }
        }
        let outcome = match &found {
            None if arrived => LbfgsOutcome::GradientSmall,
            None => LbfgsOutcome::Stalled,
            Some(Trial { loss, .. }) => {
                self.loss = Some(*loss);
                self.step += 1;
                let Room { start, gradient, .. } = &mut self.room;
                std::mem::swap(&mut self.gradient, gradient);
                subtract_from(start, parameters);
                subtract_from(gradient, &self.gradient);
                self.history.add(start, gradient);
                let fall = self.settings.loss_tolerance * before.abs().max(loss.abs());
                if largest(&self.gradient) <= self.settings.gradient_tolerance {
                    LbfgsOutcome::GradientSmall
                } else if before - loss <= fall {
                    LbfgsOutcome::LossFlat
                } else {
                    LbfgsOutcome::Advanced
                }
            }
        };
        Ok(LbfgsReport {
            outcome,
            loss: self.loss.unwrap_or(before),
            gradient_norm: dot(&self.gradient, &self.gradient).sqrt(),
            evaluations,
            step_length: found.map_or(0.0, |trial| trial.step),
            restarted,
        })
    }

    /// Looks for better parameters along the direction of the history, or down the gradient. Where none are found,
    /// the parameters are as before.
    fn search<E>(
        &mut self,
        parameters: &mut [R],
        loss: f64,
        with_history: bool,
        objective: &mut impl FnMut(&[R], &mut [R]) -> Result<f64, E>,
    ) -> Result<Option<Trial>, E> {
        let Room { start, direction, gradient, weights } = &mut self.room;
        let with_history = with_history && !self.history.is_empty();
        if with_history {
            self.history.direction(&self.gradient, direction, weights);
        } else {
            direction.iter_mut().zip(&self.gradient).for_each(|(direction, derivative)| *direction = -*derivative);
        }
        let slope = dot(&self.gradient, direction);
        // Rounding and overflow can turn a direction uphill.
        if !slope.is_finite() || slope >= 0.0 {
            return Ok(None);
        }
        // Without a history nothing is known of lengths: one of at most 1 to begin with.
        let mut step = if with_history { 1.0 } else { dot(direction, direction).sqrt().recip().min(1.0) };
        let conditions = Conditions {
            sufficient_decrease: self.settings.sufficient_decrease,
            curvature: self.settings.curvature,
            noise: R::epsilon().as_(),
        };
        let mut search = LineSearch::new(conditions, loss, slope, step);
        start.copy_from_slice(parameters);
        let mut try_step = |step: f64, parameters: &mut [R]| {
            let length = R::literal(step);
            for ((parameter, &start), &direction) in parameters.iter_mut().zip(&*start).zip(&*direction) {
                *parameter = start + length * direction;
            }
            let loss = objective(parameters, gradient).inspect_err(|_| parameters.copy_from_slice(start))?;
            Ok(Trial { step, loss, slope: dot(gradient, direction) })
        };
        for _ in 0..self.settings.evaluations {
            let trial = try_step(step, parameters)?;
            match search.next(trial) {
                Next::Accept => return Ok(Some(trial)),
                Next::Try(next) => step = next,
                Next::GiveUp => break,
            }
        }
        // No step is good enough; one that lessens the loss is better than none.
        if let Some(step) = search.best_step() {
            return try_step(step, parameters).map(Some);
        }
        parameters.copy_from_slice(start);
        Ok(None)
    }

    /// Its state: the counts `step`, `pairs` and `next`, the number `loss`, and the vectors `gradient`, `moves` and
    /// `changes`, of which the latter two hold a row for each step that is remembered.
    pub fn state(&self) -> OptimizerState<'_, R> {
        let (moves, changes) = self.history.filled(self.gradient.len());
        OptimizerState {
            counts: BTreeMap::from([
                (STEP.into(), self.step),
                (PAIRS.into(), self.history.pairs() as u64),
                (NEXT.into(), self.history.next() as u64),
            ]),
            numbers: self.loss.map(|loss| (LOSS.into(), loss)).into_iter().collect(),
            vectors: BTreeMap::from([
                (GRADIENT.into(), Cow::from(&self.gradient)),
                (MOVES.into(), Cow::from(moves)),
                (CHANGES.into(), Cow::from(changes)),
            ]),
        }
    }

    /// An optimiser that goes on where the one of this state stood, with identical bits if settings, parameters and loss are
    /// the same.
    ///
    /// # Errors
    ///
    /// As for [`new`](Lbfgs::new); [`OptimizerError::MissingState`], [`OptimizerError::WrongLength`] and
    /// [`OptimizerError::Setting`] for a state of another optimiser, another number of parameters, or a longer history.
    pub fn from_state(
        settings: LbfgsSettings,
        parameters: usize,
        mut state: OptimizerState<'_, R>,
    ) -> Result<Self, OptimizerError> {
        let mut lbfgs = Self::new(settings, parameters)?;
        let capacity = settings.history;
        let (pairs, next) = (state.count(PAIRS)?, state.count(NEXT)?);
        let within = |setting, expected, holds, found: u64| match holds {
            true => Ok(found as usize),
            false => Err(OptimizerError::Setting { setting, expected, found: found as f64 }),
        };
        let fits = pairs <= capacity as u64;
        let pairs = within("the number of saved pairs", "at most the length of the history", fits, pairs)?;
        let fits = if pairs < capacity { next == pairs as u64 } else { next < capacity as u64 };
        let next = within("the place of the next pair", "within the history", fits, next)?;
        lbfgs.step = state.count(STEP)?;
        lbfgs.loss = state.numbers.get(LOSS).copied();
        lbfgs.gradient = state.take(GRADIENT, parameters)?;
        let used = pairs * parameters;
        lbfgs.history.fill(pairs, next, &state.take(MOVES, used)?, &state.take(CHANGES, used)?);
        Ok(lbfgs)
    }
}
