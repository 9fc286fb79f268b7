//! What is known of one embedding, as facts that every front end shows: scores beside their bounds, the neighborhoods
//! they belong to, the worst rows, what was torn, and warnings.
//!
//! [`Judge`] holds what does not depend on the embedding (the data, the neighborhoods, the measures) and makes a
//! [`Judgment`] of any embedding. Where points were left out, it judges the others on the neighborhoods among them;
//! where pairs of neighbors were torn, it takes the Procrustes measures on the neighborhoods without those pairs too.

mod judge;
mod neighborhoods;
mod scores;
#[cfg(test)]
mod tests;

pub use judge::Judge;
pub use neighborhoods::NeighborhoodFacts;
pub use scores::{Scored, Scores};

use crate::measure::{Options, Score};
use crate::{Tear, Warning};

/// Below this R_N no neighborhood is worth naming as the worst: what is left is rounding.
const ROUNDING: f64 = 1e-12;
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
    /// The Procrustes measures on the neighborhoods without these pairs.
    pub scores: Scores,
}

/// The rows in which an embedding is least faithful.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Worst {
    /// Rows of X with their R_N, the largest first.
    pub rows: Vec<(usize, f64)>,
    /// The share of the sum of R_N over all points that the worst tenth of them holds.
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

    /// The `count` rows where R_N is largest, and the share of the worst tenth; nothing where R_N was not measured at
    /// single points, is zero up to rounding, or has fewer than ten values.
    pub fn worst(&self, count: usize) -> Option<Worst> {
        let scored = self.scores.scored("r_n")?;
        let values = scored.score.per_point.as_ref()?;
        let order = scored.largest_first();
        let sum = |rows: &[usize]| rows.iter().map(|&row| values[row]).sum::<f64>();
        let total = sum(&order);
        if order.len() < FEWEST || total <= 0.0 || scored.score.value <= ROUNDING {
            return None;
        }
        let tenth_share = sum(&order[..order.len().div_ceil(10)]) / total;
        let of_input = |row: usize| self.rows.as_ref().map_or(row, |rows| rows[row] as usize);
        let rows = order.iter().take(count).map(|&row| (of_input(row), values[row])).collect();
        Some(Worst { rows, tenth_share })
    }

    /// The neighborhoods that a measure had to leave out, as warnings.
    pub fn left_out(&self) -> impl Iterator<Item = &Warning> {
        self.warnings.iter().filter(|warning| matches!(warning, Warning::LeftOut { .. }))
    }
}
