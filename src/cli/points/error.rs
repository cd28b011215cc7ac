//! What can be wrong with a file of points.

use std::io;
use std::path::PathBuf;

/// A file of points that cannot be used, and why.
#[derive(Debug, thiserror::Error)]
#[error("{}: {problem}", path.display())]
pub struct PointsError {
    /// The file as the user named it.
    pub path: PathBuf,
    /// What is wrong with it.
    pub problem: Box<Problem>,
}

/// What is wrong with a file of points.
#[derive(Debug, thiserror::Error)]
pub enum Problem {
    /// The file is missing or not ours to read.
    #[error("cannot be opened: {0}; check the path")]
    Open(io::Error),
    /// The system or the decompressor failed half-way.
    #[error("cannot be read: {0}; if the file is damaged, write it again")]
    Read(io::Error),
    /// A folder or a device.
    #[error("is {0}, not a file; give a .npy, .npz or .csv file")]
    NotAFile(&'static str),
    /// Nothing in it.
    #[error("holds nothing; expected points (an empty batch is a .npy array of shape (0, inputs))")]
    Empty,
    /// Neither the name nor the first bytes say what it is.
    #[error("is of no known format; expected the extension .npy, .npz or .csv: convert or rename it")]
    UnknownFormat,
    /// A member was named for a file that has none.
    #[error("--member {0} was given, but only a .npz archive has members; leave it out for this file")]
    NoMembers(String),

    /// The file does not start as a `.npy` file does.
    #[error("is not a .npy file: it does not start with the bytes \\x93NUMPY{0}")]
    NotNpy(&'static str),
    /// A format version that did not exist when this was written.
    #[error("is of .npy format version {major}.{minor}; expected 1.0, 2.0 or 3.0: write it with numpy.save")]
    Version {
        /// Major number.
        major: u8,
        /// Minor number.
        minor: u8,
    },
    /// The header cannot be understood.
    #[error("has a .npy header that cannot be read: {0}; write the file again with numpy.save")]
    Header(String),
    /// Numbers of a type that cannot be used.
    #[error("holds values of type {descr}; expected '<f8' or '<f4': {advice}")]
    Type {
        /// The type as written in the header.
        descr: String,
        /// How to convert it.
        advice: &'static str,
    },
    /// Neither one nor two dimensions, or one where several inputs need two.
    #[error(
        "has shape {shape}, but the network has {}: expected shape (n, {inputs}), one point a row",
        inputs_of(*.inputs)
    )]
    Shape {
        /// The shape as Python writes it.
        shape: String,
        /// Inputs of the network.
        inputs: usize,
    },
    /// Points of another number of coordinates.
    #[error(
        "has {columns} columns but the network has {}: shape is ({rows}, {columns}), expected (n, {inputs}){}",
        inputs_of(*.inputs),
        if u64::try_from(*.inputs) == Ok(*.rows) { "; the array looks transposed: save points.T" } else { "" }
    )]
    Columns {
        /// First number of the shape.
        rows: u64,
        /// Second number of the shape.
        columns: u64,
        /// Inputs of the network.
        inputs: usize,
    },
    /// Fewer or more bytes than the shape needs.
    #[error(
        "shape {shape} needs {expected} bytes of data, but {found} bytes were found{}; write or copy it again",
        if u128::from(*.found) < *.expected { ": the file is cut short" } else { ": something follows the array" }
    )]
    Size {
        /// The shape as Python writes it.
        shape: String,
        /// Bytes that the shape needs.
        expected: u128,
        /// Bytes that are there.
        found: u64,
    },
    /// No room for the points.
    #[error("needs {0} bytes of memory, which the system does not give; split the file")]
    Memory(u128),
    /// A finite number in the file that the type asked for cannot hold.
    #[error("row {row}, column {column}: {value} is too large for {wanted}; evaluate in f64")]
    TooLarge {
        /// Row, counted from 0 as in Python.
        row: usize,
        /// Column, counted from 0 as in Python.
        column: usize,
        /// The number.
        value: f64,
        /// The type asked for.
        wanted: &'static str,
    },

    /// Not a readable zip archive.
    #[error("is not a readable .npz archive: {reason}{hint}")]
    Archive {
        /// What is wrong.
        reason: String,
        /// What the file seems to be.
        hint: &'static str,
    },
    /// No array in the archive.
    #[error("holds no array (no member named *.npy); write it with numpy.savez(file, points=...)")]
    NoArray,
    /// More than one array in the archive.
    #[error("holds several arrays; choose one with --member NAME: {}", listed(.0))]
    SeveralArrays(Vec<String>),
    /// No array of that name in the archive.
    #[error("holds no array named {wanted}; it holds: {}", listed(.names))]
    NoSuchArray {
        /// The name asked for.
        wanted: String,
        /// The names there are.
        names: Vec<String>,
    },
    /// A problem of one array of the archive.
    #[error("member {name}: {problem}")]
    Member {
        /// The array.
        name: String,
        /// What is wrong with it.
        problem: Box<Problem>,
    },
    /// A member behind a password.
    #[error("is encrypted; expected a plain archive, as numpy.savez writes it")]
    Encrypted,
    /// A member compressed in a way that numpy does not use.
    #[error("is compressed by {0}; expected none or deflate: write it with numpy.savez_compressed")]
    Compression(String),

    /// A cell that is not a number.
    #[error("line {line}, column {column}: {found}; expected a number such as -1.5e-3{hint}")]
    Cell {
        /// Line, counted from 1.
        line: u64,
        /// Cell within the line, counted from 1.
        column: usize,
        /// What is in the cell.
        found: String,
        /// What may be behind it.
        hint: &'static str,
    },
    /// A line with too few or too many cells.
    #[error(
        "line {line}: {}, as the line has {found} and the network has {}{hint}",
        if .found < .inputs { format!("column {} is missing", .found + 1) } else { format!("column {} is one too many", .inputs + 1) },
        inputs_of(*.inputs)
    )]
    Cells {
        /// Line, counted from 1.
        line: u64,
        /// Cells in the line.
        found: usize,
        /// Inputs of the network.
        inputs: usize,
        /// What may be behind it.
        hint: &'static str,
    },
    /// A blank line with others after it.
    #[error("line {0} is blank, but others follow; expected one point a line: fill the line or remove it")]
    Blank(u64),
    /// Text in which no line can be told from the next, or that is no text.
    #[error("line {line} {found}; expected UTF-8 text, one point a line: save the file again")]
    NotLines {
        /// Line, counted from 1.
        line: u64,
        /// What stands against it.
        found: &'static str,
    },
}

fn inputs_of(inputs: usize) -> String {
    format!("{inputs} input{}", if inputs == 1 { "" } else { "s" })
}

/// The names, or the first of many.
fn listed(names: &[String]) -> String {
    const SHOWN: usize = 20;
    let mut list = names[..names.len().min(SHOWN)].join(", ");
    if names.len() > SHOWN {
        list += &format!(" and {} more", names.len() - SHOWN);
    }
    list
}
