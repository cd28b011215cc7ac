//! The drivers: against closed forms for 0, 1, 7, 8, 9 and 100 variables, against mpmath, against one another bit for bit; what
//! goes wrong with them; nesting; threads.

mod against_closed_forms;
mod against_mpmath;
mod errors;
mod functions;
mod implicit;
mod nesting;
#[cfg(feature = "rayon")]
mod threads;

#[track_caller]
fn assert_close(found: &[f64], expected: &[f64], tolerance: f64) {
    assert_eq!(found.len(), expected.len());
    let scale = expected.iter().fold(1.0, |scale: f64, x| scale.max(x.abs()));
    for (i, (found, expected)) in found.iter().zip(expected).enumerate() {
        assert!((found - expected).abs() <= tolerance * scale, "entry {i}: found {found:e}, expected {expected:e}");
    }
}
