//! Points lie where they should, in the right proportions, and are those of their seed.
#![cfg(feature = "train")]

use tapeless::train::sampling::{ByResidual, Domain, Sampling, SamplingError, Side, grid};

const ALL: [Sampling; 3] = [Sampling::Uniform, Sampling::LatinHypercube, Sampling::Sobol];

fn domain() -> Domain {
    Domain::new([-1.0, 0.0, 5.0], [1.0, 0.1, 5.0]).unwrap()
}

fn filled(sampling: Sampling, domain: &Domain, seed: u64, count: usize) -> Vec<f64> {
    let mut points = vec![f64::NAN; count * domain.dimensions()];
    sampling.fill(domain, seed, &mut points).unwrap();
    points
}

/// How many of the coordinates lie in each of `parts` equal parts of [0, 1).
fn counts(points: &[f64], dimensions: usize, dimension: usize, parts: usize) -> Vec<usize> {
    let mut counts = vec![0; parts];
    for point in points.chunks_exact(dimensions) {
        counts[(point[dimension] * parts as f64) as usize] += 1;
    }
    counts
}

#[test]
fn points_lie_within_the_bounds() {
    for sampling in ALL {
        let points = filled(sampling, &domain(), 1, 1000);
        for point in points.chunks_exact(3) {
            assert!((-1.0..=1.0).contains(&point[0]) && (0.0..=0.1).contains(&point[1]) && point[2] == 5.0, "{point:?}");
        }
    }
    let whole = Domain::new([-f64::MAX], [f64::MAX]).unwrap();
    assert!(filled(Sampling::Uniform, &whole, 1, 100).iter().all(|x| x.is_finite()));
}

#[test]
fn a_seed_is_a_set_of_points() {
    for sampling in ALL {
        let wide = filled(sampling, &domain(), 7, 100);
        assert_eq!(filled(sampling, &domain(), 7, 100), wide);
        assert_ne!(filled(sampling, &domain(), 8, 100), wide);
        let mut narrow = vec![0.0_f32; 300];
        sampling.fill(&domain(), 7, &mut narrow).unwrap();
        assert!(narrow.iter().zip(&wide).all(|(narrow, wide)| *narrow == *wide as f32));
    }
}

/// The mean of n uniform numbers lies within four standard errors, sqrt(1 / 12 n) each, of 1/2.
#[test]
fn uniform_points_have_the_right_mean() {
    let unit = Domain::new([0.0; 4], [1.0; 4]).unwrap();
    let points = filled(Sampling::Uniform, &unit, 3, 10_000);
    for dimension in 0..4 {
        let mean = points.chunks_exact(4).map(|point| point[dimension]).sum::<f64>() / 1e4;
        assert!((mean - 0.5).abs() < 4.0 * (1.0 / 12e4_f64).sqrt(), "{mean}");
    }
}

#[test]
fn a_latin_hypercube_has_a_point_in_every_slice() {
    let unit = Domain::new([0.0; 3], [1.0; 3]).unwrap();
    let points = filled(Sampling::LatinHypercube, &unit, 3, 1000);
    for dimension in 0..3 {
        assert_eq!(counts(&points, 3, dimension, 1000), [1; 1000]);
    }
    // The slices of two dimensions are paired at random: no correlation beyond four standard errors.
    let product = points.chunks_exact(3).map(|point| (point[0] - 0.5) * (point[1] - 0.5)).sum::<f64>() / 1000.0;
    assert!(product.abs() < 4.0 / 12.0 / 1000_f64.sqrt(), "{product}");
}

/// The first 2^m points: one in each of 2^m slices of every dimension, and in the first two dimensions one in each box of
/// 2^a by 2^(m - a).
#[test]
fn sobol_points_are_even_whatever_the_shift() {
    let unit = Domain::new([0.0; 16], [1.0; 16]).unwrap();
    for seed in 0..4 {
        let points = filled(Sampling::Sobol, &unit, seed, 256);
        for dimension in 0..16 {
            assert_eq!(counts(&points, 16, dimension, 256), [1; 256]);
        }
        for a in 0..=8 {
            let mut boxes = vec![0; 256];
            for point in points.chunks_exact(16) {
                let (row, column) = ((point[0] * f64::from(1 << a)) as usize, (point[1] * f64::from(256 >> a)) as usize);
                boxes[row * (256 >> a) + column] += 1;
            }
            assert_eq!(boxes, [1; 256], "seed {seed}, boxes of 2^-{a}");
        }
    }
}

#[test]
fn faces_share_the_points() {
    let unit = Domain::new([0.0, 0.0, 2.0], [1.0, 1.0, 3.0]).unwrap();
    for sampling in ALL {
        let mut points = vec![f64::NAN; 3 * 11];
        sampling.fill_faces(&unit, &[0, 2], 5, &mut points).unwrap();
        let rows: Vec<&[f64]> = points.chunks_exact(3).collect();
        assert!(rows[..3].iter().all(|point| point[0] == 0.0));
        assert!(rows[3..6].iter().all(|point| point[0] == 1.0));
        assert!(rows[6..9].iter().all(|point| point[2] == 2.0));
        assert!(rows[9..].iter().all(|point| point[2] == 3.0));
        assert!(rows.iter().all(|point| (0.0..=1.0).contains(&point[1])));
        assert_ne!(rows[0][1], rows[3][1], "each face has points of its own");
    }
}

#[test]
fn planes_and_faces() {
    let start = domain().at(1, 0.05).unwrap();
    assert_eq!((start.low(), start.high()), ([-1.0, 0.05, 5.0].as_slice(), [1.0, 0.05, 5.0].as_slice()));
    let face = domain().face(0, Side::High).unwrap();
    assert_eq!((face.low(), face.high()), ([1.0, 0.0, 5.0].as_slice(), [1.0, 0.1, 5.0].as_slice()));
}

#[test]
fn grids() {
    let mut points = [f64::NAN; 3 * 10];
    grid(&domain(), &[5, 2, 1], &mut points).unwrap();
    let expected = [-1.0, -0.5, 0.0, 0.5, 1.0].iter().flat_map(|x| [*x, 0.0, 5.0, *x, 0.1, 5.0]);
    assert_eq!(points.to_vec(), expected.collect::<Vec<f64>>());
    let mut middle = [0.0; 3];
    grid(&domain(), &[1, 1, 1], &mut middle).unwrap();
    assert_eq!(middle, [0.0, 0.05, 5.0]);
}

/// How often each of the candidates 0, 1, .. is among those chosen, over many seeds.
fn frequencies(exponent: f64, offset: f64, residuals: &[f64], wanted: usize) -> Vec<f64> {
    const SEEDS: u64 = 20_000;
    let candidates: Vec<f64> = (0..residuals.len()).map(|k| k as f64).collect();
    let mut by_residual = ByResidual::new(exponent, offset).unwrap();
    let (mut counts, mut points) = (vec![0.0; residuals.len()], vec![0.0; wanted]);
    for seed in 0..SEEDS {
        by_residual.fill(1, &candidates, residuals, seed, &mut points).unwrap();
        assert!(points.is_sorted_by(|one, other| one < other));
        points.iter().for_each(|point| counts[*point as usize] += 1.0);
    }
    counts.iter().map(|count| count / SEEDS as f64).collect()
}

#[track_caller]
fn assert_frequencies(found: &[f64], expected: &[f64]) {
    for (found, expected) in found.iter().zip(expected) {
        let error = (expected * (1.0 - expected) / 20_000.0).sqrt();
        assert!((found - expected).abs() <= 4.0 * error, "{found} for {expected}");
    }
}

#[test]
fn points_are_chosen_in_proportion_to_their_residuals() {
    assert_frequencies(&frequencies(1.0, 0.0, &[1.0, -2.0, 3.0, -4.0], 1), &[0.1, 0.2, 0.3, 0.4]);
    // Squares 1, 4, 9, 16 with mean 7.5; and the same with huge residuals.
    assert_frequencies(&frequencies(2.0, 0.0, &[1.0, -2.0, 3.0, -4.0], 1), &[1.0 / 30.0, 4.0 / 30.0, 0.3, 16.0 / 30.0]);
    assert_frequencies(
        &frequencies(2.0, 0.0, &[1e200, -2e200, 3e200, -4e200], 1),
        &[1.0 / 30.0, 4.0 / 30.0, 0.3, 16.0 / 30.0],
    );
    // Weights 0.4 + 1, 0.8 + 1, 1.2 + 1, 1.6 + 1.
    assert_frequencies(&frequencies(1.0, 1.0, &[1.0, -2.0, 3.0, -4.0], 1), &[0.175, 0.225, 0.275, 0.325]);
    // Nothing to go by.
    assert_frequencies(&frequencies(1.0, 0.0, &[0.0; 4], 1), &[0.25; 4]);
    assert_frequencies(&frequencies(0.0, 0.0, &[0.0, 1.0, 2.0, 3.0], 1), &[0.25; 4]);
}

/// Two of three with weights 1, 2, 3: the chance of being first, and of being second after each of the others.
#[test]
fn no_point_is_chosen_twice() {
    let second = |mine: f64, others: [f64; 2]| others.iter().map(|other| other / 6.0 * mine / (6.0 - other)).sum::<f64>();
    let expected =
        [1.0 / 6.0 + second(1.0, [2.0, 3.0]), 2.0 / 6.0 + second(2.0, [1.0, 3.0]), 0.5 + second(3.0, [1.0, 2.0])];
    assert_frequencies(&frequencies(1.0, 0.0, &[1.0, 2.0, 3.0], 2), &expected);
    // Points without a residual fill up what is left.
    assert_frequencies(&frequencies(1.0, 0.0, &[0.0, 2.0, 0.0], 2)[1..2], &[1.0]);
    assert_frequencies(&frequencies(1.0, 0.0, &[0.0, 2.0, 1.0], 3), &[1.0; 3]);
}

#[test]
fn domains_that_are_none_are_errors() {
    let error = |low: &[f64], high: &[f64]| Domain::new(low, high).unwrap_err();
    assert_eq!(error(&[], &[]), SamplingError::BoundCount { low: 0, high: 0 });
    assert_eq!(error(&[0.0], &[1.0, 2.0]), SamplingError::BoundCount { low: 1, high: 2 });
    assert_eq!(error(&[0.0, 2.0], &[1.0, 1.0]), SamplingError::Bounds { dimension: 1, low: 2.0, high: 1.0 });
    assert!(matches!(error(&[f64::NAN], &[1.0]), SamplingError::Bounds { dimension: 0, .. }));
    assert!(matches!(error(&[0.0], &[f64::INFINITY]), SamplingError::Bounds { dimension: 0, .. }));
    let outside = SamplingError::Outside { dimension: 0, value: 2.0, low: -1.0, high: 1.0 };
    assert_eq!(domain().at(0, 2.0).unwrap_err(), outside);
    assert!(matches!(domain().at(0, f64::NAN).unwrap_err(), SamplingError::Outside { .. }));
    let none = SamplingError::NoDimension { dimension: 3, dimensions: 3 };
    assert_eq!((domain().at(3, 0.0).unwrap_err(), domain().face(3, Side::Low).unwrap_err()), (none.clone(), none));
}

#[test]
fn points_that_do_not_fit_are_errors() {
    for sampling in ALL {
        let mut points = [0.0; 4];
        let refused = SamplingError::Points { dimensions: 3, found: 4 };
        assert_eq!(sampling.fill(&domain(), 1, &mut points).unwrap_err(), refused);
        assert_eq!(sampling.fill_faces(&domain(), &[0], 1, &mut points).unwrap_err(), refused);
        assert_eq!(sampling.fill_faces(&domain(), &[], 1, &mut points[..3]).unwrap_err(), SamplingError::NoFaces);
        let none = SamplingError::NoDimension { dimension: 7, dimensions: 3 };
        assert_eq!(sampling.fill_faces(&domain(), &[0, 7], 1, &mut points[..3]).unwrap_err(), none);
        sampling.fill(&domain(), 1, &mut points[..0]).unwrap();
        let wide = Domain::new([0.0], [1e300]).unwrap();
        let refused = SamplingError::Bounds { dimension: 0, low: 0.0, high: 1e300 };
        assert_eq!(sampling.fill(&wide, 1, &mut [0.0_f32]).unwrap_err(), refused);
    }
    let many = Domain::new([0.0; 17], [1.0; 17]).unwrap();
    let refused = SamplingError::TooManyDimensions { most: 16, found: 17 };
    assert_eq!(Sampling::Sobol.fill(&many, 1, &mut [0.0; 17]).unwrap_err(), refused);

    let refuse = |counts: &[usize]| grid(&domain(), counts, &mut [0.0; 12]).unwrap_err();
    assert_eq!(refuse(&[2, 2]), SamplingError::GridLines { counts: vec![2, 2], dimensions: 3 });
    assert_eq!(refuse(&[4, 1, 0]), SamplingError::GridLines { counts: vec![4, 1, 0], dimensions: 3 });
    assert_eq!(refuse(&[2, 2, 2]), SamplingError::GridSize { counts: vec![2, 2, 2], found: 4 });
    assert_eq!(refuse(&[usize::MAX; 3]), SamplingError::GridSize { counts: vec![usize::MAX; 3], found: 4 });
}

#[test]
fn residuals_that_do_not_fit_are_errors() {
    let refuse = |dimensions, residuals: &[f64], wanted: usize| {
        let mut points = vec![0.0; wanted];
        let by_residual = &mut ByResidual::new(1.0, 1.0).unwrap();
        by_residual.fill(dimensions, &[1.0, 2.0, 3.0, 4.0], residuals, 1, &mut points).unwrap_err()
    };
    assert_eq!(refuse(0, &[], 0), SamplingError::Points { dimensions: 0, found: 4 });
    assert_eq!(refuse(2, &[1.0; 2], 3), SamplingError::Points { dimensions: 2, found: 3 });
    assert_eq!(refuse(2, &[1.0; 3], 2), SamplingError::ResidualCount { candidates: 2, residuals: 3 });
    assert_eq!(refuse(2, &[1.0; 2], 6), SamplingError::TooFewCandidates { candidates: 2, wanted: 3 });
    let refused = SamplingError::Residual { position: 1, found: f64::INFINITY };
    assert_eq!(refuse(2, &[1.0, f64::INFINITY], 2), refused);
    assert!(matches!(ByResidual::new(-1.0, 1.0).unwrap_err(), SamplingError::Setting { .. }));
    assert!(matches!(ByResidual::new(1.0, f64::NAN).unwrap_err(), SamplingError::Setting { .. }));
}

#[test]
fn every_name_is_read_and_written_back() {
    for (name, sampling) in Sampling::NAMES.into_iter().zip(ALL) {
        assert_eq!((name.parse(), sampling.to_string().as_str()), (Ok(sampling), name));
    }
    assert!("halton".parse::<Sampling>().unwrap_err().to_string().contains("latin_hypercube"));
}
