//! Files that appear whole or not at all: they are written under another name beside their place, and moved there when complete.

mod error;

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

pub use error::FileError;
use tempfile::NamedTempFile;

/// Checks that a file can be written at `path`. To be called before any work is done.
///
/// The folder must take new files; a file there may be replaced, a folder or a device such as `/dev/null` not.
///
/// # Errors
///
/// [`FileError::NotAFile`], [`FileError::Folder`].
pub fn check_target(path: &Path) -> Result<(), FileError> {
    temporary(path, &resolve(path)?)?;
    Ok(())
}

/// Puts what `write` writes in the place of `path` once it is complete, and says how many bytes it has.
///
/// A link stays and the file that it leads to is replaced. A file that is replaced hands down its permissions.
///
/// ```no_run
/// use std::io::Write;
///
/// tapeless::file::replace("history.csv".as_ref(), |mut file| file.write_all(b"step,loss\n"))?;
/// # Ok::<(), tapeless::file::FileError>(())
/// ```
///
/// # Errors
///
/// [`FileError`]. The place is then as it was before.
pub fn replace(path: &Path, write: impl FnOnce(&File) -> io::Result<()>) -> Result<u64, FileError> {
    let target = resolve(path)?;
    let temporary = temporary(path, &target)?;
    let complete = || {
        let file = temporary.as_file();
        write(file)?;
        if let Ok(old) = fs::metadata(&target) {
            file.set_permissions(old.permissions())?;
        }
        // Some file systems tell of a full disk only here.
        file.sync_all()?;
        Ok(file.metadata()?.len())
    };
    let failed = |source| FileError::Write { path: path.to_owned(), source };
    let bytes = complete().map_err(failed)?;
    temporary.persist(&target).map_err(|error| failed(error.error))?;
    Ok(bytes)
}

/// An empty file in the folder of `target`, removed when dropped.
fn temporary(path: &Path, target: &Path) -> Result<NamedTempFile, FileError> {
    let folder = folder(target);
    let mut builder = tempfile::Builder::new();
    builder.prefix(".tapeless-").suffix(".part");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // Less what the user's umask takes away, as for any new file.
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    builder.tempfile_in(folder).map_err(|source| FileError::Folder {
        path: path.to_owned(),
        folder: folder.to_owned(),
        source,
    })
}

fn folder(target: &Path) -> &Path {
    match target.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

/// The place that `path` leads to through links, if a file may be put there.
fn resolve(path: &Path) -> Result<PathBuf, FileError> {
    const MOST_LINKS: usize = 40;
    let not_a_file = |found| FileError::NotAFile { path: path.to_owned(), found };
    let mut target = path.to_owned();
    let mut links = 0;
    while let Ok(next) = fs::read_link(&target) {
        target = folder(&target).join(next);
        links += 1;
        if links > MOST_LINKS {
            return Err(not_a_file("a circle of links"));
        }
    }
    let ends_as_folder = target.to_string_lossy().ends_with(std::path::is_separator);
    match fs::metadata(&target) {
        Ok(metadata) if metadata.is_dir() => Err(not_a_file("a folder")),
        Ok(metadata) if !metadata.is_file() => Err(not_a_file("a pipe or device")),
        _ if ends_as_folder || target.file_name().is_none() => Err(not_a_file("a folder's name")),
        _ => Ok(target),
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    #[test]
    fn a_failure_leaves_the_old_file_alone() {
        let folder = tempfile::tempdir().unwrap();
        let names = || fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect::<Vec<_>>();
        let path = folder.path().join("a.csv");
        check_target(&path).unwrap();
        assert!(names().is_empty());
        fs::write(&path, "old").unwrap();
        check_target(&path).unwrap();
        let error = replace(&path, |mut file| {
            file.write_all(b"half of the n")?;
            Err(io::ErrorKind::StorageFull.into())
        });
        let error = error.unwrap_err().to_string();
        assert!(error.starts_with(&*path.to_string_lossy()), "{error}");
        assert_eq!(fs::read_to_string(&path).unwrap(), "old");
        assert_eq!(names(), ["a.csv"]);
    }
}
