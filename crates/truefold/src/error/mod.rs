//! The one error type. It holds facts: the name and the value given, the limit, the place, what to do. Each front end
//! puts them into words.

mod limit;
#[cfg(all(test, feature = "formats"))]
mod tests;
mod text;

pub use limit::{Advice, AdviceKind, Bound, Limit};
pub use text::{Name, Piece, Place, PlainVocabulary, Text, Vocabulary, readable};

use crate::names::near_misses;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What every fallible function of the library returns.
pub type Result<T> = std::result::Result<T, Error>;

/// The error of another library or of the system that was behind an error of this one.
///
/// [`source`](std::error::Error::source) gives it, and the sentence shows it in brackets unless it already says the
/// same.
#[derive(Debug, Clone)]
pub struct Cause {
    error: Arc<dyn std::error::Error + Send + Sync>,
    shown: bool,
}

impl PartialEq for Cause {
    /// Causes are equal if they say the same.
    fn eq(&self, other: &Self) -> bool {
        self.error.to_string() == other.error.to_string()
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.error.fmt(f)
    }
}

/// Why something could not be done, in facts that a program can look at and one sentence that a user can act on.
///
/// ```
/// use truefold::{Error, Neighborhoods, Points, Run, error::Bound};
///
/// let points = Points::new(3, 1, vec![0.0, 1.0, 2.0])?;
/// let error = Neighborhoods::nearest(&points, 3, &Run::new()).unwrap_err();
/// assert_eq!(error.to_string(), "k = 3 is more than 2: 3 points have 2 neighbors each; choose a smaller k");
/// assert!(matches!(error, Error::Parameter { limit, .. } if limit.bound == Bound::AtMost(2.0)));
/// # Ok::<(), truefold::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Error {
    /// A parameter has a value that it cannot have.
    Parameter {
        /// The parameter.
        name: Name,
        /// The value given.
        given: String,
        /// The values that it can have, and why.
        limit: Box<Limit>,
        /// What to do instead.
        advice: Box<Advice>,
    },
    /// The data cannot be used as they are.
    Data {
        /// Where.
        place: Option<Box<Place>>,
        /// What is wrong; a clause that follows the place, if there is one.
        problem: Text,
        /// What to do about it.
        advice: Box<Advice>,
    },
    /// There are fewer points than the task needs.
    TooFewPoints {
        /// What was to be done.
        task: Text,
        /// The least number of points for it.
        needed: usize,
        /// The number of points given.
        given: usize,
        /// What to do about it.
        advice: Box<Advice>,
    },
    /// The neighborhood graph is not connected, but the task needs it to be.
    Disconnected {
        /// What was to be done.
        task: Text,
        /// The number of components found.
        components: usize,
        /// What to do about it.
        advice: Box<Advice>,
    },
    /// The neighborhoods span fewer directions than the embedding is to have.
    RankDeficient {
        /// What spans them, with its verb: `the neighborhoods of all 40 points span`.
        what: Text,
        /// The largest number of directions found in any of them.
        given: usize,
        /// The number of directions needed.
        needed: usize,
        /// What to do about it.
        advice: Box<Advice>,
    },
    /// An iteration ended too far from the solution to be of use.
    Solver {
        /// What was to be solved.
        task: Text,
        /// The relative residual reached.
        reached: f64,
        /// The relative residual wanted.
        wanted: f64,
        /// What to do about it.
        advice: Box<Advice>,
    },
    /// A name that is not in the table it was looked up in.
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
    /// The task needs more memory than there is.
    Memory {
        /// What was to be done or held.
        task: Text,
        /// The bytes that it needs, about.
        needed: u64,
        /// The bytes that were there, where that is known.
        available: Option<u64>,
        /// What to do about it.
        advice: Box<Advice>,
    },
    /// Memory ran out in the middle of the task, or of another one of the same program.
    OutOfMemory {
        /// What to do about it.
        advice: Box<Advice>,
    },
    /// The run was asked to stop, and did.
    Cancelled,
    /// A file could not be read or written.
    File {
        /// The file.
        path: PathBuf,
        /// Where in it.
        place: Option<Box<Place>>,
        /// What is wrong; a clause that follows the place, if there is one.
        problem: Text,
        /// What to do about it.
        advice: Box<Advice>,
        /// What the system or a decoder said.
        cause: Option<Cause>,
    },
}

impl Error {
    /// A parameter out of its range.
    pub fn parameter(
        name: impl Into<Name>,
        given: impl ToString,
        limit: impl Into<Limit>,
        advice: impl Into<Advice>,
    ) -> Self {
        Self::Parameter {
            name: name.into(),
            given: given.to_string(),
            limit: Box::new(limit.into()),
            advice: Box::new(advice.into()),
        }
    }

    /// A name that is not among the `known` ones, with its near misses.
    ///
    /// ```
    /// let error = truefold::Error::unknown("fruit", "appel", ["apple", "pear"].into_iter());
    /// assert_eq!(error.to_string(), "there is no fruit named 'appel'; did you mean apple?");
    /// ```
    pub fn unknown<'a>(kind: &'static str, given: &str, known: impl Iterator<Item = &'a str>) -> Self {
        let known: Vec<String> = known.map(str::to_owned).collect();
        let suggestions = near_misses(given, &known);
        Self::Unknown { kind, given: given.to_owned(), suggestions, known }
    }

    /// Data that cannot be used.
    pub fn data(problem: impl Into<Text>, advice: impl Into<Advice>) -> Self {
        Self::Data { place: None, problem: problem.into(), advice: Box::new(advice.into()) }
    }

    /// A file that cannot be read or written.
    pub fn file(path: &Path, problem: impl Into<Text>, advice: impl Into<Advice>) -> Self {
        Self::File {
            path: path.to_owned(),
            place: None,
            problem: problem.into(),
            advice: Box::new(advice.into()),
            cause: None,
        }
    }

    /// Fewer points than `task` needs.
    ///
    /// ```
    /// let error = truefold::Error::too_few_points("a map", 2, 1, "give more points");
    /// assert_eq!(error.to_string(), "a map needs at least 2 points, but there is 1; give more points");
    /// ```
    pub fn too_few_points(task: impl Into<Text>, needed: usize, given: usize, advice: impl Into<Advice>) -> Self {
        Self::TooFewPoints { task: task.into(), needed, given, advice: Box::new(advice.into()) }
    }

    /// With the place where the data or the file is wrong.
    ///
    /// ```
    /// use truefold::{Error, error::Place};
    ///
    /// let error = Error::data("holds NaN", "fill it").at(Place::cell(2, 3));
    /// assert_eq!(error.to_string(), "row 3, column 4 holds NaN; fill it");
    /// ```
    #[must_use]
    pub fn at(mut self, at: Place) -> Self {
        if let Self::Data { place, .. } | Self::File { place, .. } = &mut self {
            *place = Some(Box::new(at));
        }
        self
    }

    /// With the error of the system or of a decoder: [`source`](std::error::Error::source) gives it, and the sentence
    /// shows it in brackets.
    ///
    /// ```
    /// use std::error::Error as _;
    /// use truefold::Error;
    ///
    /// let error = Error::file("a.csv".as_ref(), "cannot be read", "try again").caused_by(std::io::Error::other("jam"));
    /// assert_eq!(error.to_string(), "a.csv: cannot be read (jam); try again");
    /// assert!(error.source().is_some());
    /// ```
    #[must_use]
    pub fn caused_by(self, by: impl std::error::Error + Send + Sync + 'static) -> Self {
        self.with_cause(Cause { error: Arc::new(by), shown: true })
    }

    /// The same where the sentence already says what the cause says: only [`source`](std::error::Error::source) gives
    /// it.
    #[must_use]
    pub fn with_source(self, by: impl std::error::Error + Send + Sync + 'static) -> Self {
        self.with_cause(Cause { error: Arc::new(by), shown: false })
    }

    fn with_cause(mut self, by: Cause) -> Self {
        if let Self::File { cause, .. } = &mut self {
            *cause = Some(by);
        }
        self
    }

    /// The place in the data or the file, if the error has one.
    pub fn place(&self) -> Option<&Place> {
        match self {
            Self::Data { place, .. } | Self::File { place, .. } => place.as_deref(),
            _ => None,
        }
    }

    /// What to do about it, if that is known.
    pub fn advice(&self) -> Option<&Advice> {
        match self {
            Self::Parameter { advice, .. }
            | Self::Data { advice, .. }
            | Self::TooFewPoints { advice, .. }
            | Self::Disconnected { advice, .. }
            | Self::RankDeficient { advice, .. }
            | Self::Solver { advice, .. }
            | Self::Memory { advice, .. }
            | Self::OutOfMemory { advice }
            | Self::File { advice, .. } => Some(advice),
            Self::Unknown { .. } | Self::Cancelled => None,
        }
    }

    /// One sentence in the terms of a front end: what was wrong, the value, the limit, what to do.
    pub fn worded(&self, vocabulary: &dyn Vocabulary) -> String {
        let problem = self.problem(vocabulary);
        readable(&match self.advice() {
            Some(advice) if !advice.text.is_empty() => format!("{problem}; {}", advice.text.worded(vocabulary)),
            _ => problem,
        })
    }

    fn problem(&self, vocabulary: &dyn Vocabulary) -> String {
        let placed = |place: &Option<Box<Place>>, problem: &Text| match place {
            Some(place) => format!("{} {}", vocabulary.place(place), problem.worded(vocabulary)),
            None => problem.worded(vocabulary),
        };
        match self {
            Self::Parameter { name, given, limit, .. } => {
                format!("{} {}", vocabulary.given(name, given), limit.worded(vocabulary))
            }
            Self::Data { place, problem, .. } => placed(place, problem),
            Self::File { path, place, problem, cause, .. } => {
                let shown = cause.as_ref().filter(|cause| cause.shown);
                let cause = shown.map_or(String::new(), |cause| format!(" ({cause})"));
                format!("{}: {}{cause}", path.display(), placed(place, problem))
            }
            Self::TooFewPoints { task, needed, given, .. } => {
                let are = if *given == 1 { "is" } else { "are" };
                format!("{} needs at least {needed} points, but there {are} {given}", task.worded(vocabulary))
            }
            Self::Disconnected { task, components, .. } => format!(
                "the neighborhood graph has {components} connected components, but {} needs one",
                task.worded(vocabulary)
            ),
            Self::RankDeficient { what, given, needed, .. } => {
                format!("{} at most {given} directions, but {needed} are needed", what.worded(vocabulary))
            }
            Self::Solver { task, reached, wanted, .. } => {
                let task = task.worded(vocabulary);
                format!("{task} reached a residual of {reached:.1e}, but {wanted:.1e} was wanted")
            }
            Self::Unknown { kind, given, suggestions, known } => {
                let instead = if known.is_empty() {
                    "there is none".to_owned()
                } else if suggestions.is_empty() {
                    format!("there are {}", known.join(", "))
                } else {
                    format!("did you mean {}?", suggestions.join(" or "))
                };
                format!("there is no {kind} named '{given}'; {instead}")
            }
            Self::Memory { task, needed, available, .. } => {
                let (task, needed) = (task.worded(vocabulary), gigabytes(*needed));
                let available = available.map_or("less".to_owned(), gigabytes);
                format!("{task} needs about {needed} of memory, but {available} is available")
            }
            Self::OutOfMemory { .. } => "memory ran out before the end".to_owned(),
            Self::Cancelled => "stopped before the end, as asked; nothing was written".to_owned(),
        }
    }
}

/// Bytes for people: three digits where they are not whole gigabytes.
fn gigabytes(bytes: u64) -> String {
    let (amount, unit) = if bytes >= 1_000_000_000 { (bytes as f64 / 1e9, "GB") } else { (bytes as f64 / 1e6, "MB") };
    if amount < 100.0 {
        return format!("{amount:.1} {unit}");
    }
    let digits = format!("{amount:.0}");
    let grouped: Vec<&str> =
        digits.as_bytes().rchunks(3).rev().filter_map(|part| std::str::from_utf8(part).ok()).collect();
    format!("{} {unit}", grouped.join(","))
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.worded(&PlainVocabulary))
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::File { cause: Some(cause), .. } => Some(cause.error.as_ref()),
            _ => None,
        }
    }
}
