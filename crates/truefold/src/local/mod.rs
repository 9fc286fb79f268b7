//! One neighborhood at a time: its chart, its Procrustes fit, its best possible fit.

mod affine;
mod around;
mod chart;
mod charts;
mod fit;
mod procrustes;
mod weight_vectors;
mod weights;

pub(crate) use affine::AffineBasis;
pub(crate) use around::AroundCenter;
pub(crate) use chart::{Chart, center};
pub(crate) use charts::Charts;
pub(crate) use fit::{Fit, Fitter};
pub use procrustes::{Procrustes, procrustes};
pub(crate) use weight_vectors::WeightVectors;
pub(crate) use weights::reconstruction_weights;
