//! The WGSL of `shaders/` on this machine's GPU, hardware or software, against reference values of 25 digits and against the
//! rules in f64. The bounds stand in `docs/accuracy.md`, which must show the same table as this test.

mod activations;
mod elementary;
mod harness;
mod hyper_dual;
#[path = "../common/units.rs"]
mod units;
