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
    use crate::{Neighborhoods, Pieces, Run};

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
