//! The evaluator that runs the network on hyper-dual numbers, point by point. It is the reference for every faster one.

use std::sync::{Mutex, PoisonError};

use num_traits::Zero;

use super::{Derivatives, EvaluateError, Evaluator, Rows};
use crate::network::{Network, Workspace};
use crate::number::{Const, Dual, HyperDual, Packed, Real, Scalar, triangle_index};
use crate::operator::{Derivative, Operator, Plan};

/// Points that one thread takes at a time. Fixed, so that the cuts don't depend on the number of threads.
const PIECE: usize = 32;

/// The most variables of one pass. A network with more inputs takes several passes per point.
const WIDEST: usize = 16;

/// Evaluates a network point by point in hyper-dual numbers of the right size, on all threads.
///
/// ```
/// use tapeless::evaluate::{Derivatives, Evaluator, ScalarEvaluator};
/// use tapeless::network::{Activation, Layer, Network};
///
/// let layer = Layer::new(2, 1, vec![2.0, -1.0], vec![0.0], Activation::Exp)?;
/// let evaluator = ScalarEvaluator::new(Network::new(vec![layer])?, Derivatives::ALL)?;
/// // Two points (x, y) of u = exp(2x - y).
/// let results = evaluator.evaluate(&[0.0, 0.0, 1.0, 2.0])?;
/// assert_eq!(results.value, [1.0, 1.0]);
/// assert_eq!(results.gradient, [2.0, -1.0, 2.0, -1.0]);
/// assert_eq!(results.hessian[..4], [4.0, -2.0, -2.0, 1.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct ScalarEvaluator<R: Real> {
    network: Network<R>,
    derivatives: Derivatives,
    operators: Vec<Operator>,
    passes: Box<dyn Passes<R>>,
}

impl<R: Real> ScalarEvaluator<R> {
    /// An evaluator with workspace for every thread of the current rayon pool.
    ///
    /// # Errors
    ///
    /// [`EvaluateError::Workspace`] where the memory can't be had.
    pub fn new(network: Network<R>, derivatives: Derivatives) -> Result<Self, EvaluateError> {
        Self::unchecked(network, derivatives, Vec::new())
    }

    /// As [`new`](ScalarEvaluator::new), with operators besides.
    ///
    /// # Errors
    ///
    /// As [`new`](ScalarEvaluator::new), and [`EvaluateError::Operator`] where an operator names an input or output that the
    /// network does not have.
    pub fn with_operators(
        network: Network<R>,
        derivatives: Derivatives,
        operators: Vec<Operator>,
    ) -> Result<Self, EvaluateError> {
        // A plan is made for its check of the operators alone.
        Plan::new(network.inputs(), network.outputs(), false, false, &operators)?;
        Self::unchecked(network, derivatives, operators)
    }

    /// With operators that are known to fit.
    fn unchecked(network: Network<R>, derivatives: Derivatives, operators: Vec<Operator>) -> Result<Self, EvaluateError> {
        let inputs = network.inputs();
        let passes: Box<dyn Passes<R>> = if derivatives.hessian || !operators.is_empty() {
            let seeds = pairs_of_blocks;
            match inputs {
                0..=1 => Box::new(Run::<HyperDual<R, 1>>::new(&network, seeds)?),
                2 => Box::new(Run::<HyperDual<R, 2>>::new(&network, seeds)?),
                3 => Box::new(Run::<HyperDual<R, 3>>::new(&network, seeds)?),
                4 => Box::new(Run::<HyperDual<R, 4>>::new(&network, seeds)?),
                5..=6 => Box::new(Run::<HyperDual<R, 6>>::new(&network, seeds)?),
                7..=8 => Box::new(Run::<HyperDual<R, 8>>::new(&network, seeds)?),
                9..=12 => Box::new(Run::<HyperDual<R, 12>>::new(&network, seeds)?),
                _ => Box::new(Run::<HyperDual<R, WIDEST>>::new(&network, seeds)?),
            }
        } else if derivatives.gradient {
            let seeds = |inputs| blocks(inputs, WIDEST);
            match inputs {
                0..=1 => Box::new(Run::<Dual<R, 1>>::new(&network, seeds)?),
                2 => Box::new(Run::<Dual<R, 2>>::new(&network, seeds)?),
                3 => Box::new(Run::<Dual<R, 3>>::new(&network, seeds)?),
                4 => Box::new(Run::<Dual<R, 4>>::new(&network, seeds)?),
                5..=8 => Box::new(Run::<Dual<R, 8>>::new(&network, seeds)?),
                _ => Box::new(Run::<Dual<R, WIDEST>>::new(&network, seeds)?),
            }
        } else {
            Box::new(Run::<R>::new(&network, |_| vec![Vec::new()])?)
        };
        Ok(Self { network, derivatives, operators, passes })
    }

    /// The network.
    pub fn network(&self) -> &Network<R> {
        &self.network
    }

    /// Halves the points until a piece is left, and runs the halves side by side.
    fn spread(&self, points: &[R], rows: Rows<'_, R>) {
        let inputs = self.network.inputs();
        let count = points.len() / inputs;
        if count <= PIECE {
            return self.passes.run(&self.network, &self.operators, points, rows);
        }
        let half = count.div_ceil(2).next_multiple_of(PIECE);
        let (points, points_rest) = points.split_at(half * inputs);
        let (rows, rows_rest) = rows.split(half, count);
        rayon::join(|| self.spread(points, rows), || self.spread(points_rest, rows_rest));
    }
}

impl<R: Real> Evaluator<R> for ScalarEvaluator<R> {
    fn inputs(&self) -> usize {
        self.network.inputs()
    }

    fn outputs(&self) -> usize {
        self.network.outputs()
    }

    fn derivatives(&self) -> Derivatives {
        self.derivatives
    }

    fn operators(&self) -> usize {
        self.operators.len()
    }

    fn workspace_bytes(&self) -> usize {
        self.passes.workspace_bytes()
    }

    fn evaluate_rows(&self, points: &[R], results: Rows<'_, R>) -> Result<(), EvaluateError> {
        self.check(points, &results)?;
        self.spread(points, results);
        Ok(())
    }
}

/// The variables of 0..inputs in blocks of `size`.
fn blocks(inputs: usize, size: usize) -> Vec<Vec<usize>> {
    (0..inputs).step_by(size).map(|start| (start..inputs.min(start + size)).collect()).collect()
}

/// Sets of variables such that every pair of variables is in one of them: all at once where they fit into one number, else
/// every pair of half-size blocks.
fn pairs_of_blocks(inputs: usize) -> Vec<Vec<usize>> {
    if inputs <= WIDEST {
        return vec![(0..inputs).collect()];
    }
    let blocks = blocks(inputs, WIDEST / 2);
    let mut pairs = Vec::new();
    for (i, first) in blocks.iter().enumerate() {
        for second in &blocks[i + 1..] {
            pairs.push([first.as_slice(), second].concat());
        }
    }
    pairs
}

/// What the evaluator needs of a number to seed a network with it and to read the results.
trait Seeded: Scalar {
    /// The variable with this value whose derivative by itself is entry `index`.
    fn variable(value: Self::Primitive, index: usize) -> Self;
    fn first(&self, i: usize) -> Self::Primitive;
    fn second(&self, i: usize, j: usize) -> Self::Primitive;
}

impl<R: Real> Seeded for R {
    fn variable(value: R, _: usize) -> R {
        value
    }

    fn first(&self, _: usize) -> R {
        R::zero()
    }

    fn second(&self, _: usize, _: usize) -> R {
        R::zero()
    }
}

impl<R: Real, const N: usize> Seeded for Dual<R, N> {
    fn variable(value: R, index: usize) -> Self {
        Self::variable(value, index)
    }

    fn first(&self, i: usize) -> R {
        self.gradient()[i]
    }

    fn second(&self, _: usize, _: usize) -> R {
        R::zero()
    }
}

impl<R: Real, const N: usize> Seeded for HyperDual<R, N>
where
    Const<N>: Packed,
{
    fn variable(value: R, index: usize) -> Self {
        Self::variable(value, index)
    }

    fn first(&self, i: usize) -> R {
        self.gradient()[i]
    }

    fn second(&self, i: usize, j: usize) -> R {
        self.packed_hessian()[triangle_index(N, i, j)]
    }
}

/// All passes of a network over some points.
trait Passes<R: Real>: Send + Sync {
    fn run(&self, network: &Network<R>, operators: &[Operator], points: &[R], rows: Rows<'_, R>);
    fn workspace_bytes(&self) -> usize;
}

/// The passes with numbers of one type: in each, some of the inputs are variables and the others constants.
struct Run<S: Scalar> {
    seeds: Vec<Vec<usize>>,
    /// One for each thread; the lock is never waited for, unless more threads call than there were at the start.
    slots: Vec<Mutex<Slot<S>>>,
}

/// The numbers that one thread works with.
struct Slot<S: Scalar> {
    point: Vec<S>,
    outputs: Vec<S>,
    /// Of the point, shape (outputs, inputs); empty where the numbers carry none.
    gradient: Vec<S::Primitive>,
    /// Of the point, shape (outputs, inputs, inputs); empty where the numbers carry none.
    hessian: Vec<S::Primitive>,
    workspace: Workspace<S>,
}

impl<S: Seeded> Run<S> {
    fn new(network: &Network<S::Primitive>, seeds: fn(usize) -> Vec<Vec<usize>>) -> Result<Self, EvaluateError> {
        let (d, m) = (network.inputs(), network.outputs());
        let carried = |order, length| if S::ORDER >= order { length } else { 0 };
        let slot = |_| -> Result<_, EvaluateError> {
            // The largest first, so that what can't be had is refused before other memory is touched.
            let slot = Slot {
                hessian: zeros(carried(2, m.saturating_mul(d).saturating_mul(d)))?,
                gradient: zeros(carried(1, m.saturating_mul(d)))?,
                point: zeros(d)?,
                outputs: zeros(m)?,
                workspace: network.workspace_of(zeros)?,
            };
            Ok(Mutex::new(slot))
        };
        let slots = (0..rayon::current_num_threads()).map(slot).collect::<Result<_, _>>()?;
        Ok(Self { seeds: seeds(d), slots })
    }
}

/// So many zeros, or the error that the memory is not there.
fn zeros<T: Zero + Clone>(length: usize) -> Result<Vec<T>, EvaluateError> {
    let mut numbers = Vec::new();
    let bytes = length as u128 * size_of::<T>() as u128;
    numbers.try_reserve_exact(length).map_err(|_| EvaluateError::Workspace { bytes })?;
    numbers.resize(length, T::zero());
    Ok(numbers)
}

impl<S: Seeded> Passes<S::Primitive> for Run<S> {
    fn run(
        &self,
        network: &Network<S::Primitive>,
        operators: &[Operator],
        points: &[S::Primitive],
        rows: Rows<'_, S::Primitive>,
    ) {
        let slot = &self.slots[rayon::current_thread_index().unwrap_or(0) % self.slots.len()];
        // A poisoned slot is as good as any: every number in it is written before it is read.
        let mut slot = slot.lock().unwrap_or_else(PoisonError::into_inner);
        let Slot { point, outputs, gradient, hessian, workspace } = &mut *slot;
        let (d, m) = (network.inputs(), network.outputs());
        for (row, coordinates) in points.chunks_exact(d).enumerate() {
            for seeds in &self.seeds {
                for (x, &coordinate) in point.iter_mut().zip(coordinates) {
                    *x = S::lifted(coordinate);
                }
                for (position, &input) in seeds.iter().enumerate() {
                    point[input] = S::variable(coordinates[input], position);
                }
                if network.forward_into(point, workspace, outputs).is_err() {
                    debug_assert!(false, "the slot was made for this network");
                }
                for (k, output) in outputs.iter().enumerate() {
                    for (a, &i) in seeds.iter().enumerate() {
                        gradient[k * d + i] = output.first(a);
                        if S::ORDER < 2 {
                            continue;
                        }
                        for (b, &j) in seeds.iter().enumerate() {
                            hessian[(k * d + i) * d + j] = output.second(a, b);
                        }
                    }
                }
            }
            if !rows.value.is_empty() {
                for (result, output) in rows.value[row * m..][..m].iter_mut().zip(&*outputs) {
                    *result = output.primitive();
                }
            }
            if !rows.gradient.is_empty() {
                rows.gradient[row * m * d..][..m * d].copy_from_slice(gradient);
            }
            if !rows.hessian.is_empty() {
                rows.hessian[row * m * d * d..][..m * d * d].copy_from_slice(hessian);
            }
            for (result, operator) in rows.operators[row * operators.len()..].iter_mut().zip(operators) {
                let terms = operator.terms().iter().map(|term| {
                    let k = term.output;
                    S::Primitive::literal(term.coefficient)
                        * match term.derivative {
                            Derivative::Value => outputs[k].primitive(),
                            Derivative::First(i) => gradient[k * d + i],
                            Derivative::Second(i, j) => hessian[(k * d + i) * d + j],
                        }
                });
                *result = terms.fold(S::Primitive::zero(), |sum, term| sum + term);
            }
        }
    }

    fn workspace_bytes(&self) -> usize {
        self.slots
            .iter()
            .map(|slot| {
                let slot = slot.lock().unwrap_or_else(PoisonError::into_inner);
                let numbers = slot.gradient.len() + slot.hessian.len();
                size_of::<S>() * (slot.point.len() + slot.outputs.len())
                    + size_of::<S::Primitive>() * numbers
                    + slot.workspace.bytes()
            })
            .sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::network::{Activation, Layer};

    #[test]
    fn a_workspace_that_no_machine_has_is_refused() {
        let width = 100_000;
        let layer = |inputs, outputs| {
            let weights = vec![0.0; inputs * outputs];
            Layer::new(inputs, outputs, weights, vec![0.0; outputs], Activation::Tanh).unwrap()
        };
        let network = Network::new(vec![layer(width, 1), layer(1, width)]).unwrap();
        let error = ScalarEvaluator::new(network.clone(), Derivatives::ALL).err();
        assert_eq!(error, Some(EvaluateError::Workspace { bytes: 8 * (width as u128).pow(3) }));
        // A value has no Hessian to keep.
        assert!(ScalarEvaluator::new(network, Derivatives::VALUE).is_ok());
    }
}
