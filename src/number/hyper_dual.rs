//! Second-order numbers.

use super::departure::{Departure, of_quadratic_form};
use super::packed::triangle_index;
use super::rule::{Jet, MAX_ORDER, Partials};
use super::strong::{strong_product, tangent_product};
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

    /// The number with gradient entries `first(i)` and Hessian entries `second(k, i, j, gradient)`, where k is the position
    /// of (i, j) in the triangle, and the bits of all that are not finite. The one loop over the triangle.
    #[inline(always)]
    fn build(value: T, first: impl Fn(usize) -> T, second: impl Fn(usize, usize, usize, &[T; N]) -> T) -> (Self, u64) {
        let gradient: [T; N] = core::array::from_fn(first);
        let mut result = Self { value, gradient, triangle: Const::<N>::filled(T::zero()) };
        let mut bits = gradient.iter().fold(0, |bits, g| bits | g.non_finite_bits());
        let triangle = result.triangle.as_mut();
        let mut k = 0;
        for i in 0..N {
            for j in i..N {
                let entry = second(k, i, j, &gradient);
                triangle[k] = entry;
                bits |= entry.non_finite_bits();
                k += 1;
            }
        }
        (result, bits)
    }

    #[inline(always)]
    fn chain(&self, value: T, first: T, second: T) -> Self {
        let (g, h) = (&self.gradient, self.triangle.as_ref());
        let (result, bits) = Self::build(value, |i| first * g[i], |k, i, j, _| first * h[k] + second * g[i] * g[j]);
        if bits == 0 { result } else { self.chain_singular(value, first, second) }
    }

    #[cold]
    #[inline(never)]
    fn chain_singular(&self, value: T, first: T, second: T) -> Self {
        let (g, h) = (&self.gradient, self.triangle.as_ref());
        // A function without curvature adds none, however steep its argument is.
        let curvature = |u, v| if second.is_zero() { second } else { strong_product(strong_product(second, u), v) };
        Self::build(
            value,
            |i| strong_product(first, g[i]),
            |k, i, j, _| strong_product(first, h[k]) + curvature(g[i], g[j]),
        )
        .0
    }

    /// Derivatives times a plain factor, with the value given.
    #[inline(always)]
    pub(super) fn scaled(&self, value: T, factor: T) -> Self {
        let (g, h) = (&self.gradient, self.triangle.as_ref());
        let (result, bits) = Self::build(value, |i| factor * g[i], |k, _, _, _| factor * h[k]);
        if bits == 0 {
            return result;
        }
        if factor.is_zero() {
            return Self::constant(value);
        }
        Self::build(value, |i| strong_product(factor, g[i]), |k, _, _, _| strong_product(factor, h[k])).0
    }

    #[inline(always)]
    pub(super) fn product(&self, other: &Self) -> Self {
        let value = self.value * other.value;
        let (a, b) = (&self.gradient, &other.gradient);
        let (aa, bb) = (self.triangle.as_ref(), other.triangle.as_ref());
        let (result, bits) = Self::build(
            value,
            |i| self.value * b[i] + other.value * a[i],
            |k, i, j, _| self.value * bb[k] + other.value * aa[k] + (a[i] * b[j] + a[j] * b[i]),
        );
        if bits == 0 { result } else { self.product_singular(other, value) }
    }

    #[cold]
    #[inline(never)]
    fn product_singular(&self, other: &Self, value: T) -> Self {
        // The constant 0 stays a constant, whatever it is multiplied with.
        if self.is_zero() || other.is_zero() {
            return Self::constant(value);
        }
        let (a, b) = (&self.gradient, &other.gradient);
        let (aa, bb) = (self.triangle.as_ref(), other.triangle.as_ref());
        Self::build(
            value,
            |i| strong_product(self.value, b[i]) + strong_product(other.value, a[i]),
            |k, i, j, _| {
                strong_product(self.value, bb[k])
                    + strong_product(other.value, aa[k])
                    + (tangent_product(a[i], b[j]) + tangent_product(a[j], b[i]))
            },
        )
        .0
    }

    /// (a'' - q' b' - b' q' - q b'') / b: the difference comes before the division, so that it keeps its digits.
    #[inline(always)]
    pub(super) fn quotient(&self, other: &Self) -> Self {
        let q = self.value / other.value;
        let reciprocal = other.value.recip();
        let (a, b) = (&self.gradient, &other.gradient);
        let (aa, bb) = (self.triangle.as_ref(), other.triangle.as_ref());
        let (result, bits) = Self::build(
            q,
            |i| (a[i] - q * b[i]) * reciprocal,
            |k, i, j, g| (aa[k] - q * bb[k] - (g[i] * b[j] + g[j] * b[i])) * reciprocal,
        );
        if bits == 0 && reciprocal.is_normal() { result } else { self.quotient_singular(other, q) }
    }

    #[cold]
    #[inline(never)]
    fn quotient_singular(&self, other: &Self, q: T) -> Self {
        let (a, b) = (&self.gradient, &other.gradient);
        let (aa, bb) = (self.triangle.as_ref(), other.triangle.as_ref());
        let divided = |numerator: T| if numerator.is_zero() { numerator } else { numerator / other.value };
        Self::build(
            q,
            |i| divided(a[i] - strong_product(q, b[i])),
            |k, i, j, g| {
                let cross = strong_product(g[i], b[j]) + strong_product(g[j], b[i]);
                divided(aa[k] - strong_product(q, bb[k]) - cross)
            },
        )
        .0
    }

    /// A function of two numbers from its local partials.
    #[inline(never)]
    pub(super) fn combine(&self, other: &Self, p: Partials<T>) -> Self {
        let (a, b) = (&self.gradient, &other.gradient);
        let (aa, bb) = (self.triangle.as_ref(), other.triangle.as_ref());
        Self::build(
            p.value,
            |i| strong_product(p.a, a[i]) + strong_product(p.b, b[i]),
            |k, i, j, _| {
                let curvature = |second, u: T, v: T| strong_product(strong_product(second, u), v);
                strong_product(p.a, aa[k])
                    + strong_product(p.b, bb[k])
                    + curvature(p.aa, a[i], a[j])
                    + (curvature(p.ab, a[i], b[j]) + curvature(p.ab, a[j], b[i]))
                    + curvature(p.bb, b[i], b[j])
            },
        )
        .0
    }

    #[inline(always)]
    pub(super) fn lift_jet(self, jet: &Jet<T::Primitive>, offset: usize) -> Self {
        const { assert!(T::ORDER + 1 < MAX_ORDER, "functions of numbers nested beyond order four are not supported") };
        self.chain(self.value.lift(jet, offset), self.value.lift(jet, offset + 1), self.value.lift(jet, offset + 2))
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
}

impl<T: Scalar, const N: usize> sealed::Sealed for HyperDual<T, N> where Const<N>: Packed {}
