//! Drivers for any number of variables, known at run time.
//!
//! The function is given once, generic over the scalar, as a [`Function`]: with the macro [`function!`](crate::function) it is
//! written as a closure. The drivers run it in passes, each by a chunk of up to 8 variables; the size of the chunks is chosen
//! so that there is the least work. For n variables in k chunks:
//!
//! | driver | gives | passes | scalars in a number, for chunks of C |
//! |---|---|---|---|
//! | [`gradient()`] | value, gradient | k | 1 + C |
//! | [`hessian()`] | value, gradient, Hessian | k (k + 1)/2 | 1 + C + C(C+1)/2 (k of them), (1 + C)² (the others) |
//! | [`partial_hessian`] | the same by chosen variables | as for so many variables | |
//! | [`hessian_vector_products()`] | value, gradient, H v for p vectors | k ⌈p/P⌉ | (1 + C)(1 + P) |
//! | [`laplacian()`] | value, gradient, Laplacian | k | 2 + C |
//! | [`laplacian_terms`] | value, gradient, diagonal of the Hessian | k | 1 + C + C(C+1)/2 |
//! | [`second_order_form()`] | value, gradient, weighted sum of second derivatives | k | 2 + 2C |
//! | [`jacobian()`] | values, Jacobian | k | 1 + C |
//! | [`hessians()`] | the same and the Hessian of every output | k (k + 1)/2 | as `hessian` |
//! | [`second_along`], [`third_along`], [`fourth_along`] | derivatives along a direction | 1 | 3, 6, 9 |
//! | [`implicit_system`] | unknowns given by m equations | ⌈m/C⌉ for each doubling of the order | 1 + C |
//!
//! The Hessian H of n variables is made of blocks for two chunks of C variables each. One on the diagonal takes a pass with
//! [`HyperDual`](crate::HyperDual)s, one above it a pass with [`RectangularHyperDual`](crate::RectangularHyperDual)s; those below
//! are transposes (T):
//!
#![doc = include_str!("../../../docs/formulas/hessian_blocks.html")]
//!
//! Each driver has four forms: `gradient` is the simplest; `gradient_into` writes into memory of the caller and allocates
//! nothing once that has grown; `try_gradient` and `try_gradient_into` are for a function that may fail. Matrices are `Vec`s, row
//! by row. Where a chunk's pass meets a kink (`abs` at 0), it sees the derivatives by the variables of its chunk alone.

mod chunk;
mod direction;
mod error;
mod forms;
mod function;
mod gradient;
mod hessian;
mod hessian_vector;
mod implicit;
mod jacobian;
mod laplacian;
mod second_order_form;
mod workspace;

pub use direction::{
    fourth_along, fourth_along_into, second_along, second_along_into, third_along, third_along_into, try_fourth_along,
    try_fourth_along_into, try_second_along, try_second_along_into, try_third_along, try_third_along_into,
};
pub use error::{ArgumentError, DriverError};
pub use function::{Function, TryFunction, TryVectorFunction, VectorFunction};
pub use gradient::{Gradient, gradient, gradient_into, try_gradient, try_gradient_into};
pub use hessian::{
    Hessian, hessian, hessian_into, partial_hessian, partial_hessian_into, try_hessian, try_hessian_into,
    try_partial_hessian, try_partial_hessian_into,
};
pub use hessian_vector::{
    HessianVectorProducts, hessian_vector_products, hessian_vector_products_into, try_hessian_vector_products,
    try_hessian_vector_products_into,
};
pub use implicit::{implicit_system, implicit_system_into, try_implicit_system, try_implicit_system_into};
pub use jacobian::{
    Hessians, Jacobian, hessians, hessians_into, jacobian, jacobian_into, try_hessians, try_hessians_into, try_jacobian,
    try_jacobian_into,
};
pub use laplacian::{
    Laplacian, LaplacianTerms, laplacian, laplacian_into, laplacian_terms, laplacian_terms_into, try_laplacian,
    try_laplacian_into, try_laplacian_terms, try_laplacian_terms_into,
};
pub use second_order_form::{
    SecondOrderForm, second_order_form, second_order_form_into, try_second_order_form, try_second_order_form_into,
};
pub use workspace::Workspace;
