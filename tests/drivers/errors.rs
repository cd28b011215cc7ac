//! What goes wrong comes back.

use tapeless::dynamic::{self, ArgumentError, DriverError};
use tapeless::{calculus, function};

use super::functions::{Positive, Wave};

#[test]
fn the_function_s_error_comes_back_from_every_driver() {
    // The last variable is negative; the drivers' first pass sees it.
    let mut point = vec![1.0; 9];
    point[8] = -2.0;
    let x = &point;
    assert_eq!(dynamic::try_gradient(&Positive, x), Err(-2.0));
    assert_eq!(dynamic::try_hessian(&Positive, x), Err(-2.0));
    assert_eq!(dynamic::try_laplacian(&Positive, x), Err(-2.0));
    assert_eq!(dynamic::try_laplacian_terms(&Positive, x), Err(-2.0));
    let error = DriverError::Function(-2.0);
    assert_eq!(dynamic::try_partial_hessian(&Positive, x, &[0, 1]), Err(error));
    assert_eq!(dynamic::try_hessian_vector_products(&Positive, x, &[1.0; 9]), Err(error));
    assert_eq!(dynamic::try_second_order_form(&Positive, x, &[1.0; 81]), Err(error));
    assert_eq!(dynamic::try_second_along(&Positive, x, &[1.0; 9]), Err(error));
    assert_eq!(dynamic::try_third_along(&Positive, x, &[1.0; 9]), Err(error));
    assert_eq!(dynamic::try_fourth_along(&Positive, x, &[1.0; 9]), Err(error));

    let vector = function!(|_x: &[S]| -> Result<[S; 2], &'static str> { Err("no outputs") });
    assert_eq!(dynamic::try_jacobian(&vector, x), Err("no outputs"));
    assert_eq!(dynamic::try_hessians(&vector, x), Err("no outputs"));
    assert_eq!(dynamic::try_jacobian::<f64, _>(&vector, &[]), Err("no outputs"));
    let parameters = [tapeless::Dual::<f64, 1>::variable(1.0, 0)];
    let error = dynamic::try_implicit_system(&vector, &parameters, &[1.0, 1.0]).unwrap_err();
    assert_eq!(error, DriverError::Function("no outputs"));
    // After an error the same memory serves for the next point.
    let (mut result, mut workspace) = Default::default();
    assert!(dynamic::try_hessian_into(&Positive, x, &mut result, &mut workspace).is_err());
    point[8] = 2.0;
    assert!(dynamic::try_hessian_into(&Positive, &point, &mut result, &mut workspace).is_ok());
    assert_eq!((result.value, result.gradient, result.hessian), (10.0, vec![1.0; 9], vec![0.0; 81]));
}

#[test]
fn the_closure_s_error_comes_back_from_every_driver_for_arrays() {
    assert_eq!(calculus::try_gradient(|_| Err("none"), [1.0]), Err("none"));
    assert_eq!(calculus::try_hessian(|_| Err("none"), [1.0]), Err("none"));
    assert_eq!(calculus::try_jacobian::<_, _, 1, 1>(|_| Err("none"), [1.0]), Err("none"));
    assert_eq!(calculus::try_hessians::<_, _, 1, 1>(|_| Err("none"), [1.0]), Err("none"));
    assert_eq!(calculus::try_hessian_vector_products(|_| Err("none"), [1.0], [[1.0]]), Err("none"));
    assert_eq!(calculus::try_laplacian(|_| Err("none"), [1.0]), Err("none"));
    assert_eq!(calculus::try_second_order_form(|_| Err("none"), [1.0], [[1.0]]), Err("none"));
    assert_eq!(calculus::try_second_derivative(|_| Err("none"), 1.0), Err("none"));
    assert_eq!(calculus::try_second_along(|_| Err("none"), [1.0], [1.0]), Err("none"));
    assert_eq!(calculus::try_third_along(|_| Err("none"), [1.0], [1.0]), Err("none"));
    assert_eq!(calculus::try_fourth_along(|_| Err("none"), [1.0], [1.0]), Err("none"));
}

#[test]
fn arguments_that_do_not_fit_are_named() {
    let x = [1.0, 2.0, 3.0];
    let length = |argument, expected, found| ArgumentError::Length { argument, expected, found };
    assert_eq!(dynamic::second_along(&Wave, &x, &[1.0]), Err(length("direction", 3, 1)));
    assert_eq!(dynamic::third_along(&Wave, &x, &[1.0; 4]), Err(length("direction", 3, 4)));
    assert_eq!(dynamic::fourth_along(&Wave, &x, &[]), Err(length("direction", 3, 0)));
    assert_eq!(dynamic::second_order_form(&Wave, &x, &[1.0; 3]), Err(length("matrix of weights", 9, 3)));
    assert_eq!(dynamic::hessian_vector_products(&Wave, &x, &[1.0; 4]), Err(length("slice of vectors", 3, 4)));
    assert_eq!(dynamic::hessian_vector_products(&Wave, &[], &[1.0]), Err(length("slice of vectors", 0, 1)));
    assert_eq!(dynamic::partial_hessian(&Wave, &x, &[0, 3]), Err(ArgumentError::NoSuchVariable { index: 3, variables: 3 }));
    assert_eq!(dynamic::partial_hessian(&Wave, &x, &[1, 0, 1]), Err(ArgumentError::Repeated { index: 1 }));
    let equation = function!(|x: &[S]| -> [S; 1] { [x[0]] });
    assert_eq!(dynamic::implicit_system(&equation, &x, &[]).unwrap_err(), length("solution", 1, 0));
    assert_eq!(
        dynamic::partial_hessian(&Wave, &x, &[3]).unwrap_err().to_string(),
        "there is no variable 3 (counted from 0) among 3"
    );
}
