//! `tapeless eval`: value, gradient and Hessian of a network at many points.

use std::str::FromStr;
use std::thread;

use num_traits::ToBytes;
use tapeless::Real;
use tapeless::evaluate::{Batch, Derivatives, Evaluator, ScalarEvaluator};
use tapeless::network::Activation;
use tapeless::network::import::Model;

use super::arguments::{EvalArguments, Precision};
use super::error::CommandError;
use super::names::Names;
use super::progress::Progress;
use super::results::{self, Column, Format, Member};
use super::{inspect, points, report};

/// Points between two looks at the progress.
const SLAB: usize = 4096;

/// Reads the model and the points, evaluates, writes the results and reports.
pub fn run(arguments: &EvalArguments) -> Result<(), CommandError> {
    // What can be refused is refused before any work is done.
    let format = Format::of(&arguments.out)?;
    results::check_target(&arguments.out)?;
    let derivatives = derivatives(&arguments.derive)?;
    let model = Model::read(&arguments.model)?;
    model.notices.iter().for_each(report::notice);
    match arguments.precision.unwrap_or(if model.holds_f64() { Precision::F64 } else { Precision::F32 }) {
        Precision::F32 => evaluate::<f32>(arguments, format, derivatives, &model),
        Precision::F64 => evaluate::<f64>(arguments, format, derivatives, &model),
    }
}

fn evaluate<R: Real + FromStr + ToBytes>(
    arguments: &EvalArguments,
    format: Format,
    derivatives: Derivatives,
    model: &Model,
) -> Result<(), CommandError> {
    let names = Names::new(arguments.inputs.as_deref(), model.inputs(), arguments.outputs.as_deref(), model.outputs())?;
    let hidden = hidden_activations(arguments, model)?;
    let output = output_activation(arguments, model)?;
    let network = model
        .network::<R>(&hidden, output)
        .map_err(|error| CommandError::Network { model: model.path.display().to_string(), error })?;
    let points = points::read::<R>(&arguments.points, arguments.member.as_deref(), model.inputs())?;
    points.notices.iter().for_each(report::notice);

    let threads = arguments.threads.map_or_else(|| thread::available_parallelism().map_or(1, usize::from), usize::from);
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .map_err(|error| CommandError::Threads { threads, error })?;
    let evaluator = pool.install(|| ScalarEvaluator::new(network, derivatives));
    let mut batch = Batch::new();
    batch.resize(points.rows, points.columns, model.outputs(), derivatives, 0)?;
    let mut progress = Progress::new(points.rows);
    for start in (0..points.rows).step_by(SLAB) {
        let end = points.rows.min(start + SLAB);
        let slab = &points.values[start * points.columns..end * points.columns];
        pool.install(|| evaluator.evaluate_rows(slab, batch.rows_between(start, end)))?;
        progress.done(end);
    }
    let seconds = progress.finish().as_secs_f64();

    let arrays = arrays(&batch, derivatives);
    let (written, contents) = match format {
        Format::Npz => {
            let members: Vec<Member<R>> = arrays.iter().map(|(name, shape, data)| Member { name, shape, data }).collect();
            let shapes: Vec<String> = members.iter().map(|member| format!("{} {:?}", member.name, member.shape)).collect();
            (results::write_npz(&arguments.out, &members)?, shapes.join(", "))
        }
        Format::Csv => {
            let columns = columns(&batch, derivatives, &names);
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
        names.inputs.join(", "),
        points.stored,
    ));
    report::line(format_args!(
        "computed  {} in {} on {} in {seconds:.3} s: {} points/s, workspace {}",
        arrays.iter().map(|(name, ..)| *name).collect::<Vec<_>>().join(", "),
        std::any::type_name::<R>(),
        report::counted(threads, "thread"),
        report::count((points.rows as f64 / seconds.max(1e-9)) as usize),
        report::bytes(evaluator.workspace_bytes() as u64),
    ));
    report::line(format_args!("written   {} ({}): {contents}", arguments.out.display(), report::bytes(written)));
    report_not_finite(&batch);
    Ok(())
}

/// A row with a NaN or an infinity is worth a word.
fn report_not_finite<R: Real>(batch: &Batch<R>) {
    let mut rows = (0..batch.points()).filter(|&row| {
        [&batch.value, &batch.gradient, &batch.hessian].into_iter().any(|result| {
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

/// What `--derive` asks for.
fn derivatives(lists: &[String]) -> Result<Derivatives, CommandError> {
    if lists.is_empty() {
        return Ok(Derivatives::ALL);
    }
    let mut derivatives = Derivatives { value: false, gradient: false, hessian: false };
    for name in lists.iter().flat_map(|list| list.split(',')) {
        match name.trim() {
            "value" => derivatives.value = true,
            "gradient" => derivatives.gradient = true,
            "hessian" => derivatives.hessian = true,
            unknown => return Err(CommandError::Derive { found: unknown.to_owned() }),
        }
    }
    Ok(derivatives)
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

/// Name, shape and numbers of each result that was asked for.
fn arrays<R: Real>(batch: &Batch<R>, derivatives: Derivatives) -> Vec<(&'static str, Vec<usize>, &[R])> {
    let (n, m, d) = (batch.points(), batch.outputs(), batch.inputs());
    let all = [
        (derivatives.value, ("value", vec![n, m], batch.value.as_slice())),
        (derivatives.gradient, ("gradient", vec![n, m, d], batch.gradient.as_slice())),
        (derivatives.hessian, ("hessian", vec![n, m, d, d], batch.hessian.as_slice())),
    ];
    all.into_iter().filter(|(asked, _)| *asked).map(|(_, array)| array).collect()
}

/// The columns of a .csv file: all values, then first, then second derivatives, each pair of inputs once.
fn columns<'a, R: Real>(batch: &'a Batch<R>, derivatives: Derivatives, names: &Names) -> Vec<Column<'a, R>> {
    let (m, d) = (batch.outputs(), batch.inputs());
    let mut columns = Vec::new();
    if derivatives.value {
        let column = |k: usize| Column { name: names.outputs[k].clone(), data: &batch.value, offset: k, stride: m };
        columns.extend((0..m).map(column));
    }
    if derivatives.gradient {
        let column =
            |k: usize, i| Column { name: names.first(k, i), data: &batch.gradient, offset: k * d + i, stride: m * d };
        columns.extend((0..m).flat_map(|k| (0..d).map(move |i| column(k, i))));
    }
    if derivatives.hessian {
        let column = |k: usize, i, j| Column {
            name: names.second(k, i, j),
            data: &batch.hessian,
            offset: (k * d + i) * d + j,
            stride: m * d * d,
        };
        columns.extend((0..m).flat_map(|k| (0..d).flat_map(move |i| (i..d).map(move |j| column(k, i, j)))));
    }
    columns
}
