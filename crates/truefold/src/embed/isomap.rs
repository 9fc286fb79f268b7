//! Isomap: classical scaling of the distances along the neighborhood graph.
//!
//! Y = V sqrt(L) from the d largest eigenpairs of B = -H D^2 H / 2, D_ij the shortest path from i to j along edges
//! between neighbors, H the centering matrix. Tenenbaum, de Silva and Langford, "A global geometric framework for
//! nonlinear dimensionality reduction" (2000). Cost: n shortest-path searches, O(n^2 k log n), in parallel; 4 n^2
//! bytes: distances are kept in single precision, and the eigenvectors average out its rounding errors; 8 n^2 where some
//! points are far from the others. When it fails:
//! an edge that jumps between sheets shortens many paths; paths bend around holes; where the distances need more than
//! `memory` it is an error, and landmark-isomap takes its place.

use super::geodesics::{Geodesics, check_memory};
use super::{EmbedderInfo, GraphUse, ParameterInfo, Recipe, Values};
use crate::{Fit, Problem, Result};
use serde::{Deserialize, Serialize};

/// Isomap.
///
/// ```
/// use truefold::dataset::{self, Request};
/// use truefold::{Neighborhoods, Pieces, Problem, Run, embed::Isomap, fit, measure};
///
/// let run = Run::new();
/// let roll = dataset::find("swiss-roll")?.sample(&Request::new().with_points(800))?;
/// let neighborhoods = Neighborhoods::nearest(&roll.points, 12, &run)?;
/// let embedding = fit(&Isomap::default(), &Problem::new(&roll.points, &neighborhoods, 2)?, Pieces::Error, &run)?;
/// let r_c = &measure::evaluate(&roll.points, &embedding.points, &neighborhoods, &["r_c"])?[0];
/// assert!(r_c.value < 0.1);
/// # Ok::<(), truefold::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Isomap {
    /// The most gigabytes (2^30 bytes) for the distances.
    pub memory: f64,
}

impl Default for Isomap {
    fn default() -> Self {
        Self { memory: 4.0 }
    }
}

impl Recipe for Isomap {
    const INFO: &'static EmbedderInfo = &EmbedderInfo {
        name: "isomap",
        title: "Isomap",
        summary: "classical scaling of the distances along the neighborhood graph",
        metric_scale: true,
        graph: GraphUse::Components,
        default: true,
        cost: "time n^2 k log n; memory 4 n^2 bytes, an error beyond a limit",
        parameters: &[ParameterInfo::new(
            "memory",
            &[Values::Above(0.0)],
            "the most gigabytes for the distances; 4 are enough for 32,767 points; landmark-isomap needs far less",
        )],
    };

    fn check(&self, problem: &Problem<'_>) -> Result<()> {
        check_memory(problem, self.memory)
    }

    fn embed(&self, problem: &Problem<'_>, fit: &mut Fit<'_>) -> Result<Vec<f64>> {
        let input = problem.input();
        Geodesics::new(problem, |a, b| input.distance(a, b), fit)?.scaled(problem.dim(), self.memory, fit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::embed::fit;
    use crate::graph::{LengthGraph, ShortestPaths};
    use crate::{Neighborhoods, Pieces, Points, Run};
    use rand::{RngExt, SeedableRng};

    /// Two points far away, of which all others are at nearly the same distance: along the first axis a point is where the
    /// difference of its paths to the two puts it.
    #[test]
    fn far_points_leave_the_others_where_they_are() {
        let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(1);
        let mut rows: Vec<[f64; 2]> = vec![[1e6, 0.0], [0.0, 1e6]];
        rows.extend((0..500).map(|_| [rng.random_range(0.0..10.0), rng.random_range(0.0..10.0)]));
        let points = Points::from_rows(&rows).unwrap();
        let run = Run::new();
        let neighborhoods = Neighborhoods::nearest(&points, 12, &run).unwrap();
        let problem = Problem::new(&points, &neighborhoods, 2).unwrap();
        let graph = LengthGraph::new(&neighborhoods, |a, b| problem.input().distance(a, b));
        let paths = |from: usize| ShortestPaths::default().from(&graph, from)[2..].to_vec();
        let between: Vec<f64> = paths(0).iter().zip(paths(1)).map(|(a, b)| (b - a) / 2.0).collect();
        let centered = |values: Vec<f64>| {
            let mean = values.iter().sum::<f64>() / values.len() as f64;
            values.into_iter().map(|value| value - mean).collect::<Vec<f64>>()
        };
        let expected = centered(between);
        let off = |embedding: &crate::Embedding| {
            let sign = embedding.points.row(0)[0].signum();
            let found = centered((2..502).map(|row| sign * embedding.points.row(row)[0]).collect());
            found.iter().zip(&expected).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
        };
        let all = off(&fit(&Isomap::default(), &problem, Pieces::Error, &run).unwrap());
        assert!(all < 1e-3, "{all}");
    }
}
