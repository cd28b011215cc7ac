//! Activations by name.

use std::fmt::{self, Display, Formatter};
use std::str::FromStr;

use crate::number::rule::Jet;
use crate::number::{Real, Scalar};

/// What a layer does to each of its sums.
///
/// Written and read as PyTorch users say it: `tanh`, `silu` (or `swish`), `gelu` (the exact one, PyTorch's default) and
/// `gelu_tanh` (its approximation) are different functions; a parameter follows a colon: `sin:30`, `softplus:3`,
/// `elu:0.5`, `leaky_relu:0.2`.
///
/// ```
/// use tapeless::network::Activation;
///
/// assert_eq!("sin:30".parse(), Ok(Activation::Sin { w0: 30.0 }));
/// assert_eq!(Activation::Softplus { beta: 1.0 }.apply(0.0), 2.0_f64.ln());
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Activation {
    /// x itself.
    Identity,
    /// Hyperbolic tangent.
    Tanh,
    /// 1/(1 + exp(-x)).
    Sigmoid,
    /// sin(w0 x), as in SIREN networks. `sin` alone has w0 = 1.
    Sin {
        /// The factor on the argument.
        w0: f64,
    },
    /// cos(x).
    Cos,
    /// ln(1 + exp(beta x)) / beta, exact everywhere: PyTorch's switch to x above its threshold (20 by default, where the two
    /// differ by 2e-9) is not imitated. `softplus` alone has beta = 1.
    Softplus {
        /// The sharpness, above 0.
        beta: f64,
    },
    /// x sigmoid(x), also called swish.
    Silu,
    /// x Phi(x): the exact GELU, `torch.nn.GELU()`.
    Gelu,
    /// The tanh form of GELU, `torch.nn.GELU(approximate="tanh")`.
    GeluTanh,
    /// x for x > 0, else alpha (exp(x) - 1). `elu` alone has alpha = 1. At 0 the left side's derivatives, as in PyTorch.
    Elu {
        /// The depth on the left.
        alpha: f64,
    },
    /// max(x, 0), slope 0 at 0 as in PyTorch. Its second derivative is 0 everywhere.
    Relu,
    /// x for x > 0, else slope x. `leaky_relu` alone has slope 0.01. Its second derivative is 0 everywhere.
    LeakyRelu {
        /// The slope on the left.
        slope: f64,
    },
    /// exp(x).
    Exp,
    /// exp(-x^2).
    Gaussian,
    /// The error function.
    Erf,
    /// x tanh(softplus(x)).
    Mish,
}

/// A text that is not an activation.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ActivationError {
    /// No activation has this name.
    #[error("unknown activation {name:?}; known are {}", Activation::NAMES.join(", "))]
    UnknownName {
        /// The name that was found.
        name: String,
    },
    /// A parameter that is not a number, or not one that makes sense.
    #[error("activation {text:?}: the parameter after the colon must be a finite number{}", if *.positive { " above 0" } else { "" })]
    BadParameter {
        /// The whole text.
        text: String,
        /// Whether it has to be above 0.
        positive: bool,
    },
    /// A parameter for an activation that has none.
    #[error("activation {name:?} takes no parameter; remove {:?}", format!(":{}", parameter))]
    UnexpectedParameter {
        /// The activation's name.
        name: String,
        /// The text after the colon.
        parameter: String,
    },
}

impl Activation {
    /// The names that can be read, a parameter in brackets.
    pub const NAMES: [&str; 16] = [
        "tanh",
        "sigmoid",
        "sin[:w0]",
        "cos",
        "softplus[:beta]",
        "silu",
        "gelu",
        "gelu_tanh",
        "elu[:alpha]",
        "relu",
        "leaky_relu[:slope]",
        "exp",
        "gaussian",
        "identity",
        "erf",
        "mish",
    ];

    /// The activation of a number, plain or dual.
    #[inline]
    pub fn apply<S: Scalar>(self, x: S) -> S {
        x.lift(&self.jet(x.primitive()), 0)
    }

    /// Its parameter; 1 for an activation without one.
    pub fn parameter(self) -> f64 {
        match self {
            Self::Sin { w0 } => w0,
            Self::Softplus { beta } => beta,
            Self::Elu { alpha } => alpha,
            Self::LeakyRelu { slope } => slope,
            _ => 1.0,
        }
    }

    /// Value and derivatives of orders one to four at a plain value, from the rule table.
    pub(crate) fn jet<R: Real>(self, x: R) -> Jet<R> {
        macro_rules! apply {
            ($rule:path) => {
                $rule(x)
            };
            ($rule:path, parameter) => {
                $rule(x, R::literal(self.parameter()))
            };
        }
        by_activation!(self, apply)
    }
}

/// The rule of an activation: calls the macro `$apply` with its path, and with `parameter` where it takes one. The only
/// place that knows which rule belongs to which activation; a macro, so that the kernels can compile each for itself.
macro_rules! by_activation {
    ($activation:expr, $apply:ident) => {
        match $activation {
            $crate::network::Activation::Identity => $apply!($crate::number::rule::identity),
            $crate::network::Activation::Tanh => $apply!($crate::number::rule::tanh),
            $crate::network::Activation::Sigmoid => $apply!($crate::number::rule::sigmoid),
            $crate::network::Activation::Sin { .. } => $apply!($crate::number::rule::scaled_sin, parameter),
            $crate::network::Activation::Cos => $apply!($crate::number::rule::cos),
            $crate::network::Activation::Softplus { .. } => $apply!($crate::number::rule::scaled_softplus, parameter),
            $crate::network::Activation::Silu => $apply!($crate::number::rule::silu),
            $crate::network::Activation::Gelu => $apply!($crate::number::rule::gelu),
            $crate::network::Activation::GeluTanh => $apply!($crate::number::rule::gelu_tanh),
            $crate::network::Activation::Elu { .. } => $apply!($crate::number::rule::elu, parameter),
            $crate::network::Activation::Relu => $apply!($crate::number::rule::relu),
            $crate::network::Activation::LeakyRelu { .. } => $apply!($crate::number::rule::leaky_relu, parameter),
            $crate::network::Activation::Exp => $apply!($crate::number::rule::exp),
            $crate::network::Activation::Gaussian => $apply!($crate::number::rule::gaussian),
            $crate::network::Activation::Erf => $apply!($crate::number::rule::erf),
            $crate::network::Activation::Mish => $apply!($crate::number::rule::mish),
        }
    };
}
pub(crate) use by_activation;

impl FromStr for Activation {
    type Err = ActivationError;

    fn from_str(text: &str) -> Result<Self, ActivationError> {
        let text = text.trim();
        let (name, parameter) = match text.split_once(':') {
            Some((name, parameter)) => (name.trim(), Some(parameter.trim())),
            None => (text, None),
        };
        let number = |default: f64, positive: bool| match parameter {
            None => Ok(default),
            Some(parameter) => parameter
                .parse::<f64>()
                .ok()
                .filter(|value| value.is_finite() && (!positive || *value > 0.0))
                .ok_or_else(|| ActivationError::BadParameter { text: text.to_owned(), positive }),
        };
        let activation = match name.to_ascii_lowercase().replace('-', "_").as_str() {
            "sin" | "sine" => return number(1.0, false).map(|w0| Self::Sin { w0 }),
            "softplus" => return number(1.0, true).map(|beta| Self::Softplus { beta }),
            "elu" => return number(1.0, false).map(|alpha| Self::Elu { alpha }),
            "leaky_relu" | "leakyrelu" => return number(0.01, false).map(|slope| Self::LeakyRelu { slope }),
            "tanh" => Self::Tanh,
            "sigmoid" => Self::Sigmoid,
            "cos" => Self::Cos,
            "silu" | "swish" => Self::Silu,
            "gelu" => Self::Gelu,
            "gelu_tanh" => Self::GeluTanh,
            "relu" => Self::Relu,
            "exp" => Self::Exp,
            "gaussian" => Self::Gaussian,
            "identity" | "linear" | "none" => Self::Identity,
            "erf" => Self::Erf,
            "mish" => Self::Mish,
            _ => return Err(ActivationError::UnknownName { name: name.to_owned() }),
        };
        match parameter {
            None => Ok(activation),
            Some(parameter) => {
                Err(ActivationError::UnexpectedParameter { name: name.to_owned(), parameter: parameter.to_owned() })
            }
        }
    }
}

impl Display for Activation {
    /// The text that is read back as the same activation.
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let (name, parameter) = match *self {
            Self::Identity => ("identity", None),
            Self::Tanh => ("tanh", None),
            Self::Sigmoid => ("sigmoid", None),
            Self::Sin { w0 } => ("sin", (w0 != 1.0).then_some(w0)),
            Self::Cos => ("cos", None),
            Self::Softplus { beta } => ("softplus", (beta != 1.0).then_some(beta)),
            Self::Silu => ("silu", None),
            Self::Gelu => ("gelu", None),
            Self::GeluTanh => ("gelu_tanh", None),
            Self::Elu { alpha } => ("elu", (alpha != 1.0).then_some(alpha)),
            Self::Relu => ("relu", None),
            Self::LeakyRelu { slope } => ("leaky_relu", Some(slope)),
            Self::Exp => ("exp", None),
            Self::Gaussian => ("gaussian", None),
            Self::Erf => ("erf", None),
            Self::Mish => ("mish", None),
        };
        f.write_str(name)?;
        match parameter {
            Some(parameter) => write!(f, ":{parameter}"),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_read_and_written_back() {
        for text in Activation::NAMES {
            let (name, parameter) = text.split_once('[').unwrap_or((text, ""));
            let text = if parameter.is_empty() { name.to_owned() } else { format!("{name}:0.25") };
            let activation: Activation = text.parse().unwrap();
            assert_eq!(activation.to_string(), text);
        }
        assert_eq!("leaky_relu".parse(), Ok(Activation::LeakyRelu { slope: 0.01 }));
        assert_eq!(" Swish ".parse(), Ok(Activation::Silu));
    }

    #[test]
    fn wrong_texts_say_what_is_wrong() {
        let message = |text: &str| text.parse::<Activation>().unwrap_err().to_string();
        assert!(message("tahn").contains("\"tahn\"") && message("tahn").contains("leaky_relu[:slope]"));
        assert!(message("softplus:0").contains("above 0"));
        assert!(message("sin:x").contains("finite number"));
        assert!(message("tanh:2").contains("takes no parameter"));
    }
}
