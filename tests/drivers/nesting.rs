//! Drivers within drivers: no level's derivatives are taken for another's.

use tapeless::calculus::{gradient, hessian, laplacian};
use tapeless::{Dual, HyperDual, Scalar, dynamic, function};

use super::assert_close;
use super::functions::{Mixture, Wave};

#[test]
fn the_classical_confusion() {
    // d/dx (x d/dy (x + y)) = 1, not 2 (Siskind and Pearlmutter).
    let at = gradient(|[x]| x * gradient(|[y]| y + x, [Dual::constant(1.0)]).gradient[0], [1.0]);
    assert_eq!(at.gradient, [1.0]);
    // With the inner function of slices: x is handed in as a variable of which no derivative is taken.
    let sum = function!(|x: &[S]| x[0] + x[1]);
    let at = gradient(|[x]| x * dynamic::gradient(&sum, &[Dual::constant(1.0), x]).gradient[0], [1.0]);
    assert_eq!(at.gradient, [1.0]);
    // d/dx (x d2/dy2 (x y^2)) = d/dx (2 x^2) = 4 at 1.
    let at = gradient(|[x]| x * hessian(|[y]| y * y * x, [Dual::constant(1.0)]).hessian[0][0], [1.0]);
    assert_eq!(at.gradient, [4.0]);
}

#[test]
fn a_gradient_of_gradients_is_the_hessian() {
    let x = Wave::point(9);
    let numbers: Vec<Dual<f64, 9>> = x.iter().enumerate().map(|(i, &x)| Dual::variable(x, i)).collect();
    let nested = dynamic::gradient(&Wave, &numbers);
    let rows: Vec<f64> = nested.gradient.iter().flat_map(|entry| entry.gradient()).collect();
    assert_close(&rows, &Wave::hessian(&x), 1e-14);
}

#[test]
fn the_derivatives_of_a_hessian_and_of_a_laplacian() {
    // The third derivatives of Wave: -a_i a_j a_k cos(a . x), and 1 more for i = j = k.
    let n = 9;
    let x = Wave::point(n);
    let numbers: Vec<Dual<f64, 9>> = x.iter().enumerate().map(|(i, &x)| Dual::variable(x, i)).collect();
    let cosine = x.iter().enumerate().map(|(i, x)| Wave::a(i) * x).sum::<f64>().cos();
    let third = |i, j, k| -Wave::a(i) * Wave::a(j) * Wave::a(k) * cosine + if i == j && j == k { 1.0 } else { 0.0 };
    let expected: Vec<f64> = (0..n * n * n).map(|entry| third(entry / (n * n), entry / n % n, entry % n)).collect();
    let found = dynamic::hessian(&Wave, &numbers);
    assert_close(&found.hessian.iter().flat_map(|entry| entry.gradient()).collect::<Vec<_>>(), &expected, 1e-14);
    let found = dynamic::laplacian(&Wave, &numbers).laplacian;
    let expected: Vec<f64> = (0..n).map(|k| (0..n).map(|i| third(i, i, k)).sum()).collect();
    assert_close(&found.gradient(), &expected, 1e-14);
}

#[test]
fn the_bilaplacian() {
    // Of exp(x + 2 y): (1 + 4)^2 times itself.
    let inner =
        |[x, y]: [HyperDual<f64, 2>; 2]| laplacian(|[x, y]| (x + y * HyperDual::constant(2.0)).exp(), [x, y]).laplacian;
    let at = hessian(inner, [0.1, 0.2]);
    let found = at.hessian[0][0] + at.hessian[1][1];
    assert!((found - 25.0 * 0.5_f64.exp()).abs() < 1e-13);
}

#[test]
fn a_constant_of_an_inner_driver_is_live_for_the_outer_one() {
    // The slope of the function at its own argument's minimum, as a function of the parameter.
    fn inner<S: Scalar>(p: S) -> S {
        let f = function!(|x: &[S]| x[0] * x[0] * x[1] + x[1].powi(3));
        dynamic::partial_hessian(&f, &[S::literal(2.0), p], &[0]).unwrap().hessian[0] * p
    }
    let at = hessian(|[p]| inner(p), [3.0]);
    // 2 p p.
    assert_eq!((at.value, at.gradient, at.hessian), (18.0, [12.0], [[4.0]]));
}

#[test]
fn values_are_those_of_the_plain_function() {
    let x = Wave::point(9);
    let plain = dynamic::Function::evaluate(&Mixture, &x);
    assert_eq!(dynamic::hessian(&Mixture, &x).value.to_bits(), plain.to_bits());
    assert_eq!(dynamic::laplacian(&Mixture, &x).value.to_bits(), plain.to_bits());
    assert_eq!(dynamic::fourth_along(&Mixture, &x, &x).unwrap()[0].to_bits(), plain.to_bits());
}
