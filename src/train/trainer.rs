//! A run: stages of optimisers over one objective, step by step.

use super::objective::not_finite;
use super::optimizer::{Adam, AdamSettings, Lbfgs, LbfgsOutcome, LbfgsSettings, OptimizerError, OptimizerState, StepError};
use super::{Objective, Resampling, TrainError};
use crate::evaluate::CpuReal;
use crate::network::Network;

/// An optimiser and how long it runs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Stage {
    /// Adam for so many steps.
    Adam {
        /// What it is told; its learning rate counts the steps of this stage.
        settings: AdamSettings,
        /// How many steps.
        steps: u64,
    },
    /// L-BFGS for at most so many steps; it ends before when it has arrived.
    Lbfgs {
        /// What it is told.
        settings: LbfgsSettings,
        /// How many steps at most.
        steps: u64,
    },
}

impl Stage {
    /// How many steps it takes at most.
    pub fn steps(&self) -> u64 {
        match self {
            Self::Adam { steps, .. } | Self::Lbfgs { steps, .. } => *steps,
        }
    }

    /// "adam" or "lbfgs".
    pub fn name(&self) -> &'static str {
        match self {
            Self::Adam { .. } => "adam",
            Self::Lbfgs { .. } => "lbfgs",
        }
    }

    fn optimizer<R: CpuReal>(&self, parameters: usize) -> Result<Optimizer<R>, OptimizerError> {
        Ok(match self {
            Self::Adam { settings, .. } => Optimizer::Adam(Adam::new(*settings, parameters)?),
            Self::Lbfgs { settings, .. } => Optimizer::Lbfgs(Lbfgs::new(*settings, parameters)?),
        })
    }

    fn optimizer_from<R: CpuReal>(
        &self,
        parameters: usize,
        state: OptimizerState<'_, R>,
    ) -> Result<Optimizer<R>, OptimizerError> {
        Ok(match self {
            Self::Adam { settings, .. } => Optimizer::Adam(Adam::from_state(*settings, parameters, state)?),
            Self::Lbfgs { settings, .. } => Optimizer::Lbfgs(Lbfgs::from_state(*settings, parameters, state)?),
        })
    }
}

/// The optimiser of the stage at hand.
enum Optimizer<R> {
    Adam(Adam<R>),
    Lbfgs(Lbfgs<R>),
}

/// What a step did.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StepReport {
    /// How many steps were done, this one included.
    pub step: u64,
    /// The stage, counted from 0.
    pub stage: usize,
    /// The loss: before the step for Adam, which sees no other; behind the step for L-BFGS.
    pub loss: f64,
    /// The learning rate of Adam, the length of the step of L-BFGS.
    pub rate: f64,
    /// The Euclidean norm of the gradient.
    pub gradient_norm: f64,
    /// How often the loss was asked for.
    pub evaluations: u32,
    /// How the step ended, for L-BFGS; all but [`LbfgsOutcome::Advanced`] end the stage.
    pub outcome: Option<LbfgsOutcome>,
    /// Whether the stage ended with this step.
    pub stage_ended: bool,
}

/// Trains a network: an objective, weights, stages of optimisers, and points that are drawn anew now and then.
///
/// ```
/// use tapeless::network::{Activation, Initialization, Network};
/// use tapeless::operator::{Expression, Names};
/// use tapeless::train::{Objective, Stage, Term, Trainer, optimizer::AdamSettings};
///
/// // u' = u, u(0) = 1 on [0, 1].
/// let names = Names::new(["x"], ["u"])?;
/// let text = |text| Expression::parse(text, &names, &[], &[]);
/// let points: Vec<f64> = (0..=20).map(|k| f64::from(k) / 20.0).collect();
/// let terms = vec![
///     Term::of_expressions("equation", vec![text("u_x - u")?], points),
///     Term::of_expressions("start", vec![text("u - 1")?], vec![0.0]),
/// ];
/// let network = Network::initialized(&[1, 8, 1], Activation::Tanh, Initialization::GlorotUniform, 7)?;
/// let objective = Objective::new(&network, terms)?;
/// let mut trainer = Trainer::new(objective, vec![
///     Stage::Adam { settings: AdamSettings::default(), steps: 200 },
///     Stage::Lbfgs { settings: Default::default(), steps: 200 },
/// ])?;
/// while trainer.step()?.is_some() {}
/// let u = trainer.network()?;
/// assert!((u.forward(&[1.0])?[0] - 1.0_f64.exp()).abs() < 1e-3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Trainer<R: CpuReal> {
    objective: Objective<R>,
    parameters: Vec<R>,
    gradient: Vec<R>,
    /// The parameters before the step at hand.
    before: Vec<R>,
    stages: Vec<Stage>,
    stage: usize,
    steps_in_stage: u64,
    /// Whether L-BFGS has arrived, so that the stage is over before its steps are.
    arrived: bool,
    step: u64,
    optimizer: Optimizer<R>,
    resamplings: Vec<Resampling>,
}

/// Everything that changes as a run goes on, for a file.
pub(super) struct Snapshot<'a, R: CpuReal> {
    pub step: u64,
    pub stage: usize,
    pub steps_in_stage: u64,
    pub arrived: bool,
    pub parameters: &'a [R],
    pub optimizer: OptimizerState<'a, R>,
    /// Of each term that is drawn anew its number and points.
    pub points: Vec<(usize, &'a [R])>,
}

impl<R: CpuReal> Trainer<R> {
    /// A run that starts with the weights of the objective's network.
    ///
    /// # Errors
    ///
    /// [`TrainError::Optimizer`] for settings out of their range.
    pub fn new(objective: Objective<R>, stages: Vec<Stage>) -> Result<Self, TrainError> {
        let parameters = objective.start();
        // Later ones are checked now, not when their time has come.
        for stage in &stages {
            stage.optimizer::<R>(0)?;
        }
        let nothing = Stage::Adam { settings: AdamSettings::default(), steps: 0 };
        let optimizer = stages.first().unwrap_or(&nothing).optimizer(parameters.len())?;
        let gradient = vec![R::zero(); parameters.len()];
        let before = gradient.clone();
        let (stage, steps_in_stage, arrived, step, resamplings) = (0, 0, false, 0, Vec::new());
        Ok(Self {
            objective,
            parameters,
            gradient,
            before,
            stages,
            stage,
            steps_in_stage,
            arrived,
            step,
            optimizer,
            resamplings,
        })
    }

    /// With points that are drawn anew.
    ///
    /// # Errors
    ///
    /// [`TrainError::NoSuchTerm`], [`TrainError::Resampling`].
    pub fn with_resampling(mut self, resampling: Resampling) -> Result<Self, TrainError> {
        self.objective.check_resampling(&resampling)?;
        self.resamplings.push(resampling);
        Ok(self)
    }

    /// Goes on to the next stage where the one at hand is over. A stage that is over is not left before that, so that it can be
    /// made longer after a checkpoint at its end.
    fn current_stage(&mut self) -> Result<Option<Stage>, TrainError> {
        while let Some(&stage) = self.stages.get(self.stage) {
            if !self.arrived && self.steps_in_stage < stage.steps() {
                return Ok(Some(stage));
            }
            let Some(next) = self.stages.get(self.stage + 1) else { break };
            self.optimizer = next.optimizer(self.parameters.len())?;
            (self.stage, self.steps_in_stage, self.arrived) = (self.stage + 1, 0, false);
        }
        Ok(None)
    }

    /// One step of the stage at hand; `None` when all stages are done.
    ///
    /// # Errors
    ///
    /// [`TrainError::Diverged`] where the loss is not finite: the weights are those before the step.
    pub fn step(&mut self) -> Result<Option<StepReport>, TrainError> {
        let Some(stage) = self.current_stage()? else { return Ok(None) };
        let mut redrawn = false;
        for resampling in self.resamplings.iter_mut().filter(|resampling| resampling.is_due(self.step)) {
            resampling.draw(self.step, &mut self.objective, &self.parameters)?;
            redrawn = true;
        }
        let (objective, gradient, step) = (&mut self.objective, &mut self.gradient, self.step + 1);
        let diverged = |loss| TrainError::Diverged { step, loss };
        let (loss, rate, gradient_norm, evaluations, outcome) = match &mut self.optimizer {
            Optimizer::Adam(adam) => {
                let loss = objective.loss_and_gradient(&self.parameters, gradient)?;
                if !loss.is_finite() {
                    return Err(diverged(loss));
                }
                self.before.copy_from_slice(&self.parameters);
                let report = adam.step(&mut self.parameters, gradient)?;
                if let Some((index, value)) = not_finite(&self.parameters) {
                    self.parameters.copy_from_slice(&self.before);
                    return Err(TrainError::WeightNotFinite { step, index, value });
                }
                (loss, report.rate, report.gradient_norm, 1, None)
            }
            Optimizer::Lbfgs(lbfgs) => {
                if redrawn {
                    lbfgs.restart();
                }
                let loss = |at: &[R], gradient: &mut [R]| objective.loss_and_gradient(at, gradient);
                let report = lbfgs.step(&mut self.parameters, loss).map_err(|error| match error {
                    StepError::Objective(error) => error,
                    StepError::Optimizer(OptimizerError::LossNotFinite { found }) => diverged(found),
                    StepError::Optimizer(error) => error.into(),
                })?;
                (report.loss, report.step_length, report.gradient_norm, report.evaluations, Some(report.outcome))
            }
        };
        let arrived = outcome.is_some_and(|outcome| outcome != LbfgsOutcome::Advanced);
        (self.step, self.arrived) = (step, arrived);
        self.steps_in_stage += 1;
        let stage_ended = arrived || self.steps_in_stage >= stage.steps();
        Ok(Some(StepReport { step, stage: self.stage, loss, rate, gradient_norm, evaluations, outcome, stage_ended }))
    }

    /// The loss at the weights as they are.
    ///
    /// # Errors
    ///
    /// None that a trainer can meet.
    pub fn loss(&mut self) -> Result<f64, TrainError> {
        self.objective.loss_and_gradient(&self.parameters, &mut self.gradient)
    }

    /// How many steps were done.
    pub fn steps(&self) -> u64 {
        self.step
    }

    /// The stages.
    pub fn stages(&self) -> &[Stage] {
        &self.stages
    }

    /// The weights as they are, in the order of [`Network::to_parameters`].
    pub fn parameters(&self) -> &[R] {
        &self.parameters
    }

    /// The loss over its terms.
    pub fn objective(&self) -> &Objective<R> {
        &self.objective
    }

    /// The trained network, with the scaling of the inputs worked in; see [`Objective::network`].
    ///
    /// # Errors
    ///
    /// None that a trainer can meet.
    pub fn network(&self) -> Result<Network<R>, TrainError> {
        self.objective.network(&self.parameters)
    }

    /// The solution at `points`; see [`Objective::outputs`].
    ///
    /// # Errors
    ///
    /// [`TrainError::Count`] where the points are not whole rows.
    pub fn outputs(&mut self, points: &[R]) -> Result<Vec<R>, TrainError> {
        self.objective.outputs(&self.parameters, points)
    }

    /// What a run is made of, in words: a checkpoint of another run is told by it. Lengths and rates of the stages are not part
    /// of it, so that a stage may be made longer.
    pub(super) fn description(&self) -> String {
        let stages: Vec<&str> = self.stages.iter().map(Stage::name).collect();
        format!("{}; {}", self.objective.description(), stages.join(", "))
    }

    pub(super) fn snapshot(&self) -> Snapshot<'_, R> {
        let optimizer = match &self.optimizer {
            Optimizer::Adam(adam) => adam.state(),
            Optimizer::Lbfgs(lbfgs) => lbfgs.state(),
        };
        let drawn = self.resamplings.iter().map(|resampling| resampling.term);
        let points = drawn.filter_map(|term| Some((term, self.objective.points(term).ok()?))).collect();
        let Self { step, stage, steps_in_stage, arrived, ref parameters, .. } = *self;
        Snapshot { step, stage, steps_in_stage, arrived, parameters, optimizer, points }
    }

    /// Goes on from a snapshot of the same run; nothing is changed where that fails.
    pub(super) fn restore(&mut self, snapshot: Snapshot<'_, R>) -> Result<(), TrainError> {
        let Snapshot { step, stage, steps_in_stage, arrived, parameters, optimizer, points } = snapshot;
        let (expected, found) = (self.parameters.len(), parameters.len());
        if expected != found {
            return Err(TrainError::Parameters { what: "parameters", expected, found });
        }
        let optimizer = match self.stages.get(stage) {
            Some(stage) => Some(stage.optimizer_from(expected, optimizer)?),
            None => None,
        };
        for &(term, points) in &points {
            self.objective.check_points(term, points)?;
        }
        for (term, points) in points {
            self.objective.set_points(term, points)?;
        }
        if let Some(optimizer) = optimizer {
            self.optimizer = optimizer;
        }
        self.parameters.copy_from_slice(parameters);
        (self.step, self.stage, self.steps_in_stage, self.arrived) = (step, stage, steps_in_stage, arrived);
        Ok(())
    }
}
