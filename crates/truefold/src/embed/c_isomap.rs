//! Conformal Isomap (C-Isomap): Isomap with every edge measured in units of the local spacing of the points.
//!
//! The length of edge ij is |x_i - x_j| / sqrt(M_i M_j), M_i the mean distance from x_i to its neighbors divided by the
//! mean of all M, so that the map as a whole has the scale of the data, but no part of it needs to. If the points were
//! drawn evenly and then mapped conformally, the spacing grows with the local scale of that map, and dividing by the
//! spacing undoes it. De Silva and Tenenbaum, "Global versus local methods in nonlinear dimensionality reduction"
//! (2003), section 3. Cost: that of Isomap. When it fails: where the points were not drawn evenly, their density is
//! mistaken for distance.

use super::geodesics::{Geodesics, check_memory};
use super::{EmbedderInfo, GraphUse, ParameterInfo, Recipe, Values};
use crate::{Fit, Problem, Result};
use serde::{Deserialize, Serialize};

/// The least spacing of a point, as a share of the mean: a point that equals all its neighbors has no spacing.
const LEAST: f64 = 1e-6;

/// Conformal Isomap.
///
/// ```
/// use truefold::dataset::{self, Request};
/// use truefold::{Neighborhoods, Pieces, Problem, Run, embed::CIsomap, fit};
///
/// let run = Run::new();
/// let bowl = dataset::find("hemisphere")?.sample(&Request::new().with_points(400))?;
/// let neighborhoods = Neighborhoods::nearest(&bowl.points, 10, &run)?;
/// let embedding = fit(&CIsomap::default(), &Problem::new(&bowl.points, &neighborhoods, 2)?, Pieces::Error, &run)?;
/// assert_eq!(embedding.points.dim(), 2);
/// # Ok::<(), truefold::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CIsomap {
    /// The most gigabytes (2^30 bytes) for the distances.
    pub memory: f64,
}

impl Default for CIsomap {
    fn default() -> Self {
        Self { memory: 4.0 }
    }
}

impl Recipe for CIsomap {
    const INFO: &'static EmbedderInfo = &EmbedderInfo {
        name: "c-isomap",
        title: "Conformal Isomap",
        summary: "Isomap with edges in units of the local spacing, for conformal images of evenly drawn points",
        metric_scale: false,
        graph: GraphUse::Components,
        default: false,
        cost: "time n^2 k log n; memory 4 n^2 bytes, an error beyond a limit",
        parameters: &[ParameterInfo::new(
            "memory",
            &[Values::Above(0.0)],
            "the most gigabytes for the distances; 4 are enough for 32,767 points",
        )],
    };

    fn check(&self, problem: &Problem<'_>) -> Result<()> {
        check_memory(problem, self.memory)
    }

    fn embed(&self, problem: &Problem<'_>, fit: &mut Fit<'_>) -> Result<Vec<f64>> {
        let (input, spacings) = (problem.input(), spacings(problem));
        let length = |a: usize, b: usize| input.distance(a, b) / (spacings[a].sqrt() * spacings[b].sqrt());
        Geodesics::new(problem, length, fit)?.scaled(problem.dim(), self.memory, fit)
    }
}

/// The mean distance from each point to its neighbors, divided by the mean of all these.
fn spacings(problem: &Problem<'_>) -> Vec<f64> {
    let (input, neighborhoods) = (problem.input(), problem.neighborhoods());
    let mut spacings: Vec<f64> = (0..problem.len())
        .map(|point| {
            let neighbors = neighborhoods.neighbors(point);
            let share = 1.0 / neighbors.len() as f64;
            neighbors.iter().map(|&other| share * input.distance(point, other as usize)).sum()
        })
        .collect();
    let share = 1.0 / spacings.len() as f64;
    let mean: f64 = spacings.iter().map(|spacing| share * spacing).sum();
    if mean > 0.0 {
        spacings.iter_mut().for_each(|spacing| *spacing = (*spacing / mean).max(LEAST));
    } else {
        spacings.fill(1.0);
    }
    spacings
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::embed::fit;
    use crate::{Neighborhoods, Pieces, Points, Run};

    #[test]
    fn a_line_whose_spacing_doubles_becomes_even() {
        let rows: Vec<[f64; 1]> = (0..12).map(|at| [f64::from(1 << at)]).collect();
        let points = Points::from_rows(&rows).unwrap();
        let lists: Vec<Vec<i64>> = (0..12)
            .map(|at: i64| [at - 1, at + 1].into_iter().filter(|&end| (0..12).contains(&end)).collect())
            .collect();
        let neighborhoods = Neighborhoods::from_lists(&lists).unwrap();
        let problem = Problem::new(&points, &neighborhoods, 1).unwrap();
        let embedding = fit(&CIsomap::default(), &problem, Pieces::Error, &Run::new()).unwrap();
        let values = embedding.points.values();
        let steps: Vec<f64> = values.windows(2).map(|pair| (pair[1] - pair[0]).abs()).collect();
        // Away from the ends, where the spacing is one-sided, all steps are equal.
        assert!(steps[2..9].iter().all(|step| (step / steps[2] - 1.0).abs() < 1e-6), "{steps:?}");
    }
}
