//! Trains Poisson's equation in 5 dimensions, -laplacian(u) = pi^2 sum cos(pi x_i) on the unit cube, with the exact answer
//! u = sum cos(pi x_i) on its faces.
//!
//! ```text
//! cargo run --release --example solve_poisson
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
    let names = Names::new(["a", "b", "c", "d", "e"], ["u"])?;
    let domain = Domain::new([0.0; 5], [1.0; 5])?;
    let (mut inside, mut faces) = (vec![0.0_f64; 5 * 4000], vec![0.0; 5 * 1000]);
    Sampling::Sobol.fill(&domain, 1, &mut inside)?;
    Sampling::Sobol.fill_faces(&domain, &[0, 1, 2, 3, 4], 2, &mut faces)?;
    let sum = "(cos(pi*a) + cos(pi*b) + cos(pi*c) + cos(pi*d) + cos(pi*e))";
    let terms = vec![
        solve::term("equation", &[&format!("laplacian(u) + pi^2*{sum}")], &names, &[], inside)?,
        solve::term("faces", &[&format!("u - {sum}")], &names, &[], faces)?.with_weight(100.0),
    ];
    let network = Network::initialized(&[5, 64, 64, 1], Activation::Tanh, Initialization::GlorotUniform, 7)?;
    let objective = Objective::builder(&network, terms).scaling(vec![(0.5, 2.0); 5]).build()?;
    let adam = AdamSettings { schedule: Schedule::constant(2e-3), ..AdamSettings::default() };
    let trainer = Trainer::new(
        objective,
        vec![Stage::Adam { settings: adam, steps: 1000 }, Stage::Lbfgs { settings: LbfgsSettings::default(), steps: 5000 }],
    )?;
    let test = solve::grid_of(&domain, &[7; 5])?;
    let problem = solve::Problem { name: "poisson", names, axes: [0, 1], domain, test };
    problem.run(trainer, |p| vec![p.iter().take(5).map(|x| (PI * x).cos()).sum()])
}
