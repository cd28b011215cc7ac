//! Trains the Allen-Cahn equation u_t = 0.0001 u_xx - 5 u^3 + 5 u on x from -1 to 1, t from 0 to 1, u = x^2 cos(pi x) at the
//! start, u = -1 on both sides: layers of width 0.01 form. There is no exact answer; the reference is a finite-difference
//! solution of sixth order on 4,001 points, which is computed here.
//!
//! ```text
//! cargo run --release --example solve_allen_cahn
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

/// u = x^2 cos(pi x) + t (1 - x^2) N: right at the start and on the sides, whatever the network says.
struct Conditions;

impl OutputTransform for Conditions {
    fn offset_and_factor<S: Scalar>(&self, _output: usize, point: &[S]) -> (S, S) {
        let (x, t) = (point[0], point[1]);
        (x * x * (S::PI() * x).cos(), t * (S::one() - x * x))
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let names = Names::new(["x", "t"], ["u"])?;
    let domain = Domain::new([-1.0, 0.0], [1.0, 1.0])?;
    let mut inside = vec![0.0_f64; 2 * 8192];
    Sampling::Sobol.fill(&domain, 1, &mut inside)?;
    let terms = vec![solve::term("equation", &["u_t - 0.0001*u_xx + 5*u^3 - 5*u"], &names, &[], inside)?];
    let network = Network::initialized(&[2, 40, 40, 40, 40, 1], Activation::Tanh, Initialization::GlorotUniform, 7)?;
    let objective =
        Objective::builder(&network, terms).scaling(vec![(0.0, 1.0), (0.5, 2.0)]).transform(Conditions).build()?;
    let adam = AdamSettings { schedule: Schedule::constant(1e-3), ..AdamSettings::default() };
    let trainer = Trainer::new(
        objective,
        vec![
            Stage::Adam { settings: adam, steps: 5000 },
            Stage::Lbfgs { settings: LbfgsSettings::default(), steps: 60_000 },
        ],
    )?;
    let reference = Reference::new();
    let test = solve::grid_of(&domain, &[201, 101])?;
    let problem = solve::Problem { name: "allen_cahn", names, axes: [1, 0], domain, test };
    problem.run(trainer, |p| vec![reference.at(p[0], p[1])])
}

/// The solution on a grid in x at 101 times, by differences of sixth order and Runge's method of fourth order.
struct Reference {
    rows: Vec<Vec<f64>>,
}

impl Reference {
    const CELLS: usize = 4000;
    const STEPS_PER_ROW: usize = 20;
    const ROWS: usize = 100;

    fn new() -> Self {
        let x = |i: usize| 2.0 * i as f64 / Self::CELLS as f64 - 1.0;
        let mut u: Vec<f64> = (0..=Self::CELLS).map(|i| x(i).powi(2) * (PI * x(i)).cos()).collect();
        let mut rows = vec![u.clone()];
        let step = 1.0 / (Self::ROWS * Self::STEPS_PER_ROW) as f64;
        for _ in 0..Self::ROWS {
            for _ in 0..Self::STEPS_PER_ROW {
                let moved = |slope: &[f64], h: f64| -> Vec<f64> { u.iter().zip(slope).map(|(u, s)| u + h * s).collect() };
                let k1 = Self::slope(&u);
                let k2 = Self::slope(&moved(&k1, step / 2.0));
                let k3 = Self::slope(&moved(&k2, step / 2.0));
                let k4 = Self::slope(&moved(&k3, step));
                for i in 0..u.len() {
                    u[i] += step / 6.0 * (k1[i] + 2.0 * (k2[i] + k3[i]) + k4[i]);
                }
            }
            rows.push(u.clone());
        }
        Self { rows }
    }

    /// u_t, 0 on the sides, where u = -1 is kept. Next to them u is continued antisymmetrically about -1.
    fn slope(u: &[f64]) -> Vec<f64> {
        let last = u.len() as isize - 1;
        let at = |i: isize| match i {
            i if i < 0 => -2.0 - u[-i as usize],
            i if i > last => -2.0 - u[(2 * last - i) as usize],
            i => u[i as usize],
        };
        let square = (2.0 / Self::CELLS as f64).powi(2);
        let second = |i: isize| {
            let pair = |d: isize| at(i - d) + at(i + d);
            (pair(3) / 90.0 - 0.15 * pair(2) + 1.5 * pair(1) - 49.0 / 18.0 * at(i)) / square
        };
        let inner = |i: isize| 0.0001 * second(i) - 5.0 * at(i).powi(3) + 5.0 * at(i);
        (0..=last).map(|i| if i == 0 || i == last { 0.0 } else { inner(i) }).collect()
    }

    /// At a point of the test grid, which lies on this one.
    fn at(&self, x: f64, t: f64) -> f64 {
        let row = (t * Self::ROWS as f64).round() as usize;
        self.rows[row.min(Self::ROWS)][((x + 1.0) / 2.0 * Self::CELLS as f64).round() as usize % (Self::CELLS + 1)]
    }
}
