//! The CPU evaluator: tiles of points through all layers in cache, only the channels that are asked for, in SIMD registers.
//!
//! A row of a tile is a neuron; in a row channel follows channel, in a channel point follows point. One layer is one matrix
//! product over all channels, then the activation pushes the channels of each neuron on in place.

mod adjoint;
pub(crate) mod instruction_set;
mod lanes;
mod peak;
pub(crate) mod product;
pub(crate) mod push;
mod simd;
pub(crate) mod tile;
pub(crate) mod workspace;

use std::marker::PhantomData;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

pub use instruction_set::InstructionSet;
pub(crate) use simd::SimdReal;
use tile::{Kernel, TilePoints, Workspace};

use super::{Derivatives, EvaluateError, Evaluator, Rows};
use crate::network::Network;
use crate::operator::{Operator, Plan};

/// A float type that the CPU evaluator has kernels for: `f32` and `f64`. Sealed.
#[allow(private_bounds)]
pub trait CpuReal: SimdReal {}

impl CpuReal for f32 {}
impl CpuReal for f64 {}

/// Evaluates a network and its derivatives with SIMD kernels on all threads.
///
/// It agrees with the [`ScalarEvaluator`](super::ScalarEvaluator) to rounding and is many times faster. Bits are the same for
/// any number of threads; between instruction sets they may differ in the last places.
///
/// ```
/// use tapeless::evaluate::{CpuEvaluator, Derivatives, Evaluator};
/// use tapeless::network::{Activation, Layer, Network};
/// use tapeless::operator::{Names, Operator};
///
/// let layer = Layer::new(2, 1, vec![2.0, -1.0], vec![0.0], Activation::Exp)?;
/// let network = Network::new(vec![layer])?;
/// let heat = Operator::parse("u_t - 0.5*u_xx", &Names::new(["x", "t"], ["u"])?)?;
/// let evaluator = CpuEvaluator::new(&network, Derivatives::VALUE, &[heat])?;
/// // u = exp(2x - t) at (0, 0): u_t = -1, u_xx = 4.
/// let results = evaluator.evaluate(&[0.0, 0.0])?;
/// assert_eq!((results.value[0], results.operators[0]), (1.0, -3.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct CpuEvaluator<R: CpuReal> {
    kernel: Kernel<R>,
    derivatives: Derivatives,
    instruction_set: InstructionSet,
    tile: usize,
    /// One for each thread; the lock is never waited for, unless more threads call than there were at the start.
    workspaces: Vec<Mutex<Workspace<R>>>,
}

/// Tiles that one thread takes at a time. Fixed, so that the cuts don't depend on the number of threads.
const TILES_PER_PIECE: usize = 4;

impl<R: CpuReal> CpuEvaluator<R> {
    /// An evaluator with workspace for every thread of the current rayon pool, on the best instruction set of the machine.
    ///
    /// # Errors
    ///
    /// [`EvaluateError::Operator`] where an operator names an input or output that the network does not have;
    /// [`EvaluateError::Workspace`] where the memory can't be had.
    pub fn new(network: &Network<R>, derivatives: Derivatives, operators: &[Operator]) -> Result<Self, EvaluateError> {
        Self::with_instruction_set(network, derivatives, operators, InstructionSet::best())
    }

    /// As [`new`](CpuEvaluator::new), on a chosen instruction set; on plain instructions where the machine does not have it.
    ///
    /// # Errors
    ///
    /// As [`new`](CpuEvaluator::new).
    pub fn with_instruction_set(
        network: &Network<R>,
        derivatives: Derivatives,
        operators: &[Operator],
        instruction_set: InstructionSet,
    ) -> Result<Self, EvaluateError> {
        let instruction_set =
            if InstructionSet::available().contains(&instruction_set) { instruction_set } else { InstructionSet::Plain };
        let (inputs, outputs) = (network.inputs(), network.outputs());
        let plan = Plan::new(inputs, outputs, derivatives.gradient, derivatives.hessian, operators)?;
        let tile = instruction_set.dispatch(TilePoints::<R>(PhantomData)).unwrap_or(1);
        let coefficients = operators.iter().flat_map(Operator::terms).map(|term| term.coefficient);
        if let Some(coefficient) = coefficients.into_iter().find(|coefficient| R::literal(*coefficient).is_infinite()) {
            return Err(EvaluateError::Coefficient { coefficient });
        }
        let kernel = Kernel::new(network, plan, instruction_set);
        let lengths = kernel.lengths(Kernel::widest(network), tile);
        let workspace = |_| Workspace::new(lengths).map(Mutex::new);
        let workspaces = (0..rayon::current_num_threads()).map(workspace).collect::<Result<_, _>>()?;
        Ok(Self { kernel, derivatives, instruction_set, tile, workspaces })
    }

    /// The channels: what is computed for every neuron, or for the outputs at least.
    pub fn plan(&self) -> &Plan {
        &self.kernel.plan
    }

    /// Channels that are carried forward, and channels that come back: second-order forms are not carried where there are
    /// more of them than outputs, but summed up by a sweep back through the layers.
    pub fn sweeps(&self) -> (usize, usize) {
        (self.kernel.carried(), self.kernel.adjoints())
    }

    /// The instruction set of the kernels.
    pub fn instruction_set(&self) -> InstructionSet {
        self.instruction_set
    }

    /// Multiplications and additions of the matrix products for one point, each counted as one operation.
    pub fn operations_per_point(&self) -> usize {
        self.kernel.operations()
    }

    /// The most floating-point operations per second that the calling thread can do on this instruction set: multiply-adds
    /// from registers to registers, measured over the time given.
    pub fn fma_peak(&self, time: Duration) -> f64 {
        peak::fma_peak::<R>(self.instruction_set, time)
    }

    /// Halves the points until a piece is left, and runs the halves side by side.
    fn spread(&self, points: &[R], rows: Rows<'_, R>) {
        let inputs = self.kernel.inputs;
        let count = points.len() / inputs;
        let piece = self.tile * TILES_PER_PIECE;
        if count <= piece {
            return self.run(points, rows);
        }
        let half = count.div_ceil(2).next_multiple_of(piece);
        let (points, points_rest) = points.split_at(half * inputs);
        let (rows, rows_rest) = rows.split(half, count);
        rayon::join(|| self.spread(points, rows), || self.spread(points_rest, rows_rest));
    }

    fn run(&self, points: &[R], rows: Rows<'_, R>) {
        let slot = &self.workspaces[rayon::current_thread_index().unwrap_or(0) % self.workspaces.len()];
        // A poisoned workspace is as good as any: every number in it is written before it is read.
        let mut workspace = slot.lock().unwrap_or_else(PoisonError::into_inner);
        self.kernel.run(&mut workspace, self.tile, points, rows);
    }
}

impl<R: CpuReal> Evaluator<R> for CpuEvaluator<R> {
    fn inputs(&self) -> usize {
        self.kernel.inputs
    }

    fn outputs(&self) -> usize {
        self.kernel.outputs
    }

    fn derivatives(&self) -> Derivatives {
        self.derivatives
    }

    fn operators(&self) -> usize {
        self.kernel.plan.readout().operators.len()
    }

    fn workspace_bytes(&self) -> usize {
        self.workspaces.iter().map(|slot| slot.lock().unwrap_or_else(PoisonError::into_inner).bytes()).sum()
    }

    fn evaluate_rows(&self, points: &[R], results: Rows<'_, R>) -> Result<(), EvaluateError> {
        self.check(points, &results)?;
        if !points.is_empty() {
            self.spread(points, results);
        }
        Ok(())
    }
}
