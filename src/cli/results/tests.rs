//! Files of results, read back byte by byte, and places where they may and may not go.

use std::fs;
use std::io::Read;
use std::path::Path;

use tempfile::TempDir;

use tapeless::file::{FileError, check_target};

use super::*;

fn members(path: &Path) -> Vec<(String, Vec<u8>)> {
    let mut archive = zip::ZipArchive::new(fs::File::open(path).unwrap()).unwrap();
    (0..archive.len())
        .map(|index| {
            let mut entry = archive.by_index(index).unwrap();
            assert_eq!(entry.compression(), zip::CompressionMethod::Stored);
            let name = entry.name().unwrap().into_owned();
            let mut bytes = Vec::new();
            entry.read_to_end(&mut bytes).unwrap();
            (name, bytes)
        })
        .collect()
}

/// Nothing but the files named is in the folder.
fn holds_only(folder: &TempDir, expected: &[&str]) {
    let mut names: Vec<_> =
        fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    assert_eq!(names, expected);
}

#[test]
fn format_by_extension() {
    assert_eq!(Format::of(Path::new("a.npz")).unwrap(), Format::Npz);
    assert_eq!(Format::of(Path::new("dir/a.CSV")).unwrap(), Format::Csv);
    for name in ["a", "a.npy", "a.npz.gz", "", "npz", ".npz"] {
        let error = Format::of(Path::new(name)).unwrap_err().to_string();
        assert!(error.contains(".npz or .csv"), "{error}");
    }
}

#[test]
fn arrays_of_any_shape() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("a.npz");
    let data = [1.0, f64::NAN, -0.5, 4.0, f64::INFINITY, 6.0];
    let arrays: [Member<f64>; 4] = [
        Member { name: "u", shape: &[6], data: &data, stride: 1 },
        Member { name: "gradient", shape: &[1, 3, 2], data: &data, stride: 1 },
        Member { name: "empty", shape: &[0, 1, 2, 2], data: &[], stride: 1 },
        Member { name: "one", shape: &[], data: &data[..1], stride: 1 },
    ];
    let bytes = write_npz(&path, &arrays).unwrap();
    assert_eq!(bytes, fs::metadata(&path).unwrap().len());
    let read = members(&path);
    for ((name, bytes), (array, shape)) in read.iter().zip(arrays.iter().zip(["(6,)", "(1, 3, 2)", "(0, 1, 2, 2)", "()"])) {
        assert_eq!(*name, format!("{}.npy", array.name));
        let start = 10 + usize::from(u16::from_le_bytes([bytes[8], bytes[9]]));
        assert_eq!(start % 64, 0);
        let header = std::str::from_utf8(&bytes[10..start]).unwrap();
        assert_eq!(header.trim_end(), format!("{{'descr': '<f8', 'fortran_order': False, 'shape': {shape}, }}"));
        assert!(header.ends_with('\n'));
        let numbers: Vec<u8> = array.data.iter().flat_map(|n| n.to_le_bytes()).collect();
        assert_eq!(bytes[start..], numbers);
    }
    let first = fs::read(&path).unwrap();
    write_npz(&path, &arrays).unwrap();
    assert_eq!(first, fs::read(&path).unwrap());
    holds_only(&folder, &["a.npz"]);
}

#[test]
fn single_precision_in_many_pieces() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("a.npz");
    let data: Vec<f32> = (0..100_000).map(|k| k as f32 * 0.1).collect();
    let array = Member { name: "u", shape: &[50_000, 2], data: &data, stride: 1 };
    write_npz(&path, &[array]).unwrap();
    let bytes = &members(&path)[0].1;
    let numbers: Vec<u8> = data.iter().flat_map(|n| n.to_le_bytes()).collect();
    assert!(bytes.starts_with(b"\x93NUMPY\x01\0") && bytes.ends_with(&numbers));
    assert!(bytes[..128].windows(3).any(|three| three == b"<f4"));
}

#[test]
fn text_reads_back_the_same() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("a.csv");
    let data = [0.1, 1e300, -0.0, 5e-324, f64::NAN, f64::NEG_INFINITY, 1.0, 123456789.125, 1e16, 9.87e-6];
    let columns = [
        Column { name: "u".to_owned(), data: &data, offset: 0, stride: 2 },
        Column { name: "u_x,y".to_owned(), data: &data, offset: 1, stride: 2 },
    ];
    let bytes = write_csv(&path, 5, &columns).unwrap();
    let text = fs::read_to_string(&path).unwrap();
    assert_eq!(bytes, text.len() as u64);
    assert_eq!(text, "u,\"u_x,y\"\n0.1,1e300\n-0,5e-324\nnan,-inf\n1,123456789.125\n1e16,9.87e-6\n");
    let single = [0.1_f32, f32::MIN_POSITIVE];
    let column = Column { name: "u".to_owned(), data: &single, offset: 0, stride: 1 };
    write_csv(&path, 2, &[column]).unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), "u\n0.1\n1.1754944e-38\n");
    let none = Column { name: "u".to_owned(), data: &single[..0], offset: 0, stride: 1 };
    write_csv(&path, 0, &[none]).unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), "u\n");
    holds_only(&folder, &["a.csv"]);
}

#[test]
fn arrays_and_columns_that_do_not_fit() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("a.npz");
    for shape in [&[3][..], &[], &[usize::MAX, 3], &[2, 0]] {
        let error = write_npz(&path, &[Member { name: "u", shape, data: &[1.0, 2.0], stride: 1 }]);
        let error = error.unwrap_err().to_string();
        assert!(error.contains("u has 2 numbers"), "{error}");
    }
    let twice = Member { name: "u", shape: &[1], data: &[1.0], stride: 1 };
    assert!(matches!(write_npz(&path, &[twice, twice]), Err(ResultsError::File(FileError::Write { .. }))));
    for (rows, offset, stride) in [(3, 0, 1), (2, 1, 1), (2, 0, 2), (usize::MAX, 0, 2)] {
        let column = Column { name: "u".to_owned(), data: &[1.0, 2.0], offset, stride };
        let error = write_csv(&path, rows, &[column]).unwrap_err().to_string();
        assert!(error.contains("u ends before line"), "{error}");
    }
    holds_only(&folder, &[]);
}

#[test]
fn places_that_are_refused() {
    let folder = TempDir::new().unwrap();
    let named = folder.path().join("folder.npz");
    fs::create_dir(&named).unwrap();
    let file = folder.path().join("file");
    fs::write(&file, "text").unwrap();
    let array = [Member { name: "u", shape: &[1], data: &[1.0], stride: 1 }];
    for (path, expected) in [
        (named.clone(), "a folder"),
        (folder.path().join("missing/a.npz"), "make the folder"),
        (file.join("a.npz"), "make the folder"),
        (folder.path().join("a.npz/"), "a folder's name"),
        (folder.path().join(".."), "a folder"),
        (Path::new("").to_owned(), "a folder's name"),
        #[cfg(unix)]
        (Path::new("/dev/null").to_owned(), "device"),
    ] {
        let errors = [check_target(&path).unwrap_err().to_string(), write_npz(&path, &array).unwrap_err().to_string()];
        for error in errors {
            assert!(error.starts_with(&*path.to_string_lossy()), "{error}");
            assert!(error.contains(expected), "{error}");
        }
    }
    holds_only(&folder, &["file", "folder.npz"]);
}

#[cfg(unix)]
#[test]
fn links_and_permissions() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = TempDir::new().unwrap();
    let at = |name: &str| folder.path().join(name);
    let mode = |name: &str| fs::metadata(at(name)).unwrap().permissions().mode() & 0o777;
    let write = |name: &str| {
        let column = Column { name: "u".to_owned(), data: &[1.0], offset: 0, stride: 1 };
        write_csv(&at(name), 1, &[column])
    };

    // As any new file of this process.
    fs::write(at("plain"), "").unwrap();
    write("a.csv").unwrap();
    assert_eq!(mode("a.csv"), mode("plain"));

    fs::create_dir(at("sub")).unwrap();
    fs::write(at("sub/b.csv"), "old").unwrap();
    fs::set_permissions(at("sub/b.csv"), fs::Permissions::from_mode(0o640)).unwrap();
    symlink("sub/b.csv", at("link.csv")).unwrap();
    symlink("link.csv", at("second.csv")).unwrap();
    symlink("sub/new.csv", at("dangling.csv")).unwrap();
    symlink("circle.csv", at("circle.csv")).unwrap();
    symlink("sub", at("folder.csv")).unwrap();
    write("second.csv").unwrap();
    assert!(fs::read_link(at("link.csv")).is_ok() && fs::read_link(at("second.csv")).is_ok());
    assert_eq!(fs::read_to_string(at("sub/b.csv")).unwrap(), "u\n1\n");
    assert_eq!(mode("sub/b.csv"), 0o640);
    write("dangling.csv").unwrap();
    assert_eq!(fs::read_to_string(at("sub/new.csv")).unwrap(), "u\n1\n");
    for (name, expected) in [("circle.csv", "circle of links"), ("folder.csv", "a folder")] {
        let error = write(name).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }
}
