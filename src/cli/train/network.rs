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
        let model = Model::read(texts.path(weights)).at("network.weights")?;
        model.notices.iter().for_each(report::notice);
        let hidden = match wanted.activation.as_deref().or(model.activation()) {
            Some(names) => {
                names.split(',').map(str::parse).collect::<Result<Vec<Activation>, _>>().at("network.activation")?
            }
            None if model.layers.len() == 1 => Vec::new(),
            None => {
                let expected = "the activation of the hidden layers, which the file does not say";
                return Err(KeyError::value(expected, "nothing")).at("network.activation");
            }
        };
        let output = match wanted.output_activation.as_deref().or(model.output_activation()) {
            Some(name) => name.parse().at("network.output_activation")?,
            None => Activation::Identity,
        };
        let network = model.network(&hidden, output).at("network.weights")?;
        Ok(Self { network, model: Some(model), scale_inputs: false })
    }
}
