//! Comma-separated text, one point a line.

use std::io::{BufRead, Read};
use std::path::Path;
use std::str::FromStr;

use num_traits::Float;

use super::header::shortened;
use super::{Points, Problem, StoredType};

/// Longest line in bytes; a longer one is no line of numbers.
const LONGEST: usize = 1 << 20;

/// Words that stand for a missing number, and so for no column's name.
const MISSING: [&str; 4] = ["na", "n/a", "null", "none"];

/// Reads to the end of the text.
pub(super) fn read<R: Float + FromStr>(path: &Path, mut reader: impl BufRead, inputs: usize) -> Result<Points<R>, Problem> {
    let mut points =
        Points { rows: 0, columns: inputs, values: Vec::new(), stored: StoredType::Text, notices: Vec::new(), names: None };
    let mut bytes = Vec::new();
    let mut line = 0;
    let mut blank = None;
    let mut filled = false;
    while next_line(&mut reader, &mut bytes, line + 1)? {
        line += 1;
        let text = String::from_utf8_lossy(&bytes);
        let text = match line {
            1 => text.strip_prefix('\u{feff}').unwrap_or(&text),
            _ => &text,
        };
        if text.trim().is_empty() {
            blank.get_or_insert(line);
            continue;
        }
        if let Some(blank) = blank {
            return Err(Problem::Blank(blank));
        }
        filled = true;
        let cells = cells(text);
        if cells.len() != inputs {
            return Err(Problem::Cells { line, found: cells.len(), inputs, hint: line_hint(text, cells.len(), inputs) });
        }
        if line == 1 && cells.iter().all(|cell| is_name::<R>(cell)) {
            points.names = Some(cells.iter().map(|cell| cell.trim().to_owned()).collect());
            points.notices.push(format!(
                "line 1 of {} is taken as names of columns, not as a point: {}",
                path.display(),
                shortened(text.trim())
            ));
            continue;
        }
        points
            .values
            .try_reserve(inputs)
            .map_err(|_| Problem::Memory(points.values.len() as u128 * size_of::<R>() as u128))?;
        for (index, cell) in cells.iter().enumerate() {
            points.values.push(number(cell, line, index + 1)?);
        }
        points.rows += 1;
    }
    if !filled {
        return Err(Problem::Empty);
    }
    points.values.shrink_to_fit();
    Ok(points)
}

/// The next line without its end, or false where there is none.
fn next_line(reader: &mut impl BufRead, into: &mut Vec<u8>, line: u64) -> Result<bool, Problem> {
    into.clear();
    reader.by_ref().take(LONGEST as u64 + 1).read_until(b'\n', into).map_err(Problem::Read)?;
    if into.is_empty() {
        return Ok(false);
    }
    let not_lines = |found| Err(Problem::NotLines { line, found });
    if line == 1 && (into.starts_with(&[0xff, 0xfe]) || into.starts_with(&[0xfe, 0xff])) {
        return not_lines("starts like UTF-16 text");
    }
    if into.contains(&0) {
        return not_lines("holds bytes of value 0: binary data or UTF-16 text");
    }
    if into.len() > LONGEST {
        return not_lines("is longer than a mebibyte");
    }
    into.pop_if(|byte| *byte == b'\n');
    while into.pop_if(|byte| *byte == b'\r').is_some() {}
    if into.contains(&b'\r') {
        return not_lines("holds carriage returns without line feeds");
    }
    Ok(true)
}

/// The cells of a line without the spaces and quotes around them.
///
/// A quote that does not close, or that closes within a cell, stays in the cell, so that no number can be made of it.
fn cells(text: &str) -> Vec<&str> {
    let mut cells = Vec::new();
    let mut rest = Some(text);
    while let Some(text) = rest {
        let (cell, after) = quoted(text).unwrap_or_else(|| match text.split_once(',') {
            Some((cell, after)) => (cell, Some(after)),
            None => (text, None),
        });
        cells.push(cell.trim());
        rest = after;
    }
    cells
}

/// The cell at the start of `text` if it is in quotes, and what follows the comma behind it.
fn quoted(text: &str) -> Option<(&str, Option<&str>)> {
    let (cell, after) = text.trim_start().strip_prefix('"')?.split_once('"')?;
    match after.trim_start() {
        "" => Some((cell, None)),
        after => Some((cell, Some(after.strip_prefix(',')?))),
    }
}

/// Whether a cell of the first line can only be the name of a column, not a number that was mistyped or is missing.
fn is_name<R: FromStr>(cell: &str) -> bool {
    let word = cell.trim_start_matches(|character: char| !character.is_alphanumeric());
    word.starts_with(char::is_alphabetic) && cell.parse::<R>().is_err() && !MISSING.contains(&cell.to_lowercase().as_str())
}

fn number<R: Float + FromStr>(cell: &str, line: u64, column: usize) -> Result<R, Problem> {
    let found = match cell.parse::<R>() {
        _ if cell.is_empty() => "the cell is empty".to_owned(),
        // An infinity may be spelled, but must not come from digits.
        Ok(value) if value.is_finite() || !cell.contains(|c: char| c.is_ascii_digit()) => {
            return Ok(value);
        }
        Ok(_) => format!("'{}' is too large for {}", shortened(cell), std::any::type_name::<R>()),
        Err(_) => format!("'{}' is not a number", shortened(cell)),
    };
    Err(Problem::Cell { line, column, found, hint: cell_hint(cell) })
}

/// What may be behind a cell that is not a number.
fn cell_hint(cell: &str) -> &'static str {
    if cell.starts_with(['#', '%']) {
        return "; comment lines are not read: remove them";
    }
    if cell.contains('"') {
        return "; a quote is not closed, or not at the end of its cell";
    }
    separator_hint(cell)
}

/// What may be behind a line of `found` cells where `inputs` are needed.
fn line_hint(text: &str, found: usize, inputs: usize) -> &'static str {
    if text.trim_start().starts_with(['#', '%']) {
        return "; comment lines are not read: remove them";
    }
    if found == inputs.saturating_mul(2) && !text.contains('.') {
        return "; are these decimal commas? Write a decimal point";
    }
    separator_hint(text)
}

fn separator_hint(text: &str) -> &'static str {
    if text.contains(';') {
        return "; separate cells by commas, not by semicolons, and write a decimal point";
    }
    if text.trim().contains('\t') {
        return "; separate cells by commas, not by tabs";
    }
    if text.trim().contains(' ') && !text.contains(',') {
        return "; separate cells by commas, not by spaces";
    }
    ""
}
