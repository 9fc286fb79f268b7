//! The command that holds maps of the same data beside each other.

use super::{DataArgs, FormatArgs, NeighborhoodArgs, ReadArgs};
use clap::Args;
use std::path::PathBuf;

/// Arguments of `stability`.
#[derive(Debug, Args)]
pub(crate) struct StabilityArgs {
    #[command(flatten)]
    pub(crate) data: DataArgs,
    /// Two or more maps from any program: row i of each belongs to row i of X, or to the row of the same name
    #[arg(required = true, num_args = 1.., value_name = "Y")]
    pub(crate) maps: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) neighborhoods: NeighborhoodArgs,
    /// Skill from which a point counts as stable, and as faithful: 0 is chance, 1 the best possible
    #[arg(long, default_value_t = 0.5, allow_negative_numbers = true)]
    pub(crate) level: f64,
    /// File for what was found at every point (.csv or .tsv)
    #[arg(long, value_name = "FILE")]
    pub(crate) per_point: Option<PathBuf>,
    /// File for a picture of all maps, .svg or .png: every point in the color of its disagreement
    #[arg(long, value_name = "FILE")]
    pub(crate) figure: Option<PathBuf>,
    /// Column of every Y that names the points; a map may then lack some points of X
    #[arg(long, value_name = "COLUMN", help_heading = "Reading")]
    pub(crate) y_id_column: Option<String>,
    /// Columns of every Y to leave out, separated by commas
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',', help_heading = "Reading")]
    pub(crate) y_drop_columns: Vec<String>,
    #[command(flatten)]
    pub(crate) shown: FormatArgs,
    #[command(flatten)]
    pub(crate) read: ReadArgs,
}
