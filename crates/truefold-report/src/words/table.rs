//! A table: text in columns, or Markdown; a page shows it as HTML.

use super::prose::{markdown, pieces};

/// The width that text keeps to where it can.
pub(super) const WIDTH: usize = 80;
/// A column of text is not made narrower than this.
const NARROWEST: usize = 12;

/// One cell of a table.
///
/// ```
/// use truefold_report::Cell;
///
/// let cell = Cell::from("0.12").best();
/// assert_eq!((cell.text.as_str(), cell.best), ("0.12", true));
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Cell {
    /// What it says; never taken as HTML.
    pub text: String,
    /// Whether it is the best of its column, and bold.
    pub best: bool,
    /// How much of something there is, 0 to 1: a page shades the cell by it.
    pub share: Option<f64>,
}

impl Cell {
    /// The same cell, in bold.
    #[must_use]
    pub fn best(mut self) -> Self {
        self.best = true;
        self
    }

    /// The same cell, shaded by a share from 0 to 1.
    #[must_use]
    pub fn shaded(mut self, share: f64) -> Self {
        self.share = Some(share);
        self
    }
}

impl From<String> for Cell {
    fn from(text: String) -> Self {
        Self { text, ..Self::default() }
    }
}

impl From<&str> for Cell {
    fn from(text: &str) -> Self {
        text.to_owned().into()
    }
}

/// A table; its first column names the rows.
///
/// ```
/// use truefold_report::{Cell, Table};
///
/// let table = Table {
///     title: "k = 6".into(),
///     header: vec!["method".into(), "R_N".into()],
///     rows: vec![vec!["psa".into(), Cell::from("0.12").best()], vec!["pca".into(), "1.2".into()]],
///     ..Table::default()
/// };
/// assert_eq!(table.text(&|text| format!("*{text}*")), "k = 6\n  method   R_N\n  psa     *0.12*\n  pca      1.2");
/// assert_eq!(table.markdown(), "**k = 6**\n\n| method | R_N |\n|:---|---:|\n| psa | **0.12** |\n| pca | 1.2 |\n");
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Table {
    /// What it shows.
    pub title: String,
    /// How to read it, or nothing.
    pub note: String,
    /// The names of the columns.
    pub header: Vec<String>,
    /// The columns beside the first that hold text, which starts at the left and may be wrapped; the others hold
    /// numbers.
    pub left: Vec<usize>,
    /// The cells, row by row, each row as long as the header.
    pub rows: Vec<Vec<Cell>>,
    /// The label of the points that each row is about, where rows are about labels: on a page a click on a row selects
    /// these points. Nothing, or one entry per row.
    pub row_labels: Vec<Option<String>>,
    /// The label that each column is about, where columns are about labels too: a click on a cell of a page also shows the
    /// points of this label. Nothing, or one entry per heading.
    pub column_labels: Vec<Option<String>>,
}

impl Table {
    /// A table of plain text under these names, every column of it text.
    pub fn of_text(header: &[&str], rows: Vec<Vec<String>>) -> Self {
        Self {
            header: header.iter().map(|&name| name.to_owned()).collect(),
            left: (1..header.len()).collect(),
            rows: rows.into_iter().map(|row| row.into_iter().map(Cell::from).collect()).collect(),
            ..Self::default()
        }
    }

    /// The table in columns of at most 80 letters together where that is possible, set in below its title; `bold` marks
    /// the best cells.
    pub fn text(&self, bold: &dyn Fn(&str) -> String) -> String {
        let header: Vec<Cell> = self.header.iter().map(|text| Cell::from(text.as_str())).collect();
        let indent = if self.title.is_empty() { "" } else { "  " };
        let (widths, gap) = self.layout(&header, indent.len());
        let mut lines: Vec<String> = Vec::new();
        if !self.title.is_empty() {
            lines.push(self.title.clone());
        }
        for row in std::iter::once(&header).chain(&self.rows) {
            let cells: Vec<Vec<String>> =
                row.iter()
                    .enumerate()
                    .map(|(column, cell)| {
                        if self.is_text(column) { pieces(&cell.text, widths[column]) } else { vec![cell.text.clone()] }
                    })
                    .collect();
            for line in 0..cells.iter().map(Vec::len).max().unwrap_or(0) {
                let mut out = indent.to_owned();
                for (column, pieces) in cells.iter().enumerate() {
                    let piece = pieces.get(line).map_or("", String::as_str);
                    let fill = " ".repeat(widths[column].saturating_sub(piece.chars().count()));
                    // The marks do not count as width, so that the columns stay in line.
                    let shown = if row[column].best { bold(piece) } else { piece.to_owned() };
                    out.push_str(if column == 0 { "" } else { gap });
                    out.push_str(&if self.is_text(column) { shown + &fill } else { fill + &shown });
                }
                lines.push(out.trim_end().to_owned());
            }
        }
        lines.join("\n")
    }

    /// Whether a column holds text.
    fn is_text(&self, column: usize) -> bool {
        column == 0 || self.left.contains(&column)
    }

    /// The width of every column, and the space between them.
    fn layout(&self, header: &[Cell], indent: usize) -> (Vec<usize>, &'static str) {
        let rows = || std::iter::once(header).chain(self.rows.iter().map(Vec::as_slice));
        let width = |column: usize| rows().map(|row| row[column].text.chars().count()).max().unwrap_or(0);
        let mut widths: Vec<usize> = (0..header.len()).map(width).collect();
        let total =
            |widths: &[usize], gap: usize| indent + widths.iter().sum::<usize>() + gap * widths.len().saturating_sub(1);
        if total(&widths, 2) <= WIDTH {
            return (widths, "  ");
        }
        // Numbers are set closer; text is wrapped, the widest column first.
        if self.left.is_empty() {
            return (widths, " ");
        }
        while total(&widths, 2) > WIDTH {
            let text = (0..widths.len()).filter(|&column| self.is_text(column));
            match text.max_by_key(|&column| widths[column]).filter(|&column| widths[column] > NARROWEST) {
                Some(widest) => widths[widest] -= 1,
                None => break,
            }
        }
        (widths, "  ")
    }

    /// The table in Markdown, the best cells in bold.
    pub fn markdown(&self) -> String {
        let mut text = String::new();
        if !self.title.is_empty() {
            text.push_str(&format!("**{}**\n\n", markdown(&self.title)));
        }
        let header: Vec<String> = self.header.iter().map(|cell| markdown(cell)).collect();
        let side = |column: usize| if self.is_text(column) { ":---" } else { "---:" };
        let sides: Vec<&str> = (0..header.len()).map(side).collect();
        text.push_str(&format!("| {} |\n|{}|\n", header.join(" | "), sides.join("|")));
        for row in &self.rows {
            let cells: Vec<String> = row
                .iter()
                .map(|cell| if cell.best { format!("**{}**", markdown(&cell.text)) } else { markdown(&cell.text) })
                .collect();
            text.push_str(&format!("| {} |\n", cells.join(" | ")));
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markdown_takes_nothing_from_the_cells() {
        let table = Table { header: vec!["a|b".into()], rows: vec![vec!["<i>*x*".into()]], ..Table::default() };
        assert_eq!(table.markdown(), "| a\\|b |\n|:---|\n| \\<i>\\*x\\* |\n");
    }

    #[test]
    fn long_text_is_wrapped_in_its_own_column() {
        let rows = vec![vec!["a".into(), "word ".repeat(30).trim().into()], vec!["b".into(), "short".into()]];
        let text = Table::of_text(&["name", "what it is"], rows).text(&str::to_owned);
        let lines: Vec<&str> = text.lines().collect();
        assert!(lines.iter().all(|line| line.chars().count() <= WIDTH), "{text}");
        assert_eq!((lines[0], lines[lines.len() - 1]), ("name  what it is", "b     short"));
        assert!(lines[2].starts_with("      word"), "{text}");
    }
}
