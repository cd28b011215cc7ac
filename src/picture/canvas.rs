//! A picture in memory, written as `.png`.
//!
//! Letters come with the program (DejaVu Sans), so that pictures need no font of the system.

use std::path::Path;
use std::sync::OnceLock;

use crate::file::{self, FileError};
use plotters::backend::BitMapBackend;
use plotters::coord::Shift;
use plotters::drawing::{DrawingArea, DrawingAreaErrorKind, IntoDrawingArea};
use plotters::style::{FontStyle, WHITE, register_font};

/// A part of a picture.
pub(super) type Area<'a> = DrawingArea<BitMapBackend<'a>, Shift>;

/// What can go wrong with drawing.
pub(super) type DrawError = DrawingAreaErrorKind<<BitMapBackend<'static> as plotters::backend::DrawingBackend>::ErrorType>;

/// The name of the letters.
pub(super) const FONT: &str = "sans-serif";

/// Size of a panel.
const WIDTH: u32 = 900;
const HEIGHT: u32 = 560;

/// The pixels of a picture, red, green and blue.
pub(super) struct Image {
    pixels: Vec<u8>,
    height: u32,
}

/// Draws a picture of so many panels, one below the other.
pub(super) fn draw(panels: usize, draw: impl FnOnce(&Area<'_>) -> Result<(), DrawError>) -> Result<Image, DrawError> {
    static LETTERS: OnceLock<bool> = OnceLock::new();
    if !LETTERS.get_or_init(|| register_font(FONT, FontStyle::Normal, dejavu::sans::regular()).is_ok()) {
        return Err(DrawError::LayoutError);
    }
    // No picture is higher than a screen can show.
    let height = HEIGHT * u32::try_from(panels.clamp(1, 16)).unwrap_or(1);
    let mut pixels = vec![0; 3 * WIDTH as usize * height as usize];
    {
        let area = BitMapBackend::with_buffer(&mut pixels, (WIDTH, height)).into_drawing_area();
        area.fill(&WHITE)?;
        draw(&area)?;
        area.present()?;
    }
    Ok(Image { pixels, height })
}

/// Draws panels one below the other.
pub(super) fn stacked<P>(
    area: &Area<'_>,
    panels: &[P],
    draw: impl Fn(&P, &Area<'_>) -> Result<(), DrawError>,
) -> Result<(), DrawError> {
    let areas = area.split_evenly((panels.len().clamp(1, 16), 1));
    panels.iter().zip(&areas).try_for_each(|(panel, area)| draw(panel, area))
}

impl Image {
    /// Writes it to a file, which appears whole or not at all.
    pub fn write(&self, path: &Path) -> Result<(), FileError> {
        file::replace(path, |file| {
            let mut encoder = png::Encoder::new(std::io::BufWriter::new(file), WIDTH, self.height);
            encoder.set_color(png::ColorType::Rgb);
            let mut writer = encoder.write_header()?;
            writer.write_image_data(&self.pixels)?;
            Ok(writer.finish()?)
        })?;
        Ok(())
    }
}
