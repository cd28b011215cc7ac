//! Every activation with its first and second derivative.

use std::fmt::Write;

use tapeless::network::Activation;
use tapeless::{Dual, HyperDual, shaders};

use super::harness::{Element, Gpu, gpu};
use super::units::{Checked, table, units};

/// An activation with its promises in units in the last place of f, f' and f'', for f32 and f64.
struct Row {
    activation: &'static str,
    /// The table of reference values, if there is one.
    table: Option<&'static str>,
    /// Whether the result is a sum of terms that cancel next to its zeros; see `docs/accuracy.md`.
    conditioned: bool,
    single: [f64; 3],
    double: [f64; 3],
}

const fn row(activation: &'static str, table: &'static str, single: [f64; 3], double: [f64; 3]) -> Row {
    Row { activation, table: Some(table), conditioned: false, single, double }
}

const fn conditioned(activation: &'static str, single: [f64; 3], double: [f64; 3]) -> Row {
    Row { activation, table: Some(activation), conditioned: true, single, double }
}

const fn without_table(activation: &'static str, single: [f64; 3], double: [f64; 3]) -> Row {
    Row { activation, table: None, conditioned: false, single, double }
}

/// Factors on the argument are powers of two, since a rounded product is another argument.
const ROWS: [Row; 19] = [
    row("tanh", "tanh", [2.0, 4.0, 5.0], [2.0, 3.0, 4.0]),
    row("sigmoid", "sigmoid", [3.0, 4.0, 5.0], [2.0, 3.0, 4.0]),
    row("sin", "sin", [2.0, 2.0, 2.0], [1.0, 1.0, 1.0]),
    without_table("sin:32", [2.0, 2.0, 2.0], [1.0, 1.0, 1.0]),
    row("cos", "cos", [2.0, 2.0, 2.0], [1.0, 1.0, 1.0]),
    row("softplus", "softplus", [3.0, 3.0, 4.0], [2.0, 2.0, 3.0]),
    without_table("softplus:4", [3.0, 3.0, 4.0], [2.0, 2.0, 3.0]),
    conditioned("silu", [3.0, 6.0, 6.0], [2.0, 3.0, 4.0]),
    conditioned("gelu", [3.0, 4.0, 4.0], [3.0, 4.0, 3.0]),
    conditioned("gelu_tanh", [2.0, 6.0, 11.0], [2.0, 4.0, 8.0]),
    row("elu", "elu", [2.0, 2.0, 2.0], [1.0, 1.0, 1.0]),
    without_table("elu:0.5", [2.0, 2.0, 2.0], [1.0, 1.0, 1.0]),
    without_table("relu", [0.0; 3], [0.0; 3]),
    without_table("leaky_relu:0.25", [0.0; 3], [0.0; 3]),
    row("exp", "exp", [2.0, 2.0, 2.0], [1.0, 1.0, 1.0]),
    conditioned("gaussian", [2.0, 2.0, 3.0], [2.0, 2.0, 2.0]),
    row("erf", "erf", [2.0, 3.0, 4.0], [2.0, 2.0, 2.0]),
    conditioned("mish", [3.0, 7.0, 12.0], [2.0, 4.0, 4.0]),
    without_table("identity", [0.0; 3], [0.0; 3]),
];

impl Row {
    fn activation(&self) -> Activation {
        self.activation.parse().unwrap()
    }
}

/// Value and derivatives up to the third by the rules in f64.
fn rule(activation: Activation, x: f64) -> [f64; 4] {
    let result = activation.apply(HyperDual::<Dual<f64, 1>, 1>::variable(Dual::variable(x, 0), 0));
    let second = result.hessian()[0][0];
    [result.value().value(), result.gradient()[0].value(), second.value(), second.gradient()[0]]
}

/// The results of an activation at these arguments.
fn on_gpu<R: Element + Checked>(gpu: &Gpu, activation: Activation, arguments: &[R]) -> Vec<[R; 3]> {
    let name = activation.to_string();
    let name = name.split(':').next().unwrap();
    let text = format!(
        "{}
        fn evaluate(x: array<real, 2>) -> array<real, 3> {{
            let jet = activation_{name}(x[0], x[1]);
            return array(jet.value, jet.first, jet.second);
        }}",
        shaders::activations(R::DOUBLE)
    );
    let inputs: Vec<[R; 2]> = arguments.iter().map(|&x| [x, R::literal(activation.parameter())]).collect();
    gpu.map(&text, &inputs)
}

/// Arguments of all magnitudes, and many of those that matter.
fn arguments<R: Checked>() -> Vec<R> {
    let sizes = (-300..300).map(|exponent| 10.0_f64.powf(f64::from(exponent) / 10.0));
    let near = (0..4000).map(|k| f64::from(k) / 200.0);
    let far = (0..1000).map(|k| f64::from(k) / 8.0);
    let positive = sizes.chain(near).chain(far).map(R::literal);
    positive.flat_map(|x| [x, -x]).collect()
}

/// How many units in the last place the rules in f64 may be off themselves, by `docs/accuracy.md`.
const OF_RULES: f64 = 8.0;

/// The worst errors against the table, and against the rules in f64.
fn worst<R: Element + Checked>(gpu: &Gpu, row: &Row) -> [f64; 3] {
    let from_table = row.table.map_or_else(Vec::new, table::<R>).into_iter().map(|cells| {
        let expected: [String; 4] = std::array::from_fn(|order| cells[order + 1].clone());
        (R::from_hexadecimal(&cells[0]), expected, 0.0)
    });
    let of_rules = if R::DOUBLE { OF_RULES } else { 0.0 };
    let from_rules = arguments::<R>().into_iter().map(|x| {
        let expected = rule(row.activation(), x.as_()).map(|number| format!("{number:e}"));
        (x, expected, of_rules)
    });
    let points: Vec<(R, [String; 4], f64)> = from_table.chain(from_rules).collect();
    let arguments: Vec<R> = points.iter().map(|point| point.0).collect();
    // Some GPUs flush subnormal numbers, also those in the middle of a formula.
    let lost = 4.0 * R::min_positive_value().as_();
    let mut worst = [0.0_f64; 3];
    for ((x, expected, allowance), found) in points.iter().zip(on_gpu(gpu, row.activation(), &arguments)) {
        for order in 0..3 {
            let next: f64 = expected[order + 1].parse().unwrap();
            let scale = if row.conditioned { (x.as_() * next).abs() } else { 0.0 };
            worst[order] = worst[order].max(units(found[order], &expected[order], scale, lost) - allowance);
        }
    }
    worst
}

fn check<R: Element + Checked>(gpu: &Gpu, row: &Row, bounds: [f64; 3], broken: &mut Vec<String>) {
    if !gpu.has::<R>() {
        return;
    }
    let worst = worst::<R>(gpu, row);
    println!("{} {}: {worst:.1?}", row.activation, R::FOLDER);
    if worst.iter().zip(bounds).any(|(&worst, bound)| worst > bound * gpu.slack()) {
        broken.push(format!("{}, {}: {worst:?} units, promised are {bounds:?}", row.activation, R::FOLDER));
    }
}

#[test]
fn every_activation_keeps_its_promised_accuracy_and_the_documents_say_so() {
    let Some(gpu) = gpu() else { return };
    let mut broken = Vec::new();
    let mut text = String::new();
    for row in &ROWS {
        check::<f32>(gpu, row, row.single, &mut broken);
        check::<f64>(gpu, row, row.double, &mut broken);
        let star = if row.conditioned { " *" } else { "" };
        let cells = [row.single, row.double].concat();
        let cells: Vec<String> = cells.iter().map(f64::to_string).collect();
        writeln!(text, "| `{}`{star} | {} |", row.activation, cells.join(" | ")).unwrap();
    }
    assert!(broken.is_empty(), "{broken:#?}");
    let document = include_str!("../../docs/accuracy.md");
    assert!(document.contains(&text), "docs/accuracy.md must hold these rows:\n{text}");
}

/// Whether a result at x is what the rules say; at NaN it may be NaN where they give a constant.
fn agree<R: Checked>(x: R, found: R, expected: f64) -> bool {
    let found: f64 = found.as_();
    if found.is_nan() || expected.is_nan() {
        return found.is_nan() && (expected.is_nan() || x.is_nan());
    }
    found == expected || (found - expected).abs() < 1e-3
}

fn check_special<R: Element + Checked>(gpu: &Gpu) {
    if !gpu.has::<R>() {
        return;
    }
    for row in &ROWS {
        let arguments = [R::nan(), -R::nan(), R::infinity(), -R::infinity(), R::zero(), -R::zero()];
        for (&x, found) in arguments.iter().zip(on_gpu(gpu, row.activation(), &arguments)) {
            let expected = rule(row.activation(), x.as_());
            let same = found.iter().zip(expected).all(|(&found, expected)| agree(x, found, expected));
            assert!(same, "{} {} at {x:?}: {found:?}, by the rules {expected:?}", row.activation, R::FOLDER);
        }
    }
}

#[test]
fn nan_stays_and_infinities_give_what_the_rules_give() {
    let Some(gpu) = gpu() else { return };
    check_special::<f32>(gpu);
    check_special::<f64>(gpu);
}
