//! Every rule against reference values of 25 digits (`tests/tables`), in units in the last place. The bounds stand in
//! `docs/accuracy.md`, which must show the same table as this test.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use num_traits::Float;
use tapeless::HyperDual;

#[path = "common/units.rs"]
mod units;

use units::{Checked, table};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_owned()
}

/// The error of a result; as right counts one that is off by at most 2048 steps of the smallest subnormal.
fn units<R: Checked>(found: R, expected: &str, scale: f64) -> f64 {
    let (epsilon, smallest): (f64, f64) = (R::epsilon().as_(), R::min_positive_value().as_());
    units::units(found, expected, scale, 2048.0 * smallest * epsilon)
}

/// The worst error of each result of a function: value, then derivatives.
fn worst<R: Checked, const K: usize>(
    name: &str,
    inside: fn(f64) -> bool,
    scale: impl Fn(&[String]) -> [f64; K],
    evaluate: impl Fn(&[String]) -> (R, [R; K]),
    first_cell: usize,
) -> [f64; K] {
    let mut worst = [0.0; K];
    let mut rows = 0;
    for row in table::<R>(name) {
        let (x, found) = evaluate(&row);
        if !inside(x.as_()) {
            continue;
        }
        rows += 1;
        let scale = scale(&row);
        for (order, (worst, found)) in worst.iter_mut().zip(found).enumerate() {
            *worst = worst.max(units(found, &row[first_cell + order], scale[order]));
        }
    }
    assert!(rows > 25, "{name}: {rows} rows are no test");
    worst
}

type One<R> = HyperDual<R, 1>;

fn parts<R: Checked>(result: One<R>) -> [R; 3] {
    [result.value(), result.gradient()[0], result.hessian()[0][0]]
}

fn unary<R: Checked>(name: &str, inside: fn(f64) -> bool, conditioned: bool, f: fn(One<R>) -> One<R>) -> [f64; 3] {
    let evaluate = |row: &[String]| {
        let x = R::from_hexadecimal(&row[0]);
        (x, parts(f(One::variable(x, 0))))
    };
    // Half a unit of x changes a result by |x f'| / 2 of its units: near its zeros, no formula that rounds does better.
    let scale = |row: &[String]| {
        let x: f64 = R::from_hexadecimal(&row[0]).as_();
        [2, 3, 4].map(|next| if conditioned { (x * row[next].parse::<f64>().unwrap()).abs() } else { 0.0 })
    };
    worst(name, inside, scale, evaluate, 1)
}

fn with_parameter<R: Checked>(name: &str, f: fn(One<R>, &str) -> One<R>) -> [f64; 3] {
    let evaluate = |row: &[String]| {
        let x = R::from_hexadecimal(&row[0]);
        (x, parts(f(One::variable(x, 0), &row[1])))
    };
    worst(name, |_| true, |_| [0.0; 3], evaluate, 2)
}

fn binary<R: Checked>(
    name: &str,
    terms: fn(&[f64]) -> [f64; 2],
    f: fn(HyperDual<R, 2>, HyperDual<R, 2>) -> HyperDual<R, 2>,
) -> [f64; 3] {
    let evaluate = |row: &[String]| {
        let point = [R::from_hexadecimal(&row[0]), R::from_hexadecimal(&row[1])];
        let [x, y] = HyperDual::variables(point);
        let result = f(x, y);
        let ([fx, fy], [[fxx, fxy], [_, fyy]]) = (result.gradient(), result.hessian());
        (point[0], [result.value(), fx, fy, fxx, fxy, fyy])
    };
    // Where a second partial is a sum of two terms, its unit is that of the larger one.
    let scale = |row: &[String]| {
        let numbers: Vec<f64> = row[2..].iter().map(|cell| cell.parse().unwrap()).collect();
        let point = [0, 1].map(|i| R::from_hexadecimal(&row[i]).as_());
        let [xy, yy] = terms(&[point.as_slice(), &numbers].concat());
        [0.0, 0.0, 0.0, 0.0, xy.abs(), yy.abs()]
    };
    let [f, fx, fy, fxx, fxy, fyy] = worst(name, |_| true, scale, evaluate, 2);
    [f, fx.max(fy), fxx.max(fxy).max(fyy)]
}

/// The table of the documents, and the promises that were broken.
#[derive(Default)]
struct Table {
    rows: String,
    broken: Vec<String>,
}

/// Checks one function for both floats and writes its row of the table.
fn check(text: &mut Table, label: &str, bounds: [f64; 3], worst_f64: [f64; 3], worst_f32: [f64; 3]) {
    for (float, worst) in [("f64", worst_f64), ("f32", worst_f32)] {
        for (order, (worst, bound)) in worst.into_iter().zip(bounds).enumerate() {
            if worst > bound {
                let broken = format!("{label}, {float}, order {order}: {worst} units, promised are {bound}");
                text.broken.push(broken);
            }
        }
    }
    let [value, first, second] = bounds.map(|bound| if bound.is_finite() { bound.to_string() } else { "–".to_owned() });
    writeln!(text.rows, "| {label} | {value} | {first} | {second} |").unwrap();
}

#[test]
fn every_rule_keeps_its_promised_accuracy_and_the_documents_say_so() {
    const EVERYWHERE: fn(f64) -> bool = |_| true;
    /// The value is the float's own function, which makes no such promise there.
    const OWN: f64 = f64::INFINITY;
    let mut text = Table::default();

    macro_rules! unary {
        ($($name:ident [$value:expr, $first:expr, $second:expr] $(conditioned $conditioned:literal)? $(where $label:literal $inside:expr)?;)*) => {$({
            #[allow(unused_mut, unused_assignments)]
            let mut inside = EVERYWHERE;
            #[allow(unused_mut, unused_assignments)]
            let mut label = format!("`{}`", stringify!($name));
            $(inside = $inside; label = format!("`{}`, {}", stringify!($name), $label);)?
            let conditioned = false $(|| $conditioned)?;
            let name = stringify!($name);
            if conditioned {
                label += " *";
            }
            check(
                &mut text,
                &label,
                [$value, $first, $second],
                unary::<f64>(name, inside, conditioned, |x| x.$name()),
                unary::<f32>(name, inside, conditioned, |x| x.$name()),
            );
        })*};
    }
    unary! {
        recip [1.0, 2.0, 3.0];
        sqrt [1.0, 2.0, 3.0];
        cbrt [1.0, 3.0, 4.0];
        exp [1.0, 1.0, 1.0];
        exp2 [1.0, 2.0, 2.0];
        exp_m1 [1.0, 1.0, 1.0];
        ln [1.0, 1.0, 3.0];
        ln_1p [1.0, 2.0, 4.0];
        log2 [1.0, 2.0, 3.0];
        log10 [2.0, 2.0, 3.0];
        sin [1.0, 1.0, 1.0] where "abs(x) < 1e22" |x| x.abs() < 1e22;
        sin [8.0, 8.0, 8.0];
        cos [1.0, 1.0, 1.0] where "abs(x) < 1e22" |x| x.abs() < 1e22;
        cos [8.0, 8.0, 8.0];
        tan [1.0, 2.0, 4.0] where "abs(x) < 1e22" |x| x.abs() < 1e22;
        tan [14.0, 26.0, 37.0];
        asin [1.0, 2.0, 4.0];
        acos [1.0, 2.0, 4.0];
        atan [1.0, 2.0, 4.0];
        sinh [2.0, 2.0, 2.0];
        cosh [2.0, 2.0, 2.0];
        tanh [2.0, 3.0, 4.0];
        asinh [2.0, 2.0, 4.0] where "abs(x) up to half the largest float" |x| x.abs() < 8e307 && !(1.7e38..=4e38).contains(&x.abs());
        asinh [OWN, 2.0, 4.0];
        acosh [2.0, 2.0, 4.0] where "x from 2 to half the largest float" |x| (2.0..8e307).contains(&x) && !(1.7e38..=4e38).contains(&x);
        acosh [OWN, 2.0, 4.0];
        atanh [2.0, 2.0, 4.0] where "x > -1/2" |x| x > -0.5;
        atanh [OWN, 2.0, 4.0];
        erf [1.0, 3.0, 3.0];
        erfc [2.0, 3.0, 3.0];
        sigmoid [2.0, 2.0, 3.0];
        softplus [2.0, 2.0, 2.0];
        silu [2.0, 2.0, 4.0] conditioned true;
        gelu [3.0, 4.0, 4.0] conditioned true;
        gelu_tanh [4.0, 4.0, 8.0] conditioned true;
        mish [3.0, 5.0, 5.0] conditioned true;
        sinc [2.0, 3.0, 4.0] conditioned true;
        gaussian [2.0, 2.0, 3.0] conditioned true;
    }
    check(
        &mut text,
        "`elu`, alpha = 1",
        [1.0; 3],
        unary::<f64>("elu", EVERYWHERE, false, |x| x.elu(1.0)),
        unary::<f32>("elu", EVERYWHERE, false, |x| x.elu(1.0)),
    );
    check(
        &mut text,
        "`powi`, any n",
        [OWN, 4.0, 4.0],
        with_parameter::<f64>("powi", |x, n| x.powi(n.parse().unwrap())),
        with_parameter::<f32>("powi", |x, n| x.powi(n.parse().unwrap())),
    );
    check(
        &mut text,
        "`powf`, plain exponent",
        [1.0, 2.0, 3.0],
        with_parameter::<f64>("powf", |x, p| x.powf(f64::from_hexadecimal(p))),
        with_parameter::<f32>("powf", |x, p| x.powf(f32::from_hexadecimal(p))),
    );
    macro_rules! binary {
        ($($name:literal $label:literal [$($bound:literal),*] $terms:expr, $f:expr;)*) => {$(
            check(&mut text, $label, [$($bound),*], binary::<f64>($name, $terms, $f), binary::<f32>($name, $terms, $f));
        )*};
    }
    let one_term = |_: &[f64]| [0.0, 0.0];
    binary! {
        "div" "`x / y`" [1.0, 3.0, 5.0] one_term, |x, y| x / y;
        "hypot" "`hypot`" [1.0, 3.0, 5.0] one_term, |x, y| x.hypot(y);
        "atan2" "`atan2`" [1.0, 3.0, 6.0] one_term, |y, x| y.atan2(x);
        // f_xy = f_x / y + f_x ln(x)
        "pow" "`powf`, live exponent *" [1.0, 3.0, 6.0] |t| [t[3] / t[1], 0.0], |x, y| x.powf(y);
        // f_yy = -f_y / y + 2 (..)
        "log" "`log`, live base *" [3.0, 5.0, 8.0] |t| [0.0, t[4] / t[1]], |x, base| x.log(base);
    }

    assert!(text.broken.is_empty(), "{:#?}", text.broken);
    let path = root().join("docs/accuracy.md");
    let document = std::fs::read_to_string(path).unwrap();
    assert!(document.contains(&text.rows), "docs/accuracy.md must hold these rows:\n{}", text.rows);
}
