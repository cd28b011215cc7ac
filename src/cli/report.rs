//! What the program says.

use std::fmt::Display;
use std::io::{self, Write};
use std::sync::OnceLock;

/// The first failure to print.
static FAILURE: OnceLock<io::Error> = OnceLock::new();

/// The report could not be printed.
#[derive(Debug, thiserror::Error)]
#[error("standard output: the report could not be written: {0}")]
pub struct ReportError(&'static io::Error);

/// Prints a line of the report. Work that is under way goes on without it, see [`finish`].
pub fn line(text: impl Display) {
    remember(writeln!(io::stdout(), "{text}"));
}

/// Remembers a failure to print. That nobody reads the report any more (`| head`) is none.
pub fn remember(printed: io::Result<()>) {
    if let Err(error) = printed
        && error.kind() != io::ErrorKind::BrokenPipe
    {
        FAILURE.get_or_init(|| error);
    }
}

/// Tells whether everything could be printed.
pub fn finish() -> Result<(), ReportError> {
    FAILURE.get().map_or(Ok(()), |error| Err(ReportError(error)))
}

/// Prints what the user should know beside the report.
pub fn notice(text: impl Display) {
    let _ = writeln!(io::stderr(), "note: {text}");
}

/// Prints why the command failed.
pub fn error(text: impl Display) {
    let _ = writeln!(io::stderr(), "error: {text}");
}

/// A count with thousands separated: 12,801.
pub fn count(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (position, digit) in digits.chars().enumerate() {
        if position > 0 && (digits.len() - position).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A count and its noun: 1 point, 2 points.
pub fn counted(number: usize, noun: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{} {noun}{plural}", count(number))
}

/// A size in bytes, readable: 1.5 kB.
pub fn bytes(number: u64) -> String {
    indicatif::DecimalBytes(number).to_string()
}

#[cfg(test)]
mod tests {
    #[test]
    fn thousands_are_separated() {
        assert_eq!([0, 999, 1000, 12_801, 1_234_567].map(super::count), ["0", "999", "1,000", "12,801", "1,234,567"]);
        assert_eq!(super::counted(1, "layer"), "1 layer");
    }
}
