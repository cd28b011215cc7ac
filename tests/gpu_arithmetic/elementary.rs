//! The elementary functions that no activation shows by itself.

use std::fmt::Write;

use tapeless::shaders;

use super::harness::{Element, Gpu, gpu};
use super::units::{Checked, table, units};

/// A function with its promises in units in the last place, for f32 and f64.
struct Row {
    name: &'static str,
    /// As a WGSL expression of x.
    shader: &'static str,
    table: &'static str,
    inside: fn(f64) -> bool,
    single: f64,
    double: f64,
}

const ROWS: [Row; 3] = [
    Row {
        name: "erfc(x)",
        shader: "complementary_error_function(x)",
        table: "erfc",
        inside: |_| true,
        single: 3.0,
        double: 4.0,
    },
    Row {
        name: "ln(1 + x), 0 <= x <= 1",
        shader: "logarithm_of_one_plus(x)",
        table: "ln_1p",
        inside: |x| (0.0..=1.0).contains(&x),
        single: 2.0,
        double: 2.0,
    },
    Row {
        name: "exp(x) - 1, x <= 0",
        shader: "-decay(-x).complement",
        table: "exp_m1",
        inside: |x| x <= 0.0,
        single: 1.0,
        double: 1.0,
    },
];

fn check<R: Element + Checked>(gpu: &Gpu, row: &Row, bound: f64, broken: &mut Vec<String>) {
    if !gpu.has::<R>() {
        return;
    }
    let text = format!(
        "{}
        fn evaluate(input: array<real, 1>) -> array<real, 1> {{
            let x = input[0];
            return array({});
        }}",
        shaders::elementary(R::DOUBLE),
        row.shader
    );
    let points: Vec<(R, String)> = table::<R>(row.table)
        .into_iter()
        .map(|cells| (R::from_hexadecimal(&cells[0]), cells[1].clone()))
        .filter(|(x, _)| (row.inside)(x.as_()))
        .collect();
    assert!(points.len() > 20, "{}: {} rows are no test", row.name, points.len());
    let arguments: Vec<[R; 1]> = points.iter().map(|point| [point.0]).collect();
    let lost = 4.0 * R::min_positive_value().as_();
    let found = gpu.map::<R, 1, 1>(&text, &arguments);
    let errors = points.iter().zip(found).map(|((_, expected), [found])| units(found, expected, 0.0, lost));
    let worst = errors.fold(0.0, f64::max);
    println!("{} {}: {worst:.1}", row.name, R::FOLDER);
    if worst > bound * gpu.slack() {
        broken.push(format!("{}, {}: {worst} units, promised are {bound}", row.name, R::FOLDER));
    }
}

#[test]
fn elementary_functions_keep_their_promised_accuracy_and_the_documents_say_so() {
    let Some(gpu) = gpu() else { return };
    let mut broken = Vec::new();
    let mut text = String::new();
    for row in &ROWS {
        check::<f32>(gpu, row, row.single, &mut broken);
        check::<f64>(gpu, row, row.double, &mut broken);
        writeln!(text, "| {} | {} | {} |", row.name, row.single, row.double).unwrap();
    }
    assert!(broken.is_empty(), "{broken:#?}");
    let document = include_str!("../../docs/accuracy.md");
    assert!(document.contains(&text), "docs/accuracy.md must hold these rows:\n{text}");
}
