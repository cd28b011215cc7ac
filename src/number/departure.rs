//! To which side a number with value 0 leaves 0 when its variables move: what `abs` has to know there.

use num_traits::Float;

use super::Scalar;

/// Where a number with value 0 goes.
pub enum Departure {
    /// Above 0 only.
    Up,
    /// Below 0 only.
    Down,
    /// To both sides, or nowhere.
    Neither,
    /// The derivatives at hand don't tell.
    Unknown,
}

/// Looks at the derivatives of the lowest order that are not all zero. Of an odd order they lead to both sides, of an even
/// one to the side of their sign, if it is the same in all directions. An infinite slope ends the domain, so there is one
/// side only.
pub(super) fn departure<S: Scalar>(x: &S) -> Departure {
    let zero = S::zero().primitive();
    for order in 1..=S::ORDER as u32 {
        let (mut up, mut down, mut infinite, mut mixed) = (false, false, false, false);
        x.visit(0, true, &mut |component_order, on_diagonal, component| {
            if component_order == order {
                up |= on_diagonal && component > zero;
                down |= on_diagonal && component < zero;
                infinite |= component.is_infinite();
                mixed |= !on_diagonal && component != zero;
            }
        });
        if mixed && order % 2 == 0 {
            return if order == 2 { x.curvature_departure() } else { Departure::Unknown };
        }
        match (up, down) {
            (false, false) if !mixed => continue,
            (true, false) if order % 2 == 0 || infinite => return Departure::Up,
            (false, true) if order % 2 == 0 || infinite => return Departure::Down,
            _ => return Departure::Neither,
        }
    }
    Departure::Neither
}

/// The side of the quadratic form with the symmetric matrix `entry(i, j)`: up where it is positive semidefinite, down where
/// negative. Pivots within the rounding of the elimination count as zero.
pub(super) fn of_quadratic_form<R: Float, const N: usize>(entry: impl Fn(usize, usize) -> R) -> Departure {
    let matrix: [[R; N]; N] = core::array::from_fn(|i| core::array::from_fn(|j| entry(i, j)));
    if matrix.as_flattened().iter().any(|entry| entry.is_nan()) {
        return Departure::Unknown;
    }
    if is_positive_semidefinite(matrix) {
        Departure::Up
    } else if is_positive_semidefinite(matrix.map(|row| row.map(|entry| -entry))) {
        Departure::Down
    } else {
        Departure::Neither
    }
}

/// By Gaussian elimination without exchanges: no pivot may be negative, and beside a zero pivot all must be zero.
fn is_positive_semidefinite<R: Float, const N: usize>(mut matrix: [[R; N]; N]) -> bool {
    let largest = matrix.as_flattened().iter().fold(R::zero(), |largest, entry| largest.max(entry.abs()));
    let rounding = (0..4 * N).fold(R::zero(), |sum, _| sum + largest * R::epsilon());
    for k in 0..N {
        let pivot = matrix[k][k];
        if pivot < -rounding {
            return false;
        }
        if pivot <= rounding {
            if (k + 1..N).any(|j| matrix[k][j].abs() > rounding) {
                return false;
            }
            continue;
        }
        let pivot_row = matrix[k];
        for row in matrix.iter_mut().skip(k + 1) {
            let factor = row[k] / pivot;
            for (entry, above) in row.iter_mut().zip(pivot_row).skip(k + 1) {
                *entry = *entry - factor * above;
            }
        }
    }
    true
}
