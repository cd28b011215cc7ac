//! Points to train on, in boxes and on their faces.
//!
//! Points are rows of `dimensions` coordinates in a slice of the caller's, one after the other, so drawing new ones needs
//! no new memory. They are worked out in f64 and rounded, so f32 gets those of f64, and the bounds of a [`Domain`] are to be
//! read as rounded in the same way. A seed gives the same points on every machine.
//!
//! ```
//! use tapeless::train::sampling::{Domain, Sampling};
//!
//! let domain = Domain::new([0.0, 0.0, 0.0], [1.0, 1.0, 0.5])?; // x, y, t
//! let mut inside = vec![0.0_f32; 3 * 1000];
//! Sampling::Sobol.fill(&domain, 1, &mut inside)?;
//! let mut at_start = vec![0.0_f32; 3 * 100];
//! Sampling::LatinHypercube.fill(&domain.at(2, 0.0)?, 2, &mut at_start)?;
//! let mut on_walls = vec![0.0_f32; 3 * 200];
//! Sampling::Uniform.fill_faces(&domain, &[0, 1], 3, &mut on_walls)?;
//! # Ok::<(), tapeless::train::sampling::SamplingError>(())
//! ```

mod by_residual;
mod domain;
mod error;
mod grid;
mod latin_hypercube;
mod method;
mod sobol;

pub use by_residual::ByResidual;
pub use domain::{Domain, Side};
pub use error::SamplingError;
pub use grid::grid;
pub use method::{Sampling, UnknownSampling};
