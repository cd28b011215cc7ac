//! `tapeless eval`: value, gradient and Hessian of a network at many points.

use std::collections::HashSet;
use std::path::Path;
use std::str::FromStr;

use num_traits::ToBytes;
use tapeless::Real;
use tapeless::evaluate::gpu::GpuReal;
use tapeless::evaluate::{Batch, CpuReal, Derivatives};
use tapeless::file::check_target;
use tapeless::network::Activation;
use tapeless::network::import::Model;
use tapeless::operator::Names;

use super::arguments::{EvalArguments, Precision};
use super::engine::Engine;
use super::error::CommandError;
use super::progress::Progress;
use super::request::Request;
use super::results::{self, Column, Format, Member};
use super::{inspect, names, points, report, threads};

/// Reads the model and the points, evaluates, writes the results and reports.
pub fn run(arguments: &EvalArguments) -> Result<(), CommandError> {
    // What can be refused is refused before any work is done.
    let format = Format::of(&arguments.out)?;
    check_target(&arguments.out)?;
    for input in [&arguments.model, &arguments.points] {
        check_not_read(&arguments.out, input)?;
    }
    let model = Model::read(&arguments.model)?;
    model.notices.iter().for_each(report::notice);
    match arguments.precision.unwrap_or(if model.holds_f64() { Precision::F64 } else { Precision::F32 }) {
        Precision::F32 => evaluate::<f32>(arguments, format, &model),
        Precision::F64 => evaluate::<f64>(arguments, format, &model),
    }
}

/// Columns with the names of the inputs in another order are a mistake waiting to be made.
fn check_order(arguments: &EvalArguments, columns: &[String], inputs: &[String]) -> Result<(), CommandError> {
    let sorted = |names: &[String]| {
        let mut names = names.to_vec();
        names.sort();
        names
    };
    if columns != inputs && sorted(columns) == sorted(inputs) {
        return Err(CommandError::ColumnOrder {
            points: arguments.points.display().to_string(),
            columns: columns.join(","),
            inputs: inputs.join(","),
        });
    }
    Ok(())
}

/// The output must not replace what is read.
fn check_not_read(out: &Path, input: &Path) -> Result<(), CommandError> {
    match (out.canonicalize(), input.canonicalize()) {
        (Ok(same), Ok(file)) if same == file => {
            Err(CommandError::OutIsInput { out: out.display().to_string(), input: input.display().to_string() })
        }
        _ => Ok(()),
    }
}

/// The metadata key of what the solution is made of beside the network.
pub const TRANSFORM: &str = "transform";

/// Names that the file's metadata hold, as `tapeless train` writes them, if they are as many as there should be.
fn named_in<'a>(model: &'a Model, key: &str, count: usize) -> Option<&'a str> {
    model.metadata.get(key).map(String::as_str).filter(|names| names.split(',').count() == count)
}

fn evaluate<R: CpuReal + GpuReal + FromStr + ToBytes>(
    arguments: &EvalArguments,
    format: Format,
    model: &Model,
) -> Result<(), CommandError> {
    let inputs = arguments.inputs.as_deref().or(named_in(model, "inputs", model.inputs()));
    let outputs = arguments.outputs.as_deref().or(named_in(model, "outputs", model.outputs()));
    let names = names::read(inputs, model.inputs(), outputs, model.outputs())?;
    if let Some(transform) = model.metadata.get(TRANSFORM) {
        report::notice(format_args!("the solution is {transform} with this network N; what follows is N alone"));
    }
    let request = Request::read(&arguments.derive, &names)?;
    let hidden = hidden_activations(arguments, model)?;
    let output = output_activation(arguments, model)?;
    let network = model
        .network::<R>(&hidden, output)
        .map_err(|error| CommandError::Network { model: model.path.display().to_string(), error })?;
    let points = points::read::<R>(&arguments.points, arguments.member.as_deref(), model.inputs())?;
    points.notices.iter().for_each(report::notice);
    if let Some(columns) = &points.names {
        check_order(arguments, columns, names.inputs())?;
    }

    let pool = threads::pool(arguments.threads)?;
    let engine = Engine::new(&arguments.device, &pool, &network, &request)?;
    if arguments.explain {
        engine.explain(&names).iter().for_each(report::line);
    }
    let evaluator = engine.evaluator();
    let mut batch = Batch::new();
    let operators = request.operators.len();
    batch.resize(points.rows, points.columns, model.outputs(), request.derivatives, operators)?;
    let mut progress = Progress::new(points.rows);
    let mut first = None;
    for start in (0..points.rows).step_by(engine.slab()) {
        let end = points.rows.min(start + engine.slab());
        let slab = &points.values[start * points.columns..end * points.columns];
        pool.install(|| evaluator.evaluate_rows(slab, batch.rows_between(start, end)))?;
        first = first.or_else(|| engine.start());
        progress.done(end);
    }
    let seconds = progress.finish().as_secs_f64();

    let arrays = arrays(&batch, &request);
    let (written, contents) = match format {
        Format::Npz => {
            let members: Vec<Member<R>> =
                arrays.iter().map(|(name, shape, data, stride)| Member { name, shape, data, stride: *stride }).collect();
            let shapes: Vec<String> = members.iter().map(|member| format!("{} {:?}", member.name, member.shape)).collect();
            (results::write_npz(&arguments.out, &members)?, shapes.join(", "))
        }
        Format::Csv => {
            let columns = columns(&batch, &request, &names);
            let text = report::counted(columns.len(), "column");
            (results::write_csv(&arguments.out, points.rows, &columns)?, text)
        }
    };

    let activations: Vec<String> = hidden.iter().map(Activation::to_string).collect();
    let output = if output == Activation::Identity { String::new() } else { format!(", output {output}") };
    let activation = if model.layers.len() > 1 { format!(", {}", activations.join(",")) } else { String::new() };
    report::line(format_args!("model     {}{activation}{output}", inspect::summary(model)));
    report::line(format_args!(
        "points    {}: {} ({}), stored as {}",
        arguments.points.display(),
        report::counted(points.rows, "point"),
        names.inputs().join(", "),
        points.stored,
    ));
    report::line(format_args!(
        "computed  {} in {} on {} in {seconds:.3} s: {} points/s, workspace {}",
        arrays.iter().map(|(name, ..)| *name).collect::<Vec<_>>().join(", "),
        std::any::type_name::<R>(),
        engine.place(),
        report::count((points.rows as f64 / seconds.max(1e-9)) as usize),
        report::bytes(evaluator.workspace_bytes() as u64),
    ));
    if let Some(first) = first {
        report::line(format_args!("device    {:.3} s from its opening to the first result", first.as_secs_f64()));
    }
    report::line(format_args!("written   {} ({}): {contents}", arguments.out.display(), report::bytes(written)));
    report_not_finite(&batch);
    Ok(())
}

/// A row with a NaN or an infinity is worth a word.
fn report_not_finite<R: Real>(batch: &Batch<R>) {
    let mut rows = (0..batch.points()).filter(|&row| {
        [&batch.value, &batch.gradient, &batch.hessian, &batch.operators].into_iter().any(|result| {
            let width = result.len() / batch.points();
            result[row * width..(row + 1) * width].iter().any(|number| !number.is_finite())
        })
    });
    if let Some(first) = rows.next() {
        report::notice(format_args!(
            "{} of {} points gave results that are not finite, the first is row {first} (counted from 0)",
            report::count(1 + rows.count()),
            report::count(batch.points()),
        ));
    }
}

/// The activations of the hidden layers: what the user says, else what the file says.
fn hidden_activations(arguments: &EvalArguments, model: &Model) -> Result<Vec<Activation>, CommandError> {
    let (text, origin) = match (&arguments.activation, model.activation()) {
        (Some(text), _) => (text.as_str(), "--activation".to_owned()),
        (None, Some(text)) => (text, format!("{}: activation in the metadata", model.path.display())),
        // Without hidden layers there is nothing to say.
        (None, None) if model.layers.len() == 1 => return Ok(Vec::new()),
        (None, None) => return Err(CommandError::NoActivation { model: model.path.display().to_string() }),
    };
    text.split(',').map(|name| activation(name, &origin)).collect()
}

/// The activation of the last layer: what the user says, else what the file says, else none.
fn output_activation(arguments: &EvalArguments, model: &Model) -> Result<Activation, CommandError> {
    match (&arguments.output_activation, model.output_activation()) {
        (Some(text), _) => activation(text, "--output-activation"),
        (None, Some(text)) => activation(text, &format!("{}: output activation in the metadata", model.path.display())),
        (None, None) => Ok(Activation::Identity),
    }
}

fn activation(text: &str, origin: &str) -> Result<Activation, CommandError> {
    text.parse().map_err(|error| CommandError::Activation { origin: origin.to_owned(), error })
}

/// Name, shape, numbers and their distance of each result that was asked for.
fn arrays<'a, R: Real>(batch: &'a Batch<R>, request: &'a Request) -> Vec<(&'a str, Vec<usize>, &'a [R], usize)> {
    let (n, m, d) = (batch.points(), batch.outputs(), batch.inputs());
    let Derivatives { value, gradient, hessian } = request.derivatives;
    let all = [
        (value, ("value", vec![n, m], batch.value.as_slice(), 1)),
        (gradient, ("gradient", vec![n, m, d], batch.gradient.as_slice(), 1)),
        (hessian, ("hessian", vec![n, m, d, d], batch.hessian.as_slice(), 1)),
    ];
    let operators = request.texts.iter().enumerate().map(|(number, text)| {
        (text.as_str(), vec![n], batch.operators.get(number..).unwrap_or_default(), request.texts.len())
    });
    all.into_iter().filter(|(asked, _)| *asked).map(|(_, array)| array).chain(operators).collect()
}

/// The columns of a .csv file: all values, then first, then second derivatives, each pair of inputs once, then operators.
fn columns<'a, R: Real>(batch: &'a Batch<R>, request: &Request, names: &Names) -> Vec<Column<'a, R>> {
    let (m, d) = (batch.outputs(), batch.inputs());
    let mut columns = Vec::new();
    let mut add = |name: String, data: &'a [R], offset: usize, stride: usize| {
        columns.push(Column { name, data, offset, stride });
    };
    if request.derivatives.value {
        (0..m).for_each(|k| add(names.outputs()[k].clone(), &batch.value, k, m));
    }
    if request.derivatives.gradient {
        for (k, i) in (0..m).flat_map(|k| (0..d).map(move |i| (k, i))) {
            add(names.first(k, i), &batch.gradient, k * d + i, m * d);
        }
    }
    if request.derivatives.hessian {
        for (k, i, j) in (0..m).flat_map(|k| (0..d).flat_map(move |i| (i..d).map(move |j| (k, i, j)))) {
            add(names.second(k, i, j), &batch.hessian, (k * d + i) * d + j, m * d * d);
        }
    }
    let named: HashSet<String> = columns.iter().map(|column| column.name.clone()).collect();
    for (number, text) in request.texts.iter().enumerate() {
        // An operator that is a column already, such as u_xx beside the Hessian.
        if !named.contains(text) {
            let (data, stride) = (batch.operators.as_slice(), request.texts.len());
            columns.push(Column { name: text.clone(), data, offset: number, stride });
        }
    }
    columns
}
