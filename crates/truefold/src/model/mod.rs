//! A fitted embedding that takes new points: the points it was fitted to, their images, and who neighbors whom.
//!
//! Around each fitted point a local map carries the chart of its neighborhood onto its image; a new point is placed
//! by the maps of the fitted points nearest to it, weighed so that the result is continuous and exact on the fitted
//! points ([`Model::transform`]). Any method's embedding will do, and any other program's ([`Model::of`]).

mod file;
mod maps;
#[cfg(test)]
mod tests;
mod transform;

pub use file::VERSION;
pub use transform::Transformed;

use crate::copies::first_of_copies;
use crate::local::Input;
use crate::neighbors::{Space, Tree};
use crate::{Embedding, Error, Metric, Neighborhoods, Origin, Points, Result, Run, embed};
use maps::LocalMaps;
use serde_json::Value;

/// An embedding ready to take new points.
///
/// ```
/// use truefold::dataset::{self, Request};
/// use truefold::{Model, Neighborhoods, Pieces, Problem, Run, embed, fit};
///
/// let run = Run::new();
/// let roll = dataset::find("swiss-roll")?.sample(&Request::new().with_points(1200))?;
/// let fitted = roll.points.select(&(0..1000).collect::<Vec<_>>());
/// let fresh = roll.points.select(&(1000..1200).collect::<Vec<_>>());
///
/// let neighborhoods = Neighborhoods::nearest(&fitted, 12, &run)?;
/// let problem = Problem::new(&fitted, &neighborhoods, 2)?;
/// let embedding = fit(&embed::Psa::default(), &problem, Pieces::Error, &run)?;
/// let model = Model::new(&fitted, &embedding, &neighborhoods, &run)?;
///
/// let placed = model.transform(&fresh, &run)?;
/// assert_eq!((placed.points.len(), placed.points.dim()), (200, 2));
/// assert!(placed.confidence.iter().all(|confidence| (0.0..=1.0).contains(confidence)));
/// // A point that was fitted keeps its place, to the last bit.
/// assert_eq!(model.transform(&fitted, &run)?.points.values(), embedding.points.values());
/// # Ok::<(), truefold::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Model {
    points: Points,
    embedding: Points,
    neighborhoods: Neighborhoods,
    metric: Metric,
    origin: Fitted,
    /// For each row of the tree the fitted row, where copies were left out.
    distinct: Option<Vec<u32>>,
    tree: Tree,
    maps: LocalMaps,
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

impl Model {
    /// From an embedding that [`fit`](crate::fit()) made of `points` with these neighborhoods.
    ///
    /// Where only the largest component was embedded, the model is of that component. Pairs that were torn are no
    /// neighbors in it.
    pub fn new(points: &Points, embedding: &Embedding, neighborhoods: &Neighborhoods, run: &Run) -> Result<Self> {
        let info = &embedding.info;
        let origin = Fitted {
            method: info.method.clone(),
            parameters: info.parameters.clone(),
            seed: info.seed,
            metric_scale: embed::find(&info.method)?.info.metric_scale,
        };
        neighborhoods.check_len(points.len())?;
        let (points, lists) = match &embedding.rows {
            None => (points.clone(), neighborhoods.clone()),
            Some(rows) => (points.select(rows), neighborhoods.restricted(rows)),
        };
        let lists = match &embedding.tear {
            Some(tear) => tear.rest(&lists),
            None => lists,
        };
        Self::build(points, &embedding.points, lists, origin, None, run)
    }

    /// From coordinates that any program found for `points`: row i of `embedding` is the image of row i.
    ///
    /// ```
    /// use truefold::{Model, Neighborhoods, Points, Run};
    ///
    /// let x = Points::from_rows(&[[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])?;
    /// let y = Points::from_rows(&[[5.0, 0.0], [5.0, 2.0], [3.0, 0.0], [3.0, 2.0]])?;
    /// let run = Run::new();
    /// let model = Model::of(&x, &y, &Neighborhoods::nearest(&x, 3, &run)?, &run)?;
    /// let placed = model.transform(&Points::from_rows(&[[0.5, 0.25]])?, &run)?;
    /// assert!((placed.points.row(0)[0] - 4.5).abs() < 1e-12 && (placed.points.row(0)[1] - 1.0).abs() < 1e-12);
    /// # Ok::<(), truefold::Error>(())
    /// ```
    pub fn of(points: &Points, embedding: &Points, neighborhoods: &Neighborhoods, run: &Run) -> Result<Self> {
        let origin = Fitted { method: "given".into(), parameters: Value::Null, seed: 0, metric_scale: false };
        Self::build(points.clone(), embedding, neighborhoods.clone(), origin, None, run)
    }

    fn build(
        points: Points,
        embedding: &Points,
        neighborhoods: Neighborhoods,
        origin: Fitted,
        metric: Option<Metric>,
        run: &Run,
    ) -> Result<Self> {
        Input::Points(&points).check_embedding(embedding)?;
        neighborhoods.check_len(points.len())?;
        let metric = match (metric, neighborhoods.origin()) {
            (Some(metric), _) => metric,
            (None, Origin::Exact { metric, .. } | Origin::Approximate { metric, .. }) => *metric,
            (None, Origin::Distances { .. }) => return Err(Self::needs_points()),
            (None, Origin::Given) => Metric::Euclidean,
        };
        let maps = LocalMaps::new(&points, embedding, &neighborhoods, origin.metric_scale, run)?;
        let distinct = first_of_copies(&points);
        let searched = distinct.as_ref().map(|rows| points.select(rows));
        let space = Space::new(searched.as_ref().unwrap_or(&points), metric)?;
        let tree = Tree::build(space.values(), space.len(), space.dim(), space.norm(), run)?;
        Ok(Self { embedding: embedding.clone(), points, neighborhoods, metric, origin, distinct, tree, maps })
    }

    /// Why given distances make no model.
    pub fn needs_points() -> Error {
        Error::data(
            "a model places new points by their coordinates, and this embedding was made from distances alone",
            "embed points to get a model",
        )
    }

    /// The fitted points X.
    pub fn points(&self) -> &Points {
        &self.points
    }

    /// Their images Y.
    pub fn embedding(&self) -> &Points {
        &self.embedding
    }

    /// The neighborhoods they were fitted with.
    pub fn neighborhoods(&self) -> &Neighborhoods {
        &self.neighborhoods
    }

    /// The distance by which the nearest fitted points are found.
    pub fn metric(&self) -> Metric {
        self.metric
    }

    /// How the embedding was made.
    pub fn origin(&self) -> &Fitted {
        &self.origin
    }
}
