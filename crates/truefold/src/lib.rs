//! How faithful is a low-dimensional embedding, where is it not, and how far is it from the best possible?
//!
//! [`judge`] tells it of an embedding from any program, and [`Method::embed`] makes one and judges it:
//!
//! ```
//! use truefold::{Method, dataset, judge};
//!
//! let roll = dataset::find("swiss-roll")?.sample(&dataset::Request::new().with_points(1000))?;
//! let judgment = judge(&roll.points, &roll.truth, 12)?;
//! let made = Method::new("psa", &[])?.embed(&roll.points, 12, 2)?;
//! let times = |judgment: &truefold::Judgment| judgment.scores.get("r_n").and_then(|score| score.times_bound());
//! assert!(times(&judgment).is_some_and(|times| times < 1.05) && times(&made.judgment).is_some());
//! # Ok::<(), truefold::Error>(())
//! ```
//!
//! Behind them: [`Points`] hold the data and the embedding, a [`Search`] finds the [`Neighborhoods`] in which both are
//! compared, a [`Problem`] is what a [`Method`] embeds, and a [`Judge`] takes the measures of [`measure`], each beside
//! the least value that any embedding could have. A [`Run`] carries the seed, the threads and the progress. Builders
//! have methods that begin with `with_`; methods and other sets of parameters are structs with public fields and a
//! default.
//!
//! Every file format but `.npy` is a feature of the crate, on by default: [`io`] lists them.
#![cfg_attr(not(test), warn(clippy::unwrap_used, clippy::expect_used))]

pub mod compare;
mod data;
pub mod dataset;
mod denoise;
mod device;
pub mod embed;
mod embedding;
pub mod error;
mod forces;
mod frames;
mod graph;
pub mod groups;
mod history;
pub mod io;
mod judgment;
pub mod laplacian;
mod linalg;
pub mod local;
pub mod measure;
pub mod memory;
pub mod model;
mod names;
mod neighbors;
mod points;
mod problem;
mod random;
pub mod refine;
mod run;
mod seam;
mod semidefinite;
mod short;
mod spectral;
pub mod stability;
mod statistics;
pub mod suggest;
pub mod sweep;
mod tear;
pub mod warning;

pub use data::{Data, Input, Part};
pub use denoise::{Denoise, Denoised};
pub use device::Device;
pub use embed::{Method, Pieces, fit};
pub use embedding::{Embedding, Fit, FitInfo, Outcome};
pub use error::{Error, Result};
pub use history::{StageTime, Stop, Trace};
pub use judgment::{
    Class, Counts, Judge, Judgment, NeighborFacts, NeighborhoodFacts, PointVerdicts, Rest, Scored, Scores, Verdict,
    Worst,
};
pub use model::{Model, Transformed};
pub use neighbors::{
    Algorithm, Candidates, Components, Distances, Fallback, Metric, Nearest, NearestLists, Neighborhoods, Origin,
    Reach, Search,
};
pub use points::{Element, Half, Owner, Points, Precision, Resident};
pub use problem::Problem;
pub use refine::Refine;
pub use run::{Progress, Run, Stage};
pub use seam::Tear;
pub use semidefinite::Constraint;
pub use short::{Judged, judge};
pub use suggest::{Suggest, Suggestion};
pub use warning::Warning;

/// The example of the front page runs with the tests.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
