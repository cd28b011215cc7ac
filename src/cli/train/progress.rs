//! How a run goes, while it goes: a line that changes on a terminal, a line now and then elsewhere.

use std::time::{Duration, Instant};

use indicatif::{HumanDuration, ProgressBar, ProgressStyle};
use tapeless::train::StepReport;

use crate::cli::report;

/// The time between two looks on a terminal.
const PAUSE: Duration = Duration::from_millis(200);

/// The time between two lines elsewhere, such as in a file.
const PLAIN_PAUSE: Duration = Duration::from_secs(30);

/// Step, steps a second, the time left, loss, its parts and rate, on standard error.
pub struct Progress {
    bar: ProgressBar,
    total: u64,
    /// Steps that were done when it began.
    first: u64,
    start: Instant,
    next: Instant,
}

impl Progress {
    /// For so many steps in all, some of them done.
    pub fn new(total: u64, first: u64) -> Self {
        let bar = ProgressBar::new(total);
        if let Ok(style) = ProgressStyle::with_template("{wide_msg}") {
            bar.set_style(style);
        }
        let start = Instant::now();
        let next = if bar.is_hidden() { start + PLAIN_PAUSE } else { start };
        Self { bar, total, first, start, next }
    }

    /// Shows a step, now and then.
    pub fn step<'a>(&mut self, report: &StepReport, terms: impl Iterator<Item = &'a str>, losses: &[f64]) {
        let now = Instant::now();
        if now < self.next {
            return;
        }
        let speed = (report.step - self.first) as f64 / (now - self.start).as_secs_f64().max(1e-9);
        let left = Duration::from_secs(((self.total - report.step.min(self.total)) as f64 / speed) as u64);
        let parts: Vec<String> = terms.zip(losses).map(|(name, loss)| format!("{name} {loss:.2e}")).collect();
        // What is most wanted first: a narrow terminal cuts the end off.
        let line = format!(
            "step {} of {}, {speed:.1} steps/s, {} left, loss {:.3e} ({}), rate {:.1e}",
            report::count(report.step as usize),
            report::count(self.total as usize),
            HumanDuration(left),
            report.loss,
            parts.join(", "),
            report.rate,
        );
        if self.bar.is_hidden() {
            self.next = now + PLAIN_PAUSE;
            report::notice(line);
        } else {
            self.next = now + PAUSE;
            self.bar.set_message(line);
        }
    }

    /// Takes the line away.
    pub fn finish(self) {
        self.bar.finish_and_clear();
    }
}
