//! The folder of `tapeless train`: nothing in it is lost that was not to be replaced.

use std::time::Duration;

use super::*;
use crate::train::{DIFFUSION, names, train, train_command, train_text};

/// The rod for a few steps.
pub fn short() -> String {
    DIFFUSION.replace("steps = 120", "steps = 3").replace("steps = 80", "steps = 2")
}

/// All files of a folder.
fn contents(folder: &Path) -> Vec<(String, Vec<u8>)> {
    names(folder).into_iter().map(|name| (name.clone(), fs::read(folder.join(name)).unwrap())).collect()
}

#[test]
fn files_that_are_no_runs_are_not_replaced() {
    let folder = Folder::new();
    let out = folder.at("run");
    fs::create_dir(&out).unwrap();
    for name in ["loss.png", "network.safetensors"] {
        fs::write(out.join(name), "mine").unwrap();
    }
    let before = contents(&out);
    train_text(&folder, &short(), "").refused(&["run: holds network.safetensors, loss.png", "--overwrite", "--out"]);
    assert_eq!(contents(&out), before);
    train_text(&folder, &short(), "--overwrite").succeeded();
    assert_ne!(fs::read(out.join("loss.png")).unwrap(), b"mine");
}

#[test]
fn a_run_is_not_removed_for_one_that_can_not_start() {
    let folder = Folder::new();
    let out = folder.at("run");
    train_text(&folder, &short(), "").succeeded();
    let before = contents(&out);
    let weights = short().replace("hidden = [6, 6]", "weights = \"run/network.safetensors\"");
    for (text, part) in [
        (short().replace("residual = \"u\"", "residual = \"log(\""), "residual"),
        (short().replace("hidden = [6, 6]", "weights = \"no.safetensors\""), "no.safetensors"),
        (short().replace("hidden = [6, 6]", "hidden = [6, 6]\nactivation = \"relu\""), "almost everywhere"),
        (weights.clone(), "network.weights reads network.safetensors"),
    ] {
        train_text(&folder, &text, "--overwrite").refused(&[part]);
        assert_eq!(contents(&out), before);
    }
    for name in ["history.csv", "run.toml"] {
        let (problem, out) = (folder.at("own").join(name), folder.at("own"));
        fs::create_dir_all(&out).unwrap();
        fs::write(&problem, short()).unwrap();
        let run = train(&problem, &out, "--overwrite");
        match name {
            "run.toml" => assert!(run.succeeded().is_empty()),
            _ => run.refused(&["own: the program reads history.csv in it"]),
        }
        assert_eq!(fs::read_to_string(&problem).unwrap(), short());
        fs::remove_file(problem).unwrap();
    }
    // In another folder it is a start like any other.
    fs::write(folder.at("problem.toml"), weights).unwrap();
    train(&folder.at("problem.toml"), &folder.at("other"), "").succeeded();
}

#[test]
fn folders_with_names_of_results_are_found_before_training() {
    for name in ["solution.png", "network.safetensors", "run.toml"] {
        let folder = Folder::new();
        fs::create_dir_all(folder.at("run").join(name)).unwrap();
        for options in ["", "--overwrite"] {
            train_text(&folder, &short(), options).refused(&[name, "not a file"]);
        }
        assert_eq!(names(&folder.at("run")), [name]);
    }
}

#[test]
fn a_run_without_its_checkpoint_is_not_gone_on_with() {
    let folder = Folder::new();
    train_text(&folder, &short(), "").succeeded();
    fs::remove_file(folder.at("run/checkpoint.safetensors")).unwrap();
    let before = contents(&folder.at("run"));
    train_text(&folder, &short(), "--resume").refused(&["run: holds no checkpoint", "--overwrite"]);
    assert_eq!(contents(&folder.at("run")), before);
}

/// Of many that start at once in one folder one trains, whether the folder is there or not.
#[test]
fn of_programs_that_start_at_once_one_trains() {
    for there in [false, true] {
        let folder = Folder::new();
        let (problem, out) = (folder.at("problem.toml"), folder.at("run"));
        fs::write(&problem, DIFFUSION.replace("steps = 120", "steps = 1000000")).unwrap();
        if there {
            fs::create_dir(&out).unwrap();
        }
        let start = || {
            let mut command = train_command(&problem, &out, "--threads 1 --overwrite");
            command.stdout(std::process::Stdio::null()).stderr(std::process::Stdio::null()).spawn().unwrap()
        };
        let mut children: Vec<_> = (0..4).map(|_| start()).collect();
        let mut refused = 0;
        while refused < 3 {
            let codes: Vec<_> = children.iter_mut().filter_map(|child| child.try_wait().unwrap()).collect();
            assert!(codes.iter().all(|code| code.code() == Some(2)));
            refused = codes.len();
            std::thread::sleep(Duration::from_millis(5));
        }
        std::thread::sleep(Duration::from_millis(200));
        let running = children.iter_mut().filter_map(|child| child.try_wait().unwrap().is_none().then_some(child));
        let mut running: Vec<_> = running.collect();
        assert_eq!(running.len(), 1);
        running[0].kill().unwrap();
        running[0].wait().unwrap();
    }
}
