//! Which points are neighbors, and how they are found.

use clap::{Args, ValueEnum};
use std::path::PathBuf;
use truefold::Device;

/// How neighbors are found.
#[derive(Debug, Clone, Args)]
pub(crate) struct FindArgs {
    /// Distance: euclidean, manhattan, cosine, correlation; or precomputed: X is a table of distances
    #[arg(long, default_value = "euclidean", help_heading = "Neighborhoods")]
    pub(crate) metric: String,
    /// How to search; every choice finds the same neighbors
    #[arg(long, value_enum, default_value_t = AlgorithmArg::Auto, help_heading = "Neighborhoods")]
    pub(crate) algorithm: AlgorithmArg,
    /// Search approximately, much faster on large high-dimensional data; the share of neighbors found is reported
    #[arg(long, conflicts_with = "algorithm", help_heading = "Neighborhoods")]
    pub(crate) approximate: bool,
    /// Share of the true neighbors that an approximate search must find [default: 0.99]
    #[arg(
        long,
        value_name = "SHARE",
        requires = "approximate",
        allow_negative_numbers = true,
        help_heading = "Neighborhoods"
    )]
    pub(crate) recall: Option<f64>,
    #[command(flatten)]
    pub(crate) on: DeviceArgs,
    #[command(flatten)]
    pub(crate) random: SeedArgs,
}

/// Where neighbors are searched, for every search of a command.
#[derive(Debug, Clone, Copy, Args)]
pub(crate) struct DeviceArgs {
    /// Where to search; every choice finds the same neighbors
    #[arg(long, value_enum, default_value_t = DeviceArg::Auto, help_heading = "Neighborhoods")]
    pub(crate) device: DeviceArg,
}

/// The seed.
#[derive(Debug, Clone, Args)]
pub(crate) struct SeedArgs {
    /// Seed of everything random
    #[arg(long, default_value_t = 0, help_heading = "Run")]
    pub(crate) seed: u64,
}

/// Which points are neighbors.
#[derive(Debug, Clone, Args)]
pub(crate) struct SearchArgs {
    /// Number of nearest neighbors, or auto: the number that `truefold suggest` gives [default: 12 where the command measures]
    #[arg(long, conflicts_with = "radius", allow_negative_numbers = true, help_heading = "Neighborhoods")]
    pub(crate) k: Option<Amount>,
    #[command(flatten)]
    pub(crate) within: RadiusArgs,
    #[command(flatten)]
    pub(crate) find: FindArgs,
}

/// A radius in place of a number of neighbors.
#[derive(Debug, Clone, Args)]
pub(crate) struct RadiusArgs {
    /// All points within this distance instead of the k nearest
    #[arg(long, conflicts_with = "approximate", allow_negative_numbers = true, help_heading = "Neighborhoods")]
    pub(crate) radius: Option<f64>,
}

/// Which points are neighbors, searched or given.
#[derive(Debug, Args)]
pub(crate) struct NeighborhoodArgs {
    #[command(flatten)]
    pub(crate) search: SearchArgs,
    #[command(flatten)]
    pub(crate) given: GivenArgs,
}

/// Neighborhoods that are known already.
#[derive(Debug, Args)]
pub(crate) struct GivenArgs {
    /// Take the neighborhoods from this file, as `truefold neighbors` writes them
    #[arg(
        long,
        value_name = "FILE",
        conflicts_with_all = ["k", "radius", "approximate", "algorithm", "device"],
        help_heading = "Neighborhoods"
    )]
    pub(crate) neighbors: Option<PathBuf>,
}

/// A number, or the word that leaves the choice to the tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Amount {
    /// The number that suits the data.
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
    /// The faster of the two for the data
    Auto,
    /// A k-d tree
    Tree,
    /// All pairs
    Brute,
}

/// Where neighbors are searched.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum DeviceArg {
    /// A graphics processor where there is one and it is faster
    Auto,
    /// The processor
    Cpu,
    /// A graphics processor of NVIDIA
    Gpu,
}

impl From<DeviceArg> for Device {
    fn from(device: DeviceArg) -> Self {
        match device {
            DeviceArg::Auto => Self::Auto,
            DeviceArg::Cpu => Self::Cpu,
            DeviceArg::Gpu => Self::Gpu,
        }
    }
}
