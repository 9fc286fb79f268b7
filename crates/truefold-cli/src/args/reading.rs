//! What is read, and how.

use clap::Args;
use std::path::PathBuf;

/// The data of a command.
#[derive(Debug, Args)]
pub(crate) struct DataArgs {
    /// The data: .csv .tsv .npy .npz .parquet .mat .fbin .u8bin .fvecs .bvecs, or - for CSV on standard
    /// input
    pub(crate) x: PathBuf,
}

/// How a table of numbers is read.
#[derive(Debug, Clone, Args, Default)]
pub(crate) struct ReadArgs {
    /// Format of X and Y, whatever their endings: csv, tsv, npy, npz, parquet, mat, fbin, u8bin, fvecs, bvecs
    #[arg(long, value_name = "FORMAT", help_heading = "Reading")]
    pub(crate) input_format: Option<String>,
    /// Column of X that names the points (a header name, or a number from 1)
    #[arg(long, value_name = "COLUMN", help_heading = "Reading")]
    pub(crate) id_column: Option<String>,
    /// Column of X that holds a label
    #[arg(long, value_name = "COLUMN", help_heading = "Reading")]
    pub(crate) label_column: Option<String>,
    /// Columns of X to leave out, separated by commas
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',', help_heading = "Reading")]
    pub(crate) drop_columns: Vec<String>,
    /// Whether CSV and TSV files begin with a header [default: detected from the first line]
    #[arg(long, value_name = "BOOL", help_heading = "Reading")]
    pub(crate) header: Option<bool>,
    /// Separator of CSV files: one character, or 'tab' [default: detected from the first lines]
    #[arg(long, value_name = "CHARACTER", help_heading = "Reading")]
    pub(crate) separator: Option<String>,
    /// Array to read from .npz and .mat files that hold several
    #[arg(long, value_name = "NAME", help_heading = "Reading")]
    pub(crate) variable: Option<String>,
}
