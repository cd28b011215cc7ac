//! Every case of kind `file` in `tests/cases/expected.json`, through the program.

use std::path::Path;

use crate::common::{Case, assert_every_case_has_a_test};
use crate::files::{Dense, read_csv, write_case_points, write_model};
use crate::{Folder, assert_found, case_file, computed, computed_with_notes, eval, f01, p01, program, refused};

/// The options of a case: double precision, and the activation that the case names. F09 names none, being the network of
/// F01.
fn options(case: &Case) -> String {
    format!("--precision f64 --activation {}", case.json["load"]["act"].as_str().unwrap_or("tanh"))
}

/// Checks a model at the points of its case, and gives the notes of the program.
fn check_model(id: &str, file: &str) -> String {
    let case = Case::named(id);
    let points = case.points();
    let folder = Folder::new();
    write_case_points(&folder.at("points.npy"), &points);
    let (arrays, notes) = computed_with_notes(&case_file(file), &folder.at("points.npy"), &options(&case));
    assert_found(&arrays, &points);
    notes
}

/// Checks a file of points for the network of F01, results as `.npz` and as `.csv`, and gives the notes of the program.
fn check_points(id: &str, file: &str, more: &str) -> String {
    let case = Case::named(id);
    let options = format!("{} {more}", options(&case));
    let (arrays, notes) = computed_with_notes(&f01(), &case_file(file), &options);
    assert_found(&arrays, &case.points());

    let folder = Folder::new();
    eval(&f01(), &case_file(file), &folder.at("results.csv"), &options).succeeded();
    let (names, rows) = read_csv(&folder.at("results.csv"));
    assert_eq!(names, ["u", "u_x0", "u_x1", "u_x0x0", "u_x0x1", "u_x1x1"]);
    assert_eq!(rows.len(), case.points().len());
    for (row, point) in rows.iter().zip(case.points()) {
        let row: Vec<f64> = row.iter().map(|cell| cell.parse().unwrap()).collect();
        let &[u, x, y, xx, xy, yy] = row.as_slice() else { panic!("{row:?}") };
        point.outputs[0].assert_found(&[u, x, y, xx, xy, xy, yy]);
    }
    notes
}

/// Asserts that a model is refused, by both commands, with a message that names the file and holds `parts`.
fn refuse_model(file: &str, parts: &[&str]) {
    let parts = [&[file], parts].concat();
    refused(&case_file(file), &p01(), "--precision f64 --activation tanh", &parts);
    crate::Run::of(program().arg("inspect").arg(case_file(file))).refused(&parts);
}

/// Asserts that points are refused for a model with a message that names the file and holds `parts`.
fn refuse_points_for(model: &Path, file: &str, parts: &[&str]) {
    refused(model, &case_file(file), "--precision f64 --activation tanh", &[&[file], parts].concat());
}

fn refuse_points(file: &str, parts: &[&str]) {
    refuse_points_for(&f01(), file, parts);
}

#[test]
fn every_file_case_has_a_test() {
    assert_every_case_has_a_test("file", include_str!("file_cases.rs"));
}

#[test]
fn f01_deepxde_weights_in_double_precision() {
    assert_eq!(check_model("F01", "F01_deepxde_f64.safetensors"), "");
}

#[test]
fn f02_prefixes_of_wrappers_are_taken_off_and_mentioned() {
    assert!(check_model("F02", "F02_prefix.safetensors").contains("module._orig_mod."));
}

#[test]
fn f05_bf16_is_widened_exactly_and_reported() {
    check_model("F05", "F05_bf16.safetensors");
    let folder = Folder::new();
    let model = case_file("F05_bf16.safetensors");
    let run = eval(&model, &p01(), &folder.at("results.npz"), "--precision f64 --activation tanh");
    assert!(run.stdout.lines().next().unwrap().contains("bf16"), "{}", run.stdout);
}

#[test]
fn f08_transposed_weights_are_refused_with_the_rule() {
    refuse_model("F08_transposed.safetensors", &["linears.0.weight", "[2, 4]", "length 4", "[out, in]"]);
}

#[test]
fn f09_weight_norm_is_worked_out() {
    check_model("F09", "F09_weight_norm_old.safetensors");
}

#[test]
fn f11_a_model_cut_short_is_refused_with_both_sizes() {
    refuse_model("F11_cut.safetensors", &["688 bytes expected", "680 found"]);
}

#[test]
fn f12_what_is_no_safetensors_file_is_refused_with_a_hint() {
    let parts = ["first 8 bytes are not a possible header length", "129 bytes", "git-lfs pointer"];
    refuse_model("F12_lfs_pointer.safetensors", &parts);
    refuse_model("F12_empty.safetensors", &["header length", "0 bytes", "empty", "download"]);
    refuse_model("F12_five.safetensors", &["header length", "5 bytes", "cut off"]);
}

#[test]
fn f14_a_shape_larger_than_its_bytes_is_refused_with_both_sizes() {
    refuse_model("F14_shape.safetensors", &["linears.0.weight", "64000 bytes expected", "64 found"]);
}

#[test]
fn f16_unaligned_doubles_are_read() {
    check_model("F16", "F16_unaligned.safetensors");
}

#[test]
fn f17_each_unused_tensor_is_named_once() {
    let notes = check_model("F17", "F17_extras.safetensors");
    for name in ["bn.num_batches_tracked", "scaled_fp8"] {
        assert_eq!(notes.matches(name).count(), 1, "{notes}");
    }
    assert_eq!(notes.lines().count(), 2, "{notes}");
}

#[test]
fn f19_layers_that_do_not_fit_are_refused_with_both_widths() {
    refuse_model("F19_chain.safetensors", &["`linears.0.weight`", "gives 4 ", "`linears.1.weight`", "takes 5;"]);
}

#[test]
fn f21_a_torch_file_is_refused_with_the_way_to_convert_it() {
    refuse_model("F21_torch_zip.safetensors", &["PyTorch zip/pickle", "safetensors.torch.save_file"]);
}

#[test]
fn p01_c_and_fortran_order_give_the_same_results() {
    assert_eq!(check_points("P01", "P01_c.npy", ""), "");
    check_points("P01", "P01_fortran.npy", "");
    let found = |file| computed(&f01(), &case_file(file), "--activation tanh");
    assert_eq!(found("P01_c.npy"), found("P01_fortran.npy"));
}

#[test]
fn p02_big_endian_doubles_are_swapped() {
    check_points("P02", "P02_be8.npy", "");
}

#[test]
fn p03_single_precision_points_are_widened_exactly() {
    check_points("P03", "P03_f4.npy", "");
}

#[test]
fn p06_all_header_versions_and_spellings_are_read() {
    for file in ["P06_v2.npy", "P06_v3.npy", "P06_plain.npy"] {
        check_points("P06", file, "");
    }
}

#[test]
fn p07_one_dimension_is_for_one_input_only() {
    refuse_points("P07_1d.npy", &["(3,)", "2 inputs"]);

    // u = x.
    let folder = Folder::new();
    write_model(&folder.at("line.safetensors"), &[Dense::identity(1)], &[]);
    let points = npyz::NpyFile::new(std::fs::File::open(case_file("P07_1d.npy")).unwrap()).unwrap();
    let found = computed(&folder.at("line.safetensors"), &case_file("P07_1d.npy"), "");
    assert_eq!(found["value"].numbers, points.into_vec::<f64>().unwrap());
    assert_eq!((found["value"].shape.as_slice(), found["gradient"].shape.as_slice()), (&[3, 1][..], &[3, 1, 1][..]));
    assert_eq!((found["gradient"].numbers.as_slice(), found["hessian"].numbers.as_slice()), (&[1.0; 3][..], &[0.0; 3][..]));
}

#[test]
fn p08_an_empty_batch_gives_arrays_of_no_rows() {
    let (found, notes) = computed_with_notes(&f01(), &case_file("P08_empty.npy"), "--precision f64 --activation tanh");
    let shapes: Vec<_> = found.iter().map(|(name, array)| (name.as_str(), array.shape.clone())).collect();
    assert_eq!(shapes, [("gradient", vec![0, 1, 2]), ("hessian", vec![0, 1, 2, 2]), ("value", vec![0, 1])]);
    assert!(found.values().all(|array| array.dtype == "<f8"));
    assert_eq!(notes, "");

    let folder = Folder::new();
    eval(&f01(), &case_file("P08_empty.npy"), &folder.at("results.csv"), "--activation tanh").succeeded();
    let (names, rows) = read_csv(&folder.at("results.csv"));
    assert_eq!((names.len(), rows.len()), (6, 0));
}

#[test]
fn p09_integers_are_refused_by_type() {
    refuse_points("P09_int.npy", &["'<i8'"]);
}

#[test]
fn p10_points_cut_short_are_refused_with_both_sizes() {
    refuse_points("P10_cut.npy", &["80 bytes", "72 bytes were found"]);
}

#[test]
fn p12_transposed_points_are_refused_with_a_hint() {
    refuse_points("P12_transposed.npy", &["5 columns", "2 inputs", "transposed"]);
}

#[test]
fn p13_a_deflated_member_is_read_by_either_name() {
    for member in ["", "--member points", "--member points.npy"] {
        check_points("P13", "P13_deflate.npz", member);
    }
    let options = "--activation tanh --member coordinates";
    refused(&f01(), &case_file("P13_deflate.npz"), options, &["P13_deflate.npz", "coordinates", "it holds: points"]);
}

#[test]
fn c01_byte_order_mark_header_and_crlf() {
    check_points("C01", "C01_bom.csv", "");
}

#[test]
fn c03_a_missing_cell_is_refused_with_line_and_column() {
    refuse_points("C03_blank.csv", &["line 3", "column 2"]);
    refuse_points("C03_short.csv", &["line 4", "column 2"]);
}

#[test]
fn c05_odd_numbers_are_read_right_or_refused() {
    refuse_points("C05_spelling.csv", &["line 3", "1d-3"]);

    // u0 = x, u1 = y.
    let folder = Folder::new();
    write_model(&folder.at("same.safetensors"), &[Dense::identity(2)], &[]);
    let text = std::fs::read_to_string(case_file("C05_spelling.csv")).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    std::fs::write(folder.at("two.csv"), lines[..2].join("\n")).unwrap();
    let found = computed(&folder.at("same.safetensors"), &folder.at("two.csv"), "");
    assert_eq!(found["value"].numbers, [0.5, 0.001, 1.0, 2.0]);
    for line in &lines[2..] {
        // In the second place, as an odd first line might be taken for names.
        std::fs::write(folder.at("one.csv"), format!("1,2\n{line}\n")).unwrap();
        let spelled = line.split(',').next().unwrap();
        refused(&folder.at("same.safetensors"), &folder.at("one.csv"), "", &["one.csv", "line 2", spelled]);
    }
}
