//! Settings suggested by the data: a method for a picture and for coordinates, the number of dimensions, of neighbors, and of
//! neighbors for tangents; and what the surface is like: connected, noisy, curved, closed.
//!
//! Of many points a sample is examined, so that a hundred thousand take seconds; the same data give the same suggestion.
//! Other parts of the library get the size of tangent neighborhoods here.

mod dimension;
mod edge;
mod graph;
mod method;
mod method_reason;
mod noise_floor;
mod projection;
mod reason;
mod sample;
mod surface;

pub use dimension::Estimate;
pub use edge::Edge;
pub use graph::Connectivity;
pub use method::Choice;
pub use method_reason::MethodReason;
pub use reason::Reason;
pub use surface::Surface;
pub(crate) use surface::TangentSize;

use crate::error::{Advice, Bound};
use crate::memory::Need;
use crate::neighbors::first_of_copies;
use crate::{Error, Metric, Points, Result, Run};
use method::Looks;
use noise_floor::NoiseFloor;
use sample::{NeighborSample, median};
use serde::Serialize;

/// The fewest points that a suggestion needs.
const FEWEST: usize = 20;

/// The dimensions of a picture.
const PICTURE: usize = 2;

/// The fewest points for which a size of tangents can be chosen, and how many of them are sampled.
const FEWEST_FOR_TANGENTS: usize = 100;
const TANGENT_SAMPLE: usize = 200;

/// How to examine the data.
///
/// ```
/// use truefold::dataset::{self, Request};
/// use truefold::{Run, Suggest};
///
/// let roll = dataset::find("swiss-roll")?.sample(&Request::new())?;
/// let suggestion = Suggest::default().run(&roll.points, &Run::new())?;
/// assert_eq!(suggestion.dim, 2);
/// assert_eq!(suggestion.graph.components, 1);
/// assert!(suggestion.edge.is_some_and(|edge| !edge.closed));
/// println!("k = {}: {}", suggestion.k, suggestion.k_reason);
/// # Ok::<(), truefold::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Suggest {
    /// The distance by which neighbors are found.
    pub metric: Metric,
    /// The most points that are examined; whether the graph is connected is always decided from all.
    pub sample: usize,
    /// A number of dimensions for which a method is wanted too, beside those of a picture and of coordinates.
    pub map_dim: Option<usize>,
}

impl Default for Suggest {
    fn default() -> Self {
        Self { metric: Metric::Euclidean, sample: 2000, map_dim: None }
    }
}

/// Suggested settings with their reasons.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Suggestion {
    /// The number of points.
    pub points: usize,
    /// How many of them are copies of others; these are left out.
    pub copies: usize,
    /// The number of points that were examined.
    pub sample: usize,
    /// The number of coordinates, q.
    pub input_dim: usize,
    /// The method for a picture: two dimensions, or one where the data have no more coordinates.
    pub picture: Choice,
    /// The method for coordinates: as many dimensions as are suggested.
    pub coordinates: Choice,
    /// The method for the number of dimensions that was asked for, if one was.
    pub asked: Option<Choice>,
    /// The suggested number of dimensions, d.
    pub dim: usize,
    /// Why.
    pub dim_reason: Reason,
    /// The estimates behind it.
    pub estimates: Vec<Estimate>,
    /// The mean share of each of the first axes of a chart of about k neighbors, longest first.
    pub spectrum: Vec<f64>,
    /// The suggested number of neighbors.
    pub k: usize,
    /// Why.
    pub k_reason: Reason,
    /// The suggested number of neighbors from which tangents are estimated.
    pub tangent_k: usize,
    /// Why.
    pub tangent_k_reason: Reason,
    /// How connected the neighborhood graph is.
    pub graph: Connectivity,
    /// The radius of a neighborhood of the suggested size.
    pub neighborhood_radius: f64,
    /// Noise and curvature; none where local PCA shows no surface, as its dimension cannot be told or no direction is left out.
    pub surface: Option<Surface>,
    /// Whether the surface has an edge; none where its dimension cannot be told.
    pub edge: Option<Edge>,
}

/// What was found at single points.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Local {
    /// The rows, copies of other points left out.
    pub rows: Vec<u32>,
    /// The number of dimensions by the likelihood of the distances to the nearest 20.
    pub dimension: Vec<f64>,
    /// The distance to the last of the suggested number of neighbors.
    pub radius: Vec<f64>,
    /// The share of the chart past the suggested number of dimensions.
    pub off_tangent: Vec<f64>,
    /// How one-sided the neighborhood is; above 1 the point is at an edge.
    pub sidedness: Vec<f64>,
}

impl Suggest {
    /// Examines the data.
    pub fn run(&self, points: &Points, run: &Run) -> Result<Suggestion> {
        self.check_dim(points)?;
        points.check_squares("X")?;
        // A key and a number of every point, to find copies.
        Need::of(size_of::<(u64, u32)>() as f64, 0.0)
            .check(format!("examining {} points", points.len()), (points.len(), 0))?;
        let distinct = first_of_copies(points).map(|rows| points.select(&rows));
        let different = distinct.as_ref().unwrap_or(points);
        check(different.len(), points.len())?;
        let sample = NeighborSample::new(different, self.metric, self.sample, run)?;
        let most = different.dim().min(different.len() - 2);
        let (estimates, dim, dim_reason) = self.dimensions(&sample, most, run)?;
        let noise = if let Reason::AboveNoise { deviation, .. } = dim_reason { Some(deviation) } else { None };
        let (k, k_reason, graph) = graph::choose(different, self.metric, dim, run)?;
        let tangents = surface::Tangents::new(&sample, dim);
        let tangent_size = tangents.choose(k);
        // By charts, which see whether any direction is left out.
        let charted = estimates.iter().find(|one| one.name == "charts").and_then(|one| one.value);
        let leaves_some = charted.is_some_and(|dim| dim < points.dim() as f64);
        let edge = charted.map(|_| edge::edge(&sample, dim, run)).transpose()?;
        let closed = edge.as_ref().is_some_and(|edge| edge.closed);
        let looks = Looks { dim, charted, coordinates: points.dim(), closed };
        let dims = [PICTURE.min(most), dim, self.map_dim.unwrap_or(dim)];
        let excess = projection::excess(&sample, dims, k, run)?;
        let choice = |at: usize| {
            // Neighborhoods of k points are thick with noise, which a map need not hold.
            let thick = if noise.is_some() && dims[at] >= dim { 0.0 } else { sample.thickness(k, dims[at]) };
            looks.choose(dims[at], thick, excess[at])
        };
        let radius =
            median(sample.near.iter().filter_map(|near| near.get(k - 1).or(near.last())).map(|one| one.0).collect());
        Ok(Suggestion {
            points: points.len(),
            copies: points.len() - different.len(),
            sample: sample.rows.len(),
            input_dim: points.dim(),
            picture: choice(0),
            coordinates: choice(1),
            asked: self.map_dim.map(|_| choice(2)),
            dim,
            dim_reason,
            spectrum: sample.mean_shares(k),
            k,
            k_reason,
            tangent_k: tangent_size.size,
            tangent_k_reason: tangent_size.reason,
            graph,
            neighborhood_radius: radius,
            surface: (leaves_some && dim < points.dim()).then(|| tangents.surface(radius, noise)),
            edge,
            estimates,
        })
    }

    /// The estimates of the number of dimensions, the number that they suggest, of `most`, and why.
    ///
    /// Where charts mistake noise for dimensions, their estimate is the number of those above the noise.
    fn dimensions(
        &self,
        sample: &NeighborSample<'_>,
        most: usize,
        run: &Run,
    ) -> Result<(Vec<Estimate>, usize, Reason)> {
        let (likelihood, two_nearest) = (dimension::likelihood(sample), dimension::two_nearest(sample));
        let mut charts = dimension::charts(sample);
        let charted = charts.value.map_or(0, |value| value as usize);
        if let Some(NoiseFloor { dim, size, gap, deviation }) = noise_floor::find(sample, self.metric, charted, run)? {
            (charts.value, charts.low) = (Some(dim as f64), charts.low.min(dim as f64));
            let reason = Reason::AboveNoise { charted, size, gap, deviation };
            return Ok((vec![likelihood, two_nearest, charts], dim.min(most), reason));
        }
        let estimates = vec![likelihood, two_nearest, charts];
        let (dim, reason) = dimension::together(&estimates, most);
        Ok((estimates, dim, reason))
    }

    /// The method for a map of [`Suggest::map_dim`] dimensions, or for a picture; of few points too.
    ///
    /// ```
    /// use truefold::{Points, Run, Suggest};
    ///
    /// let three = Points::from_rows(&[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])?;
    /// assert_eq!(Suggest::default().method(&three, &Run::new())?.method, "pca");
    /// # Ok::<(), truefold::Error>(())
    /// ```
    pub fn method(&self, points: &Points, run: &Run) -> Result<Choice> {
        self.check_dim(points)?;
        let different = first_of_copies(points).map_or(points.len(), |rows| rows.len());
        if different < FEWEST {
            return Ok(Choice::of_few(different, self.map_dim.unwrap_or(PICTURE.min(points.dim()))));
        }
        let found = self.run(points, run)?;
        Ok(found.asked.unwrap_or(found.picture))
    }

    /// An error if no map of the points has as many dimensions as were asked for.
    fn check_dim(&self, points: &Points) -> Result<()> {
        let most = points.dim();
        let (bound, advice) = match self.map_dim {
            Some(0) => (Bound::AtLeast(1.0), "choose more"),
            Some(dim) if dim > most => (Bound::AtMost(most as f64), "choose no more than the data have"),
            _ => return Ok(()),
        };
        Err(Error::parameter("dim", self.map_dim.unwrap_or_default(), bound, Advice::change("dim", advice)))
    }

    /// What `suggestion`, made from the same points, is based on at every single one of them.
    pub fn local(&self, points: &Points, suggestion: &Suggestion, run: &Run) -> Result<Local> {
        let rows = first_of_copies(points).unwrap_or_else(|| (0..points.len() as u32).collect());
        check(rows.len(), points.len())?;
        let different = points.select(&rows);
        let sample = NeighborSample::at_size(&different, self.metric, suggestion.k, edge::size(suggestion.dim), run)?;
        let inverses = sample.near.iter().map(|near| dimension::inverse(near, near.len().min(20)));
        Ok(Local {
            dimension: inverses.map(|inverse| inverse.map_or(0.0, |inverse| 1.0 / inverse.max(1e-3))).collect(),
            radius: sample.near.iter().map(|near| near[suggestion.k.min(near.len()) - 1].0).collect(),
            off_tangent: sample.spectra[0].iter().map(|one| one.share_beyond(suggestion.dim)).collect(),
            sidedness: edge::sidedness(&sample, suggestion.dim, run)?,
            rows,
        })
    }
}

/// How many neighbors the tangents of a surface of `dim` dimensions need whose neighborhoods have `k`; none where there
/// are too few points to tell.
pub(crate) fn tangent_size(points: &Points, dim: usize, k: usize, run: &Run) -> Result<Option<TangentSize>> {
    let distinct = first_of_copies(points).map(|rows| points.select(&rows));
    let different = distinct.as_ref().unwrap_or(points);
    if different.len() < FEWEST_FOR_TANGENTS || dim >= different.dim() {
        return Ok(None);
    }
    let sample = NeighborSample::new(different, Metric::Euclidean, TANGENT_SAMPLE, run)?;
    Ok(Some(surface::Tangents::new(&sample, dim).choose(k)))
}

fn check(different: usize, points: usize) -> Result<()> {
    if different >= FEWEST {
        return Ok(());
    }
    let advice = match points - different {
        0 => "give more points".to_owned(),
        copies => format!("give more points ({copies} are copies of others)"),
    };
    let advice = Advice::mend_data(advice);
    Err(Error::TooFewPoints { task: "a suggestion".into(), needed: FEWEST, given: different, advice: Box::new(advice) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::tests::asks_for;

    #[test]
    fn what_a_suggestion_holds_is_compared_with_the_memory_that_is_there() {
        let points = Points::new(60, 2, (0..120).map(|at| f64::from(at * at % 37)).collect()).unwrap();
        asks_for(60 * 16, || Suggest::default().run(&points, &Run::new()));
    }
}
