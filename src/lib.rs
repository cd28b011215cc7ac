//! Exact first and second derivatives in forward mode, of any Rust function and of neural networks over batches of points, and
//! the training of networks on differential equations.
//!
//! Hyper-dual numbers carry value, gradient and Hessian through a function that is generic over its scalar. Nothing is
//! recorded: there is no tape and no graph, so there is nothing that can leak or grow.
//!
//! # A function's Hessian
//!
//! ```
//! let at = tapeless::hessian(|[x, y]| x * x * y + y.sin(), [3.0, 0.0]);
//! assert_eq!(at.value, 0.0);
//! assert_eq!(at.gradient, [0.0, 10.0]);
//! assert_eq!(at.hessian, [[0.0, 6.0], [6.0, 0.0]]);
//! ```
//!
//! [`gradient`], [`jacobian`] and [`second_derivative`] go the same way; [`calculus`] has more, and `dynamic` takes any number of
//! variables. A function that is to run on plain floats as well is
//! written for `S:` [`Scalar`]; one written for `num_traits::Float` runs unchanged.
//!
//! # Numbers by hand
//!
//! ```
//! use tapeless::HyperDual;
//!
//! let [x, y] = HyperDual::variables([2.0, 0.5]);
//! let f = x.powf(y) + 1.0;
//! println!("{f:.3}");
//! # assert_eq!(format!("{f:.3}"),
//! #     "2.414 (gradient [0.354, 0.980], hessian [[-0.088, 0.952], [0.952, 0.679]])");
//! // 2.414 (gradient [0.354, 0.980], hessian [[-0.088, 0.952], [0.952, 0.679]])
//! ```
//!
#![cfg_attr(
    feature = "network",
    doc = r#"# A PyTorch network at many points

```no_run
use std::path::Path;
use tapeless::evaluate::{CpuEvaluator, Derivatives, Evaluator};
use tapeless::network::{import::Model, Activation};
use tapeless::operator::{Names, Operator};

let model = Model::read(Path::new("heat_pinn.safetensors"))?;
let network = model.network::<f64>(&[Activation::Tanh], Activation::Identity)?;
let heat = Operator::parse("u_t - 0.05*(u_xx + u_yy)", &Names::new(["x", "y", "t"], ["u"])?)?;
let evaluator = CpuEvaluator::new(&network, Derivatives::ALL, &[heat])?;
let results = evaluator.evaluate(&[0.1, 0.2, 0.0, 0.5, 0.5, 0.1])?; // two points (x, y, t)
println!("u_xx at the first point: {}, residual: {}", results.hessian[0], results.operators[0]);
# Ok::<(), Box<dyn std::error::Error>>(())
```
"#
)]
#![cfg_attr(
    feature = "train",
    doc = r#"
# A network trained on a differential equation

```
use tapeless::network::{Activation, Initialization, Network};
use tapeless::operator::{Expression, Names};
use tapeless::train::{Objective, Stage, Term, Trainer};

// u' = u with u(0) = 1.
let names = Names::new(["x"], ["u"])?;
let text = |text| Expression::parse(text, &names, &[], &[]);
let inside = (0..=20).map(|k| f64::from(k) / 20.0).collect();
let terms = vec![
    Term::of_expressions("equation", vec![text("u_x - u")?], inside),
    Term::of_expressions("start", vec![text("u - 1")?], vec![0.0]),
];
let network = Network::initialized(&[1, 8, 1], Activation::Tanh, Initialization::GlorotUniform, 7)?;
let stages = vec![Stage::Lbfgs { settings: Default::default(), steps: 500 }];
let mut trainer = Trainer::new(Objective::new(&network, terms)?, stages)?;
while trainer.step()?.is_some() {}
assert!((trainer.outputs(&[1.0])?[0] - 1.0_f64.exp()).abs() < 1e-3);
# Ok::<(), Box<dyn std::error::Error>>(())
```
"#
)]
//!
//! # Conventions
//!
//! - The value of every operation is bit for bit that of the same operation on plain floats, and comparisons look at values
//!   only, so a program takes the same branches.
//! - Derivatives keep a stated accuracy over the whole domain (`docs/accuracy.md`), also where the textbook formula has no
//!   digits left.
//! - A tangent that is zero stays zero, whatever singular function it meets: a constant never turns into NaN. Derivatives
//!   of live arguments at singular points are the one-sided limits (`docs/edge-cases.md`).
//! - The unit of a derivative is that of the result over that of the variable, or of the two variables.
//! - No function panics on numbers, and none on files: errors are values.
//!
//! # Features
//!
//! - `cli` (default): the program `tapeless`; includes `train` and `gpu`.
//! - `train`: training of networks; includes `network`.
//! - `picture`: pictures of curves and fields; includes `network`.
//! - `network`: networks, import of weights, batches; includes `rayon`.
//! - `gpu`: networks on a GPU through wgpu, and the arithmetic of its kernels; includes `network`.
//! - `rayon`: passes of the drivers for slices on all threads, on request; includes `std`.
//! - `std`: elementary functions of floats from the platform's math library; includes `alloc`.
//! - `alloc`: drivers for any number of variables known at run time.
//! - `approx-v0_5`, `bytemuck-v1`, `nalgebra-v0_35`, `ndarray-v0_17`, `serde-v1`: the traits of these crates for the numbers; a
//!   new version of one becomes a feature of its own. Numbers work in nalgebra's solvers; approx compares derivatives as well.
//! - none of them: numbers and drivers alone, on `no_std`, with the crates num-traits and libm.

#![cfg_attr(not(feature = "std"), no_std)]

#[cfg(feature = "alloc")]
extern crate alloc;

pub mod calculus;
#[cfg(feature = "network")]
pub mod evaluate;
#[cfg(feature = "network")]
pub mod file;
mod interop;
#[cfg(feature = "network")]
pub mod network;
pub mod number;
#[cfg(feature = "network")]
pub mod operator;
#[cfg(feature = "picture")]
pub mod picture;
#[cfg(feature = "network")]
mod random;
#[cfg(feature = "gpu")]
pub mod shaders;
#[cfg(feature = "train")]
pub mod train;

#[cfg(feature = "alloc")]
pub use calculus::dynamic;
pub use calculus::{gradient, hessian, jacobian, second_derivative};
pub use number::{Const, Dual, FormDual, HyperDual, Packed, Real, RectangularHyperDual, Scalar, TraceDual};
