//! What the program says.

use std::fmt::Display;
use std::io::{self, Write};

/// The report could not be printed.
#[derive(Debug, thiserror::Error)]
#[error("standard output: the report could not be written: {0}")]
pub struct ReportError(io::Error);

/// What printing came to. That nobody reads it any more (`| head`) is no failure of the work.
pub fn printed(result: io::Result<()>) -> Result<(), ReportError> {
    match result {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(ReportError(error)),
        _ => Ok(()),
    }
}

/// Prints a line of the report.
pub fn line(text: impl Display) -> Result<(), ReportError> {
    printed(writeln!(io::stdout(), "{text}"))
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
