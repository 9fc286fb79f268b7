//! Greedy Procrustes: embeds one neighborhood at a time, each carried onto those before it.
//!
//! Y_i = X_i P_i for the first neighborhood; then, again and again, the unembedded point with the most embedded neighbors is
//! taken and its neighborhood carried by the Procrustes motion (A_j, b_j) between its embedded members and their images:
//! y = A_j'(x - b_j). Goldberg and Ritov, section 4.1; refined as in section 4.4, as in the paper's experiments.
//! P_i is the local PCA of neighborhood X_i. Cost: O(n k) and a small Procrustes problem per neighborhood.
//!
//! It fails where overlaps are thin (small k) or the data noisy: every error is carried on to all that follows, and two
//! fronts that meet again, as around a hole or a closed surface, do not fit. The paper's own rule (`choice = paper`) also turns over
//! whatever hangs on an overlap that spans fewer than d directions.
//!
//! Differs from the paper: y = A'(x - b), where the paper prints X A + b; the two agree only for q = d and another b.

mod growth;
mod overlap;
mod queue;
mod start;

use super::{Embedder, EmbedderInfo, ParameterInfo};
use crate::embedding::{Outcome, Stopwatch};
use crate::local::Charts;
use crate::neighbors::Holders;
use crate::{Problem, Result, Run};
use growth::Growth;
use serde::{Deserialize, Serialize};

pub(super) static INFO: EmbedderInfo = EmbedderInfo {
    name: "gp",
    title: "Greedy Procrustes",
    summary: "embeds one neighborhood at a time onto those before it, then refines the whole",
    metric_scale: true,
    cost: "time and memory n k",
    parameters: &[
        ParameterInfo { name: "start", summary: "the first neighborhood: center of the graph, or random by the seed" },
        ParameterInfo {
            name: "choice",
            summary: "which neighborhood is next: robust, or the paper's literal rule: paper",
        },
    ],
};

/// Greedy Procrustes.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Gp {
    /// The first neighborhood.
    pub start: Start,
    /// The rule by which the next neighborhood is chosen.
    pub choice: Choice,
}

/// Where greedy Procrustes begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Start {
    /// In the middle of the neighborhood graph: the longest chain of carried errors is then shortest.
    #[default]
    Center,
    /// At a point drawn by the seed, as in the paper.
    Random,
}

/// How greedy Procrustes chooses the next neighborhood.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Choice {
    /// The most embedded neighbors, but overlaps that leave a direction open wait and are then enlarged.
    #[default]
    Robust,
    /// The most embedded neighbors.
    Paper,
}

impl Embedder for Gp {
    fn info(&self) -> &'static EmbedderInfo {
        &INFO
    }

    fn check(&self, _problem: &Problem<'_>) -> Result<()> {
        Ok(())
    }

    fn embed(&self, problem: &Problem<'_>, run: &Run) -> Result<Outcome> {
        let mut watch = Stopwatch::start();
        let charts = Charts::new(problem.input(), problem.neighborhoods(), run)?;
        let holders = Holders::new(problem.neighborhoods());
        watch.lap("charts");
        let start = match self.start {
            Start::Center => start::center(problem.neighborhoods(), &holders, run)?,
            Start::Random => start::random(problem.len(), run.seed()),
        };
        watch.lap("start");
        let mut growth = Growth::new(&charts, &holders, problem.dim(), self.choice, start);
        let values = growth.run(start, run)?;
        watch.lap("greedy Procrustes");
        let mut outcome = Outcome::direct(values);
        outcome.facts.insert("start".into(), start.into());
        outcome.facts.insert("neighborhoods_used".into(), growth.carried.into());
        outcome.facts.insert("loose_overlaps".into(), growth.loose.into());
        if growth.open > 0 {
            outcome.warnings.push(format!(
                "{} of {} neighborhoods were placed although their overlap with what was embedded leaves a direction open: \
                 parts may be turned or reflected; a larger k holds them",
                growth.open, growth.carried
            ));
        }
        outcome.stages = watch.stages();
        Ok(outcome)
    }

    fn parameters(&self) -> serde_json::Value {
        serde_json::to_value(self).unwrap_or_default()
    }
}
