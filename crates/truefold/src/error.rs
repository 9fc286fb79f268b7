//! The one error type: every variant carries the value given, the limit it broke, and what to do about it.

use std::path::{Path, PathBuf};

/// What every fallible function of the library returns.
pub type Result<T> = std::result::Result<T, Error>;

/// Why something could not be done, in one sentence that a user can act on.
///
/// ```
/// use truefold::{Neighborhoods, Points, Run};
///
/// let points = Points::new(3, 1, vec![0.0, 1.0, 2.0])?;
/// let error = Neighborhoods::nearest(&points, 3, &Run::new()).unwrap_err();
/// assert_eq!(error.to_string(), "k = 3 is too large: 3 points allow at most k = 2; choose a smaller k");
/// # Ok::<(), truefold::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A parameter has a value that it cannot have.
    #[error("{name} = {given} {limit}; {advice}")]
    Parameter {
        /// The parameter as the user knows it.
        name: String,
        /// The value given.
        given: String,
        /// The limit it breaks, as a clause: `is too large: 3 points allow at most k = 2`.
        limit: String,
        /// What to do instead.
        advice: String,
    },
    /// The data cannot be used as they are.
    #[error("{what}; {advice}")]
    Data {
        /// What is wrong, with the place and the value.
        what: String,
        /// What to do about it.
        advice: String,
    },
    /// There are fewer points than the task needs.
    #[error("{task} needs at least {needed} points, but there {} {given}; {advice}", if *given == 1 { "is" } else { "are" })]
    TooFewPoints {
        /// What was to be done.
        task: String,
        /// The least number of points for it.
        needed: usize,
        /// The number of points given.
        given: usize,
        /// What to do about it.
        advice: String,
    },
    /// The neighborhood graph falls into pieces and the task needs it whole.
    #[error("the neighborhood graph has {components} connected components, but {task} needs one; {advice}")]
    Disconnected {
        /// What was to be done.
        task: String,
        /// The number of components found.
        components: usize,
        /// What to do about it.
        advice: String,
    },
    /// The neighborhoods span fewer directions than the embedding is to have.
    #[error("{what} at most {given} directions, but {needed} are needed; {advice}")]
    RankDeficient {
        /// What was looked at: `the neighborhoods of all 40 points span`.
        what: String,
        /// The largest number of directions found in any of them.
        given: usize,
        /// The number of directions needed.
        needed: usize,
        /// What to do about it.
        advice: String,
    },
    /// An iteration ended too far from the solution to be of use.
    #[error("{task} reached a residual of {reached:.1e} where {wanted:.1e} was wanted; {advice}")]
    Solver {
        /// What was to be solved.
        task: String,
        /// The relative residual reached.
        reached: f64,
        /// The relative residual wanted.
        wanted: f64,
        /// What to do about it.
        advice: String,
    },
    /// A name that is not in the table it was looked up in.
    #[error("there is no {kind} named '{given}'; {}", suggest(.suggestions, .known))]
    Unknown {
        /// What was looked up: measure, data set, method, metric.
        kind: &'static str,
        /// The name given.
        given: String,
        /// Near misses, best first.
        suggestions: Vec<String>,
        /// All names there are.
        known: Vec<String>,
    },
    /// The run was asked to stop.
    #[error("stopped before the end, as asked; nothing was written")]
    Cancelled,
    /// A file could not be read or written.
    #[error("{}: {problem}; {advice}", .path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What is wrong, with row and column where there are any.
        problem: String,
        /// What to do about it.
        advice: String,
    },
}

impl Error {
    /// A parameter out of its range.
    pub fn parameter(
        name: impl Into<String>,
        given: impl ToString,
        limit: impl Into<String>,
        advice: impl Into<String>,
    ) -> Self {
        Self::Parameter { name: name.into(), given: given.to_string(), limit: limit.into(), advice: advice.into() }
    }

    /// A name that is not among the `known` ones, with its near misses.
    ///
    /// ```
    /// let error = truefold::Error::unknown("fruit", "appel", ["apple", "pear"].into_iter());
    /// assert_eq!(error.to_string(), "there is no fruit named 'appel'; did you mean apple?");
    /// ```
    pub fn unknown<'a>(kind: &'static str, given: &str, known: impl Iterator<Item = &'a str>) -> Self {
        let known: Vec<String> = known.map(str::to_owned).collect();
        let suggestions = crate::names::near_misses(given, &known);
        Self::Unknown { kind, given: given.to_owned(), suggestions, known }
    }

    /// Data that cannot be used.
    pub fn data(what: impl Into<String>, advice: impl Into<String>) -> Self {
        Self::Data { what: what.into(), advice: advice.into() }
    }

    /// A file that cannot be read or written.
    pub fn file(path: &Path, problem: impl Into<String>, advice: impl Into<String>) -> Self {
        Self::File { path: path.to_owned(), problem: problem.into(), advice: advice.into() }
    }
}

fn suggest(suggestions: &[String], known: &[String]) -> String {
    if suggestions.is_empty() {
        format!("there are {}", known.join(", "))
    } else {
        format!("did you mean {}?", suggestions.join(" or "))
    }
}
