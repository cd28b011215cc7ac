//! Trains the 2-D heat equation u_t = 0.05 (u_xx + u_yy) on the unit square, u = 0 on its sides, u = sin(pi x) sin(pi y) at the
//! start. The exact answer is sin(pi x) sin(pi y) exp(-0.1 pi^2 t).
//!
//! ```text
//! cargo run --release --example solve_heat
//! ```

#[path = "common/solve.rs"]
mod solve;

use std::error::Error;
use std::f64::consts::PI;

use tapeless::network::{Activation, Initialization, Network};
use tapeless::operator::Names;
use tapeless::train::optimizer::{AdamSettings, Decay, LbfgsSettings, Schedule};
use tapeless::train::sampling::{Domain, Sampling};
use tapeless::train::{Objective, Stage, Trainer};

fn main() -> Result<(), Box<dyn Error>> {
    let names = Names::new(["x", "y", "t"], ["u"])?;
    let domain = Domain::new([0.0, 0.0, 0.0], [1.0, 1.0, 1.0])?;
    let (mut inside, mut start, mut sides) = (vec![0.0_f64; 3 * 2048], vec![0.0; 3 * 256], vec![0.0; 3 * 512]);
    Sampling::Sobol.fill(&domain, 1, &mut inside)?;
    Sampling::Sobol.fill(&domain.at(2, 0.0)?, 2, &mut start)?;
    Sampling::Sobol.fill_faces(&domain, &[0, 1], 3, &mut sides)?;
    let terms = vec![
        solve::term("equation", &["u_t - 0.05*(u_xx + u_yy)"], &names, &[], inside)?,
        solve::term("start", &["u - sin(pi*x)*sin(pi*y)"], &names, &[], start)?.with_weight(10.0),
        solve::term("sides", &["u"], &names, &[], sides)?.with_weight(10.0),
    ];
    let network = Network::initialized(&[3, 32, 32, 32, 1], Activation::Tanh, Initialization::GlorotUniform, 7)?;
    let objective = Objective::builder(&network, terms).scaling(vec![(0.5, 2.0); 3]).build()?;
    let rate = Schedule { rate: 3e-3, warm_up: 0, decay: Decay::Exponential { factor: 0.5, steps: 300 } };
    let trainer = Trainer::new(
        objective,
        vec![
            Stage::Adam { settings: AdamSettings { schedule: rate, ..AdamSettings::default() }, steps: 1000 },
            Stage::Lbfgs { settings: LbfgsSettings::default(), steps: 4000 },
        ],
    )?;
    let test = solve::grid_of(&domain, &[21, 21, 11])?;
    let problem = solve::Problem { name: "heat", names, axes: [0, 1], domain, test };
    problem.run(trainer, |p| vec![(PI * p[0]).sin() * (PI * p[1]).sin() * (-0.1 * PI * PI * p[2]).exp()])
}
