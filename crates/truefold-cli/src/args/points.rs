//! Commands that make points, or look at them before anything is embedded.

use super::{Amount, DataArgs, DeviceArgs, Format, ReadArgs, SearchArgs, SeedArgs, SummaryFormatArgs};
use clap::Args;
use std::path::PathBuf;

/// Arguments of `generate`.
#[derive(Debug, Args)]
pub(crate) struct GenerateArgs {
    /// The data set; `truefold datasets` lists them
    pub(crate) name: String,
    /// Number of points [default: the data set's own]
    #[arg(long, value_name = "N")]
    pub(crate) points: Option<usize>,
    /// Standard deviation of Gaussian noise added to every coordinate
    #[arg(long, default_value_t = 0.0, allow_negative_numbers = true)]
    pub(crate) noise: f64,
    #[command(flatten)]
    pub(crate) random: SeedArgs,
    /// An option of the data set, such as height=3; may be repeated
    #[arg(long = "set", value_name = "NAME=VALUE")]
    pub(crate) set: Vec<String>,
    /// File for the points
    #[arg(long, value_name = "FILE")]
    pub(crate) output: PathBuf,
    /// File for their true coordinates
    #[arg(long, value_name = "FILE")]
    pub(crate) truth: Option<PathBuf>,
}

/// Arguments of `neighbors`.
#[derive(Debug, Args)]
pub(crate) struct NeighborsArgs {
    /// The points: .csv .tsv .npy .npz .parquet .mat .fbin .u8bin .fvecs .bvecs, or - for CSV on standard
    /// input
    pub(crate) x: PathBuf,
    #[command(flatten)]
    pub(crate) search: SearchArgs,
    /// File for the row numbers, counted from 0: one row per point, the point itself first, short rows filled with -1
    #[arg(long, value_name = "FILE")]
    pub(crate) output: PathBuf,
    #[command(flatten)]
    pub(crate) shown: SummaryFormatArgs,
    #[command(flatten)]
    pub(crate) read: ReadArgs,
}

/// Arguments of `denoise`.
#[derive(Debug, Args)]
pub(crate) struct DenoiseArgs {
    #[command(flatten)]
    pub(crate) data: DataArgs,
    /// Number of dimensions of the surface, or auto: the number that `truefold suggest` gives
    #[arg(long, default_value = "2")]
    pub(crate) dim: Amount,
    /// Number of neighbors that tangents are estimated from, or auto: the number with which they are clearest
    #[arg(long, default_value = "auto", value_name = "N")]
    pub(crate) tangent_k: Amount,
    #[command(flatten)]
    pub(crate) on: DeviceArgs,
    /// Rounds in which the surface is learned
    #[arg(long, default_value_t = 4, value_name = "N")]
    pub(crate) rounds: usize,
    /// File for the points without their noise
    #[arg(long, value_name = "FILE")]
    pub(crate) output: PathBuf,
    #[command(flatten)]
    pub(crate) shown: SummaryFormatArgs,
    #[command(flatten)]
    pub(crate) read: ReadArgs,
}

/// Arguments of `suggest`.
#[derive(Debug, Args)]
pub(crate) struct SuggestArgs {
    #[command(flatten)]
    pub(crate) data: DataArgs,
    /// Distance: euclidean, manhattan, cosine, correlation
    #[arg(long, default_value = "euclidean")]
    pub(crate) metric: String,
    #[command(flatten)]
    pub(crate) on: DeviceArgs,
    /// Name a method for a map of this many dimensions too
    #[arg(long)]
    pub(crate) dim: Option<usize>,
    /// Look closely at this many points at most, evenly chosen
    #[arg(long, default_value_t = 2000, value_name = "M")]
    pub(crate) sample: usize,
    /// File for what was found at every point (.csv or .tsv)
    #[arg(long, value_name = "FILE")]
    pub(crate) per_point: Option<PathBuf>,
    /// File for a picture of the points, each in the color of the dimension found there, .svg or .png
    #[arg(long, value_name = "FILE")]
    pub(crate) figure: Option<PathBuf>,
    /// How the suggestion is shown
    #[arg(long, value_enum, default_value_t = Format::Table)]
    pub(crate) format: Format,
    #[command(flatten)]
    pub(crate) read: ReadArgs,
}
