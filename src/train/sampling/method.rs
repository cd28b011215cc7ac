//! Ways to spread points over a box.

use std::fmt::{self, Display, Formatter};
use std::str::FromStr;

use super::{Domain, SamplingError, Side, latin_hypercube, sobol};
use crate::number::Real;
use crate::random::Random;

/// How points are spread over a box. Written and read as `uniform`, `latin_hypercube`, `sobol`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sampling {
    /// Each point by itself.
    Uniform,
    /// One point in each of as many slices of each dimension as there are points (McKay, Beckman and Conover, 1979).
    LatinHypercube,
    /// The first points of Sobol's sequence in up to 16 dimensions (direction numbers of Joe and Kuo, 2008), shifted digit
    /// by digit by the seed. Most even for a power of two of points.
    Sobol,
}

/// A text that is not a way to spread points.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown sampling {name:?}; known are {}", Sampling::NAMES.join(", "))]
pub struct UnknownSampling {
    /// The text that was found.
    pub name: String,
}

impl Sampling {
    /// The names that can be read.
    pub const NAMES: [&str; 3] = ["uniform", "latin_hypercube", "sobol"];

    /// Fills a slice with points of the box, one after the other.
    ///
    /// # Errors
    ///
    /// [`SamplingError::Points`], [`SamplingError::TooManyDimensions`]; [`SamplingError::Bounds`] for bounds that are infinite in
    /// `R`.
    pub fn fill<R: Real>(self, domain: &Domain, seed: u64, points: &mut [R]) -> Result<(), SamplingError> {
        self.fill_from(domain, &mut Random::new(seed), points)
    }

    /// Fills a slice with points of the faces across the dimensions named, as many on each, up to one: first those at the lower
    /// bound of the first dimension, then those at its upper bound, and so on.
    ///
    /// # Errors
    ///
    /// As for [`fill`](Sampling::fill); [`SamplingError::NoFaces`], [`SamplingError::NoDimension`].
    pub fn fill_faces<R: Real>(
        self,
        domain: &Domain,
        dimensions: &[usize],
        seed: u64,
        points: &mut [R],
    ) -> Result<(), SamplingError> {
        let count = domain.points(points)?;
        let faces = 2 * dimensions.len();
        if faces == 0 {
            return Err(SamplingError::NoFaces);
        }
        let mut random = Random::new(seed);
        let mut rest = points;
        for (face, &dimension) in dimensions.iter().flat_map(|dimension| [dimension; 2]).enumerate() {
            let side = if face % 2 == 0 { Side::Low } else { Side::High };
            let share = count / faces + usize::from(face < count % faces);
            let (here, others) = rest.split_at_mut(share * domain.dimensions());
            self.fill_from(&domain.face(dimension, side)?, &mut random, here)?;
            rest = others;
        }
        Ok(())
    }

    fn fill_from<R: Real>(self, domain: &Domain, random: &mut Random, points: &mut [R]) -> Result<(), SamplingError> {
        domain.points(points)?;
        match self {
            Self::Uniform => {
                for point in points.chunks_exact_mut(domain.dimensions()) {
                    for (dimension, coordinate) in point.iter_mut().enumerate() {
                        *coordinate = domain.coordinate(dimension, random.unit());
                    }
                }
            }
            Self::LatinHypercube => latin_hypercube::fill(domain, random, points),
            Self::Sobol => sobol::fill(domain, || random.bits(), points)?,
        }
        Ok(())
    }
}

impl FromStr for Sampling {
    type Err = UnknownSampling;

    fn from_str(text: &str) -> Result<Self, UnknownSampling> {
        match text.trim().to_ascii_lowercase().replace('-', "_").as_str() {
            "uniform" => Ok(Self::Uniform),
            "latin_hypercube" | "lhs" => Ok(Self::LatinHypercube),
            "sobol" => Ok(Self::Sobol),
            _ => Err(UnknownSampling { name: text.to_owned() }),
        }
    }
}

impl Display for Sampling {
    /// The text that is read back as the same.
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let [uniform, latin_hypercube, sobol] = Self::NAMES;
        f.pad(match self {
            Self::Uniform => uniform,
            Self::LatinHypercube => latin_hypercube,
            Self::Sobol => sobol,
        })
    }
}
