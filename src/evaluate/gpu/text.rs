//! The text of the kernel that carries a tile of points through all layers, and the numbers that it reads.

use std::fmt::Write;

use super::real::ShaderReal;
use super::shape::{LayerShape, Run, Shape, Tile};
use crate::network::{Activation, Network};
use crate::operator::Form;
use crate::shaders;

/// The kernel around the layers.
const TEMPLATE: &str = include_str!("../../../shaders/network_fused.wgsl");

/// Where the layers go.
const LAYERS: &str = "    // LAYERS\n";

/// The text of the kernel.
pub(super) fn text<R: ShaderReal>(shape: &Shape, tile: &Tile) -> String {
    let lanes = lanes(tile);
    let layout = Layout::new(shape, tile);
    let mut text = shaders::activations(R::DOUBLE);
    let constants = [
        ("INPUTS", shape.inputs()),
        ("OUTPUTS", shape.outputs()),
        ("CHANNELS", shape.channels()),
        ("RESULTS", shape.results),
        ("POINTS", tile.points),
        ("GROUPS", tile.groups),
        ("VECTORS", tile.vectors(shape.channels())),
        ("ACTIVATIONS", tile.activations(shape)),
        ("THREADS", tile.threads),
    ];
    for (name, value) in constants {
        line(&mut text, format_args!("const {name} = {value}u;"));
    }
    let weights = if lanes == 1 { "real".to_owned() } else { format!("vec{lanes}<real>") };
    line(&mut text, format_args!("alias Weights = {weights};"));
    line(&mut text, format_args!("/// A factor of the readout."));
    let first = layout.factors;
    let factor = match lanes {
        1 => format!("parameters[{first}u + term]"),
        _ => format!("parameters[{}u + term / {lanes}u][term % {lanes}u]", first / lanes),
    };
    line(&mut text, format_args!("fn factor(term: u32) -> real {{\n    return {factor};\n}}"));

    let mut layers = String::new();
    let mut generator = Generator { shape, tile, lanes, text: &mut layers };
    match shape.hidden().split_first() {
        None => generator.inputs::<R>(),
        Some((first, _)) => {
            generator.first_layer::<R>(first, layout.layers[0]);
            let mut position = 1;
            for run in shape.runs() {
                generator.hidden_layers::<R>(&run, layout.layers[position]);
                position += run.count;
            }
        }
    }
    if let (Some(last), Some(&start)) = (shape.layers.last(), layout.layers.last()) {
        generator.last_layer::<R>(last, start);
    }
    text.push_str(&TEMPLATE.replace(LAYERS, &layers));
    text
}

/// Where the parameters of the kernel are, in numbers.
struct Layout {
    /// Start of each layer.
    layers: Vec<usize>,
    /// Start of the readout's factors.
    factors: usize,
}

impl Layout {
    fn new(shape: &Shape, tile: &Tile) -> Self {
        let mut end = 0;
        let layers = (0..shape.layers.len()).map(|position| {
            let start = end;
            end += layer_length(shape, tile, position);
            start
        });
        let layers = layers.collect();
        Self { layers, factors: end }
    }
}

/// Numbers of a layer, padded to whole threads.
fn layer_length(shape: &Shape, tile: &Tile, position: usize) -> usize {
    let layer = shape.layers[position];
    let outputs = tile.rows(layer.outputs);
    if position + 1 == shape.layers.len() {
        layer.outputs * tile.rows(layer.inputs) + outputs
    } else if position == 0 {
        (layer.inputs + 1) * outputs
    } else {
        (tile.rows(layer.inputs) + 1) * outputs
    }
}

/// The numbers that the kernel reads: weights by input and neuron, then biases, for each layer; in the last layer weights by
/// neuron and input. Neurons and inputs are padded with zeros to whole threads. After all, the factors of the readout.
pub(super) fn parameters<R: ShaderReal>(
    network: &Network<R>,
    shape: &Shape,
    tile: &Tile,
    factors: impl Iterator<Item = R>,
) -> Vec<R> {
    let mut numbers = Vec::new();
    let last = network.layers().len().saturating_sub(1);
    for (position, layer) in network.layers().iter().enumerate() {
        let start = numbers.len();
        numbers.resize(start + layer_length(shape, tile, position), R::zero());
        let numbers = &mut numbers[start..];
        let (inputs, outputs) = (tile.rows(layer.inputs()), tile.rows(layer.outputs()));
        let biases = if position == last { layer.outputs() * inputs } else { numbers.len() - outputs };
        for (n, row) in layer.weights().chunks_exact(layer.inputs()).enumerate() {
            for (k, &weight) in row.iter().enumerate() {
                numbers[if position == last { n * inputs + k } else { k * outputs + n }] = weight;
            }
        }
        numbers[biases..biases + layer.outputs()].copy_from_slice(layer.bias());
    }
    numbers.extend(factors);
    numbers.resize(numbers.len().next_multiple_of(4), R::zero());
    numbers
}

/// Weights that are loaded at once.
fn lanes(tile: &Tile) -> usize {
    tile.neurons.min(4)
}

fn line(text: &mut String, arguments: std::fmt::Arguments<'_>) {
    // Writing to a string does not fail.
    let _ = writeln!(text, "{arguments}");
}

/// The name of a component of a vector.
const COMPONENTS: [&str; 4] = ["x", "y", "z", "w"];

/// A number of a neuron held in registers: vectors `prefix`0, `prefix`1, .. hold the columns.
fn register(prefix: &str, column: usize) -> String {
    format!("{prefix}{}.{}", column / 4, COMPONENTS[column % 4])
}

struct Generator<'a> {
    shape: &'a Shape,
    tile: &'a Tile,
    lanes: usize,
    text: &'a mut String,
}

impl Generator<'_> {
    fn line(&mut self, arguments: std::fmt::Arguments<'_>) {
        line(self.text, arguments);
    }

    fn vectors(&self) -> usize {
        self.tile.vectors(self.shape.channels())
    }

    /// The registers of a thread.
    fn declare(&mut self) {
        for i in 0..self.tile.neurons {
            for j in 0..self.vectors() {
                self.line(format_args!("        var a{i}_{j} = vec4<real>();"));
            }
        }
    }

    /// Which neurons and points are the thread's, and whether it has any, for a layer with so many outputs.
    fn begin(&mut self, outputs: usize) {
        let threads = outputs.div_ceil(self.tile.neurons);
        self.line(format_args!("        let busy = thread < {}u;", threads * self.tile.groups));
        self.line(format_args!("        let neurons = thread % {threads}u;"));
        self.line(format_args!("        let group = thread / {threads}u;"));
        self.declare();
        self.line(format_args!("        if (busy) {{"));
    }

    /// Loads the weights of the thread's neurons; `index` is the text of the first vector's place. Of the layer's vectors of
    /// neurons, a thread has every `threads`th, so that neighbours among the threads load neighbours.
    fn load(&mut self, name: &str, index: &str, threads: usize) {
        for v in 0..self.tile.neurons / self.lanes {
            self.line(format_args!("            let {name}{v} = parameters[{index} + {}u];", v * threads));
        }
    }

    /// A loaded weight of a neuron.
    fn weight(&self, name: &str, i: usize) -> String {
        match self.lanes {
            1 => format!("{name}{i}"),
            lanes => format!("{name}{}.{}", i / lanes, COMPONENTS[i % lanes]),
        }
    }

    /// Adds the biases to the values.
    fn bias(&mut self, index: &str, threads: usize) {
        self.load("b", index, threads);
        for i in 0..self.tile.neurons {
            for point in 0..self.tile.points {
                let value = register(&format!("a{i}_"), point * self.shape.channels());
                let bias = self.weight("b", i);
                self.line(format_args!("            {value} += {bias};"));
            }
        }
    }

    /// The first layer: first partials are weights, and forms are sums of those, mostly 0.
    fn first_layer<R: ShaderReal>(&mut self, layer: &LayerShape, start: usize) {
        let threads = layer.outputs.div_ceil(self.tile.neurons);
        let stride = self.tile.neurons / self.lanes;
        let (channels, points) = (self.shape.channels(), self.tile.points);
        let start = start / self.lanes;
        let at = |k: usize| format!("{}u + neurons", start + k * threads * stride);
        self.line(format_args!("    {{"));
        self.begin(layer.outputs);
        for k in 0..layer.inputs {
            self.line(format_args!("            {{"));
            self.load("w", &at(k), threads);
            for point in 0..points {
                self.line(format_args!(
                    "            let x{point} = coordinate(tile + group * {points}u + {point}u, {k}u);"
                ));
            }
            let seeds: Vec<(usize, f64)> = self.shape.seeds(k).collect();
            for i in 0..self.tile.neurons {
                let weight = self.weight("w", i);
                for point in 0..points {
                    let value = register(&format!("a{i}_"), point * channels);
                    self.line(format_args!("            {value} = fma({weight}, x{point}, {value});"));
                    for &(channel, seed) in &seeds {
                        let register = register(&format!("a{i}_"), point * channels + channel);
                        let seed = R::literal(seed).literal_text();
                        self.line(format_args!("            {register} = fma({weight}, {seed}, {register});"));
                    }
                }
            }
            self.line(format_args!("            }}"));
        }
        self.bias(&at(layer.inputs), threads);
        self.push_all::<R>(layer.activation, true);
        self.line(format_args!("        }}"));
        self.store(threads);
        self.line(format_args!("    }}"));
    }

    /// Layers that read activations and write them to the same place.
    fn hidden_layers<R: ShaderReal>(&mut self, run: &Run, start: usize) {
        let layer = &run.layer;
        let threads = layer.outputs.div_ceil(self.tile.neurons);
        let stride = self.tile.neurons / self.lanes;
        let inputs = self.tile.rows(layer.inputs);
        let length = (inputs + 1) * threads * stride;
        let (groups, vectors) = (self.tile.groups, self.vectors());
        self.line(format_args!("    for (var layer = 0u; layer < {}u; layer++) {{", run.count));
        self.line(format_args!("        let start = {}u + layer * {length}u;", start / self.lanes));
        self.begin(layer.outputs);
        self.line(format_args!("            var weight = start + neurons;"));
        self.line(format_args!("            var source = group * {vectors}u;"));
        let unroll = self.tile.neurons.min(2);
        self.line(format_args!("            for (var k = 0u; k < {}u; k++) {{", inputs / unroll));
        for step in 0..unroll {
            self.line(format_args!("            {{"));
            self.load("w", &format!("weight + {}u", step * threads * stride), threads);
            for j in 0..vectors {
                let offset = step * groups * vectors + j;
                self.line(format_args!("            let x{j} = activations[source + {offset}u];"));
            }
            for i in 0..self.tile.neurons {
                let weight = self.weight("w", i);
                for j in 0..vectors {
                    self.line(format_args!("            a{i}_{j} = fma(vec4<real>({weight}), x{j}, a{i}_{j});"));
                }
            }
            self.line(format_args!("            }}"));
        }
        self.line(format_args!("            weight += {}u;", unroll * threads * stride));
        self.line(format_args!("            source += {}u;", unroll * groups * vectors));
        self.line(format_args!("            }}"));
        self.bias(&format!("start + {}u + neurons", inputs * threads * stride), threads);
        self.push_all::<R>(layer.activation, false);
        self.line(format_args!("        }}"));
        self.line(format_args!("        workgroupBarrier();"));
        self.store(threads);
        self.line(format_args!("    }}"));
    }

    /// The last layer, which has few neurons: a thread takes one vector of channels of one of them. Then its activation.
    fn last_layer<R: ShaderReal>(&mut self, layer: &LayerShape, start: usize) {
        let (groups, vectors, lanes) = (self.tile.groups, self.vectors(), self.lanes);
        let row = groups * vectors;
        let inputs = self.tile.rows(layer.inputs) / lanes;
        self.line(format_args!("    for (var index = thread; index < {}u; index += THREADS) {{", layer.outputs * row));
        self.line(format_args!("        var sum = vec4<real>();"));
        self.line(format_args!("        var weight = {}u + index / {row}u * {inputs}u;", start / lanes));
        self.line(format_args!("        var source = index % {row}u;"));
        self.line(format_args!("        for (var k = 0u; k < {inputs}u; k++) {{"));
        self.line(format_args!("            let w = parameters[weight + k];"));
        for (lane, component) in COMPONENTS.iter().enumerate().take(lanes) {
            let weight = if lanes == 1 { "w".to_owned() } else { format!("w.{component}") };
            let offset = lane * row;
            self.line(format_args!("            sum = fma(vec4<real>({weight}), activations[source + {offset}u], sum);"));
        }
        self.line(format_args!("            source += {}u;", lanes * row));
        self.line(format_args!("        }}"));
        self.line(format_args!("        outputs[index] = sum;"));
        self.line(format_args!("    }}"));
        self.line(format_args!("    workgroupBarrier();"));
        self.line(format_args!("    for (var index = thread; index < {}u; index += THREADS) {{", layer.outputs * groups));
        let bias = start + layer.outputs * inputs * lanes;
        let place = match lanes {
            1 => format!("parameters[{bias}u + index / {groups}u]"),
            _ => format!("parameters[{}u + index / {}u][index / {groups}u % {lanes}u]", bias / lanes, groups * lanes),
        };
        self.line(format_args!("        let bias = {place};"));
        for j in 0..vectors {
            self.line(format_args!("        var a_{j} = outputs[index * {vectors}u + {j}u];"));
        }
        for point in 0..self.tile.points {
            let value = register("a_", point * self.shape.channels());
            self.line(format_args!("        {value} += bias;"));
            self.push::<R>("a_", point, layer.activation, false);
        }
        for j in 0..vectors {
            self.line(format_args!("        outputs[index * {vectors}u + {j}u] = a_{j};"));
        }
        self.line(format_args!("    }}"));
    }

    /// A network of one layer reads its inputs as if they were activations.
    fn inputs<R: ShaderReal>(&mut self) {
        let (points, channels, vectors) = (self.tile.points, self.shape.channels(), self.vectors());
        self.line(format_args!("    if (thread < GROUPS) {{"));
        for row in 0..self.tile.rows(self.shape.inputs()) {
            let mut columns = vec!["real(0)".to_owned(); 4 * vectors];
            if row < self.shape.inputs() {
                for point in 0..points {
                    columns[point * channels] = format!("coordinate(tile + thread * {points}u + {point}u, {row}u)");
                    for (channel, seed) in self.shape.seeds(row) {
                        columns[point * channels + channel] = R::literal(seed).literal_text();
                    }
                }
            }
            for (j, vector) in columns.chunks_exact(4).enumerate() {
                let place = format!("({row}u * GROUPS + thread) * VECTORS + {j}u");
                self.line(format_args!("        activations[{place}] = vec4<real>({});", vector.join(", ")));
            }
        }
        self.line(format_args!("    }}"));
        self.line(format_args!("    workgroupBarrier();"));
    }

    /// Writes the thread's registers to the shared memory.
    fn store(&mut self, threads: usize) {
        let (neurons, groups, vectors) = (self.tile.neurons, self.tile.groups, self.vectors());
        let columns = self.tile.points * self.shape.channels();
        self.line(format_args!("        if (busy) {{"));
        let lanes = self.lanes;
        self.line(format_args!("            let place = (neurons * {}u + group) * {vectors}u;", lanes * groups));
        for i in 0..neurons {
            for j in 0..vectors {
                let row = i / lanes * threads * lanes + i % lanes;
                let offset = row * groups * vectors + j;
                // Columns that do not exist are not computed, since nobody reads them.
                let vector = match columns - 4 * j {
                    1 => format!("vec4<real>(a{i}_{j}.x, real(0), real(0), real(0))"),
                    2 => format!("vec4<real>(a{i}_{j}.xy, real(0), real(0))"),
                    3 => format!("vec4<real>(a{i}_{j}.xyz, real(0))"),
                    _ => format!("a{i}_{j}"),
                };
                self.line(format_args!("            activations[place + {offset}u] = {vector};"));
            }
        }
        self.line(format_args!("        }}"));
        self.line(format_args!("        workgroupBarrier();"));
    }

    fn push_all<R: ShaderReal>(&mut self, activation: Activation, first_layer: bool) {
        for i in 0..self.tile.neurons {
            for point in 0..self.tile.points {
                self.push::<R>(&format!("a{i}_"), point, activation, first_layer);
            }
        }
    }

    /// Pushes the channels of a neuron at a point through the activation: forms first, since they need the first partials as they
    /// were.
    fn push<R: ShaderReal>(&mut self, prefix: &str, point: usize, activation: Activation, first_layer: bool) {
        if activation == Activation::Identity {
            return;
        }
        let shape = self.shape;
        let firsts = shape.firsts.len();
        let column = |channel: usize| register(prefix, point * shape.channels() + channel);
        let value = column(0);
        self.line(format_args!("            {{"));
        self.line(format_args!("            let jet = {};", self::activation::<R>(activation, &value)));
        for (number, form) in shape.forms.iter().enumerate() {
            let register = column(1 + firsts + number);
            let curvature = format!("jet.second * ({})", form_of_firsts::<R>(form, |i| column(1 + i)));
            if first_layer && form.drift.is_empty() {
                self.line(format_args!("            {register} = {curvature};"));
            } else {
                self.line(format_args!("            {register} = fma(jet.first, {register}, {curvature});"));
            }
        }
        for i in 0..firsts {
            let register = column(1 + i);
            self.line(format_args!("            {register} = jet.first * {register};"));
        }
        self.line(format_args!("            {value} = jet.value;"));
        self.line(format_args!("            }}"));
    }
}

/// The call of an activation's function, which gives value and derivatives.
pub(super) fn activation<R: ShaderReal>(activation: Activation, argument: &str) -> String {
    let text = activation.to_string();
    let name = text.split(':').next().unwrap_or_default();
    format!("activation_{name}({argument}, {})", R::literal(activation.parameter()).literal_text())
}

/// The sum of weighted products of first partials.
fn form_of_firsts<R: ShaderReal>(form: &Form, first: impl Fn(usize) -> String) -> String {
    let terms = form.terms.iter().map(|&(i, j, weight)| {
        let product = format!("{} * {}", first(i), first(j));
        if weight == 1.0 { product } else { format!("{} * ({product})", R::literal(weight).literal_text()) }
    });
    let terms: Vec<String> = terms.collect();
    // A form may be a first partial alone.
    if terms.is_empty() { "real(0)".to_owned() } else { terms.join(" + ") }
}
