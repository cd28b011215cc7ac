//! Files that the program reads, written; files that it writes, read.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::BufWriter;
use std::path::Path;

use npyz::WriterBuilder;
use npyz::npz::NpzArchive;
use serde_json::{Map, Value, json};

use crate::common::{Case, Point, numbers};

/// One array of a `.npz` file.
#[derive(Debug, PartialEq)]
pub struct Array {
    pub shape: Vec<usize>,
    /// The type of its numbers as numpy writes it, such as `<f8`.
    pub dtype: String,
    /// The numbers, last index fastest.
    pub numbers: Vec<f64>,
}

/// The arrays of a `.npz` file by name.
pub type Arrays = BTreeMap<String, Array>;

pub fn read_npz(path: &Path) -> Arrays {
    let mut archive = NpzArchive::open(path).unwrap();
    let names: Vec<String> = archive.array_names().map(str::to_owned).collect();
    let mut read = |name: String| {
        let file = archive.by_name(&name).unwrap().unwrap();
        assert_eq!(file.order(), npyz::Order::C);
        let shape = file.shape().iter().map(|&length| length as usize).collect();
        let dtype = file.dtype().descr().trim_matches('\'').to_owned();
        let numbers = match dtype.as_str() {
            "<f8" => file.into_vec().unwrap(),
            "<f4" => file.into_vec::<f32>().unwrap().into_iter().map(f64::from).collect(),
            _ => panic!("{name} is of type {dtype}"),
        };
        (name, Array { shape, dtype, numbers })
    };
    names.into_iter().map(&mut read).collect()
}

/// A `.csv` file: the names of the columns, and the cells line by line.
pub fn read_csv(path: &Path) -> (Vec<String>, Vec<Vec<String>>) {
    let text = fs::read_to_string(path).unwrap();
    let mut lines = text.lines().map(|line| line.split(',').map(str::to_owned).collect::<Vec<_>>());
    let names = lines.next().unwrap();
    let rows: Vec<_> = lines.collect();
    assert!(rows.iter().all(|row| row.len() == names.len()));
    (names, rows)
}

/// Numbers that a `.npy` file can hold.
pub trait Stored: npyz::AutoSerialize + Copy {}
impl Stored for f32 {}
impl Stored for f64 {}

/// Writes points of `columns` numbers each.
pub fn write_points<T: Stored>(path: &Path, columns: usize, numbers: &[T]) {
    let shape = [(numbers.len() / columns) as u64, columns as u64];
    let file = BufWriter::new(File::create(path).unwrap());
    let mut writer = npyz::WriteOptions::new().default_dtype().shape(&shape).writer(file).begin_nd().unwrap();
    writer.extend(numbers.iter().copied()).unwrap();
    writer.finish().unwrap();
}

/// Writes the points of a case.
pub fn write_case_points(path: &Path, points: &[Point]) {
    let numbers: Vec<f64> = points.iter().flat_map(|point| point.at.clone()).collect();
    write_points(path, points[0].at.len(), &numbers);
}

/// One dense layer, its weights row by row.
#[derive(Clone)]
pub struct Dense {
    pub weights: Vec<f64>,
    pub bias: Vec<f64>,
}

impl Dense {
    /// The layer that hands its inputs on.
    pub fn identity(width: usize) -> Self {
        let one = |place: usize| if place.is_multiple_of(width + 1) { 1.0 } else { 0.0 };
        Self { weights: (0..width * width).map(one).collect(), bias: vec![0.0; width] }
    }

    /// The same layer after a factor.
    pub fn times(mut self, factor: f64) -> Self {
        self.weights.iter_mut().chain(&mut self.bias).for_each(|number| *number *= factor);
        self
    }
}

/// The layers that are written in a case of kind `network`.
pub fn case_layers(id: &str) -> Vec<Dense> {
    let network = &Case::named(id).json["network"];
    let layer = |layer: &Value| Dense { weights: numbers(&layer["W"]), bias: numbers(&layer["b"]) };
    network.as_array().unwrap().iter().map(layer).collect()
}

/// Writes a model in double precision.
pub fn write_model(path: &Path, layers: &[Dense], metadata: &[(&str, &str)]) {
    let mut header = Map::new();
    if !metadata.is_empty() {
        header.insert("__metadata__".to_owned(), metadata.iter().map(|&(key, text)| (key, json!(text))).collect());
    }
    let mut data = Vec::new();
    let mut add = |name: String, shape: &[usize], numbers: &[f64]| {
        let start = data.len();
        data.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
        header.insert(name, json!({ "dtype": "F64", "shape": shape, "data_offsets": [start, data.len()] }));
    };
    for (position, Dense { weights, bias }) in layers.iter().enumerate() {
        add(format!("net.{position}.weight"), &[bias.len(), weights.len() / bias.len()], weights);
        add(format!("net.{position}.bias"), &[bias.len()], bias);
    }
    let header = Value::Object(header).to_string();
    let length = (header.len() as u64).to_le_bytes();
    fs::write(path, [&length, header.as_bytes(), &data].concat()).unwrap();
}
