//! Landmark Isomap: Isomap of a few landmarks; every other point is placed by its distances to them.
//!
//! Classical scaling of the distances along the graph among the landmarks gives V and L; a point with squared distances
//! s to them goes to y = -1/2 L^(-1/2) V'(s - m), m the mean of s over the landmarks, which puts each landmark where it
//! was. The map is then turned onto its principal axes. De Silva and Tenenbaum, "Global versus local methods in
//! nonlinear dimensionality reduction" (2003), section 2. Landmarks are every (n/l)-th point of a breadth-first search
//! from a random point, so they are as dense as the points. Cost: a shortest-path search per landmark, O(l n k log n),
//! in parallel; 4 l n bytes. When it fails: as Isomap does; with few landmarks, l near d, errors of single paths are
//! visible.

use super::geodesics::{Geodesics, check_landmarks};
use super::{EmbedderInfo, GraphUse, ParameterInfo, Recipe, Values};
use crate::memory::Need;
use crate::{Fit, Problem, Result};
use serde::{Deserialize, Serialize};

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

impl Recipe for LandmarkIsomap {
    const INFO: &'static EmbedderInfo = &EmbedderInfo {
        name: "landmark-isomap",
        title: "Landmark Isomap",
        summary: "Isomap of a few landmarks; every other point is placed by its distances along the graph to them",
        metric_scale: true,
        graph: GraphUse::Components,
        default: false,
        cost: "time l n k log n and memory 4 l n bytes for l landmarks",
        parameters: &[ParameterInfo::new(
            "landmarks",
            &[Values::Whole(2, usize::MAX)],
            "the number of landmarks, more than the dimensions; where there are fewer points, all are landmarks",
        )],
    };

    fn check_parameters(&self, dim: usize) -> Result<()> {
        check_landmarks(self.landmarks, dim)
    }

    fn memory(&self, problem: &Problem<'_>) -> Need {
        // The paths from every landmark.
        Need::of(4.0 * self.landmarks.min(problem.len()) as f64, 12.0)
    }

    fn embed(&self, problem: &Problem<'_>, fit: &mut Fit<'_>) -> Result<Vec<f64>> {
        let (input, dim, run) = (problem.input(), problem.dim(), fit.run());
        let geodesics = Geodesics::new(problem, |a, b| input.distance(a, b), fit)?;
        let landmarks = geodesics.graph.even_landmarks(self.landmarks.min(problem.len()), run.seed());
        fit.lap("landmarks");
        geodesics.placed(&landmarks, dim, fit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dataset::{self, Request};
    use crate::embed::Isomap;
    use crate::embed::fit;
    use crate::graph::LengthGraph;
    use crate::{Embedding, Neighborhoods, Pieces, Points, Run};
    use rand::{RngExt, SeedableRng};

    /// Two points so far from a sheet of side 10 that they hold nearly all the variance, then the sheet.
    fn sheet_and_two_far() -> Points {
        let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(1);
        let mut rows: Vec<[f64; 2]> = vec![[1e6, 0.0], [0.0, 1e6]];
        rows.extend((0..500).map(|_| [rng.random_range(0.0..10.0), rng.random_range(0.0..10.0)]));
        Points::from_rows(&rows).unwrap()
    }

    /// The share of the plane points `to` that no rigid motion of `from` gives.
    fn off(from: &[f64], to: &[f64]) -> f64 {
        let centered = |values: &[f64]| -> Vec<[f64; 2]> {
            let count = values.len() as f64 / 2.0;
            let mean = [0, 1].map(|at| values.iter().skip(at).step_by(2).sum::<f64>() / count);
            values.chunks_exact(2).map(|row| [row[0] - mean[0], row[1] - mean[1]]).collect()
        };
        let (from, to) = (centered(from), centered(to));
        // The best turn of plane points, with and without a reflection: what is left then.
        let left = |mirror: f64| {
            let (mut along, mut across) = (0.0, 0.0);
            for (a, b) in from.iter().zip(&to) {
                along += a[0] * b[0] + mirror * a[1] * b[1];
                across += a[0] * b[1] - mirror * a[1] * b[0];
            }
            let (cos, sin) = (along / along.hypot(across), across / along.hypot(across));
            let turned = |a: &[f64; 2]| [cos * a[0] - sin * mirror * a[1], sin * a[0] + cos * mirror * a[1]];
            from.iter().zip(&to).map(|(a, b)| (turned(a)[0] - b[0]).powi(2) + (turned(a)[1] - b[1]).powi(2)).sum()
        };
        let extent: f64 = to.iter().flatten().map(|value| value * value).sum();
        (f64::min(left(1.0), left(-1.0)) / extent).sqrt()
    }

    fn of(points: &Points, method: &dyn crate::embed::Embedder, seed: u64) -> Embedding {
        let run = Run::new().with_seed(seed);
        let neighborhoods = Neighborhoods::nearest(points, 12, &run).unwrap();
        fit(method, &Problem::new(points, &neighborhoods, 2).unwrap(), Pieces::Error, &run).unwrap()
    }

    #[test]
    fn far_points_leave_the_others_where_isomap_puts_them() {
        let points = sheet_and_two_far();
        let inner = |embedding: &Embedding| embedding.points.values()[4..].to_vec();
        let isomap = inner(&of(&points, &Isomap::default(), 0));
        let all = off(&inner(&of(&points, &LandmarkIsomap { landmarks: 502 }, 0)), &isomap);
        assert!(all < 1e-5, "{all}");
        // Without the two among the landmarks, or with one of them, the sheet is as isomap of the sheet alone draws it.
        let alone = Points::new(500, 2, points.values()[4..].to_vec()).unwrap();
        let flat = off(of(&alone, &Isomap::default(), 0).points.values(), alone.values());
        let run = Run::new();
        let neighborhoods = Neighborhoods::nearest(&points, 12, &run).unwrap();
        let problem = Problem::new(&points, &neighborhoods, 2).unwrap();
        let mut seen = [false; 2];
        for (seed, landmarks) in [(0, 300), (6, 300), (1, 120), (3, 120)] {
            let graph = LengthGraph::new(&neighborhoods, |a, b| problem.input().distance(a, b));
            let far = graph.even_landmarks(landmarks, seed).iter().filter(|&&at| at < 2).count();
            if far < 2 {
                seen[far] = true;
                let found = off(&inner(&of(&points, &LandmarkIsomap { landmarks }, seed)), alone.values());
                // Paths to the far one begin at its few neighbors, which bends an axis a little.
                let most = if far == 0 { 1.2 } else { 2.0 };
                assert!(found < most * flat && flat < 0.05, "{seed}, {landmarks}, {far} far: {found} {flat}");
            }
        }
        assert!(seen[0] && seen[1]);
    }

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
