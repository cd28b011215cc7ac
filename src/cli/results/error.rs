//! What can go wrong with a file of results.

use std::path::PathBuf;

use tapeless::file::FileError;

/// A file of results that cannot be written, and why. The file at its place is then as it was before.
#[derive(Debug, thiserror::Error)]
pub enum ResultsError {
    /// The name does not say which format.
    #[error("{}: unknown format of results; expected the extension .npz or .csv", path.display())]
    Extension {
        /// The file as the user named it.
        path: PathBuf,
    },
    /// The place of the file, or the writing itself.
    #[error(transparent)]
    File(#[from] FileError),
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
