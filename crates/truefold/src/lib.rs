//! How faithful is a low-dimensional embedding, where is it not, and how far is it from the best possible?

mod error;
mod linalg;
pub mod local;
pub mod measure;
mod neighbors;
mod points;
mod registry;
pub mod report;
mod run;
pub mod solve;

pub use error::{Error, Result};
pub use neighbors::{Algorithm, Components, Distances, Metric, Neighborhoods, Origin, Reach, Search};
pub use points::Points;
pub use run::{Progress, Run, Stage};
