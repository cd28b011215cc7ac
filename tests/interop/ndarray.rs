use ndarray::{Array1, array};
use tapeless::{Dual, HyperDual};

#[test]
fn arrays_multiply_and_take_a_number_on_the_right() {
    let [x, y] = HyperDual::variables([2.0, 3.0]);
    let matrix = array![[x, y], [y, x]];
    // (x^2 + y^2, 2 x y)
    let product = matrix.dot(&array![x, y]);
    assert_eq!(product[0].gradient(), [4.0, 6.0]);
    assert_eq!(product[0].hessian(), [[2.0, 0.0], [0.0, 2.0]]);
    assert_eq!(product[1].gradient(), [6.0, 4.0]);
    assert_eq!(product[1].hessian(), [[0.0, 2.0], [2.0, 0.0]]);
    let scaled = &product * x - y;
    assert_eq!(scaled[1].value(), 21.0);
    assert_eq!(scaled[1].gradient(), [24.0, 7.0]);
    assert_eq!(scaled[1].hessian(), [[12.0, 8.0], [8.0, 0.0]]);
}

#[test]
fn sums_and_maps_keep_derivatives() {
    let numbers = Array1::from_iter(Dual::<f32, 3>::variables([1.0, 2.0, 3.0]));
    assert_eq!(numbers.mapv(|x| x * x).sum().gradient(), [2.0, 4.0, 6.0]);
}
