use approx::{AbsDiffEq, abs_diff_eq, assert_abs_diff_eq, assert_relative_eq, assert_ulps_eq, relative_eq, ulps_eq};
use tapeless::{Dual, HyperDual, RectangularHyperDual};

type Number = HyperDual<f64, 2>;

#[test]
fn derivatives_are_compared_as_well() {
    let x = Number::from_parts(1.0, [2.0, 3.0], [4.0, 5.0, 6.0]);
    let others = [
        Number::from_parts(1.1, [2.0, 3.0], [4.0, 5.0, 6.0]),
        Number::from_parts(1.0, [2.0, 3.1], [4.0, 5.0, 6.0]),
        Number::from_parts(1.0, [2.0, 3.0], [4.0, 5.1, 6.0]),
        Number::from_parts(1.0, [2.0, 3.0], [4.0, 5.0, f64::NAN]),
    ];
    assert_abs_diff_eq!(x, x);
    assert_relative_eq!(x, x);
    assert_ulps_eq!(x, x);
    for other in others {
        assert!(!abs_diff_eq!(x, other) && !relative_eq!(x, other) && !ulps_eq!(x, other), "{other:?}");
    }
}

#[test]
fn the_tolerance_holds_for_every_component() {
    let (x, y) = (Dual::from_parts(1.0, [1e6]), Dual::from_parts(1.0 + 1e-9, [1e6 + 1e-3]));
    assert!(!abs_diff_eq!(x, y, epsilon = Dual::constant(1e-6)));
    assert!(abs_diff_eq!(x, y, epsilon = Dual::constant(2e-3)));
    assert!(relative_eq!(x, y, max_relative = Dual::constant(1e-8)));
    assert!(!relative_eq!(x, y, max_relative = Dual::constant(1e-10)));
    let next = Dual::from_parts(1.0, [1e6_f64.next_up()]);
    assert!(ulps_eq!(x, next, epsilon = Dual::constant(0.0), max_ulps = 1));
    assert!(!ulps_eq!(x, next, epsilon = Dual::constant(0.0), max_ulps = 0));
}

#[test]
fn nested_and_rectangular_numbers_have_it_too() {
    let x = Dual::<HyperDual<f32, 1>, 1>::variable(HyperDual::variable(2.0, 0), 0);
    assert_relative_eq!(x * x, x.powi(2));
    assert!(!relative_eq!(x, Dual::constant(HyperDual::variable(2.0, 0))));
    let y = RectangularHyperDual::<f64, 1, 1>::from_parts(1.0, [0.0], [0.0], [[1.0]]);
    assert!(!y.abs_diff_eq(&RectangularHyperDual::constant(1.0), RectangularHyperDual::default_epsilon()));
}
