//! Second-order numbers that carry the Laplacian alone.

use super::departure::Departure;
use super::{Scalar, sealed};

/// A value with its gradient by `N` variables and its Laplacian, the trace of the Hessian: N + 2 scalars.
///
/// The Laplacian of a function of numbers needs their gradients and Laplacians only, so where it is asked for, the Hessian
/// need not be carried. Its unit is that of the value over that of the variables squared. Variables with other directions
/// than the axes (by [`from_parts`](TraceDual::from_parts)) give the sum of the second derivatives along the directions.
///
/// For numbers x and y with first derivatives x_i, y_i and Laplacians Δx, Δy, and a function f:
///
#[doc = include_str!("../../docs/formulas/laplacian.html")]
///
/// ```
/// use tapeless::TraceDual;
///
/// let [x, y] = TraceDual::variables([3.0, 2.0]);
/// let f = x * x * y;
/// assert_eq!(f.value(), 18.0);
/// assert_eq!(f.gradient(), [12.0, 9.0]);
/// assert_eq!(f.laplacian(), 4.0);
/// ```
///
/// Comparisons are those of [`HyperDual`](super::HyperDual): `==` and `<` look at the value alone.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct TraceDual<T, const N: usize> {
    pub(super) value: T,
    pub(super) gradient: [T; N],
    pub(super) laplacian: T,
}

impl<T: Scalar, const N: usize> TraceDual<T, N> {
    /// A number whose derivatives are zero.
    #[inline]
    pub fn constant(value: T) -> Self {
        Self::from_parts(value, [T::zero(); N], T::zero())
    }

    /// A number from its value, gradient and Laplacian.
    #[inline]
    pub fn from_parts(value: T, gradient: [T; N], laplacian: T) -> Self {
        Self { value, gradient, laplacian }
    }

    /// The sum of the second derivatives by each variable twice.
    #[inline]
    pub fn laplacian(&self) -> T {
        self.laplacian
    }

    #[inline(always)]
    pub(super) fn map(self, f: impl Fn(T) -> T) -> Self {
        Self { value: f(self.value), gradient: self.gradient.map(&f), laplacian: f(self.laplacian) }
    }

    #[inline(always)]
    pub(super) fn zip(self, other: &Self, f: impl Fn(T, T) -> T) -> Self {
        Self {
            value: f(self.value, other.value),
            gradient: core::array::from_fn(|i| f(self.gradient[i], other.gradient[i])),
            laplacian: f(self.laplacian, other.laplacian),
        }
    }

    /// Sets the first derivatives to those that an operation makes of `a` and `b`; see `second_order.rs`.
    #[inline(always)]
    pub(super) fn set_first(&mut self, (a, b): (&Self, &Self), first: impl Fn(T, T) -> T) {
        self.gradient = core::array::from_fn(|i| first(a.gradient[i], b.gradient[i]));
    }

    /// Sets the second derivatives, once the first ones are there; see `second_order.rs`.
    #[inline(always)]
    pub(super) fn set_second(
        &mut self,
        (a, b): (&Self, &Self),
        pair: impl Fn([T; 2], [T; 2], [T; 2]) -> T,
        second: impl Fn(T, T, T) -> T,
    ) {
        let of = |i| pair([a.gradient[i]; 2], [b.gradient[i]; 2], [self.gradient[i]; 2]);
        self.laplacian = second(a.laplacian, b.laplacian, (0..N).fold(T::zero(), |sum, i| sum + of(i)));
    }

    #[inline(always)]
    pub(super) fn first_derivatives(&self) -> impl Iterator<Item = &T> {
        self.gradient.iter()
    }

    #[inline(always)]
    pub(crate) fn components(&self) -> impl Iterator<Item = &T> {
        core::iter::once(&self.value).chain(&self.gradient).chain(core::iter::once(&self.laplacian))
    }

    pub(super) fn visit_components(&self, order: u32, on_diagonal: bool, visitor: &mut dyn FnMut(u32, bool, T::Primitive)) {
        self.value.visit(order, on_diagonal, visitor);
        // With several variables, components of nested levels can't be told apart here.
        for g in &self.gradient {
            g.visit(order + 1, on_diagonal && (N == 1 || T::ORDER == 0), visitor);
        }
        self.laplacian.visit(order + 2, on_diagonal && N == 1, visitor);
    }

    /// Of several second derivatives the sum alone is known.
    pub(super) fn curvature(&self) -> Departure {
        Departure::Unknown
    }

    pub(super) fn first(&self, i: usize) -> Option<&T> {
        self.gradient.get(i)
    }
}

impl<T, const N: usize> sealed::Sealed for TraceDual<T, N> {}
