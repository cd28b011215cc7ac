//! Numbers drawn from a seed: the same on every machine and with every version of this crate.
//!
//! The bits are ChaCha8's, whose crate promises them for a seed. What is made of them is written here, with the logarithm and
//! the sine of the crate libm, because distributions of the crate rand and functions of the platform may change.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// A source of numbers.
pub(crate) struct Random(ChaCha8Rng);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(ChaCha8Rng::seed_from_u64(seed))
    }

    /// Uniform in [0, 1), a multiple of 2^-53.
    pub(crate) fn unit(&mut self) -> f64 {
        (self.0.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// 32 bits, each 0 or 1.
    #[cfg(feature = "train")]
    pub(crate) fn bits(&mut self) -> u32 {
        self.0.next_u32()
    }

    /// One of 0, .., end - 1. For an `end` below 2^32 none of them is favoured by more than 2^-21 of its part.
    #[cfg(feature = "train")]
    pub(crate) fn below(&mut self, end: usize) -> usize {
        (self.unit() * end as f64) as usize
    }

    /// Uniform in [-bound, bound).
    pub(crate) fn symmetric(&mut self, bound: f64) -> f64 {
        bound * (2.0 * self.unit() - 1.0)
    }

    /// From the normal distribution of mean 0 and variance 1 (Box and Muller, A note on the generation of random normal
    /// deviates, 1958).
    pub(crate) fn normal(&mut self) -> f64 {
        // In (0, 1], so that the logarithm is finite.
        let radius = (-2.0 * libm::log(1.0 - self.unit())).sqrt();
        radius * libm::sin(std::f64::consts::TAU * self.unit())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first numbers of seed 7, worked out in Python: ChaCha with 8 rounds by its definition, its key made of the seed
    /// by PCG32 as the crate rand_core says; the normal number by mpmath.
    #[test]
    fn a_seed_is_the_same_numbers_for_good() {
        let mut random = Random::new(7);
        let expected = [1421300887485160_u64, 1513113663165285, 6343555415581842, 6545903666145223];
        for bits in expected {
            assert_eq!(random.unit(), bits as f64 / (1_u64 << 53) as f64);
        }
        let normal = random.normal();
        assert!((normal - 1.0483025236650192).abs() < 1e-15, "{normal}");
    }

    /// Sample moments lie within four standard errors of those of the distributions.
    #[test]
    fn moments() {
        const COUNT: usize = 100_000;
        let within = |found: f64, expected: f64, variance: f64| {
            assert!((found - expected).abs() < 4.0 * (variance / COUNT as f64).sqrt(), "{found} for {expected}");
        };
        let mut random = Random::new(1);
        let mean = |numbers: &[f64], power: i32| numbers.iter().map(|x| x.powi(power)).sum::<f64>() / COUNT as f64;

        let uniform: Vec<f64> = (0..COUNT).map(|_| random.symmetric(1.0)).collect();
        assert!(uniform.iter().all(|x| (-1.0..1.0).contains(x)));
        within(mean(&uniform, 1), 0.0, 1.0 / 3.0);
        within(mean(&uniform, 2), 1.0 / 3.0, 1.0 / 5.0 - 1.0 / 9.0);

        let normal: Vec<f64> = (0..COUNT).map(|_| random.normal()).collect();
        within(mean(&normal, 1), 0.0, 1.0);
        within(mean(&normal, 2), 1.0, 2.0);
        within(mean(&normal, 3), 0.0, 15.0);
        within(mean(&normal, 4), 3.0, 96.0);
    }
}
