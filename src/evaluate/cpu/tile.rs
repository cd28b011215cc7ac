//! A tile of points through all layers.

use std::marker::PhantomData;

use pulp::{Simd, WithSimd};

use super::adjoint::{Adjoint, Sweep};
use super::instruction_set::InstructionSet;
use super::product::{BLOCK, PackedWeights, Product};
use super::push::{self, PushForward, WeightedForm};
use super::simd::SimdReal;
use super::workspace;
use crate::evaluate::Rows;
use crate::network::{Activation, Network};
use crate::operator::Plan;

/// A network prepared for tiles: the plan of channels, and weights in the order in which the kernels read them.
pub(super) struct Kernel<R: SimdReal> {
    set: InstructionSet,
    pub plan: Plan,
    pub inputs: usize,
    pub outputs: usize,
    first: FirstLayer<R>,
    rest: Vec<(PackedWeights<R>, Activation)>,
    forms: Vec<WeightedForm<R>>,
    /// Where second-order forms are not carried, but summed up on the way back.
    adjoint: Option<Adjoint<R>>,
    /// The operators of the plan's readout with their factors as floats.
    operators: Vec<Vec<(usize, usize, R)>>,
    /// The Hessian of the plan's readout with its factors as floats.
    hessian: Vec<Vec<(usize, R)>>,
}

/// The first layer, whose inputs are the variables themselves: the first partials of its sums are its weights, and second
/// partials are 0, so only the value channel needs a product.
struct FirstLayer<R> {
    weights: Vec<R>,
    bias: Vec<R>,
    /// For each neuron its weights of the inputs by which first partials are carried.
    slopes: Vec<R>,
    /// For each neuron the sum of M_ij w_i w_j of every form.
    curvatures: Vec<R>,
    activation: Activation,
}

impl<R: SimdReal> Kernel<R> {
    pub fn new(network: &Network<R>, plan: Plan, set: InstructionSet) -> Self {
        let (first, rest) = network.first_and_rest();
        let inputs = network.inputs();
        let forms: Vec<WeightedForm<R>> = plan
            .forms()
            .iter()
            .map(|form| WeightedForm {
                terms: form.terms.iter().map(|&(i, j, weight)| (i, j, R::literal(weight))).collect(),
            })
            .collect();
        let mut slopes = Vec::new();
        let mut curvatures = Vec::new();
        for row in first.weights().chunks_exact(inputs) {
            let slope: Vec<R> = plan.firsts().iter().map(|&input| row[input]).collect();
            for form in &forms {
                curvatures
                    .push(form.terms.iter().fold(R::zero(), |sum, &(i, j, weight)| sum + weight * slope[i] * slope[j]));
            }
            slopes.extend(slope);
        }
        let pack = |layer: &crate::network::Layer<R>| {
            (PackedWeights::new(layer.weights(), layer.bias(), layer.inputs(), set.registers()), layer.activation())
        };
        let operators =
            plan.readout().operators.iter().map(|terms| {
                terms.iter().map(|&(output, channel, factor)| (output, channel, R::literal(factor))).collect()
            });
        let hessian = plan
            .readout()
            .hessian
            .iter()
            .map(|sum| sum.iter().map(|&(channel, factor)| (channel, R::literal(factor))).collect());
        Self {
            adjoint: Adjoint::new(network, plan.firsts().len(), forms.len(), set),
            set,
            inputs,
            outputs: network.outputs(),
            first: FirstLayer {
                weights: first.weights().to_vec(),
                bias: first.bias().to_vec(),
                slopes,
                curvatures,
                activation: first.activation(),
            },
            rest: rest.iter().map(pack).collect(),
            forms,
            operators: operators.collect(),
            hessian: hessian.collect(),
            plan,
        }
    }

    /// Multiplications and additions of the products for one point: the first layer needs one for the value channel only.
    pub fn operations(&self) -> usize {
        let rest: usize = self.rest.iter().map(|(weights, _)| weights.weights()).sum();
        let back = self.adjoint.as_ref().map_or(0, Adjoint::operations);
        2 * (self.first.weights.len() + self.carried() * rest) + back
    }

    /// Channels that are carried forward.
    pub fn carried(&self) -> usize {
        1 + self.plan.firsts().len() + self.carried_forms().len()
    }

    /// Channels that come back.
    pub fn adjoints(&self) -> usize {
        self.adjoint.as_ref().map_or(0, Adjoint::channels)
    }

    /// The forms that are carried forward.
    fn carried_forms(&self) -> &[WeightedForm<R>] {
        if self.adjoint.is_some() { &[] } else { &self.forms }
    }

    /// What a thread needs for tiles of so many points, as [`Parts`] are cut.
    pub fn lengths(&self, widest: usize, tile: usize) -> [u128; PARTS] {
        let numbers = |rows: usize, channels: usize| rows as u128 * channels as u128 * tile as u128;
        let channels = numbers(widest, self.carried());
        let adjoint = numbers(widest, self.adjoints());
        [
            numbers(self.inputs, 1),
            channels,
            channels,
            numbers(3, 1),
            numbers(self.adjoint.as_ref().map_or(0, Adjoint::record_rows), 1),
            adjoint,
            adjoint,
            adjoint,
            numbers(self.adjoints(), self.forms.len()),
        ]
    }

    /// Widest layer.
    pub fn widest(network: &Network<R>) -> usize {
        network.layers().iter().map(|layer| layer.outputs()).max().unwrap_or(0)
    }
}

/// How many parts a workspace has.
const PARTS: usize = 9;

/// The memory of one thread.
pub(super) type Workspace<R> = workspace::Workspace<R, PARTS>;

/// The parts of a workspace.
struct Parts<'a, R> {
    /// Coordinates of the points of a tile.
    coordinates: &'a mut [R],
    /// Two buffers of channels.
    front: &'a mut [R],
    back: &'a mut [R],
    /// Value and derivatives of an activation at one neuron.
    derivatives: &'a mut [R],
    /// What the sweep back needs of every layer.
    record: &'a mut [R],
    /// Two buffers of adjoints, and the curvatures.
    adjoint: [&'a mut [R]; 3],
    /// The forms of the outputs.
    sums: &'a mut [R],
}

/// Points of a tile on an instruction set.
pub(crate) struct TilePoints<R>(pub PhantomData<R>);

impl<R: SimdReal> WithSimd for TilePoints<R> {
    type Output = usize;

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> usize {
        BLOCK * R::lanes::<S>()
    }
}

impl<R: SimdReal> Kernel<R> {
    /// Evaluates points tile by tile, `tile` points each.
    pub fn run(&self, workspace: &mut Workspace<R>, tile: usize, points: &[R], mut rows: Rows<'_, R>) {
        for (number, points) in points.chunks(tile * self.inputs).enumerate() {
            let [coordinates, front, back, derivatives, record, a0, a1, a2, sums] = workspace.parts();
            let adjoint = [a0, a1, a2];
            let mut parts = Parts { coordinates, front, back, derivatives, record, adjoint, sums };
            load(parts.coordinates, points, self.inputs, self.inputs, tile);
            self.forward(&mut parts, tile);
            if let Some(adjoint) = &self.adjoint {
                let [front, back, curvature] = &mut parts.adjoint;
                let sums = &mut parts.sums[..self.outputs * self.forms.len() * tile];
                let sweep = Sweep { record: parts.record, front, back, curvature, sums };
                adjoint.sweep(sweep, &self.forms, &self.first.curvatures, tile);
            }
            self.read_out(&parts, tile, number * tile, points.len() / self.inputs, &mut rows);
        }
    }

    /// Leaves the carried channels of the outputs in the front buffer, and in the record what the way back needs.
    fn forward(&self, parts: &mut Parts<'_, R>, tile: usize) {
        let channels = self.carried();
        let stride = channels * tile;
        let Parts { coordinates, front, back, derivatives, record, .. } = parts;
        let (mut front, mut back): (&mut [R], &mut [R]) = (front, back);
        let derivatives = &mut derivatives[..3 * tile];
        self.first_layer(coordinates, front, derivatives, record, tile);
        for (layer, (weights, activation)) in self.rest.iter().enumerate() {
            self.set.dispatch(Product { weights, channels, input: front, output: back });
            let is_last = layer + 1 == self.rest.len();
            if !is_last || *activation != Activation::Identity {
                for (neuron, row) in back[..weights.outputs() * stride].chunks_exact_mut(stride).enumerate() {
                    push::derivatives::<R, 3>(self.set, *activation, &row[..tile], derivatives);
                    if let Some(adjoint) = &self.adjoint {
                        let kept = adjoint.record_row(record, layer + 1, neuron, tile);
                        kept[..2 * tile].copy_from_slice(&derivatives[tile..]);
                        kept[2 * tile..].copy_from_slice(&row[tile..]);
                    }
                    let (firsts, forms) = (self.plan.firsts().len(), self.carried_forms());
                    self.set.dispatch(PushForward { derivatives, firsts, forms, row });
                }
            }
            std::mem::swap(&mut front, &mut back);
        }
        if self.rest.len() % 2 == 1 {
            // The buffers were swapped an odd number of times: bring the outputs back to the front one.
            let length = self.outputs * stride;
            back[..length].copy_from_slice(&front[..length]);
        }
    }

    fn first_layer(&self, coordinates: &[R], output: &mut [R], derivatives: &mut [R], record: &mut [R], tile: usize) {
        let stride = self.carried() * tile;
        let (firsts, forms) = (self.plan.firsts().len(), self.forms.len());
        let layer = &self.first;
        let neurons = layer.weights.chunks_exact(self.inputs).zip(&layer.bias).zip(output.chunks_exact_mut(stride));
        for (neuron, ((weights, &bias), row)) in neurons.enumerate() {
            let (value, partials) = row.split_at_mut(tile);
            self.set.dispatch(AffineSum { weights, bias, coordinates, sum: value });
            push::derivatives::<R, 3>(self.set, layer.activation, value, derivatives);
            if let Some(adjoint) = &self.adjoint {
                adjoint.record_row(record, 0, neuron, tile)[..2 * tile].copy_from_slice(&derivatives[tile..]);
            }
            let (activated, derivatives) = derivatives.split_at(tile);
            let (first, second) = derivatives.split_at(tile);
            value.copy_from_slice(activated);
            let (first_channels, form_channels) = partials.split_at_mut(firsts * tile);
            let slopes = &layer.slopes[neuron * firsts..][..firsts];
            let curvatures = &layer.curvatures[neuron * forms..][..forms];
            self.set.dispatch(Multiples { factors: slopes, numbers: first, multiples: first_channels });
            if self.adjoint.is_none() {
                self.set.dispatch(Multiples { factors: curvatures, numbers: second, multiples: form_channels });
            }
        }
    }

    /// Writes the results of `count` points, the first of which is row `start`.
    fn read_out(&self, parts: &Parts<'_, R>, tile: usize, start: usize, count: usize, rows: &mut Rows<'_, R>) {
        let (m, d) = (self.outputs, self.inputs);
        let (carried, forms) = (self.carried(), self.forms.len());
        let channel = |output: usize, channel: usize| match channel.checked_sub(carried) {
            None => &parts.front[(output * carried + channel) * tile..][..count],
            Some(form) => &parts.sums[(output * forms + form) * tile..][..count],
        };
        for k in 0..m {
            if !rows.value.is_empty() {
                let column = rows.value[start * m + k..].iter_mut().step_by(m);
                column.zip(channel(k, 0)).for_each(|(result, &number)| *result = number);
            }
            if !rows.gradient.is_empty() {
                for (i, &first) in self.plan.readout().gradient.iter().enumerate() {
                    let column = rows.gradient[(start * m + k) * d + i..].iter_mut().step_by(m * d);
                    column.zip(channel(k, first)).for_each(|(result, &number)| *result = number);
                }
            }
            if !rows.hessian.is_empty() {
                for (entry, sum) in self.hessian.iter().enumerate() {
                    let column = rows.hessian[(start * m + k) * d * d + entry..].iter_mut().step_by(m * d * d);
                    match sum[..] {
                        [(form, factor)] if factor == R::one() => {
                            column.zip(channel(k, form)).for_each(|(result, &number)| *result = number);
                        }
                        _ => column.take(count).enumerate().for_each(|(point, result)| {
                            let terms = sum.iter().map(|&(form, factor)| factor * channel(k, form)[point]);
                            *result = terms.fold(R::zero(), |sum, term| sum + term);
                        }),
                    }
                }
            }
        }
        let operators = self.operators.len();
        for (number, terms) in self.operators.iter().enumerate() {
            let column = rows.operators[start * operators + number..].iter_mut().step_by(operators);
            column.take(count).enumerate().for_each(|(point, result)| {
                let terms = terms.iter().map(|&(output, number, factor)| factor * channel(output, number)[point]);
                *result = terms.fold(R::zero(), |sum, term| sum + term);
            });
        }
    }
}

/// Turns points, which start rows of `width` numbers, into rows of coordinates; a last tile that is not full is filled up with
/// its last point.
pub(crate) fn load<R: SimdReal>(coordinates: &mut [R], points: &[R], width: usize, inputs: usize, tile: usize) {
    let last = points.len() / width - 1;
    for (input, row) in coordinates.chunks_exact_mut(tile).enumerate().take(inputs) {
        for (position, x) in row.iter_mut().enumerate() {
            *x = points[position.min(last) * width + input];
        }
    }
}

/// Bias plus weights times rows of coordinates.
pub(crate) struct AffineSum<'a, R> {
    pub weights: &'a [R],
    pub bias: R,
    pub coordinates: &'a [R],
    pub sum: &'a mut [R],
}

impl<R: SimdReal> WithSimd for AffineSum<'_, R> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let (sum, _) = R::vectors_mut::<S>(self.sum);
        let (coordinates, _) = R::vectors::<S>(self.coordinates);
        sum.fill(R::splat(simd, self.bias));
        for (input, &weight) in self.weights.iter().enumerate() {
            let weight = R::splat(simd, weight);
            let row = &coordinates[input * sum.len()..][..sum.len()];
            for v in 0..sum.len() {
                sum[v] = R::times_plus(simd, weight, row[v], sum[v]);
            }
        }
    }
}

/// Each factor times the same row of numbers.
struct Multiples<'a, R> {
    factors: &'a [R],
    numbers: &'a [R],
    multiples: &'a mut [R],
}

impl<R: SimdReal> WithSimd for Multiples<'_, R> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let (numbers, _) = R::vectors::<S>(self.numbers);
        let (multiples, _) = R::vectors_mut::<S>(self.multiples);
        for (&factor, row) in self.factors.iter().zip(multiples.chunks_exact_mut(numbers.len())) {
            let factor = R::splat(simd, factor);
            for v in 0..numbers.len() {
                row[v] = R::times(simd, factor, numbers[v]);
            }
        }
    }
}
