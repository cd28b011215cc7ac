//! Every case of kind `scalar` in `tests/cases/expected.json`: situations in which other libraries were reported to be wrong.

mod common;

use std::cmp::Ordering;

use common::{Case, Point, assert_every_case_has_a_test};
use tapeless::calculus::Hessian;
use tapeless::{Const, HyperDual, Packed, Real, hessian, second_derivative};

type Number<const N: usize> = HyperDual<f64, N>;

fn flat<R: Real, const N: usize>(found: Hessian<R, N>) -> Vec<f64> {
    let numbers = [&[found.value], found.gradient.as_slice(), found.hessian.as_flattened()].concat();
    numbers.into_iter().map(|number| number.as_()).collect()
}

fn check_in<R: Real, const N: usize>(point: &Point, f: impl FnOnce([HyperDual<R, N>; N]) -> HyperDual<R, N>)
where
    Const<N>: Packed,
{
    let at = std::array::from_fn(|i| R::literal(point.at[i]));
    point.outputs[0].assert_found(&flat(hessian(f, at)));
}

fn check<const N: usize>(point: &Point, f: impl FnOnce([Number<N>; N]) -> Number<N>)
where
    Const<N>: Packed,
{
    check_in::<f64, N>(point, f);
}

/// Checks one function at every point of a case.
fn check_everywhere<const N: usize>(id: &str, f: impl Fn([Number<N>; N]) -> Number<N>)
where
    Const<N>: Packed,
{
    for point in Case::named(id).points() {
        check(&point, &f);
    }
}

/// Checks one function per point of a case.
fn check_each<const N: usize>(id: &str, functions: &[fn([Number<N>; N]) -> Number<N>])
where
    Const<N>: Packed,
{
    let points = Case::named(id).points();
    assert_eq!(points.len(), functions.len());
    for (point, f) in points.iter().zip(functions) {
        check(point, f);
    }
}

/// Value, first and second derivative.
fn at(x: f64, f: impl FnOnce(Number<1>) -> Number<1>) -> (f64, f64, f64) {
    let found = second_derivative(f, x);
    (found.value, found.first, found.second)
}

#[test]
fn every_scalar_case_has_a_test() {
    assert_every_case_has_a_test("scalar", include_str!("scalar_cases.rs"));
}

#[test]
fn s01_square_by_powf_has_its_curvature_at_zero() {
    check_everywhere("S01", |[x]| x.powf(2.0));
}

#[test]
fn s02_negative_base_takes_a_whole_exponent() {
    check_everywhere("S02", |[x]| x.powf(2.0));
    for cube in Case::named("S02").also() {
        check(&cube, |[x]| x.powf(3.0));
    }
}

#[test]
fn s03_integer_powers_at_zero_are_finite() {
    check_each("S03", &[|[x]| x.powi(0), |[x]| x.powi(1), |[x]| x.powi(2), |[x]| x.powi(3)]);
}

#[test]
fn s05_fractional_power_above_two_is_flat_at_zero() {
    check_everywhere("S05", |[x]| x - x.powf(2.1));
    // Here the product rule meets 0 * inf.
    let (value, first, second) = at(0.0, |x| x * (1.0 - x.powf(1.1)));
    assert_eq!((value, first), (0.0, 1.0));
    assert!(second == 0.0 || second.is_nan());
}

#[test]
fn s07_singular_ends_give_the_one_sided_infinities() {
    check_each("S07", &[|[x]| x.sqrt(), |[x]| x.ln(), |[x]| x.asin(), |[x]| x.acos(), |[x]| 1.0 / x]);
}

#[test]
fn s08_root_of_a_lifted_zero_stays_a_constant() {
    check_everywhere("S08", |[x]| x + Number::constant(0.0).sqrt());
    check_everywhere("S08", |[x]| x + 0.0_f64.sqrt());
}

#[test]
fn s10_squared_distance_has_its_hessian_at_the_origin_and_the_distance_has_none() {
    check_everywhere("S10", |[x, y]| 0.5 * (x * x + y * y));
    let distance = |[x, y]: [Number<2>; 2]| x.hypot(y);
    for found in [hessian(distance, [0.0, 0.0]), hessian(|point| distance(point) * distance(point), [0.0, 0.0])] {
        let [value, derivatives @ ..]: [f64; 7] = flat(found).try_into().unwrap();
        assert_eq!(value, 0.0);
        assert!(derivatives.map(f64::is_nan).iter().all(|&nan| nan), "{derivatives:?}");
    }
}

#[test]
fn s12_angle_with_a_constant_zero_is_flat() {
    check_everywhere("S12", |[x]| x.atan2(0.0));
    check_everywhere("S12", |[x]| x.atan2(Number::constant(0.0)));
}

#[test]
fn s14_saturated_tanh_keeps_its_digits() {
    check_everywhere("S14", |[x]| x.tanh());
}

#[test]
fn s16_saturated_tanh_times_a_large_polynomial() {
    check_everywhere("S16", |[x]| {
        let u = -1e8 * x;
        u.tanh() * u * u
    });
}

#[test]
fn s17_exp_m1_keeps_its_slope_far_on_the_left() {
    check_everywhere("S17", |[x]| x.exp_m1());
}

#[test]
fn s18_ln_1p_is_exact_for_tiny_and_nearly_minus_one_arguments() {
    check_everywhere("S18", |[x]| x.ln_1p());
}

#[test]
fn s19_log_add_exp_of_equal_large_numbers() {
    check_everywhere("S19", |[x, y]| {
        let m = x.max(y);
        m + ((x - m).exp() + (y - m).exp()).ln()
    });
}

#[test]
fn s21_sinc_has_its_digits_at_and_next_to_zero() {
    check_everywhere("S21", |[x]| x.sinc());
}

#[test]
fn s23_early_exit_on_zero_loses_no_derivative() {
    check_everywhere("S23", |[x, y, z]| {
        let mut product = Number::constant(1.0);
        for factor in [x, y, z] {
            product *= factor;
            if product.is_zero() {
                break;
            }
        }
        product
    });
}

#[test]
fn s25_comparisons_agree_with_one_another_and_look_at_values() {
    check_everywhere("S25", |[x]| x);
    let orderings = |a: Number<1>, b: Number<1>| (a.partial_cmp(&b), [a == b, a != b, a < b, a > b, a <= b, a >= b]);
    let [x] = Number::variables([1.0]);
    let equal = (Some(Ordering::Equal), [true, false, false, false, true, true]);
    let less = (Some(Ordering::Less), [false, true, true, false, true, false]);
    let greater = (Some(Ordering::Greater), [false, true, false, true, false, true]);
    let unordered = (None, [false, true, false, false, false, false]);
    assert_eq!(orderings(x, Number::constant(1.0)), equal);
    assert_eq!(orderings(x, Number::constant(2.0)), less);
    assert_eq!(orderings(x, Number::constant(0.5)), greater);
    assert_eq!(orderings(x, Number::constant(f64::NAN)), unordered);
    let nan_slope = Number::from_parts(0.0, [f64::NAN], [0.0]);
    assert_eq!(orderings(nan_slope, nan_slope), equal);
}

#[test]
fn s26_max_takes_the_first_argument_whole_at_a_tie() {
    check_everywhere("S26", |[x]| (x * x).max(x));
    let swapped = &Case::named("S26").json["accept"][0];
    let found = at(1.0, |x| x.max(x * x));
    let expected = ["value", "grad", "hess"].map(|part| common::numbers(&swapped[part])[0]);
    assert_eq!([found.0, found.1, found.2], expected);
    assert_eq!(at(1.0, |x| x.max(x)), (1.0, 1.0, 0.0));
    assert_eq!(at(0.0, |x| x.max(0.0)), (0.0, 1.0, 0.0));
}

#[test]
fn s27_abs_keeps_the_curvature_of_a_square_at_zero() {
    check_each("S27", &[|[x]| (-(x * x)).abs(), |[x]| (x * x * x).abs(), |[x]| x.abs()]);
    assert_eq!(at(0.0, |x| x.abs()), (0.0, 0.0, 0.0));
    assert_eq!(at(-0.0, |x| x.abs()), (0.0, 0.0, 0.0));
}

#[test]
fn s29_product_with_two_zeros() {
    check_everywhere("S29", |[x, y, z, w]| x * y * z * w);
    check_everywhere("S29", |variables: [Number<4>; 4]| variables.iter().product());
}

#[test]
fn s30_polynomial_by_integer_powers() {
    check_everywhere("S30", |[x]| 1.0 - 3.84 * x.powi(2) + 4.48 * x.powi(4));
}

#[test]
fn s31_base_and_exponent_both_vary() {
    check_everywhere("S31", |[x, y]| x.powf(y));
}

#[test]
fn s34_asinh_of_a_large_negative_number_and_atanh_of_a_tiny_one() {
    check_each("S34", &[|[x]| x.asinh(), |[x]| x.atanh()]);
}

#[test]
fn s36_remainder_floor_and_fract() {
    check_each("S36", &[|[x, y]| x % y, |[x, _]| x.floor(), |[x, _]| x.fract()]);
}

#[test]
fn s38_clamp_keeps_its_derivative_on_the_edges() {
    check_everywhere("S38", |[x]| x.clamp(0.0, 6.0));
    for edge in [0.0, 6.0] {
        assert_eq!(at(edge, |x| x.clamp(0.0, 6.0)), (edge, 1.0, 0.0));
    }
}

#[test]
fn s39_saturated_tanh_keeps_its_digits_in_f32() {
    for point in Case::named("S39").points() {
        check_in::<f32, 1>(&point, |[x]| x.tanh());
    }
}

#[test]
fn s40_every_entry_of_the_hessian_stands_in_its_place() {
    check_everywhere("S40", |[x, y, z]| x.powi(2) * y + (y * z).sin() + x * z.powi(3));
}

#[test]
fn s43_branch_guards_the_singular_branch() {
    check_everywhere("S43", |[x]| if x < 1.0 { x } else { x.sqrt() });
}

#[test]
fn s44_logarithm_with_a_live_base() {
    check_everywhere("S44", |[x, base]| x.log(base));
}
