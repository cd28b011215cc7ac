//! The channels that one term of the loss carries, and where its numbers lie in a workspace.

use crate::evaluate::CpuReal;
use crate::evaluate::cpu::push::WeightedForm;
use crate::operator::Plan;

/// The plan of channels with its weights as floats.
pub(in crate::train) struct Channels<R> {
    /// Inputs by which first partials are carried.
    pub firsts: Vec<usize>,
    /// Second-order forms over these.
    pub forms: Vec<WeightedForm<R>>,
    /// For each form the inputs and weights of the first partials in it.
    pub drifts: Vec<Vec<(usize, R)>>,
    /// For each quantity its terms: (output, channel, factor).
    pub quantities: Vec<Vec<(usize, usize, R)>>,
}

impl<R: CpuReal> Channels<R> {
    pub fn new(plan: &Plan) -> Self {
        let literal = R::literal;
        let forms = plan.forms().iter();
        let quantities = plan.readout().operators.iter();
        Self {
            firsts: plan.firsts().to_vec(),
            forms: forms
                .clone()
                .map(|form| WeightedForm { terms: form.terms.iter().map(|&(i, j, w)| (i, j, literal(w))).collect() })
                .collect(),
            drifts: forms.map(|form| form.drift.iter().map(|&(i, w)| (i, literal(w))).collect()).collect(),
            quantities: quantities.map(|terms| terms.iter().map(|&(o, c, f)| (o, c, literal(f))).collect()).collect(),
        }
    }

    /// The values of the outputs alone.
    pub fn values() -> Self {
        Self { firsts: Vec::new(), forms: Vec::new(), drifts: Vec::new(), quantities: Vec::new() }
    }

    /// How many channels there are.
    pub fn count(&self) -> usize {
        1 + self.firsts.len() + self.forms.len()
    }
}
