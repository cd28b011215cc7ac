//! Closures need no type annotations, whatever side a plain number stands on.

use tapeless::{gradient, hessian, jacobian, second_derivative};

#[test]
fn a_plain_closure_infers() {
    let at = hessian(|[x, y]| x * x * y + y.sin(), [1.0, 2.0]);
    assert_eq!(at.gradient[0], 4.0);
}

#[test]
fn plain_numbers_on_either_side_infer() {
    let at = hessian(|[x, y]| 2.0 * x * y + 1.0 - y / 2.0 + (2.0 * x).sin() * 0.5 + 1.0 / y, [0.0_f64, 2.0]);
    assert_eq!(at.gradient[0], 5.0);
    let at = gradient(|[x]| x.powf(2.0).max(1.0).atan2(3.0) + (3.0 - x), [2.0_f32]);
    assert!((at.gradient[0] - (12.0 / 25.0 - 1.0)).abs() < 1e-6);
    let at = second_derivative(|x| x.powf(3.0) - 1.0, 2.0);
    assert_eq!(at.second, 12.0);
    let at = jacobian(|[x, y]| [x + y, x - y, 3.0 * x], [1.0, 2.0]);
    assert_eq!(at.jacobian[2], [3.0, 0.0]);
}
