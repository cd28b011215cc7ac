//! `tapeless train`: runs that are stopped, killed and gone on with, and what they leave behind.

use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use tapeless::network::Activation;
use tapeless::network::import::Model;

use super::*;
use crate::damage::Numbers;

pub const DIFFUSION: &str = include_str!("diffusion.toml");

/// All that a finished run leaves behind.
const RESULTS: [&str; 7] =
    ["checkpoint.safetensors", "error.png", "history.csv", "loss.png", "network.safetensors", "run.toml", "solution.png"];

/// The command `tapeless train`, its options separated by spaces.
pub fn train_command(problem: &Path, out: &Path, options: &str) -> Command {
    let mut command = program();
    command.args([OsStr::new("train"), problem.as_ref(), "--out".as_ref(), out.as_ref()]);
    command.args(options.split_whitespace());
    command
}

pub fn train(problem: &Path, out: &Path, options: &str) -> Run {
    Run::of(&mut train_command(problem, out, options))
}

/// Writes a problem file, and trains it in the folder `run` beside it.
fn train_text(folder: &Folder, text: &str, options: &str) -> Run {
    fs::write(folder.at("problem.toml"), text).unwrap();
    train(&folder.at("problem.toml"), &folder.at("run"), options)
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<String> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// The history without the seconds, which are never the same.
fn history(folder: &Path) -> Vec<Vec<String>> {
    let text = fs::read_to_string(folder.join("history.csv")).unwrap();
    assert!(text.ends_with('\n'));
    let row = |line: &str| {
        let mut cells: Vec<String> = line.split(',').map(str::to_owned).collect();
        cells.remove(2);
        cells
    };
    text.lines().map(row).collect()
}

/// Asserts that two runs have come to the same end: every bit of the network, and the whole history.
fn assert_same(one: &Path, other: &Path) {
    let network = |folder: &Path| fs::read(folder.join("network.safetensors")).unwrap();
    assert!(network(one) == network(other), "the networks differ");
    assert_eq!(history(one), history(other));
    assert_eq!(names(other), RESULTS);
}

/// The run of the rod without a break.
fn whole(folder: &Folder) -> (PathBuf, PathBuf) {
    let (problem, out) = (folder.at("diffusion.toml"), folder.at("whole"));
    fs::write(&problem, DIFFUSION).unwrap();
    train(&problem, &out, "").succeeded();
    (problem, out)
}

#[test]
fn a_run_leaves_a_network_its_history_and_pictures() {
    let folder = Folder::new();
    let (problem, out) = whole(&folder);
    assert_eq!(names(&out), RESULTS);

    let history = history(&out);
    let columns =
        ["step", "stage", "loss", "loss equation", "loss start", "loss walls", "rate", "gradient_norm", "error u"];
    assert_eq!(history[0], columns);
    let steps: Vec<&str> = history[1..].iter().map(|row| row[0].as_str()).collect();
    assert_eq!(steps, ["1", "40", "80", "120", "160", "200"]);
    let number = |row: usize, column: usize| history[row][column].parse::<f64>().unwrap();
    for row in 1..history.len() {
        let parts: f64 = (3..6).map(|column| number(row, column)).sum();
        assert!((number(row, 2) / parts - 1.0).abs() < 1e-12);
    }
    assert_eq!([number(1, 6), number(1, 1), number(6, 1)], [1e-2, 1.0, 2.0]);

    // The network is the solution, without the program: its error is that of the last line.
    let model = Model::read(out.join("network.safetensors")).unwrap();
    assert_eq!(model.activation(), Some("tanh"));
    let network = model.network::<f64>(&[Activation::Tanh], Activation::Identity).unwrap();
    let (mut off, mut all) = (0.0, 0.0);
    for k in 0..2500 {
        let (x, t) = (f64::from(k % 50) / 49.0 * std::f64::consts::PI, f64::from(k / 50) / 49.0);
        let exact = (-t / 2.0).exp() * x.sin();
        off += (network.forward(&[x, t]).unwrap()[0] - exact).powi(2);
        all += exact * exact;
    }
    let (error, told) = ((off / all).sqrt(), number(6, 8));
    assert!(error < 0.1 && (error / told - 1.0).abs() < 0.1, "{error} {told}");

    for name in ["loss.png", "solution.png", "error.png"] {
        assert!(fs::read(out.join(name)).unwrap().starts_with(b"\x89PNG\r\n\x1a\n"), "{name}");
    }
    // It is not replaced unless that is asked for, and then it is the same again.
    train(&problem, &out, "").refused(&["whole: holds a run already", "--resume", "--overwrite"]);
    let before = history;
    train(&problem, &out, "--overwrite --threads 1").succeeded();
    assert_eq!(self::history(&out), before);
}

/// Killed at random moments again and again, also while it writes checkpoints, of which there is one after every step.
#[test]
fn a_run_that_is_killed_many_times_ends_as_if_it_had_not_been() {
    let folder = Folder::new();
    let (problem, expected) = whole(&folder);
    let out = folder.at("killed");
    let (mut numbers, mut kills) = (Numbers(7), 0);
    let start = Instant::now();
    loop {
        let options = if out.join("run.toml").exists() { "--resume" } else { "" };
        let mut child = quiet(&mut train_command(&problem, &out, options));
        // So that it comes to an end, in whatever build.
        let patience = match start.elapsed() < Duration::from_secs(20) {
            true => Duration::from_millis(numbers.below(300) as u64),
            false => Duration::from_secs(600),
        };
        let code = wait(&mut child, patience);
        if let Some(code) = code {
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
    println!("killed {kills} times in {:?}", start.elapsed());
    assert!(kills >= 3);
    assert_same(&expected, &out);
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
    let folder = Folder::new();
    let (problem, expected) = whole(&folder);
    for (signal, code) in [("INT", 130), ("TERM", 143)] {
        let out = folder.at(signal);
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
        train(&problem, &out, "--resume").succeeded();
        assert_same(&expected, &out);
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

/// Each mistake is named with its place, nothing is written.
#[test]
fn mistakes_in_a_problem_are_named() {
    let mistakes: [(&str, &str, &[&str]); 35] = [
        ("inputs = [\"x\", \"t\"]", "", &["missing field `inputs`"]),
        ("inputs = [\"x\", \"t\"]", "inputs = [\"x\", \"x\"]", &["inputs and outputs", "\"x\" is given twice"]),
        ("outputs = [\"u\"]", "outputs = []", &["outputs: expected at least one name"]),
        ("seed = 3", "seed = -3", &["line 4", "-3"]),
        ("seed = 3", "sead = 3", &["unknown field `sead`", "`seed`"]),
        ("seed = 3", "seed = ", &["line 4"]),
        ("k = \"1/2\"", "k = \"1/0\"", &["constants.k", "not finite"]),
        ("k = \"1/2\"", "k = \"x/2\"", &["constants.k", "\"x/2\""]),
        ("k = \"1/2\"", "x = 1", &["constants.x", "name of something else"]),
        ("x = [0, \"pi\"]", "x = [4, \"pi\"]", &["domain", "reaches from 4"]),
        ("x = [0, \"pi\"]", "x = [0, inf]", &["domain.x"]),
        ("x = [0, \"pi\"]", "y = [0, \"pi\"]", &["domain", "\"y\""]),
        ("x = [0, \"pi\"]", "", &["domain.x: expected lower and upper bound"]),
        ("\"u_t - k*u_xx\"", "\"u_t - k*u_yy\"", &["term \"equation\": residual", "u_t - k*u_yy\n", "^"]),
        ("\"u_t - k*u_xx\"", "[]", &["term \"equation\": residual: expected at least one text"]),
        ("name = \"start\"", "name = \"walls\"", &["term \"walls\": name", "twice"]),
        ("points = 64", "points = 0", &["term \"equation\": points: expected at least 1"]),
        ("points = 64", "points = 99999999999999999", &["term \"equation\": points", "memory"]),
        ("points = 64", "", &["term \"equation\": expected either points or file, found neither"]),
        ("points = 64", "points = 64\nsampling = \"sobel\"", &["term \"equation\": sampling", "sobel", "sobol"]),
        ("every = 9", "every = 0", &["term \"equation\": resample.every"]),
        ("candidates = 2", "candidates = 0", &["term \"equation\": resample.by_residual"]),
        ("points = [16]", "points = [16, 2]", &["term \"start\": points", "of the inputs x"]),
        ("at = { t = 0 }", "at = { t = 2 }", &["term \"start\": at.t", "2 lies outside"]),
        ("faces = [\"x\"]", "faces = [\"y\"]", &["term \"walls\": faces", "\"y\""]),
        ("weight = 2", "weight = -2", &["\"start\"", "weight is -2"]),
        ("\"exp(-k*t)*sin(x)\"", "\"u\"", &["exact.u: expected a text without u"]),
        ("\"exp(-k*t)*sin(x)\"", "\"1/(x - x)\"", &["exact", "finite"]),
        ("hidden = [6, 6]", "hidden = [6, 0]", &["network: layer 1"]),
        ("hidden = [6, 6]", "hidden = [6, 6]\nactivation = \"tahn\"", &["network.activation", "tahn"]),
        ("hidden = [6, 6]", "hidden = [6, 6]\nactivation = \"relu\"", &["\"equation\"", "are 0 almost everywhere", "tanh"]),
        ("hidden = [6, 6]", "weights = \"no.safetensors\"", &["network.weights", "no.safetensors"]),
        ("optimizer = \"lbfgs\"", "optimizer = \"newton\"", &["unknown variant `newton`", "`lbfgs`"]),
        ("steps = 80", "steps = 80\nhistory = 0", &["stage 2 (lbfgs)", "history"]),
        ("checkpoint_steps = 1", "checkpoint_steps = 0", &["run.checkpoint_steps: expected at least 1 step"]),
    ];
    for (from, to, parts) in mistakes {
        let folder = Folder::new();
        assert!(DIFFUSION.contains(from), "{from}");
        let run = train_text(&folder, &DIFFUSION.replacen(from, to, 1), "");
        run.refused(&[&["problem.toml"], parts].concat());
        folder.holds_only(&["problem.toml"]);
    }
    let folder = Folder::new();
    train(&folder.at("no.toml"), &folder.at("run"), "").refused(&["no.toml: can't be read"]);
    folder.holds_only(&[]);
}

#[test]
fn data_of_a_file_is_fitted_and_a_reference_compared() {
    let folder = Folder::new();
    let rows: String = (0..20).map(|k| f64::from(k) / 19.0).map(|x| format!("{},{x}\n", x * x)).collect();
    fs::write(folder.at("data.csv"), format!("measured,x\n{rows}")).unwrap();
    fs::write(folder.at("reference.csv"), format!("u,x\n{rows}")).unwrap();
    let problem = r#"
        inputs = ["x"]
        outputs = ["u"]
        [domain]
        x = [0, 1]
        [[term]]
        name = "data"
        residual = "u - measured"
        file = "data.csv"
        columns = ["measured", "x"]
        [reference]
        file = "reference.csv"
        columns = ["u", "x"]
        [transform]
        u = { factor = "x" }
        [network]
        hidden = [6]
        [[stage]]
        optimizer = "lbfgs"
        steps = 60
        [run]
        precision = "f64"
    "#;
    let run = train_text(&folder, problem, "");
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let error = run.stdout.lines().find_map(|line| line.strip_prefix("error     relative L2 at 20 points: u ")).unwrap();
    assert!(error.parse::<f64>().unwrap() < 1e-2, "{error}");
    for (from, to, part) in [
        ("\"measured\", \"x\"]", "\"measured\", \"y\"]", "all inputs among the columns: x"),
        ("\"measured\", \"x\"]", "\"x\", \"measured\"]", "the columns of"),
        ("data.csv", "date.csv", "date.csv"),
        ("u - measured", "u - measurd", "\"measurd\" is not known"),
    ] {
        let folder = Folder::new();
        for (name, header) in [("data.csv", "measured,x"), ("reference.csv", "u,x")] {
            fs::write(folder.at(name), format!("{header}\n{rows}")).unwrap();
        }
        train_text(&folder, &problem.replacen(from, to, 1), "").refused(&["problem.toml", "term \"data\"", part]);
        folder.holds_only(&["data.csv", "problem.toml", "reference.csv"]);
    }
}

/// Weights of a file keep the names that they have there.
#[test]
fn a_network_of_a_file_is_written_back_under_its_names() {
    let folder = Folder::new();
    fs::copy(case_file("F02_prefix.safetensors"), folder.at("start.safetensors")).unwrap();
    let problem = r#"
        inputs = ["x", "y"]
        outputs = ["u"]
        [domain]
        x = [0, 1]
        y = [0, 1]
        [[term]]
        name = "equation"
        residual = "u_xx + u_yy + 1"
        points = 50
        sampling = "latin_hypercube"
        [network]
        weights = "start.safetensors"
        activation = "tanh"
        [[stage]]
        optimizer = "adam"
        steps = 3
        [run]
        precision = "f64"
    "#;
    let run = train_text(&folder, problem, "");
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let names = |path: &Path| {
        let bytes = fs::read(path).unwrap();
        let file = safetensors::SafeTensors::deserialize(&bytes).unwrap();
        let mut tensors: Vec<_> =
            file.iter().map(|(name, tensor)| (name.to_owned(), tensor.dtype(), tensor.shape().to_vec())).collect();
        tensors.sort_by(|one, other| one.0.cmp(&other.0));
        tensors
    };
    assert_eq!(names(&folder.at("run/network.safetensors")), names(&folder.at("start.safetensors")));
    let weights = |path: &Path| Model::read(path).unwrap().layers[0].weights.clone();
    assert_ne!(weights(&folder.at("run/network.safetensors")), weights(&folder.at("start.safetensors")));
}
