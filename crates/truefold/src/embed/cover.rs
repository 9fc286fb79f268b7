//! Landmarks that cover the neighborhood graph, each with the points around it: where local models are fitted.
//!
//! No point is farther than h from a landmark. A landmark holds the points within 1.5 h of it along the graph, with the
//! shares r_jk ~ exp(-2 (D_jk / h)^2), sum_k r_jk = 1. Nothing is drawn, and sheets that only come near each other share no
//! landmark. Cost: two shortest-path searches a landmark.

use crate::graph::{LengthGraph, spread_landmarks};
use crate::{Error, Problem, Result, Run};

/// How far a landmark reaches, in units of the distance within which they cover the graph.
const REACH: f64 = 1.5;
/// The width of the bell of shares in the same units.
const BELL: f64 = 0.5;

/// For each of about `wanted` landmarks of a connected problem the points that it holds, and their shares.
pub(super) fn cover(problem: &Problem<'_>, wanted: usize, run: &Run) -> Result<Vec<Vec<(u32, f64)>>> {
    let input = problem.input();
    let graph = LengthGraph::new(problem.neighborhoods(), |a, b| input.distance(a, b));
    let (landmarks, radius) = spread_landmarks(&graph, wanted, run, |_| ())?;
    if !radius.is_finite() {
        return Err(Error::data(
            "distances along the neighborhood graph are too large to be added",
            "rescale the data",
        ));
    }
    let mut held: Vec<Vec<(u32, f64)>> = graph.each_source(&landmarks, "models", run, |_, distances| {
        let near = distances.iter().enumerate().filter(|(_, distance)| **distance <= REACH * radius);
        near.map(|(point, distance)| (point as u32, bell(*distance, radius))).collect()
    })?;
    let mut totals = vec![0.0; problem.len()];
    for &(point, share) in held.iter().flatten() {
        totals[point as usize] += share;
    }
    for (point, share) in held.iter_mut().flatten() {
        *share /= totals[*point as usize];
    }
    Ok(held)
}

/// The share of a point at `distance` before it is divided by that of all landmarks.
fn bell(distance: f64, radius: f64) -> f64 {
    if radius > 0.0 { (-0.5 * (distance / (BELL * radius)).powi(2)).exp() } else { 1.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Neighborhoods;
    use crate::dataset::{self, Request};

    #[test]
    fn every_point_is_held_and_its_shares_sum_to_one() {
        let roll = dataset::find("swiss-roll").unwrap().sample(&Request::new().with_points(400)).unwrap().points;
        let neighborhoods = Neighborhoods::nearest(&roll, 8, &Run::new()).unwrap();
        let problem = Problem::new(&roll, &neighborhoods, 2).unwrap();
        let held = cover(&problem, 20, &Run::new()).unwrap();
        assert_eq!(held.len(), 20);
        let mut sums = vec![0.0; 400];
        held.iter().flatten().for_each(|&(point, share)| sums[point as usize] += share);
        assert!(sums.iter().all(|sum: &f64| (sum - 1.0).abs() < 1e-12));
    }
}
