//! How faithful is a low-dimensional embedding, where is it not, and how far is it from the best possible?

pub mod dataset;
pub mod embed;
mod embedding;
mod error;
mod fit;
mod layout;
mod linalg;
pub mod local;
pub mod measure;
mod neighbors;
mod points;
mod problem;
mod registry;
pub mod report;
mod run;
pub mod solve;

pub use embedding::{Embedding, FitInfo, Outcome, StageTime, Stop, Trace};
pub use error::{Error, Result};
pub use fit::{Pieces, fit};
pub use neighbors::{Algorithm, Components, Metric, Neighborhoods, Origin, Reach, Search};
pub use points::Points;
pub use problem::Problem;
pub use run::{Progress, Run, Stage};
