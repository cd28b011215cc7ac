//! What the examples of training share: a run with a line now and then, and the error at the end.

use std::error::Error;
use std::time::Instant;

use tapeless::evaluate::CpuReal;
use tapeless::network::import::Model;
use tapeless::operator::{Expression, Names, OperatorError};
use tapeless::train::sampling::{Domain, SamplingError, grid};
use tapeless::train::{Term, Trainer};

/// Residuals as text become a term.
pub fn term<R: CpuReal>(
    name: &str,
    residuals: &[&str],
    names: &Names,
    constants: &[(&str, f64)],
    points: Vec<R>,
) -> Result<Term<R>, OperatorError> {
    let expressions = residuals.iter().map(|text| Expression::parse(text, names, &[], constants));
    Ok(Term::of_expressions(name, expressions.collect::<Result<_, _>>()?, points))
}

/// Points of a grid with so many along each dimension.
pub fn grid_of<R: CpuReal>(domain: &Domain, counts: &[usize]) -> Result<Vec<R>, SamplingError> {
    let mut points = vec![R::zero(); domain.dimensions() * counts.iter().product::<usize>()];
    grid(domain, counts, &mut points)?;
    Ok(points)
}

/// Runs all stages. Prints how it goes, the time, and the relative L2 error of each output against `exact` at `test`; writes
/// the network.
pub fn run<R: CpuReal>(
    name: &str,
    mut trainer: Trainer<R>,
    test: &[R],
    exact: impl Fn(&[f64]) -> Vec<f64>,
) -> Result<(), Box<dyn Error>> {
    let steps: u64 = trainer.stages().iter().map(tapeless::train::Stage::steps).sum();
    println!(
        "{name}: {} weights, {} kB of workspace",
        trainer.parameters().len(),
        trainer.objective().workspace_bytes() / 1000
    );
    let start = Instant::now();
    while let Some(report) = trainer.step()? {
        if report.step % (steps / 10).max(1) == 0 || report.stage_ended {
            println!("step {:6}  loss {:.3e}  {:5.1} s", report.step, report.loss, start.elapsed().as_secs_f64());
        }
    }
    let seconds = start.elapsed().as_secs_f64();

    let found = trainer.outputs(test)?;
    let inputs = trainer.network()?.inputs();
    let plain = |numbers: &[R]| -> Vec<f64> { numbers.iter().map(|x| x.to_f64().unwrap_or(f64::NAN)).collect() };
    let expected: Vec<Vec<f64>> = test.chunks(inputs).map(|point| exact(&plain(point))).collect();
    let outputs = expected[0].len();
    let mut errors = Vec::new();
    for output in 0..outputs {
        let mut sums = (0.0, 0.0);
        for (row, expected) in found.chunks(outputs).zip(&expected) {
            let expected = expected[output];
            let found = row[output].to_f64().unwrap_or(f64::NAN);
            sums = (sums.0 + (found - expected).powi(2), sums.1 + expected * expected);
        }
        errors.push(format!("{:.2e}", (sums.0 / sums.1).sqrt()));
    }
    println!("{name}: relative L2 error {} after {seconds:.0} s", errors.join(", "));
    let path = std::env::temp_dir().join(format!("{name}.safetensors"));
    Model::of(&trainer.network()?).write(&path)?;
    println!("{name}: network written to {}", path.display());
    Ok(())
}
