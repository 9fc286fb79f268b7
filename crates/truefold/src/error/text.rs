//! Texts that each front end words in its own terms: the names of what a user can set, and places in the data, are
//! kept as facts.

use std::borrow::Cow;
use std::fmt;

/// Something that a user can set: an option of a call, or a parameter of a method.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Name {
    /// An option such as `k`, `dim` or `drop_columns`, which every front end has under its own name.
    Option(Cow<'static, str>),
    /// A parameter of a method or a setting of a data set, such as `reg`.
    Setting(Cow<'static, str>),
}

impl Name {
    /// A parameter of a method or a setting of a data set.
    pub fn setting(name: impl Into<Cow<'static, str>>) -> Self {
        Self::Setting(name.into())
    }

    /// The name that the library uses.
    pub fn plain(&self) -> &str {
        match self {
            Self::Option(name) | Self::Setting(name) => name,
        }
    }
}

impl From<&'static str> for Name {
    fn from(name: &'static str) -> Self {
        Self::Option(name.into())
    }
}

/// A place in a table, rows and columns counted from zero.
///
/// ```
/// use truefold::error::Place;
///
/// let place = Place::cell(2, 3).on_line(9).in_column_named("height");
/// assert_eq!(place.to_string(), "row 3 (line 10), column 4 ('height')");
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Place {
    /// The row.
    pub row: Option<usize>,
    /// The line of the file, if the table is a text.
    pub line: Option<usize>,
    /// The column.
    pub column: Option<usize>,
    /// The name of the column.
    pub column_name: Option<String>,
}

impl Place {
    /// A row.
    pub fn row(row: usize) -> Self {
        Self { row: Some(row), ..Self::default() }
    }

    /// A cell.
    pub fn cell(row: usize, column: usize) -> Self {
        Self { row: Some(row), column: Some(column), ..Self::default() }
    }

    /// A column.
    pub fn column(column: usize) -> Self {
        Self { column: Some(column), ..Self::default() }
    }

    /// On this line of the file, counted from zero.
    #[must_use]
    pub fn on_line(mut self, line: usize) -> Self {
        self.line = Some(line);
        self
    }

    /// In a column of this name; an empty name is no name.
    #[must_use]
    pub fn in_column_named(mut self, name: &str) -> Self {
        self.column_name = (!name.is_empty()).then(|| name.to_owned());
        self
    }
}

impl fmt::Display for Place {
    /// Counted from one, as people do: `row 3, column 4 ('height')`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts = Vec::new();
        if let Some(row) = self.row {
            parts.push(match self.line {
                Some(line) if line != row => format!("row {} (line {})", row + 1, line + 1),
                _ => format!("row {}", row + 1),
            });
        }
        if let Some(column) = self.column {
            let name = self.column_name.as_ref().map_or(String::new(), |name| format!(" ('{name}')"));
            parts.push(format!("column {}{name}", column + 1));
        }
        f.write_str(&parts.join(", "))
    }
}

/// The words of a front end: its names of what a user can set, and how it names places in the data.
///
/// The provided methods use the library's own names.
pub trait Vocabulary {
    /// What the user knows `name` as: `k` in Rust, `--k` in the tool, `n_neighbors` in Python.
    fn name(&self, name: &Name) -> String {
        name.plain().to_owned()
    }

    /// A name with the value that was given.
    fn given(&self, name: &Name, value: &str) -> String {
        format!("{} = {value}", self.name(name))
    }

    /// A place in the data.
    fn place(&self, place: &Place) -> String {
        place.to_string()
    }
}

/// The names of the library.
#[derive(Debug, Clone, Copy, Default)]
pub struct PlainVocabulary;

impl Vocabulary for PlainVocabulary {}

/// A piece of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Piece {
    /// Words as they are.
    Words(Cow<'static, str>),
    /// Something that the user can set.
    Name(Name),
    /// Something that the user can set, with a value.
    Given(Name, Cow<'static, str>),
}

/// Words in which the names of what a user can set are facts, so that each front end puts its own.
///
/// ```
/// use truefold::error::{Name, PlainVocabulary, Text, Vocabulary};
///
/// struct Shell;
/// impl Vocabulary for Shell {
///     fn name(&self, name: &Name) -> String {
///         format!("--{}", name.plain().replace('_', "-"))
///     }
/// }
///
/// let advice = Text::of("leave the column out with {drop_columns}");
/// assert_eq!(advice.worded(&PlainVocabulary), "leave the column out with drop_columns");
/// assert_eq!(advice.worded(&Shell), "leave the column out with --drop-columns");
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Text(Vec<Piece>);

impl Text {
    /// Words in which `{k}` stands for the option `k`, and `{set reg}` for the parameter `reg` of a method; a value may
    /// follow, as in `{set tear=false}`.
    pub fn of(template: &'static str) -> Self {
        let mut pieces = Vec::new();
        let mut rest = template;
        while let Some((words, after)) = rest.split_once('{') {
            let Some((name, after)) = after.split_once('}') else { break };
            if !words.is_empty() {
                pieces.push(Piece::Words(words.into()));
            }
            let (name, value) = match name.split_once('=') {
                Some((name, value)) => (name, Some(value)),
                None => (name, None),
            };
            let name = match name.strip_prefix("set ") {
                Some(setting) => Name::setting(setting),
                None => name.into(),
            };
            pieces.push(match value {
                Some(value) => Piece::Given(name, value.into()),
                None => Piece::Name(name),
            });
            rest = after;
        }
        if !rest.is_empty() {
            pieces.push(Piece::Words(rest.into()));
        }
        Self(pieces)
    }

    /// Adds words, as they are or with names.
    #[must_use]
    pub fn and(mut self, more: impl Into<Self>) -> Self {
        self.0.extend(more.into().0);
        self
    }

    /// Adds a name.
    #[must_use]
    pub fn name(mut self, name: impl Into<Name>) -> Self {
        self.0.push(Piece::Name(name.into()));
        self
    }

    /// The pieces in order.
    pub fn pieces(&self) -> &[Piece] {
        &self.0
    }

    /// Whether there are no words.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// In the terms of a front end.
    pub fn worded(&self, vocabulary: &dyn Vocabulary) -> String {
        let word = |piece: &Piece| match piece {
            Piece::Words(words) => words.to_string(),
            Piece::Name(name) => vocabulary.name(name),
            Piece::Given(name, value) => vocabulary.given(name, value),
        };
        self.0.iter().map(word).collect()
    }
}

impl From<&'static str> for Text {
    /// With names in braces, as [`Text::of`].
    fn from(template: &'static str) -> Self {
        Self::of(template)
    }
}

impl From<String> for Text {
    /// Words as they are, braces included.
    fn from(words: String) -> Self {
        if words.is_empty() { Self::default() } else { Self(vec![Piece::Words(words.into())]) }
    }
}

impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.worded(&PlainVocabulary))
    }
}

/// The most letters of a message, and of one word of it: texts from files may have any length.
const LONGEST: usize = 1500;
const LONGEST_WORD: usize = 200;

/// A text as it may be shown anywhere: control characters, which move cursors and change colors, are written as what they are,
/// and what is too long for a person is cut.
///
/// ```
/// assert_eq!(truefold::error::readable("a\u{1b}[2Jb\n"), "a\\u{1b}[2Jb\\n");
/// ```
pub fn readable(text: &str) -> String {
    let (mut shown, mut word, mut count) = (String::with_capacity(text.len().min(LONGEST)), 0, 0);
    for letter in text.chars() {
        if count == LONGEST {
            shown.push('\u{2026}');
            break;
        }
        word = if letter.is_whitespace() { 0 } else { word + 1 };
        match word {
            ..LONGEST_WORD => {}
            LONGEST_WORD => {
                shown.push('\u{2026}');
                continue;
            }
            _ => continue,
        }
        count += 1;
        // Marks that turn the direction of writing hide what follows them.
        let is_turning = matches!(letter, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
        if letter.is_control() || is_turning {
            shown.extend(letter.escape_default());
        } else {
            shown.push(letter);
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn foreign_text_is_cut_and_escaped() {
        assert_eq!(readable("caf\u{e9} \u{7}\u{9b}\u{202e}x"), "caf\u{e9} \\u{7}\\u{9b}\\u{202e}x");
        let long = readable(&format!("'{}' is long", "x".repeat(1_000_000)));
        assert_eq!(long, format!("'{}\u{2026} is long", "x".repeat(LONGEST_WORD - 2)));
        assert_eq!(readable(&"word ".repeat(1000)).chars().count(), LONGEST + 1);
    }

    #[test]
    fn names_in_braces_are_facts_and_braces_in_data_are_words() {
        let text = Text::of("choose {k} or {set reg}").and(format!(" for '{}'", "{k}"));
        let names: Vec<&Piece> = text.pieces().iter().filter(|piece| matches!(piece, Piece::Name(_))).collect();
        assert_eq!(names, [&Piece::Name("k".into()), &Piece::Name(Name::setting("reg"))]);
        assert_eq!(text.to_string(), "choose k or reg for '{k}'");
        assert_eq!(Text::of("{set tear=false} keeps it").to_string(), "tear = false keeps it");
    }

    #[test]
    fn places_count_from_one_for_people() {
        assert_eq!(Place::cell(2, 3).to_string(), "row 3, column 4");
        assert_eq!(Place::row(2).on_line(2).to_string(), "row 3");
        assert_eq!(Place::column(0).to_string(), "column 1");
    }
}
