//! The history of a run: `history.csv`, a line every so many steps.

use std::fmt::Write as _;
use std::fs::{self, File, OpenOptions};
use std::io::Write;

use tapeless::file::replace;
use tapeless::train::StepReport;

use super::error::{FolderProblem, ProblemError};
use super::folder::Folder;
use crate::cli::report;

/// The file, open at its end.
pub struct History {
    file: File,
    line: String,
}

/// What was written so far.
pub struct Past {
    /// The seconds at the last line that was kept.
    pub seconds: f64,
    /// The file.
    pub history: History,
}

/// The number of the first column of the loss; the terms follow it.
const LOSS: usize = 3;

impl History {
    /// Names of the columns; of each output that a solution is known of, whether its error is absolute.
    pub fn columns<'a>(
        terms: impl Iterator<Item = &'a str>,
        outputs: impl Iterator<Item = (&'a str, bool)>,
    ) -> Vec<String> {
        let first = ["step", "stage", "seconds", "loss"].map(str::to_owned);
        let terms = terms.map(|term| format!("loss {term}"));
        let later = ["rate", "gradient_norm"].map(str::to_owned);
        let error = |(output, is_absolute)| match is_absolute {
            true => format!("absolute error {output}"),
            false => format!("error {output}"),
        };
        first.into_iter().chain(terms).chain(later).chain(outputs.map(error)).collect()
    }

    /// Opens the file of a run that has come to `step`. Lines behind that step are of steps that will be done again; they are
    /// cut off, as is the rest of a line that was not written to its end. Lines that can't be read are told and left out.
    pub fn open(folder: &Folder, columns: &[String], step: u64) -> Result<Past, ProblemError> {
        let header = columns.join(",");
        let path = folder.history();
        let before = match path.exists() {
            true => fs::read_to_string(&path).map_err(|source| folder.system("history.csv can't be read", source))?,
            false => String::new(),
        };
        let mut lines = before.split_inclusive('\n').filter(|line| line.ends_with('\n'));
        match lines.next().map(str::trim_end) {
            Some(found) if found != header => {
                let (expected, found) = (header, found.to_owned());
                return Err(folder.problem(FolderProblem::History { expected, found }));
            }
            _ => {}
        }
        let mut kept = format!("{header}\n");
        let mut seconds = 0.0;
        for (number, line) in lines.enumerate() {
            match read(line, columns.len()) {
                Some((found, _)) if found > step => {}
                Some((_, found)) => {
                    seconds = found;
                    kept.push_str(line);
                }
                // The first line names the columns.
                None => report::notice(format_args!(
                    "line {} of {} can't be read and is left out: {:?}",
                    number + 2,
                    path.display(),
                    line.trim_end()
                )),
            }
        }
        replace(&path, |mut file| file.write_all(kept.as_bytes()))?;
        let file = OpenOptions::new().append(true).open(&path);
        let file = file.map_err(|source| folder.system("history.csv can't be opened", source))?;
        Ok(Past { seconds, history: Self { file, line: String::new() } })
    }

    /// Adds a line.
    pub fn write(&mut self, step: &StepReport, seconds: f64, losses: &[f64], errors: &[f64]) -> std::io::Result<()> {
        let Self { file, line } = self;
        line.clear();
        // Writing to a string can't fail.
        let _ = write!(line, "{},{},{seconds:.3},{:e}", step.step, step.stage + 1, step.loss);
        let numbers = losses.iter().chain([&step.rate, &step.gradient_norm]).chain(errors);
        numbers.for_each(|number| {
            let _ = write!(line, ",{number:e}");
        });
        line.push('\n');
        file.write_all(line.as_bytes())
    }

    /// Waits until all lines are on the disk, so that no checkpoint is ahead of them.
    pub fn sync(&self) -> std::io::Result<()> {
        self.file.sync_data()
    }
}

/// Steps, and the losses and their parts at each, as written in the file.
pub fn losses(folder: &Folder, terms: usize) -> std::io::Result<Vec<(f64, Vec<f64>)>> {
    let text = fs::read_to_string(folder.history())?;
    let row =
        |line: &str| Some((column(line, 0)?, (LOSS..=LOSS + terms).map(|at| column(line, at)).collect::<Option<_>>()?));
    Ok(text.lines().skip(1).filter_map(row).collect())
}

/// Step and seconds of a line with so many numbers.
fn read(line: &str, columns: usize) -> Option<(u64, f64)> {
    let line = line.trim_end();
    let numbers = line.split(',').map(|cell| cell.parse::<f64>().ok()).collect::<Option<Vec<f64>>>()?;
    let seconds = numbers.get(2).copied().filter(|seconds| seconds.is_finite())?;
    (numbers.len() == columns).then_some((column(line, 0)?, seconds))
}

fn column<T: std::str::FromStr>(line: &str, number: usize) -> Option<T> {
    line.trim_end().split(',').nth(number)?.parse().ok()
}
