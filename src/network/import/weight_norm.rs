//! Weight norm: W = g v / |v|, worked out in f64.

/// The weight of one layer from its gain `g` and its direction `v` ([out, in], row by row).
///
/// `gain` has one value for each row, or a single one for the whole matrix (`dim=None` in PyTorch).
///
/// # Errors
///
/// The index of a row whose v is 0 (any row when there is a single gain): it has no direction.
pub(super) fn weight(gain: &[f64], direction: &[f64], inputs: usize) -> Result<Vec<f64>, usize> {
    let row_length = match gain {
        [_] => direction.len(),
        _ => inputs,
    };
    let mut weight = Vec::with_capacity(direction.len());
    for (row, (gain, values)) in gain.iter().zip(direction.chunks(row_length)).enumerate() {
        // Divided by the largest first, so that no square overflows or vanishes.
        let largest = values.iter().fold(0.0f64, |most, value| most.max(value.abs()));
        if largest == 0.0 && !values.iter().any(|value| value.is_nan()) {
            return Err(row);
        }
        let norm = values.iter().map(|value| (value / largest).powi(2)).sum::<f64>().sqrt();
        weight.extend(values.iter().map(|value| gain * (value / largest / norm)));
    }
    Ok(weight)
}
