//! The tables of a benchmark: one row per claim, with its target if it has one, and further sections.

use serde::{Deserialize, Serialize};

/// A claim and the numbers behind it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// What was measured.
    pub what: String,
    /// The figures of the tool.
    pub tool: String,
    /// The other program, and its figures.
    pub beside: String,
    /// The figure that is judged.
    pub figure: String,
    /// What the figure should be.
    pub target: String,
    /// Whether it is.
    pub holds: Option<bool>,
}

impl Row {
    /// One line that says whether the target holds.
    pub fn verdict(&self) -> Option<String> {
        let holds = if self.holds? { "holds" } else { "DOES NOT HOLD" };
        Some(format!("{holds}: {}: {} (target {})", self.what, self.figure, self.target))
    }
}

/// The rows as a markdown table.
pub fn markdown(rows: &[Row]) -> String {
    let cells = |row: &Row| {
        let holds = row.holds.map_or("", |holds| if holds { "yes" } else { "no" });
        [&row.what, &row.tool, &row.beside, &row.figure, &row.target, holds].map(str::to_owned).to_vec()
    };
    table(
        &head(&["what", "truefold", "beside", "figure", "target", "holds"]),
        &rows.iter().map(cells).collect::<Vec<_>>(),
    )
}

/// A table under a title, with a note that explains it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Section {
    /// The title.
    pub title: String,
    /// The note between the title and the table.
    pub note: String,
    /// The names of the columns.
    pub head: Vec<String>,
    /// The cells, row by row.
    pub rows: Vec<Vec<String>>,
    /// The page of the documentation whose marked place it fills; `None` for the benchmark's own page.
    pub page: Option<String>,
}

impl Section {
    /// The note and the table.
    pub fn body(&self) -> String {
        format!("{}\n\n{}", self.note, table(&self.head, &self.rows))
    }
}

/// The names of the columns of a table.
pub fn head(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

fn table(head: &[String], rows: &[Vec<String>]) -> String {
    let mut text = format!("| {} |\n|{}\n", head.join(" | "), "---|".repeat(head.len()));
    for row in rows {
        text.push_str(&format!("| {} |\n", row.join(" | ")));
    }
    text
}

/// Seconds, with a suitable number of digits.
pub fn seconds(value: f64) -> String {
    if value < 0.1 { format!("{:.1} ms", value * 1e3) } else { format!("{value:.2} s") }
}

/// A number in three digits, by powers of ten where it is very small or large.
pub fn number(value: f64) -> String {
    let size = value.abs();
    match size {
        0.0 => "0".to_owned(),
        _ if !(1e-3..1e5).contains(&size) => format!("{value:.2e}"),
        _ => format!("{value:.*}", (2 - size.log10().floor() as i32).max(0) as usize),
    }
}

/// Bytes, in millions.
pub fn megabytes(value: f64) -> String {
    format!("{:.0} MB", value / 1e6)
}

/// A count with separated thousands.
pub fn count(value: usize) -> String {
    let digits = value.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_verdicts_read_well() {
        assert_eq!(count(1_000_000), "1,000,000");
        assert_eq!(count(999), "999");
        assert_eq!(
            [0.0, 1.0, 0.0123456, 2.5e-5, 123.4, 4567.8, 1e5].map(number).join(" "),
            "0 1.00 0.0123 2.50e-5 123 4568 1.00e5"
        );
        let row = Row { what: "a".into(), figure: "0.5".into(), target: "<= 0.6".into(), ..Row::default() };
        assert_eq!(row.verdict(), None);
        let row = Row { holds: Some(true), ..row };
        assert_eq!(row.verdict().unwrap(), "holds: a: 0.5 (target <= 0.6)");
        assert_eq!(
            markdown(&[row]),
            "| what | truefold | beside | figure | target | holds |\n|---|---|---|---|---|---|\n\
             | a |  |  | 0.5 | <= 0.6 | yes |\n"
        );
    }
}
