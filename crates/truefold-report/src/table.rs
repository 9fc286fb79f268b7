//! A table of a report.

/// One cell of a table.
///
/// ```
/// use truefold_report::Cell;
///
/// let cell = Cell::from("0.12").best();
/// assert_eq!((cell.text.as_str(), cell.best), ("0.12", true));
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Cell {
    /// What it says; never taken as HTML.
    pub text: String,
    /// Whether it is the best of its column, and bold.
    pub best: bool,
}

impl Cell {
    /// The same cell, in bold.
    pub fn best(mut self) -> Self {
        self.best = true;
        self
    }
}

impl From<String> for Cell {
    fn from(text: String) -> Self {
        Self { text, best: false }
    }
}

impl From<&str> for Cell {
    fn from(text: &str) -> Self {
        text.to_owned().into()
    }
}

/// A table; its first column names the rows.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Table {
    /// What it shows.
    pub title: String,
    /// How to read it, or nothing.
    pub note: String,
    /// The names of the columns.
    pub header: Vec<String>,
    /// The cells, row by row, each row as long as the header.
    pub rows: Vec<Vec<Cell>>,
}
