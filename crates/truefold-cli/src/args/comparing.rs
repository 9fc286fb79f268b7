//! Commands that hold many embeddings beside each other.

use super::{
    CenterArgs, DataArgs, FindArgs, GivenArgs, MeasuringArgs, MethodArgs, RadiusArgs, ReadArgs, ShowArgs,
    TableFormatArgs,
};
use clap::Args;
use std::path::PathBuf;

/// Arguments of `compare`.
#[derive(Debug, Args)]
pub(crate) struct CompareArgs {
    #[command(flatten)]
    pub(crate) data: DataArgs,
    /// Methods to compare, separated by commas; `truefold methods` lists them
    /// [default: gp, psa, pca, isomap, lle, ltsa, laplacian-eigenmaps]
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub(crate) methods: Option<Vec<String>>,
    /// A parameter of a method, such as psa.tangent_k=40 or lle.components=largest; may be repeated
    #[arg(long = "set", value_name = "METHOD.NAME=VALUE")]
    pub(crate) set: Vec<String>,
    /// Number of dimensions of the embeddings
    #[arg(long, default_value_t = 2)]
    pub(crate) dim: usize,
    /// Numbers of nearest neighbors: 6,9,12 or 6..18 or 6..18:3 [default: 12]
    #[arg(long, help_heading = "Neighborhoods", conflicts_with = "radius", value_name = "LIST")]
    pub(crate) k: Option<String>,
    #[command(flatten)]
    pub(crate) within: RadiusArgs,
    #[command(flatten)]
    pub(crate) given: GivenArgs,
    #[command(flatten)]
    pub(crate) find: FindArgs,
    #[command(flatten)]
    pub(crate) measuring: MeasuringArgs,
    #[command(flatten)]
    pub(crate) show: ShowArgs,
    /// Folder for the embeddings, a CSV file each
    #[arg(long, help_heading = "Showing", value_name = "DIR")]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) shown: TableFormatArgs,
    #[command(flatten)]
    pub(crate) read: ReadArgs,
}

/// Arguments of `sweep`.
#[derive(Debug, Args)]
pub(crate) struct SweepArgs {
    #[command(flatten)]
    pub(crate) data: DataArgs,
    #[command(flatten)]
    pub(crate) embedder: MethodArgs,
    /// A parameter of the method, such as reg=0.01 or components=largest; may be repeated
    #[arg(long = "set", value_name = "NAME=VALUE")]
    pub(crate) set: Vec<String>,
    /// Numbers of nearest neighbors: 6..30 or 6..30:4 or 6,9,12
    #[arg(long, value_name = "LIST")]
    pub(crate) k: String,
    /// Dimensions of the embeddings: 2 or 1..5
    #[arg(long, value_name = "LIST", default_value = "2")]
    pub(crate) dim: String,
    /// Compare all k on the neighborhoods of this k [default: the largest]
    #[arg(long, value_name = "K")]
    pub(crate) reference_k: Option<usize>,
    #[command(flatten)]
    pub(crate) center: CenterArgs,
    #[command(flatten)]
    pub(crate) find: FindArgs,
    #[command(flatten)]
    pub(crate) show: ShowArgs,
    #[command(flatten)]
    pub(crate) shown: TableFormatArgs,
    #[command(flatten)]
    pub(crate) read: ReadArgs,
}

/// Arguments of `paper`.
#[derive(Debug, Args)]
pub(crate) struct PaperArgs {
    /// Folder with frey_faces and usps_twos (.npy .npz .mat .parquet .csv .tsv); without it they are left out
    #[arg(long, value_name = "DIR")]
    pub(crate) data: Option<PathBuf>,
    /// Folder for the tables and figures; index.html is the place to begin
    #[arg(long, value_name = "DIR")]
    pub(crate) output: PathBuf,
    /// Parts to make, separated by commas: swiss-roll, hemisphere, cylinder, faces, twos, noisy-swiss-roll [default: all]
    #[arg(long, value_delimiter = ',', value_name = "NAMES")]
    pub(crate) only: Vec<String>,
    /// Methods to run, separated by commas: gp, psa, lle, isomap, ltsa, sde [default: all]
    #[arg(long, value_delimiter = ',', value_name = "NAMES")]
    pub(crate) methods: Vec<String>,
    /// Numbers of neighbors over which minima are taken, separated by commas [default: the paper's 6,9,12,15,18]
    #[arg(long, value_delimiter = ',', value_name = "NUMBERS")]
    pub(crate) k: Vec<usize>,
}

/// Arguments of `demo`.
#[derive(Debug, Args)]
pub(crate) struct DemoArgs {
    /// Folder for the data, the embeddings and the report
    #[arg(long, default_value = "truefold-demo", value_name = "DIR")]
    pub(crate) output: PathBuf,
}
