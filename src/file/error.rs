//! What can go wrong with the writing of a file.

use std::io;
use std::path::PathBuf;

/// A file that cannot be written, and why. What stood at its place is then as it was before.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FileError {
    /// Something stands at the place of the file that must not be replaced.
    #[error("{}: nothing can be written there: it is {found}; name a file", path.display())]
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
    #[error("{}: cannot be written: {source}; nothing is left behind", path.display())]
    Write {
        /// The file as the user named it.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
}
