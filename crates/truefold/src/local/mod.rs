//! One neighborhood at a time: its patch of the data, its principal axes and chart, its Procrustes fit, its best
//! possible fit, and what a ball around its center becomes.

mod affine;
mod around;
mod chance;
mod chart;
mod charts;
mod ellipse;
mod fit;
mod patch;
mod principal;
mod procrustes;
mod rotation;
mod thickness;
mod weight_vectors;
mod weights;

pub(crate) use affine::AffineBasis;
pub(crate) use around::AroundCenter;
pub(crate) use chance::{Chance, Drawn, Pair, Permuter};
pub(crate) use chart::Chart;
pub(crate) use charts::Charts;
pub use ellipse::{Ellipses, ellipses};
pub(crate) use fit::{Fit, Fitter};
pub(crate) use patch::{Patch, center, gather, gather_about, gather_centered};
pub(crate) use principal::PrincipalAxes;
pub use procrustes::{Procrustes, procrustes};
pub(crate) use rotation::Rotation;
pub(crate) use thickness::{THICK, thickness};
pub(crate) use weight_vectors::WeightVectors;
pub(crate) use weights::reconstruction_weights;
