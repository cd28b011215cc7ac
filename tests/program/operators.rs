//! Operators as results of `tapeless eval`.

use super::files::read_csv;
use super::*;

const HEAT: &str = "u_t - 0.05*(u_xx + u_yy)";

fn heat(precision: &str, derive: &[&str]) -> (Arrays, String) {
    let folder = Folder::new();
    let out = folder.at("results.npz");
    let options = format!("--activation tanh --inputs x,y,t --member points --explain --precision {precision}");
    let mut command = eval_command(&heat_file("heat_pinn.safetensors"), &heat_file("reference.npz"), &out, &options);
    for text in derive {
        command.args(["--derive", text]);
    }
    let run = Run::of(&mut command);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    (read_npz(&out), run.stdout)
}

#[test]
fn operators_agree_with_pytorch_and_are_named_by_their_text() {
    let reference = read_npz(&heat_file("reference.npz"));
    let (gradient, hessian) = (&reference["gradient"].numbers, &reference["hessian"].numbers);
    for (precision, bound) in [("f32", 2e-5), ("f64", 1e-12)] {
        let (found, stdout) = heat(precision, &["value,u_xy", HEAT, "laplacian(u, x, y)"]);
        assert_eq!(found.keys().collect::<Vec<_>>(), ["laplacian(u, x, y)", HEAT, "u_xy", "value"]);
        // The forms u_xx + u_yy and u_xy, and the first partials that they need.
        assert!(stdout.starts_with("channels  6: value, _x, _y, _t, _xy, _xx + _yy\n"), "{stdout}");
        for point in 0..256 {
            let second = |i: usize, j: usize| hessian[point * 9 + 3 * i + j];
            let laplacian = second(0, 0) + second(1, 1);
            for (name, expected) in [
                ("u_xy", second(0, 1)),
                ("laplacian(u, x, y)", laplacian),
                (HEAT, gradient[point * 3 + 2] - 0.05 * laplacian),
            ] {
                assert_eq!(found[name].shape, [256]);
                let error = (found[name].numbers[point] - expected).abs() / (1.0 + expected.abs());
                assert!(error <= bound, "{precision} {name} at point {point}: {error}");
            }
        }
    }
}

#[test]
fn columns_of_operators_carry_their_text() {
    let folder = Folder::new();
    let out = folder.at("results.csv");
    let mut command = eval_command(&f01(), &p01(), &out, "--activation tanh --inputs x,y --derive u_x");
    command.args(["--derive", "u_xx+u_yy"]);
    Run::of(&mut command).succeeded();
    let (names, rows) = read_csv(&out);
    assert_eq!((names, rows.len()), (vec!["u_x".to_owned(), "u_xx+u_yy".to_owned()], 5));
}

#[test]
fn an_empty_batch_has_empty_operators() {
    let arrays = computed(&f01(), &case_file("P08_empty.npy"), "--activation tanh --derive u_x0,u_x1");
    assert_eq!((&arrays["u_x0"].shape, &arrays["u_x1"].shape), (&vec![0], &vec![0]));
}

#[test]
fn a_wrong_operator_is_pointed_at() {
    let folder = Folder::new();
    let out = folder.at("results.npz");
    let mut command = eval_command(&f01(), &p01(), &out, "--activation tanh --inputs x,y");
    command.args(["--derive", "u_x + u_yz"]);
    let run = Run::of(&mut command);
    run.refused(&["\"yz\" is not one or two inputs; inputs are x, y", "  u_x + u_yz\n          ^"]);
    folder.holds_only(&[]);
}

#[test]
fn the_output_may_not_replace_what_is_read() {
    let folder = Folder::new();
    let points = folder.at("points.npz");
    fs::copy(case_file("P13_deflate.npz"), &points).unwrap();
    let before = fs::read(&points).unwrap();
    eval(&f01(), &points, &points, "--activation tanh").refused(&["points.npz", "same file", "choose another name"]);
    assert_eq!(fs::read(&points).unwrap(), before);
}
