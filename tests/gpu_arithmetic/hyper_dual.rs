//! `shaders/hyper_dual.wgsl` against the numbers of the library.

use std::fmt::Write;

use tapeless::{HyperDual, shaders};

use super::harness::{Element, Gpu, gpu};
use super::units::{Checked, table, units};

type Number = HyperDual<f64, 3>;

/// The components of a number with three variables.
const COMPONENTS: usize = 10;

/// An operation of two numbers (or of the first alone) as WGSL and in Rust.
struct Operation {
    shader: &'static str,
    rust: fn(Number, Number) -> Number,
}

macro_rules! operations {
    ($($shader:literal $rust:expr;)*) => {
        &[$(Operation { shader: $shader, rust: $rust }),*]
    };
}

const OPERATIONS: &[Operation] = operations! {
    "add(a, b)" |a, b| a + b;
    "sub(a, b)" |a, b| a - b;
    "neg(a)" |a, _| -a;
    "scale(a, 3.0)" |a, _| a * 3.0;
    "mul(a, b)" |a, b| a * b;
    "div(a, b)" |a, b| a / b;
    "powi(a, 0)" |a, _| a.powi(0);
    "powi(a, 1)" |a, _| a.powi(1);
    "powi(a, 2)" |a, _| a.powi(2);
    "powi(a, 5)" |a, _| a.powi(5);
    "powi(a, -3)" |a, _| a.powi(-3);
    "sqrt(a)" |a, _| a.sqrt();
    "exp(a)" |a, _| a.exp();
    "ln(a)" |a, _| a.ln();
    "sin(a)" |a, _| a.sin();
    "cos(a)" |a, _| a.cos();
    "tanh(a)" |a, _| a.tanh();
    "sigmoid(a)" |a, _| a.sigmoid();
    "softplus(a)" |a, _| a.softplus();
    "erf(a)" |a, _| a.erf();
    "abs(a)" |a, _| a.abs();
    "max(a, b)" |a, b| a.max(b);
    "min(a, b)" |a, b| a.min(b);
};

fn on_gpu<R: Element + Checked>(gpu: &Gpu, shader: &str, pairs: &[[f64; 2 * COMPONENTS]]) -> Vec<[R; COMPONENTS]> {
    let text = format!(
        "{}
        fn number(x: array<real, 20>, at: u32) -> HyperDual {{
            var components = x;
            var result: HyperDual;
            result.value = components[at];
            for (var k = 0u; k < 3u; k++) {{ result.gradient[k] = components[at + 1u + k]; }}
            for (var k = 0u; k < 6u; k++) {{ result.triangle[k] = components[at + 4u + k]; }}
            return result;
        }}
        fn evaluate(x: array<real, 20>) -> array<real, 10> {{
            let a = number(x, 0u);
            let b = number(x, 10u);
            let c = hyper_dual_{shader};
            let g = c.gradient;
            let h = c.triangle;
            return array(c.value, g[0], g[1], g[2], h[0], h[1], h[2], h[3], h[4], h[5]);
        }}",
        shaders::hyper_dual::<3>(R::DOUBLE)
    );
    let inputs: Vec<_> = pairs.iter().map(|pair| pair.map(R::literal)).collect();
    gpu.map(&text, &inputs)
}

fn from_components(components: &[f64]) -> Number {
    let triangle = std::array::from_fn(|k| components[4 + k]);
    Number::from_parts(components[0], [components[1], components[2], components[3]], triangle)
}

fn expected(operation: &Operation, pair: &[f64; 2 * COMPONENTS]) -> Vec<f64> {
    let (a, b) = pair.split_at(COMPONENTS);
    let result = (operation.rust)(from_components(a), from_components(b));
    [&[result.value()], &result.gradient()[..], result.packed_hessian()].concat()
}

/// Pairs of numbers with positive values and all derivatives, that an f32 holds.
fn pairs() -> Vec<[f64; 2 * COMPONENTS]> {
    // Knuth's MMIX generator, so that failures repeat.
    let mut state = 1_u64;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        f64::from((state >> 40) as f32) / f64::from(1 << 24)
    };
    let mut component = |k: usize| if k.is_multiple_of(COMPONENTS) { 0.25 + 2.0 * next() } else { 2.0 * next() - 1.0 };
    (0..500).map(|_| std::array::from_fn(|k| f64::from(component(k) as f32))).collect()
}

/// Errors relative to the largest component, in units of epsilon.
fn check_derivatives<R: Element + Checked>(gpu: &Gpu) {
    if !gpu.has::<R>() {
        return;
    }
    let pairs = pairs();
    for operation in OPERATIONS {
        for (pair, found) in pairs.iter().zip(on_gpu::<R>(gpu, operation.shader, &pairs)) {
            let expected = expected(operation, pair);
            let largest = expected.iter().fold(1.0, |largest: f64, x| largest.max(x.abs()));
            for (found, expected) in found.iter().zip(expected) {
                let off = (found.as_() - expected).abs() / largest / R::epsilon().as_();
                assert!(off <= 8.0, "{} {}: {off} at {pair:?}", R::FOLDER, operation.shader);
            }
        }
    }
}

#[test]
fn numbers_with_all_their_derivatives_are_those_of_the_library() {
    let Some(gpu) = gpu() else { return };
    check_derivatives::<f32>(gpu);
    check_derivatives::<f64>(gpu);
}

#[test]
fn singular_points_and_special_values_give_what_the_library_gives() {
    let Some(gpu) = gpu() else { return };
    let mut broken = Vec::new();
    for operation in OPERATIONS.iter().filter(|operation| operation.shader != "abs(a)") {
        // A value by the first variable alone, so that zero tangents show, and a constant 0.
        let pairs = [0.0, -0.0, -1.0, f64::INFINITY, -f64::INFINITY, f64::NAN].map(|value| {
            let mut pair = [0.0; 2 * COMPONENTS];
            (pair[0], pair[1]) = (value, 1.0);
            pair
        });
        for (pair, found) in pairs.iter().zip(on_gpu::<f32>(gpu, operation.shader, &pairs)) {
            let expected = expected(operation, pair);
            let close = |(&a, &b): (&f32, &f64)| {
                let a = f64::from(a);
                a == b || (a.is_nan() && b.is_nan()) || (a - b).abs() < 1e-6
            };
            if !found.iter().zip(&expected).all(close) {
                broken.push(format!("{} at {}: {found:?}, in the library {expected:?}", operation.shader, pair[0]));
            }
        }
    }
    assert!(broken.is_empty(), "{broken:#?}");
}

/// A function of one variable with its promises in units in the last place of f, f' and f'', for f32 and f64, where it isn't
/// an activation.
struct Row {
    shader: &'static str,
    table: &'static str,
    single: [f64; 3],
    double: [f64; 3],
}

const ROWS: [Row; 2] = [
    Row { shader: "sqrt", table: "sqrt", single: [2.0, 2.0, 3.0], double: [1.0, 2.0, 3.0] },
    Row { shader: "ln", table: "ln", single: [2.0, 2.0, 3.0], double: [2.0, 2.0, 3.0] },
];

fn check_units<R: Element + Checked>(gpu: &Gpu, row: &Row, bounds: [f64; 3], broken: &mut Vec<String>) {
    if !gpu.has::<R>() {
        return;
    }
    let cells = table::<R>(row.table);
    let arguments: Vec<[R; 1]> = cells.iter().map(|cells| [R::from_hexadecimal(&cells[0])]).collect();
    let text = format!(
        "{}
        fn evaluate(x: array<real, 1>) -> array<real, 3> {{
            let result = hyper_dual_{}(hyper_dual_variable(x[0], 0u));
            return array(result.value, result.gradient[0], result.triangle[0]);
        }}",
        shaders::hyper_dual::<1>(R::DOUBLE),
        row.shader
    );
    let smallest: f64 = R::min_positive_value().as_();
    let mut worst = [0.0_f64; 3];
    for ((cells, x), found) in cells.iter().zip(&arguments).zip(gpu.map::<R, 1, 3>(&text, &arguments)) {
        // Some GPUs take subnormal arguments for 0.
        if x[0].as_() < smallest {
            continue;
        }
        for order in 0..3 {
            worst[order] = worst[order].max(units(found[order], &cells[order + 1], 0.0, 4.0 * smallest));
        }
    }
    println!("{} {}: {worst:.1?}", row.shader, R::FOLDER);
    if worst.iter().zip(bounds).any(|(&worst, bound)| worst > bound * gpu.slack()) {
        broken.push(format!("{}, {}: {worst:?} units, promised are {bounds:?}", row.shader, R::FOLDER));
    }
}

#[test]
fn roots_and_logarithms_keep_their_promised_accuracy_and_the_documents_say_so() {
    let Some(gpu) = gpu() else { return };
    let mut broken = Vec::new();
    let mut text = String::new();
    for row in &ROWS {
        check_units::<f32>(gpu, row, row.single, &mut broken);
        check_units::<f64>(gpu, row, row.double, &mut broken);
        let cells: Vec<String> = [row.single, row.double].concat().iter().map(f64::to_string).collect();
        writeln!(text, "| `{}` | {} |", row.shader, cells.join(" | ")).unwrap();
    }
    assert!(broken.is_empty(), "{broken:#?}");
    let document = include_str!("../../docs/accuracy.md");
    assert!(document.contains(&text), "docs/accuracy.md must hold these rows:\n{text}");
}
