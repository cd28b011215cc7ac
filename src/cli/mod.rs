//! The program: its commands, and the files that it reads and writes.

mod arguments;
mod bench;
mod bench_gpu;
mod bench_train;
mod devices;
mod engine;
mod error;
mod eval;
mod inspect;
mod memory;
mod names;
mod points;
mod progress;
mod report;
mod request;
mod results;
mod threads;
mod train;

use std::process::ExitCode;

use clap::Parser;

use arguments::{Arguments, Command};

/// Exit code of a run that failed for what it was given; clap uses the same.
const FAILURE: u8 = 2;

/// Runs the program with the arguments of the process.
pub fn run() -> ExitCode {
    let done = match Arguments::parse().command {
        Command::Eval(arguments) => eval::run(&arguments).map(|()| ExitCode::SUCCESS),
        Command::Inspect(arguments) => inspect::run(&arguments).map(|()| ExitCode::SUCCESS),
        Command::Devices => devices::run().map(|()| ExitCode::SUCCESS),
        Command::Train(arguments) => train::run(&arguments),
        Command::Bench(arguments) => bench::run(&arguments).map(|()| ExitCode::SUCCESS),
    };
    match done {
        Ok(code) => code,
        Err(error) => {
            report::error(&error);
            ExitCode::from(FAILURE)
        }
    }
}
