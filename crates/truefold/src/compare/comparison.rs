//! The result of a comparison: rows of methods and k, and which of them are best.

use super::Trial;
use crate::embed::EmbedderInfo;
use crate::measure::{Better, MeasureInfo, Options, Score};
use crate::{NeighborhoodFacts, Result};

/// A value this close to the best, relative to it, counts as best too.
const TIE: f64 = 1e-3;

/// A method on one set of neighborhoods.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Row {
    /// The label of the method.
    pub method: String,
    /// What the method is.
    pub info: &'static EmbedderInfo,
    /// All its parameters.
    pub parameters: serde_json::Value,
    /// The place of the neighborhoods among the comparison's columns.
    pub column: usize,
    /// Their k, where it is the same for all points.
    pub k: Option<usize>,
    /// What the method gave, or why it could not.
    pub outcome: Result<Trial>,
}

impl Row {
    /// What the method gave, where it did.
    pub fn trial(&self) -> Option<&Trial> {
        self.outcome.as_ref().ok()
    }

    /// The measure to read: `r_n` where distances in the embedding are meant to equal those along the data, otherwise
    /// `r_c`, as R_N is near 1 for any output that is normalized.
    pub fn telling(&self) -> &'static str {
        if self.info.metric_scale { "r_n" } else { "r_c" }
    }
}

/// Several methods on the same data.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Comparison {
    /// The number of points.
    pub points: usize,
    /// The dimension of the data, where they have coordinates.
    pub input_dim: Option<usize>,
    /// The dimension of the embeddings.
    pub dim: usize,
    /// How the embeddings were measured.
    pub options: Options,
    /// The measures that were taken.
    pub measures: Vec<&'static MeasureInfo>,
    /// The seed.
    pub seed: u64,
    /// The neighborhoods on which every method was run and measured, in the order of the plan.
    pub columns: Vec<NeighborhoodFacts>,
    /// The rows: the first method for each column, then the second.
    pub rows: Vec<Row>,
}

impl Comparison {
    /// Whether no other row of the same neighborhoods has a better value of this measure, up to a tie of one in a
    /// thousand.
    ///
    /// Rows that left points out are not compared with rows that did not. A row that tore pairs is compared by what is
    /// left of the neighborhoods, as [`Judgment::compared`](crate::Judgment::compared) says.
    pub fn is_best(&self, row: &Row, measure: &str) -> bool {
        let Some(info) = self.measures.iter().find(|info| info.name == measure) else { return false };
        let rivals = || self.rows.iter().filter(|other| other.column == row.column).filter_map(Row::trial);
        let whole = rivals().any(|trial| trial.judgment.points == self.points);
        let fair = |trial: &&Trial| !whole || trial.judgment.points == self.points;
        let value = |trial: &Trial| trial.judgment.compared(measure).map(|score: &Score| score.value);
        let Some(own) = row.trial().filter(fair).and_then(value) else { return false };
        rivals().filter(fair).filter_map(value).all(|other| match info.better {
            Better::Lower => own <= other + TIE * other.abs(),
            Better::Higher => own >= other - TIE * other.abs(),
        })
    }
}
