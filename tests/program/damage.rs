//! Damaged files: the program reads them or refuses them, and never breaks down.

use std::fs;
use std::path::Path;

use crate::files::read_npz;
use crate::{Folder, Run, case_file, eval, f01, p01};

/// Runs of the program for each file.
pub const ROUNDS: usize = 38;

/// Fixed numbers (Knuth's linear congruence), so that a failure can be seen again.
pub struct Numbers(pub u64);

impl Numbers {
    pub fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit.max(1)
    }

    /// Flips, cuts or adds one to three times.
    pub fn damage(&mut self, bytes: &mut Vec<u8>) {
        for _ in 0..=self.below(3) {
            let place = self.below(bytes.len());
            match self.below(5) {
                0 => bytes.truncate(place),
                1 => bytes.insert(place, self.below(256) as u8),
                // Digits, brackets and quotes reach further into a parser than any byte does.
                2 => bytes.insert(place, b"0123456789()[]{}'\",:<\n"[self.below(22)]),
                _ if bytes.is_empty() => {}
                3 => bytes[place] = self.below(256) as u8,
                _ => bytes[place] ^= 1 << self.below(8),
            }
        }
    }
}

/// Damages a file again and again; `run` evaluates with the damaged one.
fn check(victim: &str, good: &Path, run: impl Fn(&Path, &Path) -> Run) {
    let good = fs::read(good).unwrap();
    let (inputs, results) = (Folder::new(), Folder::new());
    let (damaged, out) = (inputs.at(victim), results.at("results.npz"));
    let mut numbers = Numbers(good.len() as u64);
    let mut refusals = 0;
    for round in 0..ROUNDS {
        let mut bytes = good.clone();
        numbers.damage(&mut bytes);
        fs::write(&damaged, &bytes).unwrap();
        let run = run(&damaged, &out);
        assert!(!run.stderr.contains("panicked"), "round {round}: {}", run.stderr);
        match run.code {
            Some(0) => {
                assert_eq!(read_npz(&out).len(), 3);
                fs::remove_file(&out).unwrap();
            }
            Some(2) => {
                run.refused(&[victim]);
                refusals += 1;
            }
            code => panic!("round {round}: exit code {code:?}, {}", run.stderr),
        }
        results.holds_only(&[]);
    }
    assert!(refusals > ROUNDS / 3, "only {refusals} of {ROUNDS} were refused");
}

const OPTIONS: &str = "--activation tanh --threads 1";

fn check_points(victim: &str, good: &Path) {
    check(victim, good, |damaged, out| eval(&f01(), damaged, out, OPTIONS));
}

#[test]
fn damaged_models() {
    check("damaged.safetensors", &f01(), |damaged, out| eval(damaged, &p01(), out, OPTIONS));
}

#[test]
fn damaged_arrays() {
    check_points("damaged.npy", &p01());
}

#[test]
fn damaged_archives() {
    check_points("damaged.npz", &case_file("P13_deflate.npz"));
}

#[test]
fn damaged_text() {
    check_points("damaged.csv", &case_file("C01_bom.csv"));
}
