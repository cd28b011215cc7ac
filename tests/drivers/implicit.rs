//! Unknowns that equations give.

#![allow(clippy::excessive_precision)] // mpmath's digits as they came

use tapeless::calculus::{hessian, hessians, implicit, implicit_system, third_along};
use tapeless::{HyperDual, Scalar, dynamic, function};

use super::assert_close;

/// Volume per mole from pressure and temperature by van der Waals' equation (CO2, SI units), by Newton's method.
fn volume([pressure, temperature]: [f64; 2]) -> f64 {
    let residual = |v: f64| (pressure + A / (v * v)) * (v - B) - R * temperature;
    (0..100).fold(R * temperature / pressure, |v, _| {
        let slope = pressure + A / (v * v) - 2.0 * A / v.powi(3) * (v - B);
        v - residual(v) / slope
    })
}

const R: f64 = 8.314462618;
const A: f64 = 0.3640;
const B: f64 = 4.267e-5;

/// At 1e5 Pa and 300 K, by mpmath with 50 digits: v, v_p, v_T, v_pp, v_pT, v_TT.
const MPMATH: [f64; 6] = [
    0.024839770383691518854,
    -2.4943747419977170028e-7,
    0.000083636333388653897153,
    4.9886770555862590614e-12,
    -8.3139289760302599998e-10,
    -3.3250296781162014044e-9,
];

#[test]
fn an_equation_of_state() {
    fn residual<S: Scalar>(v: S, [p, t]: [S; 2]) -> S {
        (p + S::literal(A) / (v * v)) * (v - S::literal(B)) - S::literal(R) * t
    }
    let at = hessian(|parameters| implicit(parameters, volume, residual), [1e5, 300.0]);
    let ([p, t], [[pp, pt], [_, tt]]) = (at.gradient, at.hessian);
    for (found, expected) in [at.value, p, t, pp, pt, tt].into_iter().zip(MPMATH) {
        assert!((found - expected).abs() <= 1e-13 * expected.abs(), "found {found:e}, expected {expected:e}");
    }
}

#[test]
fn roots_of_every_order() {
    // The cube root through its equation: orders 0 to 4 along a.
    let root = |a: f64| a.cbrt();
    let found = tapeless::calculus::fourth_along(|[a]| implicit_by_system(a, root), [8.0], [1.0]);
    let expected = tapeless::calculus::fourth_along(|[a]| a.cbrt(), [8.0], [1.0]);
    // Order four needs a fifth of the equation's own functions, so the equation is of products alone.
    assert_close(&found, &expected, 1e-15);
    let found = third_along(|[a]| implicit([a], |[a]| a.cbrt(), |x, [a]| x.powi(3) - a), [8.0_f64], [1.0]);
    assert_close(&found, &expected[..4], 1e-15);
    // A plain number has no derivatives; its root is the solver's.
    assert_eq!(implicit([8.0], |[a]: [f64; 1]| a.cbrt(), |x, [a]| x * x * x - a), 2.0);
}

fn implicit_by_system<S: Scalar>(a: S, solve: impl Fn(S::Primitive) -> S::Primitive) -> S {
    let [x] = implicit_system([a], |[a]| [solve(a)], |[x], [a]| [x * x * x - a]);
    x
}

#[test]
fn a_system_against_its_explicit_solution() {
    // u^2 + v^2 = a and u v = b, with u > v: (u, v) = (s + d, s - d)/2, s = sqrt(a + 2b), d = sqrt(a - 2b).
    fn explicit<S: Scalar>([a, b]: [S; 2]) -> [S; 2] {
        let two = S::literal(2.0);
        let (s, d) = ((a + two * b).sqrt(), (a - two * b).sqrt());
        [(s + d) / two, (s - d) / two]
    }
    let point = [5.0, 1.5];
    let expected = hessians(explicit, point);
    let found = hessians(
        |parameters| implicit_system(parameters, explicit, |[u, v], [a, b]| [u * u + v * v - a, u * v - b]),
        point,
    );
    assert_eq!(found.value, expected.value);
    assert_close(found.jacobian.as_flattened(), expected.jacobian.as_flattened(), 1e-15);
    let flat = |hessians: [[[f64; 2]; 2]; 2]| hessians.as_flattened().as_flattened().to_vec();
    assert_close(&flat(found.hessians), &flat(expected.hessians), 1e-15);

    let residual = function!(|x: &[S]| -> [S; 2] { [x[0] * x[0] + x[1] * x[1] - x[2], x[0] * x[1] - x[3]] });
    let unknowns = dynamic::implicit_system(&residual, &HyperDual::variables(point), &explicit(point)).unwrap();
    for (unknown, (gradient, hessian)) in unknowns.iter().zip(expected.jacobian.iter().zip(expected.hessians)) {
        assert_close(&unknown.gradient(), gradient, 1e-15);
        assert_close(unknown.hessian().as_flattened(), hessian.as_flattened(), 1e-15);
    }
}

/// Many unknowns: the tridiagonal equations u_i^3 + 2 u_i - u_(i-1) / 2 - u_(i+1) / 2 = c_i.
struct Chain(usize);

impl dynamic::VectorFunction for Chain {
    fn outputs(&self) -> usize {
        self.0
    }

    fn evaluate<S: Scalar>(&self, x: &[S], y: &mut [S]) {
        let (u, c) = x.split_at(self.0);
        for i in 0..self.0 {
            let neighbours =
                [i.checked_sub(1), Some(i + 1)].into_iter().flatten().filter_map(|k| u.get(k)).copied().sum::<S>();
            y[i] = u[i].powi(3) + S::literal(2.0) * u[i] - S::literal(0.5) * neighbours - c[i];
        }
    }
}

#[test]
fn many_unknowns_and_parameters() {
    // With u given, c follows; the derivatives of u by c then invert those of c by u.
    for m in [1, 7, 8, 9, 20] {
        let u: Vec<f64> = (0..m).map(|i| (i as f64).sin()).collect();
        let mut c = vec![0.0; m];
        let with_zero = [u.clone(), vec![0.0; m]].concat();
        dynamic::VectorFunction::evaluate(&Chain(m), &with_zero, &mut c);
        // Along one direction of c, to second order: J u' = c', J u'' = -6 u u'^2 with the diagonal 3 u^2 + 2 of J.
        let c: Vec<HyperDual<f64, 1>> =
            c.iter().enumerate().map(|(i, &c)| HyperDual::from_parts(c, [(i as f64).cos()], [0.0])).collect();
        let found = dynamic::implicit_system(&Chain(m), &c, &u).unwrap();
        let times_jacobian = |x: &[f64]| -> Vec<f64> {
            let at = |k: Option<usize>| k.and_then(|k| x.get(k)).copied().unwrap_or(0.0);
            (0..m).map(|i| (3.0 * u[i] * u[i] + 2.0) * x[i] - 0.5 * (at(i.checked_sub(1)) + at(Some(i + 1)))).collect()
        };
        let first: Vec<f64> = found.iter().map(|u| u.gradient()[0]).collect();
        let second: Vec<f64> = found.iter().map(|u| u.hessian()[0][0]).collect();
        assert_eq!(found.iter().map(HyperDual::value).collect::<Vec<_>>(), u);
        assert_close(&times_jacobian(&first), &c.iter().map(|c| c.gradient()[0]).collect::<Vec<_>>(), 1e-14);
        let curvature: Vec<f64> = u.iter().zip(&first).map(|(u, first)| -6.0 * u * first * first).collect();
        assert_close(&times_jacobian(&second), &curvature, 1e-14);
    }
    assert!(dynamic::implicit_system(&Chain(0), &[1.0], &[]).unwrap().is_empty());
}

#[test]
fn singular_equations_keep_the_value_and_have_no_derivatives() {
    // b is not live.
    let [a, b] = [HyperDual::<f64, 2>::variable(0.0, 0), HyperDual::constant(3.0)];
    let root = implicit([a, b], |_| 0.0, |x, [a, b]| x * x - a * b);
    let ([by_a, by_b], [[aa, ab], [_, bb]]) = (root.gradient(), root.hessian());
    assert_eq!((root.value(), by_b, ab, bb), (0.0, 0.0, 0.0, 0.0));
    assert!(by_a.is_nan() && aa.is_nan());
    // The same equation twice has many solutions.
    let [u, v] = implicit_system([a], |_| [1.0, -1.0], |[u, v], [a]| [u + v - a, u + v - a]);
    assert_eq!((u.value(), v.value()), (1.0, -1.0));
    assert!(u.gradient()[0].is_nan() && v.gradient()[0].is_nan());
    assert_eq!((u.gradient()[1], v.gradient()[1]), (0.0, 0.0));
}
