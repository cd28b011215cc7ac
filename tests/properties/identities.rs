//! Laws that derivatives obey, and operators that must mean the same however they are written.

use num_traits::{One, Zero};
use proptest::prelude::*;
use tapeless::{Dual, HyperDual, Scalar};

use super::config;
use super::expressions::{Function, Number, Pair, VARIABLES, assert_close, components, expressions, points};
use super::kinds_of_numbers::same_but_for_the_sign_of_zero;
use super::real_part::{Filled, floats};

/// The positions of a number's components: value, gradient entry i, Hessian entry (i, j).
fn positions() -> impl Iterator<Item = (usize, Option<usize>, Option<usize>)> {
    let gradient = (0..VARIABLES).map(|i| (Some(i), None));
    let hessian = (0..VARIABLES).flat_map(|i| (i..VARIABLES).map(move |j| (Some(i), Some(j))));
    std::iter::once((None, None)).chain(gradient).chain(hessian).enumerate().map(|(k, (i, j))| (k, i, j))
}

/// A function of one number with its first two derivatives, applied to `x` by the chain rule written out; and the sums of
/// the absolute values of the terms.
fn chain_rule(x: &Number, [f, first, second]: [f64; 3]) -> (Vec<f64>, Vec<f64>) {
    let (g, h) = (x.gradient(), x.hessian());
    let terms = |i: Option<usize>, j: Option<usize>| match (i, j) {
        (Some(i), Some(j)) => vec![first * h[i][j], second * g[i] * g[j]],
        (Some(i), None) => vec![first * g[i]],
        _ => vec![f],
    };
    sums(terms)
}

/// The sums of some terms for each component, and of their absolute values.
fn sums(terms: impl Fn(Option<usize>, Option<usize>) -> Vec<f64>) -> (Vec<f64>, Vec<f64>) {
    positions()
        .map(|(_, i, j)| terms(i, j))
        .map(|terms| (terms.iter().sum::<f64>(), terms.iter().map(|term| term.abs()).sum::<f64>()))
        .unzip()
}

/// Size of everything that an identity between numbers may have cancelled.
fn sizes(numbers: &[&Number]) -> Vec<f64> {
    let largest = |x: &Number| components(x).into_iter().fold(1.0, |largest: f64, x| largest.max(x.abs()));
    let product: f64 = numbers.iter().map(|x| largest(x)).product();
    vec![product * product; components(numbers[0]).len()]
}

fn assert_same(a: &Number, b: &Number) -> Result<(), TestCaseError> {
    prop_assert!(a.same(b), "{a:e}\n{b:e}");
    Ok(())
}

proptest! {
    #![proptest_config(config(256))]

    #[test]
    fn products_obey_leibniz_rule(f in expressions(), g in expressions(), point in points()) {
        prop_assume!(f.is_moderate(point) && g.is_moderate(point));
        let (f, g) = (f.differentiated(point), g.differentiated(point));
        let (f1, g1, f2, g2) = (f.gradient(), g.gradient(), f.hessian(), g.hessian());
        let (f, g, product) = (f.value(), g.value(), f * g);
        let (expected, scale) = sums(|i, j| match (i, j) {
            (Some(i), Some(j)) => vec![f * g2[i][j], f1[i] * g1[j], f1[j] * g1[i], f2[i][j] * g],
            (Some(i), None) => vec![f * g1[i], f1[i] * g],
            _ => vec![f * g],
        });
        assert_close(&components(&product), &expected, &scale, 3.0)?;
    }

    #[test]
    fn quotients_obey_their_rule(f in expressions(), g in expressions(), point in points()) {
        prop_assume!(f.is_moderate(point) && g.is_moderate(point));
        let (f, g) = (f.differentiated(point), g.differentiated(point));
        prop_assume!(g.value().abs() > 1e-3);
        let (f1, g1, f2, g2) = (f.gradient(), g.gradient(), f.hessian(), g.hessian());
        let (f, g, quotient) = (f.value(), g.value(), f / g);
        let (expected, scale) = sums(|i, j| match (i, j) {
            (Some(i), Some(j)) => vec![
                f2[i][j] / g,
                -(f1[i] * g1[j] + f1[j] * g1[i]) / (g * g),
                -f * g2[i][j] / (g * g),
                2.0 * f * g1[i] * g1[j] / (g * g * g),
            ],
            (Some(i), None) => vec![f1[i] / g, -f * g1[i] / (g * g)],
            _ => vec![f / g],
        });
        // f1 g1 + f1 g1 may cancel before it is counted.
        let crossed: Vec<f64> = positions().map(|(_, i, j)| match (i, j) {
            (Some(i), Some(j)) => ((f1[i] * g1[j]).abs() + (f1[j] * g1[i]).abs()) / (g * g),
            _ => 0.0,
        }).collect();
        let scale: Vec<f64> = scale.iter().zip(crossed).map(|(a, b)| a + b).collect();
        assert_close(&components(&quotient), &expected, &scale, 8.0)?;
    }

    #[test]
    fn functions_obey_the_chain_rule(f in expressions(), point in points()) {
        prop_assume!(f.is_moderate(point));
        let x = f.differentiated(point);
        let v = x.value();
        let (sine, cosine) = v.sin_cos();
        let tanh = v.tanh();
        let slope = 1.0 / v.cosh().powi(2);
        let quadratic = 1.0 + v * v;
        let root = quadratic.sqrt();
        let bell = (-v * v).exp();
        let cases = [
            (x.sin(), [sine, cosine, -sine]),
            (x.cos(), [cosine, -sine, -cosine]),
            (x.sin_cos().0, [sine, cosine, -sine]),
            (x.sin_cos().1, [cosine, -sine, -cosine]),
            (x.powi(3), [v * v * v, 3.0 * v * v, 6.0 * v]),
            (x.atan(), [v.atan(), 1.0 / quadratic, -2.0 * v / (quadratic * quadratic)]),
            (x.asinh(), [v.asinh(), 1.0 / root, -v / (quadratic * root)]),
            (-x, [-v, -1.0, 0.0]),
        ];
        for (found, derivatives) in cases {
            let (expected, scale) = chain_rule(&x, derivatives);
            assert_close(&components(&found), &expected, &scale, 8.0)?;
        }
        // Out there the formulas of this test overflow, underflow or lose digits.
        prop_assume!(v.abs() < 4.0);
        let cases = [
            (x.exp(), [v.exp(); 3]),
            (x.sinh(), [v.sinh(), v.cosh(), v.sinh()]),
            (x.cosh(), [v.cosh(), v.sinh(), v.cosh()]),
            (x.tanh(), [tanh, slope, -2.0 * tanh * slope]),
            (x.gaussian(), [bell, -2.0 * v * bell, (4.0 * v * v - 2.0) * bell]),
        ];
        for (found, derivatives) in cases {
            let (expected, scale) = chain_rule(&x, derivatives);
            // 4 v^2 - 2 cancels near the bell's inflections.
            let scale: Vec<f64> = scale.iter().zip(sizes(&[&x])).map(|(a, b)| a + b * derivatives[0].abs()).collect();
            assert_close(&components(&found), &expected, &scale, 64.0)?;
        }
    }

    #[test]
    fn inverse_functions_give_the_number_back(f in expressions(), point in points()) {
        prop_assume!(f.is_moderate(point));
        let x = f.differentiated(point);
        let positive = x * x + 0.5;
        let scale = sizes(&[&positive, &positive]);
        for found in [
            positive.ln().exp(),
            positive.log2().exp2(),
            positive.sqrt().powi(2),
            positive.cbrt().powi(3),
            positive.recip().recip(),
            positive.powf(1.5).powf(1.0 / 1.5),
            positive.ln().exp_m1() + 1.0,
            (positive - 1.0).ln_1p().exp(),
            positive.asinh().sinh(),
            (positive + 1.0).acosh().cosh() - 1.0,
        ] {
            assert_close(&components(&found), &components(&positive), &scale, 64.0)?;
        }
        let small = x.sin() * 0.9;
        let scale = sizes(&[&x, &x]);
        for found in [small.asin().sin(), small.acos().cos(), small.atan().tan(), small.atanh().tanh()] {
            assert_close(&components(&found), &components(&small), &scale, 256.0)?;
        }
    }

    #[test]
    fn identities_have_no_derivatives(f in expressions(), point in points()) {
        prop_assume!(f.is_moderate(point));
        let x = f.differentiated(point);
        let one = components(&Number::one());
        let scale = sizes(&[&x]);
        assert_close(&components(&(x.sin().powi(2) + x.cos().powi(2))), &one, &scale, 8.0)?;
        assert_close(&components(&(x.sigmoid() + (-x).sigmoid())), &one, &scale, 8.0)?;
        assert_close(&components(&(x.erf() + x.erfc())), &one, &scale, 8.0)?;
        let small = x.tanh();
        assert_close(&components(&(small.cosh().powi(2) - small.sinh().powi(2))), &one, &scale, 64.0)?;
        let right_angle = components(&Number::constant(std::f64::consts::FRAC_PI_2));
        assert_close(&components(&((small * 0.9).asin() + (small * 0.9).acos())), &right_angle, &scale, 64.0)?;
    }

    #[test]
    fn functions_are_their_definitions(f in expressions(), g in expressions(), point in points()) {
        prop_assume!(f.is_moderate(point) && g.is_moderate(point));
        let (x, y) = (f.differentiated(point), g.differentiated(point));
        prop_assume!(components(&x).iter().chain(&components(&y)).all(|component| component.abs() < 100.0));
        // At a tie both the larger and the smaller number are the first.
        prop_assume!(x.value() != y.value());
        let positive = y * y + 0.5;
        let base = y * y + 1.5;
        let scale = sizes(&[&x, &positive]);
        let pairs = [
            (x.hypot(positive), (x * x + positive * positive).sqrt()),
            (x.atan2(positive), (x / positive).atan()),
            (positive.log(base), positive.ln() / base.ln()),
            (positive.powf(x.tanh()), (positive.ln() * x.tanh()).exp()),
            (x.mul_add(y, x), x * y + x),
            (x.sigmoid(), (x * 0.5).tanh() * 0.5 + 0.5),
            (x.silu(), x * x.sigmoid()),
            (x.gelu(), x * (x * std::f64::consts::FRAC_1_SQRT_2).erf() * 0.5 + x * 0.5),
            (x.mish(), x * x.softplus().tanh()),
            (x.softplus() - (-x).softplus(), x),
            (x.gaussian(), (-(x * x)).exp()),
            (x.tanh().tan() * x.tanh().cos(), x.tanh().sin()),
            (x.sinc() * x, x.sin()),
            ((x % positive) + positive * (x.value() / positive.value()).trunc(), x),
            (x.max(y) + x.min(y), x + y),
            (x.max(y) - x.min(y), (x - y).abs()),
            (x.abs_sub(y) - y.abs_sub(x), x - y),
            (x.trunc() + x.fract(), x),
            (x.copysign(y).abs(), x.abs()),
            (x.to_degrees().to_radians(), x),
            (x / positive * positive, x),
        ];
        for (i, (found, expected)) in pairs.into_iter().enumerate() {
            assert_close(&components(&found), &components(&expected), &scale, 64.0)
                .map_err(|failure| TestCaseError::fail(format!("pair {i}: {failure}")))?;
        }
    }

    #[test]
    fn powers_of_two_scale_exactly(f in expressions(), g in expressions(), point in points(), power in -40..40) {
        prop_assume!(f.is_moderate(point) && g.is_moderate(point));
        let (f, g) = (f.differentiated(point), g.differentiated(point));
        let factor = 2.0_f64.powi(power);
        let normal = |x: &Number| components(x).iter().all(|x| *x == 0.0 || x.abs() > 1e-200);
        prop_assume!(normal(&f));
        for scaled in [f * factor, factor * f, f.scale(factor), f * Number::constant(factor), f / factor.recip()] {
            for (scaled, component) in components(&scaled).into_iter().zip(components(&f)) {
                prop_assert_eq!(scaled, component * factor);
            }
        }
        assert_same(&(f + f), &(f * 2.0))?;
        for ((found, a), b) in components(&(f * 2.0 - g * 4.0)).into_iter().zip(components(&f)).zip(components(&g)) {
            prop_assert_eq!(found, 2.0 * a - 4.0 * b);
        }
    }

    #[test]
    fn the_hessian_is_symmetric_to_the_last_bit(expression in expressions(), point in points()) {
        let result = expression.differentiated(point);
        for i in 0..VARIABLES {
            for j in 0..VARIABLES {
                prop_assert_eq!(result.hessian()[i][j].to_bits(), result.hessian()[j][i].to_bits());
                prop_assert_eq!(result.second(i, j).map(f64::to_bits), Some(result.hessian()[i][j].to_bits()));
            }
        }
    }

    #[test]
    fn permuted_variables_permute_the_gradient_exactly_and_the_hessian_up_to_rounding(
        expression in expressions(),
        point in points(),
        order in Just([0, 1, 2]).prop_shuffle(),
    ) {
        prop_assume!(expression.is_moderate(point));
        let straight = expression.differentiated(point);
        let permuted = expression.evaluate(&std::array::from_fn::<_, 3, _>(|i| Number::variable(point[i], order[i])));
        let dual = expression.evaluate(&std::array::from_fn::<_, 3, _>(|i| Dual::<_, 3>::variable(point[i], order[i])));
        prop_assert_eq!(permuted.value().to_bits(), straight.value().to_bits());
        for (i, &place) in order.iter().enumerate() {
            prop_assert_eq!(permuted.gradient()[place].to_bits(), straight.gradient()[i].to_bits());
            prop_assert_eq!(dual.gradient()[place], straight.gradient()[i]);
        }
        // The chain rule multiplies (f'' x_i) x_j, so exchanged variables may round otherwise.
        let permuted: Vec<f64> = positions()
            .filter_map(|(_, i, j)| permuted.second(order[i?], order[j?]))
            .collect();
        assert_close(&permuted, straight.packed_hessian(), &expression.sensitivity(point)[1 + VARIABLES..], 4.0)?;
    }

    #[test]
    fn other_variables_change_nothing(expression in expressions(), point in points()) {
        // The same three variables as numbers 1, 4 and 6 of eight.
        const AMONG_EIGHT: [usize; VARIABLES] = [1, 4, 6];
        prop_assume!(expression.is_moderate(point));
        let alone = expression.differentiated(point);
        let among: HyperDual<f64, 8> =
            expression.evaluate(&std::array::from_fn::<_, VARIABLES, _>(|i| HyperDual::variable(point[i], AMONG_EIGHT[i])));
        prop_assert_eq!(among.value().to_bits(), alone.value().to_bits());
        for i in 0..8 {
            let place = |i| AMONG_EIGHT.iter().position(|&place| place == i);
            let expected = place(i).map_or(0.0, |i| alone.gradient()[i]);
            prop_assert_eq!(among.gradient()[i], expected);
            for j in 0..8 {
                let expected = place(i).zip(place(j)).map_or(0.0, |(i, j)| alone.hessian()[i][j]);
                prop_assert_eq!(among.hessian()[i][j], expected);
            }
        }
    }

    #[test]
    fn sums_and_products_of_iterators_are_those_of_the_operators(
        terms in prop::collection::vec(expressions(), 0..6),
        point in points(),
    ) {
        let terms: Vec<Number> = terms.iter().map(|term| term.differentiated(point)).collect();
        // A float's own sum starts from -0.
        let mut sum = Number::constant(-0.0);
        let mut product = Number::one();
        for term in &terms {
            sum += term;
            product *= term;
        }
        assert_same(&terms.iter().sum(), &sum)?;
        assert_same(&terms.iter().copied().sum(), &sum)?;
        assert_same(&terms.iter().product(), &product)?;
        assert_same(&terms.iter().copied().product(), &product)?;
        for (k, found) in components(&sum).into_iter().enumerate() {
            let expected: f64 = terms.iter().map(|term| components(term)[k]).sum();
            prop_assert!(same_but_for_the_sign_of_zero(found, expected), "{found:e} is not {expected:e}");
        }
    }

    #[test]
    fn a_constant_stays_one_whatever_is_done_to_it(x in floats::<f64>(), y in floats::<f64>(), exponent in -9..=9) {
        let (a, b) = (Number::constant(x), Number::constant(y));
        let mut results: Vec<(String, Number)> = Vec::new();
        results.extend(Function::ALL.iter().map(|function| (format!("{function:?}"), function.apply(a))));
        results.extend(Pair::ALL.iter().map(|function| (format!("{function:?}"), function.apply(a, b))));
        results.push(("powi".into(), a.powi(exponent)));
        results.push(("mul_add".into(), a.mul_add(b, a)));
        results.push(("elu".into(), a.elu(0.3)));
        results.push(("leaky_relu".into(), a.leaky_relu(0.3)));
        results.push(("scale".into(), a.scale(y)));
        results.push(("number * plain".into(), a * y));
        results.push(("number / plain".into(), a / y));
        results.push(("plain / number".into(), x / b));
        for (what, result) in results {
            let constant = result.gradient() == [0.0; VARIABLES] && result.packed_hessian() == [0.0; 6];
            prop_assert!(constant, "{what} of {x:e} and {y:e}: {result:e}");
        }
    }

    #[test]
    fn a_plain_argument_means_the_constant(f in expressions(), point in points(), y in 0.5..3.0) {
        prop_assume!(f.is_moderate(point));
        let x = f.differentiated(point);
        let positive = x * x + 0.5;
        let constant = Number::constant(y);
        for (lifted, plain) in [
            (x.hypot(constant), x.hypot(y)),
            (x.atan2(constant), x.atan2(y)),
            (positive.powf(constant), positive.powf(y)),
            (positive.log(constant + 1.0), positive.log(y + 1.0)),
            (x.max(constant), x.max(y)),
            (x.min(constant), x.min(y)),
            (x.clamp(Number::constant(-y), constant), x.clamp(-y, y)),
            (x.abs_sub(constant), x.abs_sub(y)),
            (x.copysign(constant), x.copysign(y)),
            (x.mul_add(constant, constant), x.mul_add(y, y)),
        ] {
            assert_same(&lifted, &plain)?;
        }
    }
}

/// Whether two numbers have the same components, but for the sign of zero derivatives.
fn same_number<S: Scalar>(a: &S, b: &S, components: impl Fn(&S) -> Vec<f64>) -> bool {
    let (a, b) = (components(a), components(b));
    a.iter().zip(&b).all(|(&a, &b)| same_but_for_the_sign_of_zero(a, b))
}

/// Every way to write one operator on numbers of one type.
macro_rules! ways_to_write {
    ($check:ident, $real:ty, $number:ty, $components:expr) => {
        fn $check(values: [$real; 2], derivatives: &[$real]) -> Result<(), TestCaseError> {
            let mut derivatives = derivatives.iter().copied().cycle();
            let [a, b] = values.map(|value| <$number>::filled(value, &mut derivatives));
            let [x, y] = values;
            ways_to_write!(@operator a, b, x, y, $number, $components, +, +=);
            ways_to_write!(@operator a, b, x, y, $number, $components, -, -=);
            ways_to_write!(@operator a, b, x, y, $number, $components, *, *=);
            ways_to_write!(@operator a, b, x, y, $number, $components, /, /=);
            ways_to_write!(@operator a, b, x, y, $number, $components, %, %=);
            prop_assert!((-&a).same(&-a));
            Ok(())
        }
    };
    (@operator $a:ident, $b:ident, $x:ident, $y:ident, $number:ty, $components:expr, $op:tt, $assign:tt) => {{
        let (a, b, x, y) = ($a, $b, $x, $y);
        let assigned = |change: &dyn Fn(&mut $number)| {
            let mut result = a;
            change(&mut result);
            result
        };
        let expected = a $op b;
        for found in [&a $op &b, &a $op b, a $op &b, assigned(&|a| *a $assign b), assigned(&|a| *a $assign &b)] {
            prop_assert!(same_number(&found, &expected, $components), "{} {found:e} is not {expected:e}", stringify!($op));
        }
        let expected = a $op <$number>::constant(y);
        for found in [a $op y, &a $op y, assigned(&|a| *a $assign y)] {
            prop_assert!(
                same_number(&found, &expected, $components),
                "{a:e} {} {y:e} = {expected:e}, not {found:e}", stringify!($op)
            );
        }
        let expected = <$number>::constant(x) $op b;
        for found in [x $op b, x $op &b] {
            prop_assert!(
                same_number(&found, &expected, $components),
                "{x:e} {} {b:e} = {expected:e}, not {found:e}", stringify!($op)
            );
        }
    }};
}

ways_to_write!(operators_of_hyper_dual_f64, f64, Number, components);
ways_to_write!(operators_of_hyper_dual_f32, f32, HyperDual<f32, 2>, |x: &HyperDual<f32, 2>| {
    [&[x.value()], x.gradient().as_slice(), x.packed_hessian()].concat().into_iter().map(f64::from).collect()
});
ways_to_write!(operators_of_dual_f64, f64, Dual<f64, 3>, |x: &Dual<f64, 3>| {
    [&[x.value()], x.gradient().as_slice()].concat()
});
ways_to_write!(operators_of_dual_f32, f32, Dual<f32, 2>, |x: &Dual<f32, 2>| {
    [&[x.value()], x.gradient().as_slice()].concat().into_iter().map(f64::from).collect()
});

proptest! {
    #![proptest_config(config(512))]

    #[test]
    fn operators_mean_the_same_however_they_are_written(
        values in prop::array::uniform(-4.0..4.0),
        derivatives in prop::array::uniform::<_, 31>(-4.0..4.0),
    ) {
        operators_of_hyper_dual_f64(values, &derivatives)?;
        operators_of_dual_f64(values, &derivatives)?;
        let (values, derivatives) = (values.map(|x| x as f32), derivatives.map(|x| x as f32));
        operators_of_hyper_dual_f32(values, &derivatives)?;
        operators_of_dual_f32(values, &derivatives)?;
    }

    #[test]
    fn so_they_do_on_special_values(
        values in prop::array::uniform(floats()),
        derivatives in prop::array::uniform::<_, 31>(-4.0..4.0),
    ) {
        operators_of_hyper_dual_f64(values, &derivatives)?;
        operators_of_dual_f64(values, &derivatives)?;
    }

    #[test]
    fn so_they_do_with_special_derivatives(
        values in prop::array::uniform(floats()),
        derivatives in prop::array::uniform::<_, 31>(floats()),
    ) {
        operators_of_hyper_dual_f64(values, &derivatives)?;
        operators_of_dual_f64(values, &derivatives)?;
    }
}

#[test]
fn zero_and_one_look_at_derivatives_and_equality_does_not() {
    let [x] = HyperDual::<f64, 1>::variables([0.0]);
    assert!(x == 0.0 && x == HyperDual::zero() && !x.is_zero());
    assert!(x + 1.0 == HyperDual::one() && !(x + 1.0).is_one());
}
