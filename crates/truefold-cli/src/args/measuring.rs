//! What is measured, and how.

use clap::Args;

/// What is measured, and how.
#[derive(Debug, Args)]
pub(crate) struct MeasuringArgs {
    #[command(flatten)]
    pub(crate) center: CenterArgs,
    /// Measures to take, separated by commas; `default` stands for the Procrustes measures both ways with the verdict, `all` for
    /// everything, and other names for these measures without a verdict [default: default; with `compare` r_n, r_c,
    /// overlap, collapse and the verdict]
    #[arg(long, value_delimiter = ',', value_name = "NAMES", help_heading = "Measuring")]
    pub(crate) measures: Vec<String>,
    /// Measures of quadratic cost look at this many random points only; their standard error is reported [default: all
    /// of up to 20,000 points, 1,000 of more; for distortion the number of sources, by default 32,000,000 / n]
    #[arg(long, value_name = "M", help_heading = "Measuring")]
    pub(crate) sample: Option<usize>,
    /// Measures of quadratic cost look at all points, however many
    #[arg(long, conflicts_with = "sample", help_heading = "Measuring")]
    pub(crate) exact: bool,
    /// Number of steps on the neighborhood graph from which two points count as distant, for the measure collapse
    /// [default: 4]
    #[arg(long, value_name = "S", help_heading = "Measuring")]
    pub(crate) steps: Option<usize>,
    /// The false discovery rate at which points are told from chance [default: 0.05]
    #[arg(long, value_name = "Q", help_heading = "Measuring", allow_negative_numbers = true)]
    pub(crate) level: Option<f64>,
}

/// Whether a point counts among its own neighbors.
#[derive(Debug, Args)]
pub(crate) struct CenterArgs {
    /// Compare the neighbors of each point without the point itself, as the paper's tables do
    #[arg(long)]
    pub(crate) without_center: bool,
}
