//! Adam.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::state::check_length;
use super::vectors::gradient_norm;
use super::{OptimizerError, OptimizerState, Schedule};
use crate::number::Real;

const STEP: &str = "step";
const FIRST_MOMENTS: &str = "first_moments";
const SECOND_MOMENTS: &str = "second_moments";

/// What an [`Adam`] is told. The defaults are PyTorch's.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AdamSettings {
    /// The learning rate; 0.001 at every step by default.
    pub schedule: Schedule,
    /// How much of the mean of derivatives stays at a step, from 0 to below 1; 0.9 by default.
    pub beta1: f64,
    /// How much of the mean of squares stays at a step, from 0 to below 1; 0.999 by default.
    pub beta2: f64,
    /// Added to the root of the mean of squares, above 0; 1e-8 by default.
    pub epsilon: f64,
    /// A gradient whose Euclidean norm is larger is shortened to this, as by PyTorch's `clip_grad_norm_`; `None` by default.
    pub largest_norm: Option<f64>,
}

impl Default for AdamSettings {
    fn default() -> Self {
        Self { schedule: Schedule::constant(1e-3), beta1: 0.9, beta2: 0.999, epsilon: 1e-8, largest_norm: None }
    }
}

impl AdamSettings {
    fn check<R: Real>(&self) -> Result<(), OptimizerError> {
        self.schedule.check()?;
        let check = |setting, holds, expected, found| match holds {
            true => Ok(()),
            false => Err(OptimizerError::Setting { setting, expected, found }),
        };
        for (setting, beta) in [("beta1", self.beta1), ("beta2", self.beta2)] {
            check(setting, (0.0..1.0).contains(&beta), "at least 0 and below 1", beta)?;
        }
        // At 0, also by rounding, a parameter without slope would become NaN.
        let epsilon = R::literal(self.epsilon);
        let finite = epsilon > R::zero() && epsilon.is_finite();
        check("epsilon", finite, "finite and above 0 in the float type", self.epsilon)?;
        match self.largest_norm {
            Some(norm) => check("the largest norm of the gradient", norm > 0.0, "above 0", norm),
            None => Ok(()),
        }
    }
}

/// Adam (Kingma and Ba, Adam: a method for stochastic optimization, 2015) as PyTorch has it: means corrected for their
/// start at 0, epsilon outside the root.
///
/// ```
/// use tapeless::train::optimizer::{Adam, AdamSettings, Schedule};
///
/// // The least of (x - 1)^2 + 10 (y + 2)^2.
/// let settings = AdamSettings { schedule: Schedule::constant(0.1), ..AdamSettings::default() };
/// let mut adam = Adam::new(settings, 2)?;
/// let mut parameters = [0.0, 0.0];
/// for _ in 0..500 {
///     let [x, y] = parameters;
///     adam.step(&mut parameters, &[2.0 * (x - 1.0), 20.0 * (y + 2.0)])?;
/// }
/// assert!((parameters[0] - 1.0_f64).abs() < 1e-6 && (parameters[1] + 2.0).abs() < 1e-6);
/// # Ok::<(), tapeless::train::optimizer::OptimizerError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Adam<R> {
    settings: AdamSettings,
    step: u64,
    first_moments: Vec<R>,
    second_moments: Vec<R>,
}

/// What a step of [`Adam`] saw and did.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AdamReport {
    /// The learning rate.
    pub rate: f64,
    /// The Euclidean norm of the gradient, before it was shortened.
    pub gradient_norm: f64,
}

impl<R: Real> Adam<R> {
    /// An optimiser for so many parameters.
    ///
    /// # Errors
    ///
    /// [`OptimizerError::Setting`] for a setting out of its range.
    pub fn new(settings: AdamSettings, parameters: usize) -> Result<Self, OptimizerError> {
        settings.check::<R>()?;
        let zeros = vec![R::zero(); parameters];
        Ok(Self { settings, step: 0, first_moments: zeros.clone(), second_moments: zeros })
    }

    /// How many steps were done.
    pub fn steps(&self) -> u64 {
        self.step
    }

    /// What it was told.
    pub fn settings(&self) -> &AdamSettings {
        &self.settings
    }

    /// Moves the parameters one step, given the gradient at them.
    ///
    /// # Errors
    ///
    /// [`OptimizerError::WrongLength`] where a slice has not as many numbers as there are parameters;
    /// [`OptimizerError::GradientNotFinite`]. Parameters and state are then as before.
    pub fn step(&mut self, parameters: &mut [R], gradient: &[R]) -> Result<AdamReport, OptimizerError> {
        let AdamSettings { schedule, beta1, beta2, epsilon, largest_norm } = self.settings;
        check_length("parameters", self.first_moments.len(), parameters.len())?;
        check_length("gradient", self.first_moments.len(), gradient.len())?;
        let gradient_norm = gradient_norm(gradient)?;
        let rate = schedule.rate(self.step);
        self.step += 1;

        // PyTorch divides by norm + 1e-6.
        let scale = largest_norm.map_or(1.0, |largest| (largest / (gradient_norm + 1e-6)).min(1.0));
        let steps = self.step as f64;
        let step_size = R::literal(rate / (1.0 - libm::pow(beta1, steps)));
        let root_correction = R::literal((1.0 - libm::pow(beta2, steps)).sqrt());
        let (new1, new2) = (R::literal(1.0 - beta1), R::literal(1.0 - beta2));
        let (beta1, beta2) = (R::literal(beta1), R::literal(beta2));
        let (epsilon, scale) = (R::literal(epsilon), R::literal(scale));
        let moments = self.first_moments.iter_mut().zip(&mut self.second_moments);
        for ((parameter, &derivative), (first, second)) in parameters.iter_mut().zip(gradient).zip(moments) {
            let derivative = scale * derivative;
            *first = beta1 * *first + new1 * derivative;
            *second = beta2 * *second + new2 * derivative * derivative;
            *parameter -= step_size * *first / (second.sqrt() / root_correction + epsilon);
        }
        Ok(AdamReport { rate, gradient_norm })
    }

    /// Its state: the count `step`, the vectors `first_moments` and `second_moments`.
    pub fn state(&self) -> OptimizerState<'_, R> {
        OptimizerState {
            counts: BTreeMap::from([(STEP.into(), self.step)]),
            numbers: BTreeMap::new(),
            vectors: BTreeMap::from([
                (FIRST_MOMENTS.into(), Cow::from(&self.first_moments)),
                (SECOND_MOMENTS.into(), Cow::from(&self.second_moments)),
            ]),
        }
    }

    /// An optimiser that goes on where the one of this state stood, with identical bits if the settings are the same.
    ///
    /// # Errors
    ///
    /// As for [`new`](Adam::new); [`OptimizerError::MissingState`], [`OptimizerError::WrongLength`] for a state of another
    /// optimiser or another number of parameters.
    pub fn from_state(
        settings: AdamSettings,
        parameters: usize,
        mut state: OptimizerState<'_, R>,
    ) -> Result<Self, OptimizerError> {
        settings.check::<R>()?;
        Ok(Self {
            settings,
            step: state.count(STEP)?,
            first_moments: state.take(FIRST_MOMENTS, parameters)?,
            second_moments: state.take(SECOND_MOMENTS, parameters)?,
        })
    }
}
