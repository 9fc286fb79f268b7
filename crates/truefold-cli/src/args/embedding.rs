//! Commands that make, judge, improve or extend one embedding.

use super::{Amount, DataArgs, FormatArgs, MeasuringArgs, NeighborhoodArgs, ReadArgs, ShowArgs, SummaryFormatArgs};
use clap::Args;
use std::path::PathBuf;

/// The method of a command.
#[derive(Debug, Args)]
pub(crate) struct MethodArgs {
    /// The method; `truefold methods` lists them
    #[arg(long)]
    pub(crate) method: String,
}

/// Arguments of `measure`.
#[derive(Debug, Args)]
pub(crate) struct MeasureArgs {
    #[command(flatten)]
    pub(crate) data: DataArgs,
    /// The embedding from any program, or several to compare: row i of Y belongs to row i of X
    #[arg(required = true, num_args = 1..)]
    pub(crate) y: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) neighborhoods: NeighborhoodArgs,
    /// Column of Y that names the points; where X has names too, they must be the same
    #[arg(long, value_name = "COLUMN", help_heading = "Reading")]
    pub(crate) y_id_column: Option<String>,
    /// Columns of Y to leave out, separated by commas
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',', help_heading = "Reading")]
    pub(crate) y_drop_columns: Vec<String>,
    #[command(flatten)]
    pub(crate) measuring: MeasuringArgs,
    /// File for the value of every measure at every point (.csv or .tsv)
    #[arg(long, help_heading = "Measuring", value_name = "FILE")]
    pub(crate) per_point: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) show: ShowArgs,
    #[command(flatten)]
    pub(crate) shown: FormatArgs,
    #[command(flatten)]
    pub(crate) read: ReadArgs,
}

/// Arguments of `embed`.
#[derive(Debug, Args)]
pub(crate) struct EmbedArgs {
    #[command(flatten)]
    pub(crate) data: DataArgs,
    /// The method; `truefold methods` lists them; or auto: the one that `truefold suggest` gives for this number of dimensions
    #[arg(long)]
    pub(crate) method: String,
    /// Number of dimensions of the embedding, or auto: the number that `truefold suggest` gives
    #[arg(long, default_value = "2")]
    pub(crate) dim: Amount,
    #[command(flatten)]
    pub(crate) neighborhoods: NeighborhoodArgs,
    /// A parameter of the method, such as refine=none, or components=side-by-side, largest or error; may be repeated
    #[arg(long = "set", value_name = "NAME=VALUE")]
    pub(crate) set: Vec<String>,
    /// File for the embedding
    #[arg(long, value_name = "FILE")]
    pub(crate) output: PathBuf,
    /// File for a model that places new points later, with `truefold transform`: NAME.truefold
    #[arg(long, value_name = "FILE")]
    pub(crate) save_model: Option<PathBuf>,
    /// File for the torn pairs of rows, counted from 0, with their places along the seam; shortcuts between sheets are
    /// among them (.csv or .tsv)
    #[arg(long, value_name = "FILE")]
    pub(crate) torn: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) shown: FormatArgs,
    #[command(flatten)]
    pub(crate) read: ReadArgs,
}

/// Arguments of `refine`.
#[derive(Debug, Args)]
pub(crate) struct RefineArgs {
    #[command(flatten)]
    pub(crate) data: DataArgs,
    /// The embedding to improve: row i of Y belongs to row i of X
    pub(crate) y: PathBuf,
    #[command(flatten)]
    pub(crate) neighborhoods: NeighborhoodArgs,
    /// The measure to lower: r, r-n, r-c or r-pca; both: R_C on the neighborhoods of the data and of the map, with neighbors
    /// kept together; auto: both where the data have more dimensions than the map, else r-n
    #[arg(long, default_value = "auto")]
    pub(crate) target: String,
    /// The step: exact, or simple as in the paper
    #[arg(long, default_value = "exact")]
    pub(crate) step: String,
    /// Whether earlier steps change the direction of the next: quasi-newton, or none as in the paper
    #[arg(long, default_value = "quasi-newton")]
    pub(crate) acceleration: String,
    /// Weight of a penalty on distant points that the map puts together, as a fold does; 1 suits most maps, 0 is no
    /// penalty
    #[arg(long, default_value_t = 0.0, value_name = "WEIGHT", allow_negative_numbers = true)]
    pub(crate) penalty: f64,
    /// How the exact step factors the Laplacian: auto, cholesky or iterative
    #[arg(long, default_value = "auto")]
    pub(crate) solver: String,
    /// The largest number of steps
    #[arg(long, default_value_t = 200, value_name = "N")]
    pub(crate) iterations: usize,
    /// Stop when two steps in a row lower the target by less than this share of it; of both, when 50 do so on average
    #[arg(long, default_value_t = 1e-5)]
    pub(crate) tolerance: f64,
    /// The largest number of seconds
    #[arg(long, value_name = "SECONDS")]
    pub(crate) time_limit: Option<f64>,
    /// How far reverse R_C may rise, and R_C where the target is both, in maps of up to three dimensions; inf is without limit
    #[arg(long, default_value_t = 0.02, allow_negative_numbers = true)]
    pub(crate) slack: f64,
    /// File for the improved embedding
    #[arg(long, value_name = "FILE")]
    pub(crate) output: PathBuf,
    #[command(flatten)]
    pub(crate) shown: FormatArgs,
    #[command(flatten)]
    pub(crate) show: ShowArgs,
    #[command(flatten)]
    pub(crate) read: ReadArgs,
}

/// Arguments of `transform`.
#[derive(Debug, Args)]
pub(crate) struct TransformArgs {
    /// The model, as `truefold embed --save-model` wrote it
    pub(crate) model: PathBuf,
    /// The new points, with the columns of the fitted ones: .csv .tsv .npy .npz .parquet .mat, or - for CSV on
    /// standard input
    pub(crate) x: PathBuf,
    /// File for their places in the embedding
    #[arg(long, value_name = "FILE")]
    pub(crate) output: PathBuf,
    /// File for the confidence of each point and facts about its place (.csv or .tsv)
    #[arg(long, value_name = "FILE")]
    pub(crate) confidence: Option<PathBuf>,
    /// File for a picture of the model's points and of the new ones, each in the color of its confidence, .svg or .png
    #[arg(long, value_name = "FILE")]
    pub(crate) figure: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) shown: SummaryFormatArgs,
    #[command(flatten)]
    pub(crate) read: ReadArgs,
}
