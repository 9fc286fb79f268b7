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
    /// Take the noise off X: carry every point, along the normal, onto the surface that it strayed from
    Denoise(DenoiseArgs),
    /// Improve the embedding Y of X, whichever program it came from
    Refine(RefineArgs),
    /// Compare methods on X: how faithful each is, beside the best possible, and what it costs
    Compare(CompareArgs),
    /// Find the number of neighbors, and of dimensions, that suit a method on X
    Sweep(SweepArgs),
    /// Tell what the data call for: dimensions, neighbors, and what their surface is like
    Suggest(SuggestArgs),
    /// Put new points into an embedding that `embed --save-model` kept, each with a confidence
    Transform(TransformArgs),
    /// List the methods of `embed` and their parameters
    Methods(ListArgs),
    /// List the measures
    Measures(ListArgs),
    /// List the data sets that `generate` makes
    Datasets(ListArgs),
    /// Make the paper's tables and figures again, beside the numbers that it prints
    Paper(PaperArgs),
    /// Run the whole job on built-in data sets and write reports to open
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

/// How neighbors are found.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Neighborhoods")]
pub(crate) struct FindArgs {
    /// Distance: euclidean, manhattan, cosine, correlation; or precomputed: X is a table of distances
    #[arg(long, default_value = "euclidean")]
    pub(crate) metric: String,
    /// How to search; every choice finds the same neighbors
    #[arg(long, value_enum, default_value_t = AlgorithmArg::Auto)]
    pub(crate) algorithm: AlgorithmArg,
    /// Search approximately, much faster on large high-dimensional data; the share of neighbors found is told
    #[arg(long, conflicts_with = "algorithm")]
    pub(crate) approximate: bool,
    /// Seed of everything random
    #[arg(long, default_value_t = 0)]
    pub(crate) seed: u64,
}

/// Which points are neighbors.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Neighborhoods")]
pub(crate) struct SearchArgs {
    /// Number of nearest neighbors, or auto: what `truefold suggest` says [default: 12 where the command measures]
    #[arg(long, conflicts_with = "radius", allow_negative_numbers = true)]
    pub(crate) k: Option<Amount>,
    /// All points within this distance instead of the k nearest
    #[arg(long, conflicts_with = "approximate", allow_negative_numbers = true)]
    pub(crate) radius: Option<f64>,
    #[command(flatten)]
    pub(crate) find: FindArgs,
}

/// Which points are neighbors, searched or given.
#[derive(Debug, Args)]
#[command(next_help_heading = "Neighborhoods")]
pub(crate) struct NeighborhoodArgs {
    #[command(flatten)]
    pub(crate) search: SearchArgs,
    /// Take the neighborhoods from this file, as `truefold neighbors` writes them
    #[arg(long, value_name = "FILE", conflicts_with_all = ["k", "radius", "approximate", "algorithm"])]
    pub(crate) neighbors: Option<PathBuf>,
}

/// A number, or the word that leaves it to the data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Amount {
    /// What the data call for.
    Auto,
    /// This many.
    Number(usize),
}

impl std::str::FromStr for Amount {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "auto" => Ok(Self::Auto),
            _ => text.parse().map(Self::Number).map_err(|_| "neither a whole number nor the word auto".to_owned()),
        }
    }
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

/// What is measured, and how.
#[derive(Debug, Args)]
#[command(next_help_heading = "Measuring")]
pub(crate) struct MeasuringArgs {
    /// Compare the neighbors of each point without the point itself, as the paper's tables do
    #[arg(long)]
    pub(crate) without_center: bool,
    /// Measures to take, separated by commas, or all; `truefold measures` lists them [default: the Procrustes measures;
    /// of `compare` r_n, r_c, overlap, collapse]
    #[arg(long, value_delimiter = ',', value_name = "NAMES")]
    pub(crate) measures: Vec<String>,
    /// Look at this many random points only where a measure's cost is quadratic, and tell the standard error
    #[arg(long, value_name = "M")]
    pub(crate) sample: Option<usize>,
    /// Steps on the neighborhood graph from which on two points count as distant, for the measure collapse
    /// [default: 4]
    #[arg(long, value_name = "S")]
    pub(crate) steps: Option<usize>,
}

/// What is written to be looked at.
#[derive(Debug, Args)]
#[command(next_help_heading = "Showing")]
pub(crate) struct ShowArgs {
    /// File for an interactive page, which opens in any browser without a network
    #[arg(long, value_name = "FILE")]
    pub(crate) report: Option<PathBuf>,
    /// File for a picture of all embeddings, .svg or .png
    #[arg(long, value_name = "FILE")]
    pub(crate) figure: Option<PathBuf>,
    /// True coordinates of the points, row by row, to color by
    #[arg(long, value_name = "FILE")]
    pub(crate) truth: Option<PathBuf>,
    /// A label for each point, row by row: a column of text or numbers
    #[arg(long, value_name = "FILE")]
    pub(crate) labels: Option<PathBuf>,
    /// The points are pictures of this many rows and columns of pixels, which the page shows when pointed at: 28x20
    #[arg(long, value_name = "HEIGHTxWIDTH")]
    pub(crate) image_shape: Option<String>,
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
    /// Number of dimensions of the embedding, or auto: what `truefold suggest` says
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
    /// File for a model that takes new points later, with `truefold transform`: NAME.truefold
    #[arg(long, value_name = "FILE")]
    pub(crate) save_model: Option<PathBuf>,
    /// File for the pairs of rows, from 0, that the map gave up: those that a closed surface was torn along, with where
    /// along the seam, and shortcuts between sheets (.csv or .tsv)
    #[arg(long, value_name = "FILE")]
    pub(crate) torn: Option<PathBuf>,
    /// How the result is shown
    #[arg(long, value_enum, default_value_t = Format::Table)]
    pub(crate) format: Format,
    #[command(flatten)]
    pub(crate) read: ReadArgs,
}

/// Arguments of `suggest`.
#[derive(Debug, Args)]
pub(crate) struct SuggestArgs {
    /// The data: .csv .tsv .npy .npz .parquet .mat, or - for CSV on standard input
    pub(crate) x: PathBuf,
    /// Distance: euclidean, manhattan, cosine, correlation
    #[arg(long, default_value = "euclidean")]
    pub(crate) metric: String,
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
    /// File for the confidence of each point and its parts (.csv or .tsv)
    #[arg(long, value_name = "FILE")]
    pub(crate) confidence: Option<PathBuf>,
    /// File for a picture of the model's points and of the new ones, each in the color of its confidence, .svg or .png
    #[arg(long, value_name = "FILE")]
    pub(crate) figure: Option<PathBuf>,
    /// How the summary is shown
    #[arg(long, value_enum, default_value_t = Format::Table)]
    pub(crate) format: Format,
    #[command(flatten)]
    pub(crate) read: ReadArgs,
}

/// Arguments of `denoise`.
#[derive(Debug, Args)]
pub(crate) struct DenoiseArgs {
    /// The data: .csv .tsv .npy .npz .parquet .mat, or - for CSV on standard input
    pub(crate) x: PathBuf,
    /// Number of dimensions of the surface, or auto: what `truefold suggest` says
    #[arg(long, default_value = "2")]
    pub(crate) dim: Amount,
    /// Number of neighbors that tangents are estimated from, or auto: those with which they stand out most
    #[arg(long, default_value = "auto", value_name = "N")]
    pub(crate) tangent_k: Amount,
    /// Rounds in which the surface is learned
    #[arg(long, default_value_t = 4, value_name = "N")]
    pub(crate) rounds: usize,
    /// File for the points without their noise
    #[arg(long, value_name = "FILE")]
    pub(crate) output: PathBuf,
    /// How the summary is shown
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
    pub(crate) neighborhoods: NeighborhoodArgs,
    /// The measure to lower: r, r-n, r-c or r-pca
    #[arg(long, default_value = "r-n")]
    pub(crate) target: String,
    /// The step: exact, or simple as in the paper
    #[arg(long, default_value = "exact")]
    pub(crate) step: String,
    /// Whether steps are bent by those before: quasi-newton, or none as in the paper
    #[arg(long, default_value = "quasi-newton")]
    pub(crate) acceleration: String,
    /// Weight of a penalty on distant points that are put together, as by a fold; 1 suits most maps, 0 is none
    #[arg(long, default_value_t = 0.0, value_name = "WEIGHT", allow_negative_numbers = true)]
    pub(crate) penalty: f64,
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
    pub(crate) show: ShowArgs,
    #[command(flatten)]
    pub(crate) read: ReadArgs,
}

/// Arguments of `compare`.
#[derive(Debug, Args)]
pub(crate) struct CompareArgs {
    /// The data: .csv .tsv .npy .npz .parquet .mat, or - for CSV on standard input
    pub(crate) x: PathBuf,
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
    /// All points within this distance instead of the k nearest
    #[arg(long, help_heading = "Neighborhoods", conflicts_with = "approximate", allow_negative_numbers = true)]
    pub(crate) radius: Option<f64>,
    /// Take the neighborhoods from this file, as `truefold neighbors` writes them
    #[arg(long, help_heading = "Neighborhoods", value_name = "FILE")]
    #[arg(conflicts_with_all = ["k", "radius", "approximate", "algorithm"])]
    pub(crate) neighbors: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) find: FindArgs,
    #[command(flatten)]
    pub(crate) measuring: MeasuringArgs,
    #[command(flatten)]
    pub(crate) show: ShowArgs,
    /// Folder for the embeddings, a CSV file each
    #[arg(long, help_heading = "Showing", value_name = "DIR")]
    pub(crate) output: Option<PathBuf>,
    /// How the result is shown
    #[arg(long, help_heading = "Showing", value_enum, default_value_t = TableFormat::Table)]
    pub(crate) format: TableFormat,
    #[command(flatten)]
    pub(crate) read: ReadArgs,
}

/// Arguments of `sweep`.
#[derive(Debug, Args)]
pub(crate) struct SweepArgs {
    /// The data: .csv .tsv .npy .npz .parquet .mat, or - for CSV on standard input
    pub(crate) x: PathBuf,
    /// The method; `truefold methods` lists them
    #[arg(long)]
    pub(crate) method: String,
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
    /// Compare the neighbors of each point without the point itself, as the paper's tables do
    #[arg(long)]
    pub(crate) without_center: bool,
    #[command(flatten)]
    pub(crate) find: FindArgs,
    #[command(flatten)]
    pub(crate) show: ShowArgs,
    /// How the result is shown
    #[arg(long, help_heading = "Showing", value_enum, default_value_t = TableFormat::Table)]
    pub(crate) format: TableFormat,
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
