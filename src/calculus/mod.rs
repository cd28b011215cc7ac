//! Drivers: derivatives of a generic function at a point.
//!
//! Those here take a closure on an array of numbers and run it once, on numbers that carry the derivatives along; they
//! allocate nothing. A closure needs no annotation; a function that is to run on plain floats as well is written for
//! `S: Scalar`. (One thing that the compiler can't guess: `(2.0 * x).sin()` at a point of bare literals such as
//! `[1.0, 2.0]`; write `1.0_f64` or `x * 2.0`.) Every driver has a form `try_..` for a closure that returns a `Result`.
#![cfg_attr(
    feature = "alloc",
    doc = "Those for slices, with any number of variables known at run time, are in [`dynamic`]."
)]
//!
//! | driver | gives | numbers it runs the function on | scalars in each |
//! |---|---|---|---|
//! | [`gradient`] | value, gradient | `Dual<T, N>` | 1 + N |
//! | [`jacobian`] | values, Jacobian | `Dual<T, N>` | 1 + N |
//! | [`hessian`] | value, gradient, Hessian | `HyperDual<T, N>` | 1 + N + N(N+1)/2 |
//! | [`hessians`] | the same of every output | `HyperDual<T, N>` | 1 + N + N(N+1)/2 |
//! | [`hessian_vector_products`] | value, gradient, H v for P vectors | `RectangularHyperDual<T, N, P>` | 1 + N + P + NP |
//! | [`laplacian`] | value, gradient, Laplacian | `TraceDual<T, N>` | 2 + N |
//! | [`second_order_form`] | value, gradient, weighted sum of second derivatives | `FormDual<T, N>` | 2 + 2N |
//! | [`second_derivative`], [`second_along`] | first and second derivative | `HyperDual<T, 1>` | 3 |
//! | [`third_along`] | .. and the third | `Dual<HyperDual<T, 1>, 1>` | 6 |
//! | [`fourth_along`] | .. and the fourth | `HyperDual<HyperDual<T, 1>, 1>` | 9 |
//! | [`implicit`], [`implicit_system`] | an unknown given by equations, as a number | `Dual<S, 1>`, `Dual<S, M>` | (1 + M) of S |
//!
//! # Drivers within drivers, and what the types catch
//!
//! An inner driver differentiates at numbers of the outer one, so its own numbers are those numbers' duals, of another type:
//!
//! ```
//! use tapeless::{gradient, Dual};
//!
//! // d/dx (x d/dy (x + y)) = 1. The inner point is lifted to the outer numbers.
//! let at = gradient(|[x]| x * gradient(|[y]| y + x, [Dual::constant(1.0)]).gradient[0], [1.0]);
//! assert_eq!(at.gradient, [1.0]);
//! ```
//!
//! Numbers of different levels and of different sets of variables don't mix:
//!
//! ```compile_fail,E0277
//! # use tapeless::{Dual, HyperDual};
//! let inner = Dual::<f64, 2>::variable(1.0, 0);
//! let outer = Dual::<Dual<f64, 2>, 1>::variable(inner, 0);
//! let other = HyperDual::<f64, 1>::variable(1.0, 0) * outer; // another kind of number
//! ```
//!
//! ```compile_fail,E0277
//! # use tapeless::HyperDual;
//! let (x, y) = (HyperDual::<f64, 2>::variable(1.0, 0), HyperDual::<f64, 3>::variable(1.0, 1));
//! let product = x * y; // of 2 and of 3 variables
//! ```
//!
//! ```compile_fail,E0527
//! let at = tapeless::hessian(|[x, y, z]| x * y * z, [1.0, 2.0]); // a point of 2 for a function of 3
//! ```
//!
//! ```compile_fail,E0308
//! # use tapeless::calculus::hessian_vector_products;
//! let at = hessian_vector_products(|[x, y]| x * y, [1.0, 2.0], [[1.0, 0.0, 0.0]]); // a vector of 3 for 2 variables
//! ```
//!
//! ```compile_fail
//! # use tapeless::HyperDual;
//! type Number = HyperDual<HyperDual<HyperDual<f64, 1>, 1>, 1>;
//! let sine = Number::constant(HyperDual::constant(HyperDual::constant(1.0))).sin(); // order six
//! ```
//!
//! One mistake a closure can still make: with the same number type on both levels, as in
//! `gradient(|[x]| x * gradient(|[y]| y + x, [1.0]).gradient[0], [1.0])`, x counts as a variable of the inner level. A function
//! that is generic over its scalar can't make it:
#![cfg_attr(
    feature = "alloc",
    doc = r"
```compile_fail,E0308
# use tapeless::{dynamic, function, gradient, Dual};
gradient(
    |[x]: [Dual<f64, 1>; 1]| {
        let inner = function!([x: Dual<f64, 1>] |y: &[S]| y[0] + *x); // x is of the outer level
        x * dynamic::gradient(&inner, &[1.0]).gradient[0]
    },
    [1.0],
);
```
"
)]

mod direction;
#[cfg(feature = "alloc")]
pub mod dynamic;
mod gradient;
mod hessian;
mod hessian_vector;
mod implicit;
mod jacobian;
mod laplacian;
mod second_order_form;

pub use direction::{
    SecondDerivative, fourth_along, second_along, second_derivative, third_along, try_fourth_along, try_second_along,
    try_second_derivative, try_third_along,
};
pub use gradient::{Gradient, gradient, try_gradient};
pub use hessian::{Hessian, hessian, try_hessian};
pub use hessian_vector::{HessianVectorProducts, hessian_vector_products, try_hessian_vector_products};
pub use implicit::{implicit, implicit_system, try_implicit, try_implicit_system};
pub use jacobian::{Hessians, Jacobian, hessians, jacobian, try_hessians, try_jacobian};
pub use laplacian::{Laplacian, laplacian, try_laplacian};
pub use second_order_form::{SecondOrderForm, second_order_form, try_second_order_form};

/// The result of a function that can't fail as one that could.
fn infallible<A, B>(function: impl FnOnce(A) -> B) -> impl FnOnce(A) -> Result<B, core::convert::Infallible> {
    |x| Ok(function(x))
}
