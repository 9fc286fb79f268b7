//! What an embedding tore: the measures on what is left, and the torn pairs as a file.

use crate::judgment::check_table;
use crate::table::{counted, number};
use serde_json::{Value, json};
use std::path::Path;
use truefold::local::Input;
use truefold::measure::{self, Evaluation, Options};
use truefold::{Error, Neighborhoods, Points, Run, Tear, io};

/// A tear and R_N on what it leaves.
pub(crate) struct Torn<'a> {
    tear: &'a Tear,
    r_n: f64,
    bound: f64,
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
        let score = measure::find("r_n")?.score(&evaluation)?;
        Ok(Self { tear, r_n: score.value, bound: score.lower_bound.unwrap_or(0.0) })
    }

    /// For programs.
    pub(crate) fn json(&self) -> Value {
        json!({
            "share": self.tear.share(),
            "pairs": self.tear.pairs().len(),
            "r_n": self.r_n,
            "lower_bound_r_n": self.bound,
        })
    }

    /// For people.
    pub(crate) fn text(&self) -> String {
        format!(
            "Torn: {}, {:.2} % of the memberships; on what is left R_N is {}, where the best possible is {}.",
            counted(self.tear.pairs().len(), "pair", "pairs"),
            100.0 * self.tear.share(),
            number(self.r_n),
            number(self.bound)
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
