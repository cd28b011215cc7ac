//! Files of every kind, read right or refused with a message that helps.

use std::io::Write;
use std::path::{Path, PathBuf};

use tempfile::TempDir;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use super::*;

/// The points of cases P01 to P13 and C01.
pub(super) const POINTS: [f64; 10] = [0.3, -0.7, 1.25, 0.5, 0.0, 0.0, -0.4, 0.9, 0.75, -0.125];

fn case(name: &str) -> PathBuf {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cases/files")).join(name)
}

fn values(name: &str, inputs: usize) -> Vec<f64> {
    read(&case(name), None, inputs).unwrap().values
}

fn refused(name: &str, inputs: usize) -> String {
    message::<f64>(&case(name), None, inputs)
}

fn message<R: Float + FromStr>(path: &Path, member: Option<&str>, inputs: usize) -> String {
    let error = match read::<R>(path, member, inputs) {
        Ok(points) => panic!("{} gave {} rows", path.display(), points.rows),
        Err(error) => error.to_string(),
    };
    assert!(error.starts_with(&*path.to_string_lossy()), "file not named: {error}");
    error
}

/// Reads `bytes` from a file of that name.
fn from<R: Float + FromStr>(name: &str, bytes: &[u8], inputs: usize) -> Result<Points<R>, PointsError> {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join(name);
    fs::write(&path, bytes).unwrap();
    read(&path, None, inputs)
}

#[track_caller]
fn refused_with(name: &str, bytes: &[u8], inputs: usize, expected: &[&str]) {
    let error = from::<f64>(name, bytes, inputs).unwrap_err().to_string();
    for part in [name].iter().chain(expected) {
        assert!(error.contains(part), "`{part}` is not in `{error}`");
    }
}

/// A file of format version 1 with the given header text.
pub(super) fn npy_of(header: &str, data: &[u8]) -> Vec<u8> {
    let length = u16::try_from(header.len()).unwrap();
    [b"\x93NUMPY\x01\0", &length.to_le_bytes()[..], header.as_bytes(), data].concat()
}

pub(super) fn npy(descr: &str, shape: &str, data: &[u8]) -> Vec<u8> {
    let header = format!("{{'descr': {descr}, 'fortran_order': False, 'shape': {shape}, }}\n");
    npy_of(&header, data)
}

pub(super) fn doubles(numbers: &[f64]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
}

pub(super) fn npz(members: &[(&str, &[u8])], method: CompressionMethod) -> Vec<u8> {
    let mut archive = ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default().compression_method(method);
    for (name, bytes) in members {
        archive.start_file(*name, options).unwrap();
        archive.write_all(bytes).unwrap();
    }
    archive.finish().unwrap().into_inner()
}

#[test]
fn orders_byte_orders_and_versions() {
    for name in
        ["P01_c.npy", "P01_fortran.npy", "P02_be8.npy", "P06_v2.npy", "P06_v3.npy", "P06_plain.npy", "P13_deflate.npz"]
    {
        let points = read::<f64>(&case(name), None, 2).unwrap();
        assert_eq!((points.rows, points.columns), (5, 2), "{name}");
        assert_eq!(points.values, POINTS, "{name}");
        assert_eq!(points.stored, StoredType::F64);
        assert_eq!(points.notices, [""; 0]);
    }
}

#[test]
fn single_precision_is_widened_exactly() {
    let points = read::<f64>(&case("P03_f4.npy"), None, 2).unwrap();
    assert_eq!(points.values, POINTS.map(|value| f64::from(value as f32)));
    assert_eq!(points.stored.to_string(), "f32");
    assert!(points.notices[0].contains("f32 numbers, widened exactly to f64"));
    let points = read::<f32>(&case("P03_f4.npy"), None, 2).unwrap();
    assert_eq!(points.values, POINTS.map(|value| value as f32));
    assert_eq!(points.notices, [""; 0]);
}

#[test]
fn double_precision_is_rounded_to_nearest_with_a_notice() {
    let points = read::<f32>(&case("P01_c.npy"), None, 2).unwrap();
    assert_eq!(points.values, POINTS.map(|value| value as f32));
    assert!(points.notices[0].contains("f64 numbers, rounded to the nearest f32"));
    let large = npy("'<f8'", "(1, 2)", &doubles(&[0.0, 1e39]));
    let error = from::<f32>("a.npy", &large, 2).unwrap_err().to_string();
    assert!(error.contains("row 0, column 1") && error.contains("too large for f32"), "{error}");
    let infinite = npy("'<f8'", "(1, 2)", &doubles(&[f64::NAN, f64::NEG_INFINITY]));
    let points = from::<f32>("a.npy", &infinite, 2).unwrap();
    assert!(points.values[0].is_nan() && points.values[1] == f32::NEG_INFINITY);
}

#[test]
fn half_precision_is_widened_exactly() {
    let half = npy("'<f2'", "(2, 1)", &[0x00, 0x3e, 0x01, 0x00]);
    let points = from::<f64>("a.npy", &half, 1).unwrap();
    assert_eq!(points.values, [1.5, 2.0_f64.powi(-24)]);
    let big = npy("'>f2'", "(2, 1)", &[0x3e, 0x00, 0x7c, 0x00]);
    assert_eq!(from::<f32>("a.npy", &big, 1).unwrap().values, [1.5, f32::INFINITY]);
}

#[test]
fn legal_spellings_of_a_header() {
    let data = doubles(&[1.0, 2.0]);
    for header in [
        "{'descr': '<f8', 'fortran_order': False, 'shape': (1, 2), }",
        "{\"shape\":(1,2),\"fortran_order\":True,\"descr\":\"<f8\"}\n",
        " {\n\t'descr' : u'<f8' ,\r\n 'fortran_order' : False , 'shape' : ( 1 , 2 , ) }   \n\n",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (1L, 2L)}",
        "{'descr': '=f8', 'fortran_order': False, 'shape': (1, 2)}",
        "{'descr': 'f8', 'fortran_order': False, 'shape': (1, 2)}",
        "{'descr': 'float64', 'fortran_order': False, 'shape': (1, 2)}",
        "{'descr': '|f8', 'fortran_order': False, 'shape': (01, 2)}",
    ] {
        let points = from::<f64>("a.npy", &npy_of(header, &data), 2);
        assert_eq!(points.unwrap().values, [1.0, 2.0], "{header}");
    }
}

#[test]
fn illegal_headers_are_refused() {
    let deep = "(".repeat(60_000);
    let deep_descr = format!("{{'descr': {}", "[".repeat(60_000));
    for (header, expected) in [
        ("", "found the end"),
        ("[1]", "expected {"),
        ("{}", "descr is missing"),
        ("{'descr': '<f8', 'fortran_order': False}", "shape is missing"),
        ("{'descr': '<f8', 'shape': (1, 2)}", "fortran_order is missing"),
        ("{'descr': '<f8', 'fortran_order': 0, 'shape': (1, 2)}", "True or False"),
        ("{'descr': '<f8', 'fortran_order': False, 'shape': [1, 2]}", "expected ("),
        ("{'descr': '<f8', 'fortran_order': False, 'shape': (2)}", "not a tuple"),
        ("{'descr': '<f8', 'fortran_order': False, 'shape': (-1, 2)}", "zero or more"),
        ("{'descr': '<f8', 'fortran_order': False, 'shape': (1.0, 2)}", "found `.0"),
        ("{'descr': '<f8', 'fortran_order': False, 'shape': (,)}", "zero or more"),
        ("{'descr': '<f8', 'fortran_order': False, 'shape': (99999999999999999999, 2)}", "too large"),
        ("{'descr': '<f8', 'descr': '>f8', 'fortran_order': False, 'shape': (1, 2)}", "twice"),
        ("{'descr': '<f8', 'other': 1}", "the key descr"),
        ("{'descr': '<f8', 'fortran_order': False, 'shape': (1, 2)} x", "end of the header"),
        ("{'descr': '<f8", "in quotes"),
        (&deep, "expected {"),
        (&deep_descr, "end of descr"),
    ] {
        let bytes = npy_of(header, &doubles(&[1.0, 2.0]));
        refused_with("a.npy", &bytes, 2, &["header", expected, "numpy.save"]);
    }
    let mut version = npy("'<f8'", "(1, 2)", &[]);
    version[6] = 4;
    refused_with("a.npy", &version, 2, &["4.0", "expected 1.0, 2.0 or 3.0"]);
    let long = b"\x93NUMPY\x02\0\xff\xff\xff\xff{'descr'";
    refused_with("a.npy", long, 2, &["4294967295 bytes long"]);
    let version_3_long =
        [b"\x93NUMPY\x03\0\x40\0\0\0".as_slice(), b"{'descr': '<f8', 'fortran_order': False, 'shape': (1L, 2L), }   \n"]
            .concat();
    refused_with("a.npy", &version_3_long, 2, &["header"]);
    let whole = npy("'<f8'", "(1, 2)", &doubles(&[1.0, 2.0]));
    for length in 0..whole.len() {
        assert!(from::<f64>("a.npy", &whole[..length], 2).is_err());
    }
}

#[test]
fn shapes() {
    assert_eq!(values("P07_1d.npy", 1), [0.25, -1.5, 3.0]);
    let error = refused("P07_1d.npy", 2);
    assert!(error.contains("shape (3,)") && error.contains("2 inputs"), "{error}");
    let empty = read::<f64>(&case("P08_empty.npy"), None, 2).unwrap();
    assert_eq!((empty.rows, empty.columns, empty.values.len()), (0, 2, 0));
    let error = refused("P12_transposed.npy", 2);
    assert!(error.contains("5 columns but the network has 2 inputs"), "{error}");
    assert!(error.contains("transposed") && error.contains("points.T"), "{error}");
    let error = refused("P01_c.npy", 3);
    assert!(error.contains("2 columns but the network has 3 inputs"), "{error}");
    assert!(!error.contains("transposed"), "{error}");
    let data = doubles(&[1.0; 8]);
    for (shape, inputs, expected) in [
        ("()", 1, "shape ()"),
        ("(2, 2, 2)", 2, "shape (2, 2, 2)"),
        ("(1, 8)", 1, "8 columns but the network has 1 input:"),
        ("(0,)", 2, "shape (0,)"),
    ] {
        refused_with("a.npy", &npy("'<f8'", shape, &data), inputs, &[expected, "expected"]);
    }
    assert_eq!(from::<f64>("a.npy", &npy("'<f8'", "(0,)", &[]), 1).unwrap().rows, 0);
}

#[test]
fn other_types_are_refused_by_name() {
    let error = refused("P09_int.npy", 2);
    assert!(error.contains("'<i8'") && error.contains(".astype"), "{error}");
    for (descr, expected) in [
        ("'<i4'", ".astype"),
        ("'|u1'", ".astype"),
        ("'|b1'", ".astype"),
        ("'?'", ".astype"),
        ("'<c16'", ".real"),
        ("'>c8'", ".real"),
        ("'<f16'", ".astype"),
        ("'|O'", "never opened"),
        ("'<U5'", ".astype"),
        ("'|S8'", ".astype"),
        ("'<M8[ns]'", "dates"),
        ("'|V2'", "bfloat16"),
        ("'<f3'", ".astype"),
        ("'<>f8'", ".astype"),
        ("''", ".astype"),
        ("[('x', '<f8'), ('y', '<f8', (2,))]", "structured"),
    ] {
        let bytes = npy(descr, "(1, 2)", &[0; 64]);
        refused_with("a.npy", &bytes, 2, &[descr, "expected '<f8' or '<f4'", expected]);
    }
}

#[test]
fn data_of_the_wrong_length() {
    let error = refused("P10_cut.npy", 2);
    assert!(error.contains("80 bytes") && error.contains("72 bytes"), "{error}");
    let one = doubles(&[1.0; 3]);
    refused_with("a.npy", &npy("'<f8'", "(1, 2)", &one), 2, &["16 bytes", "24 bytes", "follows"]);
    for (shape, expected) in [
        ("(1152921504606846976, 2)", "18446744073709551616 bytes"),
        ("(18446744073709551615, 2)", "295147905179352825840 bytes"),
        ("(1000000000000, 2)", "16000000000000 bytes"),
    ] {
        let bytes = npy("'<f8'", shape, &one);
        refused_with("a.npy", &bytes, 2, &[shape, expected, "24 bytes"]);
        let archive = npz(&[("a.npy", &bytes)], CompressionMethod::Deflated);
        refused_with("a.npz", &archive, 2, &[shape, expected, "24 bytes"]);
    }
}

#[test]
fn a_large_array_in_both_orders() {
    let numbers: Vec<f64> = (0..60_000).map(|k| f64::from(k) * 0.1).collect();
    let rows = npy("'<f8'", "(20000, 3)", &doubles(&numbers));
    assert_eq!(from::<f64>("a.npy", &rows, 3).unwrap().values, numbers);
    let columns: Vec<f64> = (0..3).flat_map(|column| numbers.iter().skip(column).step_by(3).copied()).collect();
    let header = "{'descr': '<f8', 'fortran_order': True, 'shape': (20000, 3)}";
    let columns = npy_of(header, &doubles(&columns));
    assert_eq!(from::<f64>("a.npy", &columns, 3).unwrap().values, numbers);
}

#[test]
fn members_of_an_archive() {
    for member in [None, Some("points"), Some("points.npy")] {
        let points = read::<f64>(&case("P13_deflate.npz"), member, 2).unwrap();
        assert_eq!(points.values, POINTS);
    }
    let error = message::<f64>(&case("P13_deflate.npz"), Some("other"), 2);
    assert!(error.contains("no array named other; it holds: points"), "{error}");
    let error = message::<f64>(&case("P01_c.npy"), Some("points"), 2);
    assert!(error.contains("--member points"), "{error}");

    let a = npy("'<f8'", "(1, 2)", &doubles(&[1.0, 2.0]));
    let b = npy("'<i8'", "(1, 2)", &doubles(&[3.0, 4.0]));
    let members = [("a.npy", &a[..]), ("b/c.npy", &b), ("note.txt", b"text")];
    for method in [CompressionMethod::Stored, CompressionMethod::Deflated] {
        let folder = TempDir::new().unwrap();
        // Without an extension: known by its first bytes.
        let path = folder.path().join("archive");
        fs::write(&path, npz(&members, method)).unwrap();
        let points = read::<f64>(&path, Some("a"), 2).unwrap();
        assert_eq!(points.values, [1.0, 2.0]);
        let error = message::<f64>(&path, None, 2);
        assert!(error.contains("--member NAME: a, b/c"), "{error}");
        let error = message::<f64>(&path, Some("b/c"), 2);
        assert!(error.contains("member b/c.npy") && error.contains("'<i8'"), "{error}");
    }
    let none = npz(&[("note.txt", b"text")], CompressionMethod::Stored);
    refused_with("a.npz", &none, 2, &["holds no array"]);
    let pickle = npz(&[("a.npy", b"\x80\x04text")], CompressionMethod::Stored);
    refused_with("a.npz", &pickle, 2, &["member a.npy", "pickle"]);
}

#[test]
fn archives_that_cannot_be_read() {
    let array = npy("'<f8'", "(1, 2)", &doubles(&[1.0, 2.0]));
    let good = npz(&[("a.npy", &array)], CompressionMethod::Stored);
    let central = good.windows(4).position(|four| four == b"PK\x01\x02").unwrap();
    let changed = |places: &[(usize, u8)]| {
        let mut bytes = good.clone();
        for &(place, value) in places {
            bytes[place] = value;
        }
        bytes
    };
    assert_eq!(from::<f64>("a.npz", &changed(&[]), 2).unwrap().rows, 1);
    refused_with("a.npz", &changed(&[(6, 1), (central + 8, 1)]), 2, &["encrypted"]);
    let bzip2 = changed(&[(8, 12), (central + 10, 12)]);
    refused_with("a.npz", &bzip2, 2, &["is compressed by", "deflate"]);
    // One bit of a number: the check sum of the archive tells.
    let data = central - 1;
    refused_with("a.npz", &changed(&[(data, good[data] ^ 1)]), 2, &["checksum"]);
    refused_with("a.npz", &good[..good.len() / 2], 2, &["not a readable .npz", "cut short"]);
    refused_with("a.npz", &array, 2, &["not a readable .npz", "it is a .npy file"]);
    refused_with("a.npz", b"PK", 2, &["not a readable .npz"]);
    // A size of 4 GB from 300 bytes.
    let huge = changed(&[(central + 27, 0xf0), (central + 26, 1)]);
    refused_with("a.npz", &huge, 2, &["claims", "more than an archive of"]);
}

#[test]
fn files_that_are_not_what_they_seem() {
    refused_with("a.npy", b"", 2, &["holds nothing"]);
    refused_with("a.npy", b"\x93NUM", 2, &["not a .npy file"]);
    refused_with("a.npy", b"PK\x03\x04", 2, &[".npz"]);
    refused_with("a.npy", b"\x80\x04\x95", 2, &["pickle"]);
    refused_with("a.npy", b"version https://git-lfs.github.com/spec/v1\n", 2, &["git lfs pull"]);
    refused_with("a.npy", b"<!DOCTYPE html>", 2, &["web page"]);
    refused_with("a.txt", b"1,2\n", 2, &[".npy, .npz or .csv"]);
    refused_with("points", b"1,2\n", 2, &[".npy, .npz or .csv"]);
    let array = npy("'<f8'", "(1, 2)", &doubles(&[1.0, 2.0]));
    assert_eq!(from::<f64>("points", &array, 2).unwrap().values, [1.0, 2.0]);
    assert_eq!(from::<f64>("POINTS.NPY", &array, 2).unwrap().values, [1.0, 2.0]);

    let folder = TempDir::new().unwrap();
    let error = message::<f64>(&folder.path().join("missing.npy"), None, 2);
    assert!(error.contains("cannot be opened"), "{error}");
    let named = folder.path().join("folder.npy");
    fs::create_dir(&named).unwrap();
    let error = message::<f64>(&named, None, 2);
    assert!(error.contains("is a folder, not a file"), "{error}");
    #[cfg(unix)]
    {
        let error = message::<f64>(Path::new("/dev/null"), None, 2);
        assert!(error.contains("device"), "{error}");
    }
}

#[test]
fn text_with_mark_header_and_line_ends() {
    let points = read::<f64>(&case("C01_bom.csv"), None, 2).unwrap();
    assert_eq!((points.rows, &points.values[..]), (5, &POINTS[..]));
    assert_eq!(points.stored.to_string(), "text");
    assert!(points.notices[0].contains("line 1 of") && points.notices[0].contains("x,y"));
    for (text, inputs, expected) in [
        ("1,2\n3,4", 2, &[1.0, 2.0, 3.0, 4.0][..]),
        ("1,2\r\n3,4\r\n\r\n  \n\n", 2, &[1.0, 2.0, 3.0, 4.0]),
        ("\"x\", \"y, z\"\n\"1\" , \" 2 \"\n", 2, &[1.0, 2.0]),
        ("x\n1\n2\n", 1, &[1.0, 2.0]),
        ("\u{feff}1\n", 1, &[1.0]),
        ("\u{feff}\"1\"\n", 1, &[1.0]),
        ("  1 ,\t-2e0  \n", 2, &[1.0, -2.0]),
        ("x,y\n", 2, &[]),
        ("gr\u{f6}\u{df}e,y\r\n1,2", 2, &[1.0, 2.0]),
        ("-0,-inf\nINFINITY,+inf", 2, &[-0.0, -f64::INFINITY, f64::INFINITY, f64::INFINITY]),
    ] {
        let points = from::<f64>("a.csv", text.as_bytes(), inputs).unwrap();
        assert_eq!(points.values, expected, "{text:?}");
        assert_eq!(points.rows * inputs, expected.len(), "{text:?}");
    }
    let points = from::<f64>("a.csv", b"nan,NaN\n", 2).unwrap();
    assert!(points.values.iter().all(|value| value.is_nan()) && points.notices.is_empty());
    let latin = from::<f64>("a.csv", b"gr\xf6sse,y\n1,2\n", 2).unwrap();
    assert_eq!(latin.values, [1.0, 2.0]);
}

#[test]
fn text_is_rounded_once() {
    // Through f64 this would become 1.0.
    let text = b"1.000000059604644775390626";
    assert_eq!(from::<f32>("a.csv", text, 1).unwrap().values, [1.000_000_1]);
    let error = from::<f32>("a.csv", b"1\n1e39\n", 1).unwrap_err().to_string();
    assert!(error.contains("line 2, column 1: '1e39' is too large for f32"), "{error}");
    refused_with("a.csv", b"1e400", 1, &["'1e400' is too large for f64"]);
    assert_eq!(from::<f64>("a.csv", b"1e-400", 1).unwrap().values, [0.0]);
}

#[test]
fn missing_cells_and_odd_spellings() {
    let error = refused("C03_blank.csv", 2);
    assert!(error.contains("line 3, column 2: the cell is empty"), "{error}");
    let error = refused("C03_short.csv", 2);
    assert!(error.contains("line 4: column 2 is missing"), "{error}");
    let error = refused("C05_spelling.csv", 2);
    assert!(error.contains("line 3, column 1: '1d-3' is not a number"), "{error}");
    let good = from::<f64>("a.csv", b" +.5 ,1E-3\n1.,2\n", 2).unwrap();
    assert_eq!(good.values, [0.5, 0.001, 1.0, 2.0]);

    for (text, inputs, expected) in [
        ("1,2,3\n", 2, "line 1: column 3 is one too many"),
        ("1,2,\n", 2, "line 1: column 3 is one too many"),
        ("x,y,z\n1,2\n", 2, "line 1: column 3 is one too many"),
        ("1,2\n1_000,0\n", 2, "line 2, column 1: '1_000'"),
        ("1,2\r\n\"a\",0x10\r\n", 2, "line 2, column 1: 'a'"),
        ("1,2\r\n0,0x10\r\n", 2, "line 2, column 2: '0x10'"),
        ("x,0.7\n", 2, "line 1, column 1: 'x' is not a number"),
        ("1d-3,2d-3\n1,2\n", 2, "line 1, column 1: '1d-3'"),
        (",\n1,2\n", 2, "line 1, column 1: the cell is empty"),
        ("NA,NA\n1,2\n", 2, "line 1, column 1: 'NA'"),
        ("'1e5','2e5'\n1,2\n", 2, "line 1, column 1"),
        ("-,-\n1,2\n", 2, "line 1, column 1: '-'"),
        ("x,y\n[m],[s]\n1,2\n", 2, "line 2, column 1"),
        ("1,2\n\n3,4\n", 2, "line 2 is blank"),
        ("\n1,2\n", 2, "line 1 is blank"),
        ("1,2\r\n \r\n3,4\r\n", 2, "line 2 is blank"),
        ("1\n\n3\n", 1, "line 2 is blank"),
        ("0.3;0.7\n", 2, "by commas, not by semicolons"),
        ("0,3;0,7\n", 3, "by commas, not by semicolons"),
        ("x;y\n0,3;0,7\n", 2, "by commas, not by semicolons"),
        ("x;y\n0,3;0,7\n", 1, "by commas, not by semicolons"),
        ("0.3\t0.7\n", 2, "by commas, not by tabs"),
        ("0.3 0.7\n", 2, "by commas, not by spaces"),
        ("0,3,0,7\n", 2, "decimal commas"),
        ("\"0,3\",\"0,7\"\n", 2, "'0,3' is not a number"),
        ("# made today\n1,2\n", 2, "comment lines"),
        ("1,2\n# x,y\n3,4\n", 2, "comment lines"),
        ("1,2\n\"3,4\n5,6\n", 2, "a quote is not closed"),
        ("\"x\n1\"\n2\n", 1, "line 2, column 1"),
        ("1,2\n\"1\"2,3\n", 2, "'\"1\"2' is not a number"),
        ("1,2\r3,4\r", 2, "carriage returns"),
        ("x\r1\r2\r", 1, "carriage returns"),
        ("1,2\n3,\0\n", 2, "line 2 holds bytes of value 0"),
        ("\u{2212}1,2\n", 2, "line 1, column 1"),
        ("1,2\n\u{2212}1,2\n", 2, "is not a number"),
        ("1,2\n1.5.2,2\n", 2, "'1.5.2' is not a number"),
        ("1,2\n1e,2\n", 2, "'1e' is not a number"),
        ("1,2\n1+2j,2\n", 2, "'1+2j' is not a number"),
        ("1,2\n1f,2\n", 2, "'1f' is not a number"),
        ("", 2, "holds nothing"),
        ("\n \r\n", 2, "holds nothing"),
        ("\u{feff}", 2, "holds nothing"),
    ] {
        refused_with("a.csv", text.as_bytes(), inputs, &[expected]);
    }
    let utf16: Vec<u8> = "\u{feff}1,2\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    refused_with("a.csv", &utf16, 2, &["UTF-16"]);
    refused_with("a.csv", &utf16[2..], 2, &["UTF-16"]);
    refused_with("a.csv", &b"1,".repeat(1 << 20), 2, &["longer than a mebibyte"]);
    refused_with("a.csv", &npy("'<f8'", "(1, 2)", &[0; 16]), 2, &["line 1"]);
    refused_with("a.csv", b"1,2\n\xff,3\n", 2, &["line 2, column 1"]);
}
