//! `tapeless train`: what a run leaves behind.

use tapeless::network::Activation;
use tapeless::network::import::Model;

use super::*;
pub const DIFFUSION: &str = include_str!("diffusion.toml");

/// All that a finished run leaves behind.
pub const RESULTS: [&str; 8] = [
    ".lock",
    "checkpoint.safetensors",
    "error.png",
    "history.csv",
    "loss.png",
    "network.safetensors",
    "run.toml",
    "solution.png",
];

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
pub fn train_text(folder: &Folder, text: &str, options: &str) -> Run {
    fs::write(folder.at("problem.toml"), text).unwrap();
    train(&folder.at("problem.toml"), &folder.at("run"), options)
}

pub fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<String> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// The history without the seconds, which are never the same.
pub fn history(folder: &Path) -> Vec<Vec<String>> {
    let text = fs::read_to_string(folder.join("history.csv")).unwrap();
    assert!(text.ends_with('\n'));
    let row = |line: &str| {
        let mut cells: Vec<String> = line.split(',').map(str::to_owned).collect();
        cells.remove(2);
        cells
    };
    text.lines().map(row).collect()
}

/// The run of the rod without a break.
pub fn whole(folder: &Folder) -> (PathBuf, PathBuf) {
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

/// What was trained is what `eval` works out afterwards: the file that is written says its activations.
#[test]
fn activations_of_a_problem_and_of_its_weights_do_not_contradict_each_other() {
    let folder = Folder::new();
    let problem = r#"
        inputs = ["x", "y"]
        outputs = ["u"]
        [domain]
        x = [0, 1]
        y = [0, 1]
        [[term]]
        name = "equation"
        residual = "u_xx + u_yy + 1"
        points = 20
        [network]
        hidden = [4, 4]
        activation = "sin"
        [[stage]]
        optimizer = "adam"
        steps = 2
    "#;
    train_text(&folder, problem, "").succeeded();
    let mut model = Model::read(folder.at("run/network.safetensors")).unwrap();
    model.write(folder.at("says.safetensors")).unwrap();
    model.metadata.clear();
    model.write(folder.at("silent.safetensors")).unwrap();
    let start = |file: &str, more: &str| {
        let text = problem.replace("hidden = [4, 4]", &format!("weights = \"{file}.safetensors\""));
        train_text(&folder, &text.replace("activation = \"sin\"", more), "--overwrite")
    };
    let written = || Model::read(folder.at("run/network.safetensors")).unwrap();
    for (file, more, activation, output) in [
        ("says", "", "sin", None),
        ("says", "activation = \"sin,sin\"", "sin", None),
        ("silent", "activation = \"tanh\"", "tanh", None),
        ("silent", "activation = \"tanh,sin\"\noutput_activation = \"sigmoid\"", "tanh,sin", Some("sigmoid")),
    ] {
        start(file, more).succeeded();
        let written = written();
        assert_eq!(
            written.activation().map(|names| names.replace("sin,sin", "sin")),
            Some(activation.to_owned()),
            "{more}"
        );
        assert_eq!(written.output_activation(), output, "{more}");
    }
    start("says", "activation = \"tanh\"").refused(&["network.activation", "says.safetensors", "\"sin\"", "\"tanh\""]);
    start("silent", "").refused(&["network.activation"]);
    fs::copy(folder.at("run/network.safetensors"), folder.at("both.safetensors")).unwrap();
    start("both", "output_activation = \"tanh\"").refused(&["network.output_activation", "\"sigmoid\"", "\"tanh\""]);
}

/// A problem in x and t with data of this file.
fn with_data(file: &str) -> String {
    format!(
        r#"
        inputs = ["x"]
        outputs = ["u"]
        [domain]
        x = [0, 1]
        [[term]]
        name = "data"
        residual = "u - a - b"
        file = "{file}"
        columns = ["x", "a", "b"]
        [network]
        hidden = [3]
        [[stage]]
        optimizer = "adam"
        steps = 1
        "#
    )
}

#[test]
fn a_data_file_without_rows_is_refused() {
    let npy = |rows: usize| {
        let header = format!("{{'descr': '<f8', 'fortran_order': False, 'shape': ({rows}, 3), }}");
        let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
        bytes.extend(u16::try_from(header.len() + 1).unwrap().to_le_bytes());
        bytes.extend(header.bytes().chain(*b"\n"));
        bytes.extend(vec![0; rows * 24]);
        bytes
    };
    for (name, bytes, code) in [
        ("rows.csv", b"x,a,b\n".to_vec(), 2),
        ("rows.csv", Vec::new(), 2),
        ("rows.npy", npy(0), 2),
        ("rows.npy", npy(2), 0),
    ] {
        let folder = Folder::new();
        fs::write(folder.at(name), bytes).unwrap();
        let run = train_text(&folder, &with_data(name), "");
        assert_eq!(run.code, Some(code), "{}", run.stderr);
        if code == 2 {
            run.refused(&["term \"data\": file", name, "at least one row"]);
        }
    }
}

/// The words for a file of data are not those for points of a network.
#[test]
fn mistakes_in_a_data_file_speak_of_its_columns() {
    for (text, part) in [
        ("x,a,b\n1,2\n", "line 2 has 2 cells, but `columns` names 3"),
        ("1,2,3,4\n", "line 1 has 4 cells, but `columns` names 3"),
        ("1,2,x\n", "line 1, column 3"),
    ] {
        let folder = Folder::new();
        fs::write(folder.at("rows.csv"), text).unwrap();
        let run = train_text(&folder, &with_data("rows.csv"), "");
        run.refused(&["term \"data\": file", "rows.csv", part]);
        assert!(!run.stderr.contains("network"), "{}", run.stderr);
    }
    let folder = Folder::new();
    fs::copy(p01(), folder.at("rows.npy")).unwrap();
    train_text(&folder, &with_data("rows.npy"), "").refused(&["rows.npy: has 2 columns, but `columns` names 3"]);
}

/// No error is infinite without a word.
#[test]
fn where_the_solution_is_zero_the_error_is_absolute() {
    let exact = |solution: &str| {
        let folder = Folder::new();
        let text = DIFFUSION.replace("steps = 120", "steps = 2").replace("steps = 80", "steps = 1");
        let run = train_text(&folder, &text.replace("exp(-k*t)*sin(x)", solution), "");
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        let header = history(&folder.at("run"))[0].last().unwrap().clone();
        let error = run.stdout.lines().find(|line| line.starts_with("error ")).unwrap().to_owned();
        let (told, number) = error.rsplit_once("u ").unwrap();
        (told.to_owned(), number.parse::<f64>().unwrap(), header)
    };
    let (told, number, header) = exact("0*x");
    assert!(told.contains("root mean square at 10,000 points, as the solution is 0 everywhere"), "{told}");
    assert!(number > 0.0 && number < 10.0, "{number}");
    assert_eq!(header, "absolute error u");
    for (solution, expected) in [("1e300*x", 1.0..1.001), ("1e-300*x", 1e290..f64::MAX)] {
        let (told, number, header) = exact(solution);
        assert!(told.contains("relative L2") && expected.contains(&number), "{told} {number}");
        assert_eq!(header, "error u");
    }
}
