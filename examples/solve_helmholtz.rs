//! Trains Helmholtz' equation u_xx + u_yy + u = q on x and y from -1 to 1, u = 0 on its sides, where q is such that the exact
//! answer is sin(pi x) sin(4 pi y).
//!
//! ```text
//! cargo run --release --example solve_helmholtz
//! ```

#[path = "common/solve.rs"]
mod solve;

use std::error::Error;
use std::f64::consts::PI;

use tapeless::network::{Activation, Initialization, Network};
use tapeless::operator::Names;
use tapeless::train::optimizer::{AdamSettings, LbfgsSettings, Schedule};
use tapeless::train::sampling::{Domain, Sampling};
use tapeless::train::{Objective, Stage, Trainer};

fn main() -> Result<(), Box<dyn Error>> {
    let names = Names::new(["x", "y"], ["u"])?;
    let domain = Domain::new([-1.0, -1.0], [1.0, 1.0])?;
    let (mut inside, mut sides) = (vec![0.0_f64; 2 * 4096], vec![0.0; 2 * 800]);
    Sampling::Sobol.fill(&domain, 1, &mut inside)?;
    Sampling::Sobol.fill_faces(&domain, &[0, 1], 2, &mut sides)?;
    let equation = "u_xx + u_yy + u - (1 - 17*pi^2)*sin(pi*x)*sin(4*pi*y)";
    let terms = vec![
        solve::term("equation", &[equation], &names, &[], inside)?,
        solve::term("sides", &["u"], &names, &[], sides)?.with_weight(1000.0),
    ];
    let network = Network::initialized(&[2, 40, 40, 40, 1], Activation::Sin { w0: 2.0 }, Initialization::GlorotUniform, 7)?;
    let adam = AdamSettings { schedule: Schedule::constant(2e-3), ..AdamSettings::default() };
    let trainer = Trainer::new(
        Objective::new(&network, terms)?,
        vec![Stage::Adam { settings: adam, steps: 1000 }, Stage::Lbfgs { settings: LbfgsSettings::default(), steps: 5000 }],
    )?;
    let test = solve::grid_of(&domain, &[101, 101])?;
    let problem = solve::Problem { name: "helmholtz", names, axes: [0, 1], domain, test };
    problem.run(trainer, |p| vec![(PI * p[0]).sin() * (4.0 * PI * p[1]).sin()])
}
