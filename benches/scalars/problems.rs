//! The functions whose Hessians are taken.

use crate::number::Number;

/// A function of `N` variables and a point at which to take its derivatives.
pub trait Problem<const N: usize> {
    fn point(&self) -> [f64; N];
    fn value<S: Number>(&self, variables: &[S]) -> S;
}

/// Three variables, six transcendental functions.
pub struct Transcendental;

impl Problem<3> for Transcendental {
    fn point(&self) -> [f64; 3] {
        [0.7, 1.3, 1.9]
    }

    #[inline(always)]
    fn value<S: Number>(&self, variables: &[S]) -> S {
        let [x, y, z] = array(variables);
        x * y.sin() * z.exp() + (x * x + y * y).sqrt() * z.ln() - (x * y * z).tanh()
    }
}

/// Rosenbrock's valley, the sum over i of 100 (x_(i+1) - x_i^2)^2 + (1 - x_i)^2.
pub struct Rosenbrock;

impl<const N: usize> Problem<N> for Rosenbrock {
    fn point(&self) -> [f64; N] {
        std::array::from_fn(|i| 1.0 + 0.3 * (i as f64).sin())
    }

    #[inline(always)]
    fn value<S: Number>(&self, variables: &[S]) -> S {
        let term = |x: S, next: S| (next - x * x).powi(2).times(100.0) + x.minus_from(1.0).powi(2);
        let first = term(variables[0], variables[1]);
        variables[1..].windows(2).fold(first, |sum, pair| sum + term(pair[0], pair[1]))
    }
}

/// A network with layers of 3, 32, 32 and 1 neurons, tanh between them.
pub struct Network {
    first: [[f64; 4]; WIDTH],
    second: [[f64; WIDTH + 1]; WIDTH],
    last: [f64; WIDTH + 1],
}

const WIDTH: usize = 32;

impl Network {
    /// With weights spread over -0.5 to 0.5.
    pub fn new() -> Self {
        let mut state = 1_u64;
        let mut weight = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 11) as f64 / (1_u64 << 53) as f64 - 0.5
        };
        Self {
            first: std::array::from_fn(|_| std::array::from_fn(|_| weight())),
            second: std::array::from_fn(|_| std::array::from_fn(|_| weight())),
            last: std::array::from_fn(|_| weight()),
        }
    }
}

/// The weighted sum of the inputs and the bias, which comes last among the weights.
#[inline(always)]
fn weighted_sum<S: Number>(weights: &[f64], inputs: &[S]) -> S {
    let [weights @ .., bias] = weights else { unreachable!("a neuron has a bias") };
    let first = inputs[0].times(weights[0]).plus(*bias);
    inputs[1..].iter().zip(&weights[1..]).fold(first, |sum, (input, &weight)| sum + input.times(weight))
}

impl Problem<3> for Network {
    fn point(&self) -> [f64; 3] {
        [0.3, -0.6, 0.2]
    }

    #[inline(always)]
    fn value<S: Number>(&self, variables: &[S]) -> S {
        let first: [S; WIDTH] = std::array::from_fn(|i| weighted_sum(&self.first[i], variables).tanh());
        let second: [S; WIDTH] = std::array::from_fn(|i| weighted_sum(&self.second[i], &first).tanh());
        weighted_sum(&self.last, &second)
    }
}

/// The pressure of propane at a temperature and a molar volume, by the equation of Peng and Robinson.
pub struct PengRobinson;

impl Problem<2> for PengRobinson {
    fn point(&self) -> [f64; 2] {
        [400.0, 1.0e-3]
    }

    #[inline(always)]
    fn value<S: Number>(&self, variables: &[S]) -> S {
        const R: f64 = 8.314_462_618;
        let (critical_temperature, critical_pressure, omega) = (369.83, 4.248e6, 0.1523);
        let a = 0.457_24 * (R * critical_temperature) * (R * critical_temperature) / critical_pressure;
        let b = 0.077_80 * R * critical_temperature / critical_pressure;
        let kappa = 0.374_64 + 1.542_26 * omega - 0.269_92 * omega * omega;
        let [temperature, volume] = array(variables);
        let root = temperature.times(1.0 / critical_temperature).sqrt();
        let alpha = root.minus_from(1.0).times(kappa).plus(1.0).powi(2);
        temperature.times(R) / volume.plus(-b) - alpha.times(a) / (volume * volume + volume.times(2.0 * b)).plus(-b * b)
    }
}

/// The variables as an array. (Every caller passes as many as its problem has.)
#[inline(always)]
fn array<S: Number, const N: usize>(variables: &[S]) -> [S; N] {
    std::array::from_fn(|i| variables[i])
}
