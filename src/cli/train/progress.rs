//! The line that shows how a run goes.

use std::fmt::Write;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressState, ProgressStyle};
use tapeless::train::StepReport;

/// The time between two looks.
const PAUSE: Duration = Duration::from_millis(200);

/// Step, loss, its parts, rate, steps a second and the time left; on standard error where that is a terminal, nowhere else.
pub struct Progress {
    bar: ProgressBar,
    next: Instant,
}

impl Progress {
    /// For so many steps in all, some of them done.
    pub fn new(total: u64, done: u64) -> Self {
        let bar = ProgressBar::new(total).with_position(done);
        let speed = |state: &ProgressState, text: &mut dyn Write| {
            // A line that can't be shown is no failure of the work.
            let _ = write!(text, "{:.1} steps/s", state.per_sec());
        };
        if let Ok(style) = ProgressStyle::with_template("{human_pos}/{human_len} {wide_msg} {speed}, {eta} left") {
            bar.set_style(style.with_key("speed", speed));
        }
        bar.reset_eta();
        Self { bar, next: Instant::now() }
    }

    /// Shows a step, now and then.
    pub fn step<'a>(&mut self, report: &StepReport, terms: impl Iterator<Item = &'a str>, losses: &[f64]) {
        let now = Instant::now();
        if now < self.next || self.bar.is_hidden() {
            return;
        }
        self.next = now + PAUSE;
        let parts: Vec<String> = terms.zip(losses).map(|(name, loss)| format!("{name} {loss:.2e}")).collect();
        self.bar.set_position(report.step);
        self.bar.set_message(format!("loss {:.3e} ({}), rate {:.1e}", report.loss, parts.join(", "), report.rate));
    }

    /// Takes the line away.
    pub fn finish(self) {
        self.bar.finish_and_clear();
    }
}
