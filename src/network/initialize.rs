//! Networks with random weights to start training from.

use std::fmt::{self, Display, Formatter};
use std::str::FromStr;

use super::{Activation, Layer, Network, NetworkError};
use crate::number::Real;
use crate::random::Random;

/// How the weights of a new network are drawn. `inputs` and `outputs` are those of a layer.
///
/// Written and read as `glorot_uniform`, `glorot_normal`, `he_uniform`, `he_normal`, `siren`, `pytorch`; `xavier` and
/// `kaiming` are read for `glorot` and `he`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Initialization {
    /// Weights uniform within sqrt(6 / (inputs + outputs)), bias 0: the usual choice for tanh (Glorot and Bengio,
    /// Understanding the difficulty of training deep feedforward neural networks, 2010).
    GlorotUniform,
    /// Weights normal with variance 2 / (inputs + outputs), bias 0.
    GlorotNormal,
    /// Weights uniform within sqrt(6 / inputs), bias 0: for relu and its relatives (He et al., Delving deep into rectifiers,
    /// 2015).
    HeUniform,
    /// Weights normal with variance 2 / inputs, bias 0.
    HeNormal,
    /// For the activation `sin:w0`: weights of the first layer uniform within 1 / inputs, of the others within
    /// sqrt(6 / inputs) / w0 (Sitzmann et al., Implicit neural representations with periodic activation functions, 2020,
    /// section 3.2); bias uniform within 1 / sqrt(inputs), as in the authors' program.
    Siren,
    /// Weights and bias uniform within 1 / sqrt(inputs), as `torch.nn.Linear` does.
    PyTorch,
}

/// A text that is not an initialisation.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown initialisation {name:?}; known are {}", Initialization::NAMES.join(", "))]
pub struct InitializationError {
    /// The text that was found.
    pub name: String,
}

/// The distribution of the numbers of a layer.
enum Distribution {
    /// Within the bound on either side of 0.
    Uniform(f64),
    /// With mean 0 and this standard deviation.
    Normal(f64),
    Zero,
}

impl Distribution {
    fn draw(&self, random: &mut Random) -> f64 {
        match *self {
            Self::Uniform(bound) => random.symmetric(bound),
            Self::Normal(deviation) => deviation * random.normal(),
            Self::Zero => 0.0,
        }
    }
}

impl Initialization {
    /// The names that can be read.
    pub const NAMES: [&str; 6] = ["glorot_uniform", "glorot_normal", "he_uniform", "he_normal", "siren", "pytorch"];

    /// The distributions of the weights and of the bias of a layer.
    fn distributions(self, first: bool, inputs: usize, outputs: usize, w0: f64) -> (Distribution, Distribution) {
        use Distribution::{Normal, Uniform, Zero};
        let (inputs, both) = (inputs as f64, inputs as f64 + outputs as f64);
        match self {
            Self::GlorotUniform => (Uniform((6.0 / both).sqrt()), Zero),
            Self::GlorotNormal => (Normal((2.0 / both).sqrt()), Zero),
            Self::HeUniform => (Uniform((6.0 / inputs).sqrt()), Zero),
            Self::HeNormal => (Normal((2.0 / inputs).sqrt()), Zero),
            Self::Siren if first => (Uniform(1.0 / inputs), Uniform(1.0 / inputs.sqrt())),
            Self::Siren => (Uniform((6.0 / inputs).sqrt() / w0), Uniform(1.0 / inputs.sqrt())),
            Self::PyTorch => (Uniform(1.0 / inputs.sqrt()), Uniform(1.0 / inputs.sqrt())),
        }
    }
}

impl FromStr for Initialization {
    type Err = InitializationError;

    fn from_str(text: &str) -> Result<Self, InitializationError> {
        match text.trim().to_ascii_lowercase().replace('-', "_").as_str() {
            "glorot_uniform" | "xavier_uniform" => Ok(Self::GlorotUniform),
            "glorot_normal" | "xavier_normal" => Ok(Self::GlorotNormal),
            "he_uniform" | "kaiming_uniform" => Ok(Self::HeUniform),
            "he_normal" | "kaiming_normal" => Ok(Self::HeNormal),
            "siren" => Ok(Self::Siren),
            "pytorch" => Ok(Self::PyTorch),
            _ => Err(InitializationError { name: text.to_owned() }),
        }
    }
}

impl Display for Initialization {
    /// The text that is read back as the same initialisation.
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let [glorot_uniform, glorot_normal, he_uniform, he_normal, siren, pytorch] = Self::NAMES;
        f.pad(match self {
            Self::GlorotUniform => glorot_uniform,
            Self::GlorotNormal => glorot_normal,
            Self::HeUniform => he_uniform,
            Self::HeNormal => he_normal,
            Self::Siren => siren,
            Self::PyTorch => pytorch,
        })
    }
}

impl<R: Real> Network<R> {
    /// A network with random weights: `widths` are the numbers of inputs, of neurons of each hidden layer, and of outputs;
    /// `activation` is that of the hidden layers, the last layer has none.
    ///
    /// The same seed gives the same bits on every machine; the numbers are drawn in f64 and rounded, so f32 gets those of
    /// f64.
    ///
    /// ```
    /// use tapeless::network::{Activation, Initialization, Network};
    ///
    /// let network = Network::<f64>::initialized(&[3, 64, 64, 1], Activation::Tanh, Initialization::GlorotNormal, 7)?;
    /// assert_eq!((network.inputs(), network.layers().len(), network.outputs()), (3, 3, 1));
    /// # Ok::<(), tapeless::network::NetworkError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`NetworkError::NoLayers`] for fewer than two widths, [`NetworkError::EmptyLayer`] for a width of 0,
    /// [`NetworkError::OutOfMemory`] for a layer too large, [`NetworkError::Parameter`] for a parameter of the activation
    /// beyond the float type, [`NetworkError::SirenWithout`] where SIREN's rule meets an activation that is not sin.
    pub fn initialized(
        widths: &[usize],
        activation: Activation,
        initialization: Initialization,
        seed: u64,
    ) -> Result<Self, NetworkError> {
        let w0 = match (initialization, activation) {
            (Initialization::Siren, Activation::Sin { w0 }) if w0 != 0.0 => w0.abs(),
            (Initialization::Siren, _) => {
                return Err(NetworkError::SirenWithout { activation: activation.to_string() });
            }
            _ => 1.0,
        };
        let mut random = Random::new(seed);
        let last = widths.len().saturating_sub(2);
        let layers = widths.windows(2).enumerate().map(|(layer, pair)| {
            let (inputs, outputs) = (pair[0], pair[1]);
            let out_of_memory = NetworkError::OutOfMemory { layer, inputs, outputs };
            let count = inputs.checked_mul(outputs).ok_or(out_of_memory.clone())?;
            let (weight, bias) = initialization.distributions(layer == 0, inputs, outputs, w0);
            let mut drawn = |count: usize, distribution: Distribution| {
                let mut numbers = Vec::new();
                numbers.try_reserve_exact(count).map_err(|_| out_of_memory.clone())?;
                numbers.extend((0..count).map(|_| R::literal(distribution.draw(&mut random))));
                Ok(numbers)
            };
            let (weights, bias) = (drawn(count, weight)?, drawn(outputs, bias)?);
            Layer::new(inputs, outputs, weights, bias, if layer == last { Activation::Identity } else { activation })
        });
        Network::new(layers.collect::<Result<_, _>>()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [Initialization; 6] = [
        Initialization::GlorotUniform,
        Initialization::GlorotNormal,
        Initialization::HeUniform,
        Initialization::HeNormal,
        Initialization::Siren,
        Initialization::PyTorch,
    ];
    const SINE: Activation = Activation::Sin { w0: 30.0 };

    fn drawn(initialization: Initialization, seed: u64) -> Network<f64> {
        Network::initialized(&[50, 200, 100, 2], SINE, initialization, seed).unwrap()
    }

    /// Mean and variance within four standard errors of those that the definitions give, all numbers within the bound.
    #[track_caller]
    fn assert_distributed(numbers: &[f64], bound: Option<f64>, variance: f64) {
        let count = numbers.len() as f64;
        let mean = numbers.iter().sum::<f64>() / count;
        let square = numbers.iter().map(|x| x * x).sum::<f64>() / count;
        // The variance of x^2 is 4/5 of the variance squared for uniform x, twice it for normal x.
        let spread = if bound.is_some() { 0.8 } else { 2.0 };
        assert!(mean.abs() < 4.0 * (variance / count).sqrt(), "mean {mean}");
        assert!((square / variance - 1.0).abs() < 4.0 * (spread / count).sqrt(), "variance {square} for {variance}");
        if let Some(bound) = bound {
            assert!(numbers.iter().all(|x| x.abs() <= bound));
        }
    }

    #[test]
    fn glorot() {
        let uniform = drawn(Initialization::GlorotUniform, 1);
        assert_distributed(uniform.layers()[0].weights(), Some((6.0_f64 / 250.0).sqrt()), 2.0 / 250.0);
        let normal = drawn(Initialization::GlorotNormal, 1);
        assert_distributed(normal.layers()[1].weights(), None, 2.0 / 300.0);
        assert!(uniform.layers().iter().chain(normal.layers()).all(|layer| layer.bias().iter().all(|bias| *bias == 0.0)));
    }

    #[test]
    fn he() {
        let uniform = drawn(Initialization::HeUniform, 1);
        assert_distributed(uniform.layers()[0].weights(), Some((6.0_f64 / 50.0).sqrt()), 2.0 / 50.0);
        let normal = drawn(Initialization::HeNormal, 1);
        assert_distributed(normal.layers()[1].weights(), None, 2.0 / 200.0);
        assert!(uniform.layers().iter().chain(normal.layers()).all(|layer| layer.bias().iter().all(|bias| *bias == 0.0)));
    }

    #[test]
    fn siren() {
        let network = drawn(Initialization::Siren, 1);
        let third = |bound: f64| (Some(bound), bound * bound / 3.0);
        for (layer, bound) in network.layers().iter().zip([1.0 / 50.0, 0.03_f64.sqrt() / 30.0, 0.06_f64.sqrt() / 30.0]) {
            let (bound, variance) = third(bound);
            assert_distributed(layer.weights(), bound, variance);
            let (bound, variance) = third((layer.inputs() as f64).sqrt().recip());
            assert_distributed(layer.bias(), bound, variance);
        }
        let refused = Network::<f64>::initialized(&[1, 4, 1], Activation::Tanh, Initialization::Siren, 1);
        assert_eq!(refused, Err(NetworkError::SirenWithout { activation: "tanh".to_owned() }));
    }

    #[test]
    fn pytorch() {
        let network = drawn(Initialization::PyTorch, 1);
        for layer in network.layers() {
            let bound = (layer.inputs() as f64).sqrt().recip();
            assert_distributed(layer.weights(), Some(bound), bound * bound / 3.0);
            assert_distributed(layer.bias(), Some(bound), bound * bound / 3.0);
        }
    }

    #[test]
    fn a_seed_is_a_network() {
        for initialization in ALL {
            assert_eq!(drawn(initialization, 7), drawn(initialization, 7));
            let (seven, eight) = (drawn(initialization, 7), drawn(initialization, 8));
            for (one, other) in seven.layers().iter().zip(eight.layers()) {
                assert!(one.weights().iter().zip(other.weights()).all(|(one, other)| one != other));
            }
            let narrow = Network::<f32>::initialized(&[50, 200, 100, 2], SINE, initialization, 7).unwrap();
            for (narrow, wide) in narrow.layers().iter().zip(seven.layers()) {
                assert!(narrow.weights().iter().zip(wide.weights()).all(|(narrow, wide)| *narrow == *wide as f32));
                assert!(narrow.bias().iter().zip(wide.bias()).all(|(narrow, wide)| *narrow == *wide as f32));
            }
        }
    }

    #[test]
    fn activations_are_placed() {
        let network = drawn(Initialization::PyTorch, 1);
        let activations: Vec<_> = network.layers().iter().map(Layer::activation).collect();
        assert_eq!(activations, [SINE, SINE, Activation::Identity]);
    }

    #[test]
    fn wrong_widths_are_errors() {
        let drawn = |widths: &[usize]| Network::<f32>::initialized(widths, SINE, Initialization::GlorotUniform, 1);
        assert_eq!(drawn(&[]), Err(NetworkError::NoLayers));
        assert_eq!(drawn(&[3]), Err(NetworkError::NoLayers));
        assert_eq!(drawn(&[3, 0, 1]), Err(NetworkError::EmptyLayer { layer: 0, inputs: 3, outputs: 0 }));
        for width in [usize::MAX, 1 << 60] {
            assert_eq!(drawn(&[2, width]), Err(NetworkError::OutOfMemory { layer: 0, inputs: 2, outputs: width }));
        }
    }

    #[test]
    fn every_name_is_read_and_written_back() {
        for (name, initialization) in Initialization::NAMES.into_iter().zip(ALL) {
            assert_eq!(name.parse(), Ok(initialization));
            assert_eq!(initialization.to_string(), name);
        }
        assert_eq!("Kaiming-normal".parse(), Ok(Initialization::HeNormal));
        assert!("orthogonal".parse::<Initialization>().unwrap_err().to_string().contains("siren"));
    }
}
