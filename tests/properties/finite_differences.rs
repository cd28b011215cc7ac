//! Derivatives against central differences of the plain value, extrapolated to step 0.

use proptest::prelude::*;

use super::config;
use super::expressions::{VARIABLES, components, expressions, points};

/// A derivative from differences, and how far off it may be.
#[derive(Debug)]
pub struct Estimate {
    pub value: f64,
    pub error: f64,
}

/// The derivative of `function` by one variable, or by two. `noise` is the error that its values may have. `None` where
/// there are too few steps at which the function is on the piece of `point` itself (`function` says so with `None`).
pub fn differences(
    function: impl Fn(&[f64]) -> Option<f64>,
    point: &[f64],
    variables: &[usize],
    noise: f64,
) -> Option<Estimate> {
    let difference = |h: f64| -> Option<f64> {
        let at = |steps: &[f64]| {
            let mut moved = point.to_vec();
            for (&variable, step) in variables.iter().zip(steps) {
                moved[variable] += step;
            }
            function(&moved)
        };
        Some(match variables {
            [_] => (at(&[h])? - at(&[-h])?) / (2.0 * h),
            [i, j] if i == j => (at(&[h])? - 2.0 * at(&[])? + at(&[-h])?) / (h * h),
            _ => (at(&[h, h])? - at(&[h, -h])? - at(&[-h, h])? + at(&[-h, -h])?) / (4.0 * h * h),
        })
    };

    // Ridders' scheme: each row has half the step of the one before; each column removes one more even power of it. The
    // error of an entry is its distance from the two that it was made of.
    let mut best: Option<Estimate> = None;
    let mut row: Vec<f64> = Vec::new();
    for halvings in 4..12 {
        let h = 2.0_f64.powi(-halvings);
        let Some(first) = difference(h) else {
            row.clear();
            continue;
        };
        let rounding = noise / h.powi(variables.len() as i32);
        let mut next = vec![first];
        for (column, &above) in row.iter().enumerate() {
            let left = next[column];
            let entry = left + (left - above) / (4.0_f64.powi(column as i32 + 1) - 1.0);
            let error = (entry - left).abs().max((entry - above).abs()) + rounding;
            if column > 0 && best.as_ref().is_none_or(|best| error < best.error) {
                best = Some(Estimate { value: entry, error });
            }
            next.push(entry);
        }
        row = next;
    }
    best
}

/// Fails where a derivative is not the estimated one; puts the case aside where the estimate is too coarse to tell.
pub fn assert_estimated(found: f64, estimate: Option<Estimate>, what: &str) -> Result<(), TestCaseError> {
    let Some(Estimate { value, error }) = estimate else {
        return Err(TestCaseError::reject("too close to a kink"));
    };
    // The scheme's own error is sometimes too small by chance.
    let tolerance = 100.0 * error;
    if tolerance.is_nan() || tolerance > 1e-4 * (1.0 + value.abs()) {
        return Err(TestCaseError::reject("ill-conditioned"));
    }
    prop_assert!((found - value).abs() <= tolerance, "{what}: {found:e} is not {value:e} +- {tolerance:e}");
    Ok(())
}

proptest! {
    #![proptest_config(config(256))]

    #[test]
    fn gradient_and_hessian_of_an_expression_are_its_differences(expression in expressions(), point in points()) {
        prop_assume!(expression.is_moderate(point));
        let result = expression.differentiated(point);
        let pieces = expression.pieces(&point);
        let function = |x: &[f64]| (expression.pieces(x) == pieces).then(|| expression.evaluate(x));
        let value = components(&result)[0];
        let noise = 8.0 * f64::EPSILON * (expression.sensitivity(point)[0] + value.abs());

        for i in 0..VARIABLES {
            let estimate = differences(function, &point, &[i], noise);
            assert_estimated(result.gradient()[i], estimate, &format!("derivative {i}"))?;
            for j in i..VARIABLES {
                let estimate = differences(function, &point, &[i, j], noise);
                assert_estimated(result.hessian()[i][j], estimate, &format!("derivative ({i}, {j})"))?;
            }
        }
    }
}
