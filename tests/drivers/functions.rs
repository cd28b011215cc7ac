//! Functions whose derivatives are known.

use tapeless::Scalar;
use tapeless::dynamic::{Function, VectorFunction};

/// sin(a . x) + sum of x_i^3 / 6, with a_i = cos(i): every entry of its Hessian is different from 0.
pub struct Wave;

impl Function for Wave {
    fn evaluate<S: Scalar>(&self, x: &[S]) -> S {
        let phase = x.iter().enumerate().fold(S::zero(), |phase, (i, &x)| phase + x * S::literal(Wave::a(i)));
        phase.sin() + x.iter().map(|&x| x * x * x / S::literal(6.0)).sum::<S>()
    }
}

impl Wave {
    pub fn a(i: usize) -> f64 {
        (i as f64).cos()
    }

    pub fn point(n: usize) -> Vec<f64> {
        (0..n).map(|i| (i as f64 * 1.3).sin()).collect()
    }

    fn phase(x: &[f64]) -> f64 {
        x.iter().enumerate().map(|(i, x)| x * Self::a(i)).sum()
    }

    pub fn value(x: &[f64]) -> f64 {
        Self::phase(x).sin() + x.iter().map(|x| x.powi(3) / 6.0).sum::<f64>()
    }

    pub fn gradient(x: &[f64]) -> Vec<f64> {
        let cosine = Self::phase(x).cos();
        x.iter().enumerate().map(|(i, x)| Self::a(i) * cosine + x * x / 2.0).collect()
    }

    pub fn second(x: &[f64], i: usize, j: usize) -> f64 {
        -Self::a(i) * Self::a(j) * Self::phase(x).sin() + if i == j { x[i] } else { 0.0 }
    }

    pub fn hessian(x: &[f64]) -> Vec<f64> {
        (0..x.len()).flat_map(|i| (0..x.len()).map(move |j| Self::second(x, i, j))).collect()
    }

    /// The derivatives of orders 0 to 4 along v.
    pub fn along(x: &[f64], v: &[f64]) -> [f64; 5] {
        let (sine, cosine) = Self::phase(x).sin_cos();
        let rate = Self::phase(v);
        let sum = |term: fn(f64, f64) -> f64| x.iter().zip(v).map(|(&x, &v)| term(x, v)).sum::<f64>();
        [
            Self::value(x),
            rate * cosine + sum(|x, v| x * x * v / 2.0),
            -rate.powi(2) * sine + sum(|x, v| x * v * v),
            -rate.powi(3) * cosine + sum(|_, v| v * v * v),
            rate.powi(4) * sine,
        ]
    }
}

/// `Wave`, its double and the product of the first and the last variable.
pub struct Waves;

impl VectorFunction for Waves {
    fn outputs(&self) -> usize {
        3
    }

    fn evaluate<S: Scalar>(&self, x: &[S], y: &mut [S]) {
        let wave = Wave.evaluate(x);
        y[0] = wave;
        y[1] = wave * S::literal(2.0);
        if let [.., last] = x {
            y[2] = x[0] * *last;
        }
    }
}

/// A mixture of functions of nine variables.
pub fn mixture<S: Scalar>(x: &[S]) -> S {
    let n = x.len();
    let sum = (0..n).map(|i| x[i] * x[(i + 1) % n].sin()).sum::<S>();
    let squares = x.iter().map(|&x| x * x).sum::<S>();
    sum + squares.ln_1p() * (x[0] - x[n - 1]).exp() + (x[2] * x[5]).tanh() / (S::literal(2.0) + x[7]).sqrt()
}

pub struct Mixture;

impl Function for Mixture {
    fn evaluate<S: Scalar>(&self, x: &[S]) -> S {
        mixture(x)
    }
}

/// The sum of all of x, or an error where there is a negative one.
pub struct Positive;

impl tapeless::dynamic::TryFunction for Positive {
    type Error = f64;

    fn try_evaluate<S: Scalar>(&self, x: &[S]) -> Result<S, f64> {
        match x.iter().find(|&&x| x < S::zero()) {
            Some(x) => Err(num_traits::ToPrimitive::to_f64(x).unwrap()),
            None => Ok(x.iter().copied().sum()),
        }
    }
}
