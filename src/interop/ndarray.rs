//! ndarray: numbers beside arrays, as in `&array * x`. (`LinalgScalar`, which `dot` asks for, comes by itself.)

use ndarray::ScalarOperand;

use crate::number::{Const, Dual, FormDual, HyperDual, Packed, RectangularHyperDual, Scalar, TraceDual};

impl<T: Scalar, const N: usize> ScalarOperand for Dual<T, N> {}
impl<T: Scalar, const N: usize> ScalarOperand for HyperDual<T, N> where Const<N>: Packed {}
impl<T: Scalar, const M: usize, const N: usize> ScalarOperand for RectangularHyperDual<T, M, N> {}
impl<T: Scalar, const N: usize> ScalarOperand for TraceDual<T, N> {}
impl<T: Scalar, const N: usize> ScalarOperand for FormDual<T, N> {}
