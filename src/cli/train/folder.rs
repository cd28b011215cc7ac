//! The folder of a run.

use std::fs::{self, File, OpenOptions, TryLockError};
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
/// All that a run writes.
const RESULTS: [&str; 7] = [PROBLEM, CHECKPOINT, HISTORY, NETWORK, PICTURES[0], PICTURES[1], PICTURES[2]];
/// Locked by the program that is at work in the folder.
const LOCK: &str = ".lock";

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
    /// Locked from here on; the system unlocks it when the program ends, in whatever way.
    lock: Option<File>,
}

impl Folder {
    /// Checks that a folder can be used in this way for the problem with this text. It is locked where it holds a run; nothing
    /// else is written.
    pub fn check(path: &Path, way: Way, problem: &str) -> Result<Self, ProblemError> {
        let mut folder = Self { path: path.to_owned(), lock: None };
        folder.check_files(way)?;
        if path.join(LOCK).exists() || (folder.holds_run() && way != Way::New) {
            folder.lock()?;
            // What was found before may have changed until then.
            folder.check_files(way)?;
        }
        if way == Way::Resume {
            folder.check_same(problem)?;
        }
        Ok(folder)
    }

    /// What is in the folder must allow this way.
    fn check_files(&self, way: Way) -> Result<(), ProblemError> {
        if self.path.exists() && !self.path.is_dir() {
            return Err(self.problem(FolderProblem::NotAFolder));
        }
        let found: Vec<&str> = RESULTS.into_iter().filter(|name| self.path.join(name).exists()).collect();
        if let Some(name) = found.iter().find(|name| !self.path.join(name).is_file()) {
            return Err(self.problem(FolderProblem::NotAFile { name: (*name).to_owned() }));
        }
        match way {
            Way::New if self.holds_run() => Err(self.problem(FolderProblem::HoldsRun)),
            Way::New if !found.is_empty() => {
                Err(self.problem(FolderProblem::HoldsFiles { names: found.into_iter().map(str::to_owned).collect() }))
            }
            Way::Resume if !self.path.join(PROBLEM).exists() => Err(self.problem(FolderProblem::NoRun)),
            Way::Resume if !self.checkpoint().exists() => Err(self.problem(FolderProblem::NoCheckpoint)),
            Way::New | Way::Resume | Way::Overwrite => Ok(()),
        }
    }

    fn holds_run(&self) -> bool {
        [PROBLEM, CHECKPOINT, HISTORY].iter().any(|name| self.path.join(name).exists())
    }

    /// Files that a problem reads, and its own, must not be among those that a new run removes and writes; `run.toml` may, since
    /// the problem is what is written there.
    pub fn check_inputs(&self, way: Way, inputs: impl Iterator<Item = (String, PathBuf)>) -> Result<(), ProblemError> {
        if way == Way::Resume {
            return Ok(());
        }
        for (key, input) in inputs {
            let Ok(place) = fs::canonicalize(&input) else { continue };
            let same = |name: &&&str| fs::canonicalize(self.path.join(name)).is_ok_and(|result| result == place);
            if let Some(name) = RESULTS.iter().filter(|name| **name != PROBLEM).find(same) {
                return Err(self.problem(FolderProblem::Reads { name: (*name).to_owned(), key }));
            }
        }
        Ok(())
    }

    /// Makes the folder, takes an old run out of it, and puts the problem into it.
    pub fn prepare(&mut self, way: Way, problem: &str) -> Result<(), ProblemError> {
        match fs::create_dir(&self.path) {
            Err(source) if !self.path.is_dir() => return Err(self.system("it can't be made", source)),
            // It was there before, or another program has made it just now.
            Ok(()) | Err(_) => {}
        }
        if self.lock.is_none() {
            self.lock()?;
            self.check_files(way)?;
        }
        self.clean();
        if way == Way::Overwrite {
            // The problem is replaced below, so that it is there at any time.
            for name in RESULTS.into_iter().filter(|name| *name != PROBLEM) {
                let path = self.path.join(name);
                if path.exists() {
                    fs::remove_file(path).map_err(|source| self.system(&format!("{name} can't be removed"), source))?;
                }
            }
        }
        replace(&self.path.join(PROBLEM), |mut file| file.write_all(problem.as_bytes()))?;
        Ok(())
    }

    /// Takes away what a program that was killed has left of files that it was writing. Only where the folder is locked.
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
        let before = self.record()?;
        let table = |text: &str| text.parse::<toml::Table>().unwrap_or_default();
        let (before, now) = (table(&before), table(problem));
        let mut keys: Vec<String> = before.keys().chain(now.keys()).cloned().collect();
        keys.retain(|key| !FREE.contains(&key.as_str()) && before.get(key) != now.get(key));
        if optimizers(&before) != optimizers(&now) {
            keys.push("the optimizers of its stages".to_owned());
        }
        keys.sort();
        keys.dedup();
        match keys.is_empty() {
            true => Ok(()),
            false => Err(self.problem(FolderProblem::OtherRun { keys })),
        }
    }

    /// The problem of the run, as it was written down.
    pub fn record(&self) -> Result<String, ProblemError> {
        fs::read_to_string(self.path.join(PROBLEM))
            .map_err(|source| self.system(&format!("{PROBLEM} can't be read"), source))
    }

    /// Locks the folder for this program, by a file that is never replaced.
    fn lock(&mut self) -> Result<(), ProblemError> {
        let file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(self.path.join(LOCK));
        let file = file.map_err(|source| self.system(&format!("{LOCK} can't be opened"), source))?;
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => Err(self.problem(FolderProblem::Busy)),
            // There are file systems without locks.
            Ok(()) | Err(TryLockError::Error(_)) => {
                self.lock = Some(file);
                Ok(())
            }
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

/// The kinds of the stages, in order.
fn optimizers(problem: &toml::Table) -> Vec<Option<&toml::Value>> {
    let stages = problem.get("stage").and_then(toml::Value::as_array);
    stages.into_iter().flatten().map(|stage| stage.get("optimizer")).collect()
}
