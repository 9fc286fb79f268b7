//! The command line as it is typed: shared groups of options, and the commands that take them.

mod comparing;
mod embedding;
mod measuring;
mod neighborhoods;
mod points;
mod reading;
mod showing;
mod stability;

pub(crate) use comparing::{CompareArgs, DemoArgs, PaperArgs, SweepArgs};
pub(crate) use embedding::{EmbedArgs, MeasureArgs, MethodArgs, RefineArgs, TransformArgs};
pub(crate) use measuring::{CenterArgs, MeasuringArgs};
pub(crate) use neighborhoods::{
    AlgorithmArg, Amount, DeviceArg, DeviceArgs, FindArgs, GivenArgs, NeighborhoodArgs, RadiusArgs, SearchArgs,
    SeedArgs,
};
pub(crate) use points::{DenoiseArgs, GenerateArgs, NeighborsArgs, SuggestArgs};
pub(crate) use reading::{DataArgs, ReadArgs};
pub(crate) use showing::{Format, FormatArgs, ShowArgs, SummaryFormatArgs, TableFormat, TableFormatArgs};
pub(crate) use stability::StabilityArgs;

use clap::{Args, Parser, Subcommand};

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
    /// Measure how faithful the embedding Y of X is, where it is not, and how far it is from the best possible
    Measure(MeasureArgs),
    /// Embed X by a method and measure how faithful the result is
    Embed(EmbedArgs),
    /// Remove the noise of X: move every point along the normal onto the surface
    Denoise(DenoiseArgs),
    /// Improve the embedding Y of X, from any program
    Refine(RefineArgs),
    /// Compare methods on X: how faithful each is, how far from the best possible, and what it costs
    Compare(CompareArgs),
    /// Find the number of neighbors, and of dimensions, that suit a method on X
    Sweep(SweepArgs),
    /// Suggest a number of dimensions and of neighbors for X, and describe its surface
    Suggest(SuggestArgs),
    /// Place new points in an embedding that `embed --save-model` saved, each with a confidence
    Transform(TransformArgs),
    /// Tell where maps of X disagree, point by point: what is chance, and what all of them get wrong
    Stability(StabilityArgs),
    /// List the methods of `embed` and their parameters
    Methods(ListArgs),
    /// List the measures
    Measures(ListArgs),
    /// List the data sets that `generate` makes
    Datasets(ListArgs),
    /// Reproduce the paper's tables and figures, next to the numbers that it prints
    Paper(PaperArgs),
    /// Embed and compare built-in data sets, and write reports to open
    Demo(DemoArgs),
    /// Print a completion script for a shell
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Print the manual page of the tool, or of one of its commands
    Man {
        /// The command [default: the tool]
        #[arg(value_name = "COMMAND")]
        of: Option<String>,
    },
}

/// Options of every command.
#[derive(Debug, Args)]
pub(crate) struct RunArgs {
    /// Number of threads [default: all cores]; the result does not depend on it
    #[arg(long, global = true, value_name = "N", help_heading = "Run")]
    pub(crate) threads: Option<usize>,
}

/// Arguments of the lists.
#[derive(Debug, Args)]
pub(crate) struct ListArgs {
    /// How the list is shown
    #[arg(long, value_enum, default_value_t = Format::Table)]
    pub(crate) format: Format,
}
