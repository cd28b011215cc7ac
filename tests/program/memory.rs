//! G14: many points need the memory of the points and of the results, and little more.
#![cfg(target_os = "linux")]

use std::fs;
use std::process::Stdio;
use std::thread;
use std::time::Duration;

use crate::files::{read_npz, write_points};
use crate::{Folder, Run, eval_command, f01};

/// Bytes of a point of the network of F01 and of its value, gradient and Hessian, in double precision.
const BYTES: u64 = (2 + 1 + 2 + 4) * 8;

/// Peak resident memory, in bytes, of an evaluation of so many points.
fn peak(points: usize) -> u64 {
    let folder = Folder::new();
    let coordinate = |k: usize| (k * 7919 % 100_003) as f64 / 50_000.0 - 1.0;
    write_points(&folder.at("points.npy"), 2, &(0..2 * points).map(coordinate).collect::<Vec<f64>>());
    let mut command = eval_command(&f01(), &folder.at("points.npy"), &folder.at("results.npz"), "--activation tanh");
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut peak = 0;
    while child.try_wait().unwrap().is_none() {
        // The system itself keeps the maximum, so that the last look is enough.
        let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        if let Some(kilobytes) = line.and_then(|line| line.trim().strip_suffix(" kB")) {
            peak = kilobytes.parse::<u64>().unwrap() * 1024;
        }
        thread::sleep(Duration::from_millis(1));
    }
    let run = Run::from(child.wait_with_output().unwrap());
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    assert_eq!(read_npz(&folder.at("results.npz"))["hessian"].shape, [points, 1, 2, 2]);
    peak
}

/// `cargo test --release --test program`
#[test]
#[cfg_attr(debug_assertions, ignore = "needs a build with optimisation")]
fn g14_a_million_points_need_little_more_than_their_results() {
    let peak = peak(1_000_000);
    println!("{peak} bytes");
    assert!(peak < 1_000_000 * BYTES + 100_000_000, "{peak} bytes");
}

#[test]
fn memory_grows_by_points_and_results_only() {
    let (few, many) = (10_000, 100_000);
    let [small, large] = [few, many].map(peak);
    println!("{small} and {large} bytes");
    let growth = (many - few) as u64 * BYTES;
    assert!(large < many as u64 * BYTES + 100_000_000, "{large} bytes");
    // The numbers within one hidden layer, kept for all points, would be twice as much.
    assert!(large < small + growth + 4_000_000, "{small} and {large} bytes");
}
