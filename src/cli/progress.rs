//! A progress bar for long work on a terminal.

use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

/// Work shorter than this shows no bar.
const PATIENCE: Duration = Duration::from_millis(500);

/// Points done out of all; draws itself on standard error where that is a terminal, and nowhere else.
pub struct Progress {
    total: usize,
    start: Instant,
    bar: Option<ProgressBar>,
}

impl Progress {
    /// Starts the clock.
    pub fn new(total: usize) -> Self {
        Self { total, start: Instant::now(), bar: None }
    }

    /// Shows that so many points are done.
    pub fn done(&mut self, points: usize) {
        if self.bar.is_none() && self.start.elapsed() < PATIENCE {
            return;
        }
        let bar = self.bar.get_or_insert_with(|| {
            let bar = ProgressBar::new(self.total as u64);
            if let Ok(style) = ProgressStyle::with_template("{bar:40} {human_pos}/{human_len} points, {eta} left") {
                bar.set_style(style);
            }
            bar
        });
        bar.set_position(points as u64);
    }

    /// Takes the bar away and tells how long it took.
    pub fn finish(self) -> Duration {
        if let Some(bar) = self.bar {
            bar.finish_and_clear();
        }
        self.start.elapsed()
    }
}
