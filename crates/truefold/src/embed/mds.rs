//! Classical multidimensional scaling (MDS): coordinates whose distances are those given, as nearly as d dimensions
//! allow.
//!
//! Y = V sqrt(L) from the d largest eigenpairs of B = -H D^2 H / 2, H the centering matrix. Torgerson (1952), Gower
//! (1966). The neighborhoods play no part but in the measures. For points, whose distances are Euclidean, B = H X X'H
//! and Y is that of PCA, so no distance is ever computed. Cost: n^2 a step for given distances, that of PCA for
//! points. When it fails: as PCA, whatever is curved is flattened; the part of distances that no Euclidean space has
//! is lost.

use super::pca::principal_coordinates;
use super::scaled::scaled;
use super::{Embedder, EmbedderInfo};
use crate::data::Input;
use crate::embedding::Outcome;
use crate::history::Stopwatch;
use crate::spectral::classical_scaling;
use crate::{Error, Problem, Result, Run};
use serde::{Deserialize, Serialize};

pub(super) static INFO: EmbedderInfo = EmbedderInfo {
    name: "mds",
    title: "Classical multidimensional scaling",
    summary: "coordinates whose distances are those of all pairs, as nearly as the dimensions allow",
    metric_scale: true,
    default: false,
    cost: "for distances n^2 a step; for points that of pca",
    parameters: &[],
};

/// Classical multidimensional scaling.
///
/// ```
/// use truefold::Input;
/// use truefold::{Distances, Pieces, Problem, Run, Search, embed::Mds, fit};
///
/// let distances = Distances::dense(3, vec![0.0, 3.0, 5.0, 3.0, 0.0, 4.0, 5.0, 4.0, 0.0])?;
/// let neighborhoods = Search::nearest(2).run_on_distances(&distances, &Run::new())?;
/// let problem = Problem::with_input(Input::Distances(&distances), &neighborhoods, 2)?;
/// let embedding = fit(&Mds::default(), &problem, Pieces::Error, &Run::new())?;
/// let (a, b) = (embedding.points.row(0), embedding.points.row(2));
/// assert!(((a[0] - b[0]).hypot(a[1] - b[1]) - 5.0).abs() < 1e-9);
/// # Ok::<(), truefold::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Mds {}

impl Embedder for Mds {
    fn info(&self) -> &'static EmbedderInfo {
        &INFO
    }

    fn check(&self, problem: &Problem<'_>) -> Result<()> {
        match problem.input() {
            Input::Distances(distances) if distances.values().is_none() => Err(Error::data(
                "mds needs the distances of all pairs, and only some are known",
                "give the full table, or use isomap, which needs those of neighbors alone",
            )),
            _ => Ok(()),
        }
    }

    fn embed(&self, problem: &Problem<'_>, run: &Run) -> Result<Outcome> {
        self.check(problem)?;
        let distances = match problem.input() {
            Input::Points(points) => return principal_coordinates(points, problem.dim(), run),
            Input::Distances(distances) => distances.values().unwrap_or_default(),
        };
        let mut watch = Stopwatch::start();
        let largest = distances.iter().copied().fold(0.0, f64::max);
        let unit = if largest > 0.0 { largest } else { 1.0 };
        let in_units: Vec<f64> = distances.iter().map(|distance| distance / unit).collect();
        let rows: Vec<&[f64]> = in_units.chunks_exact(problem.len()).collect();
        let mut outcome = scaled(&classical_scaling(&rows, unit, problem.dim(), run)?, problem.dim());
        watch.lap("eigenvectors");
        outcome.stages = watch.stages();
        Ok(outcome)
    }

    fn follows_graph(&self) -> bool {
        false
    }

    fn parameters(&self) -> serde_json::Value {
        serde_json::to_value(self).unwrap_or_default()
    }
}
