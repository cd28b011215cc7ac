//! Every driver that writes into the caller's memory allocates nothing once that has grown, on one thread and on several.

#[path = "common/allocations.rs"]
mod allocations;

use std::sync::Barrier;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use allocations::{assert_allocates_nothing, wait_for_harness};
use tapeless::dynamic::{self, Workspace};
use tapeless::{Dual, HyperDual, Scalar, function};

/// Runs it once, then asserts that a hundred more times allocate nothing.
#[track_caller]
fn assert_only_the_first_allocates(driver: &str, mut run: impl FnMut()) {
    run();
    assert_allocates_nothing(driver, || (0..100).for_each(|_| run()));
}

#[test]
fn drivers_into_the_caller_s_memory_allocate_nothing_after_the_first_call() {
    wait_for_harness();
    check_drivers(Workspace::new);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    pool.install(|| {
        // Until each thread has taken work once, rayon sets up its queues.
        let both = Barrier::new(2);
        rayon::join(|| both.wait(), || both.wait());
        check_drivers(Workspace::on_all_threads);
        check_late_thread();
    });
}

fn check_drivers(workspace: fn() -> Workspace) {
    let f = function!(|x: &[S]| x.windows(2).map(|x| x[0] * x[1].sin()).sum::<S>());
    let vector = function!(|x: &[S]| -> [S; 2] { [x[0] * x[1], x.iter().map(|&x| x.exp()).sum::<S>()] });
    let equations = function!(|x: &[S]| -> [S; 2] { [x[0] + x[1] - x[2], x[0] * x[1] - x[3]] });
    for n in [3, 20] {
        let x: Vec<f64> = (0..n).map(|i| (i as f64).cos()).collect();
        let weights: Vec<f64> = (0..n * n).map(|k| (k as f64).sin()).collect();
        let mut w = workspace();
        macro_rules! check {
            ($($into:ident($function:expr, $($argument:expr),*) $($ok:ident)?;)*) => {$({
                let mut result = Default::default();
                assert_only_the_first_allocates(stringify!($into), || {
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
        assert_only_the_first_allocates("implicit_system_into", || {
            dynamic::implicit_system_into(&equations, &parameters, &[1.0, 2.0], &mut unknowns, &mut w).unwrap();
        });
        // Numbers of another type in between take nothing away.
        let nested: Vec<Dual<f64, 1>> = x.iter().map(|&x| Dual::variable(x, 0)).collect();
        let (mut inner, mut outer) = Default::default();
        assert_only_the_first_allocates("two types in turn", || {
            dynamic::hessian_into(&f, &x, &mut inner, &mut w);
            dynamic::hessian_into(&f, &nested, &mut outer, &mut w);
        });
    }
    // The drivers for arrays have no memory at all.
    assert_only_the_first_allocates("arrays", || {
        let at = tapeless::hessian(|[x, y]| x * y.sin(), [1.0_f64, 2.0]);
        assert!(at.value.is_finite() && Scalar::same(&at.hessian[0][1], &at.hessian[1][0]));
    });
}

/// A thread that had no part in the first call has one in the second.
fn check_late_thread() {
    let at_work = AtomicUsize::new(2);
    // Two passes that each wait until the other one is at work, once the counter is 0.
    let f = function!([at_work: AtomicUsize] |x: &[S]| {
        at_work.fetch_add(1, Ordering::SeqCst);
        let start = Instant::now();
        while at_work.load(Ordering::SeqCst) < 2 {
            assert!(start.elapsed() < Duration::from_secs(60), "the passes were not run on two threads");
            std::thread::yield_now();
        }
        x.windows(2).map(|x| x[0] * x[1].sin()).sum::<S>()
    });
    let x = [0.5; 16];
    macro_rules! check {
        ($($into:ident($($argument:expr),*) $($ok:ident)?;)*) => {$({
            let (mut result, mut w) = (Default::default(), Workspace::on_all_threads());
            // The other thread waits meanwhile.
            let first_call = Barrier::new(2);
            rayon::join(
                || {
                    dynamic::$into(&f, &x $(, $argument)*, &mut result, &mut w)$(.$ok())?;
                    first_call.wait()
                },
                || first_call.wait(),
            );
            at_work.store(0, Ordering::SeqCst);
            assert_allocates_nothing(stringify!($into), || {
                dynamic::$into(&f, &x $(, $argument)*, &mut result, &mut w)$(.$ok())?;
            });
        })*};
    }
    check! {
        gradient_into();
        hessian_into();
        partial_hessian_into(&std::array::from_fn::<_, 16, _>(|i| i)) unwrap;
    }
}
