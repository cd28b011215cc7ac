//! Value, gradient and Hessian of four functions, against other crates in one run: `cargo bench --bench scalars`.
//!
//! All crates run the same generic expression and must agree on every derivative before they are timed. At the end a table
//! gives each problem's median times and how many times longer than tapeless each crate takes.

mod comparison;
mod number;
mod peers;
mod problems;

use std::hint::black_box;

use criterion::Criterion;

use comparison::Comparison;
use problems::{Network, PengRobinson, Problem, Rosenbrock, Transcendental};

/// Problems whose number of variables is known at compile time; `$triangle` is N (N + 1) / 2.
macro_rules! fixed_size {
    ($criterion:expr, $name:literal, $problem:expr, $n:literal, $triangle:literal) => {{
        let problem = &$problem;
        let point: [f64; $n] = problem.point();
        let tape = peers::echidna_tape::<$n>(problem, &point);
        Comparison::new($criterion, $name)
            .run("tapeless", || peers::tapeless(problem, black_box(point)))
            .run("num-dual", || peers::num_dual(problem, black_box(point)))
            .run("hyperjet", || peers::hyperjet::<$n, $triangle>(problem, black_box(point)))
            .run("echidna, nested", || peers::echidna_nested(problem, black_box(point)))
            .run("echidna, recorded tape", || tape.hessian_vec::<$n>(black_box(&point)))
            .table()
    }};
}

/// As many variables as a user would not fix at compile time.
const MANY: usize = 100;

fn many(criterion: &mut Criterion) -> String {
    let problem = &Rosenbrock;
    let point: [f64; MANY] = problem.point();
    let tape = peers::echidna_tape::<MANY>(problem, &point);
    Comparison::new(criterion, "Rosenbrock, n = 100")
        .run("tapeless", || peers::tapeless_dynamic(problem, black_box(&point)))
        .run("num-dual", || peers::num_dual_dynamic::<MANY>(problem, black_box(&point)))
        .run("hyperjet", || peers::hyperjet_large::<MANY, 5050>(problem, black_box(point)))
        .run("echidna, recorded tape", || tape.hessian_vec::<16>(black_box(&point)))
        .table()
}

fn main() {
    let mut criterion = Criterion::default()
        .warm_up_time(std::time::Duration::from_millis(300))
        .measurement_time(std::time::Duration::from_secs(1))
        .configure_from_args();
    let criterion = &mut criterion;
    let tables = [
        fixed_size!(criterion, "three-variable expression", Transcendental, 3, 6),
        fixed_size!(criterion, "Rosenbrock, n = 6", Rosenbrock, 6, 21),
        many(criterion),
        fixed_size!(criterion, "3-32-32-1 tanh network", Network::new(), 3, 6),
        fixed_size!(criterion, "Peng-Robinson pressure", PengRobinson, 2, 3),
    ];
    criterion.final_summary();
    println!("{}", tables.concat());
}
