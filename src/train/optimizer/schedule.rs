//! Learning rates that change with the step.

use std::f64::consts::PI;

use super::OptimizerError;

/// A learning rate for every step: a rise, then a decay.
///
/// ```
/// use tapeless::train::optimizer::{Decay, Schedule};
///
/// let schedule = Schedule { warm_up: 10, decay: Decay::Exponential { factor: 0.5, steps: 1000 }, ..Schedule::constant(1e-3) };
/// assert_eq!(schedule.rate(0), 1e-4); // a tenth of the rise
/// assert_eq!(schedule.rate(10), 1e-3); // the whole rate
/// assert_eq!(schedule.rate(1010), 5e-4); // and 1000 steps later
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Schedule {
    /// The rate after the rise and before the decay.
    pub rate: f64,
    /// Over how many steps the rate rises, in equal parts: step 0 has 1 / `warm_up` of it.
    pub warm_up: u64,
    /// How it falls afterwards.
    pub decay: Decay,
}

/// How a learning rate falls. Steps are counted from the end of the warm-up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Decay {
    /// It does not.
    Constant,
    /// By `factor` over every `steps` steps, a little at each.
    Exponential {
        /// Above 0.
        factor: f64,
        /// At least 1.
        steps: u64,
    },
    /// By `factor` at once after every `steps` steps, as PyTorch's `StepLR`.
    Steps {
        /// Above 0.
        factor: f64,
        /// At least 1.
        steps: u64,
    },
    /// Along half a wave of the cosine to `least` within `steps` steps, and no further (Loshchilov and Hutter, SGDR, 2017).
    Cosine {
        /// The last rate.
        least: f64,
        /// At least 1.
        steps: u64,
    },
}

impl Schedule {
    /// The same rate at every step.
    pub fn constant(rate: f64) -> Self {
        Self { rate, warm_up: 0, decay: Decay::Constant }
    }

    /// The learning rate of a step, counted from 0; the same bits on every machine.
    pub fn rate(&self, step: u64) -> f64 {
        let Some(step) = step.checked_sub(self.warm_up) else {
            return self.rate * ((step + 1) as f64 / self.warm_up as f64);
        };
        match self.decay {
            Decay::Constant => self.rate,
            Decay::Exponential { factor, steps } => self.rate * libm::pow(factor, step as f64 / steps as f64),
            Decay::Steps { factor, steps } => self.rate * libm::pow(factor, (step / steps) as f64),
            Decay::Cosine { least, steps } => {
                let part = step.min(steps) as f64 / steps as f64;
                least + (self.rate - least) * (1.0 + libm::cos(PI * part)) / 2.0
            }
        }
    }

    /// Whether every rate is a number that makes sense.
    pub(super) fn check(&self) -> Result<(), OptimizerError> {
        let at_least_0 = |setting, found: f64| match found >= 0.0 && found.is_finite() {
            true => Ok(()),
            false => Err(OptimizerError::Setting { setting, expected: "finite and at least 0", found }),
        };
        at_least_0("the learning rate", self.rate)?;
        let steps = match self.decay {
            Decay::Constant => return Ok(()),
            Decay::Exponential { factor, steps } | Decay::Steps { factor, steps } => {
                if !(factor > 0.0 && factor.is_finite()) {
                    let expected = "finite and above 0";
                    return Err(OptimizerError::Setting { setting: "the factor of the decay", expected, found: factor });
                }
                steps
            }
            Decay::Cosine { least, steps } => {
                at_least_0("the least learning rate", least)?;
                steps
            }
        };
        match steps {
            0 => Err(OptimizerError::Setting { setting: "the steps of the decay", expected: "at least 1", found: 0.0 }),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn assert_rates(schedule: Schedule, expected: &[(u64, f64)]) {
        for (step, rate) in expected {
            let found = schedule.rate(*step);
            assert!((found - rate).abs() <= 4.0 * f64::EPSILON * rate, "step {step}: {found} for {rate}");
        }
    }

    /// By the formulas, at steps where they can be worked out by hand.
    #[test]
    fn rates() {
        let with = |decay| Schedule { decay, ..Schedule::constant(0.8) };
        assert_rates(with(Decay::Constant), &[(0, 0.8), (u64::MAX, 0.8)]);
        let factor = 0.25;
        assert_rates(with(Decay::Exponential { factor, steps: 10 }), &[(0, 0.8), (5, 0.4), (10, 0.2), (20, 0.05)]);
        assert_rates(with(Decay::Steps { factor, steps: 10 }), &[(0, 0.8), (9, 0.8), (10, 0.2), (19, 0.2), (20, 0.05)]);
        let cosine = with(Decay::Cosine { least: 0.2, steps: 12 });
        assert_rates(cosine, &[(0, 0.8), (4, 0.65), (6, 0.5), (8, 0.35), (12, 0.2), (100, 0.2)]);
        let warm = Schedule { warm_up: 4, ..cosine };
        assert_rates(warm, &[(0, 0.2), (1, 0.4), (3, 0.8), (4, 0.8), (8, 0.65), (16, 0.2)]);
    }

    #[test]
    fn settings_out_of_range_are_named() {
        let message = |schedule: Schedule| schedule.check().unwrap_err().to_string();
        assert!(message(Schedule::constant(f64::NAN)).starts_with("the learning rate is NaN"));
        let with = |decay| Schedule { decay, ..Schedule::constant(1.0) };
        assert!(message(with(Decay::Steps { factor: 0.0, steps: 1 })).contains("factor"));
        assert!(message(with(Decay::Exponential { factor: 0.5, steps: 0 })).contains("at least 1"));
        assert!(message(with(Decay::Cosine { least: -1.0, steps: 1 })).contains("least learning rate"));
    }
}
