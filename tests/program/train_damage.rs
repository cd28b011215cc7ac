//! Damaged files of a training: the program reads them or refuses them, and never breaks down.

use std::fs;
use std::path::{Path, PathBuf};

use crate::damage::{Numbers, ROUNDS};
use crate::train::{DIFFUSION, train};
use crate::{Folder, Run};

/// The rod for a few steps, so that a file that is read in spite of its damage is soon trained.
fn short() -> String {
    DIFFUSION.replace("steps = 120", "steps = 3").replace("steps = 80", "steps = 2")
}

/// Damages the bytes again and again; `run` trains with them.
fn check(good: &[u8], mut run: impl FnMut(&[u8]) -> Run) {
    let mut numbers = Numbers(good.len() as u64);
    let mut refusals = 0;
    for round in 0..ROUNDS {
        let mut bytes = good.to_vec();
        numbers.damage(&mut bytes);
        let run = run(&bytes);
        assert!(!run.stderr.contains("panicked"), "round {round}: {}", run.stderr);
        match run.code {
            Some(0) => {}
            Some(2) => {
                run.refused(&[]);
                refusals += 1;
            }
            code => panic!("round {round}: exit code {code:?}, {}", run.stderr),
        }
    }
    assert!(refusals > ROUNDS / 4, "only {refusals} of {ROUNDS} were refused");
}

#[test]
fn damaged_problems() {
    check(short().as_bytes(), |bytes| {
        let folder = Folder::new();
        fs::write(folder.at("damaged.toml"), bytes).unwrap();
        let run = train(&folder.at("damaged.toml"), &folder.at("run"), "--threads 1");
        if run.code == Some(2) {
            run.refused(&["damaged.toml"]);
            folder.holds_only(&["damaged.toml"]);
        }
        run
    });
}

/// The rod after its first stage.
fn half(folder: &Folder) -> (PathBuf, PathBuf) {
    let (problem, out) = (folder.at("problem.toml"), folder.at("run"));
    fs::write(&problem, short()).unwrap();
    train(&problem, &out, "--threads 1").succeeded();
    (problem, out)
}

fn all(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut files: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files.into_iter().map(|path| (path.clone(), fs::read(path).unwrap())).collect()
}

#[test]
fn damaged_checkpoints() {
    let folder = Folder::new();
    let (problem, out) = half(&folder);
    let checkpoint = out.join("checkpoint.safetensors");
    let good = fs::read(&checkpoint).unwrap();
    check(&good, |bytes| {
        fs::write(&checkpoint, bytes).unwrap();
        let before = all(&out);
        let run = train(&problem, &out, "--resume --threads 1");
        if run.code == Some(2) && run.stderr.contains("checkpoint.safetensors is not") {
            assert_eq!(all(&out), before, "{}", run.stderr);
        }
        run
    });
}

/// Whatever stands in the history, going on with the run mends it or says that it is another one.
#[test]
fn damaged_histories() {
    let folder = Folder::new();
    let (problem, out) = half(&folder);
    let history = out.join("history.csv");
    let good = fs::read(&history).unwrap();
    let mut numbers = Numbers(1);
    for round in 0..10 {
        let mut bytes = good.clone();
        numbers.damage(&mut bytes);
        fs::write(&history, &bytes).unwrap();
        let run = train(&problem, &out, "--resume --threads 1");
        assert!(!run.stderr.contains("panicked"), "round {round}: {}", run.stderr);
        match run.code {
            Some(0) => {}
            _ => run.refused(&["history.csv"]),
        }
    }
}
