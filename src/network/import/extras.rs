//! Tensors that are not part of a dense layer: which of them may be left out, and which would change the network.

use std::collections::BTreeSet;
use std::path::Path;

use super::container::Tensor;
use super::error::{ImportError, quoted, shaped};
use super::names::{self, Numbered, Part};

pub(super) const NOT_A_MATRIX: &str = "not the weight of a dense layer, which has two dimensions [out, in]";

/// What a tensor is by its name, type and shape.
pub(super) enum Meaning<'a> {
    /// A part of the dense layer of this name.
    Layer(&'a str, Part),
    /// Never part of the forward pass.
    Harmless,
    /// Nothing that is known; harmless unless it lies within the network.
    Unknown,
    /// A part of something that is not a dense layer.
    Other(&'static str),
}

/// Says what a tensor is.
pub(super) fn meaning(tensor: &Tensor) -> Meaning<'_> {
    let name = tensor.name.as_str();
    let leaf = name.rsplit(['.', '/']).next().unwrap_or(name);
    let words = names::words(name);
    let has_word = |known: &[&str]| words.iter().any(|word| known.contains(&word.as_str()));

    if is_optimiser_state(name, leaf) || leaf == "num_batches_tracked" {
        return Meaning::Harmless;
    }
    if let Some((layer, part)) = names::part(name) {
        return match (part, tensor.shape.len()) {
            (Part::Bias | Part::Gain, _) | (_, 2) => Meaning::Layer(layer, part),
            (Part::Direction, _) => Meaning::Other(
                "the v of a norm that is not on a dense layer (spectral norm, or weight norm of a convolution)",
            ),
            (Part::Weight, 0 | 1) => Meaning::Other(
                "a weight but not a matrix [out, in], as of a normalisation layer (BatchNorm, LayerNorm) or an activation (PReLU)",
            ),
            (Part::Weight, 3..=5) => Meaning::Other("the weight of a convolution or of a bilinear layer"),
            (Part::Weight, _) => Meaning::Other(NOT_A_MATRIX),
        };
    }
    if tensor.bytes.is_empty() {
        return Meaning::Harmless;
    }
    if leaf.starts_with("running_") {
        return Meaning::Other("a running statistic of a normalisation layer (BatchNorm)");
    }
    if leaf.starts_with("kernel") {
        return Meaning::Other(
            "a kernel as JAX and Keras name it, stored [in, out] (save it transposed as <layer>.weight)",
        );
    }
    let is_array = !tensor.shape.is_empty();
    let is_variant = leaf.starts_with("weight_") || leaf.starts_with("bias_");
    if (is_variant && is_array) || name.contains("parametrizations.") {
        return Meaning::Other(
            "a parametrised weight that is not weight norm (spectral norm, pruning, quantisation, a recurrent layer)",
        );
    }
    if leaf.starts_with("in_proj_") {
        return Meaning::Other("a part of an attention layer");
    }
    if !tensor.is_float() {
        return Meaning::Unknown;
    }
    let normalises = words.iter().any(|word| word.contains("norm")) || has_word(&["bn", "ln"]);
    if normalises || (matches!(leaf, "gamma" | "beta") && is_array) {
        return Meaning::Other("a part of a normalisation layer");
    }
    if has_word(&["act", "activation", "activations", "nonlinearity"]) {
        return Meaning::Other("a parameter of an activation");
    }
    Meaning::Unknown
}

/// State of an optimiser, which some scripts save together with the weights.
fn is_optimiser_state(name: &str, leaf: &str) -> bool {
    const MOMENTS: [&str; 6] = ["exp_avg", "exp_avg_sq", "max_exp_avg_sq", "momentum_buffer", "square_avg", "acc_delta"];
    MOMENTS.contains(&leaf)
        || name.split(['.', '/']).any(|component| {
            component.starts_with("optimizer") || component.starts_with("optimiser") || component == "optim"
        })
}

/// Whether a tensor belongs to one of the layers, or stands among the numbered ones (`net.1.alpha` by `net.0`, `net.2`).
pub(super) fn is_inside(name: &str, layers: &BTreeSet<&str>, numbered: &[Numbered]) -> bool {
    let within_layer = name.match_indices('.').any(|(dot, _)| layers.contains(&name[..dot]));
    let short = names::without_wrappers(name);
    let among_numbered = numbered.iter().any(|numbered| {
        short.strip_prefix(numbered.prefix).is_some_and(|rest| rest.starts_with(|letter: char| letter.is_ascii_digit()))
    });
    within_layer || among_numbered
}

pub(super) fn unsupported(file: &Path, tensor: &Tensor, what: &'static str) -> ImportError {
    ImportError::Unsupported { file: file.to_owned(), tensor: tensor.name.clone(), shape: tensor.shape.clone(), what }
}

/// The one line about a tensor that is left out.
pub(super) fn notice(tensor: &Tensor, harmless: bool) -> String {
    let warning = if harmless || tensor.bytes.is_empty() || !tensor.is_float() {
        ""
    } else {
        "; if the forward pass uses it (to scale inputs, as Fourier features, as a factor), the results will differ"
    };
    format!("tensor {} ({}, shape {}) is not used{warning}", quoted(&tensor.name), tensor.dtype, shaped(&tensor.shape))
}
