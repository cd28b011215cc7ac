//! How many numbers a symmetric matrix needs, and where each of them lies.

use core::ops::Range;

use super::Scalar;

/// A number of variables at the type level: `Const<3>` stands for three.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Const<const N: usize>;

mod sealed {
    pub trait Sealed {}
}

/// The sizes for which the packed upper triangle of an N x N matrix has exactly N(N+1)/2 entries: N = 1 to 16.
///
/// Stable Rust can't write `[T; N * (N + 1) / 2]`, so the array is an associated type. The trait is sealed; it appears in
/// signatures as `where Const<N>: Packed`.
pub trait Packed: sealed::Sealed {
    /// `[T; N * (N + 1) / 2]`, the upper triangle row by row: (0,0), (0,1), .., (0,N-1), (1,1), ..
    type Triangle<T: Scalar>: Copy + Send + Sync + 'static + AsRef<[T]> + AsMut<[T]>;

    /// A triangle with every entry equal to `entry`.
    fn filled<T: Scalar>(entry: T) -> Self::Triangle<T>;

    /// Calls `row(i, range)` for every row i, with its range of positions in the triangle.
    #[doc(hidden)]
    fn for_each_row(row: impl FnMut(usize, Range<usize>));
}

macro_rules! packed {
    ($($n:literal: $($i:literal)*;)*) => {$(
        impl sealed::Sealed for Const<$n> {}
        impl Packed for Const<$n> {
            type Triangle<T: Scalar> = [T; $n * ($n + 1) / 2];

            #[inline(always)]
            fn filled<T: Scalar>(entry: T) -> Self::Triangle<T> {
                [entry; $n * ($n + 1) / 2]
            }

            // Not a loop, so that every row has its length at compile time.
            #[inline(always)]
            fn for_each_row(mut row: impl FnMut(usize, Range<usize>)) {
                $({
                    const START: usize = triangle_index($n, $i, $i);
                    row($i, START..START + $n - $i);
                })*
            }
        }
    )*};
}

packed! {
    1: 0;
    2: 0 1;
    3: 0 1 2;
    4: 0 1 2 3;
    5: 0 1 2 3 4;
    6: 0 1 2 3 4 5;
    7: 0 1 2 3 4 5 6;
    8: 0 1 2 3 4 5 6 7;
    9: 0 1 2 3 4 5 6 7 8;
    10: 0 1 2 3 4 5 6 7 8 9;
    11: 0 1 2 3 4 5 6 7 8 9 10;
    12: 0 1 2 3 4 5 6 7 8 9 10 11;
    13: 0 1 2 3 4 5 6 7 8 9 10 11 12;
    14: 0 1 2 3 4 5 6 7 8 9 10 11 12 13;
    15: 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14;
    16: 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15;
}

/// Position of entry (i, j) of a symmetric `n` x `n` matrix in its packed upper triangle.
#[inline]
pub(crate) const fn triangle_index(n: usize, i: usize, j: usize) -> usize {
    let (i, j) = if i <= j { (i, j) } else { (j, i) };
    i * (2 * n - i + 1) / 2 + (j - i)
}
