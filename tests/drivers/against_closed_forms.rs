//! Against `Wave`, for any number of variables.

use tapeless::{calculus, dynamic};

use super::assert_close;
use super::functions::{Wave, Waves};

const COUNTS: [usize; 9] = [0, 1, 2, 3, 7, 8, 9, 17, 100];

#[test]
fn gradient_and_hessian() {
    for n in COUNTS {
        let x = Wave::point(n);
        let gradient = dynamic::gradient(&Wave, &x);
        assert_close(&[gradient.value], &[Wave::value(&x)], 1e-14);
        assert_close(&gradient.gradient, &Wave::gradient(&x), 1e-14);
        let hessian = dynamic::hessian(&Wave, &x);
        assert_eq!((hessian.value, &hessian.gradient), (gradient.value, &gradient.gradient));
        assert_close(&hessian.hessian, &Wave::hessian(&x), 1e-13);
        assert!(
            (0..n).all(|i| (0..n).all(|j| hessian.hessian[i * n + j].to_bits() == hessian.hessian[j * n + i].to_bits()))
        );
    }
}

#[test]
fn partial_hessian() {
    for n in [1, 9, 100] {
        let x = Wave::point(n);
        let variables: Vec<usize> = (0..n).rev().step_by(3).collect();
        let at = dynamic::partial_hessian(&Wave, &x, &variables).unwrap();
        let all = Wave::gradient(&x);
        assert_close(&at.gradient, &variables.iter().map(|&i| all[i]).collect::<Vec<_>>(), 1e-14);
        let expected: Vec<f64> = variables
            .iter()
            .flat_map(|&i| variables.iter().map(move |&j| (i, j)))
            .map(|(i, j)| Wave::second(&x, i, j))
            .collect();
        assert_close(&at.hessian, &expected, 1e-13);
    }
    let none = dynamic::partial_hessian(&Wave, &[1.0, 2.0], &[]).unwrap();
    assert_eq!((none.value, none.gradient, none.hessian), (Wave::value(&[1.0, 2.0]), vec![], vec![]));
}

#[test]
fn hessian_vector_products() {
    for n in COUNTS {
        for vectors in [0, 1, 2, 3, 4, 5] {
            let x = Wave::point(n);
            let v: Vec<f64> = (0..n * vectors).map(|k| (k as f64 * 0.7).cos()).collect();
            let at = dynamic::hessian_vector_products(&Wave, &x, &v).unwrap();
            assert_close(&[at.value], &[Wave::value(&x)], 1e-14);
            assert_close(&at.gradient, &Wave::gradient(&x), 1e-14);
            let product = |v: &[f64], i| v.iter().enumerate().map(|(j, v)| Wave::second(&x, i, j) * v).sum::<f64>();
            let expected: Vec<f64> =
                v.chunks(n.max(1)).flat_map(|v| (0..n).map(|i| product(v, i)).collect::<Vec<_>>()).collect();
            assert_close(&at.products, &expected, 1e-13);
        }
    }
}

#[test]
fn laplacian_and_its_terms() {
    for n in COUNTS {
        let x = Wave::point(n);
        let terms: Vec<f64> = (0..n).map(|i| Wave::second(&x, i, i)).collect();
        let at = dynamic::laplacian_terms(&Wave, &x);
        assert_close(&[at.value], &[Wave::value(&x)], 1e-14);
        assert_close(&at.gradient, &Wave::gradient(&x), 1e-14);
        assert_close(&at.terms, &terms, 1e-13);
        let at = dynamic::laplacian(&Wave, &x);
        assert_close(&[at.value], &[Wave::value(&x)], 1e-14);
        assert_close(&at.gradient, &Wave::gradient(&x), 1e-14);
        assert_close(&[at.laplacian], &[terms.iter().sum()], 1e-13);
    }
}

#[test]
fn weighted_sums_of_second_derivatives() {
    for n in COUNTS {
        let x = Wave::point(n);
        // Neither symmetric nor definite.
        let weights: Vec<f64> = (0..n * n).map(|k| (k as f64 * 2.3).sin()).collect();
        let at = dynamic::second_order_form(&Wave, &x, &weights).unwrap();
        assert_close(&[at.value], &[Wave::value(&x)], 1e-14);
        assert_close(&at.gradient, &Wave::gradient(&x), 1e-14);
        let form: f64 = weights.iter().zip(Wave::hessian(&x)).map(|(weight, entry)| weight * entry).sum();
        assert_close(&[at.form], &[form], 1e-12);
    }
}

#[test]
fn jacobian_and_hessians_of_vector_functions() {
    for n in COUNTS {
        let x = Wave::point(n);
        let product = |i: usize| if n == 0 { 0.0 } else { x[n - 1 - i] };
        let third_value = if n == 0 { 0.0 } else { x[0] * x[n - 1] };
        let (gradient, hessian) = (Wave::gradient(&x), Wave::hessian(&x));
        let mut third_gradient = vec![0.0; n];
        let mut third_hessian = vec![0.0; n * n];
        if n > 0 {
            third_gradient[0] += product(0);
            third_gradient[n - 1] += product(n - 1);
            third_hessian[n - 1] += 1.0;
            third_hessian[(n - 1) * n] += 1.0;
        }
        let values = [Wave::value(&x), 2.0 * Wave::value(&x), third_value];
        let double = |x: &[f64]| x.iter().map(|x| 2.0 * x).collect::<Vec<_>>();
        let jacobian = [gradient.clone(), double(&gradient), third_gradient].concat();
        let at = dynamic::jacobian(&Waves, &x);
        assert_close(&at.value, &values, 1e-14);
        assert_close(&at.jacobian, &jacobian, 1e-14);
        let at = dynamic::hessians(&Waves, &x);
        assert_close(&at.value, &values, 1e-14);
        assert_close(&at.jacobian, &jacobian, 1e-14);
        assert_close(&at.hessians, &[hessian.clone(), double(&hessian), third_hessian].concat(), 1e-13);
    }
}

#[test]
fn derivatives_along_a_direction() {
    for n in COUNTS {
        let (x, v) = (Wave::point(n), (0..n).map(|i| (i as f64 * 0.4).cos()).collect::<Vec<_>>());
        let expected = Wave::along(&x, &v);
        assert_close(&dynamic::second_along(&Wave, &x, &v).unwrap(), &expected[..3], 1e-13);
        assert_close(&dynamic::third_along(&Wave, &x, &v).unwrap(), &expected[..4], 1e-13);
        assert_close(&dynamic::fourth_along(&Wave, &x, &v).unwrap(), &expected, 1e-13);
    }
}

#[test]
fn single_precision() {
    let x: Vec<f32> = Wave::point(9).iter().map(|&x| x as f32).collect();
    let at = dynamic::hessian(&Wave, &x);
    let wide: Vec<f64> = x.iter().map(|&x| f64::from(x)).collect();
    assert_close(&at.hessian.iter().map(|&x| f64::from(x)).collect::<Vec<_>>(), &Wave::hessian(&wide), 1e-5);
}

#[test]
fn a_function_that_ignores_its_variables_has_zeros() {
    let constant = tapeless::function!(|_x: &[S]| tapeless::Scalar::literal(7.0));
    let at = dynamic::hessian(&constant, &[1.0; 9]);
    assert_eq!((at.value, at.gradient, at.hessian), (7.0, vec![0.0; 9], vec![0.0; 81]));
}

#[test]
fn drivers_for_arrays() {
    use num_traits::Float;
    // f = x^2 y + sin(z), at (3, 2, pi/3).
    let (point, third) = ([3.0, 2.0, std::f64::consts::FRAC_PI_3], 0.75.sqrt());
    let vectors = [[1.0, -1.0, 2.0], [0.0, 1.0, 0.0]];
    let at = calculus::hessian_vector_products(|[x, y, z]| x * x * y + z.sin(), point, vectors);
    assert_close(&at.gradient, &[12.0, 9.0, 0.5], 1e-15);
    assert_close(at.products.as_flattened(), &[-2.0, 6.0, -2.0 * third, 6.0, 0.0, 0.0], 1e-15);
    let at = calculus::laplacian(|[x, y, z]| x * x * y + z.sin(), point);
    assert_close(&[at.laplacian], &[4.0 - third], 1e-15);
    let weights = [[1.0, 2.0, 0.0], [-0.5, 3.0, 0.0], [0.0, 0.0, -4.0]];
    let at = calculus::second_order_form(|[x, y, z]| x * x * y + z.sin(), point, weights);
    assert_close(&[at.form], &[4.0 + 1.5 * 6.0 + 4.0 * third], 1e-15);
    assert_close(&at.gradient, &[12.0, 9.0, 0.5], 1e-15);
    let at = calculus::fourth_along(|[x, y, z]| x * x * y + z.sin(), point, [1.0, 1.0, 1.0]);
    assert_close(&at, &[18.0 + third, 21.5, 4.0 + 12.0 - third, 6.0 - 0.5, third], 1e-15);
}
