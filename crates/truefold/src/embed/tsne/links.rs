//! The neighbors that attract each other, and where the points begin.

use super::super::{Mds, Recipe};
use crate::data::Input;
use crate::neighbors::Origin;
use crate::random::uniform;
use crate::spectral::principal_axes;
use crate::{Algorithm, Fit, Metric, Neighborhoods, Problem, Result, Search};
use std::borrow::Cow;

/// Neighborhoods with the distances of all members from their centers.
pub(in super::super) struct Links<'a> {
    pub(in super::super) neighborhoods: Cow<'a, Neighborhoods>,
    pub(in super::super) distances: Vec<f64>,
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
pub(super) fn search<'a>(problem: &Problem<'a>, wanted: usize, fit: &mut Fit<'_>) -> Result<Links<'a>> {
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
    let neighborhoods = match (search, problem.input()) {
        _ if given.uniform_k() == Some(wanted) => Cow::Borrowed(given),
        (Some(search), Input::Points(points)) => Cow::Owned(search.run(points, run)?),
        (Some(search), Input::Distances(distances)) => Cow::Owned(search.run_on_distances(distances, run)?),
        (None, _) => Cow::Borrowed(given),
    };
    fit.lap("neighbors");
    Links::measured(neighborhoods, problem, metric, fit)
}

/// The neighborhoods of the problem.
pub(in super::super) fn given<'a>(problem: &Problem<'a>, fit: &mut Fit<'_>) -> Result<Links<'a>> {
    let given = problem.neighborhoods();
    let metric = match *given.origin() {
        Origin::Exact { metric, .. } | Origin::Approximate { metric, .. } => metric,
        Origin::Distances { .. } | Origin::Given => Metric::Euclidean,
    };
    Links::measured(Cow::Borrowed(given), problem, metric, fit)
}

/// Where the points begin: their first principal coordinates, the first with this standard deviation; where there are
/// none, at random.
pub(in super::super) fn start(problem: &Problem<'_>, size: f64, fit: &mut Fit<'_>) -> Result<Vec<f64>> {
    let (count, dim) = (problem.len(), problem.dim());
    let mut values = match problem.input() {
        Input::Points(points) => principal_axes(points, dim, fit.run())?.values,
        Input::Distances(distances) if distances.values().is_some() => {
            fit.unrecorded(|fit| Recipe::embed(&Mds::default(), problem, fit))?
        }
        Input::Distances(_) => vec![0.0; count * dim],
    };
    let largest = values.iter().fold(0.0_f64, |most, value| most.max(value.abs()));
    if largest > 0.0 {
        values.iter_mut().for_each(|value| *value /= largest);
    }
    let deviation = |values: &[f64], axis: usize| {
        (values.iter().skip(axis).step_by(dim).map(|value| value * value).sum::<f64>() / count as f64).sqrt()
    };
    let first = deviation(&values, 0);
    let seed = fit.run().seed();
    for axis in 0..dim {
        // Points that have no such coordinate would never leave their line or plane.
        if deviation(&values, axis) <= 1e-9 * first {
            let random = |row: usize| 2.0 * uniform(seed, (row * dim + axis) as u64) - 1.0;
            (0..count).for_each(|row| values[row * dim + axis] = random(row) * if first > 0.0 { first } else { 1.0 });
        }
    }
    let scale = size / deviation(&values, 0);
    values.iter_mut().for_each(|value| *value *= scale);
    fit.lap("start");
    Ok(values)
}
