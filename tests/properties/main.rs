//! Properties of random expressions, numbers and networks.
//!
//! Every run draws the same cases. `PROPTEST_RNG_SEED` draws others, `PROPTEST_CASES` draws another number of them. Cases
//! that failed once are kept in `*.regressions` beside the tests and are tried first.

mod against_num_dual;
mod expressions;
mod finite_differences;
mod identities;
mod kinds_of_numbers;
#[cfg(feature = "network")]
mod networks;
mod real_part;
mod second_order_numbers;

use proptest::test_runner::{Config, FileFailurePersistence, RngSeed};

/// That many cases; a test may put aside at most a quarter as many more as unfit.
fn config(cases: u32) -> Config {
    let is_set = |variable| std::env::var_os(variable).is_some();
    let default = Config::default();
    let cases = if is_set("PROPTEST_CASES") { default.cases } else { cases };
    Config {
        cases,
        max_global_rejects: cases / 4,
        rng_seed: if is_set("PROPTEST_RNG_SEED") { default.rng_seed } else { RngSeed::Fixed(20_240_229) },
        failure_persistence: Some(Box::new(FileFailurePersistence::WithSource("regressions"))),
        ..default
    }
}
