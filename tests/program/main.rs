//! The program `tapeless` from outside: its arguments, what it prints, its exit code, and the files it reads and writes.
#![cfg(feature = "cli")]

mod bench;
mod damage;
mod eval;
mod eval_output;
mod file_cases;
mod files;
mod gpu;
mod inspect;
mod memory;
mod operators;
mod report;
mod train;
mod train_damage;
mod train_folder;
mod train_mistakes;
mod train_network;
mod train_stops;

#[path = "../common/mod.rs"]
mod common;
#[path = "../common/no_adapter.rs"]
mod no_adapter;

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use common::Point;
use files::{Arrays, read_npz};

/// What a run of the program left behind.
struct Run {
    code: Option<i32>,
    stdout: String,
    stderr: String,
}

impl Run {
    fn of(command: &mut Command) -> Self {
        Self::from(command.output().unwrap())
    }

    /// Asserts that it went well, and gives what it printed on standard error.
    fn succeeded(self) -> String {
        assert_eq!(self.code, Some(0), "{}", self.stderr);
        self.stderr
    }

    /// Asserts that it was refused with a message that holds `parts`, and that standard output holds nothing.
    fn refused(&self, parts: &[&str]) {
        assert_eq!(self.code, Some(2), "{}{}", self.stdout, self.stderr);
        assert_eq!(self.stdout, "");
        let message = self.stderr.split_once("error: ").map_or("", |(_, message)| message);
        for part in parts {
            assert!(message.contains(part), "without {part:?}: {}", self.stderr);
        }
    }
}

impl From<Output> for Run {
    fn from(output: Output) -> Self {
        let text = |bytes| String::from_utf8(bytes).unwrap();
        Self { code: output.status.code(), stdout: text(output.stdout), stderr: text(output.stderr) }
    }
}

/// A folder of one test.
struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn at(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Asserts that nothing else is in it, neither results nor temporary files.
    fn holds_only(&self, expected: &[&str]) {
        let entries = fs::read_dir(self.0.path()).unwrap();
        let mut names: Vec<String> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        assert_eq!(names, expected);
    }
}

fn program() -> Command {
    Command::new(env!("CARGO_BIN_EXE_tapeless"))
}

/// The command `tapeless eval`, its options separated by spaces.
fn eval_command(model: &Path, points: &Path, out: &Path, options: &str) -> Command {
    let mut command = program();
    command.args([OsStr::new("eval"), model.as_ref(), points.as_ref(), "--out".as_ref(), out.as_ref()]);
    command.args(options.split_whitespace());
    command
}

fn eval(model: &Path, points: &Path, out: &Path, options: &str) -> Run {
    Run::of(&mut eval_command(model, points, out, options))
}

/// The arrays that an evaluation writes, and what it prints on standard error.
fn computed_with_notes(model: &Path, points: &Path, options: &str) -> (Arrays, String) {
    let folder = Folder::new();
    let out = folder.at("results.npz");
    let notes = eval(model, points, &out, options).succeeded();
    folder.holds_only(&["results.npz"]);
    (read_npz(&out), notes)
}

fn computed(model: &Path, points: &Path, options: &str) -> Arrays {
    computed_with_notes(model, points, options).0
}

/// Asserts that an evaluation is refused with a message that holds `parts`, and leaves nothing behind.
fn refused(model: &Path, points: &Path, options: &str, parts: &[&str]) {
    for name in ["results.npz", "results.csv"] {
        let folder = Folder::new();
        eval(model, points, &folder.at(name), options).refused(parts);
        folder.holds_only(&[]);
    }
}

/// Asserts that value, gradient and Hessian are the expected ones at all points.
fn assert_found(arrays: &Arrays, expected: &[Point]) {
    let [n, m, d] = arrays["gradient"].shape[..] else { panic!("{:?}", arrays["gradient"].shape) };
    assert_eq!((n, m, d), (expected.len(), expected[0].outputs.len(), expected[0].at.len()));
    assert_eq!(arrays["value"].shape, [n, m]);
    assert_eq!(arrays["hessian"].shape, [n, m, d, d]);
    for (row, output) in expected.iter().flat_map(|point| &point.outputs).enumerate() {
        let part = |name: &str, width| &arrays[name].numbers[row * width..(row + 1) * width];
        output.assert_found(&[part("value", 1), part("gradient", d), part("hessian", d * d)].concat());
    }
}

/// A file of the cases.
fn case_file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases/files").join(name)
}

/// A file of the example of the heat equation.
fn heat_file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/heat").join(name)
}

/// The network of F01: two inputs, two hidden layers, one output.
fn f01() -> PathBuf {
    case_file("F01_deepxde_f64.safetensors")
}

/// The five points of P01.
fn p01() -> PathBuf {
    case_file("P01_c.npy")
}
