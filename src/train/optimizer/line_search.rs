//! The search for a step along a direction (Moré and Thuente, Line search algorithms with guaranteed sufficient decrease, 1994).
//!
//! With phi(a) the loss after a step a, and phi'(0) < 0, it looks for the strong Wolfe conditions
//!
//!   phi(a) <= phi(0) + c1 a phi'(0),   |phi'(a)| <= c2 |phi'(0)|.
//!
//! Near a minimum the difference of losses drowns in rounding, and the first condition fails by chance. There the approximate
//! one is taken, which looks at slopes only, as long as the loss has not risen by more than rounding (Hager and Zhang, A new
//! conjugate gradient method with guaranteed descent and an efficient line search, 2005).
//!
//! The search is told one trial after the other and says what to do next; it never calls the function itself.

/// Loss and slope at a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Trial {
    pub step: f64,
    pub loss: f64,
    pub slope: f64,
}

/// What to do after a trial.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Next {
    /// The step is a good one.
    Accept,
    /// Try this one.
    Try(f64),
    /// Steps cannot be told from one another any more.
    GiveUp,
}

/// The constants of the conditions.
#[derive(Clone, Copy, Debug)]
pub(super) struct Conditions {
    pub sufficient_decrease: f64,
    pub curvature: f64,
    /// Rounding error of the loss, relative to it.
    pub noise: f64,
}

pub(super) struct LineSearch {
    conditions: Conditions,
    start: Trial,
    /// The best of the trials so far.
    best: Trial,
    /// The other end of the interval that holds a good step, once there is one.
    other: Trial,
    bracketed: bool,
    /// Whether no trial has yet satisfied the first condition with a slope that rises: the search then works on
    /// psi(a) = phi(a) - phi(0) - c1 a phi'(0), whose minimum satisfies both conditions.
    first_stage: bool,
    /// Length of the interval after the last trial and after that before.
    widths: [f64; 2],
    /// Where the next trial may lie.
    limits: [f64; 2],
}

/// While there is no interval, the next trial lies so many times the last advance beyond it.
const EXTRAPOLATION: [f64; 2] = [1.1, 4.0];
/// Two trials have to shorten the interval by this factor, or else it is halved.
const SHRINKAGE: f64 = 0.66;
/// An interval that is shorter than this part of its larger end cannot be told from a point.
const SHORTEST: f64 = 1e-12;
const LONGEST_STEP: f64 = 1e20;

impl LineSearch {
    /// A search from a point with this loss and slope, which is below 0, and whose first trial is the step `first`.
    pub fn new(conditions: Conditions, loss: f64, slope: f64, first: f64) -> Self {
        let start = Trial { step: 0.0, loss, slope };
        Self {
            conditions,
            start,
            best: start,
            other: start,
            bracketed: false,
            first_stage: true,
            widths: [LONGEST_STEP, 2.0 * LONGEST_STEP],
            limits: [0.0, first + EXTRAPOLATION[1] * first],
        }
    }

    /// Whether the loss has fallen in proportion to the step.
    fn has_decreased(&self, trial: &Trial) -> bool {
        trial.loss <= self.start.loss + self.least_slope() * trial.step
    }

    /// The best of the trials, if it lessens the loss.
    pub fn best_step(&self) -> Option<f64> {
        (self.best.loss < self.start.loss).then_some(self.best.step)
    }

    fn least_slope(&self) -> f64 {
        self.conditions.sufficient_decrease * self.start.slope
    }

    fn is_good(&self, trial: &Trial) -> bool {
        let Conditions { sufficient_decrease, curvature, noise } = self.conditions;
        let start = &self.start;
        let strong = self.has_decreased(trial) && trial.slope.abs() <= -curvature * start.slope;
        let approximate = trial.loss <= start.loss + noise * start.loss.abs()
            && trial.slope >= curvature * start.slope
            && trial.slope <= (2.0 * sufficient_decrease - 1.0) * start.slope;
        strong || approximate
    }

    /// What follows from a trial.
    pub fn next(&mut self, trial: Trial) -> Next {
        if !(trial.loss.is_finite() && trial.slope.is_finite()) {
            // Too far: a good step lies before it.
            self.other = trial;
            self.bracketed = true;
            let half = self.best.step + 0.5 * (trial.step - self.best.step);
            return self.narrowed(half);
        }
        if self.is_good(&trial) {
            return Next::Accept;
        }
        if trial.step >= LONGEST_STEP {
            return Next::GiveUp;
        }
        if self.first_stage && self.has_decreased(&trial) && trial.slope >= 0.0 {
            self.first_stage = false;
        }
        let next = if self.first_stage && trial.loss <= self.best.loss && !self.has_decreased(&trial) {
            // On psi, whose values at the three trials differ from those of phi by a line.
            let tilt = self.least_slope();
            let tilted = |trial: Trial, tilt: f64| Trial {
                loss: trial.loss - tilt * trial.step,
                slope: trial.slope - tilt,
                ..trial
            };
            (self.best, self.other) = (tilted(self.best, tilt), tilted(self.other, tilt));
            let next = self.shift(tilted(trial, tilt));
            (self.best, self.other) = (tilted(self.best, -tilt), tilted(self.other, -tilt));
            next
        } else {
            self.shift(trial)
        };
        if !self.bracketed {
            let advance = next - self.best.step;
            self.limits = EXTRAPOLATION.map(|factor| next + factor * advance);
            return Next::Try(next.min(LONGEST_STEP));
        }
        let width = (self.other.step - self.best.step).abs();
        let next = match width >= SHRINKAGE * self.widths[1] {
            true => self.best.step + 0.5 * (self.other.step - self.best.step),
            false => next,
        };
        self.widths = [width, self.widths[0]];
        self.narrowed(next)
    }

    /// The next trial within the interval, if that is more than a point.
    fn narrowed(&mut self, next: f64) -> Next {
        let (low, high) = (self.best.step.min(self.other.step), self.best.step.max(self.other.step));
        self.limits = [low, high];
        match next > low && next < high && high - low > SHORTEST * high {
            true => Next::Try(next),
            false => Next::GiveUp,
        }
    }

    /// Takes a trial into the interval; gives the next one by interpolation, as in section 4 of the paper.
    fn shift(&mut self, trial: Trial) -> f64 {
        let best = self.best;
        let cubic = cubic_minimum(trial, best);
        let secant = trial.step + trial.slope / (trial.slope - best.slope) * (best.step - trial.step);
        let turns = trial.slope * best.slope.signum() < 0.0;
        let far = self.limits[usize::from(trial.step > best.step)];
        let next;
        if trial.loss > best.loss {
            // A minimum lies between: the cubic's, unless it is far from the best trial.
            let chord = (best.loss - trial.loss) / (trial.step - best.step);
            let quadratic = best.step + best.slope / (chord + best.slope) / 2.0 * (trial.step - best.step);
            let cubic = cubic.unwrap_or(quadratic);
            next = match (cubic - best.step).abs() < (quadratic - best.step).abs() {
                true => cubic,
                false => cubic + (quadratic - cubic) / 2.0,
            };
            self.bracketed = true;
        } else if turns {
            // A minimum lies between: the guess that is farther from the trial, which is the better of the two.
            next = match cubic {
                Some(cubic) if (cubic - trial.step).abs() >= (secant - trial.step).abs() => cubic,
                _ => secant,
            };
            self.bracketed = true;
        } else if trial.slope.abs() < best.slope.abs() {
            // The slope flattens: a minimum lies beyond the trial, for the cubic only if it turns there.
            let beyond = |step: &f64| (step - trial.step) * (trial.step - best.step) > 0.0;
            let cubic = cubic.filter(beyond).unwrap_or(far);
            let cubic_is_closer = (cubic - trial.step).abs() < (secant - trial.step).abs();
            if self.bracketed {
                let guess = if cubic_is_closer { cubic } else { secant };
                let farthest = trial.step + SHRINKAGE * (self.other.step - trial.step);
                next = if trial.step > best.step { guess.min(farthest) } else { guess.max(farthest) };
            } else {
                let guess = if cubic_is_closer { secant } else { cubic };
                next = guess.max(self.limits[0]).min(self.limits[1]);
            }
        } else if self.bracketed {
            // It steepens, so the best trial says nothing of the minimum, which lies towards the other end.
            let half = trial.step + 0.5 * (self.other.step - trial.step);
            next = cubic_minimum(trial, self.other).unwrap_or(half);
        } else {
            next = far;
        }
        if trial.loss > best.loss {
            self.other = trial;
        } else {
            if turns {
                self.other = best;
            }
            self.best = trial;
        }
        next
    }
}

/// The minimum of the cubic with the losses and slopes of two trials, if it has one.
fn cubic_minimum(from: Trial, to: Trial) -> Option<f64> {
    let length = to.step - from.step;
    let theta = 3.0 * (from.loss - to.loss) / length + from.slope + to.slope;
    // Divided by the largest first, so that no square overflows.
    let scale = theta.abs().max(from.slope.abs()).max(to.slope.abs());
    let root = scale * ((theta / scale).powi(2) - from.slope / scale * (to.slope / scale)).sqrt();
    let root = root.copysign(length);
    let part = (root - from.slope + theta) / (root - from.slope + root + to.slope);
    let minimum = from.step + part * length;
    (root != 0.0 && minimum.is_finite()).then_some(minimum)
}

#[cfg(test)]
mod tests {
    use std::f64::consts::PI;

    use super::*;
    use crate::{Scalar, gradient};

    /// Trials until a step is accepted, and the step.
    fn search(f: impl Fn(f64) -> Trial, sufficient_decrease: f64, curvature: f64, first: f64) -> (usize, f64) {
        // Strong conditions only.
        let conditions = Conditions { sufficient_decrease, curvature, noise: f64::NEG_INFINITY };
        let start = f(0.0);
        let mut search = LineSearch::new(conditions, start.loss, start.slope, first);
        let mut step = first;
        for trials in 1..100 {
            match search.next(f(step)) {
                Next::Accept => return (trials, step),
                Next::Try(next) => step = next,
                Next::GiveUp => panic!("gave up at {step}"),
            }
        }
        panic!("no end at {step}");
    }

    /// One of the paper's functions.
    fn value<S: Scalar>(function: usize, a: S) -> S {
        let (one, literal) = (S::one(), S::literal);
        let yanai = |b1: f64, b2: f64| {
            let gamma = |b: f64| literal((1.0 + b * b).sqrt() - b);
            gamma(b1) * ((one - a).powi(2) + literal(b2 * b2)).sqrt() + gamma(b2) * (a * a + literal(b1 * b1)).sqrt()
        };
        match function {
            1 => -a / (a * a + literal(2.0)),
            2 => (a + literal(0.004)).powi(5) - literal(2.0) * (a + literal(0.004)).powi(4),
            3 => {
                let (b, l) = (0.01, 39.0);
                let bend = if a <= literal(1.0 - b) {
                    one - a
                } else if a >= literal(1.0 + b) {
                    a - one
                } else {
                    (a - one).powi(2) / literal(2.0 * b) + literal(b / 2.0)
                };
                bend + literal(2.0 * (1.0 - b) / (l * PI)) * (literal(l * PI / 2.0) * a).sin()
            }
            4 => yanai(0.001, 0.001),
            5 => yanai(0.01, 0.001),
            _ => yanai(0.001, 0.01),
        }
    }

    /// Numbers of trials as in tables I to VI of the paper, steps as scipy 1.17's `DCSRCH` finds them.
    #[test]
    fn functions_of_the_paper() {
        let table = [
            (1, 0.001, 0.1, [(6, 1.365), (3, 1.4413720790892741), (1, 10.0), (4, 36.88760696396662)]),
            (
                2,
                0.1,
                0.1,
                [(12, 1.596000000186075), (8, 1.5960000000049348), (8, 1.5959999997572032), (11, 1.595999998872531)],
            ),
            (
                3,
                0.1,
                0.1,
                [(12, 0.9999996797968318), (12, 0.9999988033548208), (10, 0.9999999876178056), (13, 0.9999999017146377)],
            ),
            (4, 0.001, 0.001, [(4, 0.085), (1, 0.1), (3, 0.3491046164172457), (4, 0.8294012431694555)]),
            (
                5,
                0.001,
                0.001,
                [(6, 0.07501087060006814), (3, 0.07751042197802409), (7, 0.07314201106894994), (8, 0.07615927320141007)],
            ),
            (
                6,
                0.001,
                0.001,
                [(13, 0.9279032286386139), (11, 0.9261500138380064), (8, 0.924781673432206), (11, 0.9243979067536415)],
            ),
        ];
        for (function, decrease, curvature, rows) in table {
            let f = |step: f64| {
                let at = gradient(|[a]| value(function, a), [step]);
                Trial { step, loss: at.value, slope: at.gradient[0] }
            };
            for (first, (trials, step)) in [1e-3, 1e-1, 1e1, 1e3].into_iter().zip(rows) {
                let (found_trials, found) = search(f, decrease, curvature, first);
                assert_eq!(found_trials, trials, "function {function} from {first}");
                assert!((found / step - 1.0).abs() < 1e-6, "function {function} from {first}: {found} for {step}");
            }
        }
    }

    /// -ln(1 - x) - 3x has its minimum at 2/3 and no value from 1 on.
    #[test]
    fn a_function_with_an_end() {
        for first in [1e-3, 0.9, 1.0, 1e3, 1e9] {
            let f = |step: f64| Trial { step, loss: -(1.0 - step).ln() - 3.0 * step, slope: 1.0 / (1.0 - step) - 3.0 };
            let (_, found) = search(f, 1e-4, 1e-3, first);
            assert!((found - 2.0 / 3.0).abs() < 1e-3, "{found} from {first}");
        }
    }

    #[test]
    fn a_function_without_a_minimum_ends() {
        let conditions = Conditions { sufficient_decrease: 1e-4, curvature: 0.9, noise: 0.0 };
        let mut search = LineSearch::new(conditions, 0.0, -1.0, 1.0);
        let mut step = 1.0;
        let mut trials = 0;
        while let Next::Try(next) = search.next(Trial { step, loss: -step, slope: -1.0 }) {
            step = next;
            trials += 1;
        }
        assert_eq!(step, LONGEST_STEP);
        assert!(trials < 50);
    }

    /// With losses that are all alike but for rounding, slopes decide.
    #[test]
    fn flat_losses() {
        let conditions = Conditions { sufficient_decrease: 1e-4, curvature: 0.9, noise: f64::EPSILON };
        let mut search = LineSearch::new(conditions, 1.0, -1e-20, 1.0);
        assert_eq!(search.next(Trial { step: 1.0, loss: 1.0 + f64::EPSILON, slope: 1e-21 }), Next::Accept);
        let mut search = LineSearch::new(conditions, 1.0, -1e-20, 1.0);
        assert_ne!(search.next(Trial { step: 1.0, loss: 1.0 + 4.0 * f64::EPSILON, slope: 1e-21 }), Next::Accept);
    }
}
