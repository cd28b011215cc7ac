//! What can be wrong with a file of weights, in words that name the thing and the way out.

use std::path::PathBuf;

/// Why a file could not be read as a network.
///
/// Every message names the file, the tensor where there is one, what was expected, what was found and what to do.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ImportError {
    /// The file is missing or the system refuses to read it.
    #[error("{}: cannot be read: {source}; check the path and the permissions", .file.display())]
    Unreadable {
        /// The file asked for.
        file: PathBuf,
        /// What the system answered.
        source: std::io::Error,
    },

    /// The path leads to a directory, a pipe or a device.
    #[error("{}: is {found}; expected a .safetensors file, so name the file itself", .file.display())]
    NotAFile {
        /// The path asked for.
        file: PathBuf,
        /// What lies there.
        found: &'static str,
    },

    /// The first 8 bytes are not the length of a header that could be in this file.
    #[error(
        "{}: is not a safetensors file: {}; {hint}",
        .file.display(),
        header_length_problem(*.size, *.header)
    )]
    NotSafetensors {
        /// The file.
        file: PathBuf,
        /// Its size in bytes.
        size: u64,
        /// The number that its first 8 bytes hold, if it has as many.
        header: Option<u64>,
        /// What the file seems to be instead, and what to do.
        hint: String,
    },

    /// The header is not the JSON that the format asks for.
    #[error("{}: the safetensors header cannot be read: {problem}; {hint}", .file.display())]
    Header {
        /// The file.
        file: PathBuf,
        /// What the JSON reader says.
        problem: String,
        /// What the file seems to be instead, and what to do.
        hint: String,
    },

    /// The header lists one name twice.
    #[error(
        "{}: the header lists {} twice; expected each name once, so write the file again",
        .file.display(), quoted(.name)
    )]
    Duplicate {
        /// The file.
        file: PathBuf,
        /// The name of the tensor or of the entry of `__metadata__`.
        name: String,
    },

    /// The shape of a tensor needs another number of bytes than the tensor has.
    #[error(
        "{}: tensor {} of type {dtype} and shape {}: {expected} bytes expected and {found} found; \
         the header is damaged, so save or download the file again",
        .file.display(), quoted(.tensor), shaped(.shape)
    )]
    TensorSize {
        /// The file.
        file: PathBuf,
        /// The tensor.
        tensor: String,
        /// Its type as the header says.
        dtype: String,
        /// Its shape as the header says.
        shape: Vec<usize>,
        /// Bytes that type and shape need.
        expected: u64,
        /// Bytes between its two offsets.
        found: u64,
    },

    /// The bytes of the tensors overlap, leave a hole, or end before they start.
    #[error(
        "{}: tensor {} has data_offsets [{start}, {end}], but it must start at {expected}, where the tensor before it \
         ends, and must not end before it starts; the header is damaged, so save or download the file again",
        .file.display(), quoted(.tensor)
    )]
    Offsets {
        /// The file.
        file: PathBuf,
        /// The tensor.
        tensor: String,
        /// Where it starts.
        start: usize,
        /// Where it ends.
        end: usize,
        /// Where it should start.
        expected: usize,
    },

    /// The file is shorter or longer than its header says.
    #[error(
        "{}: {expected} bytes expected and {found} found; {}",
        .file.display(),
        if .found < .expected { "the file is cut off: download or copy it again" }
        else { "bytes follow the last tensor: save or download the file again" }
    )]
    FileSize {
        /// The file.
        file: PathBuf,
        /// Bytes that the header announces, itself included.
        expected: u64,
        /// Bytes that are there.
        found: u64,
    },

    /// Nothing in the file is a dense layer.
    #[error(
        "{}: holds no dense layer: expected tensors <layer>.weight of shape [out, in] and <layer>.bias of shape [out], \
         as the state_dict of PyTorch's nn.Linear has them; found {found}",
        .file.display()
    )]
    NoLayers {
        /// The file.
        file: PathBuf,
        /// The tensors that are there, cut short when there are many.
        found: String,
    },

    /// A tensor of a layer is stored in a type that is not read.
    #[error(
        "{}: tensor {} is stored as {dtype}; expected F64, F32, F16 or BF16, so convert it before saving \
         (in PyTorch: tensor.float(), or dequantize() for a quantised one)",
        .file.display(), quoted(.tensor)
    )]
    UnsupportedType {
        /// The file.
        file: PathBuf,
        /// The tensor.
        tensor: String,
        /// Its type in the words of the format.
        dtype: String,
    },

    /// A tensor belongs to something other than a dense layer, so leaving it out would change the function.
    #[error(
        "{}: tensor {} of shape {} is {what}; only dense layers are read (weight [out, in], bias [out]), and leaving it \
         out would change the network; fold it into a dense layer before saving, or, if the forward pass does not use \
         it, save the state_dict without it",
        .file.display(), quoted(.tensor), shaped(.shape)
    )]
    Unsupported {
        /// The file.
        file: PathBuf,
        /// The tensor.
        tensor: String,
        /// Its shape.
        shape: Vec<usize>,
        /// What it seems to be.
        what: &'static str,
    },

    /// A layer without inputs or without outputs.
    #[error(
        "{}: tensor {} has shape {}: a layer with no inputs or no outputs; expected [out, in] with both at least 1, \
         so take the layer out of the model or save it with its weights",
        .file.display(), quoted(.tensor), shaped(.shape)
    )]
    EmptyLayer {
        /// The file.
        file: PathBuf,
        /// The weight.
        tensor: String,
        /// Its shape.
        shape: Vec<usize>,
    },

    /// A bias stands alone.
    #[error(
        "{}: tensor {} has no weight beside it: expected {}; save the whole state_dict again",
        .file.display(), quoted(.bias), quoted(.expected)
    )]
    BiasWithoutWeight {
        /// The file.
        file: PathBuf,
        /// The bias.
        bias: String,
        /// The name that its weight should have.
        expected: String,
    },

    /// The bias fits the columns of the weight instead of its rows.
    #[error(
        "{}: tensor {} has shape {} but its bias {} has length {length}: weights are stored [out, in], so {} was expected; \
         this one seems to be stored [in, out]: transpose it before saving (in PyTorch: weight.T.contiguous())",
        .file.display(), quoted(.weight), shaped(.shape), quoted(.bias), shaped(&[.shape[1], .shape[0]])
    )]
    Transposed {
        /// The file.
        file: PathBuf,
        /// The weight.
        weight: String,
        /// Its shape.
        shape: [usize; 2],
        /// The bias.
        bias: String,
        /// The number of values in the bias.
        length: usize,
    },

    /// The bias has another shape than its weight asks for.
    #[error(
        "{}: tensor {} has shape {}, but {} has shape {}: weights are stored [out, in], so a bias of shape [{}] \
         was expected; save the layer again",
        .file.display(), quoted(.bias), shaped(.bias_shape), quoted(.weight), shaped(.shape), .shape[0]
    )]
    BiasShape {
        /// The file.
        file: PathBuf,
        /// The weight.
        weight: String,
        /// Its shape.
        shape: [usize; 2],
        /// The bias.
        bias: String,
        /// The shape of the bias.
        bias_shape: Vec<usize>,
    },

    /// The tensors of a weight-normalised layer do not give one weight.
    #[error(
        "{}: weight norm of layer {}: {problem}; expected g of shape [out, 1] (or one value) and v of shape [out, in], \
         as weight_g and weight_v or as parametrizations.weight.original0 and original1; or take the norm off before \
         saving (in PyTorch: torch.nn.utils.remove_weight_norm, \
         torch.nn.utils.parametrize.remove_parametrizations)",
        .file.display(), quoted(.layer)
    )]
    WeightNorm {
        /// The file.
        file: PathBuf,
        /// The layer.
        layer: String,
        /// What does not fit.
        problem: String,
    },

    /// The names do not say in which order the layers follow one another, or they belong to several networks.
    #[error(
        "{}: the order of the layers cannot be told from their names: {layers}; expected one chain such as net.0, net.2, \
         net.4 or fc1, fc2, out. Separate networks (branch and trunk, actor and critic, encoder and decoder) go into a \
         file each: save_file({{k: v for k, v in state.items() if k.startswith(\"branch.\")}}, \"branch.safetensors\"). \
         Layers of one chain: rename them 0, 1, 2, ... in order before saving",
        .file.display()
    )]
    Order {
        /// The file.
        file: PathBuf,
        /// The groups of layers that were found.
        layers: String,
    },

    /// Two layers that follow one another have different widths.
    #[error(
        "{}: the layers do not fit together: {} of shape {} gives {} values, but the next layer, {} of shape {}, takes {}; \
         weights are stored [out, in]; look for a missing layer, a transposed weight or a step in between that is not a \
         dense layer, and save the whole chain",
        .file.display(), quoted(.first), shaped(.first_shape), .first_shape[0],
        quoted(.second), shaped(.second_shape), .second_shape[1]
    )]
    Widths {
        /// The file.
        file: PathBuf,
        /// The weight of the earlier layer.
        first: String,
        /// Its shape `[out, in]`.
        first_shape: [usize; 2],
        /// The weight of the later layer.
        second: String,
        /// Its shape `[out, in]`.
        second_shape: [usize; 2],
    },
}

/// The part of [`ImportError::NotSafetensors`] about the first 8 bytes.
fn header_length_problem(size: u64, header: Option<u64>) -> String {
    match header {
        Some(length) => format!(
            "its first 8 bytes are not a possible header length: they say {length}, and the file has {size} bytes \
             (a header has 2 to {} bytes and lies within the file)",
            super::container::LARGEST_HEADER
        ),
        None => format!("it has {size} bytes, too few for the 8 bytes of the header length and a header"),
    }
}

/// A name from a file, safe to print: control characters escaped, endless names cut.
pub(super) fn quoted(name: &str) -> String {
    const LONGEST: usize = 200;
    match name.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("`{}...`", name[..end].escape_debug()),
        None => format!("`{}`", name.escape_debug()),
    }
}

/// A shape as PyTorch prints it, cut when it has more dimensions than any real tensor.
pub(super) fn shaped(shape: &[usize]) -> String {
    const MOST: usize = 8;
    match shape.get(..MOST) {
        Some(start) if shape.len() > MOST => {
            format!("{start:?} and {} more dimensions", shape.len() - MOST)
        }
        _ => format!("{shape:?}"),
    }
}
