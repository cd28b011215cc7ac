//! Second-order numbers.

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

    /// Independent variable number `index`. (An index of N or more gives a constant.)
    #[inline]
    pub fn variable(value: T, index: usize) -> Self {
        let mut variable = Self::constant(value);
        if let Some(derivative) = variable.gradient.get_mut(index) {
            *derivative = T::one();
        }
        variable
    }

    /// All `N` independent variables at a point.
    #[inline]
    pub fn variables(point: [T; N]) -> [Self; N] {
        core::array::from_fn(|i| Self::variable(point[i], i))
    }

    /// A number from its value, gradient and the upper triangle of its Hessian, row by row: (0,0), (0,1), .., (1,1), ..
    #[inline]
    pub fn from_parts(value: T, gradient: [T; N], triangle: <Const<N> as Packed>::Triangle<T>) -> Self {
        Self { value, gradient, triangle }
    }

    /// The gradient.
    #[inline]
    pub fn gradient(&self) -> [T; N] {
        self.gradient
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
    pub(super) fn map(mut self, f: impl Fn(T) -> T) -> Self {
        self.value = f(self.value);
        self.gradient = self.gradient.map(&f);
        for h in self.triangle.as_mut() {
            *h = f(*h);
        }
        self
    }

    #[inline(always)]
    pub(super) fn zip(mut self, other: &Self, f: impl Fn(T, T) -> T) -> Self {
        self.value = f(self.value, other.value);
        for (a, b) in self.gradient.iter_mut().zip(&other.gradient) {
            *a = f(*a, *b);
        }
        for (a, b) in self.triangle.as_mut().iter_mut().zip(other.triangle.as_ref()) {
            *a = f(*a, *b);
        }
        self
    }

    /// The number that an operation makes of `a` and `b`; see `second_order.rs`.
    #[inline(always)]
    pub(super) fn build(
        (a, b): (&Self, &Self),
        value: T,
        first: impl Fn(T, T) -> T,
        pair: impl Fn([T; 2], [T; 2], [T; 2]) -> T,
        second: impl Fn(T, T, T) -> T,
    ) -> (Self, u64) {
        let gradient: [T; N] = core::array::from_fn(|i| first(a.gradient[i], b.gradient[i]));
        let mut result = Self { value, gradient, triangle: Const::<N>::filled(T::zero()) };
        let mut bits = gradient.iter().fold(0, |bits, g| bits | g.non_finite_bits());
        let (triangle, aa, bb) = (result.triangle.as_mut(), a.triangle.as_ref(), b.triangle.as_ref());
        let mut k = 0;
        for i in 0..N {
            for j in i..N {
                let of = |gradient: &[T; N]| [gradient[i], gradient[j]];
                let entry = second(aa[k], bb[k], pair(of(&a.gradient), of(&b.gradient), of(&gradient)));
                triangle[k] = entry;
                bits |= entry.non_finite_bits();
                k += 1;
            }
        }
        (result, bits)
    }

    #[inline(always)]
    pub(super) fn components(&self) -> impl Iterator<Item = &T> {
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
