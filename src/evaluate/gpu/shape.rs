//! What a kernel is made for, and the tile that it works on.

use crate::network::{Activation, Network};
use crate::number::Real;
use crate::operator::{Form, Plan};

/// A layer without its numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct LayerShape {
    pub inputs: usize,
    pub outputs: usize,
    pub activation: Activation,
}

/// Layers of one shape in a row, which become one loop of a kernel.
pub(super) struct Run {
    pub layer: LayerShape,
    pub count: usize,
}

/// All that a kernel's text depends on, beside the float type and the tile.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Shape {
    pub layers: Vec<LayerShape>,
    /// The inputs by which first partials are carried.
    pub firsts: Vec<usize>,
    pub forms: Vec<Form>,
    /// Numbers that come back for each point.
    pub results: usize,
}

impl Shape {
    pub fn new<R: Real>(network: &Network<R>, plan: &Plan, results: usize) -> Self {
        let layers = network.layers().iter().map(|layer| LayerShape {
            inputs: layer.inputs(),
            outputs: layer.outputs(),
            activation: layer.activation(),
        });
        Self { layers: layers.collect(), firsts: plan.firsts().to_vec(), forms: plan.forms().to_vec(), results }
    }

    pub fn inputs(&self) -> usize {
        self.layers.first().map_or(0, |layer| layer.inputs)
    }

    pub fn outputs(&self) -> usize {
        self.layers.last().map_or(0, |layer| layer.outputs)
    }

    /// The layers before the last.
    pub fn hidden(&self) -> &[LayerShape] {
        self.layers.split_last().map_or(&[], |(_, hidden)| hidden)
    }

    /// The hidden layers behind the first.
    pub fn runs(&self) -> Vec<Run> {
        let mut runs: Vec<Run> = Vec::new();
        for &layer in self.hidden().iter().skip(1) {
            match runs.last_mut() {
                Some(run) if run.layer == layer => run.count += 1,
                _ => runs.push(Run { layer, count: 1 }),
            }
        }
        runs
    }

    /// Numbers carried for every neuron and point.
    pub fn channels(&self) -> usize {
        1 + self.firsts.len() + self.forms.len()
    }

    /// What the channels of an input start with beside its value: (channel, number). The first partial by itself is 1, and forms have
    /// the weight of the first partial that is part of them.
    pub fn seeds(&self, input: usize) -> impl Iterator<Item = (usize, f64)> {
        let firsts = self.firsts.iter().enumerate();
        let firsts = firsts.filter(move |(_, first)| **first == input).map(|(position, _)| (1 + position, 1.0));
        let forms = self.forms.iter().enumerate();
        let drifts =
            forms.flat_map(|(number, form)| form.drift.iter().map(move |&(first, weight)| (number, first, weight)));
        let drifts = drifts.filter(move |&(_, first, _)| first == input);
        firsts.chain(drifts.map(|(number, _, weight)| (1 + self.firsts.len() + number, weight)))
    }

    /// Multiplications and additions of the matrix products for one point, each counted as one. In the first layer first partials
    /// are weights, and forms are 0: no products.
    pub fn operations(&self) -> usize {
        let products = |layer: &LayerShape, channels: usize| 2 * layer.inputs * layer.outputs * channels;
        let mut operations = 0;
        for (position, layer) in self.layers.iter().enumerate() {
            operations += products(layer, if position == 0 { 1 } else { self.channels() });
        }
        operations
    }
}

/// What an adapter allows a workgroup.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    /// Bytes of shared memory.
    pub memory: usize,
    pub threads: usize,
}

/// How the work of a workgroup is cut. A thread owns `neurons` neurons of each layer for the `points` points of one group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Tile {
    pub neurons: usize,
    pub points: usize,
    /// Groups of points.
    pub groups: usize,
    pub threads: usize,
}

/// Accumulators of four bytes that a thread may hold: more of them spill out of registers.
const ACCUMULATORS: usize = 112;

/// Threads of a workgroup that are aimed at.
const THREADS: usize = 128;

/// Threads that run in step on most GPUs.
const WARP: usize = 32;

/// Bytes of shared memory that are aimed at: several workgroups have to fit into the memory of a GPU's core.
const MEMORY: usize = 40 << 10;

/// The longest list of terms of forms that is written into a kernel as text for each neuron.
const MOST_TERMS: usize = 128;

/// Activations that are written into a kernel. Drivers put the whole function in the place of each, and take seconds for hundreds.
const MOST_ACTIVATIONS: usize = 96;

/// Neurons and points of a thread, best first.
const REGISTER_TILES: [(usize, usize); 6] = [(8, 4), (8, 2), (8, 1), (4, 1), (2, 1), (1, 1)];

impl Tile {
    /// The tile for a shape, or `None` where the network has to go layer by layer through the device's memory.
    pub fn choose(shape: &Shape, number_bytes: usize, limits: Limits) -> Option<Self> {
        let terms: usize = shape.forms.iter().map(|form| form.terms.len()).sum();
        if terms > MOST_TERMS {
            return None;
        }
        let widest = shape.hidden().iter().map(|layer| layer.outputs).max().unwrap_or(1);
        let loops = 1 + shape.runs().len();
        let budget = ACCUMULATORS * 4 / number_bytes;
        let fits = |&&(neurons, points): &&(usize, usize)| {
            neurons * points * shape.channels() <= budget
                && neurons < 2 * widest.next_multiple_of(4)
                && neurons * points * loops <= MOST_ACTIVATIONS
        };
        let &(neurons, points) = REGISTER_TILES.iter().find(fits)?;
        let one = Self { neurons, points, groups: 1, threads: widest.div_ceil(neurons) };
        if one.threads > limits.threads || one.memory(shape, number_bytes) > limits.memory {
            return None;
        }
        let by_memory = limits.memory.min(MEMORY) / one.memory(shape, number_bytes);
        let by_threads = limits.threads.min(THREADS) / one.threads;
        let mut groups = by_memory.min(by_threads).max(1);
        // Whole warps where there are several.
        while groups > 1 && groups * one.threads > WARP && !(groups * one.threads).is_multiple_of(WARP) {
            groups -= 1;
        }
        Some(Self { groups, threads: one.threads * groups, ..one })
    }

    /// Points of a workgroup.
    pub fn tile(&self) -> usize {
        self.groups * self.points
    }

    /// Vectors of four that hold the channels of a group of points.
    pub fn vectors(&self, channels: usize) -> usize {
        (self.points * channels).div_ceil(4)
    }

    /// Rows of a layer with so many neurons: whole threads.
    pub fn rows(&self, neurons: usize) -> usize {
        neurons.next_multiple_of(self.neurons)
    }

    /// Vectors of the activations of the widest hidden layer, or of the inputs where there is none.
    pub fn activations(&self, shape: &Shape) -> usize {
        let widest = shape.hidden().iter().map(|layer| layer.outputs).max().unwrap_or(shape.inputs());
        self.rows(widest) * self.groups * self.vectors(shape.channels())
    }

    /// Bytes of shared memory.
    pub fn memory(&self, shape: &Shape, number_bytes: usize) -> usize {
        let outputs = shape.outputs() * self.groups * self.vectors(shape.channels());
        4 * number_bytes * (self.activations(shape) + outputs)
    }
}
