//! Second-order numbers that carry one weighted sum of second derivatives.

use super::departure::Departure;
use super::{Scalar, sealed};

/// A value with its derivatives along `N` directions u and `N` directions v, and the sum over k of the second derivatives
/// along u_k and v_k: 2N + 2 scalars.
///
/// With u_k the k-th axis and v_k the k-th row of a matrix A of weights, that sum is the second-order form sum of
/// A_kj f_kj over all pairs of variables. A need be neither symmetric nor definite, and no root of it is taken.
///
/// For numbers x and y with forms Dx, Dy and derivatives along the directions as indices, and a function f:
///
#[doc = include_str!("../../docs/formulas/second_order_form.html")]
///
/// ```
/// use tapeless::FormDual;
///
/// // The wave operator f_tt - 4 f_xx.
/// let [t, x] = FormDual::variables([0.5, 2.0], [[1.0, 0.0], [0.0, -4.0]]);
/// let f = t * t * x * x;
/// assert_eq!(f.value(), 1.0);
/// assert_eq!(f.left(), [4.0, 1.0]);
/// assert_eq!(f.form(), 8.0 - 4.0 * 0.5);
/// ```
///
/// Comparisons are those of [`HyperDual`](super::HyperDual): `==` and `<` look at the value alone.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct FormDual<T, const N: usize> {
    pub(super) value: T,
    pub(super) left: [T; N],
    pub(super) right: [T; N],
    pub(super) form: T,
}

impl<T: Scalar, const N: usize> FormDual<T, N> {
    /// A number whose derivatives are zero.
    #[inline]
    pub fn constant(value: T) -> Self {
        Self::from_parts(value, [T::zero(); N], [T::zero(); N], T::zero())
    }

    /// All `N` independent variables at a point, for the second derivatives weighted with `weights`.
    #[inline]
    pub fn variables(point: [T; N], weights: [[T; N]; N]) -> [Self; N] {
        core::array::from_fn(|i| {
            let mut variable = Self::constant(point[i]);
            variable.left[i] = T::one();
            variable.right = weights.map(|row| row[i]);
            variable
        })
    }

    /// A number from its value, its derivatives along the directions u and v, and the form.
    #[inline]
    pub fn from_parts(value: T, left: [T; N], right: [T; N], form: T) -> Self {
        Self { value, left, right, form }
    }

    /// The derivatives along the directions u: the gradient, where those are the axes.
    #[inline]
    pub fn left(&self) -> [T; N] {
        self.left
    }

    /// The derivatives along the directions v.
    #[inline]
    pub fn right(&self) -> [T; N] {
        self.right
    }

    /// The sum over k of the second derivatives along u_k and v_k.
    #[inline]
    pub fn form(&self) -> T {
        self.form
    }

    #[inline(always)]
    pub(super) fn map(self, f: impl Fn(T) -> T) -> Self {
        Self { value: f(self.value), left: self.left.map(&f), right: self.right.map(&f), form: f(self.form) }
    }

    #[inline(always)]
    pub(super) fn zip(self, other: &Self, f: impl Fn(T, T) -> T) -> Self {
        Self {
            value: f(self.value, other.value),
            left: core::array::from_fn(|i| f(self.left[i], other.left[i])),
            right: core::array::from_fn(|i| f(self.right[i], other.right[i])),
            form: f(self.form, other.form),
        }
    }

    /// Sets the first derivatives to those that an operation makes of `a` and `b`; see `second_order.rs`.
    #[inline(always)]
    pub(super) fn set_first(&mut self, (a, b): (&Self, &Self), first: impl Fn(T, T) -> T) {
        self.left = core::array::from_fn(|k| first(a.left[k], b.left[k]));
        self.right = core::array::from_fn(|k| first(a.right[k], b.right[k]));
    }

    /// Sets the second derivatives, once the first ones are there; see `second_order.rs`.
    #[inline(always)]
    pub(super) fn set_second(
        &mut self,
        (a, b): (&Self, &Self),
        pair: impl Fn([T; 2], [T; 2], [T; 2]) -> T,
        second: impl Fn(T, T, T) -> T,
    ) {
        let of = |k| pair([a.left[k], a.right[k]], [b.left[k], b.right[k]], [self.left[k], self.right[k]]);
        self.form = second(a.form, b.form, (0..N).fold(T::zero(), |sum, k| sum + of(k)));
    }

    #[inline(always)]
    pub(super) fn first_derivatives(&self) -> impl Iterator<Item = &T> {
        self.left.iter().chain(&self.right)
    }

    #[inline(always)]
    pub(crate) fn components(&self) -> impl Iterator<Item = &T> {
        core::iter::once(&self.value).chain(&self.left).chain(&self.right).chain(core::iter::once(&self.form))
    }

    /// The directions may be any, so inside another number not even a first derivative is on the diagonal for sure.
    pub(super) fn visit_components(&self, order: u32, on_diagonal: bool, visitor: &mut dyn FnMut(u32, bool, T::Primitive)) {
        self.value.visit(order, on_diagonal, visitor);
        for first in self.first_derivatives() {
            first.visit(order + 1, on_diagonal && order == 0 && T::ORDER == 0, visitor);
        }
        self.form.visit(order + 2, false, visitor);
    }

    /// Of several second derivatives the sum alone is known.
    pub(super) fn curvature(&self) -> Departure {
        Departure::Unknown
    }

    pub(super) fn first(&self, i: usize) -> Option<&T> {
        self.first_derivatives().nth(i)
    }
}

impl<T, const N: usize> sealed::Sealed for FormDual<T, N> {}
