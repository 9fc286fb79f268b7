//! Embedders: one file per method, each a short recipe over shared machinery.
//!
//! [`EMBEDDERS`] is the table of all of them; to add one, write a file with a [`Recipe`] and name it here and in the
//! table. A method's struct of parameters is the method: public fields, `Default`, and serde with unknown keys refused.

mod aligned;
mod c_isomap;
mod conformal_eigenmaps;
mod coordinated_pca;
mod coordination;
mod cover;
mod diffusion_maps;
mod factor_analysis;
mod faithful;
mod fit;
mod geodesics;
mod given;
mod global_coordination;
mod gp;
mod graph_kernel;
mod hessian_eigenmaps;
mod isomap;
mod landmark_isomap;
mod laplacian_eigenmaps;
mod layout;
mod llc;
mod lle;
mod lsml;
mod ltsa;
mod mds;
mod method;
mod modified_lle;
#[cfg(test)]
mod outlier_tests;
mod pca;
mod pose;
pub mod psa;
mod ptu;
mod recipe;
mod refinement;
mod renumbered;
mod sde;
mod straighten;
mod tsne;
mod umap;
mod values;

pub use c_isomap::CIsomap;
pub use conformal_eigenmaps::{Base, ConformalEigenmaps};
pub use coordinated_pca::CoordinatedPca;
pub use coordination::CoordinationStart;
pub use diffusion_maps::DiffusionMaps;
pub use factor_analysis::FactorAnalysis;
pub use faithful::Faithful;
pub use fit::{Pieces, fit};
pub use global_coordination::GlobalCoordination;
pub use gp::{Gp, GrowthRule, GrowthStart};
pub use hessian_eigenmaps::{HessianEigenmaps, HessianEstimator};
pub use isomap::Isomap;
pub use landmark_isomap::LandmarkIsomap;
pub use laplacian_eigenmaps::{EdgeWeights, LaplacianEigenmaps};
pub use llc::Llc;
pub use lle::Lle;
pub use lsml::Lsml;
pub use ltsa::Ltsa;
pub use mds::Mds;
pub use method::Method;
pub use modified_lle::ModifiedLle;
pub use pca::Pca;
pub use psa::Psa;
pub use ptu::Ptu;
pub use recipe::{Embedder, EmbedderInfo, Entry, GraphUse, Recipe};
pub use refinement::Refinement;
pub use sde::{KeptPairs, Sde};
pub use tsne::Tsne;
pub use umap::Umap;
pub use values::{ParameterInfo, Values};

use crate::{Error, Result};

/// Every method, in the order in which they are shown.
pub static EMBEDDERS: &[Entry] = &[
    Entry::of::<Gp>(),
    Entry::of::<Psa>(),
    Entry::of::<Pca>(),
    Entry::of::<FactorAnalysis>(),
    Entry::of::<Mds>(),
    Entry::of::<Isomap>(),
    Entry::of::<LandmarkIsomap>(),
    Entry::of::<CIsomap>(),
    Entry::of::<Ptu>(),
    Entry::of::<Lle>(),
    Entry::of::<ModifiedLle>(),
    Entry::of::<Ltsa>(),
    Entry::of::<HessianEigenmaps>(),
    Entry::of::<LaplacianEigenmaps>(),
    Entry::of::<DiffusionMaps>(),
    Entry::of::<Sde>(),
    Entry::of::<ConformalEigenmaps>(),
    Entry::of::<Llc>(),
    Entry::of::<GlobalCoordination>(),
    Entry::of::<CoordinatedPca>(),
    Entry::of::<Lsml>(),
    Entry::of::<Tsne>(),
    Entry::of::<Umap>(),
    Entry::of::<Faithful>(),
];

/// The method of this name.
pub fn find(name: &str) -> Result<&'static Entry> {
    EMBEDDERS
        .iter()
        .find(|entry| entry.info.name == name)
        .ok_or_else(|| Error::unknown("method", name, EMBEDDERS.iter().map(|entry| entry.info.name)))
}
