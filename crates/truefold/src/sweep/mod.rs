//! One method over k and d: which to choose, and how sure that choice is.
//!
//! Every (k, d) is scored on its own neighborhoods, as in the paper's tables, and on those of one reference k. Scores on
//! own neighborhoods cannot be compared over k: small neighborhoods fit into few dimensions whatever the method does, so
//! the smallest k would always win. The reference is the largest k of the sweep unless another is named: its
//! neighborhoods contain those of every smaller k, so it sees everything that any of the embeddings should keep. It has
//! a drawback: a method that lowers the measure itself, as gp and psa do, has an advantage at the reference k.
//!
//! **The choice of k** for one d looks at the loss on the reference neighborhoods: R_N, or R_C for methods that normalize
//! their output, each neighborhood counted as at most 1. Only those k are compared whose graph has the fewest connected
//! components. The smallest k is chosen that is as good as the best: within one standard error of it, or within 1 %. The
//! standard error is that of the mean difference between the two embeddings, point by point; as overlapping
//! neighborhoods are not independent, n points count as n / (k + 1), with the k of the reference. The confidence is
//! *high* where every other k is at least three standard errors worse, *moderate* where some are nearer or the chosen k
//! is the smallest or the largest of the sweep, *low* where all k are equally good.
//!
//! **The choice of d** looks at the data alone: the mean share of a reference neighborhood along each of its principal
//! axes. d is the smallest past which less than 1 % is left, or whose next axis holds less than 10 % and less than a third
//! of axis d. The confidence is *high* where less than 1 % is left or the next axis holds less than a tenth of axis d,
//! otherwise *moderate*. Where there is no such d, the data have more dimensions than the sweep: the largest is taken,
//! which loses least, and the confidence is *low*; it is low too where axis d itself holds less than 1 %, as fewer
//! dimensions may then suffice.
//!
//! ```
//! use truefold::Method;
//! use truefold::{Neighborhoods, Run, dataset, Input, sweep};
//!
//! let run = Run::new();
//! let roll = dataset::find("swiss-roll")?.sample(&dataset::Request::new().with_points(600))?;
//! let plan = sweep::Plan::new(Method::new("ltsa", &[])?, &[8, 10, 12], &[1, 2])?;
//! let widest = Neighborhoods::nearest(&roll.points, plan.largest_k(), &run)?;
//! let sweep = plan.run(Input::Points(&roll.points), &widest, &run)?;
//! assert_eq!(sweep.candidates.len(), 6);
//! assert_eq!(sweep.recommended().map(|choice| choice.dim), Some(2));
//! # Ok::<(), truefold::Error>(())
//! ```

mod choice;
mod dimension;
mod plan;
mod spectrum;
#[cfg(test)]
mod tests;

pub use choice::{Confidence, NeighborsChoice, Rival};
pub use dimension::DimensionChoice;
pub use plan::Plan;

use crate::Result;
use crate::Scores;
use crate::compare::Trial;
use crate::embed::EmbedderInfo;
use crate::measure::{Options, Score};

/// A method with one k and one d.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Candidate {
    /// The number of neighbors.
    pub k: usize,
    /// The dimension of the embedding.
    pub dim: usize,
    /// The number of connected components of the graph.
    pub components: usize,
    /// What the method gave, or why it could not.
    pub outcome: Result<Graded>,
}

impl Candidate {
    /// What the method gave, where it did.
    pub fn graded(&self) -> Option<&Graded> {
        self.outcome.as_ref().ok()
    }
}

/// An embedding scored twice.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Graded {
    /// The embedding, scored on the neighborhoods it was made from; coordinates are kept for the choice of each d.
    pub own: Trial,
    /// R_N and R_C on the neighborhoods of the reference k.
    pub reference: Scores,
}

impl Graded {
    /// The score of `r_n` or `r_c` on the reference neighborhoods.
    pub fn on_reference(&self, name: &str) -> Option<&Score> {
        self.reference.get(name)
    }
}

/// A method over k and d.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Sweep {
    /// The label of the method.
    pub method: String,
    /// What the method is.
    pub info: &'static EmbedderInfo,
    /// All its parameters.
    pub parameters: serde_json::Value,
    /// The number of points.
    pub points: usize,
    /// The dimension of the data, where they have coordinates.
    pub input_dim: Option<usize>,
    /// The numbers of neighbors, smallest first.
    pub ks: Vec<usize>,
    /// The dimensions, smallest first.
    pub dims: Vec<usize>,
    /// The k of the common neighborhoods.
    pub reference_k: usize,
    /// How the embeddings were measured.
    pub options: Options,
    /// The seed.
    pub seed: u64,
    /// All k for the first d, then for the second.
    pub candidates: Vec<Candidate>,
    /// The mean share of a reference neighborhood along each of its principal axes, the largest first, to one beyond
    /// the largest d.
    pub spectrum: Vec<f64>,
    /// The k to choose for each d for which the method gave anything.
    pub choices: Vec<NeighborsChoice>,
    /// The d to choose, where there are several.
    pub dimension: Option<DimensionChoice>,
}

impl Sweep {
    /// The measure that is compared over k: `r_n`, or `r_c` for methods that normalize their output.
    pub fn measure(&self) -> &'static str {
        telling(self.info)
    }

    /// The k and d to choose, unless the method gave nothing for that d.
    pub fn recommended(&self) -> Option<&NeighborsChoice> {
        let dim = self.dimension.as_ref().map_or(self.dims[0], |choice| choice.dim);
        self.choices.iter().find(|choice| choice.dim == dim)
    }

    /// The candidate of this k and d.
    pub fn candidate(&self, k: usize, dim: usize) -> Option<&Candidate> {
        self.candidates.iter().find(|candidate| candidate.k == k && candidate.dim == dim)
    }
}

/// The measure to read of a method.
fn telling(info: &EmbedderInfo) -> &'static str {
    if info.metric_scale { "r_n" } else { "r_c" }
}
