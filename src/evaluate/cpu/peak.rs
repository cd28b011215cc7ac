//! The machine's own speed limit: fused multiply-adds from registers to registers.

use std::hint::black_box;
use std::marker::PhantomData;
use std::time::{Duration, Instant};

use pulp::{Simd, WithSimd};

use super::instruction_set::InstructionSet;
use super::simd::SimdReal;

/// Independent sums: enough to hide the latency of a multiply-add (4 cycles, 2 units) on all supported machines.
const SUMS: usize = 12;

/// Multiply-adds of each sum between two looks at the clock.
const ROUNDS: usize = 20_000;

/// Floating-point operations per second (two for a multiply-add) of the calling thread, the best over the time given.
pub(super) fn fma_peak<R: SimdReal>(set: InstructionSet, time: Duration) -> f64 {
    let start = Instant::now();
    let mut best = 0.0_f64;
    while start.elapsed() < time {
        let round = Instant::now();
        let Some(operations) = set.dispatch(Rounds::<R>(PhantomData)) else { return 0.0 };
        best = best.max(operations / round.elapsed().as_secs_f64());
    }
    best
}

struct Rounds<R>(PhantomData<R>);

impl<R: SimdReal> WithSimd for Rounds<R> {
    type Output = f64;

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> f64 {
        let factor = R::splat(simd, black_box(R::literal(0.999)));
        let term = R::splat(simd, black_box(R::literal(0.001)));
        let mut sums = [term; SUMS];
        for _ in 0..ROUNDS {
            for sum in &mut sums {
                *sum = R::times_plus(simd, *sum, factor, term);
            }
        }
        let mut total = sums[0];
        for &sum in &sums[1..] {
            total = R::plus(simd, total, sum);
        }
        black_box(R::largest(simd, total));
        (2 * ROUNDS * SUMS * R::lanes::<S>()) as f64
    }
}
