//! The folder of a run.

use std::fs::{self, File, TryLockError};
use std::io::Write;
use std::path::{Path, PathBuf};

use tapeless::file::replace;

use super::error::{FolderProblem, ProblemError};

/// A copy of the problem file, by which a run is known again.
const PROBLEM: &str = "run.toml";
const CHECKPOINT: &str = "checkpoint.safetensors";
const HISTORY: &str = "history.csv";
const NETWORK: &str = "network.safetensors";
/// The pictures.
const PICTURES: [&str; 3] = ["loss.png", "solution.png", "error.png"];

/// Keys that may change between two parts of a run.
const FREE: [&str; 3] = ["stage", "run", "picture"];

/// How a folder is to be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// There is no run in it yet.
    New,
    /// A run in it is to be gone on with.
    Resume,
    /// A run in it is to be replaced.
    Overwrite,
}

/// The folder that a run writes into.
pub struct Folder {
    path: PathBuf,
}

impl Folder {
    /// Checks that a folder can be used in this way for the problem with this text; writes nothing.
    pub fn check(path: &Path, way: Way, problem: &str) -> Result<Self, ProblemError> {
        let folder = Self { path: path.to_owned() };
        if path.exists() && !path.is_dir() {
            return Err(folder.problem(FolderProblem::NotAFolder));
        }
        let holds_run = [PROBLEM, CHECKPOINT, HISTORY].iter().any(|name| path.join(name).exists());
        match way {
            Way::New if holds_run => return Err(folder.problem(FolderProblem::HoldsRun)),
            Way::Resume if !path.join(PROBLEM).exists() => return Err(folder.problem(FolderProblem::NoRun)),
            Way::Resume => folder.check_same(problem)?,
            Way::New | Way::Overwrite => {}
        }
        folder.check_idle()?;
        Ok(folder)
    }

    /// Makes the folder, takes an old run out of it, and puts the problem into it.
    pub fn prepare(&self, way: Way, problem: &str) -> Result<(), ProblemError> {
        if !self.path.exists() {
            fs::create_dir(&self.path).map_err(|source| self.system("it can't be made", source))?;
        }
        self.clean();
        if way == Way::Overwrite {
            for name in [PROBLEM, CHECKPOINT, HISTORY, NETWORK].into_iter().chain(PICTURES) {
                let path = self.path.join(name);
                if path.exists() {
                    fs::remove_file(path).map_err(|source| self.system(&format!("{name} can't be removed"), source))?;
                }
            }
        }
        replace(&self.path.join(PROBLEM), |mut file| file.write_all(problem.as_bytes()))?;
        Ok(())
    }

    /// Takes away what a program that was killed has left of files that it was writing.
    fn clean(&self) {
        let Ok(entries) = fs::read_dir(&self.path) else { return };
        for entry in entries.flatten() {
            let name = entry.file_name();
            let name = name.to_string_lossy();
            if name.starts_with(".tapeless-") && name.ends_with(".part") {
                // What can't be removed does no harm.
                let _ = fs::remove_file(entry.path());
            }
        }
    }

    /// A run of another problem is not gone on with. How long it takes, how it is run and what is drawn may change.
    fn check_same(&self, problem: &str) -> Result<(), ProblemError> {
        let before = fs::read_to_string(self.path.join(PROBLEM))
            .map_err(|source| self.system(&format!("{PROBLEM} can't be read"), source))?;
        let table = |text: &str| text.parse::<toml::Table>().unwrap_or_default();
        let (before, now) = (table(&before), table(problem));
        let mut keys: Vec<String> = before.keys().chain(now.keys()).cloned().collect();
        keys.retain(|key| !FREE.contains(&key.as_str()) && before.get(key) != now.get(key));
        keys.sort();
        keys.dedup();
        match keys.is_empty() {
            true => Ok(()),
            false => Err(self.problem(FolderProblem::OtherRun { keys })),
        }
    }

    /// The history is locked as long as a program writes to it.
    fn check_idle(&self) -> Result<(), ProblemError> {
        match File::open(self.history()) {
            Ok(file) => self.lock(&file),
            Err(_) => Ok(()),
        }
    }

    /// Locks a file for this program; the system unlocks it when the program ends, in whatever way.
    pub fn lock(&self, file: &File) -> Result<(), ProblemError> {
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => Err(self.problem(FolderProblem::Busy)),
            // There are file systems without locks.
            Ok(()) | Err(TryLockError::Error(_)) => Ok(()),
        }
    }

    /// An error of this folder.
    pub fn problem(&self, problem: FolderProblem) -> ProblemError {
        ProblemError::Folder { folder: self.path.clone(), problem }
    }

    /// An error of the system.
    pub fn system(&self, what: &str, source: std::io::Error) -> ProblemError {
        self.problem(FolderProblem::System { what: what.to_owned(), source })
    }

    /// The folder itself.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Where the checkpoint is.
    pub fn checkpoint(&self) -> PathBuf {
        self.path.join(CHECKPOINT)
    }

    /// Where the history is.
    pub fn history(&self) -> PathBuf {
        self.path.join(HISTORY)
    }

    /// Where the network is.
    pub fn network(&self) -> PathBuf {
        self.path.join(NETWORK)
    }

    /// Where the pictures of the loss, the solution and its error are.
    pub fn pictures(&self) -> [PathBuf; 3] {
        PICTURES.map(|name| self.path.join(name))
    }
}
