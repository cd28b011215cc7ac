//! How each crate takes a Hessian, and what its answer looks like.

use echidna::{BytecodeTape, DualVec};
use hyperjet::differentiate::differentiate2;
use hyperjet::jets::Jet2;
use hyperjet::traits::{FirstOrder, SecondOrder};
use nalgebra::{DMatrix, DVector, SMatrix, SVector};
use num_dual::{Dual2SVec64, Gradients, HyperDual64};
use tapeless::calculus::Hessian;
use tapeless::{Const, Packed, Scalar, dynamic};

use crate::problems::{Problem, Rosenbrock};

#[inline(always)]
pub fn tapeless<const N: usize>(problem: &impl Problem<N>, point: [f64; N]) -> Hessian<f64, N>
where
    Const<N>: Packed,
{
    tapeless::hessian(|variables| problem.value(&variables), point)
}

/// For a number of variables known at run time: in chunks.
pub fn tapeless_dynamic(problem: &Rosenbrock, point: &[f64]) -> dynamic::Hessian<f64> {
    dynamic::hessian(problem, point)
}

/// The problem once more, since `Scalar` can't stand in for `Number`, which other crates' types have as well.
impl dynamic::Function for Rosenbrock {
    #[inline(always)]
    fn evaluate<S: Scalar>(&self, variables: &[S]) -> S {
        let hundred = S::Primitive::literal(100.0);
        let term = |x: S, next: S| (next - x * x).powi(2).scale(hundred) + (S::one() - x).powi(2);
        let first = term(variables[0], variables[1]);
        variables[1..].windows(2).fold(first, |sum, pair| sum + term(pair[0], pair[1]))
    }
}

#[inline(always)]
pub fn num_dual<const N: usize>(problem: &impl Problem<N>, point: [f64; N]) -> (f64, SVector<f64, N>, SMatrix<f64, N, N>) {
    let function = |variables: SVector<Dual2SVec64<N>, N>| problem.value(variables.as_slice());
    num_dual::hessian(function, &SVector::from(point))
}

/// For a number of variables known at run time.
pub fn num_dual_dynamic<const N: usize>(problem: &impl Problem<N>, point: &[f64]) -> (f64, DVector<f64>, DMatrix<f64>) {
    let function = |variables: DVector<HyperDual64>, &(): &()| problem.value(variables.as_slice());
    Gradients::hessian(function, &DVector::from_column_slice(point), &())
}

#[inline(always)]
pub fn hyperjet<const N: usize, const H: usize>(
    problem: &impl Problem<N>,
    point: [f64; N],
) -> (f64, [f64; N], [[f64; N]; N]) {
    differentiate2(point, |variables: [Jet2<N, H>; N]| problem.value(&variables))
}

/// As [`hyperjet`], with the variables on the heap: a hundred of them are 4 MB.
pub fn hyperjet_large<const N: usize, const H: usize>(
    problem: &impl Problem<N>,
    point: [f64; N],
) -> (f64, [f64; N], [[f64; N]; N]) {
    let variables: Vec<_> = point.iter().enumerate().map(|(i, &x)| Jet2::<N, H>::variable(x, i)).collect();
    let result = problem.value(&variables);
    (result.value, result.extract_grad(), result.extract_hess())
}

/// Dual numbers of dual numbers.
#[inline(always)]
pub fn echidna_nested<const N: usize>(problem: &impl Problem<N>, point: [f64; N]) -> DualVec<DualVec<f64, N>, N> {
    let variables: [_; N] = std::array::from_fn(|i| DualVec::with_tangent(DualVec::with_tangent(point[i], i), i));
    problem.value(&variables)
}

/// The recorded operations of the problem, which hold for any point as long as it has no branches.
pub fn echidna_tape<const N: usize>(problem: &impl Problem<N>, point: &[f64]) -> BytecodeTape<f64> {
    echidna::record(|variables| problem.value(variables), point).0
}

/// An answer of any of the crates.
pub trait Answer {
    /// The value, the gradient and the rows of the Hessian, one after the other.
    fn entries(&self) -> Vec<f64>;
}

fn joined<'a>(value: f64, gradient: &'a [f64], rows: impl IntoIterator<Item = &'a f64>) -> Vec<f64> {
    std::iter::once(value).chain(gradient.iter().chain(rows).copied()).collect()
}

impl<const N: usize> Answer for Hessian<f64, N> {
    fn entries(&self) -> Vec<f64> {
        joined(self.value, &self.gradient, self.hessian.as_flattened())
    }
}

impl Answer for dynamic::Hessian<f64> {
    fn entries(&self) -> Vec<f64> {
        joined(self.value, &self.gradient, &self.hessian)
    }
}

impl<const N: usize> Answer for (f64, SVector<f64, N>, SMatrix<f64, N, N>) {
    fn entries(&self) -> Vec<f64> {
        joined(self.0, self.1.as_slice(), &self.2)
    }
}

impl Answer for (f64, DVector<f64>, DMatrix<f64>) {
    fn entries(&self) -> Vec<f64> {
        joined(self.0, self.1.as_slice(), &self.2)
    }
}

impl<const N: usize> Answer for (f64, [f64; N], [[f64; N]; N]) {
    fn entries(&self) -> Vec<f64> {
        joined(self.0, &self.1, self.2.as_flattened())
    }
}

impl<const N: usize> Answer for DualVec<DualVec<f64, N>, N> {
    fn entries(&self) -> Vec<f64> {
        joined(self.re.re, &self.re.eps, self.eps.iter().flat_map(|row| &row.eps))
    }
}

impl Answer for (f64, Vec<f64>, Vec<Vec<f64>>) {
    fn entries(&self) -> Vec<f64> {
        joined(self.0, &self.1, self.2.iter().flatten())
    }
}
