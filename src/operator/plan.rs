//! The plan of channels: what is carried through a network so that everything asked for can be read off at its end.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::fmt::{self, Display, Formatter};

use super::{Derivative, Names, Operator, OperatorError};
use crate::number::triangle_index;

/// A second-order form: a sum of weighted second partials carried as one channel, such as u_xx + u_yy (the forward
/// Laplacian).
#[derive(Clone, Debug, PartialEq)]
pub struct Form {
    /// Two positions in [`Plan::firsts`], the lower one first, and the weight of that second partial.
    pub terms: Vec<(usize, usize, f64)>,
    /// Inputs and the weights of the first partials by them that are part of the form, such as u_t in u_t - 0.05*u_xx: they
    /// go through every layer as the second partials do. Only [`Plan::folded`] makes forms that have any.
    pub drift: Vec<(usize, f64)>,
}

/// How one result is made of channels: a sum of (channel, factor).
pub type Sum = Vec<(usize, f64)>;

/// How the results are read off the channels of the outputs.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Readout {
    /// For each input the channel of the first partial by it; empty where the gradient is not asked for.
    pub gradient: Vec<usize>,
    /// For each pair of inputs (row by row, full) how the second partial is made; empty where the Hessian is not asked for.
    pub hessian: Vec<Sum>,
    /// For each operator its terms: (output, channel, factor).
    pub operators: Vec<Vec<(usize, usize, f64)>>,
}

/// The channels that are carried for every point: the value, first partials by some inputs, and second-order forms over
/// these. Channel 0 is the value, then come the first partials, then the forms.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    firsts: Vec<usize>,
    forms: Vec<Form>,
    readout: Readout,
}

/// The second partials of a form by their place in the triangle, in order, with their coefficients; none is 0. Behind the
/// triangle come first partials by their input.
type Coefficients = Vec<(usize, f64)>;

impl Plan {
    /// The smallest plan for a gradient, a Hessian and operators of a network with so many inputs and outputs.
    ///
    /// Forms that are multiples or sums of others are not carried, but made of them at the end; simple forms are kept in
    /// preference, so that nothing is made by subtraction which could be added.
    ///
    /// # Errors
    ///
    /// [`OperatorError::OutOfRange`] where an operator names an input or output that is not there.
    pub fn new(
        inputs: usize,
        outputs: usize,
        gradient: bool,
        hessian: bool,
        operators: &[Operator],
    ) -> Result<Self, OperatorError> {
        check(inputs, outputs, operators)?;
        Ok(Self::build(inputs, outputs, gradient, hessian, operators, false))
    }

    /// The smallest plan for operators alone where forms may have first partials in them: u_t - 0.05*(u_xx + u_yy) of
    /// u(x, y, t) takes 4 channels, value, u_x, u_y and itself, and not 5.
    ///
    /// # Errors
    ///
    /// As [`new`](Plan::new).
    pub fn folded(inputs: usize, outputs: usize, operators: &[Operator]) -> Result<Self, OperatorError> {
        check(inputs, outputs, operators)?;
        let [apart, folded] = [false, true].map(|fold| Self::build(inputs, outputs, false, false, operators, fold));
        Ok(if folded.channels() < apart.channels() { folded } else { apart })
    }

    /// A plan for operators that were checked; with `fold`, first partials are part of the forms beside them.
    fn build(inputs: usize, outputs: usize, gradient: bool, hessian: bool, operators: &[Operator], fold: bool) -> Self {
        let wanted = |operator, output| form_part(inputs, output, operator, fold);
        let all = operators.iter().flat_map(|operator| (0..outputs).map(move |output| (operator, output)));
        let wanted_forms = all.clone().map(|(operator, output)| wanted(operator, output));
        let basis = if hessian {
            Basis::all_pairs(inputs)
        } else {
            Basis::of(wanted_forms.filter(|form| !form.is_empty()).collect())
        };

        let mut carried = vec![gradient || hessian; inputs];
        let is_folded = |operator, output| fold && !wanted(operator, output).is_empty();
        for (operator, output) in all {
            for i in firsts_of(operator, output).map(|(i, _)| i) {
                carried[i] |= !is_folded(operator, output);
            }
        }
        let place: Vec<(usize, usize)> = pairs(inputs).collect();
        for (i, j) in basis.forms.iter().flatten().filter_map(|&(pair, _)| place.get(pair).copied()) {
            (carried[i], carried[j]) = (true, true);
        }
        let firsts: Vec<usize> = (0..inputs).filter(|&i| carried[i]).collect();
        let position = |input: usize| firsts.partition_point(|&first| first < input);
        let forms = basis.forms.iter().map(|form| {
            let second = form.iter().filter_map(|&(pair, weight)| Some((place.get(pair)?, weight)));
            Form {
                terms: second.map(|(&(i, j), weight)| (position(i), position(j), weight)).collect(),
                drift: form.iter().filter_map(|&(pair, w)| Some((pair.checked_sub(place.len())?, w))).collect(),
            }
        });
        let forms = forms.collect();

        let first_form = 1 + firsts.len();
        let channel_of_first = |input: usize| 1 + position(input);
        let sum_of = |coefficients: &Coefficients| -> Sum {
            let sum = basis.express(coefficients);
            sum.into_iter().map(|(form, factor)| (first_form + form, factor)).collect()
        };
        let readout = Readout {
            gradient: if gradient { (0..inputs).map(channel_of_first).collect() } else { Vec::new() },
            hessian: if hessian {
                let all = (0..inputs).flat_map(|i| (0..inputs).map(move |j| (i, j)));
                all.map(|(i, j)| vec![(first_form + triangle_index(inputs, i, j), 1.0)]).collect()
            } else {
                Vec::new()
            },
            operators: operators
                .iter()
                .map(|operator| {
                    let mut terms = Vec::new();
                    for term in operator.terms() {
                        match term.derivative {
                            Derivative::Value => terms.push((term.output, 0, term.coefficient)),
                            Derivative::First(i) if !is_folded(operator, term.output) => {
                                terms.push((term.output, channel_of_first(i), term.coefficient));
                            }
                            Derivative::First(_) | Derivative::Second(..) => {}
                        }
                    }
                    for output in 0..outputs {
                        let form = wanted(operator, output);
                        let sum = sum_of(&form);
                        terms.extend(sum.into_iter().map(|(channel, factor)| (output, channel, factor)));
                    }
                    terms
                })
                .collect(),
        };
        Self { firsts, forms, readout }
    }

    /// The inputs by which first partials are carried, in order.
    pub fn firsts(&self) -> &[usize] {
        &self.firsts
    }

    /// The second-order forms that are carried.
    pub fn forms(&self) -> &[Form] {
        &self.forms
    }

    /// How many numbers are carried for every neuron and point.
    pub fn channels(&self) -> usize {
        1 + self.firsts.len() + self.forms.len()
    }

    /// How the results are read off.
    pub fn readout(&self) -> &Readout {
        &self.readout
    }

    /// The channels in words, with the names of the inputs.
    pub fn explain<'a>(&'a self, names: &'a Names) -> impl Display + 'a {
        Explanation { plan: self, names }
    }
}

/// Longer lists of channels are counted, not named.
const MOST_NAMED: usize = 64;

struct Explanation<'a> {
    plan: &'a Plan,
    names: &'a Names,
}

impl Display for Explanation<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let name = |position: usize| &self.names.inputs()[self.plan.firsts[position]];
        if self.plan.channels() > MOST_NAMED {
            let (firsts, forms) = (self.plan.firsts.len(), self.plan.forms.len());
            return write!(f, "value, {firsts} first partials, {forms} second-order forms");
        }
        write!(f, "value")?;
        for position in 0..self.plan.firsts.len() {
            write!(f, ", _{}", name(position))?;
        }
        for form in &self.plan.forms {
            write!(f, ", ")?;
            let second = form.terms.iter().map(|&(i, j, weight)| (format!("{}{}", name(i), name(j)), weight));
            let drift = form.drift.iter().map(|&(i, weight)| (self.names.inputs()[i].clone(), weight));
            for (k, (suffix, weight)) in second.chain(drift).enumerate() {
                let sign = match (k, weight < 0.0) {
                    (0, false) => "",
                    (0, true) => "-",
                    (_, false) => " + ",
                    (_, true) => " - ",
                };
                let magnitude = weight.abs();
                let factor = if magnitude == 1.0 { String::new() } else { format!("{magnitude}*") };
                write!(f, "{sign}{factor}_{suffix}")?;
            }
        }
        Ok(())
    }
}

fn check(inputs: usize, outputs: usize, operators: &[Operator]) -> Result<(), OperatorError> {
    let inside = |what, index, count| match index < count {
        true => Ok(()),
        false => Err(OperatorError::OutOfRange { what, index, count }),
    };
    for term in operators.iter().flat_map(Operator::terms) {
        if !term.coefficient.is_finite() {
            return Err(OperatorError::Coefficient { coefficient: term.coefficient.to_string() });
        }
        inside("output", term.output, outputs)?;
        match term.derivative {
            Derivative::Value => {}
            Derivative::First(i) => inside("input", i, inputs)?,
            Derivative::Second(i, j) => {
                inside("input", i, inputs)?;
                inside("input", j, inputs)?;
            }
        }
    }
    Ok(())
}

/// The upper triangle of pairs of inputs, row by row.
fn pairs(inputs: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..inputs).flat_map(move |i| (i..inputs).map(move |j| (i, j)))
}

/// The first partials of an operator for one output, with their coefficients.
fn firsts_of(operator: &Operator, output: usize) -> impl Iterator<Item = (usize, f64)> {
    operator.terms().iter().filter(move |term| term.output == output).filter_map(|term| match term.derivative {
        Derivative::First(i) => Some((i, term.coefficient)),
        Derivative::Value | Derivative::Second(..) => None,
    })
}

/// The second-order part of an operator for one output; with `fold`, and where there is any, the first partials with it.
fn form_part(inputs: usize, output: usize, operator: &Operator, fold: bool) -> Coefficients {
    let terms = operator.terms().iter().filter(|term| term.output == output && term.coefficient != 0.0);
    let second = terms.filter_map(|term| match term.derivative {
        Derivative::Second(i, j) => Some((triangle_index(inputs, i, j), term.coefficient)),
        Derivative::Value | Derivative::First(_) => None,
    });
    let mut form: Coefficients = second.collect();
    if fold && !form.is_empty() {
        let triangle = inputs * (inputs + 1) / 2;
        let live = firsts_of(operator, output).filter(|&(_, coefficient)| coefficient != 0.0);
        form.extend(live.map(|(i, coefficient)| (triangle + i, coefficient)));
    }
    form
}

/// The form with its largest coefficient scaled to 1, and that coefficient.
fn normalized(form: &Coefficients) -> (Coefficients, f64) {
    let largest = form.iter().fold(0.0_f64, |largest, (_, c)| if c.abs() > largest.abs() { *c } else { largest });
    (form.iter().map(|&(pair, coefficient)| (pair, coefficient / largest)).collect(), largest)
}

/// The forms that are carried. Others are multiples of one of them, or sums of single second partials among them: nothing is
/// made by elimination, so no digits are lost and no coefficient counts as negligible.
struct Basis {
    forms: Vec<Coefficients>,
    /// Where a single second partial lies among the forms.
    singles: HashMap<usize, usize>,
}

impl Basis {
    /// Every second partial.
    fn all_pairs(inputs: usize) -> Self {
        Self::new((0..inputs * (inputs + 1) / 2).map(|pair| vec![(pair, 1.0)]).collect())
    }

    /// As few forms as can be had without making any by subtraction.
    fn of(wanted: Vec<Coefficients>) -> Self {
        let mut forms: Vec<Coefficients> = Vec::new();
        for form in wanted {
            let (form, _) = normalized(&form);
            if !forms.contains(&form) {
                forms.push(form);
            }
        }
        // Sums of second partials that are carried anyway.
        let singles: HashSet<usize> = forms.iter().filter(|form| form.len() == 1).map(|form| form[0].0).collect();
        forms.retain(|form| form.len() == 1 || form.iter().any(|(pair, _)| !singles.contains(pair)));
        // More forms than second partials in them: these are fewer.
        let pairs: BTreeSet<usize> = forms.iter().flatten().map(|&(pair, _)| pair).collect();
        if forms.len() > pairs.len() {
            forms = pairs.into_iter().map(|pair| vec![(pair, 1.0)]).collect();
        }
        forms.sort_by_key(Vec::len);
        Self::new(forms)
    }

    fn new(forms: Vec<Coefficients>) -> Self {
        let singles = forms.iter().enumerate().filter(|(_, form)| form.len() == 1);
        let singles = singles.map(|(number, form)| (form[0].0, number)).collect();
        Self { forms, singles }
    }

    /// A form as a sum of (number of a carried form, factor).
    fn express(&self, form: &Coefficients) -> Sum {
        if form.is_empty() {
            return Vec::new();
        }
        let (scaled, largest) = normalized(form);
        // Of single second partials there may be many; they are found by their place.
        if form.len() > 1
            && let Some(number) = self.forms.iter().position(|carried| *carried == scaled)
        {
            return vec![(number, largest)];
        }
        let single = |&(pair, coefficient): &(usize, f64)| self.singles.get(&pair).map(|&number| (number, coefficient));
        form.iter().filter_map(single).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(hessian: bool, texts: &[&str]) -> (Plan, Names) {
        let names = Names::new(["x", "y", "t"], ["u", "v"]).unwrap();
        let operators: Vec<Operator> = texts.iter().map(|text| Operator::parse(text, &names).unwrap()).collect();
        (Plan::new(3, 2, false, hessian, &operators).unwrap(), names)
    }

    fn explained(hessian: bool, texts: &[&str]) -> String {
        let (plan, names) = plan(hessian, texts);
        plan.explain(&names).to_string()
    }

    #[test]
    fn only_what_is_asked_for_is_carried() {
        assert_eq!(explained(false, &["u"]), "value");
        assert_eq!(explained(false, &["u_t"]), "value, _t");
        assert_eq!(explained(false, &["u", "u_t", "u_xx + u_yy"]), "value, _x, _y, _t, _xx + _yy");
        assert_eq!(explained(false, &["u_t - 0.05*(u_xx + 2*u_xy)"]), "value, _x, _y, _t, 0.5*_xx + _xy");
        assert_eq!(explained(true, &[]), "value, _x, _y, _t, _xx, _xy, _xt, _yy, _yt, _tt");
    }

    #[test]
    fn what_can_be_made_of_others_is_not_carried() {
        assert_eq!(explained(false, &["u_xx + u_yy", "v_t - 3*(v_xx + v_yy)"]), "value, _x, _y, _t, _xx + _yy");
        assert_eq!(explained(false, &["u_xx + u_yy", "u_xx", "v_yy"]), "value, _x, _y, _xx, _yy");
        let (all, _) = plan(true, &["laplacian(u) - u_xy"]);
        assert_eq!(all.channels(), 10);
        assert_eq!(all.readout().operators[0], [(0, 4, 1.0), (0, 5, -1.0), (0, 7, 1.0), (0, 9, 1.0)]);
    }

    #[test]
    fn first_partials_fold_into_a_form_where_that_saves_a_channel() {
        let folded = |texts: &[&str]| {
            let names = Names::new(["x", "y", "t"], ["u", "v"]).unwrap();
            let operators: Vec<Operator> = texts.iter().map(|text| Operator::parse(text, &names).unwrap()).collect();
            Plan::folded(3, 2, &operators).unwrap().explain(&names).to_string()
        };
        assert_eq!(folded(&["u_t - 2*(u_xx + u_yy)"]), "value, _x, _y, _xx + _yy - 0.5*_t");
        assert_eq!(folded(&["u_t - 2*u_xx + u", "u_t"]), "value, _x, _t, _xx");
        assert_eq!(folded(&["u_t - u_xx", "v_y - u_x - v_xx"]), "value, _x, _xx - _t, _xx - _y");
        assert_eq!(folded(&["u_t - u_xx", "v_t - v_xx + u_x"]), "value, _x, _xx - _t");
        assert_eq!(folded(&["u_x - u_xx"]), "value, _x, _xx");
    }

    #[test]
    fn forms_in_few_dimensions_are_made_of_a_basis() {
        let (plan, _) = plan(false, &["u_xx + u_yy", "u_xx - u_yy", "3*u_xx + u_yy"]);
        assert_eq!(plan.forms().len(), 2);
        assert_eq!(plan.readout().operators[2], [(0, 3, 3.0), (0, 4, 1.0)]);
    }

    #[test]
    fn no_coefficient_is_negligible() {
        for text in ["1e-14*u_xx", "u_xx - 1e-17*u_tt", "5e-39*(u_xx + u_yy)", "1e-100*u_xx + 1e100*u_yy"] {
            let (plan, names) = plan(false, &[text]);
            let operator = Operator::parse(text, &names).unwrap();
            let [(_, channel, scale)] = plan.readout().operators[0][..] else { panic!("{text}") };
            let form = &plan.forms()[channel - 1 - plan.firsts().len()];
            let found: Vec<f64> = form.terms.iter().map(|(.., weight)| weight * scale).collect();
            let expected: Vec<f64> = operator.terms().iter().map(|term| term.coefficient).collect();
            assert!(found.iter().zip(&expected).all(|(a, b)| (a - b).abs() <= b.abs() * 1e-15), "{text}: {found:?}");
        }
        assert!(Plan::new(2, 1, false, false, &[f64::NAN * Operator::first(0, 1)]).is_err());
    }

    #[test]
    fn operators_outside_the_network_are_refused() {
        let error = Plan::new(2, 1, false, false, &[Operator::first(0, 2)]).unwrap_err();
        assert_eq!(error.to_string(), "an operator asks for input 2, but the network has 2");
    }
}
