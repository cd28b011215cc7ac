//! The loss and its gradient over all terms, on all threads.

use std::marker::PhantomData;
use std::sync::{Mutex, PoisonError};

use super::adjoint::{Adjoint, Channels, Outputs, PARTS, Parts};
use super::transform::{self, MOST_INPUTS, TilePoints, TransformChannels};
use super::{OutputTransform, Term, TrainError};
use crate::evaluate::CpuReal;
use crate::evaluate::cpu::InstructionSet;
use crate::evaluate::cpu::tile;
use crate::evaluate::cpu::workspace::Workspace;
use crate::network::{Activation, Network};
use crate::operator::{Derivative, Operator, Plan};

/// The loss of a network over terms, and its gradient by all weights.
///
/// ```
/// use tapeless::network::{Activation, Layer, Network};
/// use tapeless::operator::Operator;
/// use tapeless::{residual, train::{Objective, Term}};
///
/// // u = w x with u' = 2 wanted: the loss is (w - 2)^2, its slope at w = 5 is 6. The bias plays no part.
/// let network = Network::new(vec![Layer::new(1, 1, vec![5.0], vec![0.0], Activation::Identity)?])?;
/// let slope = Term::new("slope", vec![Operator::first(0, 0)], residual!(|x: &[S], u: &[S]| u[0] - S::literal(2.0)), vec![0.5]);
/// let mut objective = Objective::new(&network, vec![slope])?;
/// let mut gradient = [0.0; 2];
/// let loss = objective.loss_and_gradient(&[5.0, 0.0], &mut gradient)?;
/// assert_eq!((loss, gradient), (9.0, [6.0, 0.0]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Parameters lie layer after layer: the weights, row-major of shape (outputs, inputs), then the bias. Bits are the same for
/// any number of threads. Nothing is allocated by a call from inside the rayon pool.
pub struct Objective<R: CpuReal> {
    adjoint: Adjoint<R>,
    terms: Vec<Prepared<R>>,
    transform: Option<Box<dyn TransformChannels<R>>>,
    parameters: usize,
    /// Sums over fixed shares of the points.
    shares: Vec<Share<R>>,
    /// One for each thread; the lock is never waited for, unless more threads call than there were at the start.
    workspaces: Vec<Mutex<Workspace<R, PARTS>>>,
    losses: Vec<f64>,
}

/// A term with its plan.
struct Prepared<R> {
    term: Term<R>,
    channels: Channels<R>,
}

/// What a fixed share of the points adds up.
struct Share<R> {
    gradient: Workspace<R, 1>,
    losses: Vec<f64>,
}

/// The most shares, and so threads that have work. Fixed, so that sums don't depend on the number of threads.
const MOST_SHARES: usize = 32;

/// The most bytes of the shares' gradients, as long as there are [`FEWEST_SHARES`].
const SHARE_BYTES: usize = 256 << 20;

/// The least number of shares for large networks.
const FEWEST_SHARES: usize = 8;

/// How an objective is built.
pub struct ObjectiveBuilder<'a, R: CpuReal> {
    network: &'a Network<R>,
    terms: Vec<Term<R>>,
    scaling: Vec<(R, R)>,
    transform: Option<Box<dyn TransformChannels<R>>>,
    set: InstructionSet,
}

impl<R: CpuReal> ObjectiveBuilder<'_, R> {
    /// Gives the network (x - shift) * factor in place of each input x. Derivatives stay those by x.
    #[must_use]
    pub fn scaling(self, scaling: Vec<(R, R)>) -> Self {
        Self { scaling, ..self }
    }

    /// Makes the outputs from those of the network.
    #[must_use]
    pub fn transform(self, transform: impl OutputTransform + 'static) -> Self {
        Self { transform: Some(Box::new(transform)), ..self }
    }

    /// Chooses the instruction set; plain instructions where the machine does not have it.
    #[must_use]
    pub fn instruction_set(self, set: InstructionSet) -> Self {
        let set = if InstructionSet::available().contains(&set) { set } else { InstructionSet::Plain };
        Self { set, ..self }
    }

    /// Checks everything and gets the memory.
    ///
    /// # Errors
    ///
    /// Any [`TrainError`] but those of calls.
    pub fn build(self) -> Result<Objective<R>, TrainError> {
        let Self { network, terms, scaling, transform, set } = self;
        let inputs = network.inputs();
        if terms.is_empty() {
            return Err(TrainError::NoTerms);
        }
        check_scaling(&scaling, inputs)?;
        if transform.is_some() && inputs > MOST_INPUTS {
            return Err(TrainError::TransformInputs { most: MOST_INPUTS, found: inputs });
        }
        let tile = set.dispatch(tile::TilePoints::<R>(PhantomData)).unwrap_or(1);
        let lanes = tile / crate::evaluate::cpu::product::BLOCK;
        let prepare = |term: Term<R>| {
            term.check(inputs)?;
            check_smooth(network, &term)?;
            let plan = Plan::folded(inputs, network.outputs(), &term.operators)?;
            Ok(Prepared { channels: Channels::new(&plan), term })
        };
        let terms = terms.into_iter().map(prepare).collect::<Result<Vec<_>, TrainError>>()?;
        let adjoint = Adjoint::new(network, &scaling, set, lanes, tile);

        let channels = terms.iter().map(|prepared| prepared.channels.count()).max().unwrap_or(1);
        let scratch = terms.iter().map(|prepared| Scratch::length(prepared, network.outputs(), tile)).max().unwrap_or(0);
        let lengths = adjoint.lengths(channels, scratch);
        let workspace = |_| Workspace::new(lengths).map(Mutex::new);
        let workspaces = (0..rayon::current_num_threads()).map(workspace).collect::<Result<_, _>>()?;

        let length = adjoint.gradient_length();
        let shares = (SHARE_BYTES / (length * size_of::<R>())).clamp(FEWEST_SHARES, MOST_SHARES);
        let share = |_| {
            let gradient = Workspace::new([length as u128])?;
            Ok(Share { gradient, losses: vec![0.0; terms.len()] })
        };
        let shares = (0..shares).map(share).collect::<Result<_, TrainError>>()?;
        let (parameters, losses) = (network.parameters(), vec![0.0; terms.len()]);
        Ok(Objective { adjoint, terms, transform, parameters, shares, workspaces, losses })
    }
}

fn check_scaling<R: CpuReal>(scaling: &[(R, R)], inputs: usize) -> Result<(), TrainError> {
    if scaling.len() != inputs {
        let (term, what) = ("scaling of the inputs".to_owned(), "pairs of shift and factor");
        return Err(TrainError::Count { term, what, expected: inputs, found: scaling.len() });
    }
    let bad = |&(_, &(shift, factor)): &(usize, &(R, R))| !shift.is_finite() || !factor.is_finite() || factor.is_zero();
    match scaling.iter().enumerate().find(bad) {
        None => Ok(()),
        Some((input, &(shift, factor))) => {
            let plain = |number: R| number.to_f64().unwrap_or(f64::NAN);
            Err(TrainError::Scaling { input, shift: plain(shift), factor: plain(factor) })
        }
    }
}

/// Refuses second derivatives of a network that has none.
fn check_smooth<R: CpuReal>(network: &Network<R>, term: &Term<R>) -> Result<(), TrainError> {
    let second = |operator: &Operator| operator.terms().iter().any(|t| matches!(t.derivative, Derivative::Second(..)));
    let flat = |activation: Activation| matches!(activation, Activation::Relu | Activation::LeakyRelu { .. });
    let bent = network.layers().iter().map(|layer| layer.activation()).find(|&activation| flat(activation));
    match bent {
        Some(activation) if term.operators.iter().any(second) => {
            Err(TrainError::NotSmooth { term: term.name.clone(), activation: activation.to_string() })
        }
        _ => Ok(()),
    }
}

impl<R: CpuReal> Objective<R> {
    /// The loss of `network` over `terms`. Only the network's shape is used; parameters are given with each call.
    ///
    /// # Errors
    ///
    /// Any [`TrainError`] but those of calls.
    pub fn new(network: &Network<R>, terms: Vec<Term<R>>) -> Result<Self, TrainError> {
        Self::builder(network, terms).build()
    }

    /// As [`new`](Objective::new), with more to choose.
    pub fn builder(network: &Network<R>, terms: Vec<Term<R>>) -> ObjectiveBuilder<'_, R> {
        let scaling = vec![(R::zero(), R::one()); network.inputs()];
        ObjectiveBuilder { network, terms, scaling, transform: None, set: InstructionSet::best() }
    }

    /// The loss at these parameters; writes its gradient by each of them.
    ///
    /// # Errors
    ///
    /// [`TrainError::Parameters`] where a slice is not as long as the network has parameters.
    pub fn loss_and_gradient(&mut self, parameters: &[R], gradient: &mut [R]) -> Result<f64, TrainError> {
        for (what, found) in [("parameters", parameters.len()), ("gradient", gradient.len())] {
            if found != self.parameters {
                return Err(TrainError::Parameters { what, expected: self.parameters, found });
            }
        }
        self.adjoint.renew(parameters);
        let most = self.shares.len();
        let tiles: usize = self.terms.iter().map(|prepared| self.tiles(prepared)).sum();
        let count = tiles.min(most);
        let mut shares = std::mem::take(&mut self.shares);
        self.spread(&mut shares[..count], 0, count);
        self.shares = shares;
        let used = &self.shares[..count];
        for (term, loss) in self.losses.iter_mut().enumerate() {
            *loss = used.iter().map(|share| share.losses[term]).sum();
        }
        self.adjoint.collect(used.iter().map(|share| share.gradient.numbers()), gradient);
        Ok(self.losses.iter().sum())
    }

    /// The parts of the last loss, in the order of the terms.
    pub fn losses(&self) -> &[f64] {
        &self.losses
    }

    /// Bytes of memory held for intermediate numbers and sums, whatever the number of points.
    pub fn workspace_bytes(&self) -> usize {
        let workspaces = self.workspaces.iter().map(|slot| slot.lock().unwrap_or_else(PoisonError::into_inner).bytes());
        workspaces.chain(self.shares.iter().map(|share| share.gradient.bytes())).sum()
    }

    /// Replaces the points of a term, counted from 0, by those that are written into its rows of coordinates and data.
    ///
    /// # Errors
    ///
    /// [`TrainError::NoSuchTerm`]; [`TrainError::Count`] or [`TrainError::NotFinite`] where the new points are not whole rows
    /// of finite numbers: the old ones stay.
    pub fn set_points(&mut self, term: usize, points: &[R]) -> Result<(), TrainError> {
        let (inputs, count) = (self.adjoint.inputs(), self.terms.len());
        let prepared = self.terms.get_mut(term).ok_or(TrainError::NoSuchTerm { index: term, count })?;
        prepared.term.check_points(points, inputs)?;
        prepared.term.points.clear();
        prepared.term.points.extend_from_slice(points);
        Ok(())
    }

    /// Tiles of a term.
    fn tiles(&self, prepared: &Prepared<R>) -> usize {
        self.points(prepared).div_ceil(self.adjoint.tile())
    }

    /// Points of a term.
    fn points(&self, prepared: &Prepared<R>) -> usize {
        prepared.term.points.len() / prepared.term.width(self.adjoint.inputs())
    }

    /// Halves the shares until one is left, and runs the halves side by side.
    fn spread(&self, shares: &mut [Share<R>], first: usize, count: usize) {
        match shares {
            [] => {}
            [share] => self.run(share, first, count),
            _ => {
                let middle = shares.len() / 2;
                let (left, right) = shares.split_at_mut(middle);
                rayon::join(|| self.spread(left, first, count), || self.spread(right, first + middle, count));
            }
        }
    }

    /// Adds up one share of `count`.
    fn run(&self, share: &mut Share<R>, number: usize, count: usize) {
        let slot = &self.workspaces[rayon::current_thread_index().unwrap_or(0) % self.workspaces.len()];
        // A poisoned workspace is as good as any: every number in it is written before it is read.
        let mut workspace = slot.lock().unwrap_or_else(PoisonError::into_inner);
        let mut parts = Parts::new(workspace.parts());
        let [gradient] = share.gradient.parts();
        gradient.fill(R::zero());
        let tile = self.adjoint.tile();
        // Tiles of all terms are counted through, so that small terms don't all fall to the same share.
        let mut before = 0;
        let total: usize = self.terms.iter().map(|prepared| self.tiles(prepared)).sum();
        let (start, end) = (total * number / count, total * (number + 1) / count);
        for (prepared, loss) in self.terms.iter().zip(&mut share.losses) {
            let (width, tiles) = (prepared.term.width(self.adjoint.inputs()), self.tiles(prepared));
            let mine = start.clamp(before, before + tiles) - before..end.clamp(before, before + tiles) - before;
            let place = |tiles: usize| (tiles * tile * width).min(prepared.term.points.len());
            let points = &prepared.term.points[place(mine.start)..place(mine.end)];
            let mut sum = 0.0;
            let scale = prepared.term.weight / self.points(prepared).max(1) as f64;
            for points in points.chunks(tile * width) {
                self.adjoint.forward(&mut parts, &prepared.channels, points, width);
                let outputs = self.adjoint.outputs_of(&mut parts, &prepared.channels);
                sum += self.residuals(prepared, points, outputs, R::literal(2.0 * scale));
                self.adjoint.backward(&mut parts, &prepared.channels, gradient);
            }
            *loss = sum * scale;
            before += tiles;
        }
    }

    /// The sum of squared residuals at the points of a tile; writes the adjoints of the outputs, each multiplied with `scale`.
    fn residuals(&self, prepared: &Prepared<R>, points: &[R], outputs: Outputs<'_, R>, scale: R) -> f64 {
        let (tile, inputs, m) = (self.adjoint.tile(), self.adjoint.inputs(), self.adjoint.outputs());
        let Prepared { term, channels } = prepared;
        let Outputs { channels: u, adjoints, scratch } = outputs;
        let width = term.width(inputs);
        let (count, columns) = (points.len() / width, channels.count() * tile);
        let Scratch { quantities, residuals, slopes, offsets, factors } = Scratch::cut(prepared, m, tile, scratch);
        if let Some(transform) = &self.transform {
            for output in 0..m {
                let place = output * columns..(output + 1) * columns;
                let (g, l) = (&mut offsets[place.clone()], &mut factors[place.clone()]);
                transform.channels(output, TilePoints { points, width, inputs, tile }, channels, g, l);
                transform::forward(channels, tile, g, l, &mut u[place]);
            }
        }
        for (terms, row) in channels.quantities.iter().zip(quantities.chunks_exact_mut(tile)) {
            row.fill(R::zero());
            for &(output, channel, factor) in terms {
                let channel = &u[output * columns + channel * tile..][..tile];
                row.iter_mut().zip(channel).for_each(|(sum, &entry)| *sum = *sum + factor * entry);
            }
        }
        term.residual.linearize(points, width, tile, quantities, residuals, slopes);

        let mut sum = 0.0;
        for row in residuals.chunks_exact(tile) {
            for residual in &row[..count] {
                let residual = residual.to_f64().unwrap_or(f64::NAN);
                sum += residual * residual;
            }
        }
        adjoints.fill(R::zero());
        for (k, terms) in channels.quantities.iter().enumerate() {
            for (j, residual) in residuals.chunks_exact(tile).enumerate() {
                let slope = &slopes[(j * channels.quantities.len() + k) * tile..][..count];
                for &(output, channel, factor) in terms {
                    let adjoint = &mut adjoints[output * columns + channel * tile..][..count];
                    let factor = factor * scale;
                    for ((place, &slope), &residual) in adjoint.iter_mut().zip(slope).zip(residual) {
                        *place = *place + factor * residual * slope;
                    }
                }
            }
        }
        if self.transform.is_some() {
            for (adjoint, l) in adjoints.chunks_exact_mut(columns).zip(factors.chunks_exact(columns)) {
                transform::backward(channels, tile, l, adjoint);
            }
        }
        sum
    }
}

/// Numbers of the outputs and residuals at a tile.
struct Scratch<'a, R> {
    /// Shape (quantities, tile).
    quantities: &'a mut [R],
    /// Shape (residuals, tile).
    residuals: &'a mut [R],
    /// Shape (residuals, quantities, tile).
    slopes: &'a mut [R],
    /// The channels of an output transform, of shape (outputs, channels, tile).
    offsets: &'a mut [R],
    factors: &'a mut [R],
}

impl<'a, R: CpuReal> Scratch<'a, R> {
    /// Lengths of the parts for a network with `m` outputs.
    fn lengths(prepared: &Prepared<R>, m: usize, tile: usize) -> [usize; 5] {
        let (k, j) = (prepared.channels.quantities.len(), prepared.term.residual.residuals());
        let columns = m * prepared.channels.count();
        [k, j, j * k, columns, columns].map(|rows| rows * tile)
    }

    fn length(prepared: &Prepared<R>, m: usize, tile: usize) -> u128 {
        Self::lengths(prepared, m, tile).iter().map(|&length| length as u128).sum()
    }

    fn cut(prepared: &Prepared<R>, m: usize, tile: usize, mut scratch: &'a mut [R]) -> Self {
        let [quantities, residuals, slopes, offsets, factors] = Self::lengths(prepared, m, tile).map(|length| {
            let (part, rest) = std::mem::take(&mut scratch).split_at_mut(length);
            scratch = rest;
            part
        });
        Self { quantities, residuals, slopes, offsets, factors }
    }
}
