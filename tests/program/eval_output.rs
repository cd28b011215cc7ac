//! Where `tapeless eval` writes, under which names, and what it leaves alone.

use std::fs;
use std::path::Path;

use crate::common::Case;
use crate::files::{case_layers, read_csv, read_npz, write_case_points, write_model, write_points};
use crate::{Folder, Run, assert_found, case_file, computed, eval, eval_command, f01, heat_file, p01, program, refused};

/// Asserts that the columns of a `.csv` file are the entries of the arrays that a `.npz` file holds: of each output the
/// value, the gradient, and the upper triangle of the Hessian.
fn check_columns(csv: &Path, npz: &Path, parse: impl Fn(&str) -> f64) {
    let (_, rows) = read_csv(csv);
    let arrays = read_npz(npz);
    let [n, m, d] = arrays["gradient"].shape[..] else { panic!() };
    assert_eq!(rows.len(), n);
    for (row, cells) in rows.iter().enumerate() {
        let part = |name: &str, width: usize| &arrays[name].numbers[row * width..(row + 1) * width];
        let hessian = part("hessian", m * d * d);
        let upper = hessian.iter().enumerate().filter(|(place, _)| place / d % d <= place % d).map(|(_, entry)| *entry);
        let expected: Vec<f64> = [part("value", m), part("gradient", m * d)].concat().into_iter().chain(upper).collect();
        assert_eq!(cells.iter().map(|cell| parse(cell)).collect::<Vec<_>>(), expected);
    }
}

/// Runs once for each format, and gives the names of the columns.
fn check_formats(model: &Path, points: &Path, options: &str, parse: impl Fn(&str) -> f64) -> Vec<String> {
    let folder = Folder::new();
    for name in ["results.csv", "results.npz"] {
        assert_eq!(eval(model, points, &folder.at(name), options).succeeded(), "");
    }
    check_columns(&folder.at("results.csv"), &folder.at("results.npz"), parse);
    read_csv(&folder.at("results.csv")).0
}

#[test]
fn columns_are_named_after_inputs_and_outputs() {
    let folder = Folder::new();
    write_points(&folder.at("points.npy"), 3, &[0.25_f32, 0.5, 0.75, 0.1, 0.2, 0.3]);
    let (model, points) = (heat_file("heat_pinn.safetensors"), folder.at("points.npy"));
    let options = "--activation tanh --inputs x,y,t --outputs u";
    let names = check_formats(&model, &points, options, |cell| cell.parse::<f32>().unwrap().into());
    assert_eq!(names, ["u", "u_x", "u_y", "u_t", "u_xx", "u_xy", "u_xt", "u_yy", "u_yt", "u_tt"]);
}

#[test]
fn columns_of_several_outputs() {
    let folder = Folder::new();
    let expected = Case::named("N13").points();
    write_model(&folder.at("model.safetensors"), &case_layers("N13"), &[("activation", "tanh")]);
    write_case_points(&folder.at("points.npy"), &expected);
    let (model, points) = (folder.at("model.safetensors"), folder.at("points.npy"));
    let names = |options: &str| check_formats(&model, &points, options, |cell| cell.parse().unwrap());
    let start = |options: &str| names(options)[..8].join(" ");
    assert_eq!(names("").len(), 3 + 3 * 2 + 3 * 3);
    assert_eq!(start(""), "u0 u1 u2 u0_x0 u0_x1 u1_x0 u1_x1 u2_x0");
    assert_eq!(start("--inputs x,t --outputs u,v,p"), "u v p u_x u_t v_x v_t p_x");
    assert_eq!(names("--inputs x,t --outputs u,v,p")[9..].join(" "), "u_xx u_xt u_tt v_xx v_xt v_tt p_xx p_xt p_tt");
    assert_found(&computed(&model, &points, ""), &expected);
}

#[test]
fn columns_of_what_was_asked_for_only() {
    let folder = Folder::new();
    let names = |options: &str| {
        eval(&f01(), &p01(), &folder.at("results.csv"), &format!("--activation tanh {options}")).succeeded();
        read_csv(&folder.at("results.csv")).0.join(" ")
    };
    assert_eq!(names("--derive value"), "u");
    assert_eq!(names("--derive gradient"), "u_x0 u_x1");
    assert_eq!(names("--derive hessian,value"), "u u_x0x0 u_x0x1 u_x1x1");
}

#[test]
fn names_that_do_not_fit_are_refused() {
    for (names, parts) in [
        ("--inputs x", &["--inputs", "2 inputs", "1 "][..]),
        ("--inputs x,y,t", &["--inputs", "2 inputs", "3 names"]),
        ("--inputs x,x", &["--inputs", "\"x\"", "twice"]),
        ("--inputs x,xx", &["--inputs", "\"u_xx\"", "derivative by x and x", "derivative by xx"]),
        ("--inputs x,", &["--inputs", "\"\" is not a name"]),
        ("--inputs x,2", &["--inputs", "\"2\" is not a name"]),
        ("--outputs u,v", &["--outputs", "1 output,", "2 names"]),
        ("--outputs u-v", &["--outputs", "\"u-v\" is not a name"]),
    ] {
        refused(&f01(), &p01(), &format!("--activation tanh {names}"), parts);
    }
}

#[test]
fn an_unknown_extension_is_refused() {
    let folder = Folder::new();
    for name in ["results.npy", "results", "results.npz.gz"] {
        eval(&f01(), &p01(), &folder.at(name), "--activation tanh").refused(&[name, ".npz or .csv"]);
    }
    folder.holds_only(&[]);
}

#[test]
fn a_missing_folder_is_refused() {
    let folder = Folder::new();
    let out = folder.at("missing/results.npz");
    eval(&f01(), &p01(), &out, "--activation tanh").refused(&["missing/results.npz", "make the folder"]);
    folder.holds_only(&[]);
}

#[test]
fn a_folder_is_not_replaced() {
    let folder = Folder::new();
    fs::create_dir(folder.at("results.npz")).unwrap();
    eval(&f01(), &p01(), &folder.at("results.npz"), "--activation tanh").refused(&["results.npz", "is a folder"]);
    folder.holds_only(&["results.npz"]);
    assert!(folder.at("results.npz").is_dir());
}

#[cfg(unix)]
#[test]
fn a_device_is_not_replaced() {
    use std::os::unix::fs::{FileTypeExt, symlink};
    let folder = Folder::new();
    let device = Path::new("/dev/null");
    symlink(device, folder.at("results.npz")).unwrap();
    eval(&f01(), &p01(), device, "--activation tanh").refused(&["/dev/null"]);
    eval(&f01(), &p01(), &folder.at("results.npz"), "--activation tanh").refused(&["results.npz", "device"]);
    assert!(fs::metadata(device).unwrap().file_type().is_char_device());
    assert_eq!(fs::read_link(folder.at("results.npz")).unwrap(), device);
    folder.holds_only(&["results.npz"]);
}

#[test]
fn an_existing_file_is_replaced_whole() {
    let folder = Folder::new();
    for (new, old) in [("new.npz", "old.npz"), ("new.csv", "old.csv")] {
        fs::write(folder.at(old), vec![b'7'; 100_000]).unwrap();
        for name in [new, old] {
            eval(&f01(), &p01(), &folder.at(name), "--activation tanh").succeeded();
        }
        assert!(fs::read(folder.at(new)).unwrap() == fs::read(folder.at(old)).unwrap());
    }
    folder.holds_only(&["new.csv", "new.npz", "old.csv", "old.npz"]);
}

#[test]
fn a_failing_run_leaves_the_old_file_alone() {
    let folder = Folder::new();
    let out = folder.at("results.csv");
    fs::write(&out, "precious").unwrap();
    for (model, points, options) in [
        (f01(), case_file("P10_cut.npy"), "--activation tanh"),
        (f01(), case_file("C03_short.csv"), "--activation tanh"),
        (f01(), p01(), ""),
        (f01(), p01(), "--activation tanh --inputs x"),
        (case_file("F11_cut.safetensors"), p01(), "--activation tanh"),
        (f01(), folder.at("missing.npy"), "--activation tanh"),
    ] {
        eval(&model, &points, &out, options).refused(&[]);
        assert_eq!(fs::read_to_string(&out).unwrap(), "precious");
    }
    folder.holds_only(&["results.csv"]);
}

#[test]
fn missing_files_are_named() {
    let folder = Folder::new();
    let parts = |name| ["No such file", name];
    refused(&f01(), &folder.at("points.npy"), "--activation tanh", &parts("points.npy"));
    refused(&folder.at("model.safetensors"), &p01(), "--activation tanh", &parts("model.safetensors"));
    refused(&folder.at(""), &p01(), "--activation tanh", &["is a directory"]);
    refused(&f01(), &folder.at(""), "--activation tanh", &["is a folder"]);
}

#[test]
fn names_of_files_may_be_relative_and_odd() {
    let folder = Folder::new();
    fs::copy(f01(), folder.at("mein Netz ü.safetensors")).unwrap();
    fs::copy(p01(), folder.at("punkte α.npy")).unwrap();
    let [model, points, out] = ["mein Netz ü.safetensors", "punkte α.npy", "ergebnis 1.NPZ"].map(Path::new);
    let run = Run::of(eval_command(model, points, out, "--activation tanh").current_dir(folder.at("")));
    assert!(run.stdout.contains("ergebnis 1.NPZ"));
    run.succeeded();
    assert_found(&read_npz(&folder.at("ergebnis 1.NPZ")), &Case::named("P01").points());
}

#[test]
fn what_is_left_out_is_asked_for() {
    Run::of(program().arg("eval").arg(f01()).arg(p01())).refused(&["--out"]);
    let run = Run::of(&mut program());
    assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""));
    assert!(run.stderr.contains("Usage: tapeless"), "{}", run.stderr);
}
