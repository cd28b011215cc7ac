//! A function of two inputs as colours.

use plotters::chart::ChartBuilder;
use plotters::element::Rectangle;
use plotters::style::colors::colormaps::ViridisRGB;
use plotters::style::{BLACK, Color, RGBColor};

use super::canvas::{Area, DrawError, FONT};
use super::range;

/// Numbers on a grid, each a patch of colour.
#[derive(Clone, Debug)]
pub struct Field<'a> {
    /// What stands above it.
    pub title: String,
    /// Names of the two inputs.
    pub names: [&'a str; 2],
    /// From where to where they go.
    pub bounds: [(f64, f64); 2],
    /// Numbers along the first input.
    pub columns: usize,
    /// The numbers, the first input fastest.
    pub values: &'a [f64],
}

/// Steps of colour in the bar.
const SHADES: usize = 256;

/// Width of the bar with its labels.
const BAR: u32 = 130;

impl Field<'_> {
    /// Draws it, with a bar that says which colour is which number.
    pub(super) fn draw(&self, area: &Area<'_>) -> Result<(), DrawError> {
        let (width, _) = area.dim_in_pixel();
        let (left, right) = area.split_horizontally(width.saturating_sub(BAR));
        let (low, high) = range::of(self.values.iter().copied());
        let shade = |value: f64| match value.is_finite() {
            true => ViridisRGB::get_color(((value - low) / (high - low)).clamp(0.0, 1.0)),
            false => RGBColor(255, 255, 255),
        };
        self.draw_map(&left, shade)?;
        draw_bar(&right, low, high, shade)
    }

    fn draw_map(&self, area: &Area<'_>, shade: impl Fn(f64) -> RGBColor) -> Result<(), DrawError> {
        let [x, y] = self.bounds.map(|(low, high)| range::of([low, high].into_iter()));
        let (x_label, y_label) = (|number: &f64| range::tick(*number, x), |number: &f64| range::tick(*number, y));
        let mut chart = ChartBuilder::on(area)
            .margin(15)
            .x_label_area_size(50)
            .y_label_area_size(75)
            .caption(&self.title, (FONT, 22))
            .build_cartesian_2d(x.0..x.1, y.0..y.1)?;
        let rows = self.values.len().div_ceil(self.columns).max(1);
        let edge = |(low, high): (f64, f64), place: usize, count: usize| low + (high - low) * place as f64 / count as f64;
        let cells = self.values.iter().enumerate().map(|(place, &value)| {
            let (row, column) = (place / self.columns, place % self.columns);
            let corner = |more| (edge(x, column + more, self.columns), edge(y, row + more, rows));
            Rectangle::new([corner(0), corner(1)], shade(value).filled())
        });
        chart.draw_series(cells)?;
        chart
            .configure_mesh()
            .disable_mesh()
            .x_labels(8)
            .y_labels(8)
            .x_label_formatter(&x_label)
            .y_label_formatter(&y_label)
            .label_style((FONT, 16))
            .x_desc(self.names[0])
            .y_desc(self.names[1])
            .axis_desc_style((FONT, 18))
            .draw()
    }
}

fn draw_bar(area: &Area<'_>, low: f64, high: f64, shade: impl Fn(f64) -> RGBColor) -> Result<(), DrawError> {
    let label = |number: &f64| range::tick(*number, (low, high));
    let mut chart = ChartBuilder::on(area)
        .margin_top(45)
        .margin_bottom(65)
        .margin_right(10)
        .right_y_label_area_size(90)
        .build_cartesian_2d(0.0..1.0, low..high)?;
    let edge = |place: usize| low + (high - low) * place as f64 / SHADES as f64;
    let cells = (0..SHADES).map(|k| {
        let (bottom, top) = (edge(k), edge(k + 1));
        Rectangle::new([(0.0, bottom), (1.0, top)], shade(bottom / 2.0 + top / 2.0).filled())
    });
    chart.draw_series(cells)?;
    chart.draw_series([Rectangle::new([(0.0, low), (1.0, high)], BLACK.stroke_width(1))])?;
    chart
        .configure_mesh()
        .disable_mesh()
        .disable_x_axis()
        .y_labels(8)
        .y_label_formatter(&label)
        .label_style((FONT, 16))
        .draw()
}
