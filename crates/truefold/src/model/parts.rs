//! The parts of a model: enough to save it, and to rebuild it.

use super::Model;
use crate::data::Input;
use crate::error::Advice;
use crate::{Embedding, Error, Metric, Neighborhoods, Origin, Points, Result, embed};
use serde_json::Value;
use std::sync::Arc;

/// The fitted points, their images and their neighborhoods; [`Model::from_parts`] makes a model of them.
///
/// ```
/// use truefold::model::{Model, Parts};
/// use truefold::{Neighborhoods, Points, Run};
///
/// let x = Points::from_rows(&[[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])?;
/// let run = Run::new();
/// let parts = Parts::of(&x, &x, &Neighborhoods::nearest(&x, 3, &run)?)?;
/// let bytes = parts.to_bytes()?;
/// assert_eq!(Model::from_parts(parts, &run)?.to_bytes()?, bytes);
/// # Ok::<(), truefold::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Parts {
    /// The fitted points X.
    pub points: Points,
    /// Their images Y.
    pub embedding: Points,
    /// The neighborhoods they were fitted with.
    pub neighborhoods: Arc<Neighborhoods>,
    /// The distance by which the nearest fitted points are found.
    pub metric: Metric,
    /// How the embedding was made.
    pub origin: Fitted,
}

/// How an embedding was made.
#[derive(Debug, Clone, PartialEq)]
pub struct Fitted {
    /// The method; `given` where the coordinates came from elsewhere.
    pub method: String,
    /// All its parameters.
    pub parameters: Value,
    /// The seed.
    pub seed: u64,
    /// Whether distances in the embedding are meant to equal those along the data.
    pub metric_scale: bool,
}

impl Fitted {
    /// By a method of the table.
    pub fn by(method: &str, parameters: Value, seed: u64) -> Result<Self> {
        let metric_scale = embed::find(method)?.info.metric_scale;
        Ok(Self { method: method.to_owned(), parameters, seed, metric_scale })
    }

    /// By another program.
    pub fn elsewhere() -> Self {
        Self { method: "given".into(), parameters: Value::Null, seed: 0, metric_scale: false }
    }
}

impl Parts {
    /// From an embedding that [`fit`](crate::embed::fit()) made of `points` with these neighborhoods.
    ///
    /// Where only the largest component was embedded, these are the parts of that component.
    pub fn new(points: &Points, embedding: &Embedding, neighborhoods: &Neighborhoods) -> Result<Self> {
        let info = &embedding.info;
        let (metric, origin) =
            (searched(neighborhoods)?, Fitted::by(&info.method, info.parameters.clone(), info.seed)?);
        let (points, neighborhoods) = match &embedding.rows {
            None => (points.clone(), neighborhoods.clone()),
            Some(rows) => {
                neighborhoods.check_len(points.len())?;
                (points.select(rows), neighborhoods.restricted(rows))
            }
        };
        let neighborhoods = match &embedding.tear {
            Some(tear) => tear.rest(&neighborhoods),
            None => neighborhoods,
        };
        Self { points, embedding: embedding.points.clone(), neighborhoods: neighborhoods.into(), metric, origin }
            .checked()
    }

    /// From coordinates that any program found for `points`: row i of `embedding` is the image of row i.
    pub fn of(points: &Points, embedding: &Points, neighborhoods: &Neighborhoods) -> Result<Self> {
        Self {
            points: points.clone(),
            embedding: embedding.clone(),
            neighborhoods: neighborhoods.clone().into(),
            metric: searched(neighborhoods)?,
            origin: Fitted::elsewhere(),
        }
        .checked()
    }

    /// Itself, where its parts are of the same points.
    pub(super) fn checked(self) -> Result<Self> {
        Input::Points(&self.points).check_embedding(&self.embedding)?;
        self.neighborhoods.check_len(self.points.len())?;
        Ok(self)
    }
}

/// The distance by which the neighborhoods were found.
fn searched(neighborhoods: &Neighborhoods) -> Result<Metric> {
    match neighborhoods.origin() {
        Origin::Exact { metric, .. } | Origin::Approximate { metric, .. } => Ok(*metric),
        Origin::Distances { .. } => Err(Model::needs_points()),
        Origin::Given => Ok(Metric::Euclidean),
    }
}

impl Model {
    /// Why given distances make no model.
    pub fn needs_points() -> Error {
        Error::data(
            "a model places new points by their coordinates, and this embedding was made from distances alone",
            Advice::go_another_way("embed points to get a model"),
        )
    }
}
