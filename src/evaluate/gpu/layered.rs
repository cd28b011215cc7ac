//! The path of a network layer by layer through the device's memory.

use std::fmt::Write;

use super::binding::{self, Access, UNIFORM_STRIDE};
use super::device::GpuDevice;
use super::error::GpuError;
use super::kernel::KernelBuffers;
use super::readout::Record;
use super::real::ShaderReal;
use super::shape::Shape;
use super::text;
use crate::network::{Activation, Network};
use crate::shaders;

/// The kernels.
const TEMPLATE: &str = include_str!("../../../shaders/network_layered.wgsl");

/// Bytes of the numbers of a call.
const CALL_BYTES: u64 = 32;

/// Threads of a workgroup.
const THREADS: usize = 64;

/// Rows and columns of the part of a product that a workgroup makes.
const SIDE: usize = 64;

/// One dispatch.
struct Step {
    pipeline: wgpu::ComputePipeline,
    /// Which of the two buffers of rows is `front`.
    front: usize,
    work: Work,
}

enum Work {
    Seed { inputs: usize },
    Product { inputs: usize, outputs: usize, weights: usize, biases: usize },
    Push { outputs: usize },
    ReadOff { results: usize },
}

pub(super) struct Layered {
    layout: wgpu::BindGroupLayout,
    parameters: wgpu::Buffer,
    tables: wgpu::Buffer,
    steps: Vec<Step>,
    channels: usize,
    /// Numbers of the widest layer for each point.
    pub row_numbers: usize,
}

impl Layered {
    pub fn new<R: ShaderReal>(
        device: &GpuDevice,
        network: &Network<R>,
        shape: &Shape,
        record: &Record,
    ) -> Result<Self, GpuError> {
        let accesses =
            [Access::Uniform, Access::Read, Access::Read, Access::Read, Access::Write, Access::Read, Access::Write];
        let (layout, pipeline_layout) = device.guarded(0, || {
            let layout = binding::layout(device, &accesses, CALL_BYTES);
            let pipeline_layout = binding::pipeline_layout(device, &layout);
            (layout, pipeline_layout)
        })?;
        let numbers = Numbers::new(network, shape, record);
        let pipeline = |activation: Activation, entry: &'static str| {
            device.pipeline(&self::text::<R>(shape, &numbers.places, activation), entry, &pipeline_layout)
        };
        let mut steps = Vec::new();
        // Step by step the two buffers of rows change places.
        let seed = pipeline(Activation::Identity, "seed")?;
        steps.push(Step { pipeline: seed, front: 1, work: Work::Seed { inputs: shape.inputs() } });
        let product = pipeline(Activation::Identity, "product")?;
        for (number, (layer, &(weights, biases))) in shape.layers.iter().zip(&numbers.layers).enumerate() {
            let (inputs, outputs) = (layer.inputs, layer.outputs);
            let (front, work) = (number % 2, Work::Product { inputs, outputs, weights, biases });
            steps.push(Step { pipeline: product.clone(), front, work });
            if layer.activation != Activation::Identity {
                let pipeline = pipeline(layer.activation, "push")?;
                steps.push(Step { pipeline, front, work: Work::Push { outputs } });
            }
        }
        let read_off = pipeline(Activation::Identity, "read_off")?;
        let front = shape.layers.len() % 2;
        steps.push(Step { pipeline: read_off, front, work: Work::ReadOff { results: shape.results } });

        let widest = shape.layers.iter().map(|layer| layer.outputs.max(layer.inputs)).max().unwrap_or(0);
        Ok(Self {
            layout,
            parameters: binding::filled(device, "the weights", &numbers.parameters)?,
            tables: binding::filled(device, "the list of results", &numbers.tables)?,
            steps,
            channels: shape.channels(),
            row_numbers: widest * shape.channels(),
        })
    }

    pub fn buffers(
        &self,
        device: &GpuDevice,
        coordinates: u64,
        results: u64,
        rows: u64,
    ) -> Result<KernelBuffers, GpuError> {
        device.guarded(coordinates + results + 2 * rows, || {
            use wgpu::BufferUsages as Usages;
            let points = binding::buffer(device, "points", coordinates, Usages::STORAGE | Usages::COPY_DST);
            let results = binding::buffer(device, "results", results, Usages::STORAGE | Usages::COPY_SRC);
            let calls = UNIFORM_STRIDE * self.steps.len() as u64;
            let calls = binding::buffer(device, "calls", calls, Usages::UNIFORM | Usages::COPY_DST);
            let rows = [0, 1].map(|_| binding::buffer(device, "rows", rows, Usages::STORAGE));
            let group = |front: usize| {
                let storage = [&points, &self.parameters, &self.tables, &results, &rows[front], &rows[1 - front]];
                binding::group(device, &self.layout, &calls, CALL_BYTES, &storage)
            };
            let groups = vec![group(0), group(1)];
            KernelBuffers { points, calls, results, rows: rows.into(), groups }
        })
    }

    fn dispatch(&self, work: &Work, points: usize) -> (u32, u32) {
        binding::dispatch(match *work {
            Work::Seed { inputs } => (inputs * points).div_ceil(THREADS),
            Work::Product { outputs, .. } => outputs.div_ceil(SIDE) * (self.channels * points).div_ceil(SIDE),
            Work::Push { outputs } => (outputs * points).div_ceil(THREADS),
            Work::ReadOff { results } => (results * points).div_ceil(THREADS),
        })
    }

    /// The numbers of `Call` for each step.
    pub fn calls(&self, points: usize) -> Vec<u32> {
        let mut numbers = Vec::new();
        for step in &self.steps {
            let (inputs, outputs, weights, biases) = match step.work {
                Work::Product { inputs, outputs, weights, biases } => (inputs, outputs, weights, biases),
                Work::Push { outputs } => (0, outputs, 0, 0),
                Work::Seed { .. } | Work::ReadOff { .. } => (0, 0, 0, 0),
            };
            let (row, _) = self.dispatch(&step.work, points);
            let call = [0, points as u32, row, inputs as u32, outputs as u32, weights as u32, biases as u32];
            let end = numbers.len() + UNIFORM_STRIDE as usize / size_of::<u32>();
            numbers.extend(call);
            numbers.resize(end, 0);
        }
        numbers
    }

    pub fn encode(&self, pass: &mut wgpu::ComputePass<'_>, buffers: &KernelBuffers, points: usize) {
        for (number, step) in self.steps.iter().enumerate() {
            let (row, rows) = self.dispatch(&step.work, points);
            pass.set_pipeline(&step.pipeline);
            pass.set_bind_group(0, &buffers.groups[step.front], &[number as u32 * UNIFORM_STRIDE as u32]);
            pass.dispatch_workgroups(row, rows, 1);
        }
    }
}

/// Where the tables and their factors start.
struct Places {
    forms: usize,
    terms: usize,
    readout: usize,
    seeds: usize,
    form_weights: usize,
    factors: usize,
}

/// What the kernels read beside points.
struct Numbers<R> {
    parameters: Vec<R>,
    tables: Vec<u32>,
    /// Where the weights and biases of each layer start.
    layers: Vec<(usize, usize)>,
    places: Places,
}

impl<R: ShaderReal> Numbers<R> {
    fn new(network: &Network<R>, shape: &Shape, record: &Record) -> Self {
        let mut parameters = Vec::new();
        let mut layers = Vec::new();
        for layer in network.layers() {
            let weights = parameters.len();
            for k in 0..layer.inputs() {
                parameters.extend(layer.weights().iter().skip(k).step_by(layer.inputs()));
            }
            layers.push((weights, parameters.len()));
            parameters.extend(layer.bias());
        }
        let seeds = parameters.len();
        let channels = shape.channels();
        parameters.resize(seeds + shape.inputs() * channels, R::zero());
        for input in 0..shape.inputs() {
            for (channel, seed) in shape.seeds(input) {
                parameters[seeds + input * channels + channel] = R::literal(seed);
            }
        }
        let form_weights = parameters.len();
        let terms = || shape.forms.iter().flat_map(|form| &form.terms);
        parameters.extend(terms().map(|&(.., weight)| R::literal(weight)));
        let factors = parameters.len();
        parameters.extend(record.factors::<R>());

        let mut end = 0;
        let mut tables = vec![end];
        tables.extend(shape.forms.iter().map(|form| {
            end += form.terms.len() as u32;
            end
        }));
        let terms_place = tables.len();
        tables.extend(terms().flat_map(|&(i, j, _)| [i as u32, j as u32]));
        let readout = tables.len();
        tables.extend(record.table(shape.channels()));
        let places = Places { forms: 0, terms: terms_place, readout, seeds, form_weights, factors };
        Self { parameters, tables, layers, places }
    }
}

/// The text of the kernels, `push` for an activation.
fn text<R: ShaderReal>(shape: &Shape, places: &Places, activation: Activation) -> String {
    let mut text = shaders::activations(R::DOUBLE);
    let constants = [
        ("INPUTS", shape.inputs()),
        ("CHANNELS", shape.channels()),
        ("FIRSTS", shape.firsts.len()),
        ("FORMS", shape.forms.len()),
        ("RESULTS", shape.results),
        ("FORM_TABLE", places.forms),
        ("TERM_TABLE", places.terms),
        ("READOUT_TABLE", places.readout),
        ("SEEDS", places.seeds),
        ("FORM_WEIGHTS", places.form_weights),
        ("FACTORS", places.factors),
    ];
    for (name, value) in constants {
        // Writing to a string does not fail.
        let _ = writeln!(text, "const {name} = {value}u;");
    }
    let call = text::activation::<R>(activation, "x");
    let _ = writeln!(text, "fn activate(x: real) -> Jet {{\n    return {call};\n}}");
    text.push_str(TEMPLATE);
    text
}

/// The text with the activation of the first layer, for tests.
#[cfg(test)]
pub(super) fn text_of<R: ShaderReal>(network: &Network<R>, shape: &Shape, record: &Record) -> String {
    text::<R>(shape, &Numbers::new(network, shape, record).places, shape.layers[0].activation)
}
