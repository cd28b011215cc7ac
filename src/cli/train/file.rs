//! What can be written in a problem file; docs/training.md tells what it means.

use std::collections::BTreeMap;
use std::fmt::{self, Display, Formatter};
use std::path::PathBuf;

use serde::Deserialize;

use crate::cli::arguments::Precision;

/// A whole file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct File {
    /// Names of the inputs of the network, in order.
    pub inputs: Vec<String>,
    /// Names of its outputs.
    pub outputs: Vec<String>,
    /// The seed of weights and points.
    #[serde(default)]
    pub seed: u64,
    /// Numbers by name, for all texts.
    #[serde(default)]
    pub constants: BTreeMap<String, Number>,
    /// From where to where each input goes.
    pub domain: BTreeMap<String, Vec<Number>>,
    /// What is to vanish.
    pub term: Vec<Term>,
    /// Conditions that hold by construction, by output.
    #[serde(default)]
    pub transform: BTreeMap<String, Transform>,
    /// The solution by output, where it is known.
    pub exact: Option<BTreeMap<String, Number>>,
    /// The solution at the points of a file.
    pub reference: Option<Data>,
    /// The network to start from.
    pub network: Network,
    /// The optimisers, one after the other.
    pub stage: Vec<Stage>,
    /// How the run goes.
    #[serde(default)]
    pub run: Run,
    /// What the pictures show.
    #[serde(default)]
    pub picture: Picture,
}

impl File {
    /// Files that the problem names, with their keys.
    pub fn files(&self) -> impl Iterator<Item = (String, &PathBuf)> {
        let weights = self.network.weights.iter().map(|path| ("network.weights".to_owned(), path));
        let reference = self.reference.iter().map(|data| ("reference: file".to_owned(), &data.file));
        let terms =
            self.term.iter().filter_map(|term| Some((format!("term \"{}\": file", term.name), term.file.as_ref()?)));
        weights.chain(reference).chain(terms)
    }
}

/// A number, or a text that says how it is worked out.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged, expecting = "expected a number or a text such as \"0.01/pi\"")]
pub enum Number {
    /// A number.
    Plain(f64),
    /// A text.
    Text(String),
}

impl Display for Number {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Plain(number) => number.fmt(f),
            Self::Text(text) => text.fmt(f),
        }
    }
}

/// One text or several.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged, expecting = "expected a text such as \"u_t - u_xx\" or a list of such texts")]
pub enum Texts {
    /// One.
    One(String),
    /// Several.
    Several(Vec<String>),
}

impl Texts {
    /// All of them.
    pub fn all(&self) -> &[String] {
        match self {
            Self::One(text) => std::slice::from_ref(text),
            Self::Several(texts) => texts,
        }
    }
}

/// Points with residuals.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Term {
    pub name: String,
    pub residual: Texts,
    pub weight: Option<Number>,
    pub points: Option<Points>,
    pub sampling: Option<String>,
    /// Coordinates that are the same for all points.
    #[serde(default)]
    pub at: BTreeMap<String, Number>,
    /// Inputs across whose bounds the faces lie that points are on.
    pub faces: Option<Vec<String>>,
    pub resample: Option<Resample>,
    pub file: Option<PathBuf>,
    pub columns: Option<Vec<String>>,
}

/// How many points.
#[derive(Debug, Deserialize)]
#[serde(untagged, expecting = "expected a number of points, or for a grid a list with the number of lines of each input")]
pub enum Points {
    /// So many.
    Count(usize),
    /// The lines of a grid, for each input that is not fixed by `at`.
    Lines(Vec<usize>),
}

/// Points that are drawn anew.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Resample {
    pub every: u64,
    pub by_residual: Option<ByResidual>,
}

/// New points where the residual is large.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ByResidual {
    pub candidates: usize,
    #[serde(default = "one")]
    pub exponent: f64,
    #[serde(default = "one")]
    pub offset: f64,
}

/// g and l of u = g + l N.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Transform {
    pub offset: Option<Number>,
    pub factor: Option<Number>,
}

/// A file with coordinates and the solution there.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Data {
    pub file: PathBuf,
    pub columns: Vec<String>,
}

/// The network.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Network {
    pub hidden: Option<Vec<usize>>,
    pub activation: Option<String>,
    pub output_activation: Option<String>,
    pub initialization: Option<String>,
    pub scale_inputs: Option<bool>,
    pub weights: Option<PathBuf>,
}

/// An optimiser. One table for all kinds, since that tells a mistake with its line; which keys are for which kind is checked
/// behind that.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stage {
    pub optimizer: Optimizer,
    pub steps: u64,
    pub rate: Option<f64>,
    pub warm_up: Option<u64>,
    pub decay: Option<Decay>,
    pub beta1: Option<f64>,
    pub beta2: Option<f64>,
    pub epsilon: Option<f64>,
    pub largest_norm: Option<f64>,
    pub history: Option<usize>,
    pub gradient_tolerance: Option<f64>,
    pub loss_tolerance: Option<f64>,
    pub evaluations: Option<u32>,
}

/// The kinds of optimisers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Optimizer {
    Adam,
    Lbfgs,
}

/// How a learning rate falls.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Decay {
    pub kind: DecayKind,
    pub steps: u64,
    pub factor: Option<f64>,
    pub least: Option<f64>,
}

/// The ways in which it falls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DecayKind {
    Exponential,
    Steps,
    Cosine,
}

/// How the run goes.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Run {
    pub precision: Precision,
    pub threads: Option<u16>,
    /// The folder to write into.
    pub out: Option<PathBuf>,
    /// Steps between two checkpoints.
    pub checkpoint_steps: Option<u64>,
    /// Seconds after which one is written at the latest.
    pub checkpoint_seconds: f64,
    /// Steps between two lines of the history.
    pub history_every: u64,
}

impl Default for Run {
    fn default() -> Self {
        Self {
            precision: Precision::F32,
            threads: None,
            out: None,
            checkpoint_steps: None,
            checkpoint_seconds: 60.0,
            history_every: 100,
        }
    }
}

/// What the pictures show.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Picture {
    /// Inputs that are fixed, so that one or two remain.
    pub at: BTreeMap<String, Number>,
}

fn one() -> f64 {
    1.0
}
