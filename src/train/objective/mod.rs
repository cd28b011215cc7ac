//! The loss and its gradient over all terms, on all threads.

mod builder;
mod residuals;

use std::sync::{Mutex, MutexGuard, PoisonError};

pub use builder::ObjectiveBuilder;

use super::adjoint::{Adjoint, Channels, Outputs, PARTS, Parts};
use super::transform::TransformChannels;
use super::{Resampling, Term, TrainError};
use crate::evaluate::CpuReal;
use crate::evaluate::cpu::workspace::Workspace;
use crate::network::Network;

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
    /// For its shape; the weights are the first ones.
    network: Network<R>,
    scaling: Vec<(R, R)>,
    adjoint: Adjoint<R>,
    /// The values alone, for [`outputs`](Objective::outputs).
    values: Channels<R>,
    terms: Vec<Prepared<R>>,
    transform: Option<Box<dyn TransformChannels<R>>>,
    /// Sums over fixed shares of the points.
    shares: Vec<Share<R>>,
    /// One for each thread; the lock is never waited for, unless more threads call than there were at the start.
    workspaces: Vec<Mutex<Workspace<R, PARTS>>>,
    losses: Vec<f64>,
    /// Of the points that it was made with, so that a checkpoint of other points is told.
    fingerprint: u64,
}

/// A term with its plan.
struct Prepared<R> {
    term: Term<R>,
    channels: Channels<R>,
}

/// The first number that is not finite, and where it is.
pub(super) fn not_finite<R: CpuReal>(numbers: &[R]) -> Option<(usize, f64)> {
    let position = numbers.iter().position(|number| !number.is_finite())?;
    Some((position, numbers[position].to_f64().unwrap_or(f64::NAN)))
}

/// What a fixed share of the points adds up.
struct Share<R> {
    gradient: Workspace<R, 1>,
    losses: Vec<f64>,
}

/// Tiles that one thread takes at a time where nothing is summed up.
const TILES_PER_PIECE: usize = 8;

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
        ObjectiveBuilder::new(network, terms)
    }

    /// The loss at these parameters; writes its gradient by each of them.
    ///
    /// # Errors
    ///
    /// [`TrainError::Parameters`] where a slice is not as long as the network has parameters.
    pub fn loss_and_gradient(&mut self, parameters: &[R], gradient: &mut [R]) -> Result<f64, TrainError> {
        self.renew(parameters)?;
        self.check_length("gradient", gradient.len())?;
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

    /// Takes new weights.
    fn renew(&mut self, parameters: &[R]) -> Result<(), TrainError> {
        self.check_length("parameters", parameters.len())?;
        self.adjoint.renew(parameters);
        Ok(())
    }

    fn check_length(&self, what: &'static str, found: usize) -> Result<(), TrainError> {
        let expected = self.network.parameters();
        if found == expected { Ok(()) } else { Err(TrainError::Parameters { what, expected, found }) }
    }

    /// The network with these parameters, for use without this objective: the scaling of the inputs is worked into its first
    /// layer. A transform of the outputs is not part of it.
    ///
    /// # Errors
    ///
    /// [`TrainError::Parameters`].
    pub fn network(&self, parameters: &[R]) -> Result<Network<R>, TrainError> {
        self.check_length("parameters", parameters.len())?;
        let mut folded = parameters.to_vec();
        let (first, _) = self.network.first_and_rest();
        let (weights, rest) = folded.split_at_mut(first.inputs() * first.outputs());
        for (row, bias) in weights.chunks_exact_mut(first.inputs()).zip(rest) {
            for (weight, &(shift, factor)) in row.iter_mut().zip(&self.scaling) {
                *weight *= factor;
                *bias -= *weight * shift;
            }
        }
        Ok(self.network.with_parameters(&folded)?)
    }

    /// The outputs at `points`, rows of coordinates, with the transform if there is one: of shape (points, outputs).
    ///
    /// # Errors
    ///
    /// [`TrainError::Parameters`]; [`TrainError::Count`] where the points are not whole rows.
    pub fn outputs(&mut self, parameters: &[R], points: &[R]) -> Result<Vec<R>, TrainError> {
        self.renew(parameters)?;
        let (inputs, m, tile) = (self.adjoint.inputs(), self.adjoint.outputs(), self.adjoint.tile());
        let rest = points.len() % inputs;
        if rest != 0 {
            let (term, what) = ("points".to_owned(), "coordinates in the last row");
            return Err(TrainError::Count { term, what, expected: inputs, found: rest });
        }
        let mut results = vec![R::zero(); points.len() / inputs * m];
        self.sweep(&self.values, inputs, points, m, &mut results, &|points, mut outputs, results| {
            self.transform(&self.values, points, inputs, &mut outputs);
            for (point, row) in results.chunks_exact_mut(m).enumerate() {
                row.iter_mut().enumerate().for_each(|(output, place)| *place = outputs.channels[output * tile + point]);
            }
        });
        Ok(results)
    }

    /// The root of the sum of squared residuals of a term at other points, rows of its coordinates and data.
    ///
    /// # Errors
    ///
    /// [`TrainError::Parameters`], [`TrainError::NoSuchTerm`]; [`TrainError::Count`] or [`TrainError::NotFinite`] where the points
    /// do not fit the term.
    pub fn residuals(&mut self, parameters: &[R], term: usize, points: &[R]) -> Result<Vec<R>, TrainError> {
        self.renew(parameters)?;
        let inputs = self.adjoint.inputs();
        let prepared = self.term(term)?;
        prepared.term.check_points(points, inputs)?;
        let width = prepared.term.width(inputs);
        let mut results = vec![R::zero(); points.len() / width];
        self.sweep(&prepared.channels, width, points, 1, &mut results, &|points, mut outputs, results| {
            let tile = self.adjoint.tile();
            let scratch = self.linearize(prepared, points, &mut outputs);
            for row in scratch.residuals.chunks_exact(tile) {
                results.iter_mut().zip(row).for_each(|(sum, &residual)| *sum += residual * residual);
            }
            results.iter_mut().for_each(|sum| *sum = sum.sqrt());
        });
        Ok(results)
    }

    /// Runs tiles of points forward, on all threads, and lets `finish` write the rows of results of each.
    fn sweep(
        &self,
        channels: &Channels<R>,
        width: usize,
        points: &[R],
        results_width: usize,
        results: &mut [R],
        finish: &(impl Fn(&[R], Outputs<'_, R>, &mut [R]) + Sync),
    ) {
        let tile = self.adjoint.tile();
        let count = points.len() / width;
        if count > TILES_PER_PIECE * tile {
            let half = (count / 2).next_multiple_of(tile);
            let (points, points_rest) = points.split_at(half * width);
            let (results, results_rest) = results.split_at_mut(half * results_width);
            rayon::join(
                || self.sweep(channels, width, points, results_width, results, finish),
                || self.sweep(channels, width, points_rest, results_width, results_rest, finish),
            );
            return;
        }
        let mut workspace = self.workspace();
        let mut parts = Parts::new(workspace.parts());
        let rows = results.chunks_mut(tile * results_width);
        for (points, results) in points.chunks(tile * width).zip(rows) {
            self.adjoint.forward(&mut parts, channels, points, width);
            finish(points, self.adjoint.outputs_of(&mut parts, channels), results);
        }
    }

    /// The memory of the calling thread.
    fn workspace(&self) -> MutexGuard<'_, Workspace<R, PARTS>> {
        let slot = &self.workspaces[rayon::current_thread_index().unwrap_or(0) % self.workspaces.len()];
        // A poisoned workspace is as good as any: every number in it is written before it is read.
        slot.lock().unwrap_or_else(PoisonError::into_inner)
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

    /// Multiplications and additions of the matrix products of one loss and its gradient; those of the first layer, which has
    /// only the inputs before it, are not counted.
    pub fn operations_per_step(&self) -> f64 {
        let weights: usize = self.network.layers()[1..].iter().map(|layer| layer.inputs() * layer.outputs()).sum();
        let columns = self.terms.iter().map(|prepared| (self.count(prepared) * prepared.channels.count()) as f64);
        // Channels forward, their adjoints back, and the gradient by the weights.
        3.0 * 2.0 * weights as f64 * columns.sum::<f64>()
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

    /// The points of a term, counted from 0: rows of coordinates and data.
    ///
    /// # Errors
    ///
    /// [`TrainError::NoSuchTerm`].
    pub fn points(&self, term: usize) -> Result<&[R], TrainError> {
        self.term(term).map(|prepared| prepared.term.points.as_slice())
    }

    /// Names of the terms, in order.
    pub fn term_names(&self) -> impl Iterator<Item = &str> {
        self.terms.iter().map(|prepared| prepared.term.name.as_str())
    }

    fn term(&self, index: usize) -> Result<&Prepared<R>, TrainError> {
        self.terms.get(index).ok_or(TrainError::NoSuchTerm { index, count: self.terms.len() })
    }

    /// The error that a term can't have so many candidates for new points.
    pub(super) fn candidates(&self, term: usize, candidates: usize) -> TrainError {
        match self.term(term) {
            Ok(prepared) => {
                TrainError::Candidates { term: prepared.term.name.clone(), candidates, points: self.count(prepared) }
            }
            Err(error) => error,
        }
    }

    /// Checks points of a term before they are taken.
    pub(super) fn check_points(&self, term: usize, points: &[R]) -> Result<(), TrainError> {
        self.term(term)?.term.check_points(points, self.adjoint.inputs())
    }

    /// Checks that points can be drawn for a term.
    pub(super) fn check_resampling(&self, resampling: &Resampling) -> Result<(), TrainError> {
        let term = &self.term(resampling.term)?.term;
        let (name, expected, found) = (term.name.clone(), self.adjoint.inputs(), resampling.domain.dimensions());
        if term.data > 0 {
            return Err(TrainError::Resampling { term: name });
        }
        if expected != found {
            return Err(TrainError::Count { term: name, what: "dimensions to draw points in", expected, found });
        }
        Ok(())
    }

    /// The weights that the network came with.
    pub(super) fn start(&self) -> Vec<R> {
        self.network.to_parameters()
    }

    /// What it is made of, in words.
    pub(super) fn description(&self) -> String {
        let layers = self.network.layers().iter().map(|layer| format!("{} {}", layer.outputs(), layer.activation()));
        let terms = self.terms.iter().map(|prepared| {
            let Term { name, weight, operators, .. } = &prepared.term;
            format!("{name} of weight {weight} with {} residuals on {operators:?}", prepared.term.residual.residuals())
        });
        format!(
            "{} network of {} inputs, layers {}, scaling {:?}; terms {}; points {:016x}",
            std::any::type_name::<R>(),
            self.network.inputs(),
            layers.collect::<Vec<_>>().join(", "),
            self.scaling,
            terms.collect::<Vec<_>>().join(", "),
            self.fingerprint,
        )
    }

    /// Tiles of a term.
    fn tiles(&self, prepared: &Prepared<R>) -> usize {
        self.count(prepared).div_ceil(self.adjoint.tile())
    }

    /// How many points a term has.
    fn count(&self, prepared: &Prepared<R>) -> usize {
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
        let mut workspace = self.workspace();
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
            let scale = prepared.term.weight / self.count(prepared).max(1) as f64;
            for points in points.chunks(tile * width) {
                self.adjoint.forward(&mut parts, &prepared.channels, points, width);
                let outputs = self.adjoint.outputs_of(&mut parts, &prepared.channels);
                sum += self.residual_adjoints(prepared, points, outputs, R::literal(2.0 * scale));
                self.adjoint.backward(&mut parts, &prepared.channels, gradient);
            }
            *loss = sum * scale;
            before += tiles;
        }
    }
}
