//! First-order numbers.

use num_traits::Float;

use super::departure::{Departure, of_quadratic_form};
use super::rule::{Jet, MAX_ORDER, Partials};
use super::strong::{is_finite, strong_product};
use super::{Scalar, sealed};

/// A dual number: a value and its gradient with respect to `N` variables.
///
/// The first-order sibling of [`HyperDual`](super::HyperDual), for where no second derivative is asked for. The unit of
/// entry i of the gradient is that of the value over that of variable i.
///
/// ```
/// use tapeless::Dual;
///
/// let [x, y] = Dual::variables([3.0, 2.0]);
/// let area = x * y;
/// assert_eq!(area.value(), 6.0);
/// assert_eq!(area.gradient(), [2.0, 3.0]);
/// ```
///
/// `==` and `<` look at the value alone, so that a program takes the branches of its plain version.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct Dual<T, const N: usize> {
    pub(super) value: T,
    pub(super) gradient: [T; N],
}

impl<T: Scalar, const N: usize> Dual<T, N> {
    /// A number whose gradient is zero.
    #[inline]
    pub fn constant(value: T) -> Self {
        Self { value, gradient: [T::zero(); N] }
    }

    /// A number from its value and gradient.
    #[inline]
    pub fn from_parts(value: T, gradient: [T; N]) -> Self {
        Self { value, gradient }
    }

    #[inline(always)]
    pub(super) fn map(self, f: impl Fn(T) -> T) -> Self {
        Self { value: f(self.value), gradient: self.gradient.map(&f) }
    }

    #[inline(always)]
    pub(super) fn zip(self, other: &Self, f: impl Fn(T, T) -> T) -> Self {
        Self {
            value: f(self.value, other.value),
            gradient: core::array::from_fn(|i| f(self.gradient[i], other.gradient[i])),
        }
    }

    #[inline(always)]
    fn build(value: T, entry: impl FnMut(usize) -> T) -> Self {
        Self { value, gradient: core::array::from_fn(entry) }
    }

    #[inline(always)]
    fn chain(&self, value: T, first: T) -> Self {
        let result = Self::build(value, |i| first * self.gradient[i]);
        if is_finite(result.gradient.iter().fold(T::zero(), |sum, &g| sum + g)) {
            return result;
        }
        Self::build(value, |i| strong_product(first, self.gradient[i]))
    }

    /// Derivatives times a plain factor, with the value given.
    #[inline(always)]
    pub(super) fn scaled(&self, value: T, factor: T) -> Self {
        if factor.is_zero() { Self::constant(value) } else { self.chain(value, factor) }
    }

    #[inline(always)]
    pub(super) fn product(&self, other: &Self) -> Self {
        let value = self.value * other.value;
        let result = Self::build(value, |i| self.value * other.gradient[i] + other.value * self.gradient[i]);
        if is_finite(result.gradient.iter().fold(T::zero(), |sum, &g| sum + g)) {
            return result;
        }
        // The constant 0 stays a constant, whatever it is multiplied with.
        if self.is_zero() || other.is_zero() {
            return Self::constant(value);
        }
        Self::build(value, |i| {
            strong_product(self.value, other.gradient[i]) + strong_product(other.value, self.gradient[i])
        })
    }

    #[inline(always)]
    pub(super) fn quotient(&self, other: &Self) -> Self {
        let value = self.value / other.value;
        let reciprocal = other.value.recip();
        let result = Self::build(value, |i| (self.gradient[i] - value * other.gradient[i]) * reciprocal);
        if reciprocal.is_normal() && is_finite(result.gradient.iter().fold(T::zero(), |sum, &g| sum + g)) {
            return result;
        }
        Self::build(value, |i| {
            let numerator = self.gradient[i] - strong_product(value, other.gradient[i]);
            if numerator.is_zero() { numerator } else { numerator / other.value }
        })
    }

    /// A function of two numbers from its local partials.
    #[inline]
    pub(super) fn combine(&self, other: &Self, p: Partials<T>) -> Self {
        Self::build(p.value, |i| strong_product(p.a, self.gradient[i]) + strong_product(p.b, other.gradient[i]))
    }

    #[inline(always)]
    pub(super) fn lift_jet(self, jet: &Jet<T::Primitive>, offset: usize) -> Self {
        const { assert!(T::ORDER < MAX_ORDER, "functions of numbers nested beyond order four are not supported") };
        self.chain(self.value.lift(jet, offset), self.value.lift(jet, offset + 1))
    }

    #[inline(always)]
    pub(crate) fn components(&self) -> impl Iterator<Item = &T> {
        core::iter::once(&self.value).chain(&self.gradient)
    }

    /// Shows the components: those by the same variable at this level and the one below are on the diagonal.
    pub(super) fn visit_components(&self, order: u32, on_diagonal: bool, visitor: &mut dyn FnMut(u32, bool, T::Primitive)) {
        self.value.visit(order, on_diagonal, visitor);
        for (i, g) in self.gradient.iter().enumerate() {
            let mut position = 0;
            g.visit(order + 1, on_diagonal, &mut |component_order, on_diagonal, component| {
                // The components of the level below by first order come in the order of its variables.
                let same_variable = component_order != order + 2 || position == i;
                position += usize::from(component_order == order + 2);
                visitor(component_order, on_diagonal && same_variable, component);
            });
        }
    }

    /// Second derivatives come from the level below, if that has first ones only and by the same variables.
    pub(super) fn curvature(&self) -> Departure {
        let entry = |i: usize, j: usize| self.gradient[i].first_order(j);
        let symmetric = (0..N).all(|i| (0..N).all(|j| entry(i, j).is_some() && entry(i, j) == entry(j, i)));
        if T::ORDER != 1 || !symmetric || N > 0 && self.gradient[0].first_order(N).is_some() {
            return Departure::Unknown;
        }
        of_quadratic_form::<_, N>(|i, j| entry(i, j).unwrap_or(T::Primitive::nan()))
    }

    pub(super) fn first(&self, i: usize) -> Option<&T> {
        self.gradient.get(i)
    }
}

impl<T, const N: usize> sealed::Sealed for Dual<T, N> {}
