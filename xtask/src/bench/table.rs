//! The table of a benchmark: one row per claim, with its target where there is one.

/// A claim and the numbers behind it.
#[derive(Debug, Clone, Default)]
pub struct Row {
    /// What was measured.
    pub what: String,
    /// What the tool took.
    pub tool: String,
    /// What it was measured beside, and what that took.
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
    let mut page = "| what | truefold | beside | figure | target | holds |\n|---|---|---|---|---|---|\n".to_owned();
    for row in rows {
        let holds = row.holds.map_or("", |holds| if holds { "yes" } else { "no" });
        let cells = [&row.what, &row.tool, &row.beside, &row.figure, &row.target];
        page.push_str(&format!("| {} | {holds} |\n", cells.map(String::as_str).join(" | ")));
    }
    page
}

/// Seconds, with as many digits as they deserve.
pub fn seconds(value: f64) -> String {
    if value < 0.1 { format!("{:.1} ms", value * 1e3) } else { format!("{value:.2} s") }
}

/// Bytes, in millions.
pub fn megabytes(value: f64) -> String {
    format!("{:.0} MB", value / 1e6)
}

/// A count with its thousands apart.
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
    fn counts_and_verdicts_read_well() {
        assert_eq!(count(1_000_000), "1,000,000");
        assert_eq!(count(999), "999");
        let row = Row { what: "a".into(), figure: "0.5".into(), target: "<= 0.6".into(), ..Row::default() };
        assert_eq!(row.verdict(), None);
        let row = Row { holds: Some(true), ..row };
        assert_eq!(row.verdict().unwrap(), "holds: a: 0.5 (target <= 0.6)");
        assert_eq!(markdown(&[row]).lines().last().unwrap(), "| a |  |  | 0.5 | <= 0.6 | yes |");
    }
}
