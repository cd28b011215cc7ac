//! One problem, several crates: that they agree, how long each takes, and the table of it.

use std::time::Instant;

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion};

use crate::peers::Answer;

/// The crates on one problem, the first of which is the measure for the others.
pub struct Comparison<'a> {
    name: &'static str,
    group: BenchmarkGroup<'a, WallTime>,
    expected: Vec<f64>,
    /// The seconds that each crate takes.
    times: Vec<(&'static str, f64)>,
}

impl<'a> Comparison<'a> {
    pub fn new(criterion: &'a mut Criterion, name: &'static str) -> Self {
        Self { name, group: criterion.benchmark_group(name), expected: Vec::new(), times: Vec::new() }
    }

    /// Checks a crate's answer against the first one's and times it.
    ///
    /// # Panics
    /// Where the answers differ by more than 1e-10 of the largest entry.
    pub fn run<A: Answer>(mut self, peer: &'static str, mut hessian: impl FnMut() -> A) -> Self {
        let entries = hessian().entries();
        if self.expected.is_empty() {
            self.expected = entries.clone();
        }
        assert_eq!(entries.len(), self.expected.len(), "{peer} on {}", self.name);
        for (i, (found, expected)) in entries.iter().zip(&self.expected).enumerate() {
            let close = (found - expected).abs() <= 1e-10 * expected.abs().max(1.0);
            assert!(close, "{peer} on {}: entry {i} is {found}, expected {expected}", self.name);
        }
        let mut time = f64::INFINITY;
        self.group.bench_function(peer, |bencher| {
            bencher.iter_custom(|iterations| {
                let start = Instant::now();
                for _ in 0..iterations {
                    std::hint::black_box(hessian());
                }
                let elapsed = start.elapsed();
                time = time.min(elapsed.as_secs_f64() / iterations as f64);
                elapsed
            });
        });
        self.times.push((peer, time));
        self
    }

    /// The table in Markdown, with the time of the fastest sample; empty where the command line asked for other problems.
    pub fn table(self) -> String {
        self.group.finish();
        let times: Vec<_> = self.times.into_iter().filter(|(_, time)| time.is_finite()).collect();
        let Some(&(_, own)) = times.first() else { return String::new() };
        let row = |(peer, time): &(_, f64)| format!("| {peer} | {} | {:.1} |\n", readable(*time), time / own);
        let rows: String = times.iter().map(row).collect();
        format!("\n| {} | time | ratio |\n|---|--:|--:|\n{rows}", self.name)
    }
}

/// A time with its unit and three digits.
fn readable(seconds: f64) -> String {
    let nanoseconds = seconds * 1e9;
    if nanoseconds < 1e3 {
        format!("{nanoseconds:.1} ns")
    } else if nanoseconds < 1e6 {
        format!("{:.2} us", nanoseconds / 1e3)
    } else {
        format!("{:.2} ms", nanoseconds / 1e6)
    }
}
