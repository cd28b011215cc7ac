//! The trait of everything that a generic function can be run on.

use core::fmt::{Debug, Display, LowerExp};
use core::iter::{Product, Sum};

use num_traits::{Float, FloatConst, FromPrimitive, NumAssign};

use super::departure::Departure;
use super::rule::{self, Jet};
use super::{Real, sealed};

/// A number that a generic function can be run on: `f32`, `f64`, [`Dual`](super::Dual) and
/// [`HyperDual`](super::HyperDual) of any nesting up to order four.
///
/// Everything of [`num_traits::Float`] is there (`sin`, `exp`, `powi`, ..); this trait adds what `Float` lacks. A function
/// written for `S: Scalar` gives its plain value when it is run on floats, and bit for bit the same value, with exact
/// derivatives beside it, when it is run on dual numbers.
///
/// ```
/// use tapeless::{hessian, Scalar};
///
/// fn rosenbrock<S: Scalar>([x, y]: [S; 2]) -> S {
///     let (one, hundred) = (S::one(), S::literal(100.0));
///     (one - x).powi(2) + hundred * (y - x * x).powi(2)
/// }
///
/// assert_eq!(rosenbrock([1.5, 2.0]), 6.5);
/// let at = hessian(rosenbrock, [1.5, 2.0]);
/// assert_eq!(at.value, 6.5);
/// assert_eq!(at.gradient, [151.0, -50.0]);
/// assert_eq!(at.hessian, [[1902.0, -600.0], [-600.0, 200.0]]);
/// ```
///
/// Sealed: it can't be implemented elsewhere.
pub trait Scalar:
    Float
    + FloatConst
    + FromPrimitive
    + NumAssign
    + Sum
    + Product
    + Default
    + Debug
    + Display
    + LowerExp
    + Send
    + Sync
    + 'static
    + sealed::Sealed
{
    /// The plain float at the bottom: `f64` for `HyperDual<f64, 3>` and for `Dual<HyperDual<f64, 3>, 2>`.
    type Primitive: Real;

    /// The highest order of derivative that is carried: 0 for a plain float, 1 for `Dual`, 2 for `HyperDual`, added up
    /// when nested.
    const ORDER: usize;

    /// A constant written in the source, rounded to the plain float's precision; its derivatives are zero.
    fn literal(value: f64) -> Self {
        Self::lifted(<Self::Primitive as FromPrimitive>::from_f64(value).unwrap_or(Self::Primitive::nan()))
    }

    /// A plain float as a constant; its derivatives are zero.
    fn lifted(value: Self::Primitive) -> Self;

    /// The plain value, without any derivative.
    fn primitive(&self) -> Self::Primitive;

    /// The product with a plain float.
    fn scale(self, factor: Self::Primitive) -> Self;

    /// Adds `x * factor`, component by component: without the care that [`scale`](Scalar::scale) takes of infinities.
    #[doc(hidden)]
    fn add_scaled(&mut self, x: &Self, factor: Self::Primitive);

    /// Whether every component, the derivatives included, has the same bits as in `other`. (`==` compares values only.)
    fn same(&self, other: &Self) -> bool;

    /// The error function 2/sqrt(pi) integral of exp(-t^2) from 0 to x.
    fn erf(self) -> Self {
        self.lift(&rule::erf(self.primitive()), 0)
    }

    /// The complementary error function 1 - erf(x), accurate also where it is tiny.
    fn erfc(self) -> Self {
        self.lift(&rule::erfc(self.primitive()), 0)
    }

    /// The logistic function 1/(1 + exp(-x)).
    fn sigmoid(self) -> Self {
        self.lift(&rule::sigmoid(self.primitive()), 0)
    }

    /// ln(1 + exp(x)), exact everywhere (no threshold from which on it would be x).
    fn softplus(self) -> Self {
        self.lift(&rule::softplus(self.primitive()), 0)
    }

    /// x sigmoid(x), also called swish.
    fn silu(self) -> Self {
        self.lift(&rule::silu(self.primitive()), 0)
    }

    /// x Phi(x) with the normal distribution function Phi: the exact GELU, which is PyTorch's default.
    fn gelu(self) -> Self {
        self.lift(&rule::gelu(self.primitive()), 0)
    }

    /// The tanh form of GELU, x/2 (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3))). It differs from [`gelu`](Scalar::gelu) by up to
    /// 5e-4 in value and more in curvature: take the one the weights were trained with.
    fn gelu_tanh(self) -> Self {
        self.lift(&rule::gelu_tanh(self.primitive()), 0)
    }

    /// x tanh(softplus(x)).
    fn mish(self) -> Self {
        self.lift(&rule::mish(self.primitive()), 0)
    }

    /// sin(x)/x (not normalised by pi), 1 at 0; the spherical Bessel function j0.
    fn sinc(self) -> Self {
        self.lift(&rule::sinc(self.primitive()), 0)
    }

    /// exp(-x^2).
    fn gaussian(self) -> Self {
        self.lift(&rule::gaussian(self.primitive()), 0)
    }

    /// max(x, 0), with slope 0 at 0 as in PyTorch.
    fn relu(self) -> Self {
        self.lift(&rule::relu(self.primitive()), 0)
    }

    /// x for x > 0, else `slope` * x.
    fn leaky_relu(self, slope: Self::Primitive) -> Self {
        self.lift(&rule::leaky_relu(self.primitive(), slope), 0)
    }

    /// x for x > 0, else `alpha` (exp(x) - 1); at 0 the left side's derivatives, as in PyTorch.
    fn elu(self, alpha: Self::Primitive) -> Self {
        self.lift(&rule::elu(self.primitive(), alpha), 0)
    }

    /// The function whose value and derivatives at the plain value are `jet[offset..]`, with the chain rule applied.
    #[doc(hidden)]
    fn lift(self, jet: &Jet<Self::Primitive>, offset: usize) -> Self;

    /// The i-th derivative by x and the j-th by y of x^y, where x is `self` with value 0 and y the exponent.
    #[doc(hidden)]
    fn power_at_zero(self, exponent: Self, i: u32, j: u32) -> Self;

    /// Zero exactly where every component is finite.
    #[doc(hidden)]
    fn non_finite_bits(self) -> u64;

    /// Whether all derivatives are zero, at every level of nesting.
    #[doc(hidden)]
    fn is_constant(&self) -> bool;

    /// Shows every component with the order of the derivative that it is, counted from `order`, and whether it is by one
    /// and the same direction at every level.
    #[doc(hidden)]
    fn visit(&self, order: u32, on_diagonal: bool, visitor: &mut dyn FnMut(u32, bool, Self::Primitive));

    /// The plain derivative by variable `i` of the outermost level.
    #[doc(hidden)]
    fn first_order(&self, i: usize) -> Option<Self::Primitive>;

    /// To which side a number with value and slope 0 leaves 0.
    #[doc(hidden)]
    fn curvature_departure(&self) -> Departure;
}

macro_rules! plain_float {
    ($float:ty) => {
        impl sealed::Sealed for $float {}

        impl Scalar for $float {
            type Primitive = $float;
            const ORDER: usize = 0;

            #[inline]
            fn literal(value: f64) -> Self {
                value as $float
            }

            #[inline]
            fn lifted(value: $float) -> Self {
                value
            }

            #[inline]
            fn primitive(&self) -> $float {
                *self
            }

            #[inline]
            fn scale(self, factor: $float) -> Self {
                self * factor
            }

            #[inline(always)]
            fn add_scaled(&mut self, x: &Self, factor: $float) {
                *self += x * factor;
            }

            #[inline]
            fn same(&self, other: &Self) -> bool {
                self.to_bits() == other.to_bits()
            }

            #[inline(always)]
            fn lift(self, jet: &Jet<$float>, offset: usize) -> Self {
                jet[offset]
            }

            fn power_at_zero(self, exponent: $float, i: u32, j: u32) -> Self {
                rule::power_at_zero(exponent, i, j)
            }

            #[inline(always)]
            fn non_finite_bits(self) -> u64 {
                {
                    let bits = (self - self).to_bits();
                    bits.into()
                }
            }

            #[inline]
            fn is_constant(&self) -> bool {
                true
            }

            fn visit(&self, order: u32, on_diagonal: bool, visitor: &mut dyn FnMut(u32, bool, $float)) {
                visitor(order, on_diagonal, *self);
            }

            fn first_order(&self, _: usize) -> Option<$float> {
                None
            }

            fn curvature_departure(&self) -> Departure {
                Departure::Neither
            }
        }
    };
}

plain_float!(f32);
plain_float!(f64);
