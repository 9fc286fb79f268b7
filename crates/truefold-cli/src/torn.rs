//! What an embedding tore: the measures on what is left, and the torn pairs as a file.

use crate::cmd::default_scores;
use crate::judgment::{check_table, scores_json, scores_table};
use crate::table::counted;
use serde_json::{Value, json};
use std::path::Path;
use truefold::Input;
use truefold::measure::{Evaluation, Measure, Options, Score};
use truefold::{Error, Neighborhoods, Points, Run, Tear, io};

/// A tear and the scores on what it leaves.
pub(crate) struct Torn<'a> {
    tear: &'a Tear,
    scores: Vec<(&'static dyn Measure, Score)>,
}

impl<'a> Torn<'a> {
    /// Measures the embedding `y` on the neighborhoods that `tear` leaves.
    pub(crate) fn new(
        tear: &'a Tear,
        input: Input<'_>,
        y: &Points,
        neighborhoods: &Neighborhoods,
        run: &Run,
    ) -> Result<Self, Error> {
        let rest = tear.rest(neighborhoods);
        let evaluation = Evaluation::new(input, y, &rest, Options::default(), run)?;
        Ok(Self { tear, scores: default_scores(&evaluation)? })
    }

    /// For programs.
    pub(crate) fn json(&self) -> Value {
        json!({
            "share": self.tear.share(),
            "pairs": self.tear.pairs().len(),
            "measures": scores_json(&self.scores, |score| Some(score.value)),
            "lower_bounds": scores_json(&self.scores, |score| score.lower_bound),
        })
    }

    /// For people.
    pub(crate) fn text(&self) -> String {
        format!(
            "\nTorn: {}, {:.2} % of the memberships. On what is left:\n\n{}\n",
            counted(self.tear.pairs().len(), "pair", "pairs"),
            100.0 * self.tear.share(),
            scores_table(&self.scores)
        )
    }
}

/// Writes a line for each torn pair: its two rows of X, counted from 0, and where along the seam it is.
///
/// `rows` are the rows of X that were embedded, where not all were.
pub(crate) fn write(path: &Path, tear: Option<&Tear>, rows: Option<&[u32]>) -> Result<(), Error> {
    let name = |row: u32| rows.map_or(row, |rows| rows[row as usize]).to_string();
    let separator = check_table(path, "torn pairs")?;
    io::atomic(path, |out| {
        let mut writer = csv::WriterBuilder::new().delimiter(separator).from_writer(out);
        writer.write_record(["row", "other_row", "along"])?;
        if let Some(tear) = tear {
            for (pair, along) in tear.pairs().iter().zip(tear.along()) {
                writer.write_record([name(pair.0), name(pair.1), along.to_string()])?;
            }
        }
        writer.flush()
    })
}
