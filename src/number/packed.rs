//! How many numbers a symmetric matrix needs, and where each of them lies.

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
}

macro_rules! packed {
    ($($n:literal)*) => {$(
        impl sealed::Sealed for Const<$n> {}
        impl Packed for Const<$n> {
            type Triangle<T: Scalar> = [T; $n * ($n + 1) / 2];

            #[inline(always)]
            fn filled<T: Scalar>(entry: T) -> Self::Triangle<T> {
                [entry; $n * ($n + 1) / 2]
            }
        }
    )*};
}

packed!(1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16);

/// Position of entry (i, j) of a symmetric `n` x `n` matrix in its packed upper triangle.
#[inline]
pub(crate) const fn triangle_index(n: usize, i: usize, j: usize) -> usize {
    let (i, j) = if i <= j { (i, j) } else { (j, i) };
    i * (2 * n - i + 1) / 2 + (j - i)
}
