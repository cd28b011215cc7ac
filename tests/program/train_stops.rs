//! Runs of `tapeless train` that are killed, stopped and gone on with.

use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use super::*;
use crate::damage::Numbers;
use crate::train::{DIFFUSION, RESULTS, history, names, train, train_command, train_text, whole};

/// Asserts that two runs have come to the same end: every bit of the network, and the whole history.
fn assert_same(one: &Path, other: &Path) {
    let network = |folder: &Path| fs::read(folder.join("network.safetensors")).unwrap();
    assert!(network(one) == network(other), "the networks differ");
    assert_eq!(history(one), history(other));
    assert_eq!(names(other), RESULTS);
}

/// How often, and for how long, runs are killed.
const KILLS: usize = 100;
const BUDGET: Duration = Duration::from_secs(20);

/// Killed at random moments again and again, also while it writes checkpoints, of which there is one after every step.
#[test]
fn a_run_that_is_killed_many_times_ends_as_if_it_had_not_been() {
    let folder = Folder::new();
    let start = Instant::now();
    let (problem, expected) = whole(&folder);
    // A part of what a whole run takes, in whatever build.
    let longest = (start.elapsed() / 8).as_micros() as usize;
    let (mut numbers, mut kills, mut runs) = (Numbers(7), 0, 0);
    let start = Instant::now();
    while kills < KILLS && start.elapsed() < BUDGET {
        runs += 1;
        let out = folder.at(&format!("killed {runs}"));
        loop {
            // Killed before its first checkpoint it has nothing to go on from.
            let options = if out.join("checkpoint.safetensors").exists() { "--resume" } else { "--overwrite" };
            let mut child = quiet(&mut train_command(&problem, &out, options));
            // So that it comes to an end, however slow the machine is.
            let patience = match start.elapsed() < BUDGET {
                true => Duration::from_micros(numbers.below(longest) as u64),
                false => Duration::from_secs(600),
            };
            if let Some(code) = wait(&mut child, patience) {
                assert_eq!(code, Some(0));
                break;
            }
            child.kill().unwrap();
            child.wait().unwrap();
            kills += 1;
            if let Ok(bytes) = fs::read(out.join("checkpoint.safetensors")) {
                safetensors::SafeTensors::deserialize(&bytes).unwrap();
            }
        }
        assert_same(&expected, &out);
    }
    println!("killed {kills} times in {runs} runs within {:?}", start.elapsed());
    assert!(kills >= 3);
}

fn quiet(command: &mut Command) -> Child {
    command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

/// The exit code, if it ends within that time.
fn wait(child: &mut Child, patience: Duration) -> Option<Option<i32>> {
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            return Some(status.code());
        }
        if start.elapsed() >= patience {
            return None;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}

#[cfg(unix)]
#[test]
fn a_signal_stops_a_run_without_loss() {
    for (signal, code) in [("INT", 130), ("TERM", 143)] {
        let folder = Folder::new();
        let (problem, out) = (folder.at("problem.toml"), folder.at("run"));
        let write = |steps: u64| {
            let text = DIFFUSION.replace("steps = 120", &format!("steps = {steps}"));
            fs::write(&problem, text.replace("steps = 80", "steps = 10")).unwrap();
        };
        write(1_000_000);
        let child = train_command(&problem, &out, "").stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        while fs::read_to_string(out.join("history.csv")).map_or(0, |text| text.lines().count()) < 3 {
            std::thread::sleep(Duration::from_millis(1));
        }
        let kill = Command::new("kill").args([format!("-{signal}"), child.id().to_string()]).status().unwrap();
        assert!(kill.success());
        let run = Run::from(child.wait_with_output().unwrap());
        assert_eq!(run.code, Some(code), "{}", run.stderr);
        assert!(run.stdout.contains("nothing is lost") && run.stdout.contains("--resume"), "{}", run.stdout);
        assert!(out.join("network.safetensors").exists() && out.join("checkpoint.safetensors").exists());

        // Some more steps, against a run without a break that has as many.
        let (_, rest) = run.stdout.split_once("after step ").unwrap();
        let done: u64 = rest.split(';').next().unwrap().replace(',', "").parse().unwrap();
        write(done + 20);
        train(&problem, &out, "--resume").succeeded();
        train(&problem, &folder.at("whole"), "").succeeded();
        assert_same(&folder.at("whole"), &out);
    }
}

#[test]
fn a_folder_is_not_shared_by_two_runs() {
    let folder = Folder::new();
    let (problem, out) = (folder.at("diffusion.toml"), folder.at("run"));
    fs::write(&problem, DIFFUSION.replace("steps = 120", "steps = 1000000")).unwrap();
    let mut child = quiet(&mut train_command(&problem, &out, ""));
    while !out.join("history.csv").exists() {
        std::thread::sleep(Duration::from_millis(1));
    }
    std::thread::sleep(Duration::from_millis(100));
    for options in ["--resume", "--overwrite"] {
        train(&problem, &out, options).refused(&["another program is training in it"]);
    }
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn another_problem_is_not_gone_on_with() {
    let folder = Folder::new();
    let short = DIFFUSION.replace("steps = 120", "steps = 3").replace("steps = 80", "steps = 2");
    train_text(&folder, &short, "--resume").refused(&["run: holds no run to resume"]);
    train_text(&folder, &short, "").succeeded();
    let other = [
        ("k = \"1/2\"", "k = 0.4", "constants"),
        ("seed = 3", "seed = 4", "seed"),
        ("hidden = [6, 6]", "hidden = [7, 6]", "network"),
    ];
    for (from, to, key) in other {
        train_text(&folder, &short.replace(from, to), "--resume").refused(&["another problem", key]);
    }
    train_text(&folder, &short, "--resume --precision f32").refused(&["checkpoint.safetensors", "f32", "f64"]);
    // More steps are the same problem.
    let longer = short.replace("steps = 2", "steps = 9");
    train_text(&folder, &longer, "--resume").succeeded();
    let whole = folder.at("whole");
    train(&folder.at("problem.toml"), &whole, "").succeeded();
    let network = |folder: &Path| fs::read(folder.join("network.safetensors")).unwrap();
    assert!(network(&whole) == network(&folder.at("run")));
}

/// Nothing of a history is lost without a word.
#[test]
fn lines_of_a_history_that_can_not_be_read_are_told() {
    let folder = Folder::new();
    let short = DIFFUSION.replace("steps = 120", "steps = 4").replace("steps = 80", "steps = 3");
    let short = short.replace("history_every = 40", "history_every = 1");
    train_text(&folder, &short, "").succeeded();
    let path = folder.at("run/history.csv");
    let good = fs::read_to_string(&path).unwrap();
    let lines: Vec<&str> = good.lines().collect();
    for damaged in ["3,1,x", "what is this", "", &lines[3].replacen(',', ",,", 1)] {
        fs::write(&path, good.replace(lines[3], damaged)).unwrap();
        let notes = train_text(&folder, &short, "--resume").succeeded();
        assert!(notes.contains("note: line 4 of ") && notes.contains(&format!("{damaged:?}")), "{notes}");
        assert_eq!(fs::read_to_string(&path).unwrap(), good.replace(&format!("{}\n", lines[3]), ""));
    }
    fs::write(&path, &good).unwrap();
    assert_eq!(train_text(&folder, &short, "--resume").succeeded(), "");
    assert_eq!(fs::read_to_string(&path).unwrap(), good);
}

/// The command that is told after a stop does what it says, whatever the names.
#[cfg(unix)]
#[test]
fn the_command_that_is_told_after_a_stop_goes_on_with_the_run() {
    let folder = Folder::new();
    let (problem, out) = (folder.at("my problem's.toml"), folder.at("$out; no"));
    let text = DIFFUSION.replace("precision = \"f64\"", "").replace("steps = 80", "steps = 2");
    fs::write(&problem, text.replace("steps = 120", "steps = 1000000")).unwrap();
    let mut command = program();
    command.arg("train").arg(&problem).arg("--out").arg(&out).args(["--precision", "f64", "--threads", "1"]);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    while fs::read_to_string(out.join("history.csv")).map_or(0, |text| text.lines().count()) < 2 {
        std::thread::sleep(Duration::from_millis(1));
    }
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let run = Run::from(child.wait_with_output().unwrap());
    let told = run.stdout.lines().find_map(|line| line.trim().strip_prefix("tapeless ")).unwrap();
    assert!(told.contains("--precision f64 --threads 1 --resume"), "{told}");
    fs::write(&problem, text.replace("steps = 120", "steps = 1")).unwrap();
    let shell = format!("'{}' {told}", env!("CARGO_BIN_EXE_tapeless"));
    Run::of(Command::new("sh").args(["-c", &shell])).succeeded();
}

#[test]
fn the_terms_whose_loss_is_not_finite_are_named() {
    let folder = Folder::new();
    let text = DIFFUSION.replace("residual = \"u\"", "residual = \"log(u - 1000)\"");
    let run = train_text(&folder, &text, "");
    assert_eq!(run.code, Some(2));
    let told = "not finite is the loss of the term \"walls\" (NaN)";
    assert!(run.stderr.contains("the loss is NaN at step 1") && run.stderr.contains(told), "{}", run.stderr);
}

/// Each thing that may change on the way, and what the program says to it.
#[test]
fn what_may_change_before_a_run_goes_on() {
    let folder = Folder::new();
    let rows = |scale: u32| (0..9).map(|k| format!("{},0,{}\n", f64::from(k) / 9.0, scale * k)).collect::<String>();
    let text = DIFFUSION.replace("steps = 120", "steps = 5").replace("steps = 80", "steps = 3");
    let (before, rest) = text.split_once("[exact]").unwrap();
    let (_, rest) = rest.split_once("[network]").unwrap();
    let columns = "columns = [\"x\", \"t\", \"u\"]";
    let text = format!(
        "{before}[reference]\nfile = \"u.csv\"\n{columns}\n\n[[term]]\nname = \"data\"\nresidual = \"u - w\"\nfile = \"w.csv\"\n{}\n\n[network]{rest}",
        columns.replace("\"u\"", "\"w\"")
    );
    let write = |name: &str, scale| fs::write(folder.at(name), rows(scale)).unwrap();
    write("u.csv", 1);
    write("w.csv", 1);
    train_text(&folder, &text, "").succeeded();
    let resumed = |from: &str, to: &str| {
        assert!(text.contains(from));
        train_text(&folder, &text.replace(from, to), "--resume")
    };
    assert_eq!(resumed("rate = 1e-2", "rate = 1e-3").succeeded(), "");
    assert_eq!(resumed("steps = 3", "steps = 4\nhistory = 7\nloss_tolerance = 1e-30").succeeded(), "");
    let notes = resumed("steps = 5", "steps = 2").succeeded();
    assert!(notes.contains("the stages have 5 steps in all, but 9 are done"), "{notes}");
    let lbfgs = text.find("[[stage]]\noptimizer = \"lbfgs\"").unwrap();
    let run = text.find("[run]").unwrap();
    let fewer = format!("{}{}", &text[..lbfgs], &text[run..]);
    train_text(&folder, &fewer, "--resume").refused(&["the optimizers of its stages", "--out"]);
    resumed("optimizer = \"lbfgs\"", "optimizer = \"adam\"").refused(&["the optimizers of its stages"]);

    write("u.csv", 2);
    let notes = resumed("steps = 5", "steps = 5").succeeded();
    assert!(notes.contains("the file of [reference] has changed"), "{notes}");
    assert_eq!(resumed("steps = 3", "steps = 4").succeeded(), "");
    write("w.csv", 2);
    let run = resumed("steps = 5", "steps = 5");
    run.refused(&["run: checkpoint.safetensors is of another run: term \"data\": file: the file has changed"]);
    assert_eq!(run.stderr.lines().count(), 1, "{}", run.stderr);
}
