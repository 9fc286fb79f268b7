//! Principal component analysis (PCA): the projection of the points onto the d directions of largest variance.
//!
//! Y = H X V with V the first d eigenvectors of X'H X, H the centering matrix. Pearson (1901), Hotelling (1933). The
//! neighborhoods are used by the measures only. Cost: O(n q^2) up to 512 dimensions, where X'H X is written down;
//! beyond, block Lanczos applies H X X'H, O(n q) a step (`spectral/principal_axes.rs`). When it fails: what is curved
//! is flattened, not unrolled.

use super::{EmbedderInfo, GraphUse, Recipe};
use crate::data::Input;
use crate::error::{Advice, Bound, Limit};
use crate::spectral::principal_axes;
use crate::warning::{Spanning, Warning};
use crate::{Error, Fit, Points, Problem, Result, Run};
use serde::{Deserialize, Serialize};

/// Principal component analysis.
///
/// ```
/// use truefold::{Neighborhoods, Pieces, Points, Problem, Run, embed::Pca, fit};
///
/// let points = Points::from_rows(&[[3.0, 4.0], [-3.0, -4.0], [6.0, 8.0], [-6.0, -8.0]])?;
/// let neighborhoods = Neighborhoods::nearest(&points, 2, &Run::new())?;
/// let embedding = fit(&Pca::default(), &Problem::new(&points, &neighborhoods, 1)?, Pieces::Error, &Run::new())?;
/// assert!((embedding.points.row(2)[0].abs() - 10.0).abs() < 1e-12);
/// # Ok::<(), truefold::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Pca {}

impl Pca {
    /// The first `dim` principal coordinates of points that have no neighborhoods, as for a view of them.
    ///
    /// ```
    /// use truefold::{Points, Run, embed::Pca};
    ///
    /// let points = Points::from_rows(&[[3.0, 4.0], [-3.0, -4.0]])?;
    /// assert!((Pca::project(&points, 1, &Run::new())?.row(0)[0].abs() - 5.0).abs() < 1e-12);
    /// assert!(Pca::project(&points, 3, &Run::new()).is_err());
    /// # Ok::<(), truefold::Error>(())
    /// ```
    pub fn project(points: &Points, dim: usize, run: &Run) -> Result<Points> {
        let most = points.dim().min(points.len());
        if dim == 0 || dim > most {
            let limit = Limit::because(Bound::Within(1.0, most as f64), "the points allow no more");
            return Err(Error::parameter("dim", dim, limit, Advice::change("dim", "choose a {dim} in that range")));
        }
        Points::new(points.len(), dim, principal_axes(points, dim, run)?.values)
    }
}

impl Recipe for Pca {
    const INFO: &'static EmbedderInfo = &EmbedderInfo {
        name: "pca",
        title: "Principal component analysis",
        summary: "projects the points onto the directions of largest variance",
        metric_scale: true,
        graph: GraphUse::None,
        default: true,
        cost: "time n q^2, or n q a step beyond 512 dimensions; memory n q",
        parameters: &[],
    };

    fn check(&self, problem: &Problem<'_>) -> Result<()> {
        coordinates(problem).map(|_| ())
    }

    fn embed(&self, problem: &Problem<'_>, fit: &mut Fit<'_>) -> Result<Vec<f64>> {
        principal_coordinates(coordinates(problem)?, problem.dim(), fit)
    }
}

fn coordinates<'a>(problem: &Problem<'a>) -> Result<&'a Points> {
    problem.coordinates(
        "pca projects coordinates, and distances alone have none",
        "use mds, which gives the same for Euclidean distances",
    )
}

/// The projection of the points as a start that has no tears; none where there are only distances.
pub(super) fn projected(input: &Input<'_>, dim: usize, run: &Run) -> Result<Option<Points>> {
    let Input::Points(points) = input else { return Ok(None) };
    Points::new(points.len(), dim, principal_axes(points, dim, run)?.values).map(Some)
}

/// The first `dim` principal coordinates of the points.
pub(super) fn principal_coordinates(points: &Points, dim: usize, fit: &mut Fit<'_>) -> Result<Vec<f64>> {
    let found = principal_axes(points, dim, fit.run())?;
    found.report(fit.facts());
    if found.rank < dim {
        fit.warn(Warning::FewDirections { of: Spanning::Points, found: found.rank, wanted: dim });
    }
    fit.lap("principal axes");
    Ok(found.values)
}
