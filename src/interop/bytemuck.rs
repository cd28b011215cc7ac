//! bytemuck: numbers as plain bytes, value first, then the derivatives in the order of `from_parts`.

use bytemuck::{Pod, Zeroable};

use crate::number::{Const, Dual, HyperDual, Packed, Scalar};

// SAFETY: a dual number is `repr(C)` with fields of type T and [T; N] only, for which all zeros are a valid value, since they
// are for T.
#[allow(unsafe_code)]
unsafe impl<T: Scalar + Zeroable, const N: usize> Zeroable for Dual<T, N> {}

// SAFETY: `repr(C)`, `Copy` and 'static; every field is T or an array of T, so there is no padding, and every pattern of bits
// is valid, since it is for T.
#[allow(unsafe_code)]
unsafe impl<T: Scalar + Pod, const N: usize> Pod for Dual<T, N> {}

// SAFETY: as for `Dual`; the triangle is an array of T for every N, since the trait `Packed` is sealed.
#[allow(unsafe_code)]
unsafe impl<T: Scalar + Zeroable, const N: usize> Zeroable for HyperDual<T, N> where Const<N>: Packed {}

// SAFETY: as for `Dual`; the triangle is an array of T for every N, since the trait `Packed` is sealed.
#[allow(unsafe_code)]
unsafe impl<T: Scalar + Pod, const N: usize> Pod for HyperDual<T, N> where Const<N>: Packed {}
