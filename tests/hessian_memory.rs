//! The Hessian of a thousand variables in the memory of the result and of the numbers that are worked with.

#[allow(dead_code, reason = "shared with tests that use more of it")]
#[path = "common/allocations.rs"]
mod allocations;

use allocations::{allocated, wait_for_harness};
use tapeless::dynamic::{self, Hessian, Workspace};
use tapeless::{HyperDual, RectangularHyperDual, function};

/// One test alone in this file: the counter sees all threads of the process.
#[test]
fn a_thousand_variables() {
    // Without optimisation it would take minutes.
    let n = if cfg!(debug_assertions) { 200 } else { 1000 };
    let rosenbrock = function!(|x: &[S]| {
        let (one, hundred) = (S::one(), S::literal(100.0));
        x.windows(2).map(|x| (one - x[0]) * (one - x[0]) + hundred * (x[1] - x[0] * x[0]) * (x[1] - x[0] * x[0])).sum::<S>()
    });
    // Halves and quarters, so that everything is exact.
    let x: Vec<f64> = (0..n).map(|i| (i % 7) as f64 * 0.25 - 0.5).collect();

    wait_for_harness();
    let (mut at, mut workspace) = (Hessian::default(), Workspace::new());
    // All that was allocated, so an upper bound of what was in use at any time.
    let change = allocated(|| dynamic::hessian_into(&rosenbrock, &x, &mut at, &mut workspace));
    let result = size_of::<f64>() * (n * n + n);
    let numbers = n * (size_of::<HyperDual<f64, 8>>() + size_of::<RectangularHyperDual<f64, 8, 8>>());
    println!("{n} variables: {} bytes, {} allocations", change.bytes_allocated, change.allocations);
    assert!(change.bytes_allocated <= result + numbers + 1024, "{change:?}");

    let value: f64 = x.windows(2).map(|x| (1.0 - x[0]).powi(2) + 100.0 * (x[1] - x[0] * x[0]).powi(2)).sum();
    assert_eq!(at.value, value);
    for i in 0..n {
        for j in 0..n {
            let inner = if i + 1 < n { 2.0 - 400.0 * (x[i + 1] - 3.0 * x[i] * x[i]) } else { 0.0 };
            let expected = match i.abs_diff(j) {
                0 => inner + if i > 0 { 200.0 } else { 0.0 },
                1 => -400.0 * x[i.min(j)],
                _ => 0.0,
            };
            assert_eq!(at.hessian[i * n + j], expected, "entry ({i}, {j})");
        }
    }
}
