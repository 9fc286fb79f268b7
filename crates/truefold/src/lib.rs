//! How faithful is a low-dimensional embedding, where is it not, and how far is it from the best possible?
//!
//! [`Points`] hold the data and the embedding, [`Neighborhoods`] say which points are compared, and the measures of
//! [`measure`] score the embedding neighborhood by neighborhood, each beside the least value that any embedding could
//! have.
//!
//! ```
//! use truefold::{Neighborhoods, Run, dataset, measure};
//!
//! let sample = dataset::find("swiss-roll")?.sample(&dataset::Request::new().with_points(1000))?;
//! let neighborhoods = Neighborhoods::nearest(&sample.points, 12, &Run::new())?;
//! let score = &measure::evaluate(&sample.points, &sample.truth, &neighborhoods, &["r_n"])?[0];
//! assert!(score.times_bound().is_some_and(|times| times < 1.05));
//! # Ok::<(), truefold::Error>(())
//! ```
//!
//! Every file format but `.npy` is a feature of the crate, on by default: [`io`] lists them.

pub mod compare;
mod data;
pub mod dataset;
mod denoise;
pub mod embed;
mod embedding;
pub mod error;
mod frames;
mod graph;
mod history;
pub mod io;
mod judgment;
pub mod laplacian;
mod linalg;
pub mod local;
pub mod measure;
pub mod model;
mod names;
mod neighbors;
mod points;
mod problem;
pub mod refine;
mod run;
mod seam;
mod semidefinite;
mod spectral;
pub mod suggest;
pub mod sweep;
mod tear;
pub mod warning;

pub use data::{Data, Input, Part};
pub use denoise::{Denoise, Denoised};
pub use embed::{Method, Pieces, fit};
pub use embedding::{Embedding, Fit, FitInfo, Outcome};
pub use error::{Error, Result};
pub use history::{StageTime, Stop, Trace};
pub use judgment::{Judge, Judgment, NeighborhoodFacts, Rest, Scored, Scores, Worst};
pub use model::{Model, Transformed};
pub use neighbors::{Algorithm, Components, Distances, Metric, Neighborhoods, Origin, Reach, Search};
pub use points::Points;
pub use problem::Problem;
pub use refine::Refine;
pub use run::{Progress, Run, Stage};
pub use seam::Tear;
pub use semidefinite::Constraint;
pub use suggest::{Suggest, Suggestion};
pub use warning::Warning;

/// The example of the front page runs with the tests.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
