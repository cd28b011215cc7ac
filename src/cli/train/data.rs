//! Files with coordinates and data.

use std::path::{Path, PathBuf};
use std::str::FromStr;

use tapeless::evaluate::CpuReal;

use super::error::{At, KeyError, Keyed};
use super::texts::Texts;
use crate::cli::points::{self, Problem};
use crate::cli::report;

/// Rows of coordinates, in the order of the inputs, and of data.
pub struct Data<R> {
    /// Names of the data, in order.
    pub names: Vec<String>,
    /// The rows, one after the other.
    pub rows: Vec<R>,
}

/// Reads a file whose columns have these names: all inputs, and data.
pub fn read<R: CpuReal + FromStr>(texts: &Texts, file: &PathBuf, columns: &[String], key: &str) -> Result<Data<R>, Keyed> {
    let inputs = texts.names.inputs();
    let columns_key = format!("{key}: columns");
    let mut order = Vec::new();
    for input in inputs {
        let position = columns.iter().position(|column| column == input);
        let missing =
            || KeyError::value(format!("all inputs among the columns: {}", inputs.join(", ")), columns.join(", "));
        order.push(position.ok_or_else(missing).at(&columns_key)?);
    }
    let data: Vec<usize> = (0..columns.len()).filter(|column| !order.contains(column)).collect();
    let names: Vec<String> = data.iter().map(|&column| columns[column].clone()).collect();
    if let Some(twice) = names.iter().find(|name| inputs.contains(name)) {
        return Err(KeyError::value("each input once", format!("\"{twice}\" twice"))).at(&columns_key);
    }
    order.extend(data);

    let path = texts.path(file);
    let found = points::read::<R>(&path, None, columns.len()).at(format!("{key}: file"))?;
    if found.rows == 0 {
        let found = format!("{}, which has none", path.display());
        return Err(KeyError::value("a file with at least one row of numbers", found)).at(format!("{key}: file"));
    }
    check_header(&path, found.names.as_deref(), columns).at(&columns_key)?;
    found.notices.iter().filter(|_| found.names.is_none()).for_each(report::notice);
    let rows = found.values.chunks_exact(columns.len()).flat_map(|row| order.iter().map(|&column| row[column])).collect();
    Ok(Data { names, rows })
}

/// What is wrong with a file of data, where the words for points of a network would be wrong.
pub fn told(problem: &Problem) -> String {
    match problem {
        Problem::Cells { line, found, inputs, hint } => {
            format!("line {line} has {}, but `columns` names {inputs}{hint}", report::counted(*found, "cell"))
        }
        Problem::Columns { rows, columns, inputs } => {
            format!(
                "has {}, but `columns` names {inputs}: shape is ({rows}, {columns})",
                report::counted(*columns as usize, "column")
            )
        }
        Problem::Shape { shape, inputs } => {
            format!("has shape {shape}, but `columns` names {inputs}: expected shape (n, {inputs}), one point a row")
        }
        Problem::Empty => "holds nothing; expected at least one row of numbers".to_owned(),
        Problem::TooLarge { row, column, value, wanted } => {
            format!("row {row}, column {column}: {value} is too large for {wanted}; train in f64")
        }
        Problem::SeveralArrays(names) => {
            format!("holds several arrays, expected one: {}; save that one alone", names.join(", "))
        }
        Problem::Member { name, problem } => format!("member {name}: {}", told(problem)),
        other => other.to_string(),
    }
}

/// The names in the file must be those of the problem.
fn check_header(path: &Path, found: Option<&[String]>, expected: &[String]) -> Result<(), KeyError> {
    match found {
        Some(found) if found != expected => {
            Err(KeyError::value(format!("the columns of {}: {}", path.display(), found.join(", ")), expected.join(", ")))
        }
        _ => Ok(()),
    }
}
