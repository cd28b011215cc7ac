//! The network that a run starts from, and the file that it is written to.

use std::path::PathBuf;

use tapeless::evaluate::CpuReal;
use tapeless::network::import::Model;
use tapeless::network::{Activation, Initialization, Network};

use super::error::{At, KeyError, Keyed};
use super::file::{self, File};
use super::texts::Texts;
use crate::cli::report;

/// A network to train.
pub struct Start<R> {
    /// Its weights at the start.
    pub network: Network<R>,
    /// The file that they came from, whose names and metadata are kept.
    pub model: Option<Model>,
    /// Whether its inputs are to be taken to [-1, 1].
    pub scale_inputs: bool,
}

impl<R: CpuReal> Start<R> {
    /// A new network, or that of a file.
    pub fn read(file: &File, texts: &Texts) -> Result<Self, Keyed> {
        let wanted = &file.network;
        let start = match (&wanted.hidden, &wanted.weights) {
            (Some(hidden), None) => Self::new(file, texts, hidden)?,
            (None, Some(weights)) => Self::of_file(wanted, texts, weights)?,
            (hidden, _) => {
                let found = if hidden.is_some() { "both" } else { "neither" };
                return Err(KeyError::value("either hidden, such as [64, 64], or weights, a file", found)).at("network");
            }
        };
        let [inputs, outputs] = [texts.names.inputs().len(), texts.names.outputs().len()];
        let network = &start.network;
        for (key, expected, found) in [("inputs", inputs, network.inputs()), ("outputs", outputs, network.outputs())] {
            if expected != found {
                let expected = format!("a network with {expected} {key}, as the problem has");
                return Err(KeyError::value(expected, found.to_string())).at("network.weights");
            }
        }
        Ok(start)
    }

    fn new(file: &File, texts: &Texts, hidden: &[usize]) -> Result<Self, Keyed> {
        let file::Network { activation, output_activation, initialization, scale_inputs, .. } = &file.network;
        if output_activation.is_some() {
            return Err(KeyError::value("nothing for a new network, whose last layer is linear", "a name"))
                .at("network.output_activation");
        }
        let activation: Activation = activation.as_deref().unwrap_or("tanh").parse().at("network.activation")?;
        let initialization: Initialization =
            initialization.as_deref().unwrap_or("glorot_normal").parse().at("network.initialization")?;
        let widths = [&[texts.names.inputs().len()], hidden, &[texts.names.outputs().len()]].concat();
        let network = Network::initialized(&widths, activation, initialization, file.seed).at("network")?;
        Ok(Self { network, model: None, scale_inputs: scale_inputs.unwrap_or(true) })
    }

    fn of_file(wanted: &file::Network, texts: &Texts, weights: &PathBuf) -> Result<Self, Keyed> {
        let new = [("initialization", wanted.initialization.is_some()), ("scale_inputs", wanted.scale_inputs.is_some())];
        if let Some((key, _)) = new.iter().find(|(_, given)| *given) {
            return Err(KeyError::value("nothing where the weights come from a file", "a value"))
                .at(format!("network.{key}"));
        }
        let mut model = Model::read(texts.path(weights)).at("network.weights")?;
        model.notices.iter().for_each(report::notice);
        let hidden = chosen(&model, wanted.activation.as_deref(), model.activation(), "network.activation")?;
        if hidden.is_none() && model.layers.len() > 1 {
            let expected = "the activation of the hidden layers, which the file does not say";
            return Err(KeyError::value(expected, "nothing")).at("network.activation");
        }
        let hidden = hidden.unwrap_or_default();
        let output = wanted.output_activation.as_deref();
        let output = chosen(&model, output, model.output_activation(), "network.output_activation")?;
        // The file that is written says what was trained.
        if model.activation().is_none() && model.layers.len() > 1 {
            let names: Vec<String> = hidden.iter().map(Activation::to_string).collect();
            model.metadata.insert("activation".to_owned(), names.join(","));
        }
        if let (None, Some([output])) = (model.output_activation(), output.as_deref()) {
            model.metadata.insert("output_activation".to_owned(), output.to_string());
        }
        let output = output.and_then(|names| names.first().copied()).unwrap_or(Activation::Identity);
        let network = model.network(&hidden, output).at("network.weights")?;
        Ok(Self { network, model: Some(model), scale_inputs: false })
    }
}

/// The activations that the problem or the metadata of the weights name, if either does; they must not contradict each other.
fn chosen(model: &Model, wanted: Option<&str>, told: Option<&str>, key: &str) -> Result<Option<Vec<Activation>>, Keyed> {
    let parse = |names: &str| names.split(',').map(str::parse).collect::<Result<Vec<Activation>, _>>().at(key);
    let (Some(wanted), Some(told)) = (wanted, told) else { return wanted.or(told).map(parse).transpose() };
    let names = (parse(wanted)?, parse(told)?);
    // One name is for all hidden layers.
    let hidden = model.layers.len().saturating_sub(1);
    let each = |names: &[Activation]| if let [name] = names { vec![*name; hidden.max(1)] } else { names.to_vec() };
    match each(&names.0) == each(&names.1) {
        true => Ok(Some(names.0)),
        false => {
            let expected = format!("\"{told}\", which the metadata of {} say, or no such key", model.path.display());
            Err(KeyError::value(expected, format!("\"{wanted}\""))).at(key)
        }
    }
}
