//! What the examples of training share: a run with a line now and then, the error at the end, pictures.

use std::error::Error;
use std::path::Path;
use std::time::Instant;

use tapeless::network::import::Model;
use tapeless::operator::{Expression, Names, OperatorError};
use tapeless::picture::{self, Curve, Curves, Field};
use tapeless::train::sampling::{Domain, SamplingError, grid};
use tapeless::train::{Stage, Term, Trainer};

/// Residuals as text become a term.
pub fn term(
    name: &str,
    residuals: &[&str],
    names: &Names,
    constants: &[(&str, f64)],
    points: Vec<f64>,
) -> Result<Term<f64>, OperatorError> {
    let expressions = residuals.iter().map(|text| Expression::parse(text, names, &[], constants));
    Ok(Term::of_expressions(name, expressions.collect::<Result<_, _>>()?, points))
}

/// Points of a grid with so many along each dimension.
pub fn grid_of(domain: &Domain, counts: &[usize]) -> Result<Vec<f64>, SamplingError> {
    let mut points = vec![0.0; domain.dimensions() * counts.iter().product::<usize>()];
    grid(domain, counts, &mut points)?;
    Ok(points)
}

/// A solution to be found, and what is known of it.
pub struct Problem<'a> {
    /// A folder of this name takes the results.
    pub name: &'a str,
    pub names: Names,
    /// The two inputs of the pictures; the others have the last values of the domain.
    pub axes: [usize; 2],
    pub domain: Domain,
    /// Points where the error is measured.
    pub test: Vec<f64>,
}

/// Points along each axis of a picture.
const SIDE: usize = 201;

impl Problem<'_> {
    /// Runs all stages. Prints how it goes, the time, and the relative L2 error of each output against `exact`; writes the
    /// network and pictures of the loss, the solution and its error.
    pub fn run(&self, mut trainer: Trainer<f64>, exact: impl Fn(&[f64]) -> Vec<f64>) -> Result<(), Box<dyn Error>> {
        let steps: u64 = trainer.stages().iter().map(Stage::steps).sum();
        let kilobytes = trainer.objective().workspace_bytes() / 1000;
        println!("{}: {} weights, {kilobytes} kB of workspace", self.name, trainer.parameters().len());
        let mut losses = Vec::new();
        let start = Instant::now();
        while let Some(report) = trainer.step()? {
            losses.push((report.step as f64, report.loss));
            if report.step % (steps / 10).max(1) == 0 || report.stage_ended {
                println!("step {:6}  loss {:.3e}  {:5.1} s", report.step, report.loss, start.elapsed().as_secs_f64());
            }
        }
        let seconds = start.elapsed().as_secs_f64();
        let errors = self.errors(&mut trainer, &exact)?;
        let errors: Vec<String> = errors.iter().map(|error| format!("{error:.2e}")).collect();
        println!("{}: relative L2 error {} after {seconds:.0} s", self.name, errors.join(", "));

        let folder = Path::new(self.name);
        std::fs::create_dir_all(folder)?;
        Model::of(&trainer.network()?).write(folder.join("network.safetensors"))?;
        let loss = Curve { name: "loss".to_owned(), color: picture::BLUE, width: 2, points: losses };
        let (title, x) = ("loss".to_owned(), "step".to_owned());
        let chart = Curves { title, x, logarithmic: true, curves: vec![loss], ..Curves::default() };
        picture::write_curves(&folder.join("loss.png"), &[chart])?;
        self.draw(folder, &mut trainer, &exact)?;
        println!("{0}: {0}/network.safetensors, loss.png, solution.png, error.png", self.name);
        Ok(())
    }

    /// The relative error of each output in the Euclidean norm over the test points.
    fn errors(&self, trainer: &mut Trainer<f64>, exact: impl Fn(&[f64]) -> Vec<f64>) -> Result<Vec<f64>, Box<dyn Error>> {
        let found = trainer.outputs(&self.test)?;
        let outputs = self.names.outputs().len();
        let mut sums = vec![(0.0, 0.0); outputs];
        for (point, found) in self.test.chunks(self.domain.dimensions()).zip(found.chunks(outputs)) {
            for ((sums, found), expected) in sums.iter_mut().zip(found).zip(exact(point)) {
                *sums = (sums.0 + (found - expected).powi(2), sums.1 + expected * expected);
            }
        }
        Ok(sums.into_iter().map(|(off, all)| (off / all).sqrt()).collect())
    }

    fn draw(
        &self,
        folder: &Path,
        trainer: &mut Trainer<f64>,
        exact: impl Fn(&[f64]) -> Vec<f64>,
    ) -> Result<(), Box<dyn Error>> {
        let [x, y] = self.axes;
        let bounds = |axis: usize| (self.domain.low()[axis], self.domain.high()[axis]);
        let along =
            |axis: usize, k: usize| bounds(axis).0 + (bounds(axis).1 - bounds(axis).0) * k as f64 / (SIDE - 1) as f64;
        let points = (0..SIDE * SIDE).flat_map(|k| {
            let mut point = self.domain.high().to_vec();
            (point[x], point[y]) = (along(x, k % SIDE), along(y, k / SIDE));
            point
        });
        let points: Vec<f64> = points.collect();
        let found = trainer.outputs(&points)?;
        let expected: Vec<f64> = points.chunks(self.domain.dimensions()).flat_map(exact).collect();
        let outputs = self.names.outputs();
        let column = |numbers: &[f64], output| numbers.iter().skip(output).step_by(outputs.len()).copied().collect();
        let off: Vec<f64> = found.iter().zip(&expected).map(|(found, expected)| (found - expected).abs()).collect();
        for (file, numbers, mark) in [("solution.png", &found, ""), ("error.png", &off, " - exact")] {
            let columns: Vec<Vec<f64>> = (0..outputs.len()).map(|output| column(numbers, output)).collect();
            let fields = columns.iter().zip(outputs).map(|(values, name)| Field {
                title: if mark.is_empty() { name.clone() } else { format!("|{name}{mark}|") },
                names: [&self.names.inputs()[x], &self.names.inputs()[y]],
                bounds: [bounds(x), bounds(y)],
                columns: SIDE,
                values,
            });
            picture::write_fields(&folder.join(file), &fields.collect::<Vec<_>>())?;
        }
        Ok(())
    }
}
