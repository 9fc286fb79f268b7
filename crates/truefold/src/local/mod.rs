//! One neighborhood at a time: its chart, its Procrustes fit, its best possible fit.

mod chart;
mod fit;
mod procrustes;

pub use chart::Input;
pub(crate) use fit::{Fit, Fitter};
pub use procrustes::{Procrustes, procrustes};
