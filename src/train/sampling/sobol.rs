//! Sobol's sequence.

use super::{Domain, SamplingError};
use crate::number::Real;

/// Bits of a coordinate; the sequence repeats after 2^32 points.
const BITS: usize = 32;

/// Of each dimension after the first: the degree of its primitive polynomial, the polynomial's inner coefficients as bits, and the
/// first direction numbers. From the table new-joe-kuo-6.21201 (Joe and Kuo, Constructing Sobol sequences with better
/// two-dimensional projections, 2008).
const TABLE: [(usize, u32, &[u32]); 15] = [
    (1, 0, &[1]),
    (2, 1, &[1, 3]),
    (3, 1, &[1, 3, 1]),
    (3, 2, &[1, 1, 1]),
    (4, 1, &[1, 1, 3, 3]),
    (4, 4, &[1, 3, 5, 13]),
    (5, 2, &[1, 1, 5, 5, 17]),
    (5, 4, &[1, 1, 5, 5, 5]),
    (5, 7, &[1, 1, 7, 11, 19]),
    (5, 11, &[1, 1, 5, 1, 1]),
    (5, 13, &[1, 1, 1, 3, 11]),
    (5, 14, &[1, 3, 5, 5, 31]),
    (6, 1, &[1, 3, 3, 9, 7, 49]),
    (6, 13, &[1, 1, 1, 15, 21, 21]),
    (6, 16, &[1, 3, 1, 13, 27, 49]),
];

/// The first points of the sequence, all shifted: the bits of the coordinates in a dimension are changed where those of
/// `shift` are 1, which keeps the points spread as evenly.
pub(super) fn fill<R: Real>(
    domain: &Domain,
    mut shift: impl FnMut() -> u32,
    points: &mut [R],
) -> Result<(), SamplingError> {
    let dimensions = domain.dimensions();
    if dimensions > TABLE.len() + 1 {
        return Err(SamplingError::TooManyDimensions { most: TABLE.len() + 1, found: dimensions });
    }
    for dimension in 0..dimensions {
        let directions = directions(dimension);
        let mut bits = shift();
        for (index, point) in points.chunks_exact_mut(dimensions).enumerate() {
            point[dimension] = domain.coordinate(dimension, f64::from(bits) / (1_u64 << BITS) as f64);
            // One direction changes from point to point (Antonov and Saleev, 1979).
            bits ^= directions[index.trailing_ones() as usize % BITS];
        }
    }
    Ok(())
}

/// The direction numbers of a dimension, with the point before the first bit.
fn directions(dimension: usize) -> [u32; BITS] {
    let mut directions = [0; BITS];
    let Some((degree, coefficients, first)) = dimension.checked_sub(1).map(|row| TABLE[row]) else {
        return std::array::from_fn(|k| 1 << (BITS - 1 - k));
    };
    for k in 0..BITS {
        directions[k] = match first.get(k) {
            Some(number) => number << (BITS - 1 - k),
            None => {
                let back = directions[k - degree];
                let inner = (1..degree).filter(|i| coefficients >> (degree - 1 - i) & 1 == 1);
                inner.fold(back ^ (back >> degree), |sum, i| sum ^ directions[k - i])
            }
        };
    }
    directions
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Coordinates times 2^32, as scipy 1.17's `qmc.Sobol(16, scramble=False, bits=32)` has them.
    #[test]
    fn points_of_scipy() {
        let expected: [(usize, [u32; 16]); 6] = [
            (1, [1 << 31; 16]),
            (
                2,
                [
                    3221225472, 1073741824, 1073741824, 1073741824, 3221225472, 3221225472, 1073741824, 3221225472,
                    3221225472, 3221225472, 3221225472, 3221225472, 1073741824, 1073741824, 3221225472, 1073741824,
                ],
            ),
            (
                7,
                [
                    536870912, 2684354560, 1610612736, 536870912, 536870912, 1610612736, 2684354560, 2684354560,
                    2684354560, 3758096384, 2684354560, 536870912, 2684354560, 1610612736, 536870912, 536870912,
                ],
            ),
            (
                1000,
                [
                    943718400, 415236096, 2227175424, 2906652672, 1203765248, 3896508416, 197132288, 3862953984,
                    2151677952, 297795584, 364904448, 1094713344, 692060160, 1648361472, 616562688, 1589641216,
                ],
            ),
            (
                1024,
                [
                    6291456, 1616904192, 1923088384, 2090860544, 2392850432, 3625975808, 1038090240, 2522873856,
                    2992635904, 2883584000, 3529506816, 3957325824, 3034578944, 1453326336, 568328192, 3680501760,
                ],
            ),
            (
                1 << 17,
                [
                    49152, 1073758208, 3024109568, 1908981760, 2437824512, 738246656, 1643921408, 1396686848, 2348466176,
                    286277632, 219824128, 2569158656, 2347319296, 487571456, 1584644096, 1796915200,
                ],
            ),
        ];
        let domain = Domain::new([0.0; 16], [(1_u64 << 32) as f64; 16]).unwrap();
        let mut points = vec![0.0; 16 * ((1 << 17) + 1)];
        fill(&domain, || 0, &mut points).unwrap();
        assert_eq!(points[..16], [0.0; 16]);
        for (index, row) in expected {
            assert_eq!(points[16 * index..16 * (index + 1)], row.map(f64::from), "point {index}");
        }
    }
}
