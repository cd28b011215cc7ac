//! Dual, hyper-dual and nested numbers agree on the derivatives that they share.

use proptest::prelude::*;
use tapeless::{Dual, HyperDual};

use super::config;
use super::expressions::{Expression, Pair, VARIABLES, assert_close, components, expressions, points, wild_expressions};

/// Whether two numbers have the same bits, or both are NaN, or zeros of either sign.
pub fn same_but_for_the_sign_of_zero(a: f64, b: f64) -> bool {
    a.to_bits() == b.to_bits() || (a == 0.0 && b == 0.0) || (a.is_nan() && b.is_nan())
}

proptest! {
    #![proptest_config(config(512))]

    #[test]
    fn a_dual_number_has_the_bits_of_the_hyper_dual_gradient(expression in expressions(), point in points()) {
        let hyper_dual = expression.differentiated(point);
        let dual = expression.evaluate(&Dual::variables(point));
        prop_assert_eq!(dual.value().to_bits(), hyper_dual.value().to_bits());
        for (a, b) in dual.gradient().into_iter().zip(hyper_dual.gradient()) {
            prop_assert!(same_but_for_the_sign_of_zero(a, b), "{a:e} and {b:e}");
        }
    }

    #[test]
    fn so_it_has_where_functions_leave_their_domain(expression in wild_expressions(), point in points()) {
        let hyper_dual = expression.differentiated(point);
        let dual = expression.evaluate(&Dual::variables(point));
        for (a, b) in dual.gradient().into_iter().zip(hyper_dual.gradient()) {
            prop_assert!(same_but_for_the_sign_of_zero(a, b), "{a:e} and {b:e}");
        }
    }

    #[test]
    fn a_dual_number_of_dual_numbers_has_the_hessian(expression in expressions(), point in points()) {
        prop_assume!(expression.is_moderate(point));
        let hyper_dual = expression.differentiated(point);
        let nested: Dual<Dual<f64, VARIABLES>, VARIABLES> = expression.evaluate(&Dual::variables(Dual::variables(point)));

        prop_assert_eq!(nested.value().value().to_bits(), hyper_dual.value().to_bits());
        let sensitivity = expression.sensitivity(point);
        let outer = nested.gradient();
        let gradient = outer.map(|entry| entry.value());
        assert_close(&gradient, &hyper_dual.gradient(), &sensitivity[1..], 16.0)?;
        assert_close(&nested.value().gradient(), &hyper_dual.gradient(), &sensitivity[1..], 16.0)?;
        let upper: Vec<f64> = (0..VARIABLES).flat_map(|i| (i..VARIABLES).map(move |j| outer[i].gradient()[j])).collect();
        let lower: Vec<f64> = (0..VARIABLES).flat_map(|i| (i..VARIABLES).map(move |j| outer[j].gradient()[i])).collect();
        for triangle in [upper, lower] {
            assert_close(&triangle, hyper_dual.packed_hessian(), &sensitivity[1 + VARIABLES..], 16.0)?;
        }
    }
}

/// Numbers of either sign from a thousandth to a thousand.
fn wide() -> impl Strategy<Value = f64> {
    (-3.0..3.0, any::<bool>()).prop_map(|(exponent, negative): (f64, bool)| {
        let magnitude = 10.0_f64.powf(exponent);
        if negative { -magnitude } else { magnitude }
    })
}

proptest! {
    #![proptest_config(config(256))]

    #[test]
    fn nested_functions_of_two_numbers_keep_their_digits(
        function in prop::sample::select(&[Pair::Mul, Pair::Div, Pair::Rem, Pair::Powf, Pair::Log, Pair::Hypot, Pair::Atan2]),
        a in wide(),
        b in wide(),
    ) {
        let point = match function {
            Pair::Powf => [a.abs(), b % 4.0, 0.0],
            Pair::Log => [a.abs(), 1.5 + b.abs(), 0.0],
            _ => [a, b, 0.0],
        };
        let expression = Expression::pair(function, Expression::Variable(0), Expression::Variable(1));
        let expected = expression.differentiated(point).hessian();
        let nested: Dual<Dual<f64, VARIABLES>, VARIABLES> = expression.evaluate(&Dual::variables(Dual::variables(point)));
        // Entries (0, 0), (0, 1), (1, 1).
        let sensitivity = expression.sensitivity(point);
        for (i, j, k) in [(0, 0, 4), (0, 1, 5), (1, 0, 5), (1, 1, 7)] {
            assert_close(&[nested.gradient()[i].gradient()[j]], &[expected[i][j]], &[sensitivity[k]], 32.0)
                .map_err(|failure| TestCaseError::fail(format!("entry ({i}, {j}): {failure}")))?;
        }
    }
}

proptest! {
    #![proptest_config(config(64))]

    #[test]
    fn hyper_dual_numbers_nest_in_either_order(expression in expressions(), point in points()) {
        prop_assume!(expression.is_moderate(point));
        let [x, y, z] = point;
        // The derivative by z of value, gradient and Hessian by x and y; once z is the outer variable, once the inner one.
        let outer: Dual<HyperDual<f64, 2>, 1> = expression.evaluate(&[
            Dual::constant(HyperDual::variable(x, 0)),
            Dual::constant(HyperDual::variable(y, 1)),
            Dual::variable(HyperDual::constant(z), 0),
        ]);
        let inner: HyperDual<Dual<f64, 1>, 2> = expression.evaluate(&[
            HyperDual::variable(Dual::constant(x), 0),
            HyperDual::variable(Dual::constant(y), 1),
            HyperDual::constant(Dual::variable(z, 0)),
        ]);
        let [by_z] = outer.gradient();
        let expected = components(&by_z);
        let found: Vec<f64> = std::iter::once(inner.value())
            .chain(inner.gradient())
            .chain(inner.packed_hessian().iter().copied())
            .map(|component| component.gradient()[0])
            .collect();
        // There is no sensitivity of third derivatives; all that entered them bounds it.
        let scale = expression.sensitivity(point).into_iter().chain(expected.iter().map(|x| x.abs())).fold(1.0, f64::max);
        assert_close(&found, &expected, &[scale; 6], 1e4)?;
    }
}
