//! The Hessian of a Rust function: the pressure of a gas by the Peng-Robinson equation, and its stiffness matrix.
//!
//! `cargo run --example rust_function`

use tapeless::{Scalar, hessian};

/// Gas constant, J/(mol K).
const R: f64 = 8.314_462_618;
/// Critical temperature (K), critical pressure (Pa) and acentric factor of propane.
const PROPANE: (f64, f64, f64) = (369.83, 4.248e6, 0.1523);

/// Pressure in Pa of propane at temperature (K) and molar volume (m^3/mol): Peng and Robinson, 1976.
///
/// Written once for any scalar; it runs on plain floats and on hyper-dual numbers.
fn pressure<S: Scalar>([temperature, volume]: [S; 2]) -> S {
    let c = S::literal;
    let (critical_temperature, critical_pressure, omega) = PROPANE;
    let a = c(0.457_24 * (R * critical_temperature).powi(2) / critical_pressure);
    let b = c(0.077_80 * R * critical_temperature / critical_pressure);
    let kappa = c(0.374_64 + 1.542_26 * omega - 0.269_92 * omega * omega);
    let reduced = temperature / c(critical_temperature);
    let alpha = (S::one() + kappa * (S::one() - reduced.sqrt())).powi(2);
    c(R) * temperature / (volume - b) - a * alpha / (volume * volume + c(2.0) * b * volume - b * b)
}

fn main() {
    let point = [400.0, 1.0e-3];
    let at = hessian(pressure, point);
    println!("p           = {:.6e} Pa (plain floats: {:.6e})", at.value, pressure(point));
    println!("dp/dT       = {:.6e} Pa/K", at.gradient[0]);
    println!("dp/dV       = {:.6e} Pa mol/m^3", at.gradient[1]);
    println!("d2p/dT2     = {:.6e} Pa/K^2", at.hessian[0][0]);
    println!("d2p/dT dV   = {:.6e} Pa mol/(K m^3)", at.hessian[0][1]);
    println!("d2p/dV2     = {:.6e} Pa mol^2/m^6", at.hessian[1][1]);
}
