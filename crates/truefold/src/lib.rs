//! How faithful is a low-dimensional embedding, where is it not, and how far is it from the best possible?

mod error;
pub mod io;
mod points;
mod run;

pub use error::{Error, Result};
pub use points::Points;
pub use run::{Progress, Run, Stage};
