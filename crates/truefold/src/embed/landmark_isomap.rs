//! Landmark Isomap: Isomap of a few landmarks, and every other point from its distances to them.
//!
//! Classical scaling of the distances along the graph among the landmarks gives V and L; a point with squared
//! distances s to them is put at y = -1/2 L^(-1/2) V'(s - m), m the mean of s over the landmarks; at a landmark that
//! is its own place. The whole is then turned onto its principal axes. De Silva and Tenenbaum, "Global versus local
//! methods in nonlinear dimensionality reduction" (2003), section 2. Landmarks are every (n/l)-th point of a
//! breadth-first walk from a point drawn by the seed, so they are spread as the points are. Cost: one search for
//! shortest paths per landmark, O(l n k log n), in parallel; 4 l n bytes. When it fails: as Isomap does; with few
//! landmarks, l near d, errors of single paths show.

use super::isomap::reach;
use super::pose::set_upright;
use super::scaled::scaled;
use super::{Embedder, EmbedderInfo, ParameterInfo};
use crate::embedding::Outcome;
use crate::graph::LengthGraph;
use crate::history::Stopwatch;
use crate::spectral::classical_scaling;
use crate::{Error, Problem, Result, Run};
use rand::{RngExt, SeedableRng};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

/// Points per task.
const CHUNK: usize = 4096;

pub(super) static INFO: EmbedderInfo = EmbedderInfo {
    name: "landmark-isomap",
    title: "Landmark Isomap",
    summary: "Isomap of a few landmarks; every other point from its distances along the graph to them",
    metric_scale: true,
    default: false,
    cost: "time l n k log n and memory 4 l n bytes for l landmarks",
    parameters: &[ParameterInfo {
        name: "landmarks",
        summary: "the number of landmarks, more than dim; all points are landmarks where there are fewer",
    }],
};

/// Landmark Isomap.
///
/// ```
/// use truefold::dataset::{self, Request};
/// use truefold::{Neighborhoods, Pieces, Problem, Run, embed::LandmarkIsomap, fit, measure};
///
/// let run = Run::new();
/// let roll = dataset::find("swiss-roll")?.sample(&Request::new().with_points(1500))?;
/// let neighborhoods = Neighborhoods::nearest(&roll.points, 12, &run)?;
/// let method = LandmarkIsomap { landmarks: 100 };
/// let embedding = fit(&method, &Problem::new(&roll.points, &neighborhoods, 2)?, Pieces::Error, &run)?;
/// let r_c = &measure::evaluate(&roll.points, &embedding.points, &neighborhoods, &["r_c"])?[0];
/// assert!(r_c.value < 0.1);
/// # Ok::<(), truefold::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LandmarkIsomap {
    /// The number of landmarks.
    pub landmarks: usize,
}

impl Default for LandmarkIsomap {
    fn default() -> Self {
        Self { landmarks: 500 }
    }
}

impl Embedder for LandmarkIsomap {
    fn info(&self) -> &'static EmbedderInfo {
        &INFO
    }

    fn check_parameters(&self, dim: usize) -> Result<()> {
        if self.landmarks > dim {
            return Ok(());
        }
        Err(Error::parameter(
            "landmarks",
            self.landmarks,
            format!("are too few for {dim} dimensions"),
            "use some hundreds",
        ))
    }

    fn embed(&self, problem: &Problem<'_>, run: &Run) -> Result<Outcome> {
        let mut watch = Stopwatch::start();
        let (count, dim, input) = (problem.len(), problem.dim(), problem.input());
        let graph = LengthGraph::new(problem.neighborhoods(), |a, b| input.distance(a, b));
        let landmarks = landmarks(&graph, self.landmarks.min(count), run.seed());
        let unit = reach(&graph, run)?;
        watch.lap("landmarks");
        let paths: Vec<Vec<f32>> = graph.each_source(&landmarks, "shortest paths", run, |_, paths| {
            paths.iter().map(|&path| (path / unit) as f32).collect()
        })?;
        watch.lap("shortest paths");
        let among: Vec<Vec<f64>> = paths
            .iter()
            .map(|row| landmarks.iter().map(|&landmark| f64::from(row[landmark as usize])).collect())
            .collect();
        let scaling = classical_scaling(&among, unit, dim, run)?;
        let mut outcome = scaled(&scaling, dim);
        let spectrum = &scaling.spectrum;
        watch.lap("eigenvectors");
        // L^(-1/2) V' without the directions that the landmarks do not have.
        let least = 1e-12 * spectrum.scale;
        let inverse: Vec<f64> =
            spectrum.values.iter().map(|&value| if value > least { 1.0 / value.sqrt() } else { 0.0 }).collect();
        let weights: Vec<f64> = spectrum
            .vectors
            .chunks_exact(dim)
            .flat_map(|row| row.iter().zip(&inverse).map(|(value, inverse)| -0.5 * value * inverse))
            .collect();
        let means: Vec<f64> = among
            .iter()
            .map(|row| row.iter().map(|distance| distance * distance).sum::<f64>() / row.len() as f64)
            .collect();
        let mut values = vec![0.0; count * dim];
        run.install(|| {
            values.par_chunks_mut(CHUNK * dim).enumerate().for_each(|(chunk, out)| {
                let size = out.len() / dim;
                for ((row, mean), weights) in paths.iter().zip(&means).zip(weights.chunks_exact(dim)) {
                    for (out, &path) in out.chunks_exact_mut(dim).zip(&row[chunk * CHUNK..][..size]) {
                        let rest = f64::from(path) * f64::from(path) - mean;
                        out.iter_mut().zip(weights).for_each(|(out, weight)| *out += weight * rest);
                    }
                }
            });
        });
        values.iter_mut().for_each(|value| *value *= unit);
        set_upright(&mut values, dim);
        watch.lap("other points");
        outcome.values = values;
        outcome.facts.insert("landmarks".into(), landmarks.len().into());
        outcome.stages = watch.stages();
        Ok(outcome)
    }

    fn parameters(&self) -> serde_json::Value {
        serde_json::to_value(self).unwrap_or_default()
    }
}

/// Points at even distances along a breadth-first walk, in increasing order.
fn landmarks(graph: &LengthGraph, wanted: usize, seed: u64) -> Vec<u32> {
    let count = graph.len();
    let root = rand_chacha::ChaCha8Rng::seed_from_u64(seed).random_range(0..count);
    let mut seen = vec![false; count];
    let mut walk = Vec::with_capacity(count);
    seen[root] = true;
    walk.push(root as u32);
    let mut next = 0;
    while next < walk.len() {
        for &end in graph.ends(walk[next] as usize) {
            if !seen[end as usize] {
                seen[end as usize] = true;
                walk.push(end);
            }
        }
        next += 1;
    }
    let mut chosen: Vec<u32> = (0..wanted).map(|at| walk[at * walk.len() / wanted]).collect();
    chosen.sort_unstable();
    chosen.dedup();
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dataset::{self, Request};
    use crate::embed::Isomap;
    use crate::embed::fit;
    use crate::{Neighborhoods, Pieces};

    #[test]
    fn with_all_points_as_landmarks_it_is_isomap() {
        let curve = dataset::find("s-curve").unwrap().sample(&Request::new().with_points(400)).unwrap();
        let neighborhoods = Neighborhoods::nearest(&curve.points, 10, &Run::new()).unwrap();
        let problem = Problem::new(&curve.points, &neighborhoods, 2).unwrap();
        let one = fit(&Isomap::default(), &problem, Pieces::Error, &Run::new()).unwrap();
        let other = fit(&LandmarkIsomap { landmarks: 400 }, &problem, Pieces::Error, &Run::new()).unwrap();
        let size = one.points.values().iter().copied().fold(0.0, f64::max);
        for (a, b) in one.points.values().iter().zip(other.points.values()) {
            assert!((a - b).abs() < 1e-5 * size, "{a} {b}");
        }
    }
}
