//! What is written to be looked at, and how results are shown.

use super::ReadArgs;
use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// What is written to be looked at.
#[derive(Debug, Args)]
pub(crate) struct ShowArgs {
    /// File for an interactive page, which opens in any browser without a network
    #[arg(long, value_name = "FILE", help_heading = "Showing")]
    pub(crate) report: Option<PathBuf>,
    /// File for a picture of all embeddings, .svg or .png
    #[arg(long, value_name = "FILE", help_heading = "Showing")]
    pub(crate) figure: Option<PathBuf>,
    /// Draw over maps of two dimensions in the figure what balls of one size in the data become; pages show them on demand
    #[arg(long, help_heading = "Showing")]
    pub(crate) ellipses: bool,
    /// True coordinates of the points, row by row, to color by
    #[arg(long, value_name = "FILE", help_heading = "Showing")]
    pub(crate) truth: Option<PathBuf>,
    /// A label for each point, row by row: a column of text or numbers; `measure` and `compare` also tell what a map does to them
    #[arg(long, value_name = "FILE", help_heading = "Showing")]
    pub(crate) labels: Option<PathBuf>,
    /// The points are pictures of this many rows and columns of pixels, which the page shows when pointed at: 28x20
    #[arg(long, alias = "image-shape", value_name = "HEIGHTxWIDTH", help_heading = "Showing")]
    pub(crate) images: Option<String>,
    /// Column of X that holds a picture of each point, which the page shows when pointed at: PNG or JPEG, as a path
    /// relative to X or as a data URI
    #[arg(long, value_name = "COLUMN", help_heading = "Showing", conflicts_with = "images")]
    pub(crate) image_column: Option<String>,
}

impl ShowArgs {
    /// How X is read for its numbers: without the column of pictures.
    pub(crate) fn numbers(&self, read: &ReadArgs) -> ReadArgs {
        let mut read = read.clone();
        read.drop_columns.extend(self.image_column.clone());
        read
    }
}

/// How tables are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum TableFormat {
    /// For people
    Table,
    /// For programs
    Json,
    /// For documents
    Markdown,
    /// For spreadsheets
    Csv,
    /// A page, with the embeddings on it
    Html,
}

/// How a table of results is shown.
#[derive(Debug, Args)]
pub(crate) struct TableFormatArgs {
    /// How the result is shown
    #[arg(long, value_enum, default_value_t = TableFormat::Table, help_heading = "Showing")]
    pub(crate) format: TableFormat,
}

/// How results are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people
    Table,
    /// For programs
    Json,
}

/// How the result of a command is shown.
#[derive(Debug, Args)]
pub(crate) struct FormatArgs {
    /// How the result is shown
    #[arg(long, value_enum, default_value_t = Format::Table)]
    pub(crate) format: Format,
}

/// How a command that writes a table sums it up.
#[derive(Debug, Args)]
pub(crate) struct SummaryFormatArgs {
    /// How the summary is shown
    #[arg(long, value_enum, default_value_t = Format::Table)]
    pub(crate) format: Format,
}
