//! Results as comma-separated text.

use std::fmt::{Display, LowerExp, Write};
use std::path::Path;

use num_traits::Float;
use tapeless::file;

use super::{Column, ResultsError};

/// Writes a line of names and `rows` lines of numbers, and says how many bytes the file has.
///
/// Each number has the fewest digits from which the same number is read back; NaN is `nan`, infinities are `inf` and
/// `-inf`.
pub fn write_csv<R: Float + Display + LowerExp>(
    path: &Path,
    rows: usize,
    columns: &[Column<'_, R>],
) -> Result<u64, ResultsError> {
    for column in columns {
        let last = rows.checked_sub(1).map(|row| column.place(row));
        if last.is_some_and(|place| place.is_none_or(|place| place >= column.data.len())) {
            return Err(ResultsError::Column { path: path.to_owned(), name: column.name.clone(), rows });
        }
    }
    let bytes = file::replace(path, |file| {
        let mut writer = csv::Writer::from_writer(file);
        writer.write_record(columns.iter().map(|column| &column.name))?;
        let mut text = String::new();
        for row in 0..rows {
            for column in columns {
                text.clear();
                spell(column.data[column.offset + row * column.stride], &mut text);
                writer.write_field(&text)?;
            }
            writer.write_record(None::<&[u8]>)?;
        }
        writer.flush()
    })?;
    Ok(bytes)
}

impl<R> Column<'_, R> {
    /// Where the number of a row is.
    fn place(&self, row: usize) -> Option<usize> {
        row.checked_mul(self.stride)?.checked_add(self.offset)
    }
}

/// Appends the shortest text that reads back as the same number.
fn spell<R: Float + Display + LowerExp>(number: R, text: &mut String) {
    let magnitude = number.abs().to_f64().unwrap_or(f64::NAN);
    // Writing to a string cannot fail.
    let _ = if number.is_nan() {
        text.write_str("nan")
    } else if magnitude == 0.0 || magnitude.is_infinite() || (1e-5..1e16).contains(&magnitude) {
        write!(text, "{number}")
    } else {
        write!(text, "{number:e}")
    };
}
