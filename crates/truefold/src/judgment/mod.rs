//! What is known of one embedding, as facts that every front end shows: scores beside their bounds, the neighborhoods
//! they belong to, the worst rows, what was torn, and warnings.
//!
//! [`Judge`] holds what does not depend on the embedding (the data, the neighborhoods, the measures) and makes a
//! [`Judgment`] of any embedding. Where points were left out, it judges the others on the neighborhoods among them;
//! where pairs of neighbors were torn, it takes the Procrustes measures and the distortion of paths on the neighborhoods
//! without those pairs too.

mod judge;
mod neighborhoods;
mod scores;
#[cfg(test)]
mod tests;
mod verdict;

pub use judge::Judge;
pub use neighborhoods::NeighborhoodFacts;
pub use scores::{Scored, Scores};
pub use verdict::{Class, Counts, NeighborFacts, PointVerdicts, Verdict};

use crate::groups::GroupJudgment;
use crate::measure::{Distortion, MeasureInfo, Options, ScaleCurve, Score};
use crate::{Tear, Warning};

/// Below this mean above the bound no neighborhood is worth naming as the worst: what is left is rounding.
const ROUNDING: f64 = 1e-12;
/// A loss below this is not worth a warning.
const SLACK: f64 = 0.01;
/// Of fewer values than this, a tenth says nothing.
const FEWEST: usize = 10;

/// What is known of one embedding.
///
/// ```
/// use truefold::{Judge, Neighborhoods, Run, dataset};
///
/// let roll = dataset::find("swiss-roll")?.sample(&dataset::Request::new().with_points(1000))?;
/// let neighborhoods = Neighborhoods::nearest(&roll.points, 12, &Run::new())?;
/// let judgment = Judge::of_points(&roll.points, &neighborhoods).judge(&roll.truth, &Run::new())?;
/// assert!(judgment.scores.get("r_n").and_then(|score| score.times_bound()).is_some_and(|times| times < 1.1));
/// assert_eq!((judgment.output_dim, judgment.neighborhoods.k, judgment.warnings.len()), (2, Some(12), 0));
/// # Ok::<(), truefold::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Judgment {
    /// The number of points that were judged.
    pub points: usize,
    /// The dimension of the data, where they have coordinates.
    pub input_dim: Option<usize>,
    /// The dimension of the embedding.
    pub output_dim: usize,
    /// The rows of X that were embedded and judged, where not all were.
    pub rows: Option<Vec<u32>>,
    /// The neighborhoods in which X and Y were compared.
    pub neighborhoods: NeighborhoodFacts,
    /// How it was measured: with or without the centers, on a sample or on all points.
    pub options: Options,
    /// The scores on all neighborhoods; torn pairs count as neighbors that lie far apart.
    pub scores: Scores,
    /// Both directions beside chance, and a class for every point; none where it was not wanted, or nothing can be told.
    pub verdict: Option<Verdict>,
    /// What the map does to groups of points, where labels were given.
    pub groups: Option<GroupJudgment>,
    /// The scale by which the map should be enlarged so that a typical neighborhood has its size in the data.
    pub scale: f64,
    /// The neighborhoods of every size that the map keeps, where `r_nx` was measured.
    pub over_scale: Option<ScaleCurve>,
    /// What the map does to the lengths of paths, where `distortion` was measured; torn pairs count as they lie in the map.
    pub along_paths: Option<Distortion>,
    /// What was torn, where something was, and the scores on what is left.
    pub rest: Option<Rest>,
    /// What a reader should know: about the measures first, then the method's own warnings.
    pub warnings: Vec<Warning>,
}

/// What an embedding tore, and how faithful it is to the neighborhoods that are left.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Rest {
    /// The torn pairs of rows of the embedding.
    pub tear: Tear,
    /// The Procrustes measures and the distortion on the neighborhoods without these pairs.
    pub scores: Scores,
    /// What the map does to the lengths of paths that do not cross the seam, in the data or in the map, where `distortion`
    /// was measured.
    pub apart: Option<Distortion>,
    /// What it does to those of all paths where the seam is glued, so that its two banks are as near in the map as they are in
    /// the data, where `distortion` was measured.
    pub glued: Option<Distortion>,
}

/// The rows in which an embedding is least faithful.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Worst {
    /// The measure by which they are the worst: R_N, or R_C for a map that chose its own scale.
    pub info: &'static MeasureInfo,
    /// Rows of X with the measure, the largest above its bound first.
    pub rows: Vec<(usize, f64)>,
    /// The share that the worst tenth of the points holds of the sum of the measure above its bound.
    pub tenth_share: f64,
}

impl Judgment {
    /// The score by which an embedding is compared with others: that of what is left where something was torn and the
    /// measure was taken there, otherwise that of the whole.
    ///
    /// A torn pair costs R_N more than anything that a whole map does, and says nothing about what the map shows.
    pub fn compared(&self, name: &str) -> Option<&Score> {
        self.rest.as_ref().and_then(|rest| rest.scores.get(name)).or_else(|| self.scores.get(name))
    }

    /// The two-sided score by which an embedding is compared with others, with what is left where something was torn.
    pub fn score(&self) -> Option<f64> {
        let verdict = self.verdict.as_ref()?;
        Some(verdict.score_with(self.rest.as_ref().and_then(|rest| rest.scores.get("r_c"))))
    }

    /// Whether the map has a scale of its own, more than twice or less than half that of the data, so that R_N compares
    /// sizes that were never meant to agree.
    pub fn has_own_scale(&self) -> bool {
        !(0.5..=2.0).contains(&self.scale)
    }

    /// The measure to read: `r_c` where the map has a scale of its own, otherwise `r_n`.
    pub fn telling(&self) -> &'static str {
        if self.has_own_scale() { "r_c" } else { "r_n" }
    }

    /// The `count` rows where the [telling](Self::telling) measure is largest above its bound, and the share of the worst
    /// tenth; nothing where it was not measured at single points, is zero up to rounding, or has fewer than ten values.
    pub fn worst(&self, count: usize) -> Option<Worst> {
        let scored = self.scores.scored(self.telling()).or_else(|| self.scores.scored("r_n"))?;
        let values = scored.score.per_point.as_ref()?;
        let bounds = scored.score.per_point_bound.as_ref()?;
        let excess: Vec<f64> = values.iter().zip(bounds).map(|(value, bound)| value - bound).collect();
        let mut order: Vec<usize> = (0..excess.len()).filter(|&row| !excess[row].is_nan()).collect();
        order.sort_by(|&a, &b| excess[b].total_cmp(&excess[a]).then(a.cmp(&b)));
        let sum = |rows: &[usize]| rows.iter().map(|&row| excess[row].max(0.0)).sum::<f64>();
        let total = sum(&order);
        if order.len() < FEWEST || total <= ROUNDING * order.len() as f64 {
            return None;
        }
        let tenth_share = sum(&order[..order.len().div_ceil(10)]) / total;
        let of_input = |row: usize| self.rows.as_ref().map_or(row, |rows| rows[row] as usize);
        let rows = order.iter().take(count).map(|&row| (of_input(row), values[row])).collect();
        Some(Worst { info: scored.info, rows, tenth_share })
    }

    /// Forgets what is said of single points.
    pub(crate) fn forget_point_verdicts(&mut self) {
        if let Some(verdict) = &mut self.verdict {
            verdict.points = None;
        }
    }

    /// A warning where this embedding, made from that of `before`, lost in one direction what it won in the other.
    pub fn lost_since(&self, before: &Self) -> Option<Warning> {
        let (then, now) = (before.verdict.as_ref()?, self.verdict.as_ref()?);
        let is_worse = now.score < then.score - SLACK || now.neighbors.false_share > then.neighbors.false_share + SLACK;
        is_worse.then_some(Warning::RefinedWorse {
            before: then.score,
            after: now.score,
            false_before: then.neighbors.false_share,
            false_after: now.neighbors.false_share,
        })
    }
}
