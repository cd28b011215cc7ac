//! Random networks and points, the same on every run.

use tapeless::Real;
use tapeless::network::{Activation, Layer, Network};

/// A small generator of uniform numbers (Knuth's MMIX multiplier), so that failures repeat.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }

    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.next()
    }

    pub fn below(&mut self, count: usize) -> usize {
        (self.next() * count as f64) as usize
    }
}

/// Weights and biases that an f32 holds, so that both precisions evaluate the same network.
pub fn network<R: Real>(widths: &[usize], activations: &[Activation], seed: u64) -> Network<R> {
    let mut random = Random(seed);
    let layers = widths.windows(2).zip(activations).map(|(pair, &activation)| {
        let scale = (3.0 / pair[0] as f64).sqrt() / if activation == (Activation::Sin { w0: 30.0 }) { 10.0 } else { 1.0 };
        let mut numbers = |count: usize, scale: f64| {
            (0..count).map(|_| R::literal(f64::from(random.between(-scale, scale) as f32))).collect::<Vec<R>>()
        };
        let (weights, bias) = (numbers(pair[0] * pair[1], scale), numbers(pair[1], 0.3));
        Layer::new(pair[0], pair[1], weights, bias, activation).unwrap()
    });
    Network::new(layers.collect()).unwrap()
}

/// Coordinates between -1.5 and 1.5 that an f32 holds.
pub fn points<R: Real>(count: usize, inputs: usize, seed: u64) -> Vec<R> {
    let mut random = Random(seed);
    (0..count * inputs).map(|_| R::literal(f64::from(random.between(-1.5, 1.5) as f32))).collect()
}
