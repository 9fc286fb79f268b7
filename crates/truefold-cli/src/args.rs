//! The command line as it is typed.

use clap::{Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;

/// How faithful is a low-dimensional embedding, where is it not, and how far is it from the best possible?
#[derive(Debug, Parser)]
#[command(name = "truefold", version, propagate_version = true, max_term_width = 100)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
    #[command(flatten)]
    pub(crate) run: RunArgs,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Make a data set whose true coordinates are known
    Generate(GenerateArgs),
    /// Find the neighborhoods of points and write them as a table of row numbers
    Neighbors(NeighborsArgs),
    /// Tell how faithful the embedding Y of X is, where it is not, and how far it is from the best possible
    Measure(MeasureArgs),
    /// Embed X by a method and tell how faithful the result is
    Embed(EmbedArgs),
    /// Improve the embedding Y of X, whichever program it came from
    Refine(RefineArgs),
    /// List the methods of `embed` and their parameters
    Methods(ListArgs),
    /// List the measures
    Measures(ListArgs),
    /// List the data sets that `generate` makes
    Datasets(ListArgs),
    /// Run the whole job on a built-in data set and write a report to open
    Demo(DemoArgs),
    /// Print a completion script for a shell
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
}

/// Options of every command.
#[derive(Debug, Args)]
#[command(next_help_heading = "Run")]
pub(crate) struct RunArgs {
    /// Number of threads [default: all cores]; the result does not depend on it
    #[arg(long, global = true, value_name = "N")]
    pub(crate) threads: Option<usize>,
}

/// How a table of numbers is read.
#[derive(Debug, Args, Default)]
#[command(next_help_heading = "Reading")]
pub(crate) struct ReadArgs {
    /// Format of X and Y, whatever their endings: csv, tsv, npy, npz, parquet, mat
    #[arg(long, value_name = "FORMAT")]
    pub(crate) input_format: Option<String>,
    /// Column of X that names the points (a header name, or a number from 1)
    #[arg(long, value_name = "COLUMN")]
    pub(crate) id_column: Option<String>,
    /// Column of X that holds a label
    #[arg(long, value_name = "COLUMN")]
    pub(crate) label_column: Option<String>,
    /// Columns of X to leave out, separated by commas
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',')]
    pub(crate) drop_columns: Vec<String>,
    /// Whether CSV and TSV files begin with a header [default: told from the first line]
    #[arg(long, value_name = "BOOL")]
    pub(crate) header: Option<bool>,
    /// Separator of CSV files: one character, or 'tab' [default: told from the first lines]
    #[arg(long, value_name = "CHARACTER")]
    pub(crate) separator: Option<String>,
    /// Array to read from .npz and .mat files that hold several
    #[arg(long, value_name = "NAME")]
    pub(crate) variable: Option<String>,
}

/// Which points are neighbors.
#[derive(Debug, Args)]
#[command(next_help_heading = "Neighborhoods")]
pub(crate) struct SearchArgs {
    /// Number of nearest neighbors [default: 12 where the command measures]
    #[arg(long, conflicts_with = "radius", allow_negative_numbers = true)]
    pub(crate) k: Option<usize>,
    /// All points within this distance instead of the k nearest
    #[arg(long, allow_negative_numbers = true)]
    pub(crate) radius: Option<f64>,
    /// Distance: euclidean, manhattan, cosine, correlation; or precomputed: X is a table of distances
    #[arg(long, default_value = "euclidean")]
    pub(crate) metric: String,
    /// How to search; every choice finds the same neighbors
    #[arg(long, value_enum, default_value_t = AlgorithmArg::Auto)]
    pub(crate) algorithm: AlgorithmArg,
    /// Search approximately, much faster on large high-dimensional data; the share of neighbors found is told
    #[arg(long, conflicts_with_all = ["radius", "algorithm"])]
    pub(crate) approximate: bool,
    /// Seed of everything random
    #[arg(long, default_value_t = 0)]
    pub(crate) seed: u64,
}

/// How exact neighbors are searched.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum AlgorithmArg {
    /// The faster, judged on the data
    Auto,
    /// A k-d tree
    Tree,
    /// All pairs
    Brute,
}

/// How results are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people
    Table,
    /// For programs
    Json,
}

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
    /// Seed of everything random
    #[arg(long, default_value_t = 0)]
    pub(crate) seed: u64,
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
    /// The points: .csv .tsv .npy .npz .parquet .mat, or - for CSV on standard input
    pub(crate) x: PathBuf,
    #[command(flatten)]
    pub(crate) search: SearchArgs,
    /// File for the row numbers, from 0: one row per point, the point itself first, filled up with -1
    #[arg(long, value_name = "FILE")]
    pub(crate) output: PathBuf,
    /// How the summary is shown
    #[arg(long, value_enum, default_value_t = Format::Table)]
    pub(crate) format: Format,
    #[command(flatten)]
    pub(crate) read: ReadArgs,
}

/// Arguments of `measure`.
#[derive(Debug, Args)]
pub(crate) struct MeasureArgs {
    /// The data: .csv .tsv .npy .npz .parquet .mat, or - for CSV on standard input
    pub(crate) x: PathBuf,
    /// The embedding from any program: row i of Y belongs to row i of X
    pub(crate) y: PathBuf,
    #[command(flatten)]
    pub(crate) search: SearchArgs,
    /// Column of Y that names the points; where X has names too, they must be the same
    #[arg(long, value_name = "COLUMN", help_heading = "Reading")]
    pub(crate) y_id_column: Option<String>,
    /// Columns of Y to leave out, separated by commas
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',', help_heading = "Reading")]
    pub(crate) y_drop_columns: Vec<String>,
    /// Take the neighborhoods from this file, as `truefold neighbors` writes them
    #[arg(long, value_name = "FILE", conflicts_with_all = ["k", "radius", "approximate", "algorithm"])]
    pub(crate) neighbors: Option<PathBuf>,
    /// Compare the neighbors of each point without the point itself, as the paper's tables do
    #[arg(long, help_heading = "Measuring")]
    pub(crate) without_center: bool,
    /// Measures to take, separated by commas, or all; `truefold measures` lists them [default: the Procrustes measures]
    #[arg(long, help_heading = "Measuring", value_delimiter = ',', value_name = "NAMES")]
    pub(crate) measures: Vec<String>,
    /// Look at this many random points only where a measure's cost is quadratic, and tell the standard error
    #[arg(long, help_heading = "Measuring", value_name = "M")]
    pub(crate) sample: Option<usize>,
    /// Steps on the neighborhood graph from which on two points count as distant, for the measure collapse
    /// [default: 4]
    #[arg(long, help_heading = "Measuring", value_name = "S")]
    pub(crate) steps: Option<usize>,
    /// File for the value of every measure at every point (.csv or .tsv)
    #[arg(long, help_heading = "Measuring", value_name = "FILE")]
    pub(crate) per_point: Option<PathBuf>,
    /// How the result is shown
    #[arg(long, help_heading = "Measuring", value_enum, default_value_t = Format::Table)]
    pub(crate) format: Format,
    #[command(flatten)]
    pub(crate) read: ReadArgs,
}

/// Arguments of `embed`.
#[derive(Debug, Args)]
pub(crate) struct EmbedArgs {
    /// The data: .csv .tsv .npy .npz .parquet .mat, or - for CSV on standard input
    pub(crate) x: PathBuf,
    /// The method; `truefold methods` lists them
    #[arg(long)]
    pub(crate) method: String,
    /// Number of dimensions of the embedding
    #[arg(long, default_value_t = 2)]
    pub(crate) dim: usize,
    #[command(flatten)]
    pub(crate) search: SearchArgs,
    /// Take the neighborhoods from this file, as `truefold neighbors` writes them
    #[arg(long, value_name = "FILE", conflicts_with_all = ["k", "radius", "approximate", "algorithm"])]
    pub(crate) neighbors: Option<PathBuf>,
    /// A parameter of the method, such as refine=none, or components=side-by-side, largest or error; may be repeated
    #[arg(long = "set", value_name = "NAME=VALUE")]
    pub(crate) set: Vec<String>,
    /// File for the embedding
    #[arg(long, value_name = "FILE")]
    pub(crate) output: PathBuf,
    /// File for the pairs of rows, from 0, that a closed surface was torn along, and where along the seam (.csv or .tsv)
    #[arg(long, value_name = "FILE")]
    pub(crate) torn: Option<PathBuf>,
    /// How the result is shown
    #[arg(long, value_enum, default_value_t = Format::Table)]
    pub(crate) format: Format,
    #[command(flatten)]
    pub(crate) read: ReadArgs,
}

/// Arguments of `refine`.
#[derive(Debug, Args)]
pub(crate) struct RefineArgs {
    /// The data: .csv .tsv .npy .npz .parquet .mat, or - for CSV on standard input
    pub(crate) x: PathBuf,
    /// The embedding to improve: row i of Y belongs to row i of X
    pub(crate) y: PathBuf,
    #[command(flatten)]
    pub(crate) search: SearchArgs,
    /// Take the neighborhoods from this file, as `truefold neighbors` writes them
    #[arg(long, value_name = "FILE", conflicts_with_all = ["k", "radius", "approximate", "algorithm"])]
    pub(crate) neighbors: Option<PathBuf>,
    /// The measure to lower: r, r-n, r-c or r-pca
    #[arg(long, default_value = "r-n")]
    pub(crate) target: String,
    /// The step: exact, or simple as in the paper
    #[arg(long, default_value = "exact")]
    pub(crate) step: String,
    /// Whether steps are bent by those before: quasi-newton, or none as in the paper
    #[arg(long, default_value = "quasi-newton")]
    pub(crate) acceleration: String,
    /// How the exact step factors the Laplacian: auto, cholesky or iterative
    #[arg(long, default_value = "auto")]
    pub(crate) solver: String,
    /// The most steps
    #[arg(long, default_value_t = 200, value_name = "N")]
    pub(crate) iterations: usize,
    /// Stop when two steps in a row lower the target by less than this share of it
    #[arg(long, default_value_t = 1e-5)]
    pub(crate) tolerance: f64,
    /// The most seconds
    #[arg(long, value_name = "SECONDS")]
    pub(crate) time_limit: Option<f64>,
    /// File for the improved embedding
    #[arg(long, value_name = "FILE")]
    pub(crate) output: PathBuf,
    /// How the result is shown
    #[arg(long, value_enum, default_value_t = Format::Table)]
    pub(crate) format: Format,
    #[command(flatten)]
    pub(crate) read: ReadArgs,
}

/// Arguments of the lists.
#[derive(Debug, Args)]
pub(crate) struct ListArgs {
    /// How the list is shown
    #[arg(long, value_enum, default_value_t = Format::Table)]
    pub(crate) format: Format,
}

/// Arguments of `demo`.
#[derive(Debug, Args)]
pub(crate) struct DemoArgs {
    /// Folder for the data, the embeddings and the report
    #[arg(long, default_value = "truefold-demo", value_name = "DIR")]
    pub(crate) output: PathBuf,
}
