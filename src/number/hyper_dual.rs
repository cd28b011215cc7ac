//! Second-order numbers.

use core::ops::Range;

use super::departure::{Departure, of_quadratic_form};
use super::packed::triangle_index;
use super::{Const, Packed, Scalar, sealed};

/// A hyper-dual number: a value, its gradient and its Hessian with respect to `N` variables (1 to 16).
///
/// The Hessian is symmetric and kept as its upper triangle, so the number is exactly 1 + N + N(N+1)/2 scalars, `Copy` and
/// `repr(C)`. `T` is `f32`, `f64`, or a dual number itself (nesting gives third and fourth derivatives). The unit of entry
/// (i, j) of the Hessian is that of the value over those of variables i and j.
///
/// ```
/// use tapeless::HyperDual;
///
/// let [x, y] = HyperDual::variables([3.0, 2.0]);
/// let f = x * x * y;
/// assert_eq!(f.value(), 18.0);
/// assert_eq!(f.gradient(), [12.0, 9.0]);
/// assert_eq!(f.hessian(), [[4.0, 6.0], [6.0, 0.0]]);
/// ```
///
/// `==` and `<` look at the value alone, so that a program takes the branches of its plain version; `is_zero` and `is_one`
/// look at every component.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct HyperDual<T: Scalar, const N: usize>
where
    Const<N>: Packed,
{
    pub(super) value: T,
    pub(super) gradient: [T; N],
    pub(super) triangle: <Const<N> as Packed>::Triangle<T>,
}

impl<T: Scalar, const N: usize> HyperDual<T, N>
where
    Const<N>: Packed,
{
    /// A number whose derivatives are zero.
    #[inline]
    pub fn constant(value: T) -> Self {
        Self { value, gradient: [T::zero(); N], triangle: Const::<N>::filled(T::zero()) }
    }

    /// A number from its value, gradient and the upper triangle of its Hessian, row by row: (0,0), (0,1), .., (1,1), ..
    #[inline]
    pub fn from_parts(value: T, gradient: [T; N], triangle: <Const<N> as Packed>::Triangle<T>) -> Self {
        Self { value, gradient, triangle }
    }

    /// The full Hessian, row i and column j the derivative by variables i and j.
    #[inline]
    pub fn hessian(&self) -> [[T; N]; N] {
        core::array::from_fn(|i| core::array::from_fn(|j| self.triangle.as_ref()[triangle_index(N, i, j)]))
    }

    /// The upper triangle of the Hessian, row by row: (0,0), (0,1), .., (1,1), ..
    #[inline]
    pub fn packed_hessian(&self) -> &[T] {
        self.triangle.as_ref()
    }

    /// The derivative by variables `i` and `j`, or `None` where there is no such variable.
    #[inline]
    pub fn second(&self, i: usize, j: usize) -> Option<T> {
        (i < N && j < N).then(|| self.triangle.as_ref()[triangle_index(N, i, j)])
    }

    #[inline(always)]
    pub(super) fn map(&self, f: impl Fn(T) -> T) -> Self {
        let mut result = Self::constant(T::zero());
        result.set_map(self, f);
        result
    }

    #[inline(always)]
    fn set_map(&mut self, x: &Self, f: impl Fn(T) -> T) {
        self.value = f(x.value);
        self.gradient = core::array::from_fn(|i| f(x.gradient[i]));
        self.set_rows(|_, range, row| {
            for (entry, &h) in row.iter_mut().zip(&x.triangle.as_ref()[range]) {
                *entry = f(h);
            }
        });
    }

    #[inline(always)]
    pub(super) fn zip(&self, other: &Self, f: impl Fn(T, T) -> T) -> Self {
        let mut result = Self::constant(T::zero());
        result.set_zip(self, other, f);
        result
    }

    #[inline(always)]
    fn set_zip(&mut self, x: &Self, y: &Self, f: impl Fn(T, T) -> T) {
        self.value = f(x.value, y.value);
        self.gradient = core::array::from_fn(|i| f(x.gradient[i], y.gradient[i]));
        self.set_rows(|_, range, row| {
            let (aa, bb) = (&x.triangle.as_ref()[range.clone()], &y.triangle.as_ref()[range]);
            for ((entry, &aa), &bb) in row.iter_mut().zip(aa).zip(bb) {
                *entry = f(aa, bb);
            }
        });
    }

    /// Writes each row of the triangle by `row(i, range, entries)`, where the range is that of the row in the triangle. Rows are
    /// cut once, so that the loops over them hold no checks and become vector instructions.
    #[inline(always)]
    fn set_rows(&mut self, row: impl Fn(usize, Range<usize>, &mut [T])) {
        Const::<N>::for_each_row(|i, range| row(i, range.clone(), &mut self.triangle.as_mut()[range]));
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
        let g = self.gradient;
        self.set_rows(|i, range, row| {
            let (aa, bb) = (&a.triangle.as_ref()[range.clone()], &b.triangle.as_ref()[range]);
            let columns = a.gradient[i..].iter().zip(&b.gradient[i..]).zip(&g[i..]);
            for (((entry, &aa), &bb), ((&a_j, &b_j), &g_j)) in row.iter_mut().zip(aa).zip(bb).zip(columns) {
                *entry = second(aa, bb, pair([a.gradient[i], a_j], [b.gradient[i], b_j], [g[i], g_j]));
            }
        });
    }

    #[inline(always)]
    pub(super) fn first_derivatives(&self) -> impl Iterator<Item = &T> {
        self.gradient.iter()
    }

    #[inline(always)]
    pub(crate) fn components(&self) -> impl Iterator<Item = &T> {
        core::iter::once(&self.value).chain(&self.gradient).chain(self.triangle.as_ref())
    }

    pub(super) fn visit_components(&self, order: u32, on_diagonal: bool, visitor: &mut dyn FnMut(u32, bool, T::Primitive)) {
        self.value.visit(order, on_diagonal, visitor);
        // With several variables, components of nested levels can't be told apart here.
        let below_on_diagonal = on_diagonal && (N == 1 || T::ORDER == 0);
        for (i, g) in self.gradient.iter().enumerate() {
            g.visit(order + 1, below_on_diagonal, visitor);
            for j in i..N {
                let h = self.triangle.as_ref()[triangle_index(N, i, j)];
                h.visit(order + 2, below_on_diagonal && i == j, visitor);
            }
        }
    }

    pub(super) fn curvature(&self) -> Departure {
        if T::ORDER > 0 {
            return Departure::Unknown;
        }
        of_quadratic_form::<_, N>(|i, j| self.triangle.as_ref()[triangle_index(N, i, j)].primitive())
    }

    pub(super) fn first(&self, i: usize) -> Option<&T> {
        self.gradient.get(i)
    }
}

impl<T: Scalar, const N: usize> sealed::Sealed for HyperDual<T, N> where Const<N>: Packed {}
