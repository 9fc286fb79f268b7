//! UMAP: a weighted graph of neighbors, laid out so that strong links are short.
//!
//! Weights w_ij of the links by `forces/fuzzy.rs`; the layout lowers the cross entropy of w_ij and 1 / (1 + a |y_i -
//! y_j|^(2 b)): links pull as often as their weight says, and points drawn at random push. McInnes, Healy and Melville (2018).
//! All moves of an epoch are made at once, so the map does not depend on the threads; it begins at the principal
//! coordinates, which keep the large structure (Kobak and Linderman 2021), averaged along the graph (`walk.rs`). Cost: for every epoch O(n k). When it fails:
//! distances between clusters, their sizes and densities mean little.

mod curve;
mod optimize;
#[cfg(test)]
mod tests;
mod walk;

use super::tsne::start;
use super::{EmbedderInfo, GraphUse, ParameterInfo, Recipe, Values};
use crate::error::{Advice, Bound, Limit, Name};
use crate::forces::{Affinities, links};
use crate::history::Stop;
use crate::{Error, Fit, Problem, Result};
use curve::Curve;
use optimize::Layout;
use serde::{Deserialize, Serialize};
use walk::walked;

/// The largest dimension of a map.
const MOST_DIM: usize = 64;
/// Points up to which there are more epochs.
const FEW: usize = 10_000;
/// The standard deviation of the first coordinate at the start.
const START: f64 = 4.0;

/// UMAP.
///
/// ```
/// use truefold::dataset::{self, Request};
/// use truefold::{Neighborhoods, Pieces, Problem, Run, embed::Umap, fit};
///
/// let run = Run::new();
/// let curve = dataset::find("s-curve")?.sample(&Request::new().with_points(300))?;
/// let neighborhoods = Neighborhoods::nearest(&curve.points, 14, &run)?;
/// let problem = Problem::new(&curve.points, &neighborhoods, 2)?;
/// let embedding = fit(&Umap { epochs: Some(100), ..Umap::default() }, &problem, Pieces::Error, &run)?;
/// assert_eq!(embedding.info.facts["epochs"], 100);
/// # Ok::<(), truefold::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Umap {
    /// How near points may lie in the map; at most the spread.
    pub min_dist: f64,
    /// The scale of the map.
    pub spread: f64,
    /// How often all links are looked at.
    pub epochs: Option<usize>,
    /// Points that push for each link that pulls.
    pub negatives: usize,
    /// The first step.
    pub learning_rate: f64,
}

impl Default for Umap {
    fn default() -> Self {
        Self { min_dist: 0.1, spread: 1.0, epochs: None, negatives: 5, learning_rate: 1.0 }
    }
}

impl Recipe for Umap {
    const INFO: &'static EmbedderInfo = &EmbedderInfo {
        name: "umap",
        title: "UMAP",
        summary: "lays out a weighted graph of neighbors: links pull, points drawn at random push",
        metric_scale: false,
        graph: GraphUse::Links,
        default: false,
        cost: "time n k an epoch; memory 50 n k bytes",
        parameters: &[
            ParameterInfo::new(
                "min_dist",
                &[Values::AtLeast(0.0)],
                "how near points may lie in the map, at most spread",
            ),
            ParameterInfo::new("spread", &[Values::Above(0.0)], "the scale of the map"),
            ParameterInfo::new(
                "epochs",
                &[Values::Whole(1, usize::MAX), Values::Null],
                "how often all links are looked at; null is 500, and 200 beyond 10,000 points",
            ),
            ParameterInfo::new(
                "negatives",
                &[Values::Whole(0, usize::MAX)],
                "points that push for each link that pulls",
            ),
            ParameterInfo::new("learning_rate", &[Values::Above(0.0)], "the first step; the last is nearly zero"),
        ],
    };

    fn check_parameters(&self, dim: usize) -> Result<()> {
        if dim > MOST_DIM {
            let limit = Limit::because(Bound::AtMost(MOST_DIM as f64), "umap lays out no more dimensions");
            return Err(Error::parameter("dim", dim, limit, Advice::change("dim", "choose a smaller {dim}")));
        }
        if self.min_dist > self.spread {
            let limit = Limit::because(Bound::AtMost(self.spread), "the curve falls from there on the scale of spread");
            let name = Name::setting("min_dist");
            let advice = Advice::change(name.clone(), "choose a smaller one, or a larger {set spread}");
            return Err(Error::parameter(name, self.min_dist, limit, advice));
        }
        Ok(())
    }

    fn embed(&self, problem: &Problem<'_>, fit: &mut Fit<'_>) -> Result<Vec<f64>> {
        let links = links::given(problem, fit)?;
        let affinities = Affinities::fuzzy(&links.neighborhoods, &links.distances, fit.run())?;
        fit.lap("affinities");
        let start = walked(&affinities, start(problem, START, fit)?, problem.dim(), fit.run())?;
        fit.lap("start");
        let curve = Curve::fit(self.min_dist, self.spread);
        let epochs = self.epochs.unwrap_or(if problem.len() <= FEW { 500 } else { 200 });
        let layout = Layout {
            affinities: &affinities,
            curve,
            epochs,
            negatives: self.negatives,
            rate: self.learning_rate,
            dim: problem.dim(),
        };
        let values = layout.run(&start, fit.run())?;
        fit.lap("layout");
        fit.fact("epochs", epochs);
        fit.fact("a", curve.a);
        fit.fact("b", curve.b);
        fit.ended(Stop::MaxIterations);
        Ok(values)
    }
}
