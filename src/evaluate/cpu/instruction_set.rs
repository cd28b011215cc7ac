//! Which SIMD instructions the kernels use.

use std::fmt::{self, Display, Formatter};

use pulp::{Simd, WithSimd};

/// A set of SIMD instructions. One binary holds kernels for all that its processor family may have; the best is chosen when
/// an evaluator is built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum InstructionSet {
    /// What every processor of the target has.
    Plain,
    /// 256-bit vectors with fused multiply-add (x86-64-v3).
    Avx2,
    /// 512-bit vectors (x86-64-v4).
    Avx512,
    /// 128-bit vectors of 64-bit Arm.
    Neon,
}

impl InstructionSet {
    /// Those that this machine has, the best first.
    pub fn available() -> Vec<Self> {
        let all = [Self::Avx512, Self::Avx2, Self::Neon, Self::Plain];
        all.into_iter().filter(|set| set.dispatch(Nothing).is_some()).collect()
    }

    /// The best that this machine has.
    pub fn best() -> Self {
        Self::available().first().copied().unwrap_or(Self::Plain)
    }

    /// Number of vector registers.
    pub(crate) fn registers(self) -> usize {
        match self {
            Self::Avx512 | Self::Neon => 32,
            Self::Avx2 | Self::Plain => 16,
        }
    }

    /// Runs a kernel compiled for these instructions; `None` where the machine does not have them.
    #[inline]
    pub(crate) fn dispatch<K: WithSimd>(self, kernel: K) -> Option<K::Output> {
        match self {
            Self::Plain => Some(Simd::vectorize(pulp::Scalar128b, kernel)),
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => pulp::x86::V3::try_new().map(|simd| Simd::vectorize(simd, kernel)),
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 => pulp::x86::V4::try_new().map(|simd| Simd::vectorize(simd, kernel)),
            #[cfg(target_arch = "aarch64")]
            Self::Neon => pulp::aarch64::Neon::try_new().map(|simd| Simd::vectorize(simd, kernel)),
            #[allow(unreachable_patterns)]
            _ => None,
        }
    }
}

impl Display for InstructionSet {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Plain => "plain",
            Self::Avx2 => "AVX2",
            Self::Avx512 => "AVX-512",
            Self::Neon => "NEON",
        })
    }
}

/// A kernel that does nothing: it runs where the instructions are there.
struct Nothing;

impl WithSimd for Nothing {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {}
}
