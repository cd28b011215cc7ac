//! Every driver that writes into the caller's memory allocates nothing once that has grown.

use std::alloc::System;

use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};
use tapeless::dynamic::{self, Workspace};
use tapeless::{Dual, HyperDual, Scalar, function};

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// Runs it once, then asserts that a hundred more times allocate nothing.
#[track_caller]
fn assert_allocates_nothing(driver: &str, mut run: impl FnMut()) {
    run();
    let region = Region::new(ALLOCATOR);
    (0..100).for_each(|_| run());
    let change = region.change();
    assert_eq!((change.allocations, change.reallocations), (0, 0), "{driver}: {change:?}");
}

/// One test alone in this file: the counter sees all threads of the process.
#[test]
fn drivers_into_the_caller_s_memory_allocate_nothing_after_the_first_call() {
    let f = function!(|x: &[S]| x.windows(2).map(|x| x[0] * x[1].sin()).sum::<S>());
    let vector = function!(|x: &[S]| -> [S; 2] { [x[0] * x[1], x.iter().map(|&x| x.exp()).sum::<S>()] });
    let equations = function!(|x: &[S]| -> [S; 2] { [x[0] + x[1] - x[2], x[0] * x[1] - x[3]] });
    for n in [3, 20] {
        let x: Vec<f64> = (0..n).map(|i| (i as f64).cos()).collect();
        let weights: Vec<f64> = (0..n * n).map(|k| (k as f64).sin()).collect();
        let mut w = Workspace::new();
        macro_rules! check {
            ($($into:ident($function:expr, $($argument:expr),*) $($ok:ident)?;)*) => {$({
                let mut result = Default::default();
                assert_allocates_nothing(stringify!($into), || {
                    dynamic::$into(&$function, &x $(, $argument)*, &mut result, &mut w)$(.$ok())?;
                });
            })*};
        }
        check! {
            gradient_into(f,);
            hessian_into(f,);
            partial_hessian_into(f, &[2, 0]) unwrap;
            hessian_vector_products_into(f, &weights[..2 * n]) unwrap;
            laplacian_into(f,);
            laplacian_terms_into(f,);
            second_order_form_into(f, &weights) unwrap;
            second_along_into(f, &x) unwrap;
            third_along_into(f, &x) unwrap;
            fourth_along_into(f, &x) unwrap;
            jacobian_into(vector,);
            hessians_into(vector,);
            try_gradient_into(f,) unwrap;
            try_hessian_into(f,) unwrap;
            try_jacobian_into(vector,) unwrap;
            try_hessians_into(vector,) unwrap;
        }
        let (parameters, mut unknowns) = (HyperDual::<f64, 2>::variables([3.0, 2.0]), Vec::new());
        assert_allocates_nothing("implicit_system_into", || {
            dynamic::implicit_system_into(&equations, &parameters, &[1.0, 2.0], &mut unknowns, &mut w).unwrap();
        });
        // Numbers of another type in between take nothing away.
        let nested: Vec<Dual<f64, 1>> = x.iter().map(|&x| Dual::variable(x, 0)).collect();
        let (mut inner, mut outer) = Default::default();
        assert_allocates_nothing("two types in turn", || {
            dynamic::hessian_into(&f, &x, &mut inner, &mut w);
            dynamic::hessian_into(&f, &nested, &mut outer, &mut w);
        });
    }
    // The drivers for arrays have no memory at all.
    assert_allocates_nothing("arrays", || {
        let at = tapeless::hessian(|[x, y]| x * y.sin(), [1.0_f64, 2.0]);
        assert!(at.value.is_finite() && Scalar::same(&at.hessian[0][1], &at.hessian[1][0]));
    });
}
