//! `tapeless inspect`: what is in a model file.

use tapeless::network::import::Model;

use super::arguments::InspectArguments;
use super::error::CommandError;
use super::report;

/// Prints the layers of the model.
pub fn run(arguments: &InspectArguments) -> Result<(), CommandError> {
    let model = Model::read(&arguments.model)?;
    model.notices.iter().for_each(report::notice);
    report::line(summary(&model));
    for layer in &model.layers {
        let name = if layer.name.is_empty() { "(unnamed)" } else { &layer.name };
        let bias = if layer.has_bias { "bias" } else { "no bias" };
        let norm = if layer.weight_norm { ", weight norm" } else { "" };
        let parameters = layer.weights.len() + if layer.has_bias { layer.bias.len() } else { 0 };
        report::line(format_args!(
            "  {name}: weight [{}, {}], {bias}, {}{norm}, {}",
            layer.outputs,
            layer.inputs,
            layer.stored,
            report::counted(parameters, "parameter"),
        ));
    }
    for (what, activation) in [("activation", model.activation()), ("output activation", model.output_activation())] {
        report::line(format_args!("  {what}: {}", activation.unwrap_or("not in the file")));
    }
    Ok(())
}

/// One line: the file, its layers, parameters and their types.
pub fn summary(model: &Model) -> String {
    let mut widths = vec![model.inputs().to_string()];
    let mut types: Vec<String> = model.layers.iter().map(|layer| layer.stored.to_string()).collect();
    types.sort();
    types.dedup();
    widths.extend(model.layers.iter().map(|layer| layer.outputs.to_string()));
    format!(
        "{}: {} ({}), {} stored as {}",
        model.path.display(),
        report::counted(model.layers.len(), "layer"),
        widths.join("-"),
        report::counted(model.parameters(), "parameter"),
        types.join(" and "),
    )
}
