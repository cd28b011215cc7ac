//! The cases of tests/cases/files, and files built here with one thing wrong each.

use std::path::Path;

use half::{bf16, f16};
use safetensors::{SafeTensorError, SafeTensors};

use super::{ImportError, Model, StoredType};

/// Reads a file of tests/cases/files.
fn case(name: &str) -> Result<Model, ImportError> {
    let directory = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cases/files");
    Model::read(Path::new(directory).join(name))
}

fn from_bytes(bytes: &[u8]) -> Result<Model, ImportError> {
    Model::from_bytes(Path::new("net.safetensors"), bytes)
}

/// The message of the error, which must name the file and all of `parts`.
#[track_caller]
fn refused(result: Result<Model, ImportError>, parts: &[&str]) -> String {
    let message = match result {
        Ok(model) => panic!("read as {model:?}"),
        Err(error) => error.to_string(),
    };
    for part in parts.iter().chain(&[".safetensors"]) {
        assert!(message.contains(part), "{part:?} is missing in: {message}");
    }
    message
}

/// The network of the model at a point, tanh in between.
fn tanh_network(model: &Model, point: &[f64]) -> f64 {
    let mut values = point.to_vec();
    for (index, layer) in model.layers.iter().enumerate() {
        if index > 0 {
            values.iter_mut().for_each(|value| *value = value.tanh());
        }
        values = layer
            .weights
            .chunks(layer.inputs)
            .zip(&layer.bias)
            .map(|(row, bias)| bias + row.iter().zip(&values).map(|(w, x)| w * x).sum::<f64>())
            .collect();
    }
    values[0]
}

#[track_caller]
fn gives(model: &Model, expected: f64) {
    let found = tanh_network(model, &[0.3, -0.7]);
    assert!((found - expected).abs() < 1e-13, "{found} instead of {expected}");
}

const F01: f64 = -0.086_059_282_330_022_79;

/// A tensor for a file built here.
struct Part {
    name: String,
    dtype: &'static str,
    shape: Vec<usize>,
    bytes: Vec<u8>,
}

fn f64s(name: &str, shape: &[usize], values: &[f64]) -> Part {
    Part {
        name: name.to_owned(),
        dtype: "F64",
        shape: shape.to_vec(),
        bytes: values.iter().flat_map(|value| value.to_le_bytes()).collect(),
    }
}

/// A tensor of ones.
fn ones(name: &str, shape: &[usize]) -> Part {
    f64s(name, shape, &vec![1.0; shape.iter().product()])
}

fn typed(name: &str, dtype: &'static str, shape: &[usize], bytes: &[u8]) -> Part {
    Part { name: name.to_owned(), dtype, shape: shape.to_vec(), bytes: bytes.to_vec() }
}

/// Weight and bias of ones.
fn layer(name: &str, outputs: usize, inputs: usize) -> [Part; 2] {
    [ones(&format!("{name}.weight"), &[outputs, inputs]), ones(&format!("{name}.bias"), &[outputs])]
}

fn layers(names_and_shapes: &[(&str, usize, usize)]) -> Vec<Part> {
    names_and_shapes.iter().flat_map(|(name, outputs, inputs)| layer(name, *outputs, *inputs)).collect()
}

/// A file from its header and its data.
fn raw(header: &str, data: &[u8]) -> Vec<u8> {
    let length = (header.len() as u64).to_le_bytes();
    [&length, header.as_bytes(), data].concat()
}

fn file(parts: &[Part]) -> Vec<u8> {
    let mut data = Vec::new();
    let mut entries = Vec::new();
    for part in parts {
        let start = data.len();
        data.extend(&part.bytes);
        entries.push(format!(
            r#""{}":{{"dtype":"{}","shape":{:?},"data_offsets":[{start},{}]}}"#,
            part.name,
            part.dtype,
            part.shape,
            data.len()
        ));
    }
    raw(&format!("{{{}}}", entries.join(",")), &data)
}

fn read(parts: &[Part]) -> Result<Model, ImportError> {
    from_bytes(&file(parts))
}

#[track_caller]
fn names(parts: &[Part]) -> Vec<String> {
    let model = read(parts).unwrap();
    model.layers.into_iter().map(|layer| layer.name).collect()
}

/// Layer 0 [2, 1] and layer 2 [1, 2] with something else.
fn with(extra: Vec<Part>) -> Vec<Part> {
    let mut parts = layers(&[("net.0", 2, 1), ("net.2", 1, 2)]);
    parts.extend(extra);
    parts
}

#[test]
fn f01_f64() {
    let model = case("F01_deepxde_f64.safetensors").unwrap();
    gives(&model, F01);
    let names: Vec<&str> = model.layers.iter().map(|layer| layer.name.as_str()).collect();
    assert_eq!(names, ["linears.0", "linears.1", "linears.2"]);
    assert_eq!((model.inputs(), model.outputs(), model.parameters()), (2, 1, 31));
    assert!(model.holds_f64());
    assert_eq!(model.activation(), None);
    assert!(model.notices.is_empty(), "{:?}", model.notices);
}

#[test]
fn f02_prefixes() {
    let model = case("F02_prefix.safetensors").unwrap();
    gives(&model, F01);
    assert_eq!(model.layers[0].name, "module._orig_mod.linears.0");
    assert_eq!(model.notices.len(), 1);
    assert!(model.notices[0].contains("`module._orig_mod.`"), "{}", model.notices[0]);
}

#[test]
fn f05_bf16() {
    let model = case("F05_bf16.safetensors").unwrap();
    gives(&model, 0.346_597_968_453_425_16);
    assert!(model.layers.iter().all(|layer| layer.stored == StoredType::Bf16));
    assert_eq!(model.layers[0].stored.to_string(), "bf16");
    assert!(!model.holds_f64());
}

#[test]
fn f08_transposed() {
    let result = case("F08_transposed.safetensors");
    assert!(matches!(result, Err(ImportError::Transposed { .. })));
    refused(result, &["`linears.0.weight` has shape [2, 4]", "length 4", "[out, in]", "[4, 2] was expected", "weight.T"]);
}

#[test]
fn f09_weight_norm() {
    let model = case("F09_weight_norm_old.safetensors").unwrap();
    gives(&model, -0.152_329_962_821_301_15);
    assert!(model.layers.iter().all(|layer| layer.weight_norm));
    assert_eq!(model.layers[0].name, "net.0");
}

#[test]
fn f11_cut() {
    let parts = ["F11_cut.safetensors", "688 bytes expected and 680 found", "cut off"];
    refused(case("F11_cut.safetensors"), &parts);
}

#[test]
fn f12_no_safetensors() {
    refused(
        case("F12_lfs_pointer.safetensors"),
        &["first 8 bytes are not a possible header length", "129 bytes", "git-lfs pointer", "git lfs pull"],
    );
    refused(case("F12_empty.safetensors"), &["0 bytes", "empty", "download it again"]);
    refused(case("F12_five.safetensors"), &["5 bytes", "8 bytes of the header length", "cut off"]);
}

#[test]
fn f14_shape_larger_than_bytes() {
    refused(case("F14_shape.safetensors"), &["`linears.0.weight`", "[4000, 2]", "64000 bytes expected and 64 found"]);
}

#[test]
fn f16_unaligned() {
    gives(&case("F16_unaligned.safetensors").unwrap(), F01);
}

#[test]
fn f17_extras() {
    let model = case("F17_extras.safetensors").unwrap();
    gives(&model, F01);
    assert_eq!(model.metadata.get("format").map(String::as_str), Some("pt"));
    for name in ["`bn.num_batches_tracked`", "`scaled_fp8`"] {
        let mentions = model.notices.iter().filter(|notice| notice.contains(name));
        assert_eq!(mentions.count(), 1, "{:?}", model.notices);
    }
    assert_eq!(model.notices.len(), 2);
}

#[test]
fn f19_widths() {
    refused(
        case("F19_chain.safetensors"),
        &["`linears.0.weight` of shape [4, 2] gives 4", "`linears.1.weight` of shape [3, 5], takes 5"],
    );
}

#[test]
fn f21_torch_zip() {
    refused(case("F21_torch_zip.safetensors"), &["PyTorch zip/pickle", "nothing was unpickled", "torch.load", "save_file"]);
}

#[test]
fn numbers_are_ordered_as_numbers() {
    let mut parts = Vec::new();
    // Every layer square, so that only the names tell the order.
    for number in (0..12).rev() {
        parts.push(f64s(&format!("net.{number}.weight"), &[1, 1], &[f64::from(number)]));
        parts.push(ones(&format!("net.{number}.bias"), &[1]));
    }
    let model = read(&parts).unwrap();
    let found: Vec<f64> = model.layers.iter().map(|layer| layer.weights[0]).collect();
    assert_eq!(found, (0..12).map(f64::from).collect::<Vec<_>>());
    assert_eq!(model.layers[10].name, "net.10");
}

#[test]
fn known_ways_to_name_layers() {
    let orders: [&[&str]; 16] = [
        &["0", "2", "4"],
        &["net.0", "net.2", "net.4"],
        &["net.0.0", "net.1.0", "net.2.0"],
        &["layers.8.linear", "layers.9.linear", "layers.10.linear"],
        &["net.0.linear", "net.1.linear", "net.2"],
        &["fc1", "fc2", "fc3"],
        &["fc1", "fc2", "fc_out"],
        &["fc1", "fc2", "out"],
        &["fc9", "fc10", "head"],
        &["model.net1.fc1", "model.net1.fc2", "model.net1.output"],
        &["input_layer", "hidden_layers.0", "output_layer"],
        &["inputLayer", "hidden", "outputLayer"],
        &["fc_in", "hidden_layers.0", "hidden_layers.1", "fc_out"],
        &["net.layer_0", "net.layer_1", "net.layer_out"],
        &["module.linears.0", "module.linears.1"],
        &["linear"],
    ];
    for order in orders {
        let mut parts = Vec::new();
        for name in order.iter().rev() {
            parts.extend(layer(name, 1, 1));
        }
        assert_eq!(names(&parts), order);
    }
    let bare = [ones("weight", &[3, 2]), ones("bias", &[3])];
    assert_eq!(names(&bare), [""]);
}

#[test]
fn doubtful_orders_are_refused_with_their_layers() {
    let doubtful: [&[&str]; 16] = [
        &["branch.linears.0", "branch.linears.1", "trunk.linears.0", "trunk.linears.1"],
        &["actor.0", "actor.2", "critic.0", "critic.2"],
        &["encoder", "decoder"],
        &["encoder.out", "decoder.fc1", "decoder.fc2"],
        &["policy.0", "policy.2", "value_head"],
        &["net.0", "net.2", "head", "output"],
        &["models.0.net.0", "models.0.net.2", "models.1.net.0", "models.1.net.2"],
        &["blocks.0.fc1", "blocks.0.fc2", "blocks.1.fc1", "blocks.1.fc2"],
        &["fc1_u", "fc1_v", "fc2_u", "fc2_v"],
        &["net.0", "module.net.0"],
        &["fc1", "fc01"],
        &["heads.0", "heads.1"],
        &["models.0.fc", "models.1.fc"],
        &["alpha", "beta_layer"],
        &["input_layer", "gate", "output_layer"],
        &["weights_a", "out.0", "out.2"],
    ];
    for order in doubtful {
        let mut parts = Vec::new();
        for name in order {
            parts.extend(layer(name, 1, 1));
        }
        let result = read(&parts);
        assert!(matches!(result, Err(ImportError::Order { .. })), "{order:?}: {result:?}");
        refused(result, &[order[0], order[order.len() - 1], "file each", "[1, 1]"]);
    }
}

#[test]
fn gaps_are_told() {
    let notices = |names: &[&str]| {
        let shapes: Vec<_> = names.iter().map(|name| (*name, 1, 1)).collect();
        read(&layers(&shapes)).unwrap().notices
    };
    for usual in [["net.0", "net.2", "net.4"], ["fc1", "fc2", "fc3"], ["0", "1", "2"]] {
        assert!(notices(&usual).is_empty(), "{:?}", notices(&usual));
    }
    assert!(notices(&["linears.0", "linears.2"])[0].contains("jump from 0 to 2"));
    assert!(notices(&["net.0", "net.2", "net.6"])[0].contains("jump from 2 to 6"));
    assert!(notices(&["linears.1", "linears.2"])[0].contains("start at 1"));
    assert!(notices(&["fc2", "fc3"])[0].contains("start at 2"));
}

#[test]
fn all_float_types_are_widened_exactly() {
    let values = [0.5, -1.75, 3.0, 65504.0];
    let halves = values.map(|value| f16::from_f64(value).to_le_bytes()).concat();
    let brains = values.map(|value| bf16::from_f64(value).to_le_bytes()).concat();
    let singles = values.map(|value| (value as f32).to_le_bytes()).concat();
    for (dtype, bytes, stored) in
        [("F16", halves, StoredType::F16), ("BF16", brains, StoredType::Bf16), ("F32", singles, StoredType::F32)]
    {
        let model = read(&[typed("0.weight", dtype, &[2, 2], &bytes)]).unwrap();
        assert_eq!(model.layers[0].stored, stored);
        assert_eq!(model.layers[0].weights[..3], values[..3]);
        // 65504 needs 11 bits, bf16 has 8.
        let largest = if stored == StoredType::Bf16 { 65536.0 } else { 65504.0 };
        assert_eq!(model.layers[0].weights[3], largest);
    }
    // The smallest numbers of each kind.
    let model = read(&[typed("0.weight", "F16", &[1, 2], &[1, 0, 0, 0x80])]).unwrap();
    assert_eq!(model.layers[0].weights[0], 2f64.powi(-24));
    assert!(model.layers[0].weights[1].is_sign_negative());
}

#[test]
fn mixed_types_report_the_widest() {
    let parts = [typed("0.weight", "F32", &[1, 1], &1f32.to_le_bytes()), ones("0.bias", &[1])];
    let model = read(&parts).unwrap();
    assert_eq!(model.layers[0].stored, StoredType::F64);
    assert!(model.notices[0].contains("f32, f64"), "{:?}", model.notices);
}

#[test]
fn unsupported_types_are_refused_when_used() {
    for (dtype, size) in [("I32", 4), ("I8", 1), ("F8_E4M3", 1), ("F8_E5M2", 1), ("C64", 8)] {
        let parts = [typed("fc1.weight", dtype, &[1, 2], &vec![1; 2 * size])];
        refused(read(&parts), &["`fc1.weight`", dtype, "F64, F32, F16 or BF16"]);
        let parts = with(vec![typed("other", dtype, &[2], &vec![1; 2 * size])]);
        assert!(read(&parts).unwrap().notices[0].contains("`other`"));
    }
    let parts = [ones("fc1.weight", &[1, 2]), typed("fc1.bias", "I64", &[1], &[0; 8])];
    refused(read(&parts), &["`fc1.bias`", "I64"]);
}

#[test]
fn weight_norm_in_both_spellings() {
    let direction = [3.0, 4.0, 0.0, -2.0];
    for (gain, v) in [("weight_g", "weight_v"), ("parametrizations.weight.original0", "parametrizations.weight.original1")]
    {
        let layer = |gain_shape: &[usize], gains: &[f64]| {
            read(&[
                f64s(&format!("net.0.{gain}"), gain_shape, gains),
                f64s(&format!("net.0.{v}"), &[2, 2], &direction),
                ones("net.0.bias", &[2]),
            ])
        };
        let model = layer(&[2, 1], &[10.0, 5.0]).unwrap();
        assert_eq!(model.layers[0].name, "net.0");
        assert!(model.layers[0].weight_norm);
        assert_eq!(model.layers[0].weights, [6.0, 8.0, 0.0, -5.0]);
        // One gain for the whole matrix (dim=None); |v| is sqrt(29).
        for shape in [&[] as &[usize], &[1], &[1, 1]] {
            let model = layer(shape, &[2.0]).unwrap();
            let expected = direction.map(|value| 2.0 * value / 29f64.sqrt());
            for (found, expected) in model.layers[0].weights.iter().zip(expected) {
                assert!((found - expected).abs() < 1e-15);
            }
        }
        // dim=1, and a vector that PyTorch would spread over the columns.
        for shape in [&[1usize, 2] as &[usize], &[2]] {
            refused(layer(shape, &[1.0, 1.0]), &["`net.0`", "[out, 1]", &format!("{shape:?}")]);
        }
        refused(read(&[ones(&format!("a.{gain}"), &[2, 1])]), &["`a`", "missing"]);
        refused(read(&[ones(&format!("a.{v}"), &[2, 1])]), &["`a`", "missing"]);
        let both = [ones(&format!("a.{gain}"), &[1, 1]), ones(&format!("a.{v}"), &[1, 1]), ones("a.weight", &[1, 1])];
        refused(read(&both), &["`a.weight`", "both there"]);
    }
    let twice =
        [ones("a.weight_v", &[1, 1]), ones("a.weight_g", &[1, 1]), ones("a.parametrizations.weight.original0", &[1, 1])];
    refused(read(&twice), &["`a.weight_g`", "original0"]);
}

#[test]
fn weight_norm_of_extreme_rows() {
    let layer = |row: [f64; 2]| read(&[ones("0.weight_g", &[1, 1]), f64s("0.weight_v", &[1, 2], &row)]);
    for row in [[3e200, 4e200], [3e-200, 4e-200]] {
        let weights = layer(row).unwrap().layers[0].weights.clone();
        assert!((weights[0] - 0.6).abs() < 1e-15 && (weights[1] - 0.8).abs() < 1e-15);
    }
    refused(layer([0.0, -0.0]), &["row 0", "`0.weight_v`", "direction"]);
    let model = layer([f64::NAN, 0.0]).unwrap();
    assert!(model.layers[0].weights[0].is_nan());
    assert!(model.notices.iter().any(|notice| notice.contains("`0.weight_v`")));
}

#[test]
fn missing_bias_is_zero_and_told() {
    let model = read(&[ones("fc1.weight", &[2, 3]), ones("fc2.weight", &[1, 2]), ones("fc2.bias", &[1])]).unwrap();
    assert_eq!(model.layers[0].bias, [0.0, 0.0]);
    assert!(!model.layers[0].has_bias && model.layers[1].has_bias);
    assert_eq!(model.parameters(), 6 + 2 + 1);
    assert_eq!(model.notices.len(), 1);
    assert!(model.notices[0].contains("`fc1`") && !model.notices[0].contains("`fc2`"));
}

#[test]
fn biases_that_do_not_fit() {
    let alone = with(vec![ones("net.4.bias", &[1])]);
    refused(read(&alone), &["`net.4.bias`", "`net.4.weight`"]);
    let long = [ones("a.weight", &[3, 2]), ones("a.bias", &[4])];
    refused(read(&long), &["`a.bias` has shape [4]", "`a.weight` has shape [3, 2]", "[3] was expected"]);
    let matrix = [ones("a.weight", &[3, 2]), ones("a.bias", &[3, 1])];
    refused(read(&matrix), &["`a.bias` has shape [3, 1]"]);
    let empty = [ones("a.weight", &[3, 2]), ones("a.bias", &[0])];
    refused(read(&empty), &["`a.bias` has shape [0]"]);
    // A square weight says nothing about its layout.
    assert!(read(&layers(&[("a", 3, 3)])).is_ok());
}

#[test]
fn other_kinds_of_layers_are_refused_by_name() {
    for (name, shape) in [
        ("net.1.weight", &[2usize] as &[usize]),
        ("norm.weight", &[2]),
        ("net.1.weight", &[1]),
        ("act.weight", &[]),
        ("net.1.running_mean", &[2]),
        ("bn.running_var", &[2]),
        ("norm.scale", &[2]),
        ("input_normalizer.mean", &[1]),
        ("conv.weight", &[2, 1, 3]),
        ("conv.weight", &[2, 1, 3, 3]),
        ("conv.weight_v", &[2, 1, 3]),
        ("strange.weight", &[1, 1, 1, 1, 1, 1]),
        ("lstm.weight_ih_l0", &[8, 2]),
        ("attention.in_proj_weight", &[3, 1]),
        ("params/Dense_0/kernel", &[1, 2]),
        ("net.0.weight_orig", &[2, 1]),
        ("net.0.parametrizations.weight.original", &[2, 1]),
        ("net.0.parametrizations.bias.original0", &[2, 1]),
        ("net.0.slope", &[]),
        ("net.0.lora.scale", &[2]),
        ("net.1.alpha", &[2]),
        ("activation.a", &[2]),
        ("layer_norm.gamma", &[2]),
    ] {
        let result = read(&with(vec![ones(name, shape)]));
        assert!(matches!(result, Err(ImportError::Unsupported { .. })), "{name}: {result:?}");
        refused(result, &[&format!("`{name}`"), &format!("{shape:?}"), "dense layers"]);
    }
}

#[test]
fn extras_that_may_be_left_out_are_told() {
    let extras = vec![
        typed("bn.num_batches_tracked", "I64", &[], &[0; 8]),
        typed("mask", "BOOL", &[2], &[1, 0]),
        ones("empty", &[0]),
        ones("empty_matrix", &[0, 7]),
        ones("lambda_1", &[]),
        ones("lower_bound", &[2]),
        ones("optimizer.state.0.exp_avg", &[2]),
        ones("optimizer.net.0.weight", &[2, 1]),
        ones("state.0.exp_avg_sq", &[2]),
        typed("net.1.num_batches_tracked", "I64", &[], &[0; 8]),
    ];
    let quoted: Vec<String> = extras.iter().map(|part| format!("`{}`", part.name)).collect();
    let model = read(&with(extras)).unwrap();
    assert_eq!(model.layers.len(), 2);
    assert_eq!(model.notices.len(), quoted.len());
    for name in quoted {
        let about: Vec<_> = model.notices.iter().filter(|notice| notice.contains(&name)).collect();
        assert_eq!(about.len(), 1, "{name}: {about:?}");
        let warns = about[0].contains("results will differ");
        assert_eq!(warns, ["`lambda_1`", "`lower_bound`"].contains(&name.as_str()), "{about:?}");
    }
}

#[test]
fn no_layers_and_empty_layers() {
    refused(from_bytes(&raw("{}", &[])), &["no dense layer", "no tensor at all", "[out, in]"]);
    refused(read(&[ones("w0", &[2, 1]), ones("b0", &[2])]), &["no dense layer", "`w0` [2, 1]", "`b0` [2]"]);
    refused(read(&[ones("optimizer.state.0.exp_avg", &[2])]), &["no dense layer"]);
    for shape in [[0, 2], [2, 0], [0, 0]] {
        refused(read(&[ones("a.weight", &shape)]), &["`a.weight`", &format!("{shape:?}"), "no inputs or no outputs"]);
    }
}

#[test]
fn not_finite_weights_are_told() {
    let parts = [f64s("0.weight", &[2, 2], &[1.0, f64::NAN, f64::INFINITY, 0.0]), ones("0.bias", &[2])];
    let model = read(&parts).unwrap();
    assert!(model.layers[0].weights[1].is_nan());
    assert!(model.notices[0].contains("`0.weight` has 2 of 4 values") && model.notices[0].contains("position 1"));
}

#[test]
fn headers_that_cannot_be() {
    let good = file(&layer("a", 1, 1));
    for length in [0, 1, 1 << 31, 1 << 40, u64::MAX, 100_000_001, good.len() as u64] {
        let mut bytes = good.clone();
        bytes[..8].copy_from_slice(&length.to_le_bytes());
        let parts = ["not a possible header length", &length.to_string(), &format!("{} bytes", good.len())];
        refused(from_bytes(&bytes), &parts);
    }
    refused(from_bytes(&good[..40]), &["40 bytes", "cut off inside its header"]);
    for (header, problem) in [
        ("{\"a.weight\":", "EOF"),
        ("[1, 2, 3]", "expected an object"),
        ("not json", "expected"),
        ("{}}", "trailing"),
        (r#"{"a":{"dtype":"F99","shape":[],"data_offsets":[0,0]}}"#, "F99"),
        (r#"{"a":{"dtype":"F32","shape":[-1],"data_offsets":[0,0]}}"#, "`a`"),
        (r#"{"a":{"dtype":"F32","shape":[1.5],"data_offsets":[0,0]}}"#, "`a`"),
        (r#"{"a":{"dtype":"F32","shape":[0],"data_offsets":[0]}}"#, "`a`"),
        (r#"{"a":{"dtype":"F32","data_offsets":[0,0]}}"#, "shape"),
        (r#"{"a":7}"#, "`a`"),
        (r#"{"__metadata__":{"a":7}}"#, "__metadata__"),
        (r#"{"__metadata__":{},"__metadata__":{}}"#, "twice"),
    ] {
        let result = from_bytes(&raw(header, &[]));
        assert!(matches!(result, Err(ImportError::Header { .. })), "{header}: {result:?}");
        refused(result, &[problem, "header cannot be read"]);
    }
    let mut bytes = good.clone();
    bytes[12] = 0xff;
    refused(from_bytes(&bytes), &["utf-8"]);
    let deep = "[".repeat(100_000);
    refused(from_bytes(&raw(&format!("{{\"a\":{deep}"), &[])), &["header cannot be read"]);
}

#[test]
fn offsets_that_cannot_be() {
    let header = |second: &str, shape: &str| {
        format!(
            r#"{{"a.weight":{{"dtype":"F64","shape":[1,1],"data_offsets":[0,8]}},"a.bias":{{"dtype":"F64","shape":{shape},"data_offsets":{second}}}}}"#
        )
    };
    assert!(from_bytes(&raw(&header("[8,16]", "[1]"), &[0; 16])).is_ok());
    // Overlap, hole, backwards.
    for offsets in ["[4,12]", "[0,8]", "[16,24]", "[8,0]"] {
        let parts = ["data_offsets", "`a.", &offsets.replace(',', ", ")];
        refused(from_bytes(&raw(&header(offsets, "[1]"), &[0; 24])), &parts);
    }
    // Beyond the end of the file.
    refused(from_bytes(&raw(&header("[8,16]", "[1]"), &[0; 12])), &["bytes expected", "cut off"]);
    refused(from_bytes(&raw(&header("[8,8000000008]", "[1000000000]"), &[0; 16])), &["bytes expected", "cut off"]);
    refused(from_bytes(&raw(&header("[8,16]", "[1]"), &[0; 17])), &["bytes follow the last tensor"]);
    // Products beyond 64 bits.
    for shape in ["[18446744073709551615,2]", "[4294967296,4294967296,4]", "[18446744073709551615]"] {
        refused(from_bytes(&raw(&header("[8,16]", shape), &[0; 16])), &["`a.bias`", "8 found"]);
        refused(from_bytes(&raw(&header("[8,18446744073709551615]", shape), &[0; 16])), &["bytes expected"]);
    }
}

#[test]
fn names_that_come_twice() {
    let entry = r#""a.weight":{"dtype":"F64","shape":[1,1],"data_offsets":[0,8]}"#;
    let twice = format!("{{{entry},{entry}}}");
    refused(from_bytes(&raw(&twice, &[0; 8])), &["`a.weight` twice"]);
    let metadata = format!(r#"{{"__metadata__":{{"activation":"tanh","activation":"sin"}},{entry}}}"#);
    refused(from_bytes(&raw(&metadata, &[0; 8])), &["`activation` twice"]);
}

#[test]
fn activation_from_metadata() {
    let model = |metadata: &str| {
        let entry = r#""a.weight":{"dtype":"F64","shape":[1,1],"data_offsets":[0,8]}"#;
        from_bytes(&raw(&format!(r#"{{"__metadata__":{metadata},{entry}}}"#), &[0; 8])).unwrap()
    };
    for key in ["activation", "activations", "hidden_activation"] {
        assert_eq!(model(&format!(r#"{{"{key}":" tanh "}}"#)).activation(), Some("tanh"));
    }
    assert_eq!(model(r#"{"activation":" "}"#).activation(), None);
    assert_eq!(model("null").activation(), None);
    let both = model(r#"{"activation":"tanh","output_activation":"sigmoid"}"#);
    assert_eq!((both.activation(), both.output_activation()), (Some("tanh"), Some("sigmoid")));
}

#[test]
fn files_of_other_formats() {
    let formats: [(&[u8], &str); 14] = [
        (b"\x80\x02\x8a\x0al\xfc\x9cF\xf9 j\xa8P\x19.\x80\x02M", "Python pickle"),
        (b"PK\x03\x04\x14\x00\x08\x08archive/data.pkl", "PyTorch zip/pickle"),
        (b"PK\x03\x04\x14\x00\x00\x00points.npy", ".npz"),
        (b"PK\x03\x04\x14\x00\x00\x00model.weights.h5", "Keras"),
        (b"PK\x03\x04\x14\x00\x00\x00readme", "zip file"),
        (b"\x89HDF\r\n\x1a\n\0\0\0\0", "HDF5"),
        (b"\x93NUMPY\x01\0v\0{'descr'", "NumPy"),
        (b"GGUF\x03\0\0\0\0\0\0\0", "GGUF"),
        (b"\x1f\x8b\x08\0\0\0\0\0\0\x03", "gzip"),
        (b"\n<!DOCTYPE html>\n<html>", "web page"),
        (b"{\"error\":\"Repository not found\"}", "JSON"),
        (b"Access denied: token", "text file"),
        (&[0; 64], "zeros"),
        (b"\x08\x07\x12\x07random\xff\xfe\xfd", "save_file"),
    ];
    for (bytes, hint) in formats {
        refused(from_bytes(bytes), &[hint, &format!("{} bytes", bytes.len())]);
    }
}

#[test]
fn paths_that_are_no_files() {
    let directory = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/src"));
    let message = Model::read(directory).unwrap_err().to_string();
    assert!(message.contains("a directory"), "{message}");
    refused(Model::read(Path::new("/nowhere/net.safetensors")), &["/nowhere", "check the path"]);
}

#[test]
fn read_and_from_bytes_agree() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases/files/F17_extras.safetensors");
    let bytes = std::fs::read(&path).unwrap();
    assert_eq!(Model::read(&path).unwrap(), Model::from_bytes(&path, &bytes).unwrap());
}

#[test]
fn names_in_messages_are_safe_to_print() {
    let long = "x".repeat(10_000);
    let parts = [ones(&format!("\\u001b[31m{long}.weight"), &[1, 1, 1])];
    let message = refused(read(&parts), &["\\u{1b}[31m"]);
    assert!(message.len() < 1000);
}

#[test]
fn names_with_endless_numbers() {
    let digits = "1a".repeat(50_000);
    let parts = layers(&[(&format!("{digits}0"), 1, 1), (&format!("{digits}1"), 1, 1)]);
    assert_eq!(read(&parts).unwrap().layers.len(), 2);
    let huge = "9".repeat(40);
    assert_eq!(names(&layers(&[(&huge, 1, 1)])), [huge]);
}

/// Whatever happens to a file, it is read or refused, and what is read is no larger than the file allows.
#[test]
fn damaged_files_never_panic() {
    let originals: Vec<Vec<u8>> = [
        file(&with(vec![typed("bn.num_batches_tracked", "I64", &[], &[0; 8])])),
        file(&[ones("a.weight_g", &[2, 1]), ones("a.weight_v", &[2, 2]), ones("a.bias", &[2])]),
        file(&[typed("module.fc1.weight", "BF16", &[2, 1], &[1; 4]), typed("module.out.weight", "F16", &[1, 2], &[1; 4])]),
    ]
    .into();
    // xorshift: the same mutations in every run.
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut random = move |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % below as u64) as usize
    };
    let interesting = b"0123456789-{}[]\":,.FBI_ \x00\xff";
    for round in 0..30_000 {
        let mut bytes = originals[round % originals.len()].clone();
        for _ in 0..=random(3) {
            if bytes.is_empty() {
                break;
            }
            let position = random(bytes.len());
            match random(5) {
                0 => bytes[position] ^= 1 << random(8),
                1 => bytes[position] = interesting[random(interesting.len())],
                2 => bytes.insert(position, interesting[random(interesting.len())]),
                3 => drop(bytes.remove(position)),
                _ => bytes.truncate(position),
            }
        }
        // Half of the time the length of the header follows a change of size, so that the JSON is reached.
        if random(2) == 0
            && let Some(end) = bytes.windows(2).position(|pair| pair == b"}}")
        {
            let length = (end + 2).saturating_sub(8) as u64;
            bytes[..8].copy_from_slice(&length.to_le_bytes());
        }
        match from_bytes(&bytes) {
            Ok(model) => {
                let numbers: usize = model.layers.iter().map(|layer| layer.weights.len() + layer.bias.len()).sum();
                assert!(numbers <= bytes.len());
                let judged = SafeTensors::deserialize(&bytes).map(|_| ());
                // Types smaller than a byte are never used, so that their padding does not matter here.
                assert!(matches!(judged, Ok(()) | Err(SafeTensorError::MisalignedSlice)), "{judged:?}");
            }
            Err(error) => assert!(error.to_string().starts_with("net.safetensors: ")),
        }
    }
}
