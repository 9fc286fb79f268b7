//! Classical multidimensional scaling (MDS): coordinates whose distances are as near to those given as d dimensions
//! allow.
//!
//! Y = V sqrt(L) from the d largest eigenpairs of B = -H D^2 H / 2, H the centering matrix. Torgerson (1952), Gower
//! (1966). The neighborhoods are used by the measures only. For points, whose distances are Euclidean, B = H X X'H and
//! Y is that of PCA, so no distance is computed. Cost: n^2 a step for given distances, that of PCA for points. When it
//! fails: as PCA, it flattens what is curved; what no Euclidean space has of the distances is lost.

use super::geodesics::scaled;
use super::pca::principal_coordinates;
use super::{EmbedderInfo, GraphUse, Recipe};
use crate::data::Input;
use crate::{Error, Fit, Problem, Result};
use serde::{Deserialize, Serialize};

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

impl Recipe for Mds {
    const INFO: &'static EmbedderInfo = &EmbedderInfo {
        name: "mds",
        title: "Classical multidimensional scaling",
        summary: "coordinates whose distances are as near to those of all pairs as the dimensions allow",
        metric_scale: true,
        graph: GraphUse::None,
        default: false,
        cost: "for distances n^2 a step; for points that of pca",
        parameters: &[],
    };

    fn check(&self, problem: &Problem<'_>) -> Result<()> {
        match problem.input() {
            Input::Distances(distances) if distances.values().is_none() => Err(Error::data(
                "mds needs the distances of all pairs, and only some are known",
                "give the full table, or use isomap, which needs only those between neighbors",
            )),
            _ => Ok(()),
        }
    }

    fn embed(&self, problem: &Problem<'_>, fit: &mut Fit<'_>) -> Result<Vec<f64>> {
        let distances = match problem.input() {
            Input::Points(points) => return principal_coordinates(points, problem.dim(), fit),
            Input::Distances(distances) => distances.values().unwrap_or_default(),
        };
        let largest = distances.iter().copied().fold(0.0, f64::max);
        let unit = if largest > 0.0 { largest } else { 1.0 };
        let in_units: Vec<f64> = distances.iter().map(|distance| distance / unit).collect();
        let rows: Vec<&[f64]> = in_units.chunks_exact(problem.len()).collect();
        Ok(scaled(&rows, unit, problem.dim(), fit)?.values)
    }
}
