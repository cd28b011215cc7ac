//! Passes on several threads.

use tapeless::dynamic::{self, Gradient, Hessian, Workspace};

use super::functions::{Mixture, Positive};

#[test]
fn the_bits_are_those_of_one_thread() {
    for n in [0, 1, 7, 8, 9, 50, 100] {
        let point: Vec<f64> = (0..n.max(9)).map(|i| (i as f64 * 0.9).sin()).collect();
        let variables: Vec<usize> = (0..n).rev().collect();
        let (hessian, gradient) = (dynamic::hessian(&Mixture, &point), dynamic::gradient(&Mixture, &point));
        let partial = dynamic::partial_hessian(&Mixture, &point, &variables).unwrap();
        for threads in [1, 2, 3, 8] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| {
                let mut workspace = Workspace::on_all_threads();
                let (mut found, mut found_gradient) = (Hessian::default(), Gradient::default());
                dynamic::hessian_into(&Mixture, &point, &mut found, &mut workspace);
                assert!(found.value.to_bits() == hessian.value.to_bits() && found == hessian);
                dynamic::gradient_into(&Mixture, &point, &mut found_gradient, &mut workspace);
                assert_eq!(found_gradient, gradient);
                dynamic::partial_hessian_into(&Mixture, &point, &variables, &mut found, &mut workspace).unwrap();
                assert_eq!(found, partial);
            });
        }
    }
}

#[test]
fn an_error_comes_back() {
    let mut point = vec![1.0; 40];
    point[30] = -3.0;
    let mut workspace = Workspace::on_all_threads();
    assert_eq!(dynamic::try_hessian_into(&Positive, &point, &mut Hessian::default(), &mut workspace), Err(-3.0));
}
