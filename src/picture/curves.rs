//! Curves in a chart.

use plotters::backend::BitMapBackend;
use plotters::chart::{ChartBuilder, ChartContext};
use plotters::coord::combinators::IntoLogRange;
use plotters::coord::ranged1d::ValueFormatter;
use plotters::element::PathElement;
use plotters::prelude::{Cartesian2d, Ranged, SeriesLabelPosition};
use plotters::series::LineSeries;
use plotters::style::{BLACK, Color, RGBColor, WHITE};

use super::canvas::{Area, DrawError, FONT};
use super::range;

/// A chart.
#[derive(Clone, Debug, Default)]
pub struct Curves {
    /// What stands above it.
    pub title: String,
    /// The name of the horizontal axis.
    pub x: String,
    /// The name of the vertical axis.
    pub y: String,
    /// Whether the vertical axis is one of powers of 10; what is not above 0 is left out there.
    pub logarithmic: bool,
    /// The lines, the first one lowest.
    pub curves: Vec<Curve>,
}

/// A line in it.
#[derive(Clone, Debug)]
pub struct Curve {
    /// Its name in the legend, which there is for more than one line.
    pub name: String,
    /// Red, green and blue.
    pub color: [u8; 3],
    /// Its width in pixels.
    pub width: u32,
    /// Its points, left to right. Numbers that are not finite leave a gap.
    pub points: Vec<(f64, f64)>,
}

impl Curves {
    /// Whether there is nothing to see.
    pub fn is_empty(&self) -> bool {
        let seen = |&(_, y): &(f64, f64)| y > 0.0 || !self.logarithmic;
        !self.curves.iter().flat_map(|curve| &curve.points).any(seen)
    }

    /// Draws it.
    pub(super) fn draw(&self, area: &Area<'_>) -> Result<(), DrawError> {
        let points = || self.curves.iter().flat_map(|curve| &curve.points);
        let (left, right) = range::of(points().map(|point| point.0));
        let mut builder = ChartBuilder::on(area);
        builder.margin(15).margin_right(35).x_label_area_size(50).y_label_area_size(75).caption(&self.title, (FONT, 22));
        if self.logarithmic {
            let (low, high) = range::decades(points().map(|point| point.1)).unwrap_or((0.1, 1.0));
            let chart = builder.build_cartesian_2d(left..right, (low..high).log_scale())?;
            self.fill(chart, [(left, right), (0.0, 0.0)], |y| y > 0.0)
        } else {
            let (low, high) = range::of(points().map(|point| point.1));
            let margin = 0.05 * (high - low);
            let chart = builder.build_cartesian_2d(left..right, low - margin..high + margin)?;
            self.fill(chart, [(left, right), (low, high)], |_| true)
        }
    }

    fn fill<'a, 'b: 'a, X, Y>(
        &self,
        mut chart: ChartContext<'a, BitMapBackend<'b>, Cartesian2d<X, Y>>,
        ranges: [(f64, f64); 2],
        is_seen: impl Fn(f64) -> bool,
    ) -> Result<(), DrawError>
    where
        X: Ranged<ValueType = f64> + ValueFormatter<f64>,
        Y: Ranged<ValueType = f64> + ValueFormatter<f64>,
    {
        let [x_label, y_label] = ranges.map(|range| move |number: &f64| range::tick(*number, range));
        chart
            .configure_mesh()
            .light_line_style(WHITE)
            .bold_line_style(BLACK.mix(0.12))
            .x_labels(8)
            .y_labels(10)
            .x_label_formatter(&x_label)
            .y_label_formatter(&y_label)
            .label_style((FONT, 16))
            .x_desc(&self.x)
            .y_desc(&self.y)
            .axis_desc_style((FONT, 18))
            .draw()?;
        for curve in &self.curves {
            let [red, green, blue] = curve.color;
            let style = RGBColor(red, green, blue).stroke_width(curve.width);
            // A number that can't be seen leaves a gap.
            let runs = curve.points.split(|&(x, y)| !(x.is_finite() && y.is_finite() && is_seen(y)));
            let mut named = false;
            for run in runs.filter(|run| !run.is_empty()) {
                let series = chart.draw_series(LineSeries::new(run.iter().copied(), style))?;
                if !named {
                    series.label(&curve.name).legend(move |(x, y)| PathElement::new([(x, y), (x + 20, y)], style));
                    named = true;
                }
            }
        }
        if self.curves.len() > 1 {
            chart
                .configure_series_labels()
                .position(SeriesLabelPosition::UpperRight)
                .background_style(WHITE.mix(0.85))
                .border_style(BLACK.mix(0.3))
                .label_font((FONT, 16))
                .draw()?;
        }
        Ok(())
    }
}
