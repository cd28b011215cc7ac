//! Second-order numbers for a block off the diagonal of a Hessian.

use super::departure::Departure;
use super::{Scalar, sealed};

/// A value with its first derivatives by two sets of variables and the second derivatives by one variable of each set.
///
/// What [`HyperDual`](super::HyperDual) is for a block on the diagonal of a Hessian, this is for one off it: `M` variables
/// on the left belong to the rows, `N` on the right to the columns. It is exactly 1 + M + N + MN scalars. With M = N = 1 it
/// is the hyper-dual number of the literature. The unit of entry (i, j) of the cross derivatives is that of the value over
/// those of variable i on the left and variable j on the right.
///
/// ```
/// use tapeless::RectangularHyperDual;
///
/// let x = RectangularHyperDual::<f64, 1, 1>::left_variable(3.0, 0);
/// let y = RectangularHyperDual::right_variable(2.0, 0);
/// let f = x * x * y;
/// assert_eq!(f.value(), 18.0);
/// assert_eq!((f.left(), f.right()), ([12.0], [9.0]));
/// assert_eq!(f.cross(), [[6.0]]);
/// ```
///
/// Comparisons are those of [`HyperDual`](super::HyperDual): `==` and `<` look at the value alone.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct RectangularHyperDual<T, const M: usize, const N: usize> {
    pub(super) value: T,
    pub(super) left: [T; M],
    pub(super) right: [T; N],
    pub(super) cross: [[T; N]; M],
}

impl<T: Scalar, const M: usize, const N: usize> RectangularHyperDual<T, M, N> {
    /// A number whose derivatives are zero.
    #[inline]
    pub fn constant(value: T) -> Self {
        Self::from_parts(value, [T::zero(); M], [T::zero(); N], [[T::zero(); N]; M])
    }

    /// Independent variable number `index` on the left. (An index of M or more gives a constant.)
    #[inline]
    pub fn left_variable(value: T, index: usize) -> Self {
        let mut variable = Self::constant(value);
        if let Some(derivative) = variable.left.get_mut(index) {
            *derivative = T::one();
        }
        variable
    }

    /// Independent variable number `index` on the right. (An index of N or more gives a constant.)
    #[inline]
    pub fn right_variable(value: T, index: usize) -> Self {
        let mut variable = Self::constant(value);
        if let Some(derivative) = variable.right.get_mut(index) {
            *derivative = T::one();
        }
        variable
    }

    /// A number from its value, first derivatives and cross derivatives.
    #[inline]
    pub fn from_parts(value: T, left: [T; M], right: [T; N], cross: [[T; N]; M]) -> Self {
        Self { value, left, right, cross }
    }

    /// The derivatives by the variables on the left.
    #[inline]
    pub fn left(&self) -> [T; M] {
        self.left
    }

    /// The derivatives by the variables on the right.
    #[inline]
    pub fn right(&self) -> [T; N] {
        self.right
    }

    /// Row i and column j: the derivative by variable i on the left and variable j on the right.
    #[inline]
    pub fn cross(&self) -> [[T; N]; M] {
        self.cross
    }

    #[inline(always)]
    pub(super) fn map(&self, f: impl Fn(T) -> T) -> Self {
        let mut result = Self::constant(f(self.value));
        result.set_first((self, self), |x, _| f(x));
        result.set_second((self, self), |_, _, _| T::zero(), |x, _, _| f(x));
        result
    }

    #[inline(always)]
    pub(super) fn zip(&self, other: &Self, f: impl Fn(T, T) -> T) -> Self {
        let mut result = Self::constant(f(self.value, other.value));
        result.set_first((self, other), &f);
        result.set_second((self, other), |_, _, _| T::zero(), |x, y, _| f(x, y));
        result
    }

    /// Sets the first derivatives to those that an operation makes of `a` and `b`; see `second_order.rs`.
    #[inline(always)]
    pub(super) fn set_first(&mut self, (a, b): (&Self, &Self), first: impl Fn(T, T) -> T) {
        self.left = core::array::from_fn(|i| first(a.left[i], b.left[i]));
        self.right = core::array::from_fn(|j| first(a.right[j], b.right[j]));
    }

    /// Sets the second derivatives, once the first ones are there; see `second_order.rs`.
    #[inline(always)]
    pub(super) fn set_second(
        &mut self,
        (a, b): (&Self, &Self),
        pair: impl Fn([T; 2], [T; 2], [T; 2]) -> T,
        second: impl Fn(T, T, T) -> T,
    ) {
        let (left, right) = (&self.left, &self.right);
        for (i, row) in self.cross.iter_mut().enumerate() {
            for (j, entry) in row.iter_mut().enumerate() {
                let cross = pair([a.left[i], a.right[j]], [b.left[i], b.right[j]], [left[i], right[j]]);
                *entry = second(a.cross[i][j], b.cross[i][j], cross);
            }
        }
    }

    #[inline(always)]
    pub(super) fn first_derivatives(&self) -> impl Iterator<Item = &T> {
        self.left.iter().chain(&self.right)
    }

    #[inline(always)]
    pub(crate) fn components(&self) -> impl Iterator<Item = &T> {
        core::iter::once(&self.value).chain(&self.left).chain(&self.right).chain(self.cross.as_flattened())
    }

    /// No second derivative is by one variable twice. Inside another number, whose variables may be the same as these, not
    /// even a first one is on the diagonal for sure.
    pub(super) fn visit_components(&self, order: u32, on_diagonal: bool, visitor: &mut dyn FnMut(u32, bool, T::Primitive)) {
        self.value.visit(order, on_diagonal, visitor);
        for first in self.first_derivatives() {
            first.visit(order + 1, on_diagonal && order == 0 && T::ORDER == 0, visitor);
        }
        for second in self.cross.as_flattened() {
            second.visit(order + 2, false, visitor);
        }
    }

    /// The second derivatives by one variable twice would be needed.
    pub(super) fn curvature(&self) -> Departure {
        Departure::Unknown
    }

    pub(super) fn first(&self, i: usize) -> Option<&T> {
        self.first_derivatives().nth(i)
    }
}

impl<T, const M: usize, const N: usize> sealed::Sealed for RectangularHyperDual<T, M, N> {}
