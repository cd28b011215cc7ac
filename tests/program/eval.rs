//! `tapeless eval`: the main command, and what its options do to the numbers.

use std::fs;
use std::path::Path;

use crate::common::Case;
use crate::files::{Arrays, Dense, case_layers, read_npz, write_case_points, write_model, write_points};
use crate::{Folder, assert_found, case_file, computed, computed_with_notes, eval, f01, heat_file, p01, refused};

/// Points of the heat equation, enough for the reference and few enough for a build without optimisation.
const SOME: usize = 300;

/// The first points of `points.npy`.
fn some_heat_points() -> Vec<f32> {
    let file = npyz::NpyFile::new(fs::File::open(heat_file("points.npy")).unwrap()).unwrap();
    file.into_vec().unwrap()[..3 * SOME].to_vec()
}

/// The largest error against the reference at its points, relative to 1 + |entry|.
fn worst_error(found: &Arrays) -> f64 {
    let reference = read_npz(&heat_file("reference.npz"));
    let errors =
        [("value", "u"), ("gradient", "gradient"), ("hessian", "hessian")].into_iter().flat_map(|(name, expected)| {
            let pairs = found[name].numbers.iter().zip(&reference[expected].numbers);
            pairs.map(|(found, expected)| (found - expected).abs() / (1.0 + expected.abs()))
        });
    // A NaN counts.
    errors.fold(0.0, |worst, error| if error <= worst { worst } else { error })
}

/// The main command on `count` points of the heat equation.
fn check_main_command(points: &Path, count: usize, counted: &str) {
    let folder = Folder::new();
    let out = folder.at("derivatives.npz");
    let run = eval(&heat_file("heat_pinn.safetensors"), points, &out, "--activation tanh --threads 2");
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    folder.holds_only(&["derivatives.npz"]);

    let lines: Vec<&str> = run.stdout.lines().collect();
    let out = out.to_string_lossy();
    for (line, parts) in [
        &["heat_pinn.safetensors", "5 layers", "3-64-64-64-64-1", "12,801 parameters", "f32", "tanh"][..],
        &[&*points.to_string_lossy(), counted, "f32"],
        &["value, gradient, hessian", "in f32", "2 threads", " s: ", " points/s"],
        &[&*out, "value", "gradient", "hessian"],
    ]
    .iter()
    .enumerate()
    {
        assert!(parts.iter().all(|part| lines[line].contains(part)), "{parts:?} in {:?}", lines[line]);
    }

    let found = read_npz(Path::new(&*out));
    assert!(found.values().all(|array| array.dtype == "<f4"));
    assert_eq!(found.len(), 3);
    assert_eq!(found["value"].shape, [count, 1]);
    assert_eq!(found["gradient"].shape, [count, 1, 3]);
    assert_eq!(found["hessian"].shape, [count, 1, 3, 3]);
    for hessian in found["hessian"].numbers.chunks(9) {
        assert_eq!([hessian[1], hessian[2], hessian[5]], [hessian[3], hessian[6], hessian[7]]);
    }
    let worst = worst_error(&found);
    assert!(worst <= 2e-5, "{worst}");
}

/// Options by which a model gives what a case of kind `network` expects.
fn check_case(id: &str, layers: &[Dense], metadata: &[(&str, &str)], options: &str) {
    let folder = Folder::new();
    let points = Case::named(id).points();
    write_model(&folder.at("model.safetensors"), layers, metadata);
    write_case_points(&folder.at("points.npy"), &points);
    assert_found(&computed(&folder.at("model.safetensors"), &folder.at("points.npy"), options), &points);
}

/// A model with metadata.
fn model_with(folder: &Folder, metadata: &[(&str, &str)]) -> std::path::PathBuf {
    let path = folder.at("model.safetensors");
    write_model(&path, &case_layers("N12"), metadata);
    path
}

#[test]
fn the_points_of_the_reference_are_the_first_of_the_file() {
    let reference = read_npz(&heat_file("reference.npz"));
    assert_eq!(reference["points"].shape, [256, 3]);
    let points: Vec<f64> = some_heat_points().into_iter().map(f64::from).collect();
    assert_eq!(reference["points"].numbers, points[..3 * 256]);
}

#[test]
fn the_main_command_agrees_with_pytorch_in_single_precision() {
    let folder = Folder::new();
    write_points(&folder.at("points.npy"), 3, &some_heat_points());
    check_main_command(&folder.at("points.npy"), SOME, "300 points");
}

/// `cargo test --release --test program`
#[test]
#[cfg_attr(debug_assertions, ignore = "needs a build with optimisation")]
fn the_main_command_takes_all_points() {
    check_main_command(&heat_file("points.npy"), 10_000, "10,000 points");
}

#[test]
fn the_main_command_agrees_with_pytorch_in_double_precision() {
    let options = "--activation tanh --precision f64 --member points";
    let (found, notes) = computed_with_notes(&heat_file("heat_pinn.safetensors"), &heat_file("reference.npz"), options);
    assert_eq!(notes, "");
    assert!(found.values().all(|array| array.dtype == "<f8"));
    assert_eq!(found["hessian"].shape, [256, 1, 3, 3]);
    let worst = worst_error(&found);
    assert!(worst <= 1e-12, "{worst}");
}

#[test]
fn several_arrays_of_points_are_listed() {
    let parts = ["reference.npz", "--member", "points", "u", "gradient", "hessian"];
    refused(&heat_file("heat_pinn.safetensors"), &heat_file("reference.npz"), "--activation tanh", &parts);
}

#[test]
fn derive_leaves_out_what_was_not_asked_for() {
    let all = computed(&f01(), &p01(), "--activation tanh");
    assert_eq!(all.len(), 3);
    for (options, asked) in [
        ("--derive value", &["value"][..]),
        ("--derive gradient", &["gradient"]),
        ("--derive hessian", &["hessian"]),
        ("--derive hessian,value", &["hessian", "value"]),
        ("--derive gradient,value", &["gradient", "value"]),
        ("--derive gradient --derive hessian", &["gradient", "hessian"]),
        ("--derive value --derive value,gradient,hessian", &["gradient", "hessian", "value"]),
    ] {
        let some = computed(&f01(), &p01(), &format!("--activation tanh {options}"));
        assert_eq!(some.keys().collect::<Vec<_>>(), asked, "{options}");
        assert!(some.iter().all(|(name, array)| *array == all[name]), "{options}");
    }
}

#[test]
fn derive_refuses_what_it_does_not_know() {
    for options in ["--derive jacobian", "--derive value,jacobian"] {
        let parts = ["--derive", "\"jacobian\"", "value, gradient, hessian"];
        refused(&f01(), &p01(), &format!("--activation tanh {options}"), &parts);
    }
}

#[test]
fn an_activation_is_needed() {
    refused(&f01(), &p01(), "", &["F01_deepxde_f64.safetensors", "--activation"]);
}

#[test]
fn the_activation_may_come_from_the_file() {
    let layers = case_layers("N12");
    check_case("N12", &layers, &[("activation", "tanh")], "");
    check_case("N12", &layers, &[("activation", "tanh,tanh"), ("output_activation", "identity")], "");
    let tail = [Dense::identity(1)];
    check_case("N09", &tail, &[("output_activation", "gelu")], "");
    // What is typed counts more.
    check_case(
        "N12",
        &layers,
        &[("activation", "sin"), ("output_activation", "exp")],
        "--activation tanh --output-activation identity",
    );
    check_case("N15", &layers, &[("activation", "tanh")], "--activation sin");
}

#[test]
fn a_wrong_activation_lists_the_known_ones() {
    for option in ["--activation tahn", "--activation tanh,tahn", "--activation tanh --output-activation tahn"] {
        refused(
            &f01(),
            &p01(),
            option,
            &["activation: ", "\"tahn\"", "tanh, sigmoid", "sin[:w0]", "softplus[:beta]", "mish"],
        );
    }
    let folder = Folder::new();
    let parts = ["model.safetensors", "metadata", "\"tahn\"", "tanh, sigmoid"];
    refused(&model_with(&folder, &[("activation", "tahn")]), &p01(), "", &parts);
    refused(&f01(), &p01(), "--activation softplus:0", &["--activation", "softplus:0", "above 0"]);
    refused(&f01(), &p01(), "--activation tanh:2", &["--activation", "takes no parameter"]);
}

#[test]
fn each_layer_may_have_its_own_activation() {
    // A layer that changes nothing before the two of N13.
    let layers = [&[Dense::identity(2)], case_layers("N13").as_slice()].concat();
    check_case("N13", &layers, &[], "--activation identity,tanh");
    refused(
        &f01(),
        &p01(),
        "--activation tanh,tanh,tanh",
        &["F01_deepxde_f64.safetensors", "3 activations", "2 hidden layers"],
    );
}

#[test]
fn activations_take_parameters() {
    // sin(30 (x / 30)).
    let mut layers = case_layers("N15");
    let last = layers.pop().unwrap();
    layers = layers.into_iter().map(|layer| layer.times(1.0 / 30.0)).collect();
    layers.push(last);
    check_case("N15", &layers, &[], "--activation sin:30");
    check_case("N01", &[Dense::identity(1), Dense::identity(1)], &[], "--activation softplus:3");
    for id in ["N17", "N18"] {
        let activation = Case::named(id).json["network"][0]["act"].as_str().unwrap().to_owned();
        check_case(id, &case_layers(id), &[], &format!("--activation {activation}"));
    }
}

#[test]
fn the_last_layer_may_have_an_activation() {
    // A single layer has no hidden ones, so that nothing else is needed.
    let single = [Dense::identity(1)];
    check_case("N09", &single, &[], "--output-activation gelu");
    check_case("N01", &single, &[], "--output-activation softplus:3");
    let folder = Folder::new();
    let expected = Case::named("N09").also();
    write_model(&folder.at("model.safetensors"), &single, &[]);
    write_case_points(&folder.at("points.npy"), &expected);
    let (model, points) = (folder.at("model.safetensors"), folder.at("points.npy"));
    assert_found(&computed(&model, &points, "--output-activation gelu_tanh"), &expected);
}

#[test]
fn outputs_keep_their_order() {
    check_case("N13", &case_layers("N13"), &[], "--activation tanh");
}

#[test]
fn any_number_of_threads_gives_the_same_file() {
    let folder = Folder::new();
    // More than the program takes in one go, and no multiple of anything.
    let points: Vec<f64> = (0..2 * 9_001).map(|k| f64::from(k * 7919 % 20_011) / 10_000.0 - 1.0).collect();
    write_points(&folder.at("points.npy"), 2, &points);
    for name in ["results.npz", "results.csv"] {
        let with = |threads: u32| {
            let options = format!("--activation tanh --threads {threads}");
            eval(&f01(), &folder.at("points.npy"), &folder.at(name), &options).succeeded();
            fs::read(folder.at(name)).unwrap()
        };
        let one = with(1);
        assert!(with(2) == one && with(3) == one, "{name}");
    }
}

#[test]
fn no_threads_and_far_too_many_are_refused() {
    for threads in ["0", "-1", "1025", "many"] {
        refused(&f01(), &p01(), &format!("--activation tanh --threads={threads}"), &["--threads", threads]);
    }
}

#[test]
fn the_default_precision_is_that_of_the_model() {
    assert_eq!(computed(&f01(), &p01(), "--activation tanh")["value"].dtype, "<f8");
    let (found, notes) = computed_with_notes(&f01(), &p01(), "--activation tanh --precision f32");
    assert_eq!(found["value"].dtype, "<f4");
    assert!(notes.contains("P01_c.npy") && notes.contains("rounded"), "{notes}");
    refused(&f01(), &p01(), "--activation tanh --precision f16", &["--precision", "f32, f64"]);
}

#[test]
fn a_point_of_nan_is_noted_and_gives_nan() {
    let folder = Folder::new();
    let case = Case::named("F01");
    let mut points: Vec<f64> = case.points()[..2].iter().flat_map(|point| point.at.clone()).collect();
    points.splice(2..2, [0.5, f64::NAN]);
    write_points(&folder.at("points.npy"), 2, &points);
    let (found, notes) = computed_with_notes(&f01(), &folder.at("points.npy"), "--activation tanh");
    assert!(notes.contains("1 of 3 points") && notes.contains("not finite") && notes.contains("row 1 "), "{notes}");
    for (name, array) in &found {
        let width = array.numbers.len() / 3;
        let is_nan: Vec<bool> = array.numbers.chunks(width).map(|row| row.iter().all(|number| number.is_nan())).collect();
        assert_eq!(is_nan, [false, true, false], "{name}");
    }
    // The others are as if they were alone.
    for (row, point) in [(0, &case.points()[0]), (2, &case.points()[1])] {
        let part = |name: &str, width: usize| &found[name].numbers[row * width..(row + 1) * width];
        point.outputs[0].assert_found(&[part("value", 1), part("gradient", 2), part("hessian", 4)].concat());
    }
}

#[test]
fn a_model_of_twenty_inputs_works() {
    // N12, whose inputs are now the second and the last of twenty.
    let (wide, places) = (20, [1, 19]);
    let mut layers = case_layers("N12");
    let narrow = std::mem::take(&mut layers[0].weights);
    layers[0].weights = vec![0.0; wide * narrow.len() / 2];
    for (k, weight) in narrow.into_iter().enumerate() {
        layers[0].weights[k / 2 * wide + places[k % 2]] = weight;
    }
    let expected = Case::named("N12").points();
    let row = |at: &[f64]| (0..wide).map(|i| places.iter().position(|&place| place == i).map_or(0.25, |k| at[k])).collect();
    let points: Vec<f64> = expected.iter().flat_map(|point| -> Vec<f64> { row(&point.at) }).collect();

    let folder = Folder::new();
    write_model(&folder.at("model.safetensors"), &layers, &[("activation", "tanh")]);
    write_points(&folder.at("points.npy"), wide, &points);
    let found = computed(&folder.at("model.safetensors"), &folder.at("points.npy"), "");
    assert_eq!(found["hessian"].shape, [expected.len(), 1, wide, wide]);
    for (row, point) in expected.iter().enumerate() {
        let gradient = &found["gradient"].numbers[row * wide..][..wide];
        let hessian = &found["hessian"].numbers[row * wide * wide..][..wide * wide];
        let mut numbers = vec![found["value"].numbers[row]];
        numbers.extend(places.map(|i| gradient[i]));
        numbers.extend(places.iter().flat_map(|i| places.map(|j| hessian[i * wide + j])));
        point.outputs[0].assert_found(&numbers);
        assert_eq!(gradient.iter().filter(|entry| **entry != 0.0).count(), 2);
        assert_eq!(hessian.iter().filter(|entry| **entry != 0.0).count(), 4);
    }
}

#[test]
fn an_empty_batch_of_several_outputs_has_all_dimensions() {
    let folder = Folder::new();
    write_model(&folder.at("model.safetensors"), &case_layers("N13"), &[]);
    let found = computed(&folder.at("model.safetensors"), &case_file("P08_empty.npy"), "--activation tanh");
    assert_eq!(found["value"].shape, [0, 3]);
    assert_eq!(found["gradient"].shape, [0, 3, 2]);
    assert_eq!(found["hessian"].shape, [0, 3, 2, 2]);
}
