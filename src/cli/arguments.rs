//! What can be typed.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use serde::Deserialize;
use tapeless::evaluate::gpu::DeviceChoice;

/// Exact gradients and Hessians of neural networks, by hyper-dual numbers, and their training on differential equations.
#[derive(Parser)]
#[command(name = "tapeless", version, arg_required_else_help = true)]
pub struct Arguments {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The commands.
#[derive(Subcommand)]
pub enum Command {
    /// Value, gradient and Hessian of a network at many points.
    ///
    /// MODEL is the state_dict of a PyTorch network of dense layers, saved with safetensors. POINTS is a .npy, .npz or .csv
    /// file of shape (points, inputs).
    Eval(EvalArguments),
    /// Print the layers of a network: names, shapes, types, parameters.
    Inspect(InspectArguments),
    /// Train a network to solve a differential equation.
    ///
    /// PROBLEM is a .toml file: inputs, domain, residuals and conditions as texts, network, optimisers; docs/training.md says
    /// how to write one.
    Train(TrainArguments),
    /// Measure how fast this machine evaluates a network of a given shape, with random weights.
    Bench(BenchArguments),
    /// List the GPUs and software adapters of this machine, with their limits.
    Devices,
}

/// Of `tapeless eval`.
#[derive(Args)]
pub struct EvalArguments {
    /// The network, a .safetensors file.
    pub model: PathBuf,

    /// The points, a .npy, .npz or .csv file.
    pub points: PathBuf,

    /// Where to write: .npz (members value, gradient, hessian) or .csv (one named column each).
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,

    /// Activation of the hidden layers, or a comma list with one for each: tanh, sigmoid, sin[:w0], cos, softplus[:beta],
    /// silu, gelu, gelu_tanh, elu[:alpha], relu, leaky_relu[:slope], exp, gaussian, identity, erf, mish. Needed where the
    /// file's metadata does not say it.
    #[arg(long, value_name = "NAME")]
    pub activation: Option<String>,

    /// Activation of the last layer [default: identity, or what the file's metadata says].
    #[arg(long, value_name = "NAME")]
    pub output_activation: Option<String>,

    /// Names of the inputs, such as x,y,t [default: x0,x1,..].
    #[arg(long, value_name = "NAMES")]
    pub inputs: Option<String>,

    /// Names of the outputs, such as u [default: u, or u0,u1,..].
    #[arg(long, value_name = "NAMES")]
    pub outputs: Option<String>,

    /// What to compute, a comma list of value, gradient, hessian and operators such as u_t, u_xy or
    /// "u_t - 0.05*(u_xx + u_yy)", laplacian(u), laplacian(u,x,y); may be given several times [default: value, gradient,
    /// hessian].
    #[arg(long, value_name = "LIST")]
    pub derive: Vec<String>,

    /// Print the channels that are carried through the network and their cost per point.
    #[arg(long)]
    pub explain: bool,

    /// Precision of the arithmetic [default: f64 where the model holds f64, else f32].
    #[arg(long, value_name = "TYPE")]
    pub precision: Option<Precision>,

    /// Where to compute: cpu, gpu, gpu:NUMBER or gpu:NAME (see tapeless devices), gpu:cpu (a software adapter) or auto (a GPU if
    /// there is one, else the CPU).
    #[arg(long, value_name = "DEVICE", default_value = "cpu")]
    pub device: DeviceChoice,

    /// Number of threads, 1 to 1024 [default: one for each core].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,

    /// Name of the array within a .npz file of points that holds several.
    #[arg(long, value_name = "NAME")]
    pub member: Option<String>,
}

/// Of `tapeless inspect`.
#[derive(Args)]
pub struct InspectArguments {
    /// The network, a .safetensors file.
    pub model: PathBuf,
}

/// Of `tapeless train`.
#[derive(Args)]
pub struct TrainArguments {
    /// The problem, a .toml file.
    pub problem: PathBuf,

    /// The folder to write into: network, checkpoint, history, pictures [default: what the file says, or a folder with the
    /// file's name].
    #[arg(long, value_name = "FOLDER")]
    pub out: Option<PathBuf>,

    /// Go on with the run in the folder, with identical bits.
    #[arg(long, conflicts_with = "overwrite")]
    pub resume: bool,

    /// Replace the run in the folder.
    #[arg(long)]
    pub overwrite: bool,

    /// Precision of the arithmetic [default: what the file says, or f32].
    #[arg(long, value_name = "TYPE")]
    pub precision: Option<Precision>,

    /// Number of threads, 1 to 1024; the results do not depend on it [default: what the file says, or one for each core].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
}

/// Of `tapeless bench`.
#[derive(Args)]
pub struct BenchArguments {
    /// Number of inputs.
    #[arg(long, value_name = "D", default_value = "3", value_parser = clap::value_parser!(u16).range(1..=64))]
    pub inputs: u16,

    /// Number of outputs.
    #[arg(long, value_name = "M", default_value = "1", value_parser = clap::value_parser!(u16).range(1..=4096))]
    pub outputs: u16,

    /// Width of the hidden layers.
    #[arg(long, value_name = "W", default_value = "64", value_parser = clap::value_parser!(u16).range(1..=8192))]
    pub width: u16,

    /// Number of hidden layers.
    #[arg(long, value_name = "L", default_value = "4", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub layers: u16,

    /// Activation of the hidden layers.
    #[arg(long, value_name = "NAME", default_value = "tanh")]
    pub activation: String,

    /// Number of points.
    #[arg(long, value_name = "N", default_value = "10000")]
    pub batch: usize,

    /// What to compute, as for eval, with inputs x0,x1,.. and outputs u or u0,u1,.. [default: value, gradient, hessian].
    #[arg(long, value_name = "LIST")]
    pub derive: Vec<String>,

    /// Measure a training step instead: the mean square of this operator, which may be nonlinear, such as "u_x1 + u*u_x0", and
    /// its gradient by all weights.
    #[arg(long, value_name = "OPERATOR", conflicts_with = "derive")]
    pub train: Option<String>,

    /// Precision of the arithmetic.
    #[arg(long, value_name = "TYPE", default_value = "f32")]
    pub precision: Precision,

    /// Number of threads, 1 to 1024 [default: one for each core].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,

    /// Where to compute, as for eval.
    #[arg(long, value_name = "DEVICE", default_value = "cpu")]
    pub device: DeviceChoice,

    /// Seed of weights and points.
    #[arg(long, value_name = "S", default_value = "0")]
    pub seed: u64,

    /// Print the figures as one JSON object on the last line as well.
    #[arg(long)]
    pub json: bool,
}

/// Precision of the arithmetic.
#[derive(Clone, Copy, Debug, Deserialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Precision {
    /// Single precision.
    F32,
    /// Double precision.
    F64,
}
