//! The neighbors that attract each other.

use super::affinities::Affinities;
use crate::data::Input;
use crate::neighbors::Origin;
use crate::{Algorithm, Fit, Metric, Neighborhoods, Problem, Result, Search};
use std::borrow::Cow;

/// Neighborhoods with the distances of all members from their centers.
pub(crate) struct Links<'a> {
    pub(crate) neighborhoods: Cow<'a, Neighborhoods>,
    pub(crate) distances: Vec<f64>,
}

impl<'a> Links<'a> {
    fn measured(
        neighborhoods: Cow<'a, Neighborhoods>,
        problem: &Problem<'_>,
        metric: Metric,
        fit: &mut Fit<'_>,
    ) -> Result<Self> {
        let distances = match problem.input() {
            Input::Points(points) => neighborhoods.distances(points, metric, fit.run())?,
            Input::Distances(distances) => neighborhoods.known_distances(distances)?,
        };
        fit.lap("distances");
        Ok(Self { neighborhoods, distances })
    }
}

/// The `wanted` nearest of each point, or all others, found as the neighborhoods of the problem were; given lists stay.
fn search<'a>(problem: &Problem<'a>, wanted: usize, fit: &mut Fit<'_>) -> Result<Links<'a>> {
    let (given, run) = (problem.neighborhoods(), fit.run());
    let wanted = wanted.min(problem.len() - 1);
    let search = Search::nearest(wanted);
    let (search, metric) = match *given.origin() {
        Origin::Exact { metric, .. } => (Some(search.with_metric(metric)), metric),
        Origin::Approximate { metric, wanted: recall, .. } => {
            (Some(search.with_metric(metric).with_algorithm(Algorithm::Approximate).with_recall(recall)), metric)
        }
        Origin::Distances { .. } => (Some(search), Metric::Euclidean),
        Origin::Given => (None, Metric::Euclidean),
    };
    // Where not all distances are known, there may be no more neighbors than those found.
    let search = search.filter(|_| !matches!(problem.input(), Input::Distances(known) if known.values().is_none()));
    let neighborhoods = match (search, problem.input()) {
        _ if given.uniform_k() == Some(wanted) => Cow::Borrowed(given),
        (Some(search), Input::Points(points)) => Cow::Owned(search.run(points, run)?),
        (Some(search), Input::Distances(distances)) => Cow::Owned(search.run_on_distances(distances, run)?),
        (None, _) => Cow::Borrowed(given),
    };
    fit.lap("neighbors");
    Links::measured(neighborhoods, problem, metric, fit)
}

/// Neighbors for each unit of perplexity.
const NEIGHBORS: f64 = 3.0;

/// The perplexity that a point with so many neighbors gets.
pub(super) fn reachable(perplexity: f64, neighbors: usize) -> f64 {
    perplexity.min(neighbors as f64 / NEIGHBORS).max(1.0)
}

impl Affinities {
    /// Weights of this perplexity between the points of a problem; for points with few neighbors of a smaller
    /// one; the largest is recorded.
    pub(crate) fn of_problem(problem: &Problem<'_>, perplexity: f64, fit: &mut Fit<'_>) -> Result<Self> {
        let links = search(problem, (NEIGHBORS * perplexity).ceil() as usize, fit)?;
        fit.fact("perplexity", reachable(perplexity, links.neighborhoods.largest_k()));
        let affinities = Self::of(&links.neighborhoods, &links.distances, perplexity, fit.run())?;
        fit.lap("affinities");
        Ok(affinities)
    }
}

/// The neighborhoods of the problem.
pub(crate) fn given<'a>(problem: &Problem<'a>, fit: &mut Fit<'_>) -> Result<Links<'a>> {
    let given = problem.neighborhoods();
    let metric = match *given.origin() {
        Origin::Exact { metric, .. } | Origin::Approximate { metric, .. } => metric,
        Origin::Distances { .. } | Origin::Given => Metric::Euclidean,
    };
    Links::measured(Cow::Borrowed(given), problem, metric, fit)
}
