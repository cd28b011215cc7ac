//! Trains Burgers' equation u_t + u u_x = nu u_xx with nu = 0.01/pi on x from -1 to 1, t from 0 to 1, u = -sin(pi x) at the
//! start, u = 0 on both sides: a smooth wave steepens to a step. The exact answer is that of Cole and Hopf.
//!
//! ```text
//! cargo run --release --example solve_burgers
//! ```

#[path = "common/solve.rs"]
mod solve;

use std::error::Error;
use std::f64::consts::PI;

use tapeless::Scalar;
use tapeless::network::{Activation, Initialization, Network};
use tapeless::operator::Names;
use tapeless::train::optimizer::{AdamSettings, LbfgsSettings, Schedule};
use tapeless::train::sampling::{Domain, Sampling};
use tapeless::train::{Objective, OutputTransform, Stage, Trainer};

const NU: f64 = 0.01 / PI;

/// u = -sin(pi x) + t (1 - x^2) N: right at the start and on the sides, whatever the network says.
struct Conditions;

impl OutputTransform for Conditions {
    fn offset_and_factor<S: Scalar>(&self, _output: usize, point: &[S]) -> (S, S) {
        let (x, t) = (point[0], point[1]);
        (-(S::PI() * x).sin(), t * (S::one() - x * x))
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let names = Names::new(["x", "t"], ["u"])?;
    let domain = Domain::new([-1.0, 0.0], [1.0, 1.0])?;
    let mut inside = vec![0.0_f64; 2 * 8192];
    Sampling::Sobol.fill(&domain, 1, &mut inside)?;
    let terms = vec![solve::term("equation", &["u_t + u*u_x - nu*u_xx"], &names, &[("nu", NU)], inside)?];
    let network = Network::initialized(&[2, 32, 32, 32, 32, 1], Activation::Tanh, Initialization::GlorotUniform, 7)?;
    let objective =
        Objective::builder(&network, terms).scaling(vec![(0.0, 1.0), (0.5, 2.0)]).transform(Conditions).build()?;
    let adam = AdamSettings { schedule: Schedule::constant(2e-3), ..AdamSettings::default() };
    let trainer = Trainer::new(
        objective,
        vec![Stage::Adam { settings: adam, steps: 2000 }, Stage::Lbfgs { settings: LbfgsSettings::default(), steps: 6000 }],
    )?;
    let test = solve::grid_of(&domain, &[201, 101])?;
    let problem = solve::Problem { name: "burgers", names, axes: [1, 0], domain, test };
    problem.run(trainer, |p| vec![cole_hopf(p[0], p[1])])
}

/// The quotient of two integrals over the normal distribution, by the trapezoidal rule, which is exact to rounding here.
fn cole_hopf(x: f64, t: f64) -> f64 {
    let width = 2.0 * (NU * t).sqrt();
    let mut sums = (0.0, 0.0);
    for k in -400..=400 {
        let z = f64::from(k) * 0.02;
        let y = x - width * z;
        // The largest value of the exponent is taken off.
        let weight = ((-(PI * y).cos() - 1.0) / (2.0 * PI * NU) - z * z).exp();
        sums = (sums.0 - (PI * y).sin() * weight, sums.1 + weight);
    }
    sums.0 / sums.1
}
