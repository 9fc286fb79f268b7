//! The result of a comparison: rows of methods and k, and which of them are best.

use super::Trial;
use super::given::GIVEN;
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
        if self.has_own_scale() { "r_c" } else { "r_n" }
    }

    /// Whether the embedding has a scale of its own: the method normalizes its output, or a given map is far larger or
    /// smaller than the data.
    pub fn has_own_scale(&self) -> bool {
        match self.info.name == GIVEN.name {
            true => self.trial().is_some_and(|trial| trial.judgment.has_own_scale()),
            false => !self.info.metric_scale,
        }
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
        let value = |trial: &Trial| trial.judgment.compared(measure).map(|score: &Score| score.value);
        self.leads(row, info.better, value)
    }

    /// Whether no other row of the same neighborhoods has a better two-sided score, up to a tie of one in a thousand.
    pub fn has_best_score(&self, row: &Row) -> bool {
        self.leads(row, Better::Higher, |trial| trial.judgment.score())
    }

    /// The rows of one set of neighborhoods, the best score first; of scores that are equal to three digits the one with the
    /// lower R_N, maps with a scale of their own after the others. Rows that left points out come after those that did not,
    /// and rows without a score last.
    pub fn ranked(&self, column: usize) -> Vec<&Row> {
        let key = |row: &&Row| {
            let trial = row.trial();
            let is_whole = trial.is_some_and(|trial| trial.judgment.points == self.points);
            let score = trial.and_then(|trial| trial.judgment.score());
            let rounded = score.map_or(f64::NEG_INFINITY, |score| (score / TIE).round());
            let r_n = trial.filter(|_| !row.has_own_scale()).and_then(|trial| trial.judgment.compared("r_n"));
            (is_whole, trial.is_some(), rounded, r_n.map_or(f64::INFINITY, |score| score.value), score)
        };
        let mut rows: Vec<&Row> = self.rows.iter().filter(|row| row.column == column).collect();
        rows.sort_by(|a, b| {
            let (a, b) = (key(a), key(b));
            let exact = |score: Option<f64>| score.unwrap_or(f64::NEG_INFINITY);
            let by_class = (b.0, b.1).cmp(&(a.0, a.1)).then(b.2.total_cmp(&a.2));
            by_class.then(a.3.total_cmp(&b.3)).then(exact(b.4).total_cmp(&exact(a.4)))
        });
        rows
    }

    /// Whether maps of this column are to be read by their neighbors, as the dimension is too small for shapes; only
    /// verdicts tell.
    pub fn leads_with_neighbors(&self, column: usize) -> bool {
        let verdict = |row: &Row| row.trial().and_then(|trial| trial.judgment.verdict.as_ref()).cloned();
        let of_column = self.rows.iter().filter(|row| row.column == column);
        of_column.filter_map(verdict).next().is_some_and(|verdict| verdict.leads_with_neighbors())
    }

    fn leads(&self, row: &Row, better: Better, value: impl Fn(&Trial) -> Option<f64>) -> bool {
        let rivals = || self.rows.iter().filter(|other| other.column == row.column).filter_map(Row::trial);
        let whole = rivals().any(|trial| trial.judgment.points == self.points);
        let fair = |trial: &&Trial| !whole || trial.judgment.points == self.points;
        let Some(own) = row.trial().filter(fair).and_then(&value) else { return false };
        rivals().filter(fair).filter_map(&value).all(|other| match better {
            Better::Lower => own <= other + TIE * other.abs(),
            Better::Higher => own >= other - TIE * other.abs(),
        })
    }
}
