//! Embedders: one file per method, each a short recipe over shared machinery.
//!
//! [`EMBEDDERS`] is the table of all of them; adding one is a new file, a `mod` line and a line in the table. A
//! method's parameter struct is the embedder: public fields, `Default`, and serde with unknown keys refused.

mod aligned;
mod c_isomap;
mod conformal_eigenmaps;
mod diffusion_maps;
mod fit;
mod gp;
mod graph_kernel;
mod hessian_eigenmaps;
mod isomap;
mod landmark_isomap;
mod laplacian_eigenmaps;
mod layout;
mod llc;
mod lle;
mod ltsa;
mod mds;
mod method;
mod modified_lle;
mod pca;
mod pose;
pub mod psa;
mod refinement;
mod renumbered;
mod scaled;
mod sde;

pub use c_isomap::CIsomap;
pub use conformal_eigenmaps::{Base, ConformalEigenmaps};
pub use diffusion_maps::DiffusionMaps;
pub use fit::{Pieces, fit};
pub use gp::{Choice, Gp, Start};
pub use hessian_eigenmaps::{HessianEigenmaps, HessianEstimator};
pub use isomap::Isomap;
pub use landmark_isomap::LandmarkIsomap;
pub use laplacian_eigenmaps::{EdgeWeights, LaplacianEigenmaps};
pub use llc::Llc;
pub use lle::Lle;
pub use ltsa::Ltsa;
pub use mds::Mds;
pub use method::Method;
pub use modified_lle::ModifiedLle;
pub use pca::Pca;
pub use psa::Psa;
pub use refinement::Refinement;
pub use sde::{Kept, Sde};

use crate::embedding::Outcome;
use crate::error::{Bound, Name};
use crate::{Error, Problem, Result, Run};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

/// Every method, in the order in which they are shown.
pub static EMBEDDERS: &[Entry] = &[
    Entry::of::<Gp>(&gp::INFO),
    Entry::of::<Psa>(&psa::INFO),
    Entry::of::<Pca>(&pca::INFO),
    Entry::of::<Mds>(&mds::INFO),
    Entry::of::<Isomap>(&isomap::INFO),
    Entry::of::<LandmarkIsomap>(&landmark_isomap::INFO),
    Entry::of::<CIsomap>(&c_isomap::INFO),
    Entry::of::<Lle>(&lle::INFO),
    Entry::of::<ModifiedLle>(&modified_lle::INFO),
    Entry::of::<Ltsa>(&ltsa::INFO),
    Entry::of::<HessianEigenmaps>(&hessian_eigenmaps::INFO),
    Entry::of::<LaplacianEigenmaps>(&laplacian_eigenmaps::INFO),
    Entry::of::<DiffusionMaps>(&diffusion_maps::INFO),
    Entry::of::<Sde>(&sde::INFO),
    Entry::of::<ConformalEigenmaps>(&conformal_eigenmaps::INFO),
    Entry::of::<Llc>(&llc::INFO),
];

/// A way to embed.
pub trait Embedder: Send + Sync {
    /// What the method is.
    fn info(&self) -> &'static EmbedderInfo;
    /// An error if the parameters cannot work in `dim` dimensions, whatever the data; called before neighbors are
    /// searched.
    fn check_parameters(&self, _dim: usize) -> Result<()> {
        Ok(())
    }
    /// An error if the parameters cannot work on this problem; called before anything that takes long.
    fn check(&self, _problem: &Problem<'_>) -> Result<()> {
        Ok(())
    }
    /// Embeds a problem whose neighborhood graph is connected.
    fn embed(&self, problem: &Problem<'_>, run: &Run) -> Result<Outcome>;
    /// Whether the method works along the neighborhood graph, so that each connected component is embedded by itself.
    fn follows_graph(&self) -> bool {
        true
    }
    /// All parameters as they are now.
    fn parameters(&self) -> Value;
}

/// What a method is, for tables and help.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EmbedderInfo {
    /// The name used by the tool and in JSON.
    pub name: &'static str,
    /// The name in words.
    pub title: &'static str,
    /// One line: what it does.
    pub summary: &'static str,
    /// Whether distances in the embedding are meant to equal those along the data.
    pub metric_scale: bool,
    /// Whether a comparison takes the method unless others are named.
    pub default: bool,
    /// How time and memory grow.
    pub cost: &'static str,
    /// The parameters, in the order of the struct's fields.
    pub parameters: &'static [ParameterInfo],
}

/// What a parameter is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ParameterInfo {
    /// The name, as in `--set name=value`.
    pub name: &'static str,
    /// What it does, and the values it can have.
    pub summary: &'static str,
}

/// A line of the table: how to make the method from its parameters.
#[derive(Clone, Copy)]
pub struct Entry {
    /// What the method is.
    pub info: &'static EmbedderInfo,
    /// The parameters that it has unless others are given.
    pub defaults: fn() -> Value,
    build: fn(Value) -> serde_json::Result<Box<dyn Embedder>>,
}

impl Entry {
    /// The line of a method whose parameter struct is `E`.
    const fn of<E>(info: &'static EmbedderInfo) -> Self
    where
        E: Embedder + Default + Serialize + DeserializeOwned + 'static,
    {
        Self {
            info,
            defaults: || serde_json::to_value(E::default()).unwrap_or_default(),
            build: |value| Ok(Box::new(serde_json::from_value::<E>(value)?)),
        }
    }

    /// The method with these parameters, as typed, over its defaults.
    pub fn build(&self, settings: &[(String, String)]) -> Result<Box<dyn Embedder>> {
        let mut value = (self.defaults)();
        let map = value.as_object_mut().map(std::mem::take).unwrap_or_default();
        let mut map: Map<String, Value> = map;
        for (name, text) in settings {
            if !map.contains_key(name) {
                return Err(Error::unknown("parameter", name, self.info.parameters.iter().map(|known| known.name)));
            }
            // Numbers, true, false and null are themselves; anything else is a word.
            let typed = serde_json::from_str(text).unwrap_or_else(|_| Value::String(text.clone()));
            map.insert(name.clone(), typed);
            // One at a time, so that the error can name the one that is wrong.
            (self.build)(Value::Object(map.clone())).map_err(|cause| {
                Error::parameter(
                    Name::setting(name.clone()),
                    text,
                    format!("cannot be used ({cause})"),
                    "see `truefold methods` for its values",
                )
            })?;
        }
        (self.build)(Value::Object(map)).map_err(|cause| {
            Error::parameter(
                "parameters",
                self.info.name,
                format!("cannot be used ({cause})"),
                "see `truefold methods`",
            )
        })
    }
}

/// An error unless a parameter is a positive number.
fn check_positive(name: &'static str, value: f64, advice: &'static str) -> Result<()> {
    if value > 0.0 && value.is_finite() {
        return Ok(());
    }
    Err(Error::parameter(Name::setting(name), value, Bound::Above(0.0), advice))
}

/// An error if one of these parameters, each with its value and whether it was set, has nothing to act on `without`.
fn check_idle(without: &str, settings: &[(&'static str, String, bool)]) -> Result<()> {
    match settings.iter().find(|setting| setting.2) {
        Some((name, value, _)) => Err(Error::parameter(
            Name::setting(*name),
            value,
            format!("would do nothing without {without}"),
            "ask for it, or leave it out",
        )),
        None => Ok(()),
    }
}

/// The method of this name.
pub fn find(name: &str) -> Result<&'static Entry> {
    EMBEDDERS
        .iter()
        .find(|entry| entry.info.name == name)
        .ok_or_else(|| Error::unknown("method", name, EMBEDDERS.iter().map(|entry| entry.info.name)))
}
