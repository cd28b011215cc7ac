//! How many variables a pass takes derivatives by.

/// The sizes of chunk there are. Larger numbers don't fit the registers, and every size costs compile time.
pub(super) const SIZES: [usize; 6] = [1, 2, 3, 4, 6, 8];

/// The work of one operation on the value, in scalars of derivatives: about what the elementary functions were measured to
/// take.
pub(super) const VALUE_WORK: usize = 8;

/// Which of `SIZES` makes the least work, given the scalars beside the value for a chunk size and the passes for a number of
/// chunks, of `variables` in all.
pub(super) fn best(variables: usize, scalars: impl Fn(usize) -> usize, passes: impl Fn(usize) -> usize) -> usize {
    let work = |size: usize| passes(variables.div_ceil(size)) * (VALUE_WORK + scalars(size));
    SIZES.into_iter().min_by_key(|&size| work(size)).unwrap_or(1)
}

/// Evaluates `$body` with `$C` the constant that is equal to `$size`.
macro_rules! with_size {
    ($size:expr, $C:ident => $body:expr) => {
        with_size!(@match $size, $C => $body; 1 2 3 4 6)
    };
    (@match $size:expr, $C:ident => $body:expr; $($known:literal)*) => {
        match $size {
            $($known => {
                const $C: usize = $known;
                $body
            })*
            _ => {
                const $C: usize = 8;
                $body
            }
        }
    };
}

pub(super) use with_size;
