//! What comes out where a derivative doesn't exist, isn't finite, or jumps: the tables of `docs/edge-cases.md`, for f64, f32 and
//! nested numbers; and what other libraries were found to get wrong.

use std::fmt::Write;

use num_traits::{Float, One, Signed, Zero};
use tapeless::{Const, Dual, HyperDual, Packed, Real, Scalar, gradient, hessian, second_derivative};

type Single<R> = HyperDual<R, 1>;
type Two<R> = HyperDual<R, 2>;
/// Second order by nesting.
type Nested<R> = Dual<Dual<R, 1>, 1>;
type NestedTwo<R> = Dual<Dual<R, 2>, 2>;

/// The rows of a table of the document, and what was found to be otherwise.
#[derive(Default)]
struct Table {
    rows: String,
    broken: Vec<String>,
}

/// The number that a cell of a table stands for.
fn number(cell: &str) -> f64 {
    use std::f64::consts::{FRAC_PI_2, LN_2, PI};
    match cell {
        "pi" => PI,
        "-pi" => -PI,
        "pi/2" => FRAC_PI_2,
        "-pi/2" => -FRAC_PI_2,
        "ln(2)" => LN_2,
        "ln(2)^2" => LN_2 * LN_2,
        "-1/3" => -1.0 / 3.0,
        "2^31" => 2.0.powi(31),
        "-2^31" => -(2.0.powi(31)),
        "2^31 - 1" => 2.0.powi(31) - 1.0,
        // The products of i32::MIN and i32::MAX with what is one less, to the precision of an f64.
        "2^62 + 2^31" => 4_611_686_020_574_871_552.0,
        "2^62 - 3*2^31 + 2" => 4_611_686_011_984_936_962.0,
        "-2^62 + 3*2^31 - 2" => -4_611_686_011_984_936_962.0,
        _ => cell.parse().unwrap(),
    }
}

fn as_expected<R: Real>(found: R, cell: &str) -> bool {
    let (found, expected, epsilon): (f64, f64, f64) = (found.as_(), number(cell), R::epsilon().as_());
    if expected.is_finite() {
        (found - expected).abs() <= 4.0 * epsilon * expected.abs()
    } else {
        found == expected || (found.is_nan() && expected.is_nan())
    }
}

/// Whether two plain numbers are the same to the last bit, any NaN being the same as any other.
fn same<R: Real>(a: R, b: R) -> bool {
    a.same(&b) || (a.is_nan() && b.is_nan())
}

impl Table {
    fn check<R: Real, const K: usize>(&mut self, label: &str, kind: &str, plain: R, found: [R; K], expected: [&str; K]) {
        if !same(found[0], plain) {
            self.broken.push(format!("{label} in {kind}: value {}, the plain float gives {plain}", found[0]));
        }
        if !found.iter().zip(expected).all(|(&found, cell)| as_expected(found, cell)) {
            self.broken.push(format!("{label} in {kind}: found {found:?}, expected {expected:?}"));
        }
    }

    fn row<const K: usize>(&mut self, function: &str, at: &str, expected: [&str; K]) {
        writeln!(self.rows, "| `{function}` | {at} | {} |", expected.join(" | ")).unwrap();
    }

    /// Asserts that nothing is otherwise and that the document holds the rows.
    fn finish(self) {
        assert!(self.broken.is_empty(), "{:#?}", self.broken);
        let document = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/edge-cases.md")).unwrap();
        assert!(document.contains(&self.rows), "docs/edge-cases.md must hold these rows:\n{}", self.rows);
    }
}

fn parts<R: Real>(result: Single<R>) -> [R; 3] {
    [result.value(), result.gradient()[0], result.hessian()[0][0]]
}

fn nested_parts<R: Real>(result: Nested<R>) -> [R; 3] {
    let [slope] = result.gradient();
    [result.value().value(), slope.value(), slope.gradient()[0]]
}

fn six_parts<R: Real>(result: Two<R>) -> [R; 6] {
    let ([x, y], [[xx, xy], [_, yy]]) = (result.gradient(), result.hessian());
    [result.value(), x, y, xx, xy, yy]
}

fn nested_six_parts<R: Real>(result: NestedTwo<R>) -> [R; 6] {
    let [x, y] = result.gradient();
    let ([xx, xy], [_, yy]) = (x.gradient(), y.gradient());
    [result.value().value(), x.value(), y.value(), xx, xy, yy]
}

fn nested_variables<R: Real>(point: [R; 2]) -> [NestedTwo<R>; 2] {
    Dual::variables(Dual::variables(point))
}

fn nested_variable<R: Real>(x: f64) -> Nested<R> {
    Dual::variable(Dual::variable(R::literal(x), 0), 0)
}

/// Rows for functions of one live variable.
macro_rules! unary {
    ($($function:literal at $($at:expr),+ => [$($expected:literal),*] |$x:ident| $body:expr;)*) => {{
        let mut table = Table::default();
        $({
            fn f<S: Scalar>($x: S) -> S {
                $body
            }
            for at in [$($at),+] {
                let at: f64 = at;
                let (single, expected) = (at as f32, [$($expected),*]);
                let label = format!("{} at {at}", $function);
                table.check(&label, "f64", f(at), parts(f(Single::variable(at, 0))), expected);
                table.check(&label, "f32", f(single), parts(f(Single::variable(single, 0))), expected);
                table.check(&label, "nested f64", f(at), nested_parts(f(nested_variable(at))), expected);
                table.check(&label, "nested f32", f(single), nested_parts(f(nested_variable(at))), expected);
            }
            table.row($function, &[$($at),+].map(|at: f64| format!("{at}")).join(", "), [$($expected),*]);
        })*
        table
    }};
}

/// Rows for functions of two live variables.
macro_rules! binary {
    ($($function:literal at $at:expr => [$($expected:literal),*] |$x:ident, $y:ident| $body:expr;)*) => {{
        let mut table = Table::default();
        $({
            fn f<S: Scalar>([$x, $y]: [S; 2]) -> S {
                $body
            }
            let (at, expected): ([f64; 2], _) = ($at, [$($expected),*]);
            let single = at.map(|x| x as f32);
            let label = format!("{} at {at:?}", $function);
            table.check(&label, "f64", f(at), six_parts(f(Two::variables(at))), expected);
            table.check(&label, "f32", f(single), six_parts(f(Two::variables(single))), expected);
            table.check(&label, "nested f64", f(at), nested_six_parts(f(nested_variables(at))), expected);
            table.check(&label, "nested f32", f(single), nested_six_parts(f(nested_variables(single))), expected);
            table.row($function, &format!("({}, {})", at[0], at[1]), expected);
        })*
        table
    }};
}

#[test]
fn roots_logarithms_and_inverse_functions_at_the_ends_of_their_domains() {
    let table = unary! {
        "sqrt(x)" at 0.0, -0.0 => ["0", "inf", "-inf"] |x| x.sqrt();
        "sqrt(x)" at -1.0, f64::NEG_INFINITY => ["NaN", "NaN", "NaN"] |x| x.sqrt();
        "cbrt(x)" at 0.0 => ["0", "inf", "-inf"] |x| x.cbrt();
        "cbrt(x)" at -0.0 => ["0", "inf", "inf"] |x| x.cbrt();
        "ln(x)" at 0.0, -0.0 => ["-inf", "inf", "-inf"] |x| x.ln();
        "log2(x)" at 0.0, -0.0 => ["-inf", "inf", "-inf"] |x| x.log2();
        "log10(x)" at 0.0, -0.0 => ["-inf", "inf", "-inf"] |x| x.log10();
        "ln_1p(x)" at -1.0 => ["-inf", "inf", "-inf"] |x| x.ln_1p();
        "ln(x)" at -1.0, f64::NEG_INFINITY => ["NaN", "NaN", "NaN"] |x| x.ln();
        "log2(x)" at -1.0 => ["NaN", "NaN", "NaN"] |x| x.log2();
        "log10(x)" at -1.0 => ["NaN", "NaN", "NaN"] |x| x.log10();
        "ln_1p(x)" at -2.0 => ["NaN", "NaN", "NaN"] |x| x.ln_1p();
        "asin(x)" at 1.0 => ["pi/2", "inf", "inf"] |x| x.asin();
        "asin(x)" at -1.0 => ["-pi/2", "inf", "-inf"] |x| x.asin();
        "acos(x)" at 1.0 => ["0", "-inf", "-inf"] |x| x.acos();
        "acos(x)" at -1.0 => ["pi", "-inf", "inf"] |x| x.acos();
        "acosh(x)" at 1.0 => ["0", "inf", "-inf"] |x| x.acosh();
        "atanh(x)" at 1.0 => ["inf", "inf", "inf"] |x| x.atanh();
        "atanh(x)" at -1.0 => ["-inf", "inf", "-inf"] |x| x.atanh();
        "asin(x)" at 2.0, -2.0 => ["NaN", "NaN", "NaN"] |x| x.asin();
        "acos(x)" at 2.0, -2.0 => ["NaN", "NaN", "NaN"] |x| x.acos();
        "acosh(x)" at 0.5, -2.0 => ["NaN", "NaN", "NaN"] |x| x.acosh();
        "atanh(x)" at 2.0, -2.0 => ["NaN", "NaN", "NaN"] |x| x.atanh();
        "recip(x)" at 0.0 => ["inf", "-inf", "inf"] |x| x.recip();
        "recip(x)" at -0.0 => ["-inf", "-inf", "-inf"] |x| x.recip();
        "1 / x" at 0.0 => ["inf", "-inf", "inf"] |x| S::one() / x;
        "1 / x" at -0.0 => ["-inf", "-inf", "-inf"] |x| S::one() / x;
        "0 / x" at 0.0 => ["NaN", "NaN", "NaN"] |x| S::zero() / x;
        "x / x" at 0.0 => ["NaN", "NaN", "NaN"] |x| x / x;
        "x / 0" at 1.0 => ["inf", "inf", "0"] |x| x / S::zero();
        "0 * sqrt(x)" at 0.0 => ["0", "0", "0"] |x| S::zero() * x.sqrt();
        "0 * ln(x)" at 0.0 => ["NaN", "0", "0"] |x| S::zero() * x.ln();
        "x * sqrt(x)" at 0.0 => ["0", "NaN", "NaN"] |x| x * x.sqrt();
        "sinc(x)" at 0.0, -0.0 => ["1", "0", "-1/3"] |x| x.sinc();
    };
    table.finish();
}

#[test]
fn powers_with_a_constant_exponent() {
    let table = unary! {
        "powi(x, -2)" at 0.0 => ["inf", "-inf", "inf"] |x| x.powi(-2);
        "powi(x, -1)" at 0.0 => ["inf", "-inf", "inf"] |x| x.powi(-1);
        "powi(x, -1)" at -0.0 => ["-inf", "-inf", "-inf"] |x| x.powi(-1);
        "powi(x, 0)" at 0.0, -0.0 => ["1", "0", "0"] |x| x.powi(0);
        "powi(x, 1)" at 0.0, -0.0 => ["0", "1", "0"] |x| x.powi(1);
        "powi(x, 2)" at 0.0, -0.0 => ["0", "0", "2"] |x| x.powi(2);
        "powi(x, 3)" at 0.0, -0.0 => ["0", "0", "0"] |x| x.powi(3);
        "powi(x, 4)" at 0.0, -0.0 => ["0", "0", "0"] |x| x.powi(4);
        "powi(x, i32::MIN)" at 0.0 => ["inf", "-inf", "inf"] |x| x.powi(i32::MIN);
        "powi(x, i32::MIN)" at 1.0 => ["1", "-2^31", "2^62 + 2^31"] |x| x.powi(i32::MIN);
        "powi(x, i32::MIN)" at -1.0 => ["1", "2^31", "2^62 + 2^31"] |x| x.powi(i32::MIN);
        "powi(x, i32::MAX)" at 0.0 => ["0", "0", "0"] |x| x.powi(i32::MAX);
        "powi(x, i32::MAX)" at 1.0 => ["1", "2^31 - 1", "2^62 - 3*2^31 + 2"] |x| x.powi(i32::MAX);
        "powi(x, i32::MAX)" at -1.0 => ["-1", "2^31 - 1", "-2^62 + 3*2^31 - 2"] |x| x.powi(i32::MAX);
        "powf(x, -1)" at 0.0 => ["inf", "-inf", "inf"] |x| x.powf(S::literal(-1.0));
        "powf(x, -1)" at -0.0 => ["-inf", "-inf", "-inf"] |x| x.powf(S::literal(-1.0));
        "powf(x, 0)" at 0.0, -0.0 => ["1", "0", "0"] |x| x.powf(S::zero());
        "powf(x, 0.5)" at 0.0, -0.0 => ["0", "inf", "-inf"] |x| x.powf(S::literal(0.5));
        "powf(x, 1)" at 0.0, -0.0 => ["0", "1", "0"] |x| x.powf(S::one());
        "powf(x, 1.5)" at 0.0, -0.0 => ["0", "0", "inf"] |x| x.powf(S::literal(1.5));
        "powf(x, 2)" at 0.0, -0.0 => ["0", "0", "2"] |x| x.powf(S::literal(2.0));
        "powf(x, 2.5)" at 0.0, -0.0 => ["0", "0", "0"] |x| x.powf(S::literal(2.5));
        "powf(x, 3)" at 0.0, -0.0 => ["0", "0", "0"] |x| x.powf(S::literal(3.0));
        "powf(x, -1)" at -2.0 => ["-0.5", "-0.25", "-0.25"] |x| x.powf(S::literal(-1.0));
        "powf(x, 0)" at -2.0 => ["1", "0", "0"] |x| x.powf(S::zero());
        "powf(x, 2)" at -2.0 => ["4", "-4", "2"] |x| x.powf(S::literal(2.0));
        "powf(x, 3)" at -2.0 => ["-8", "12", "-12"] |x| x.powf(S::literal(3.0));
        "powf(x, 0.5)" at -2.0 => ["NaN", "NaN", "NaN"] |x| x.powf(S::literal(0.5));
    };
    table.finish();
}

#[test]
fn powers_with_a_live_exponent() {
    let table = unary! {
        "powf(2, x)" at 0.0, -0.0 => ["1", "ln(2)", "ln(2)^2"] |x| S::literal(2.0).powf(x);
        "powf(0, x)" at 2.0 => ["0", "0", "0"] |x| S::zero().powf(x);
        "powf(0, x)" at 0.5 => ["0", "0", "0"] |x| S::zero().powf(x);
        "powf(0, x)" at 0.0 => ["1", "-inf", "inf"] |x| S::zero().powf(x);
        "powf(0, x)" at -1.0 => ["inf", "-inf", "inf"] |x| S::zero().powf(x);
        "powf(-2, x)" at 3.0 => ["-8", "NaN", "NaN"] |x| S::literal(-2.0).powf(x);
        "powf(x, x)" at 0.0 => ["1", "-inf", "inf"] |x| x.powf(x);
        "powf(x, x)" at 1.0 => ["1", "1", "2"] |x| x.powf(x);
    };
    table.finish();
}

#[test]
fn kinks_and_jumps() {
    let table = unary! {
        "abs(x)" at 0.0, -0.0 => ["0", "0", "0"] |x| x.abs();
        "abs(x^2)" at 0.0 => ["0", "0", "2"] |x| (x * x).abs();
        "abs(-x^2)" at 0.0 => ["0", "0", "2"] |x| (-(x * x)).abs();
        "abs(x^3)" at 0.0 => ["0", "0", "0"] |x| (x * x * x).abs();
        "abs(x + x^2)" at 0.0 => ["0", "0", "0"] |x| (x + x * x).abs();
        "abs(sqrt(x))" at 0.0 => ["0", "inf", "-inf"] |x| x.sqrt().abs();
        "abs(-sqrt(x))" at 0.0 => ["0", "inf", "-inf"] |x| (-x.sqrt()).abs();
        "abs(x)" at f64::NEG_INFINITY => ["inf", "-1", "0"] |x| x.abs();
        "max(x, 0)" at 0.0, -0.0 => ["0", "1", "0"] |x| x.max(S::zero());
        "max(0, x)" at 0.0 => ["0", "0", "0"] |x| S::zero().max(x);
        "max(x, x)" at 1.0 => ["1", "1", "0"] |x| x.max(x);
        "max(x^2, x)" at 1.0 => ["1", "2", "2"] |x| (x * x).max(x);
        "max(x, x^2)" at 1.0 => ["1", "1", "0"] |x| x.max(x * x);
        "min(x, 0)" at 0.0 => ["0", "1", "0"] |x| x.min(S::zero());
        "min(0, x)" at 0.0 => ["0", "0", "0"] |x| S::zero().min(x);
        "min(x^2, x)" at 1.0 => ["1", "2", "2"] |x| (x * x).min(x);
        "min(x, x^2)" at 1.0 => ["1", "1", "0"] |x| x.min(x * x);
        "max(x, NaN)" at 1.0 => ["1", "1", "0"] |x| x.max(S::nan());
        "max(NaN, x)" at 1.0 => ["1", "1", "0"] |x| S::nan().max(x);
        "min(x, NaN)" at 1.0 => ["1", "1", "0"] |x| x.min(S::nan());
        "max(x, 0)" at f64::NAN => ["0", "0", "0"] |x| x.max(S::zero());
        "clamp(x, 0, 6)" at 0.0 => ["0", "1", "0"] |x| x.clamp(S::zero(), S::literal(6.0));
        "clamp(x, 0, 6)" at 6.0 => ["6", "1", "0"] |x| x.clamp(S::zero(), S::literal(6.0));
        "clamp(x, 0, 6)" at -1.0, f64::NEG_INFINITY => ["0", "0", "0"] |x| x.clamp(S::zero(), S::literal(6.0));
        "clamp(x, 0, 6)" at 7.0, f64::INFINITY => ["6", "0", "0"] |x| x.clamp(S::zero(), S::literal(6.0));
        "clamp(x, 0, 6)" at f64::NAN => ["NaN", "1", "0"] |x| x.clamp(S::zero(), S::literal(6.0));
        "floor(x)" at -0.5 => ["-1", "0", "0"] |x| x.floor();
        "floor(x)" at 2.0 => ["2", "0", "0"] |x| x.floor();
        "ceil(x)" at 2.0 => ["2", "0", "0"] |x| x.ceil();
        "ceil(x)" at 2.5 => ["3", "0", "0"] |x| x.ceil();
        "round(x)" at 2.5 => ["3", "0", "0"] |x| x.round();
        "round(x)" at -2.5 => ["-3", "0", "0"] |x| x.round();
        "trunc(x)" at -2.75 => ["-2", "0", "0"] |x| x.trunc();
        "fract(x)" at 2.75 => ["0.75", "1", "0"] |x| x.fract();
        "fract(x)" at -2.75 => ["-0.75", "1", "0"] |x| x.fract();
        "fract(x)" at 2.0 => ["0", "1", "0"] |x| x.fract();
        "signum(x)" at 0.0, 3.0 => ["1", "0", "0"] |x| x.signum();
        "signum(x)" at -0.0, -3.0 => ["-1", "0", "0"] |x| x.signum();
        "signum(x)" at f64::NAN => ["NaN", "0", "0"] |x| x.signum();
        "copysign(x, -1)" at 2.0 => ["-2", "-1", "0"] |x| x.copysign(S::literal(-1.0));
        "copysign(x, -1)" at -2.0 => ["-2", "1", "0"] |x| x.copysign(S::literal(-1.0));
        "copysign(3, x)" at 2.0 => ["3", "0", "0"] |x| S::literal(3.0).copysign(x);
        "copysign(3, x)" at -0.0 => ["-3", "0", "0"] |x| S::literal(3.0).copysign(x);
        "x % 2" at 7.5 => ["1.5", "1", "0"] |x| x % S::literal(2.0);
        "x % 2" at -7.5 => ["-1.5", "1", "0"] |x| x % S::literal(2.0);
        "7.5 % x" at 2.0 => ["1.5", "-3", "0"] |x| S::literal(7.5) % x;
        "relu(x)" at 0.0, -0.0 => ["0", "0", "0"] |x| x.relu();
        "leaky_relu(x, 0.25)" at 0.0, -0.0 => ["0", "0.25", "0"] |x| x.leaky_relu(S::literal(0.25).primitive());
        "elu(x, 0.5)" at 0.0, -0.0 => ["0", "0.5", "0.5"] |x| x.elu(S::literal(0.5).primitive());
    };
    table.finish();
}

#[test]
fn functions_of_two_variables() {
    let table = binary! {
        "powf(x, y)" at [0.0, 3.0] => ["0", "0", "0", "0", "0", "0"] |x, y| x.powf(y);
        "powf(x, y)" at [0.0, 2.0] => ["0", "0", "0", "2", "0", "0"] |x, y| x.powf(y);
        "powf(x, y)" at [0.0, 1.5] => ["0", "0", "0", "inf", "0", "0"] |x, y| x.powf(y);
        "powf(x, y)" at [0.0, 1.0] => ["0", "1", "0", "0", "-inf", "0"] |x, y| x.powf(y);
        "powf(x, y)" at [0.0, 0.5] => ["0", "inf", "0", "-inf", "-inf", "0"] |x, y| x.powf(y);
        "powf(x, y)" at [0.0, 0.0] => ["1", "0", "-inf", "0", "inf", "inf"] |x, y| x.powf(y);
        "powf(x, y)" at [0.0, -1.0] => ["inf", "-inf", "-inf", "inf", "inf", "inf"] |x, y| x.powf(y);
        "powf(x, y)" at [2.0, 0.0] => ["1", "0", "ln(2)", "0", "0.5", "ln(2)^2"] |x, y| x.powf(y);
        "powf(x, y)" at [-2.0, 3.0] => ["-8", "12", "NaN", "-12", "NaN", "NaN"] |x, y| x.powf(y);
        "powf(x, y)" at [-2.0, 0.5] => ["NaN", "NaN", "NaN", "NaN", "NaN", "NaN"] |x, y| x.powf(y);
        "abs(x*y)" at [0.0, 0.0] => ["0", "0", "0", "0", "0", "0"] |x, y| (x * y).abs();
        "abs(x*y)" at [0.0, 2.0] => ["0", "0", "0", "0", "0", "0"] |x, y| (x * y).abs();
        "abs(x^2 + y^2)" at [0.0, 0.0] => ["0", "0", "0", "2", "0", "2"] |x, y| (x * x + y * y).abs();
        "abs(-x^2 - y^2)" at [0.0, 0.0] => ["0", "0", "0", "2", "0", "2"] |x, y| (-(x * x) - y * y).abs();
        "abs(x^2 - y^2)" at [0.0, 0.0] => ["0", "0", "0", "0", "0", "0"] |x, y| (x * x - y * y).abs();
        "abs(x^2 + 4*x*y + y^2)" at [0.0, 0.0] => ["0", "0", "0", "0", "0", "0"] |x, y| {
            (x * x + S::literal(4.0) * x * y + y * y).abs()
        };
        "max(x, y)" at [1.0, 1.0] => ["1", "1", "0", "0", "0", "0"] |x, y| x.max(y);
        "min(x, y)" at [1.0, 1.0] => ["1", "1", "0", "0", "0", "0"] |x, y| x.min(y);
        "hypot(x, y)" at [0.0, 0.0] => ["0", "NaN", "NaN", "NaN", "NaN", "NaN"] |x, y| x.hypot(y);
        "hypot(x, y)" at [0.0, 2.0] => ["2", "0", "1", "0.5", "0", "0"] |x, y| x.hypot(y);
        "hypot(x, y)" at [-2.0, 0.0] => ["2", "-1", "0", "0", "0", "0.5"] |x, y| x.hypot(y);
        "atan2(x, y)" at [0.0, 1.0] => ["0", "1", "0", "0", "-1", "0"] |x, y| x.atan2(y);
        "atan2(x, y)" at [1.0, 0.0] => ["pi/2", "0", "-1", "0", "1", "0"] |x, y| x.atan2(y);
        "atan2(x, y)" at [0.0, -1.0] => ["pi", "-1", "0", "0", "-1", "0"] |x, y| x.atan2(y);
        "atan2(x, y)" at [-0.0, -1.0] => ["-pi", "-1", "0", "0", "-1", "0"] |x, y| x.atan2(y);
        "atan2(x, y)" at [-1.0, 0.0] => ["-pi/2", "0", "1", "0", "1", "0"] |x, y| x.atan2(y);
        "atan2(x, y)" at [0.0, 0.0] => ["0", "NaN", "NaN", "NaN", "NaN", "NaN"] |x, y| x.atan2(y);
        "x % y" at [7.5, 2.0] => ["1.5", "1", "-3", "0", "0", "0"] |x, y| x % y;
        "x % y" at [-7.5, 2.0] => ["-1.5", "1", "3", "0", "0", "0"] |x, y| x % y;
        "x % y" at [6.0, 2.0] => ["0", "1", "-3", "0", "0", "0"] |x, y| x % y;
        "x % y" at [5.0, f64::INFINITY] => ["5", "1", "0", "0", "0", "0"] |x, y| x % y;
        "x / y" at [0.0, 0.0] => ["NaN", "inf", "NaN", "0", "-inf", "NaN"] |x, y| x / y;
        "x / y" at [1.0, 0.0] => ["inf", "inf", "-inf", "0", "-inf", "inf"] |x, y| x / y;
    };
    table.finish();
}

#[test]
fn functions_at_infinity() {
    const INF: f64 = f64::INFINITY;
    let table = unary! {
        "exp(x)" at INF => ["inf", "inf", "inf"] |x| x.exp();
        "exp(x)" at -INF => ["0", "0", "0"] |x| x.exp();
        "exp2(x)" at INF => ["inf", "inf", "inf"] |x| x.exp2();
        "exp2(x)" at -INF => ["0", "0", "0"] |x| x.exp2();
        "exp_m1(x)" at INF => ["inf", "inf", "inf"] |x| x.exp_m1();
        "exp_m1(x)" at -INF => ["-1", "0", "0"] |x| x.exp_m1();
        "ln(x)" at INF => ["inf", "0", "0"] |x| x.ln();
        "ln_1p(x)" at INF => ["inf", "0", "0"] |x| x.ln_1p();
        "log2(x)" at INF => ["inf", "0", "0"] |x| x.log2();
        "log10(x)" at INF => ["inf", "0", "0"] |x| x.log10();
        "sqrt(x)" at INF => ["inf", "0", "0"] |x| x.sqrt();
        "cbrt(x)" at INF => ["inf", "0", "0"] |x| x.cbrt();
        "cbrt(x)" at -INF => ["-inf", "0", "0"] |x| x.cbrt();
        "recip(x)" at INF, -INF => ["0", "0", "0"] |x| x.recip();
        "powi(x, 2)" at INF => ["inf", "inf", "2"] |x| x.powi(2);
        "powi(x, 0)" at INF, -INF, f64::NAN => ["1", "0", "0"] |x| x.powi(0);
        "powi(x, -1)" at INF, -INF => ["0", "0", "0"] |x| x.powi(-1);
        "powf(x, 0.5)" at INF => ["inf", "0", "0"] |x| x.powf(S::literal(0.5));
        "powf(x, 1.5)" at INF => ["inf", "inf", "0"] |x| x.powf(S::literal(1.5));
        "sin(x)" at INF, -INF => ["NaN", "NaN", "NaN"] |x| x.sin();
        "cos(x)" at INF, -INF => ["NaN", "NaN", "NaN"] |x| x.cos();
        "tan(x)" at INF, -INF => ["NaN", "NaN", "NaN"] |x| x.tan();
        "atan(x)" at INF => ["pi/2", "0", "0"] |x| x.atan();
        "atan(x)" at -INF => ["-pi/2", "0", "0"] |x| x.atan();
        "sinh(x)" at INF => ["inf", "inf", "inf"] |x| x.sinh();
        "sinh(x)" at -INF => ["-inf", "inf", "-inf"] |x| x.sinh();
        "cosh(x)" at INF => ["inf", "inf", "inf"] |x| x.cosh();
        "cosh(x)" at -INF => ["inf", "-inf", "inf"] |x| x.cosh();
        "tanh(x)" at INF => ["1", "0", "0"] |x| x.tanh();
        "tanh(x)" at -INF => ["-1", "0", "0"] |x| x.tanh();
        "asinh(x)" at INF => ["inf", "0", "0"] |x| x.asinh();
        "asinh(x)" at -INF => ["-inf", "0", "0"] |x| x.asinh();
        "acosh(x)" at INF => ["inf", "0", "0"] |x| x.acosh();
        "erf(x)" at INF => ["1", "0", "0"] |x| x.erf();
        "erf(x)" at -INF => ["-1", "0", "0"] |x| x.erf();
        "erfc(x)" at INF => ["0", "0", "0"] |x| x.erfc();
        "erfc(x)" at -INF => ["2", "0", "0"] |x| x.erfc();
        "sigmoid(x)" at INF => ["1", "0", "0"] |x| x.sigmoid();
        "sigmoid(x)" at -INF => ["0", "0", "0"] |x| x.sigmoid();
        "softplus(x)" at INF => ["inf", "1", "0"] |x| x.softplus();
        "softplus(x)" at -INF => ["0", "0", "0"] |x| x.softplus();
        "silu(x)" at INF => ["inf", "1", "0"] |x| x.silu();
        "silu(x)" at -INF => ["0", "0", "0"] |x| x.silu();
        "gelu(x)" at INF => ["inf", "1", "0"] |x| x.gelu();
        "gelu(x)" at -INF => ["0", "0", "0"] |x| x.gelu();
        "gelu_tanh(x)" at INF => ["inf", "1", "0"] |x| x.gelu_tanh();
        "gelu_tanh(x)" at -INF => ["0", "0", "0"] |x| x.gelu_tanh();
        "mish(x)" at INF => ["inf", "1", "0"] |x| x.mish();
        "mish(x)" at -INF => ["0", "0", "0"] |x| x.mish();
        "sinc(x)" at INF, -INF => ["0", "0", "0"] |x| x.sinc();
        "gaussian(x)" at INF, -INF => ["0", "0", "0"] |x| x.gaussian();
        "relu(x)" at INF => ["inf", "1", "0"] |x| x.relu();
        "relu(x)" at -INF => ["0", "0", "0"] |x| x.relu();
        "elu(x, 0.5)" at INF => ["inf", "1", "0"] |x| x.elu(S::literal(0.5).primitive());
        "elu(x, 0.5)" at -INF => ["-0.5", "0", "0"] |x| x.elu(S::literal(0.5).primitive());
    };
    table.finish();
}

/// Asserts that a constant `f` added to a variable adds no derivative, in every kind of number.
macro_rules! constants {
    ($($function:literal $body:expr;)*) => {{
        let mut table = Table::default();
        $({
            fn f<S: Scalar>() -> S {
                $body
            }
            fn sum<S: Scalar>(x: S) -> S {
                x + f::<S>()
            }
            let value = format!("{}", f::<f64>());
            let expected = [format!("{}", sum(3.0_f64)), "1".to_owned(), "0".to_owned()];
            let expected = [expected[0].as_str(), &expected[1], &expected[2]];
            table.check($function, "f64", sum(3.0), parts(sum(Single::<f64>::variable(3.0, 0))), expected);
            table.check($function, "f32", sum(3.0), parts(sum(Single::<f32>::variable(3.0, 0))), expected);
            table.check($function, "nested f64", sum(3.0), nested_parts(sum(nested_variable::<f64>(3.0))), expected);
            table.check($function, "nested f32", sum(3.0), nested_parts(sum(nested_variable::<f32>(3.0))), expected);
            writeln!(table.rows, "| `{}` | {value} |", $function).unwrap();
        })*
        table
    }};
}

#[test]
fn a_constant_stays_a_constant_through_every_singular_function() {
    let table = constants! {
        "sqrt(0)" S::zero().sqrt();
        "cbrt(0)" S::zero().cbrt();
        "ln(0)" S::zero().ln();
        "log2(0)" S::zero().log2();
        "log10(0)" S::zero().log10();
        "ln_1p(-1)" S::literal(-1.0).ln_1p();
        "ln(-1)" S::literal(-1.0).ln();
        "asin(1)" S::one().asin();
        "acos(-1)" S::literal(-1.0).acos();
        "acosh(1)" S::one().acosh();
        "atanh(1)" S::one().atanh();
        "asin(2)" S::literal(2.0).asin();
        "recip(0)" S::zero().recip();
        "1 / 0" S::one() / S::zero();
        "0 / 0" S::zero() / S::zero();
        "powi(0, -1)" S::zero().powi(-1);
        "powi(0, 1)" S::zero().powi(1);
        "powf(0, 0)" S::zero().powf(S::zero());
        "powf(0, 0.5)" S::zero().powf(S::literal(0.5));
        "powf(0, -1)" S::zero().powf(S::literal(-1.0));
        "powf(-2, 0.5)" S::literal(-2.0).powf(S::literal(0.5));
        "log(0, 2)" S::zero().log(S::literal(2.0));
        "log(2, 1)" S::literal(2.0).log(S::one());
        "log(2, 0)" S::literal(2.0).log(S::zero());
        "hypot(0, 0)" S::zero().hypot(S::zero());
        "atan2(0, 0)" S::zero().atan2(S::zero());
        "abs(0)" S::zero().abs();
        "0 % 0" S::zero() % S::zero();
        "ln(0) * 0" S::zero().ln() * S::zero();
        "inf * 0" S::infinity() * S::zero();
        "inf - inf" S::infinity() - S::infinity();
        "exp(inf)" S::infinity().exp();
        "tan(inf)" S::infinity().tan();
        "sqrt(NaN)" S::nan().sqrt();
    };
    table.finish();
}

/// Every argument that is out of the ordinary.
fn odd_arguments<R: Real>() -> Vec<R> {
    let [zero, one, tiny] = [R::zero(), R::one(), R::min_positive_value()];
    let positive = [zero, one, R::literal(0.5), R::literal(3.0), R::max_value(), tiny, tiny * R::epsilon(), R::infinity()];
    positive.into_iter().flat_map(|x| [x, -x]).chain([R::nan()]).collect()
}

/// Runs functions at every odd argument in every kind of number: none may panic, and the value is that of the plain float.
macro_rules! unary_never_panic {
    ($($name:literal |$x:ident| $body:expr;)*) => {
        fn unary_at_odd_arguments<R: Real>() {
            $({
                fn f<S: Scalar>($x: S) -> S {
                    $body
                }
                for x in odd_arguments::<R>() {
                    let plain = f(x);
                    let numbers = [
                        f(Single::variable(x, 0)).value(),
                        f(Dual::<R, 2>::variable(x, 1)).value(),
                        f(Nested::<R>::variable(Dual::variable(x, 0), 0)).value().value(),
                        f(HyperDual::<Single<R>, 1>::variable(Single::variable(x, 0), 0)).value().value(),
                    ];
                    for value in numbers {
                        assert!(same(value, plain), "{} at {x}: {value}, the plain float gives {plain}", $name);
                    }
                }
            })*
        }
    };
}

unary_never_panic! {
    "recip" |x| x.recip();
    "sqrt" |x| x.sqrt();
    "cbrt" |x| x.cbrt();
    "exp" |x| x.exp();
    "exp2" |x| x.exp2();
    "exp_m1" |x| x.exp_m1();
    "ln" |x| x.ln();
    "ln_1p" |x| x.ln_1p();
    "log2" |x| x.log2();
    "log10" |x| x.log10();
    "sin" |x| x.sin();
    "cos" |x| x.cos();
    "tan" |x| x.tan();
    "asin" |x| x.asin();
    "acos" |x| x.acos();
    "atan" |x| x.atan();
    "sinh" |x| x.sinh();
    "cosh" |x| x.cosh();
    "tanh" |x| x.tanh();
    "asinh" |x| x.asinh();
    "acosh" |x| x.acosh();
    "atanh" |x| x.atanh();
    "erf" |x| x.erf();
    "erfc" |x| x.erfc();
    "sigmoid" |x| x.sigmoid();
    "softplus" |x| x.softplus();
    "silu" |x| x.silu();
    "gelu" |x| x.gelu();
    "gelu_tanh" |x| x.gelu_tanh();
    "mish" |x| x.mish();
    "sinc" |x| x.sinc();
    "gaussian" |x| x.gaussian();
    "relu" |x| x.relu();
    "leaky_relu" |x| x.leaky_relu(S::literal(0.25).primitive());
    "elu" |x| x.elu(S::literal(0.5).primitive());
    "floor" |x| x.floor();
    "ceil" |x| x.ceil();
    "round" |x| x.round();
    "trunc" |x| x.trunc();
    "fract" |x| x.fract();
    "signum" |x| x.signum();
    "abs" |x| x.abs();
    "to_degrees" |x| x.to_degrees();
    "to_radians" |x| x.to_radians();
    "sin_cos" |x| x.sin_cos().0 + x.sin_cos().1;
    "powi -1" |x| x.powi(-1);
    "powi 0" |x| x.powi(0);
    "powi 3" |x| x.powi(3);
    "powi MIN" |x| x.powi(i32::MIN);
    "powi MAX" |x| x.powi(i32::MAX);
    "clamp" |x| x.clamp(-S::one(), S::one());
    "negation" |x| -x;
}

/// As for one argument, with every pair of odd arguments, both live.
macro_rules! binary_never_panic {
    ($($name:literal |$x:ident, $y:ident| $body:expr;)*) => {
        fn binary_at_odd_arguments<R: Real>() {
            $({
                fn f<S: Scalar>([$x, $y]: [S; 2]) -> S {
                    $body
                }
                for x in odd_arguments::<R>() {
                    for y in odd_arguments::<R>() {
                        let plain = f([x, y]);
                        let inner: [Two<R>; 2] = HyperDual::variables([x, y]);
                        let numbers = [
                            f(inner).value(),
                            f(Dual::variables([x, y])).value(),
                            f([inner[0], HyperDual::constant(y)]).value(),
                            f([HyperDual::constant(x), inner[1]]).value(),
                            f(Dual::variables(inner)).value().value(),
                        ];
                        for value in numbers {
                            assert!(same(value, plain), "{} at {x}, {y}: {value}, the plain float gives {plain}", $name);
                        }
                    }
                }
            })*
        }
    };
}

binary_never_panic! {
    "+" |x, y| x + y;
    "-" |x, y| x - y;
    "*" |x, y| x * y;
    "/" |x, y| x / y;
    "%" |x, y| x % y;
    "powf" |x, y| x.powf(y);
    "log" |x, y| x.log(y);
    "hypot" |x, y| x.hypot(y);
    "atan2" |x, y| x.atan2(y);
    "max" |x, y| x.max(y);
    "min" |x, y| x.min(y);
    "copysign" |x, y| x.copysign(y);
    "mul_add" |x, y| x.mul_add(y, x);
}

#[test]
fn no_function_panics_and_values_are_those_of_the_plain_float() {
    unary_at_odd_arguments::<f64>();
    unary_at_odd_arguments::<f32>();
    binary_at_odd_arguments::<f64>();
    binary_at_odd_arguments::<f32>();
}

#[test]
fn smooth_functions_of_nan_have_no_finite_derivative() {
    let functions: [fn(Single<f64>) -> Single<f64>; 33] = [
        Single::recip,
        Single::sqrt,
        Single::cbrt,
        Single::exp,
        Single::exp2,
        Single::exp_m1,
        Single::ln,
        Single::ln_1p,
        Single::log2,
        Single::log10,
        Single::sin,
        Single::cos,
        Single::tan,
        Single::asin,
        Single::acos,
        Single::atan,
        Single::sinh,
        Single::cosh,
        Single::tanh,
        Single::asinh,
        Single::acosh,
        Single::atanh,
        Single::erf,
        Single::erfc,
        Single::sigmoid,
        Single::softplus,
        Single::silu,
        Single::gelu,
        Single::gelu_tanh,
        Single::mish,
        Single::sinc,
        Single::gaussian,
        |x| x.powf(0.5),
    ];
    for (position, f) in functions.into_iter().enumerate() {
        let found = parts(f(Single::variable(f64::NAN, 0)));
        assert!(found.iter().all(|x| x.is_nan()), "function {position}: {found:?}");
    }
}

#[test]
fn clamp_with_its_ends_the_wrong_way_round_takes_low_below_it_and_never_panics() {
    let at = |x: f64| parts(Single::variable(x, 0).clamp(6.0, 0.0));
    assert_eq!(at(3.0), [6.0, 0.0, 0.0]);
    assert_eq!(at(7.0), [0.0, 0.0, 0.0]);
    assert!(Single::variable(1.0, 0).clamp(f64::NAN, f64::NAN) == 1.0);
}

// What other libraries were found to get wrong, with the right answer.

fn at(x: f64, f: impl FnOnce(Single<f64>) -> Single<f64>) -> [f64; 3] {
    parts(f(Single::variable(x, 0)))
}

#[track_caller]
fn assert_close<const K: usize>(found: [f64; K], expected: [f64; K]) {
    let close = |(a, b): (&f64, &f64)| (a - b).abs() <= 8.0 * f64::EPSILON * b.abs();
    assert!(found.iter().zip(&expected).all(close), "found {found:?}, expected {expected:?}");
}

#[test]
fn saturated_tanh_is_not_nan() {
    assert_eq!(at(800.0, |x| x.tanh()), [1.0, 0.0, 0.0]);
    assert_eq!(parts(Single::variable(100.0_f32, 0).tanh()), [1.0, 0.0, 0.0]);
    // sech(400)^2 = 1.5e-347 is below every f64.
    assert_eq!(at(400.0, |x| x.tanh()), [1.0, 0.0, 0.0]);
}

#[test]
fn slope_of_tanh_at_20_keeps_its_digits() {
    // sech(20)^2, by mpmath.
    assert_close([at(20.0, |x| x.tanh())[1]], [1.699_341_702_116_635_6e-17]);
}

#[test]
fn derivatives_of_tanh_at_50_in_f32() {
    // sech(50)^2 and -2 tanh(50) sech(50)^2, by mpmath: subnormal numbers, so right to a few of their steps.
    let [value, first, second] = parts(Single::variable(50.0_f32, 0).tanh());
    let steps = 4.0 * f32::from_bits(1);
    assert_eq!(value, 1.0);
    assert!((first - 1.488e-43).abs() <= steps && (second + 2.976e-43).abs() <= steps, "{first:e} {second:e}");
}

#[test]
fn negative_power_of_a_tiny_number_does_not_overflow() {
    let [value, ..] = at(1e-100, |x| x.powi(-1));
    assert_close([value], [1e100]);
}

#[test]
fn live_exponent_that_is_constant_in_fact_takes_a_negative_base() {
    assert_close(at(-2.0, |x| x.powf(Single::constant(3.0))), [-8.0, 12.0, -12.0]);
    assert_eq!(at(0.0, |x| x.powf(Single::constant(2.0))), [0.0, 0.0, 2.0]);
}

#[test]
fn square_by_powf_of_two_variables_at_zero() {
    let found = hessian(|[x, y]| x.powf(y), [0.0, 2.0]);
    assert_eq!((found.value, found.gradient, found.hessian), (0.0, [0.0, 0.0], [[2.0, 0.0], [0.0, 0.0]]));
}

#[test]
fn angle_at_the_vertical_is_exact() {
    // atan2(1, x): derivatives -1/(1 + x^2) and 2x/(1 + x^2)^2.
    assert_eq!(at(0.0, |x| Single::constant(1.0).atan2(x))[1..], [-1.0, 0.0]);
}

#[test]
fn angle_of_a_huge_and_a_tiny_number_is_not_nan() {
    let found = hessian(|[y, x]| y.atan2(x), [1e200, 1e-200]);
    assert_eq!(found.gradient[0], 0.0);
    assert_close([found.value, found.gradient[1]], [std::f64::consts::FRAC_PI_2, -1e-200]);
    assert_eq!(found.hessian, [[0.0; 2]; 2]);
}

#[test]
fn distances_of_huge_and_tiny_numbers_keep_their_derivatives() {
    // hypot(3s, 4s): gradient (0.6, 0.8), Hessian [[0.64, -0.48], [-0.48, 0.36]] / 5s.
    for s in [1e200, 1e-200] {
        let found = hessian(|[x, y]| x.hypot(y), [3.0 * s, 4.0 * s]);
        let [[xx, xy], [_, yy]] = found.hessian.map(|row| row.map(|x| x * (5.0 * s)));
        assert_close([found.gradient[0], found.gradient[1], xx, xy, yy], [0.6, 0.8, 0.64, -0.48, 0.36]);
    }
}

#[test]
fn spherical_bessel_function_next_to_zero() {
    // sin(x)/x at 1e-8: -x/3 and -1/3, by mpmath.
    assert_close(at(1e-8, |x| x.sinc()), [1.0, -3.333_333_333_333_333_3e-9, -1.0 / 3.0]);
    // It is even: the derivative at -x is minus that at x.
    let (left, right) = (at(-0.7, |x| x.sinc()), at(0.7, |x| x.sinc()));
    assert_eq!(left, [right[0], -right[1], right[2]]);
}

#[test]
fn quotient_of_tiny_numbers_keeps_its_derivative() {
    let found = gradient(|[x, y]| x / y, [1e-200, 1e-200]);
    assert_close([found.value, found.gradient[0], found.gradient[1]], [1.0, 1e200, -1e200]);
}

#[test]
fn large_integer_powers_do_not_overflow_their_coefficients() {
    assert_eq!(at(1.0, |x| x.powi(50_000)), [1.0, 50_000.0, 50_000.0 * 49_999.0]);
}

#[test]
fn equal_values_with_other_derivatives_are_told_apart() {
    let [x] = HyperDual::variables([1.0]);
    let other = x + (x - 1.0);
    assert!(x == other && !x.same(&other));
    assert!(x.same(&x));
}

#[test]
fn zero_with_a_live_derivative_is_not_zero() {
    let [x] = HyperDual::variables([0.0]);
    assert!(!x.is_zero() && !Zero::is_zero(&x) && x == Single::zero());
    assert!(Single::<f64>::zero().is_zero());
    let [y] = HyperDual::variables([1.0]);
    assert!(!y.is_one() && !One::is_one(&y) && y == Single::one());
    assert!(Single::<f64>::one().is_one());
    let curved = Single::from_parts(0.0, [0.0], [2.0]);
    assert!(!curved.is_zero());
    assert!(!Dual::from_parts(0.0, [1.0]).is_zero() && !Dual::from_parts(1.0, [1.0]).is_one());
}

#[test]
fn nan_derivatives_are_neither_zero_nor_hidden() {
    let nan_slope = Single::from_parts(0.0, [f64::NAN], [0.0]);
    assert!(!nan_slope.is_zero());
    assert!((nan_slope * Single::constant(1.0)).gradient()[0].is_nan());
    assert!((nan_slope + 1.0).gradient()[0].is_nan());
}

#[test]
fn second_derivative_of_two_to_the_y_at_zero() {
    let ln2 = std::f64::consts::LN_2;
    assert_close(at(0.0, |y| Single::constant(2.0).powf(y)), [1.0, ln2, ln2 * ln2]);
    assert_close(nested_parts(Nested::lifted(2.0).powf(nested_variable(0.0))), [1.0, ln2, ln2 * ln2]);
}

#[test]
fn two_plus_t_to_the_t_at_zero() {
    // exp(t ln(2 + t)): derivatives ln(2) and ln(2)^2 + 2/2.
    let ln2 = std::f64::consts::LN_2;
    assert_close(at(0.0, |t| (t + 2.0).powf(t)), [1.0, ln2, ln2 * ln2 + 1.0]);
    let t = nested_variable::<f64>(0.0);
    assert_close(nested_parts((t + Nested::lifted(2.0)).powf(t)), [1.0, ln2, ln2 * ln2 + 1.0]);
}

#[test]
fn root_at_zero_is_not_moved() {
    assert_eq!(at(0.0, |x| x.sqrt()), [0.0, f64::INFINITY, f64::NEG_INFINITY]);
}

#[test]
fn cube_root_of_eight_has_slope_a_twelfth() {
    assert_close(at(8.0, |x| x.cbrt()), [2.0, 1.0 / 12.0, -1.0 / 144.0]);
}

#[test]
fn division_rounds_once() {
    assert_eq!(at(5.0, |x| x / 3.0)[0], 5.0 / 3.0);
    assert_eq!(at(3.0, |x| 5.0 / x)[0], 5.0 / 3.0);
    assert_eq!(at(5.0, |x| x / Single::constant(3.0))[0], 5.0 / 3.0);
}

#[test]
fn small_arguments_of_ln_1p_and_exp_m1_keep_their_digits() {
    assert_eq!(at(1e-20, |x| x.ln_1p()), [1e-20, 1.0, -1.0]);
    assert_eq!(at(1e-20, |x| x.exp_m1()), [1e-20, 1.0, 1.0]);
}

#[test]
fn largest_and_smallest_numbers_are_those_of_the_float() {
    assert_eq!(<Single<f64> as Float>::max_value().value(), f64::MAX);
    assert_eq!(<Single<f64> as Float>::min_value().value(), f64::MIN);
    assert_eq!(<Single<f64> as num_traits::Bounded>::max_value().value(), f64::MAX);
}

#[test]
fn numbers_are_read_in_any_radix() {
    let parsed = <Single<f64> as num_traits::Num>::from_str_radix("101.1", 2).unwrap();
    assert!(parsed.same(&Single::constant(5.5)));
    assert!(<Single<f64> as num_traits::Num>::from_str_radix("five", 10).is_err());
}

#[test]
fn signum_of_the_traits_is_that_of_the_float() {
    let minus = Single::variable(-0.0, 0);
    assert!(Signed::signum(&minus).same(&Single::constant(-1.0)) && Signed::is_negative(&minus));
    assert!(Signed::abs(&minus).same(&Single::constant(0.0)));
}

#[test]
fn precision_of_a_format_reaches_every_component() {
    let x = HyperDual::<f64, 2>::from_parts(1.0 / 3.0, [2.0, -0.5], [0.25, 1e-7, 12.0]);
    assert_eq!(format!("{x:.3}"), "0.333 (gradient [2.000, -0.500], hessian [[0.250, 0.000], [0.000, 12.000]])");
    assert_eq!(format!("{x:.1e}"), "3.3e-1 (gradient [2.0e0, -5.0e-1], hessian [[2.5e-1, 1.0e-7], [1.0e-7, 1.2e1]])");
    assert_eq!(
        format!("{:e}", HyperDual::<f32, 1>::from_parts(1.5, [0.25], [-3.0])),
        "1.5e0 (gradient [2.5e-1], hessian [[-3e0]])"
    );
    let y = Dual::from_parts(1.0 / 3.0, [2.0, -0.5]);
    assert_eq!(format!("{y:.3}"), "0.333 (gradient [2.000, -0.500])");
    assert_eq!(format!("{y:.3?}"), "Dual { value: 0.333, gradient: [2.000, -0.500] }");
    assert_eq!(
        format!("{x:.2?}"),
        "HyperDual { value: 0.33, gradient: [2.00, -0.50], hessian: [[0.25, 0.00], [0.00, 12.00]] }"
    );
}

#[test]
fn sizes_are_exactly_those_of_the_packed_triangle() {
    fn check<const N: usize>()
    where
        Const<N>: Packed,
    {
        let scalars = 1 + N + N * (N + 1) / 2;
        assert_eq!(size_of::<HyperDual<f64, N>>(), 8 * scalars);
        assert_eq!(size_of::<HyperDual<f32, N>>(), 4 * scalars);
        assert_eq!(size_of::<Dual<f64, N>>(), 8 * (1 + N));
        assert_eq!(HyperDual::<f64, N>::constant(0.0).packed_hessian().len(), N * (N + 1) / 2);
    }
    macro_rules! check_all {
        ($($n:literal)*) => { $(check::<$n>();)* };
    }
    check_all!(1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16);
    assert_eq!(size_of::<HyperDual<f64, 8>>(), 360);
}

#[test]
fn the_driver_gives_the_same_infinities() {
    let found = second_derivative(|x| x.sqrt(), 0.0);
    assert_eq!((found.value, found.first, found.second), (0.0, f64::INFINITY, f64::NEG_INFINITY));
}
