//! Pictures of a run: the loss, the solution, its error.

mod slice;

use std::path::Path;
use std::str::FromStr;

use tapeless::evaluate::CpuReal;
use tapeless::picture::{self, Curve, Curves, Field};
use tapeless::train::Trainer;

use super::error::ProblemError;
use super::problem::Problem;
pub use slice::Slice;

/// Points of a curve, and rows and columns of a field.
const CURVE: usize = 400;
const FIELD: usize = 200;

/// Draws the loss and its parts over the steps; false where there is no line to draw.
pub fn loss(path: &Path, terms: &[String], rows: &[(f64, Vec<f64>)]) -> Result<bool, ProblemError> {
    let curve = |(number, (name, color)): (usize, (&str, [u8; 3]))| Curve {
        name: name.to_owned(),
        color,
        width: if number == 0 { 2 } else { 1 },
        points: rows.iter().filter_map(|(step, losses)| Some((*step, *losses.get(number)?))).collect(),
    };
    let colors = std::iter::once(picture::BLACK).chain(picture::COLORS.into_iter().cycle());
    let names = std::iter::once("loss").chain(terms.iter().map(String::as_str));
    let curves = names.zip(colors).enumerate().map(curve).collect();
    let chart = Curves { title: "loss".to_owned(), x: "step".to_owned(), y: String::new(), logarithmic: true, curves };
    if chart.is_empty() {
        return Ok(false);
    }
    picture::write_curves(path, &[chart])?;
    Ok(true)
}

/// Draws the outputs on the slice.
pub fn solution<R: CpuReal + FromStr>(
    path: &Path,
    problem: &Problem<R>,
    trainer: &mut Trainer<R>,
    file: &Path,
) -> Result<(), ProblemError> {
    let found = on_slice(problem, trainer, file)?;
    let outputs = problem.names.outputs();
    let panels: Vec<Panel> = (0..outputs.len())
        .map(|output| {
            let values = found.iter().skip(output).step_by(outputs.len()).copied().collect();
            let exact = problem.exact.as_ref().and_then(|exact| {
                let place = exact.outputs.iter().position(|&known| known == output)?;
                let function = exact.functions.get(place)?;
                Some(problem.slice.evaluate(count(&problem.slice), function))
            });
            Panel { title: outputs[output].clone(), values, exact }
        })
        .collect();
    draw_panels(path, problem, &panels).map(|_| ())
}

/// Draws how far the outputs are off on the slice; false where no function tells.
pub fn error<R: CpuReal + FromStr>(
    path: &Path,
    problem: &Problem<R>,
    trainer: &mut Trainer<R>,
    file: &Path,
) -> Result<bool, ProblemError> {
    let Some(exact) = problem.exact.as_ref().filter(|exact| !exact.functions.is_empty()) else { return Ok(false) };
    let found = on_slice(problem, trainer, file)?;
    let outputs = problem.names.outputs();
    let panel = |(&output, function)| {
        let exact = problem.slice.evaluate(count(&problem.slice), function);
        let values = found.iter().skip(output).step_by(outputs.len());
        let values = values.zip(exact).map(|(found, exact)| (found - exact).abs()).collect();
        Panel { title: format!("|{0} - exact {0}|", outputs[output]), values, exact: None }
    };
    let panels: Vec<Panel> = exact.outputs.iter().zip(&exact.functions).map(panel).collect();
    draw_panels(path, problem, &panels)
}

/// What is to be seen of one output: numbers at the points of the slice.
struct Panel {
    title: String,
    values: Vec<f64>,
    exact: Option<Vec<f64>>,
}

/// Points along each axis of the slice.
fn count(slice: &Slice) -> usize {
    if slice.free.len() == 1 { CURVE } else { FIELD }
}

/// All outputs at the points of the slice.
fn on_slice<R: CpuReal + FromStr>(
    problem: &Problem<R>,
    trainer: &mut Trainer<R>,
    file: &Path,
) -> Result<Vec<f64>, ProblemError> {
    let points: Vec<R> = problem.slice.points(count(&problem.slice)).into_iter().map(R::literal).collect();
    let outputs = trainer.outputs(&points);
    let outputs = outputs.map_err(|error| ProblemError::train(file, error))?;
    Ok(outputs.into_iter().map(|u| u.to_f64().unwrap_or(f64::NAN)).collect())
}

fn draw_panels<R>(path: &Path, problem: &Problem<R>, panels: &[Panel]) -> Result<bool, ProblemError> {
    if panels.is_empty() {
        return Ok(false);
    }
    let (slice, inputs) = (&problem.slice, problem.names.inputs());
    let where_ = slice.words(inputs);
    if let [x] = slice.free[..] {
        let charts: Vec<Curves> = panels
            .iter()
            .map(|panel| {
                let along = |values: &[f64]| slice.axis(x, CURVE).into_iter().zip(values.iter().copied()).collect();
                let exact = panel.exact.iter().map(|exact| Curve {
                    name: "exact".to_owned(),
                    color: picture::GREY,
                    width: 5,
                    points: along(exact),
                });
                let found =
                    Curve { name: "network".to_owned(), color: picture::BLUE, width: 2, points: along(&panel.values) };
                Curves {
                    title: format!("{}{where_}", panel.title),
                    x: inputs[x].clone(),
                    y: String::new(),
                    logarithmic: false,
                    curves: exact.chain([found]).collect(),
                }
            })
            .collect();
        picture::write_curves(path, &charts)?;
        return Ok(true);
    }
    let [x, y] = [slice.free[0], slice.free[1]];
    let fields: Vec<Field<'_>> = panels
        .iter()
        .map(|panel| Field {
            title: format!("{}{where_}", panel.title),
            names: [&inputs[x], &inputs[y]],
            bounds: [slice.bounds(x), slice.bounds(y)],
            columns: FIELD,
            values: &panel.values,
        })
        .collect();
    picture::write_fields(path, &fields)?;
    Ok(true)
}
