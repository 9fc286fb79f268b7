//! The one place where numbers, counts, tables and facts are put into words for people.
//!
//! The tool, the page and the Python package all show what these functions write; each brings its [`Voice`], so that
//! what a user can set is called by the name that the user knows.

mod csv;
mod groups;
mod judgment;
mod neighborhoods;
mod numbers;
mod paths;
mod prose;
mod scale;
mod stability;
mod suggestion;
mod table;
mod verdict;

pub(crate) use csv::csv;
pub use groups::{Grouped, groups};
pub(crate) use judgment::data;
pub use judgment::{findings, judgment, notes, scores, setting};
pub use neighborhoods::{neighborhoods, origin, stop};
pub use numbers::{count, counted, dimensions, number, percent, points, short};
pub(crate) use numbers::{decimals, list, seconds, times};
pub use paths::distortion;
pub(crate) use paths::distortion_of_torn;
pub(crate) use prose::{markdown, wrapped};
pub use scale::scale_curve;
pub use stability::{stability, stability_findings, stability_setting, standings};
pub use suggestion::{Suggested, suggestion};
pub use table::{Cell, Table};
pub use verdict::{before_and_after, class, verdict};

use truefold::error::{PlainVocabulary, Vocabulary};

/// How a front end speaks: the names it has for what a user can set, and how it marks what matters most.
///
/// ```
/// use truefold_report::words::Voice;
///
/// let stars = |text: &str| format!("*{text}*");
/// let voice = Voice { bold: &stars, ..Voice::plain() };
/// assert_eq!((voice.bold)("best"), "*best*");
/// ```
#[derive(Clone, Copy)]
pub struct Voice<'a> {
    /// The names of what a user can set.
    pub vocabulary: &'a dyn Vocabulary,
    /// Marks a text.
    pub bold: &'a dyn Fn(&str) -> String,
}

impl Voice<'static> {
    /// The library's own names, and no marks.
    pub fn plain() -> Self {
        Self::of(&PlainVocabulary)
    }
}

impl<'a> Voice<'a> {
    /// The names of a front end, and no marks.
    pub fn of(vocabulary: &'a dyn Vocabulary) -> Self {
        Self { vocabulary, bold: &str::to_owned }
    }
}
