//! What the file of a trained network says of itself.

use std::fs;

use tapeless::network::import::Model;

use crate::train::train_text;
use crate::{Folder, eval};

const PROBLEM: &str = r#"
inputs = ["x", "t"]
outputs = ["u"]
domain = { x = [0, 1], t = [0, 1] }
transform = { u = { offset = "sin(pi*x)", factor = "t" } }
term = [{ name = "equation", residual = "u_t - u_xx", points = 8 }]
network = { hidden = [4] }
stage = [{ optimizer = "adam", steps = 2 }]
"#;

#[test]
fn a_trained_network_knows_its_names_and_says_that_a_transform_is_not_part_of_it() {
    let folder = Folder::new();
    train_text(&folder, PROBLEM, "").succeeded();
    let path = folder.at("run/network.safetensors");
    let model = Model::read(&path).unwrap();
    assert_eq!((model.metadata["inputs"].as_str(), model.metadata["outputs"].as_str()), ("x,t", "u"));
    assert_eq!(model.metadata["transform"], "u = (sin(pi*x)) + (t)*N");

    let points = folder.at("points.csv");
    fs::write(&points, "x,t\n0.5,0.5\n").unwrap();
    let notes = eval(&path, &points, &folder.at("out.csv"), "--derive u,u_t").succeeded();
    assert!(notes.contains("the solution is u = (sin(pi*x)) + (t)*N with this network N"), "{notes}");
}
