//! A fitted embedding that takes new points: the points it was fitted to, their images, and their neighborhoods.
//!
//! Around each fitted point a local map carries the chart of its neighborhood onto its image; a new point is placed
//! by the maps of the fitted points nearest to it, weighted so that the result is continuous and exact on the fitted
//! points ([`Model::transform`]). Where such maps do not foresee the images, as in data of many dimensions, the nearest
//! fitted points vote. This works for the embedding of any method, and of any other program ([`Model::of`]).

mod calibration;
mod file;
mod maps;
mod parts;
mod placer;
#[cfg(test)]
mod tests;
mod transform;
mod votes;

pub use file::VERSION;
pub use parts::{Fitted, Parts};
pub use transform::Transformed;

use crate::neighbors::first_of_copies;
use crate::neighbors::{Space, Tree};
use crate::{Embedding, Metric, Neighborhoods, Points, Result, Run, Search};
use calibration::Calibration;
use maps::LocalMaps;
use votes::Spreads;

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
    parts: Parts,
    /// For each row of the tree the fitted row, where copies were left out.
    distinct: Option<Vec<u32>>,
    /// None where comparing all pairs is expected to be faster.
    tree: Option<Tree>,
    maps: LocalMaps,
    spreads: Spreads,
    calibration: Calibration,
}

impl Model {
    /// From an embedding that [`fit`](crate::embed::fit()) made of `points` with these neighborhoods.
    ///
    /// Where only the largest component was embedded, the model is of that component. Pairs that were torn are no
    /// neighbors in it.
    pub fn new(points: &Points, embedding: &Embedding, neighborhoods: &Neighborhoods, run: &Run) -> Result<Self> {
        Self::from_parts(Parts::new(points, embedding, neighborhoods)?, run)
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
        Self::from_parts(Parts::of(points, embedding, neighborhoods)?, run)
    }

    /// From its parts: fits the local maps, builds the search, and learns from points left out what places are worth.
    pub fn from_parts(parts: Parts, run: &Run) -> Result<Self> {
        let parts = parts.checked()?;
        let Parts { points, embedding, neighborhoods, metric, origin } = &parts;
        let maps = LocalMaps::new(points, embedding, neighborhoods, origin.metric_scale, run)?;
        let distinct = first_of_copies(points);
        let searched = distinct.as_ref().map(|rows| points.select(rows));
        let space = Space::new(searched.as_ref().unwrap_or(points), *metric)?;
        let spreads = Spreads::new(embedding, neighborhoods);
        let most = spreads.votes.min(space.len());
        let tree = Search::nearest(most).with_metric(*metric).tree(&space, run)?;
        let mut model = Self { parts, distinct, tree, maps, spreads, calibration: Calibration::default() };
        model.calibration = Calibration::of(&model, run)?;
        Ok(model)
    }

    /// The fitted points X.
    pub fn points(&self) -> &Points {
        &self.parts.points
    }

    /// Their images Y.
    pub fn embedding(&self) -> &Points {
        &self.parts.embedding
    }

    /// The neighborhoods they were fitted with.
    pub fn neighborhoods(&self) -> &Neighborhoods {
        &self.parts.neighborhoods
    }

    /// The distance by which the nearest fitted points are found.
    pub fn metric(&self) -> Metric {
        self.parts.metric
    }

    /// How the embedding was made.
    pub fn origin(&self) -> &Fitted {
        &self.parts.origin
    }
}
