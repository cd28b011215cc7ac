//! Where the report can't be printed.
#![cfg(target_os = "linux")]

use std::fs::OpenOptions;
use std::io;
use std::process::Stdio;

use super::*;

/// Runs it with standard output on a device that has no room.
fn on_a_full_device(command: &mut Command) -> Run {
    let full = OpenOptions::new().write(true).open("/dev/full").unwrap();
    Run::from(command.stdout(full).stderr(Stdio::piped()).spawn().unwrap().wait_with_output().unwrap())
}

#[test]
fn a_report_that_can_t_be_written_is_a_failure_of_every_command() {
    let folder = Folder::new();
    let out = folder.at("results.npz");
    let mut commands = vec![
        eval_command(&f01(), &p01(), &out, "--activation tanh"),
        eval_command(&f01(), &p01(), &out, "--activation tanh --explain"),
    ];
    for arguments in
        [&["--help"] as &[&str], &["--version"], &["eval", "--help"], &["bench", "--batch", "1", "--width", "1"]]
    {
        let mut command = program();
        command.args(arguments);
        commands.push(command);
    }
    let mut inspect = program();
    inspect.arg("inspect").arg(f01());
    commands.push(inspect);
    for mut command in commands {
        on_a_full_device(&mut command).refused(&["standard output", "the report could not be written"]);
    }
}

#[test]
fn work_is_done_though_its_report_can_t_be_written() {
    let folder = Folder::new();
    fs::write(folder.at("diffusion.toml"), train::DIFFUSION).unwrap();
    let (trained, out) = (folder.at("trained"), folder.at("results.npz"));
    let parts = ["the report could not be written"];
    on_a_full_device(&mut train::train_command(&folder.at("diffusion.toml"), &trained, "")).refused(&parts);
    assert_eq!(train::names(&trained), train::RESULTS);
    on_a_full_device(&mut eval_command(&f01(), &p01(), &out, "--activation tanh")).refused(&parts);
    assert_eq!(read_npz(&out)["value"].shape, [5, 1]);
}

#[test]
fn a_reader_that_has_gone_away_is_no_failure() {
    let (reader, writer) = io::pipe().unwrap();
    drop(reader);
    let mut command = program();
    command.arg("inspect").arg(f01()).stdout(writer).stderr(Stdio::piped());
    let run = Run::from(command.spawn().unwrap().wait_with_output().unwrap());
    assert_eq!(run.succeeded(), "");
}
