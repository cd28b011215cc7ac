//! Trains the Kovasznay flow behind a grid, an exact solution of the Navier-Stokes equations at Reynolds number 20 with
//! velocities u, v and pressure p.
//!
//! ```text
//! cargo run --release --example solve_kovasznay
//! ```

#[path = "common/solve.rs"]
mod solve;

use std::error::Error;
use std::f64::consts::PI;

use tapeless::network::{Activation, Initialization, Network};
use tapeless::operator::{Names, Operator};
use tapeless::residual;
use tapeless::train::optimizer::{AdamSettings, LbfgsSettings, Schedule};
use tapeless::train::sampling::{Domain, Sampling, Side};
use tapeless::train::{Objective, Stage, Term, Trainer};

const REYNOLDS: f64 = 20.0;

fn main() -> Result<(), Box<dyn Error>> {
    let names = Names::new(["x", "y"], ["u", "v", "p"])?;
    let domain = Domain::new([-0.5, -0.5], [1.0, 1.5])?;
    let mut inside = vec![0.0_f64; 2 * 1200];
    Sampling::Sobol.fill(&domain, 1, &mut inside)?;
    let mut sides = vec![0.0_f64; 2 * 240];
    Sampling::Sobol.fill_faces(&domain, &[0, 1], 2, &mut sides)?;
    let mut outlet = vec![0.0_f64; 2 * 60];
    Sampling::Sobol.fill(&domain.face(0, Side::High)?, 3, &mut outlet)?;
    // Where it is to be met, the exact answer stands behind the coordinates.
    let with_data = |points: Vec<f64>| points.chunks(2).flat_map(|p| [vec![p[0], p[1]], exact(p)].concat()).collect();

    let momentum = ["u*u_x + v*u_y + p_x - (u_xx + u_yy)/re", "u*v_x + v*v_y + p_y - (v_xx + v_yy)/re", "u_x + v_y"];
    let velocity = vec![Operator::value(0), Operator::value(1)];
    let terms = vec![
        solve::term("flow", &momentum, &names, &[("re", REYNOLDS)], inside)?,
        Term::new(
            "velocity at the sides",
            velocity,
            residual!(|x: &[S], u: &[S]| -> [S; 2] { [u[0] - x[2], u[1] - x[3]] }),
            with_data(sides),
        )
        .with_data(3)
        .with_weight(10.0),
        Term::new(
            "pressure at the outlet",
            vec![Operator::value(2)],
            residual!(|x: &[S], u: &[S]| u[0] - x[4]),
            with_data(outlet),
        )
        .with_data(3)
        .with_weight(10.0),
    ];
    let network = Network::initialized(&[2, 40, 40, 40, 3], Activation::Sin { w0: 2.0 }, Initialization::GlorotUniform, 7)?;
    let objective = Objective::builder(&network, terms).scaling(vec![(0.25, 1.0 / 0.75), (0.5, 1.0)]).build()?;
    let adam = AdamSettings { schedule: Schedule::constant(1e-3), ..AdamSettings::default() };
    let trainer = Trainer::new(
        objective,
        vec![
            Stage::Adam { settings: adam, steps: 500 },
            Stage::Lbfgs { settings: LbfgsSettings::default(), steps: 80_000 },
        ],
    )?;
    let test = solve::grid_of(&domain, &[101, 101])?;
    let problem = solve::Problem { name: "kovasznay", names, axes: [0, 1], domain, test };
    problem.run(trainer, exact)
}

/// Kovasznay, Laminar flow behind a two-dimensional grid (1948).
fn exact(point: &[f64]) -> Vec<f64> {
    let (x, y) = (point[0], point[1]);
    let lambda = REYNOLDS / 2.0 - (REYNOLDS * REYNOLDS / 4.0 + 4.0 * PI * PI).sqrt();
    let decay = (lambda * x).exp();
    let (sine, cosine) = (2.0 * PI * y).sin_cos();
    vec![1.0 - decay * cosine, lambda / (2.0 * PI) * decay * sine, (1.0 - decay * decay) / 2.0]
}
