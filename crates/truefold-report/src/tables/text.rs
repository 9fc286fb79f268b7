//! A table as text in columns, and as Markdown.

use crate::{Cell, Table};

/// The width that text keeps to where it can.
const WIDTH: usize = 80;

impl Table {
    /// The table in columns, the first to the left and the others to the right; `bold` marks the best cells.
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
    pub fn text(&self, bold: &dyn Fn(&str) -> String) -> String {
        let header: Vec<Cell> = self.header.iter().map(|text| Cell::from(text.as_str())).collect();
        let lines: Vec<&[Cell]> =
            std::iter::once(header.as_slice()).chain(self.rows.iter().map(Vec::as_slice)).collect();
        let width = |column: usize| lines.iter().map(|line| line[column].text.chars().count()).max().unwrap_or(0);
        let widths: Vec<usize> = (0..header.len()).map(width).collect();
        let total = |gap: usize| 2 + widths.iter().sum::<usize>() + gap * widths.len().saturating_sub(1);
        let gap = if total(2) <= WIDTH { "  " } else { " " };
        let mut text = String::new();
        if !self.title.is_empty() {
            text.push_str(&self.title);
            text.push('\n');
        }
        for line in lines {
            let mut out = " ".to_owned();
            for (place, (cell, width)) in line.iter().zip(&widths).enumerate() {
                let fill = " ".repeat(width - cell.text.chars().count());
                // Only what is read is marked, so that the columns stay where they are.
                let shown = if cell.best { bold(&cell.text) } else { cell.text.clone() };
                out.push_str(if place == 0 { " " } else { gap });
                out.push_str(&if place == 0 { format!("{shown}{fill}") } else { format!("{fill}{shown}") });
            }
            text.push_str(out.trim_end());
            text.push('\n');
        }
        text.pop();
        text
    }

    /// The table in Markdown, the best cells in bold.
    pub fn markdown(&self) -> String {
        let mut text = String::new();
        if !self.title.is_empty() {
            text.push_str(&format!("**{}**\n\n", plain(&self.title)));
        }
        let header: Vec<String> = self.header.iter().map(|cell| plain(cell)).collect();
        text.push_str(&format!(
            "| {} |\n|:---{}|\n",
            header.join(" | "),
            "|---:".repeat(header.len().saturating_sub(1))
        ));
        for row in &self.rows {
            let cells: Vec<String> = row
                .iter()
                .map(|cell| if cell.best { format!("**{}**", plain(&cell.text)) } else { plain(&cell.text) })
                .collect();
            text.push_str(&format!("| {} |\n", cells.join(" | ")));
        }
        text
    }
}

/// `text` with everything escaped that Markdown would take as its own.
pub(super) fn plain(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '|' | '*' | '`' | '<' | '\\' => escaped.extend(['\\', letter]),
            '\n' | '\r' => escaped.push(' '),
            other => escaped.push(other),
        }
    }
    escaped
}

/// `text` cut between words into lines of at most 80 columns, those after the first set in.
pub(super) fn wrapped(text: &str) -> String {
    let (mut lines, mut line) = (Vec::new(), String::new());
    for word in text.split(' ') {
        if !line.trim().is_empty() && line.chars().count() + 1 + word.chars().count() > WIDTH {
            lines.push(std::mem::replace(&mut line, "  ".to_owned()));
        } else if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    lines.push(line);
    lines.join("\n")
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
    fn long_sentences_are_cut_between_words() {
        let text = wrapped(&"word ".repeat(40));
        assert!(text.lines().count() == 3 && text.lines().all(|line| line.chars().count() <= 80), "{text}");
        assert!(text.lines().skip(1).all(|line| line.starts_with("  word")));
    }
}
