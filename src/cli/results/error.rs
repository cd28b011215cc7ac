//! What can go wrong with a file of results.

use std::io;
use std::path::PathBuf;

/// A file of results that cannot be written, and why. The file at its place is then as it was before.
#[derive(Debug, thiserror::Error)]
pub enum ResultsError {
    /// The name does not say which format.
    #[error("{}: unknown format of results; expected the extension .npz or .csv", path.display())]
    Extension {
        /// The file as the user named it.
        path: PathBuf,
    },
    /// Something stands at the place of the file that must not be replaced.
    #[error("{}: results cannot go there: it is {found}; name a file", path.display())]
    NotAFile {
        /// The file as the user named it.
        path: PathBuf,
        /// What stands there.
        found: &'static str,
    },
    /// The folder is missing or not ours to write in.
    #[error(
        "{}: no file can be made in the folder {}: {}; make the folder or name another",
        path.display(),
        folder.display(),
        source.kind()
    )]
    Folder {
        /// The file as the user named it.
        path: PathBuf,
        /// The folder that it should be in.
        folder: PathBuf,
        /// What the system says; its text names a temporary file, its kind does not.
        source: io::Error,
    },
    /// The system failed half-way, for example on a full disk.
    #[error("{}: the results cannot be written: {source}; nothing is left behind", path.display())]
    Write {
        /// The file as the user named it.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// An array whose numbers do not fill its shape.
    #[error("{}: {name} has {found} numbers, but its shape {shape:?} does not hold as many", path.display())]
    Shape {
        /// The file as the user named it.
        path: PathBuf,
        /// The array.
        name: String,
        /// Its shape.
        shape: Vec<usize>,
        /// Its numbers.
        found: usize,
    },
    /// A column that reaches beyond its data.
    #[error("{}: {name} ends before line {rows} of the results", path.display())]
    Column {
        /// The file as the user named it.
        path: PathBuf,
        /// The column.
        name: String,
        /// Lines of numbers asked for.
        rows: usize,
    },
}
