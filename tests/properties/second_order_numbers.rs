//! The numbers that carry a part of the Hessian agree with the hyper-dual number, which carries all of it.

use proptest::prelude::*;
use tapeless::{FormDual, RectangularHyperDual, TraceDual};

use super::config;
use super::expressions::{Expression, VARIABLES, assert_close, components, expressions, points, wild_expressions};
use super::kinds_of_numbers::same_but_for_the_sign_of_zero;

/// Value, derivatives by x, y and z, and the second ones by xy and xz, once of the rectangular and once of the hyper-dual
/// number.
fn both_ways(expression: &Expression, point: [f64; VARIABLES]) -> [[f64; 6]; 2] {
    let [x, y, z] = point;
    let number = expression.evaluate(&[
        RectangularHyperDual::<f64, 1, 2>::left_variable(x, 0),
        RectangularHyperDual::right_variable(y, 0),
        RectangularHyperDual::right_variable(z, 1),
    ]);
    let ([by_x], [by_y, by_z], [[by_xy, by_xz]]) = (number.left(), number.right(), number.cross());
    let found = [number.value(), by_x, by_y, by_z, by_xy, by_xz];
    let expected = expression.differentiated(point);
    let ([by_x, by_y, by_z], [[_, by_xy, by_xz], ..]) = (expected.gradient(), expected.hessian());
    [found, [expected.value(), by_x, by_y, by_z, by_xy, by_xz]]
}

/// The hessian's entries, row by row, of what is given for its upper triangle.
fn unpacked(triangle: &[f64]) -> [[f64; VARIABLES]; VARIABLES] {
    let [xx, xy, xz, yy, yz, zz] = *triangle else { panic!("not a triangle: {triangle:?}") };
    [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]
}

fn weighted(weights: [[f64; VARIABLES]; VARIABLES], hessian: [[f64; VARIABLES]; VARIABLES], of: fn(f64) -> f64) -> f64 {
    weights.as_flattened().iter().zip(hessian.as_flattened()).map(|(weight, entry)| of(weight * entry)).sum()
}

proptest! {
    #![proptest_config(config(512))]

    #[test]
    fn a_rectangular_number_has_the_bits_of_the_hyper_dual_block(expression in expressions(), point in points()) {
        let [found, expected] = both_ways(&expression, point);
        prop_assert_eq!(found.map(f64::to_bits), expected.map(f64::to_bits));
    }

    #[test]
    fn so_it_has_where_functions_leave_their_domain(expression in wild_expressions(), point in points()) {
        let [found, expected] = both_ways(&expression, point);
        for (a, b) in found.into_iter().zip(expected) {
            prop_assert!(same_but_for_the_sign_of_zero(a, b), "{found:?} and {expected:?}");
        }
    }

    #[test]
    fn a_trace_number_has_the_trace(expression in expressions(), point in points()) {
        prop_assume!(expression.is_moderate(point));
        let number = expression.evaluate(&TraceDual::variables(point));
        let expected = expression.differentiated(point);
        prop_assert_eq!(number.value().to_bits(), expected.value().to_bits());
        prop_assert_eq!(number.gradient().map(f64::to_bits), expected.gradient().map(f64::to_bits));
        let trace = |triangle: &[f64]| [0, 3, 5].iter().map(|&k| triangle[k]).sum::<f64>();
        let sensitivity: f64 = trace(&expression.sensitivity(point)[1 + VARIABLES..]);
        let scale: f64 = expected.packed_hessian().iter().map(|entry| entry.abs()).sum();
        assert_close(&[number.laplacian()], &[trace(expected.packed_hessian())], &[sensitivity + scale], 16.0)?;
    }

    #[test]
    fn a_form_number_has_the_weighted_sum(
        expression in expressions(),
        point in points(),
        weights in prop::array::uniform3(prop::array::uniform3(-3.0..3.0)),
    ) {
        prop_assume!(expression.is_moderate(point));
        let number = expression.evaluate(&FormDual::variables(point, weights));
        let expected = expression.differentiated(point);
        prop_assert_eq!(number.value().to_bits(), expected.value().to_bits());
        prop_assert_eq!(number.left().map(f64::to_bits), expected.gradient().map(f64::to_bits));
        let sensitivity = weighted(weights, unpacked(&expression.sensitivity(point)[1 + VARIABLES..]), f64::abs);
        let scale = weighted(weights, expected.hessian(), f64::abs);
        let form = weighted(weights, expected.hessian(), |x| x);
        assert_close(&[number.form()], &[form], &[sensitivity + scale], 16.0)?;
    }

    #[test]
    fn both_keep_the_plain_value_where_functions_leave_their_domain(expression in wild_expressions(), point in points()) {
        let expected = components(&expression.differentiated(point));
        let trace = expression.evaluate(&TraceDual::variables(point));
        let form = expression.evaluate(&FormDual::variables(point, [[1.0; VARIABLES]; VARIABLES]));
        for (k, &expected) in expected.iter().enumerate().take(1 + VARIABLES) {
            let found = |value, first: [f64; VARIABLES]| if k == 0 { value } else { first[k - 1] };
            prop_assert!(same_but_for_the_sign_of_zero(found(trace.value(), trace.gradient()), expected));
            prop_assert!(same_but_for_the_sign_of_zero(found(form.value(), form.left()), expected));
        }
    }
}
