//! Errors in units in the last place, and the reference tables of 25 digits in `tests/tables`.

use std::path::Path;

use tapeless::Real;

/// A float type with its table folder and bit pattern.
pub trait Checked: Real {
    const FOLDER: &'static str;
    fn from_hexadecimal(text: &str) -> Self;
    fn parse(text: &str) -> Self;
}

macro_rules! checked {
    ($float:ident $bits:ident) => {
        impl Checked for $float {
            const FOLDER: &'static str = stringify!($float);

            fn from_hexadecimal(text: &str) -> Self {
                Self::from_bits($bits::from_str_radix(text.trim_start_matches("0x"), 16).unwrap())
            }

            fn parse(text: &str) -> Self {
                text.parse().unwrap()
            }
        }
    };
}

checked!(f32 u32);
checked!(f64 u64);

/// The rows of a table without its header, cells split at commas.
pub fn table<R: Checked>(name: &str) -> Vec<Vec<String>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/tables").join(R::FOLDER);
    let text = std::fs::read_to_string(folder.join(format!("{name}.csv"))).unwrap();
    text.lines().skip(1).map(|line| line.split(',').map(str::to_owned).collect()).collect()
}

/// How many units in the last place `found` is off the decimal `expected`; the unit is that of `scale` where that is larger.
/// A result that is off by at most `lost` counts as right: where a number underflows, there is no relative accuracy to keep.
pub fn units<R: Checked>(found: R, expected: &str, scale: f64, lost: f64) -> f64 {
    let nearest = R::parse(expected);
    if !(nearest.is_finite() && found.is_finite()) {
        // Within a factor 4 of the end of the range, either side of it is right.
        let at_end =
            |x: R| x.abs() > R::max_value() * R::literal(0.25) && x.is_sign_positive() == nearest.is_sign_positive();
        return if at_end(found) && at_end(nearest) { 0.0 } else { f64::INFINITY };
    }
    let (found, nearest): (f64, f64) = (found.as_(), nearest.as_());
    let (epsilon, smallest): (f64, f64) = (R::epsilon().as_(), R::min_positive_value().as_());
    // What the rounding of the reference to a float has cut off, as far as an f64 can tell.
    let rest = expected.parse::<f64>().unwrap() - nearest;
    let off = ((found - nearest) - rest).abs();
    let magnitude = nearest.abs().max(scale).max(smallest);
    let unit = 2.0_f64.powi(magnitude.log2().floor() as i32) * epsilon;
    if off <= lost { 0.0 } else { off / unit }
}
