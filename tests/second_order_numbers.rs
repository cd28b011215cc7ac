//! Rectangular, trace and form numbers: sizes, singular points, nesting, formats.

use num_traits::{Float, One, Zero};
use tapeless::{Dual, FormDual, HyperDual, RectangularHyperDual, Scalar, TraceDual};

type Block = RectangularHyperDual<f64, 1, 1>;

fn variables(x: f64, y: f64) -> [Block; 2] {
    [Block::left_variable(x, 0), Block::right_variable(y, 0)]
}

/// Value, derivatives by x and y, cross derivative.
fn parts(number: Block) -> [f64; 4] {
    [number.value(), number.left()[0], number.right()[0], number.cross()[0][0]]
}

#[track_caller]
fn assert_same<const K: usize>(found: [f64; K], expected: [f64; K]) {
    let same = |(a, b): (&f64, &f64)| a == b || (a.is_nan() && b.is_nan());
    assert!(found.iter().zip(&expected).all(same), "found {found:?}, expected {expected:?}");
}

#[test]
fn the_sizes_are_exact() {
    assert_eq!(size_of::<RectangularHyperDual<f64, 8, 8>>(), 8 * (1 + 16 + 64));
    assert_eq!(size_of::<RectangularHyperDual<f32, 3, 2>>(), 4 * (1 + 5 + 6));
    assert_eq!(size_of::<TraceDual<f64, 8>>(), 8 * (8 + 2));
    assert_eq!(size_of::<FormDual<f64, 8>>(), 8 * (2 * 8 + 2));
    assert_eq!((Block::ORDER, TraceDual::<f64, 3>::ORDER, FormDual::<f64, 3>::ORDER), (2, 2, 2));
}

#[test]
fn rectangular_numbers_at_singular_points() {
    let infinity = f64::INFINITY;
    let [x, y] = variables(0.0, 2.0);
    assert_same(parts(x.sqrt() * y), [0.0, infinity, 0.0, infinity]);
    assert_same(parts((x + y * 0.0).sqrt()), [0.0, infinity, 0.0, 0.0]);
    assert_same(parts(x.powf(2.0) * y), [0.0; 4]);
    assert_same(parts(y.powf(x)), [1.0, 2.0_f64.ln(), 0.0, 0.5]);
    assert_same(parts(x.powf(y)), [0.0; 4]);
    assert_same(parts(Block::zero() * x.ln() * y), [f64::NAN, 0.0, f64::NAN, 0.0]);
    // The constant 0 has no derivatives at all.
    assert_same(parts(Block::constant(0.0).sqrt() + y), [2.0, 0.0, 1.0, 0.0]);
    assert_same(parts(x.abs() * y), [0.0; 4]);
    // The number does not know to which side x y leaves 0, and says so.
    let [x, y] = variables(0.0, 0.0);
    assert_same(parts((x * y).abs()), [0.0, f64::NAN, f64::NAN, f64::NAN]);
    assert_same(parts((x * y).max(Block::zero())), [0.0, 0.0, 0.0, 1.0]);
}

#[test]
fn trace_and_form_numbers_at_singular_points() {
    let [x, y] = TraceDual::variables([0.0, 3.0]);
    let f = x.sqrt() + y * y;
    assert_same([f.value(), f.laplacian()], [9.0, f64::NEG_INFINITY]);
    assert_same(f.gradient(), [f64::INFINITY, 6.0]);
    let f = y * y + TraceDual::constant(0.0).ln();
    assert_same([f.value(), f.gradient()[1], f.laplacian()], [f64::NEG_INFINITY, 6.0, 2.0]);
    // One variable leaves 0 upwards as in any other number; of two, the sum alone is known.
    let x = TraceDual::<f64, 1>::variable(0.0, 0);
    assert_same([(x * x).abs().laplacian(), (-(x * x)).abs().laplacian()], [2.0, 2.0]);
    let [x, y] = TraceDual::variables([0.0, 0.0]);
    assert!((x * x - y * y * 0.5).abs().laplacian().is_nan());

    let [x, y] = FormDual::variables([0.0, 3.0], [[0.0, 0.0], [0.0, -2.0]]);
    let f = x.sqrt() + y * y;
    assert_same([f.value(), f.left()[0], f.form()], [9.0, f64::INFINITY, -4.0]);
}

#[test]
fn second_derivatives_are_right_where_products_of_first_ones_leave_the_range_of_floats() {
    // ln x with first derivatives g: the second ones are -(g / x)^2. Here g^2 is below the smallest float, or above the largest.
    for (x, g, expected) in [(1e-100, 1e-180, -1e-160), (1e150, 1e160, -1e20)] {
        let packed = HyperDual::<f64, 2>::from_parts(x, [g; 2], [0.0; 3]).ln();
        let block = Block::from_parts(x, [g], [g], [[0.0]]).ln();
        let trace = TraceDual::from_parts(x, [g], 0.0).ln();
        let form = FormDual::from_parts(x, [g], [g], 0.0).ln();
        let found = [packed.hessian()[0][0], packed.hessian()[0][1], block.cross()[0][0], trace.laplacian(), form.form()];
        assert!(found.iter().all(|second| (second / expected - 1.0).abs() < 1e-14), "{found:?} at {x}");
    }
}

#[test]
fn they_nest() {
    // d/dz of f_xy of x^2 y^3 z^4 is 24 x y^2 z^3; the Laplacian is 2 y^3 z^4 + 6 x^2 y z^4 + 12 x^2 y^3 z^2.
    fn f<S: Scalar>(x: S, y: S, z: S) -> S {
        x.powi(2) * y.powi(3) * z.powi(4)
    }
    let [x, y] = [Block::left_variable(2.0, 0), Block::right_variable(3.0, 0)].map(Dual::<_, 1>::constant);
    let [by_z] = f(x, y, Dual::variable(Block::constant(0.5), 0)).gradient();
    assert_eq!(by_z.cross(), [[24.0 * 2.0 * 9.0 * 0.125]]);

    let inner: [Dual<f64, 1>; 3] = [Dual::constant(2.0), Dual::constant(3.0), Dual::variable(0.5, 0)];
    let [x, y, z] = TraceDual::variables(inner);
    let laplacian = f(x, y, z).laplacian();
    let expected = [2.0 * 27.0 / 16.0 + 6.0 * 4.0 * 3.0 / 16.0 + 12.0 * 4.0 * 27.0 * 0.25, 0.0];
    assert_eq!(laplacian.value(), expected[0]);
    // Its derivative by z: 8 y^3 z^3 + 24 x^2 y z^3 + 24 x^2 y^3 z.
    assert_eq!(laplacian.gradient(), [8.0 * 27.0 / 8.0 + 24.0 * 4.0 * 3.0 / 8.0 + 24.0 * 4.0 * 27.0 * 0.5]);
}

#[test]
fn comparisons_look_at_values_and_zero_at_every_component() {
    let [x, y] = variables(0.0, 1.0);
    assert!(x == 0.0 && x < y && !x.is_zero() && Block::zero().is_zero());
    assert!(y == 1.0 && !y.is_one() && Block::one().is_one());
    assert!(!x.same(&Block::zero()) && x.same(&variables(0.0, 1.0)[0]));
    assert!(Float::is_finite(x) && x.is_constant() == x.is_zero());
}

#[test]
fn formats_hand_their_precision_on() {
    let [x, y] = variables(1.0, 2.0);
    assert_eq!(format!("{:.1}", x * y), "2.0 (left [2.0], right [1.0], cross [[1.0]])");
    let [x, y] = TraceDual::variables([1.0, 2.0]);
    assert_eq!(format!("{:.1}", x * x * y), "2.0 (gradient [4.0, 1.0], laplacian 4.0)");
    let [x, y] = FormDual::variables([1.0, 2.0], [[0.0, 1.0], [1.0, 0.0]]);
    assert_eq!(format!("{:.0e}", x * x * y), "2e0 (left [4e0, 1e0], right [1e0, 4e0], form 4e0)");
    assert!(format!("{:?}", x).starts_with("FormDual { value: 1.0, left: "));
}
