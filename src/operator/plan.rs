//! The plan of channels: what is carried through a network so that everything asked for can be read off at its end.

use std::fmt::{self, Display, Formatter};

use super::{Derivative, Names, Operator, OperatorError};
use crate::number::triangle_index;

/// A second-order form: a sum of weighted second partials carried as one channel, such as u_xx + u_yy (the forward
/// Laplacian).
#[derive(Clone, Debug, PartialEq)]
pub struct Form {
    /// Two positions in [`Plan::firsts`], the lower one first, and the weight of that second partial.
    pub terms: Vec<(usize, usize, f64)>,
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

/// Coefficients of the second partials, the upper triangle row by row.
type Coefficients = Vec<f64>;

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
        // With the Hessian every second partial is a form, and others are sums of these.
        let basis = if hessian { Basis::of_pairs() } else { Basis::of(wanted_forms(inputs, outputs, operators)) };
        let forms = basis.forms(inputs);

        let mut carried = vec![gradient || hessian; inputs];
        for term in operators.iter().flat_map(Operator::terms) {
            if let Derivative::First(i) = term.derivative {
                carried[i] = true;
            }
        }
        for &(i, j, _) in forms.iter().flatten() {
            (carried[i], carried[j]) = (true, true);
        }
        let firsts: Vec<usize> = (0..inputs).filter(|&i| carried[i]).collect();
        let position = |input: usize| firsts.partition_point(|&first| first < input);
        let forms = forms
            .into_iter()
            .map(|terms| Form {
                terms: terms.into_iter().map(|(i, j, weight)| (position(i), position(j), weight)).collect(),
            })
            .collect();

        let first_form = 1 + firsts.len();
        let channel_of_first = |input: usize| 1 + position(input);
        let sum_of = |coefficients: &[f64]| -> Sum {
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
                            Derivative::First(i) => terms.push((term.output, channel_of_first(i), term.coefficient)),
                            Derivative::Second(..) => {}
                        }
                    }
                    for output in 0..outputs {
                        let form = second_order_part(inputs, output, operator);
                        if form.iter().any(|coefficient| *coefficient != 0.0) {
                            let sum = sum_of(&form);
                            terms.extend(sum.into_iter().map(|(channel, factor)| (output, channel, factor)));
                        }
                    }
                    terms
                })
                .collect(),
        };
        Ok(Self { firsts, forms, readout })
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

struct Explanation<'a> {
    plan: &'a Plan,
    names: &'a Names,
}

impl Display for Explanation<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let name = |position: usize| &self.names.inputs()[self.plan.firsts[position]];
        write!(f, "value")?;
        for position in 0..self.plan.firsts.len() {
            write!(f, ", _{}", name(position))?;
        }
        for form in &self.plan.forms {
            write!(f, ", ")?;
            for (k, &(i, j, weight)) in form.terms.iter().enumerate() {
                let sign = match (k, weight < 0.0) {
                    (0, false) => "",
                    (0, true) => "-",
                    (_, false) => " + ",
                    (_, true) => " - ",
                };
                let magnitude = weight.abs();
                let factor = if magnitude == 1.0 { String::new() } else { format!("{magnitude}*") };
                write!(f, "{sign}{factor}_{}{}", name(i), name(j))?;
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

/// The second-order part of an operator for one output.
fn second_order_part(inputs: usize, output: usize, operator: &Operator) -> Coefficients {
    let mut form = vec![0.0; inputs * (inputs + 1) / 2];
    for term in operator.terms().iter().filter(|term| term.output == output) {
        if let Derivative::Second(i, j) = term.derivative {
            form[triangle_index(inputs, i, j)] += term.coefficient;
        }
    }
    form
}

/// The forms that operators ask for, scaled so that their first coefficient is 1.
fn wanted_forms(inputs: usize, outputs: usize, operators: &[Operator]) -> Vec<Coefficients> {
    let mut wanted = Vec::new();
    for operator in operators {
        for output in 0..outputs {
            let mut form = second_order_part(inputs, output, operator);
            if let Some(&leading) = form.iter().find(|coefficient| **coefficient != 0.0) {
                form.iter_mut().for_each(|coefficient| *coefficient /= leading);
                wanted.push(form);
            }
        }
    }
    wanted
}

/// Linearly independent forms, and how to make others of them.
struct Basis {
    /// Whether the forms are all second partials, in the order of the triangle; then nothing else is kept.
    all_pairs: bool,
    forms: Vec<Coefficients>,
    /// For each form a row of the eliminated system: the place of its leading coefficient, the coefficients, and the sum of
    /// forms that gives them.
    rows: Vec<(usize, Coefficients, Coefficients)>,
}

impl Basis {
    /// All second partials.
    fn of_pairs() -> Self {
        Self { all_pairs: true, forms: Vec::new(), rows: Vec::new() }
    }

    /// The terms of each form: two inputs and a weight.
    fn forms(&self, inputs: usize) -> Vec<Vec<(usize, usize, f64)>> {
        if self.all_pairs {
            return pairs(inputs).map(|(i, j)| vec![(i, j, 1.0)]).collect();
        }
        let terms = |form: &Coefficients| {
            let all = pairs(inputs).zip(form).map(|((i, j), &weight)| (i, j, weight));
            all.filter(|(.., weight)| *weight != 0.0).collect()
        };
        self.forms.iter().map(terms).collect()
    }

    /// Keeps of the wanted forms those that are not made of simpler ones.
    fn of(mut wanted: Vec<Coefficients>) -> Self {
        wanted.sort_by_key(|form| form.iter().filter(|coefficient| **coefficient != 0.0).count());
        let mut basis = Self { all_pairs: false, forms: Vec::new(), rows: Vec::new() };
        let most = wanted.len();
        for form in wanted {
            let (rest, mut sum) = basis.reduce(&form, most);
            let largest = rest.iter().enumerate().max_by(|a, b| a.1.abs().total_cmp(&b.1.abs()));
            if let Some((place, leading)) = largest.filter(|(_, coefficient)| coefficient.abs() > NEGLIGIBLE) {
                // rest = form - sum, scaled so that its leading coefficient is 1.
                sum.iter_mut().for_each(|factor| *factor = -*factor);
                sum[basis.forms.len()] = 1.0;
                let scaled = |numbers: &[f64]| numbers.iter().map(|number| number / leading).collect();
                let row = (place, scaled(&rest), scaled(&sum));
                basis.rows.push(row);
                basis.forms.push(form);
            }
        }
        basis
    }

    /// What is left of a form when the basis is taken away, and how much of each form that is.
    fn reduce(&self, form: &[f64], most: usize) -> (Coefficients, Coefficients) {
        let mut rest = form.to_vec();
        let mut sum = vec![0.0; most];
        for (place, row, made_of) in &self.rows {
            let factor = rest[*place];
            if factor != 0.0 {
                rest.iter_mut().zip(row).for_each(|(rest, entry)| *rest -= factor * entry);
                sum.iter_mut().zip(made_of).for_each(|(sum, entry)| *sum += factor * entry);
            }
        }
        (rest, sum)
    }

    /// The form as a sum of (number of a form of the basis, factor).
    fn express(&self, form: &[f64]) -> Sum {
        if self.all_pairs {
            let factors = form.iter().copied().enumerate();
            return factors.filter(|(_, factor)| *factor != 0.0).collect();
        }
        let (_, sum) = self.reduce(form, self.forms.len());
        sum.into_iter().enumerate().filter(|(_, factor)| factor.abs() > NEGLIGIBLE).collect()
    }
}

/// Forms have coefficients around 1; what is smaller than this after elimination is rounding.
const NEGLIGIBLE: f64 = 1e-13;

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
        assert_eq!(explained(false, &["u_t - 0.05*(u_xx + 2*u_xy)"]), "value, _x, _y, _t, _xx + 2*_xy");
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
    fn forms_in_few_dimensions_are_made_of_a_basis() {
        let (plan, _) = plan(false, &["u_xx + u_yy", "u_xx - u_yy", "3*u_xx + u_yy"]);
        assert_eq!(plan.forms().len(), 2);
        // 3 u_xx + u_yy = 2 (u_xx + u_yy) + 1 (u_xx - u_yy)
        assert_eq!(plan.readout().operators[2], [(0, 3, 2.0), (0, 4, 1.0)]);
    }

    #[test]
    fn operators_outside_the_network_are_refused() {
        let error = Plan::new(2, 1, false, false, &[Operator::first(0, 2)]).unwrap_err();
        assert_eq!(error.to_string(), "an operator asks for input 2, but the network has 2");
    }
}
