//! Pictures as `.png` files: curves in charts, and functions of two inputs as colours with a bar that says which.
//!
//! ```
//! use tapeless::picture::{self, Curve, Curves};
//!
//! let points = (0..100).map(|k| (f64::from(k), 0.9_f64.powi(k))).collect();
//! let loss = Curve { name: "loss".to_owned(), color: picture::BLUE, width: 2, points };
//! let chart = Curves { title: "loss".to_owned(), x: "step".to_owned(), logarithmic: true, curves: vec![loss], ..Curves::default() };
//! # let folder = tempfile::tempdir()?;
//! # let path = folder.path().join("loss.png");
//! picture::write_curves(&path, &[chart])?;
//! # assert!(std::fs::read(&path)?.starts_with(b"\x89PNG"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod canvas;
mod curves;
mod field;
mod range;

use std::path::{Path, PathBuf};

pub use curves::{Curve, Curves};
pub use field::Field;
pub use range::label;

use crate::file::FileError;

/// A colour for what was found.
pub const BLUE: [u8; 3] = [0, 0, 255];
/// A colour for what should be found, below it.
pub const GREY: [u8; 3] = [180, 180, 180];
/// A colour for a sum.
pub const BLACK: [u8; 3] = [0, 0, 0];
/// Colours for its parts.
pub const COLORS: [[u8; 3]; 6] =
    [[31, 119, 180], [255, 127, 14], [44, 160, 44], [214, 39, 40], [148, 103, 189], [140, 86, 75]];

/// Why there is no picture.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PictureError {
    /// It could not be drawn.
    #[error("{}: the picture could not be drawn: {problem}", .path.display())]
    Draw {
        /// The file that it was for.
        path: PathBuf,
        /// Why.
        problem: String,
    },
    /// It could not be written.
    #[error(transparent)]
    File(#[from] FileError),
}

/// Draws charts, one below the other, up to 16 of them, into a file that appears whole or not at all.
///
/// # Errors
///
/// [`PictureError`].
pub fn write_curves(path: &Path, charts: &[Curves]) -> Result<(), PictureError> {
    write(path, charts, Curves::draw)
}

/// Draws fields, one below the other, up to 16 of them, into a file that appears whole or not at all.
///
/// # Errors
///
/// [`PictureError`].
pub fn write_fields(path: &Path, fields: &[Field<'_>]) -> Result<(), PictureError> {
    write(path, fields, Field::draw)
}

fn write<P>(
    path: &Path,
    panels: &[P],
    draw: impl Fn(&P, &canvas::Area<'_>) -> Result<(), canvas::DrawError>,
) -> Result<(), PictureError> {
    let image = canvas::draw(panels.len(), |area| canvas::stacked(area, panels, draw));
    let image = image.map_err(|error| PictureError::Draw { path: path.to_owned(), problem: error.to_string() })?;
    Ok(image.write(path)?)
}
