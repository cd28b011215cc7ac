//! From the tensors of a file to a chain of dense layers: everything that the header alone decides.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use half::{bf16, f16};
use safetensors::Dtype;

use super::container::{Header, Tensor};
use super::error::{ImportError, quoted, shaped};
use super::extras::{self, Meaning};
use super::names::{self, Numbered, Part};
use super::{StoredLayer, StoredType, weight_norm};

/// A tensor of a type that can be read.
#[derive(Clone, Copy)]
struct Floats<'a> {
    tensor: &'a Tensor,
    stored: StoredType,
}

impl<'a> Floats<'a> {
    fn new(file: &Path, tensor: &'a Tensor) -> Result<Self, ImportError> {
        let stored = match tensor.dtype {
            Dtype::F64 => StoredType::F64,
            Dtype::F32 => StoredType::F32,
            Dtype::F16 => StoredType::F16,
            Dtype::BF16 => StoredType::Bf16,
            other => {
                return Err(ImportError::UnsupportedType {
                    file: file.to_owned(),
                    tensor: tensor.name.clone(),
                    dtype: other.to_string(),
                });
            }
        };
        Ok(Self { tensor, stored })
    }

    /// The values, widened exactly. The bytes may start anywhere: they are copied one by one, never cast.
    fn values(&self, file_bytes: &[u8]) -> Vec<f64> {
        let bytes = &file_bytes[self.tensor.bytes.clone()];
        match self.stored {
            StoredType::F64 => widen(bytes, f64::from_le_bytes),
            StoredType::F32 => widen(bytes, |four| f64::from(f32::from_le_bytes(four))),
            StoredType::F16 => widen(bytes, |two| f16::from_le_bytes(two).to_f64()),
            StoredType::Bf16 => widen(bytes, |two| bf16::from_le_bytes(two).to_f64()),
        }
    }
}

fn widen<const SIZE: usize>(bytes: &[u8], read: impl Fn([u8; SIZE]) -> f64) -> Vec<f64> {
    let (numbers, _) = bytes.as_chunks();
    numbers.iter().map(|number| read(*number)).collect()
}

/// How the weight of a layer is stored.
enum Weight<'a> {
    Plain(Floats<'a>),
    Normed { gain: Floats<'a>, direction: Floats<'a> },
}

/// One dense layer, known from the header, its values not read yet.
struct Dense<'a> {
    /// As in the file.
    name: &'a str,
    weight: Weight<'a>,
    bias: Option<Floats<'a>>,
    /// [out, in]
    shape: [usize; 2],
}

impl<'a> Dense<'a> {
    /// The tensor that has the shape of the weight.
    fn matrix(&self) -> &'a Tensor {
        match &self.weight {
            Weight::Plain(weight) => weight.tensor,
            Weight::Normed { direction, .. } => direction.tensor,
        }
    }

    fn tensors(&self) -> impl Iterator<Item = Floats<'a>> {
        let (first, second) = match self.weight {
            Weight::Plain(weight) => (weight, None),
            Weight::Normed { gain, direction } => (direction, Some(gain)),
        };
        [Some(first), second, self.bias].into_iter().flatten()
    }
}

/// The tensors of one layer as they are found.
#[derive(Default)]
struct Found<'a> {
    weight: Option<&'a Tensor>,
    bias: Option<&'a Tensor>,
    gain: Option<&'a Tensor>,
    direction: Option<&'a Tensor>,
}

/// The chain of layers in a file, checked as far as the header goes.
pub(super) struct Plan<'a> {
    layers: Vec<Dense<'a>>,
    notices: Vec<String>,
}

impl<'a> Plan<'a> {
    /// Sorts the tensors into layers, puts those in order and checks that they fit.
    pub fn new(file: &Path, header: &'a Header) -> Result<Self, ImportError> {
        let mut found: BTreeMap<&str, Found> = BTreeMap::new();
        let mut unused = Vec::new();
        for tensor in &header.tensors {
            match extras::meaning(tensor) {
                Meaning::Layer(name, part) => {
                    add(file, found.entry(name).or_default(), name, part, tensor)?;
                }
                Meaning::Harmless => unused.push((tensor, true)),
                Meaning::Unknown => unused.push((tensor, false)),
                Meaning::Other(what) => return Err(extras::unsupported(file, tensor, what)),
            }
        }
        if found.is_empty() {
            return Err(no_layers(file, header));
        }
        let layers = found.into_iter().map(|(name, found)| dense(file, name, &found)).collect::<Result<Vec<_>, _>>()?;
        let (layers, numbered) = in_order(file, layers)?;
        check_shapes(file, &layers)?;

        let used: BTreeSet<&str> = layers.iter().map(|layer| layer.name).collect();
        let mut notices = layer_notices(&layers, &numbered);
        for (tensor, harmless) in unused {
            let inside = extras::is_inside(&tensor.name, &used, &numbered);
            if !harmless && inside && (tensor.is_float() || !tensor.shape.is_empty()) {
                let what = "a part of this network that is not a dense layer";
                return Err(extras::unsupported(file, tensor, what));
            }
            notices.push(extras::notice(tensor, harmless));
        }
        Ok(Self { layers, notices })
    }

    /// Reads the values of all layers; gives the notices too.
    pub fn read(self, file: &Path, file_bytes: &[u8]) -> Result<(Vec<StoredLayer>, Vec<String>), ImportError> {
        let mut notices = self.notices;
        let mut layers = Vec::with_capacity(self.layers.len());
        for layer in &self.layers {
            let mut read = |floats: &Floats| {
                let values = floats.values(file_bytes);
                notices.extend(not_finite(&floats.tensor.name, &values));
                values
            };
            let [outputs, inputs] = layer.shape;
            let weights = match &layer.weight {
                Weight::Plain(weight) => read(weight),
                Weight::Normed { gain, direction } => {
                    weight_norm::weight(&read(gain), &read(direction), inputs).map_err(|row| {
                        let tensor = quoted(&direction.tensor.name);
                        let problem = format!("row {row} of {tensor} is 0 and so has no direction v / |v|");
                        weight_norm_error(file, layer.name, problem)
                    })?
                }
            };
            layers.push(StoredLayer {
                name: layer.name.to_owned(),
                inputs,
                outputs,
                weights,
                bias: match &layer.bias {
                    Some(bias) => read(bias),
                    None => vec![0.0; outputs],
                },
                has_bias: layer.bias.is_some(),
                stored: layer.tensors().map(|floats| floats.stored).max().unwrap_or(StoredType::F64),
                weight_norm: matches!(layer.weight, Weight::Normed { .. }),
            });
        }
        Ok((layers, notices))
    }
}

/// Puts one tensor into its layer.
fn add<'a>(file: &Path, found: &mut Found<'a>, name: &str, part: Part, tensor: &'a Tensor) -> Result<(), ImportError> {
    let place = match part {
        Part::Weight => &mut found.weight,
        Part::Bias => &mut found.bias,
        Part::Gain => &mut found.gain,
        Part::Direction => &mut found.direction,
    };
    match place.replace(tensor) {
        // Names are unique, so only the old and the new spelling of weight norm can meet here.
        Some(other) => {
            let problem = format!(
                "{} and {} are the same part in the old and the new spelling",
                quoted(&other.name),
                quoted(&tensor.name)
            );
            Err(weight_norm_error(file, name, problem))
        }
        None => Ok(()),
    }
}

fn weight_norm_error(file: &Path, layer: &str, problem: String) -> ImportError {
    ImportError::WeightNorm { file: file.to_owned(), layer: layer.to_owned(), problem }
}

fn no_layers(file: &Path, header: &Header) -> ImportError {
    const MOST: usize = 8;
    let count = header.tensors.len();
    let names: Vec<String> = header
        .tensors
        .iter()
        .take(MOST)
        .map(|tensor| format!("{} {}", quoted(&tensor.name), shaped(&tensor.shape)))
        .collect();
    let found = match count {
        0 => "no tensor at all".to_owned(),
        _ if count > MOST => format!("{} and {} more", names.join(", "), count - MOST),
        _ => names.join(", "),
    };
    ImportError::NoLayers { file: file.to_owned(), found }
}

/// Makes one layer of its tensors.
fn dense<'a>(file: &Path, name: &'a str, found: &Found<'a>) -> Result<Dense<'a>, ImportError> {
    let refuse = |problem: String| weight_norm_error(file, name, problem);
    let lacks =
        |there: &Tensor, missing: &str| refuse(format!("{} is there, its {missing} is missing", quoted(&there.name)));
    let (matrix, gain) = match (found.weight, found.gain, found.direction) {
        (Some(weight), None, None) => (weight, None),
        (None, Some(gain), Some(direction)) => (direction, Some(gain)),
        (None, Some(gain), None) => return Err(lacks(gain, "v (weight_v or original1)")),
        (None, None, Some(direction)) => {
            return Err(lacks(direction, "g (weight_g or original0)"));
        }
        (Some(weight), Some(other), _) | (Some(weight), None, Some(other)) => {
            return Err(refuse(format!(
                "{} and {} are both there, and which of them holds the trained weight cannot be told",
                quoted(&weight.name),
                quoted(&other.name)
            )));
        }
        (None, None, None) => {
            return Err(ImportError::BiasWithoutWeight {
                file: file.to_owned(),
                bias: found.bias.map_or_else(String::new, |bias| bias.name.clone()),
                expected: match name {
                    "" => "weight".to_owned(),
                    _ => format!("{name}.weight"),
                },
            });
        }
    };
    let Some(shape) = matrix.matrix_shape() else {
        return Err(extras::unsupported(file, matrix, extras::NOT_A_MATRIX));
    };
    if shape.contains(&0) {
        return Err(ImportError::EmptyLayer {
            file: file.to_owned(),
            tensor: matrix.name.clone(),
            shape: matrix.shape.clone(),
        });
    }
    let weight = match gain {
        None => Weight::Plain(Floats::new(file, matrix)?),
        Some(gain) => {
            let single = gain.shape.iter().all(|length| *length == 1);
            if !single && gain.shape != [shape[0], 1] {
                return Err(refuse(format!(
                    "{} has shape {} and {} has shape {}",
                    quoted(&gain.name),
                    shaped(&gain.shape),
                    quoted(&matrix.name),
                    shaped(&matrix.shape)
                )));
            }
            Weight::Normed { gain: Floats::new(file, gain)?, direction: Floats::new(file, matrix)? }
        }
    };
    let bias = match found.bias {
        Some(bias) => Some(Floats::new(file, bias)?),
        None => None,
    };
    Ok(Dense { name, weight, bias, shape })
}

/// Orders the layers by their names.
fn in_order<'a>(file: &Path, layers: Vec<Dense<'a>>) -> Result<(Vec<Dense<'a>>, Vec<Numbered<'a>>), ImportError> {
    let names: Vec<&str> = layers.iter().map(|layer| names::without_wrappers(layer.name)).collect();
    let Some(order) = names::order(&names) else {
        return Err(ImportError::Order { file: file.to_owned(), layers: list_groups(&layers) });
    };
    let mut layers: Vec<Option<Dense>> = layers.into_iter().map(Some).collect();
    let ordered = order.positions.iter().filter_map(|position| layers[*position].take()).collect();
    Ok((ordered, order.numbered))
}

/// Layers whose order is in doubt, in groups: `branch.0` [8, 2] to `branch.4` [3, 8] (3 layers), ...
fn list_groups(layers: &[Dense]) -> String {
    const MOST: usize = 8;
    let names: Vec<&str> = layers.iter().map(|layer| layer.name).collect();
    let groups = names::groups(&names);
    let shown = |position: usize| {
        let layer = &layers[position];
        format!("{} {}", quoted(layer.name), shaped(&layer.shape))
    };
    let mut lines: Vec<String> = groups
        .iter()
        .take(MOST)
        .filter_map(|group| match group.as_slice() {
            [] => None,
            [only] => Some(shown(*only)),
            [first, .., last] => Some(format!("{} to {} ({} layers)", shown(*first), shown(*last), group.len())),
        })
        .collect();
    if groups.len() > MOST {
        lines.push(format!("and {} more", groups.len() - MOST));
    }
    lines.join(", ")
}

/// Each bias fits its weight, each layer fits the next.
fn check_shapes(file: &Path, layers: &[Dense]) -> Result<(), ImportError> {
    for layer in layers {
        let Some(bias) = layer.bias.map(|bias| bias.tensor) else {
            continue;
        };
        let [outputs, inputs] = layer.shape;
        let weight = layer.matrix().name.clone();
        match bias.shape.as_slice() {
            [length] if *length == outputs => {}
            [length] if *length == inputs => {
                return Err(ImportError::Transposed {
                    file: file.to_owned(),
                    weight,
                    shape: layer.shape,
                    bias: bias.name.clone(),
                    length: *length,
                });
            }
            _ => {
                return Err(ImportError::BiasShape {
                    file: file.to_owned(),
                    weight,
                    shape: layer.shape,
                    bias: bias.name.clone(),
                    bias_shape: bias.shape.clone(),
                });
            }
        }
    }
    for pair in layers.windows(2) {
        let [first, second] = pair else { continue };
        if first.shape[0] != second.shape[1] {
            return Err(ImportError::Widths {
                file: file.to_owned(),
                first: first.matrix().name.clone(),
                first_shape: first.shape,
                second: second.matrix().name.clone(),
                second_shape: second.shape,
            });
        }
    }
    Ok(())
}

/// What about the layers is worth a word although they can be read.
fn layer_notices(layers: &[Dense], numbered: &[Numbered]) -> Vec<String> {
    let mut notices = Vec::new();
    let prefixes: BTreeSet<&str> = layers
        .iter()
        .map(|layer| &layer.name[..layer.name.len() - names::without_wrappers(layer.name).len()])
        .filter(|prefix| !prefix.is_empty())
        .collect();
    for prefix in prefixes {
        notices.push(format!(
            "the names of the layers start with {}, left there by a wrapper: read without it",
            quoted(prefix)
        ));
    }
    for numbered in numbered {
        notices.extend(numbered.gap().map(|gap| {
            format!(
                "the numbers after {} {gap}: is a layer missing? Taken as one chain because the widths fit",
                quoted(numbered.prefix)
            )
        }));
    }
    let without_bias: Vec<String> =
        layers.iter().filter(|layer| layer.bias.is_none()).map(|layer| quoted(layer.name)).collect();
    if !without_bias.is_empty() {
        notices.push(format!("without a bias, which is taken as 0: {}", without_bias.join(", ")));
    }
    let types: BTreeSet<StoredType> = layers.iter().flat_map(Dense::tensors).map(|floats| floats.stored).collect();
    if types.len() > 1 {
        let types: Vec<String> = types.iter().map(StoredType::to_string).collect();
        notices.push(format!("the layers are stored in several types: {}", types.join(", ")));
    }
    notices
}

fn not_finite(tensor: &str, values: &[f64]) -> Option<String> {
    let first = values.iter().position(|value| !value.is_finite())?;
    let count = values.iter().filter(|value| !value.is_finite()).count();
    Some(format!(
        "tensor {} has {count} of {} values that are NaN or infinite, the first at position {first}",
        quoted(tensor),
        values.len()
    ))
}
