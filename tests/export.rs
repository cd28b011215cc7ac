//! Networks written to files and read back, by this crate and by the crate `safetensors`.
#![cfg(feature = "train")]

use std::fs;
use std::path::Path;

use safetensors::{Dtype, SafeTensors};
use tapeless::network::export::ExportError;
use tapeless::network::import::{Model, StoredType};
use tapeless::network::{Activation, Initialization, Layer, Network};
use tapeless::operator::{Expression, Names};
use tapeless::train::optimizer::AdamSettings;
use tapeless::train::{Objective, Stage, Term, Trainer};

const TANH: [Activation; 1] = [Activation::Tanh];

fn model(name: &str) -> Model {
    Model::read(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cases/files")).join(name)).unwrap()
}

/// The network after three steps of Adam for Poisson's equation.
fn trained(network: &Network<f64>) -> Network<f64> {
    let names = Names::new(["x", "y"], ["u"]).unwrap();
    let poisson = Expression::parse("u_xx + u_yy + x*y", &names, &[], &[]).unwrap();
    let points = (0..40).map(|k| f64::from(k).sin()).collect();
    let objective = Objective::new(network, vec![Term::of_expressions("equation", vec![poisson], points)]).unwrap();
    let mut trainer = Trainer::new(objective, vec![Stage::Adam { settings: AdamSettings::default(), steps: 3 }]).unwrap();
    while trainer.step().unwrap().is_some() {}
    trainer.network().unwrap()
}

/// Name, type and shape of each tensor, by name.
fn tensors(bytes: &[u8]) -> Vec<(String, Dtype, Vec<usize>)> {
    let file = SafeTensors::deserialize(bytes).unwrap();
    let mut tensors: Vec<_> =
        file.iter().map(|(name, tensor)| (name.to_owned(), tensor.dtype(), tensor.shape().to_vec())).collect();
    tensors.sort_by(|one, other| one.0.cmp(&other.0));
    tensors
}

#[test]
fn t09_trained_weights_go_back() {
    let mut model = model("F02_prefix.safetensors");
    let network = model.network::<f64>(&TANH, Activation::Identity).unwrap();
    let network = trained(&network);
    model.set_weights(&network).unwrap();
    model.metadata.insert("autor".to_owned(), "Grüße \"\n".to_owned());
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("trained.safetensors");
    let size = model.write(&path).unwrap();

    let bytes = fs::read(&path).unwrap();
    assert_eq!(bytes.len() as u64, size);
    let before = tensors(&fs::read(&self::model("F02_prefix.safetensors").path).unwrap());
    assert_eq!(tensors(&bytes), before);
    assert!(before.iter().all(|(name, dtype, _)| name.starts_with("module._orig_mod.") && *dtype == Dtype::F64));
    // Row by row, in this layer 4 rows of 2.
    let file = SafeTensors::deserialize(&bytes).unwrap();
    let first = file.tensor("module._orig_mod.linears.0.weight").unwrap();
    let expected: Vec<u8> = network.layers()[0].weights().iter().flat_map(|weight| weight.to_le_bytes()).collect();
    assert_eq!((first.shape(), first.data()), ([4, 2].as_slice(), expected.as_slice()));

    let read = Model::read(&path).unwrap();
    assert_eq!(read.metadata, model.metadata);
    let again = read.network::<f64>(&TANH, Activation::Identity).unwrap();
    for (one, other) in network.layers().iter().zip(again.layers()) {
        let bits =
            |layer: &Layer<f64>| [layer.weights(), layer.bias()].concat().into_iter().map(f64::to_bits).collect::<Vec<_>>();
        assert_eq!(bits(one), bits(other));
    }
    assert_eq!(read.to_bytes().unwrap(), bytes);
}

#[test]
fn a_model_that_was_not_touched_keeps_its_types() {
    for name in ["F01_deepxde_f64.safetensors", "F05_bf16.safetensors", "F16_unaligned.safetensors"] {
        let model = model(name);
        let bytes = model.to_bytes().unwrap();
        assert_eq!(tensors(&bytes), tensors(&fs::read(&model.path).unwrap()), "{name}");
        assert_eq!(Model::from_bytes(&model.path, &bytes).unwrap(), model, "{name}");
    }
}

/// Of two types the wider: bf16 and f16 are never enough for trained weights.
#[test]
fn no_bit_of_the_weights_is_lost() {
    let mut half = model("F05_bf16.safetensors");
    half.set_weights(&half.network::<f32>(&TANH, Activation::Identity).unwrap()).unwrap();
    assert!(half.layers.iter().all(|layer| layer.stored == StoredType::F32));
    let trained = trained(&half.network::<f64>(&TANH, Activation::Identity).unwrap());
    half.set_weights(&trained).unwrap();
    assert!(half.layers.iter().all(|layer| layer.stored == StoredType::F64));
    let read = Model::from_bytes(Path::new("half"), &half.to_bytes().unwrap()).unwrap();
    assert_eq!(read.network::<f64>(&TANH, Activation::Identity).unwrap(), trained);

    let mut double = model("F01_deepxde_f64.safetensors");
    double.set_weights(&double.network::<f32>(&TANH, Activation::Identity).unwrap()).unwrap();
    assert!(double.layers.iter().all(|layer| layer.stored == StoredType::F64));
}

#[test]
fn weight_norm_becomes_a_plain_weight() {
    let mut model = model("F09_weight_norm_old.safetensors");
    let network = model.network::<f64>(&TANH, Activation::Identity).unwrap();
    model.set_weights(&network).unwrap();
    let bytes = model.to_bytes().unwrap();
    let names: Vec<String> = tensors(&bytes).into_iter().map(|(name, ..)| name).collect();
    assert_eq!(names, ["net.0.bias", "net.0.weight", "net.1.bias", "net.1.weight", "net.2.bias", "net.2.weight"]);
    let read = Model::from_bytes(Path::new("plain"), &bytes).unwrap();
    assert_eq!(read.network::<f64>(&TANH, Activation::Identity).unwrap(), network);
}

#[test]
fn a_layer_without_bias_gets_one_when_it_is_needed() {
    let layer = |bias| Layer::new(2, 1, vec![1.5_f32, -0.0], vec![bias], Activation::Identity).unwrap();
    let network = |bias| Network::new(vec![layer(bias)]).unwrap();
    let mut model = Model::of(&network(0.0));
    model.layers[0].name.clear();
    model.layers[0].has_bias = false;
    let names = |model: &Model| tensors(&model.to_bytes().unwrap()).into_iter().map(|tensor| tensor.0).collect::<Vec<_>>();
    assert_eq!(names(&model), ["weight"]);
    model.set_weights(&network(0.0)).unwrap();
    assert_eq!(names(&model), ["weight"]);
    model.set_weights(&network(0.5)).unwrap();
    assert_eq!(names(&model), ["bias", "weight"]);
    let read = Model::from_bytes(Path::new("bare"), &model.to_bytes().unwrap()).unwrap();
    assert_eq!(read.network::<f32>(&[], Activation::Identity).unwrap(), network(0.5));
}

#[test]
fn a_network_built_here_names_its_activations() {
    let built = |activations: [Activation; 3]| {
        let widths = [(2, 5), (5, 4), (4, 1)];
        let layers = widths.into_iter().zip(activations).map(|((inputs, outputs), activation)| {
            Layer::new(inputs, outputs, vec![0.1_f32; inputs * outputs], vec![0.0; outputs], activation).unwrap()
        });
        Network::new(layers.collect()).unwrap()
    };
    let sine = Activation::Sin { w0: 30.0 };
    let same = Model::of(&built([sine, sine, Activation::Identity]));
    assert_eq!((same.activation(), same.output_activation()), (Some("sin:30"), None));
    let bytes = same.to_bytes().unwrap();
    let names: Vec<String> = tensors(&bytes).into_iter().map(|(name, ..)| name).collect();
    assert_eq!(names, ["net.0.bias", "net.0.weight", "net.2.bias", "net.2.weight", "net.4.bias", "net.4.weight"]);
    assert_eq!(tensors(&bytes)[3], ("net.2.weight".to_owned(), Dtype::F32, vec![4, 5]));
    let mut read = Model::from_bytes(Path::new(""), &bytes).unwrap();
    assert_eq!(read.notices, [""; 0]);
    read.path.clear();
    assert_eq!(read, same);

    let mixed = Model::of(&built([Activation::Tanh, sine, Activation::Sigmoid]));
    assert_eq!((mixed.activation(), mixed.output_activation()), (Some("tanh,sin:30"), Some("sigmoid")));
}

#[test]
fn another_network_is_refused() {
    let built =
        |widths: &[usize]| Network::<f32>::initialized(widths, Activation::Tanh, Initialization::GlorotUniform, 1).unwrap();
    let mut model = Model::of(&built(&[2, 3, 1]));
    let before = model.clone();
    let error = model.set_weights(&built(&[2, 3, 3, 1])).unwrap_err();
    assert!(matches!(error, ExportError::LayerCount { expected: 2, found: 3 }));
    let error = model.set_weights(&built(&[2, 4, 1])).unwrap_err().to_string();
    assert!(
        error.starts_with("layer \"net.0\" has 2 inputs and 4 outputs in the network, but 2 and 3 in the model"),
        "{error}"
    );
    assert_eq!(model, before);
}

#[test]
fn a_model_put_together_wrongly_is_refused() {
    let network = Network::<f32>::initialized(&[2, 3, 1], Activation::Tanh, Initialization::GlorotUniform, 1).unwrap();
    let error = |spoil: fn(&mut Model)| {
        let mut model = Model::of(&network);
        spoil(&mut model);
        let folder = tempfile::tempdir().unwrap();
        let error = model.write(folder.path().join("net.safetensors")).unwrap_err();
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
        error.to_string()
    };
    assert!(error(|model| model.layers[1].name = "net.0".to_owned()).contains("two layers are named \"net.0\""));
    assert!(error(|model| model.layers[0].weights.truncate(5)).contains("expected 6 numbers, found 5"));
    assert!(error(|model| model.layers[1].bias.push(0.0)).contains("bias of layer \"net.2\""));
    assert!(error(|model| model.layers[1].bias[0] = 1e300).contains("too large for f32"));
}

#[test]
fn a_place_that_takes_no_file_is_named() {
    let network = Network::<f32>::initialized(&[2, 1], Activation::Tanh, Initialization::GlorotUniform, 1).unwrap();
    let error = Model::of(&network).write("no such folder/net.safetensors").unwrap_err().to_string();
    assert!(
        error.starts_with("no such folder/net.safetensors: no file can be made in the folder no such folder"),
        "{error}"
    );
}
