//! Mistakes in a problem file of `tapeless train`.

use super::*;
use crate::train::{DIFFUSION, train, train_text};

/// Each mistake is named with its place, nothing is written.
#[test]
fn mistakes_in_a_problem_are_named() {
    let mistakes: [(&str, &str, &[&str]); 61] = [
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
        ("x = [0, \"pi\"]", "x = [0, 1, 2]", &["domain.x: expected two numbers", "3 of them"]),
        ("x = [0, \"pi\"]", "x = [0]", &["domain.x: expected two numbers", "1 of them"]),
        ("x = [0, \"pi\"]", "x = [nan, 1]", &["domain.x: must be finite, but is NaN"]),
        ("x = [0, \"pi\"]", "x = [-inf, 1]", &["domain.x: must be finite, but is -inf"]),
        ("k = \"1/2\"", "k = nan", &["constants.k: must be finite"]),
        ("at = { t = 0 }", "at = { t = inf }", &["term \"start\": at.t: must be finite"]),
        ("weight = 2", "weight = inf", &["term \"start\": weight: must be finite"]),
        ("points = 64", "points = 64\nsampling = \"sobel\"", &["\"sobel\"", "grid", "latin_hypercube"]),
        ("faces = [\"x\"]", "faces = [\"x\", \"x\"]", &["term \"walls\": faces: expected each input once"]),
        ("faces = [\"x\"]", "faces = [\"x\"]\nat = { x = 0 }", &["term \"walls\": faces", "in `at`"]),
        ("name = \"start\"", "name = \"st\\u001Bart\"", &["st\\u{1b}art", "control characters"]),
        ("name = \"start\"", "name = \"st\\tart\"", &["st\\tart", "control characters"]),
        ("points = 64", "file = \"no.csv\"", &["term \"equation\"", "resample"]),
        ("points = 64", "points = -1", &["expected a number of points"]),
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
        (
            "steps = 80",
            "steps = \"x\"",
            &["line 46", "steps: invalid type: text \"x\", expected a whole number of at least 0"],
        ),
        ("steps = 80", "steps = -1", &["line 46", "^^\nsteps: ", "-1", "expected a whole number of at least 0"]),
        ("steps = 80", "steps = 80\nrate = 1", &["stage 2 (lbfgs): rate: expected nothing", "\"adam\""]),
        ("rate = 1e-2", "history = 3", &["stage 1 (adam): history: expected nothing", "\"lbfgs\""]),
        ("rate = 1e-2", "rate = \"x\"", &["line 41", "rate: ", "expected a number"]),
        ("factor = 0.5, ", "", &["stage 1 (adam): decay: expected factor"]),
        ("factor = 0.5, ", "factor = 0.5, least = 0, ", &["stage 1 (adam): decay: expected factor", "least"]),
        ("factor = 0.5", "factor = \"x\"", &["line 42", "factor: ", "expected a number"]),
        ("candidates = 2", "candidates = -2", &["line 17", "candidates: ", "expected a whole number of at least 0"]),
        ("[network]", "[transform]\nu = \"x\"\n[network]", &["line 36", "u: ", "expected a table"]),
        ("precision = \"f64\"", "precision = 3", &["precision: expected a text"]),
        ("hidden = [6, 6]", "hidden = 6", &["line 36", "hidden: ", "expected a list"]),
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
