//! CSV records, with quotes where a cell needs them.

/// The records as CSV text.
pub(crate) fn csv(header: &[String], records: &[Vec<String>]) -> String {
    let mut text = String::new();
    for record in std::iter::once(header).chain(records.iter().map(Vec::as_slice)) {
        let cells: Vec<String> = record.iter().map(|cell| quoted(cell)).collect();
        text.push_str(&cells.join(","));
        text.push('\n');
    }
    text
}

fn quoted(cell: &str) -> String {
    if cell.contains([',', '"', '\n', '\r']) { format!("\"{}\"", cell.replace('"', "\"\"")) } else { cell.to_owned() }
}

#[cfg(test)]
mod tests {
    #[test]
    fn cells_are_quoted_where_they_must_be() {
        let text = super::csv(&["a".into(), "b".into()], &[vec!["x, \"y\"".into(), "1".into()]]);
        assert_eq!(text, "a,b\n\"x, \"\"y\"\"\",1\n");
    }
}
