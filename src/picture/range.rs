//! Ranges of axes.

/// The range of the finite numbers, wide enough for an axis to have ticks on it.
pub(super) fn of(numbers: impl Iterator<Item = f64>) -> (f64, f64) {
    let finite = numbers.filter(|number| number.is_finite() && number.abs() < 1e300);
    let bounds = finite.fold(None, |bounds: Option<(f64, f64)>, number| match bounds {
        None => Some((number, number)),
        Some((low, high)) => Some((low.min(number), high.max(number))),
    });
    let (low, high) = bounds.unwrap_or((0.0, 1.0));
    let least = 1e-6 * low.abs().max(high.abs()).max(1e-300);
    match high - low < least {
        true => (low - least, high + least),
        false => (low, high),
    }
}

/// The range of the numbers above 0 in whole powers of 10; none where there are none.
pub(super) fn decades(numbers: impl Iterator<Item = f64>) -> Option<(f64, f64)> {
    let mut numbers = numbers.filter(|number| *number > 1e-300 && *number < 1e300).peekable();
    numbers.peek()?;
    let (low, high) = numbers.fold((f64::INFINITY, 0.0_f64), |(low, high), number| (low.min(number), high.max(number)));
    let (low, high) = (low.log10().floor(), high.log10().ceil());
    Some((10.0_f64.powf(low), 10.0_f64.powf(if high > low { high } else { low + 1.0 })))
}

/// A number as it stands in a picture: short, without what rounding has left of a number such as 0.3.
pub fn label(number: f64) -> String {
    let trimmed = |digits: &str| match digits.contains('.') {
        true => digits.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => digits.to_owned(),
    };
    match number.abs() {
        0.0 => "0".to_owned(),
        size if (1e-3..1e5).contains(&size) => trimmed(&format!("{number:.6}")),
        _ => {
            let text = format!("{number:.3e}");
            let (digits, power) = text.split_once('e').unwrap_or((&text, "0"));
            format!("{}e{power}", trimmed(digits))
        }
    }
}

/// A number at a tick of an axis of that range, whose zero may have been missed by rounding.
pub(super) fn tick(number: f64, (low, high): (f64, f64)) -> String {
    label(if number.abs() < 1e-9 * (high - low) { 0.0 } else { number })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_never_empty() {
        for numbers in [vec![], vec![f64::NAN], vec![3.0], vec![0.0, 0.0], vec![1e16, 1e16 + 2.0], vec![f64::INFINITY, 1.0]]
        {
            let (low, high) = of(numbers.iter().copied());
            assert!(low < high && low.is_finite() && high.is_finite(), "{numbers:?}");
        }
        assert_eq!(of([1.0, -2.0, f64::NAN].into_iter()), (-2.0, 1.0));
    }

    #[test]
    fn decades_hold_all_numbers_above_0() {
        assert_eq!(decades([0.0, f64::NAN, -1.0].into_iter()), None);
        assert_eq!(decades([0.5, 20.0, 0.0].into_iter()), Some((0.1, 100.0)));
        assert_eq!(decades([1.0].into_iter()), Some((1.0, 10.0)));
    }

    #[test]
    fn labels_are_short() {
        let labels = [0.0, 0.30000000000000004, -2.0, 1e-6, 2.5e7, 12000.0].map(label);
        assert_eq!(tick(-5.6e-17, (-0.5, 1.0)), "0");
        assert_eq!(labels, ["0", "0.3", "-2", "1e-6", "2.5e7", "12000"]);
    }
}
