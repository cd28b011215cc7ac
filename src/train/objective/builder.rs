//! How an objective is built, and what is checked then.

use std::marker::PhantomData;
use std::sync::Mutex;

use super::residuals::Scratch;
use super::{Objective, Prepared, Share, not_finite};
use crate::evaluate::CpuReal;
use crate::evaluate::cpu::InstructionSet;
use crate::evaluate::cpu::tile;
use crate::evaluate::cpu::workspace::Workspace;
use crate::network::{Activation, Network};
use crate::operator::{Derivative, Operator, Plan};
use crate::train::adjoint::{Adjoint, Channels};
use crate::train::transform::{MOST_INPUTS, TransformChannels};
use crate::train::{OutputTransform, Term, TrainError};

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

impl<'a, R: CpuReal> ObjectiveBuilder<'a, R> {
    /// A loss over terms without scaling or transform.
    pub(super) fn new(network: &'a Network<R>, terms: Vec<Term<R>>) -> Self {
        let scaling = vec![(R::zero(), R::one()); network.inputs()];
        Self { network, terms, scaling, transform: None, set: InstructionSet::best() }
    }

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
        if let Some((index, value)) = not_finite(&network.to_parameters()) {
            return Err(TrainError::StartNotFinite { index, value });
        }
        if transform.is_some() && inputs > MOST_INPUTS {
            return Err(TrainError::TransformInputs { most: MOST_INPUTS, found: inputs });
        }
        let tile = set.dispatch(tile::TilePoints::<R>(PhantomData)).unwrap_or(1);
        let lanes = tile / crate::evaluate::cpu::product::BLOCK;
        let prepare = |term: Term<R>| {
            term.check(inputs)?;
            check_smooth(network, &term)?;
            let plan = Plan::folded(inputs, network.outputs(), &term.operators)
                .map_err(|source| TrainError::Operator { term: term.name.clone(), source })?;
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
        let values = Channels::values();
        let (network, losses) = (network.clone(), vec![0.0; terms.len()]);
        let fingerprint = fingerprint(&terms);
        Ok(Objective { network, scaling, adjoint, values, terms, transform, shares, workspaces, losses, fingerprint })
    }
}

/// A number that other points hardly have (Fowler, Noll and Vo's hash, of whole numbers of 64 bits).
fn fingerprint<R: CpuReal>(terms: &[Prepared<R>]) -> u64 {
    let numbers = terms.iter().flat_map(|prepared| &prepared.term.points);
    numbers.fold(0xcbf2_9ce4_8422_2325, |hash, number| {
        let bits = number.to_f64().unwrap_or(f64::NAN).to_bits();
        (hash ^ bits).wrapping_mul(0x0000_0100_0000_01b3).rotate_left(29)
    })
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
