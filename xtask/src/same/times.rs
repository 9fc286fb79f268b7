//! What the clock and the memory of a machine put into results, taken out of them.

use serde_json::{Map, Value};

/// JSON without times, every number in it as a word after `=`, so that each of its digits counts.
pub fn parsed(text: &str) -> serde_json::Result<Value> {
    let (mut words, mut in_string, mut in_number, mut escaped) = (String::new(), false, false, false);
    for letter in text.chars() {
        let goes_on = in_number && matches!(letter, 'e' | 'E' | '+' | '.');
        let is_number = !in_string && (letter.is_ascii_digit() || letter == '-' || goes_on);
        if is_number != in_number {
            words.push_str(if is_number { "\"=" } else { "\"" });
            in_number = is_number;
        }
        if letter == '"' && !escaped {
            in_string = !in_string;
        }
        escaped = letter == '\\' && !escaped;
        words.push(letter);
    }
    serde_json::from_str(&words).map(without_times)
}

/// Whether a field of this name differs from run to run.
fn is_time(name: &str) -> bool {
    matches!(name, "seconds" | "stages" | "peak_bytes") || name.ends_with("_seconds")
}

/// The value without fields that tell time or memory.
pub fn without_times(value: Value) -> Value {
    match value {
        Value::Object(fields) => fields
            .into_iter()
            .filter(|(name, _)| !is_time(name))
            .map(|(name, field)| (name, without_times(field)))
            .collect::<Map<_, _>>()
            .into(),
        Value::Array(items) => items.into_iter().map(without_times).collect(),
        other => other,
    }
}

/// Text with `#` for every number of seconds, and tables without their columns `seconds` and `MB`.
pub fn text_without_times(text: &str) -> String {
    let mut dropped = 0;
    let mut lines = Vec::new();
    for line in text.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        if words.is_empty() {
            dropped = 0;
        } else if let Some(count) = time_columns(&words) {
            dropped = count;
        }
        // The width of a column depends on the times in it, so blanks between columns do not count.
        lines.push(match dropped {
            0 => line_without_times(line),
            _ => words[..words.len().saturating_sub(dropped)].join(" ").replace("---", ""),
        });
    }
    lines.join("\n")
}

/// In the header of a table whose last columns tell time and memory, how many words these have.
fn time_columns(words: &[&str]) -> Option<usize> {
    let first = words.iter().find(|word| **word != "|")?;
    let at = words.iter().position(|word| *word == "seconds")?;
    let rest = words[at..].iter().all(|word| matches!(*word, "seconds" | "MB" | "|"));
    (matches!(*first, "method" | "k") && rest).then_some(words.len() - at)
}

fn line_without_times(line: &str) -> String {
    let mut words: Vec<&str> = line.split(' ').collect();
    for at in 1..words.len() {
        let unit = words[at].trim_end_matches(|letter: char| letter.is_ascii_punctuation());
        let number = words[at - 1].trim_start_matches('(');
        if matches!(unit, "s" | "ms" | "second" | "seconds" | "minutes") && number.parse::<f64>().is_ok() {
            words[at - 1] = "#";
        }
    }
    words.join(" ")
}

/// A page without times: not in the facts of the run, nor in the cells of its tables.
///
/// The facts are on the page twice, once to be read; that copy is left out.
pub fn page_without_times(page: &str) -> String {
    let page = replaced(page, "<pre><code>", "</code></pre>", |_| String::new());
    let page = replaced(&page, "id=\"facts\">", "</script>", |facts| {
        parsed(facts).map_or_else(|_| facts.to_owned(), |facts| facts.to_string())
    });
    replaced(&page, "<table>", "</table>", table_without_times)
}

/// A table of a page with its cells of time and memory empty.
fn table_without_times(table: &str) -> String {
    let (head, body) = table.split_once("<tbody>").unwrap_or((table, ""));
    let is_time: Vec<bool> =
        head.split("</th>").map(|cell| cell.ends_with(">seconds") || cell.ends_with(">MB")).collect();
    let row = |row: &str| {
        let cells: Vec<&str> = row.split("<td>").collect();
        let kept = cells.iter().zip(is_time.iter().chain(std::iter::repeat(&false)));
        kept.map(|(cell, time)| if *time { "</td>" } else { cell }).collect::<Vec<_>>().join("<td>")
    };
    format!("{head}{}", body.split("</tr>").map(row).collect::<Vec<_>>().join("</tr>"))
}

/// The text with everything between `open` and `close` made anew.
fn replaced(text: &str, open: &str, close: &str, make: impl Fn(&str) -> String) -> String {
    let (mut done, mut rest) = (String::new(), text);
    while let Some((before, after)) = rest.split_once(open) {
        let Some((inside, left)) = after.split_once(close) else { break };
        done.extend([before, open, &make(inside), close]);
        rest = left;
    }
    done + rest
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn fields_of_time_are_left_out_at_every_depth() {
        let told = json!({"r_n": 0.5, "seconds": {"read": 1.0}, "rows": [{"k": 9, "stages": {}, "peak_bytes": 7}]});
        assert_eq!(without_times(told), json!({"r_n": 0.5, "rows": [{"k": 9}]}));
        assert_eq!(without_times(json!({"total_seconds": 2, "time_limit": 3})), json!({"time_limit": 3}));
    }

    #[test]
    fn numbers_keep_their_digits_and_stay_apart_from_words() {
        let told = r#"{"a": [-1.50e-7, 2], "b": "2 \"3\" -4", "c": "2", "d": true, "e": null, "seconds": 1.5}"#;
        let kept = json!({"a": ["=-1.50e-7", "=2"], "b": "2 \"3\" -4", "c": "2", "d": true, "e": null});
        assert_eq!(parsed(told).unwrap(), kept);
    }

    #[test]
    fn times_in_sentences_and_tables_are_not_told() {
        let told = |time: &str| text_without_times(&format!("psa in {time} s, written to y.csv\n40 points"));
        assert_eq!(told("1.2"), "psa in # s, written to y.csv\n40 points");
        let table = |time: &str, size: &str| {
            text_without_times(&format!(" method  R_N  seconds  MB\n psa     0.1  {time}  {size}\n\nall 4 rows"))
        };
        assert_eq!(table("0.123", "9"), "method R_N\npsa 0.1\n\nall 4 rows");
        assert_eq!(table("12.3", "  113"), table("0.123", "9"));
        let markdown =
            |time: &str| text_without_times(&format!("| k | R_N | seconds |\n|---|---|---|\n| 9 | 0.1 | {time} |"));
        assert_eq!(markdown("1.0"), markdown("0.999"));
        assert!(markdown("1.0").contains("0.1"));
    }

    #[test]
    fn pages_keep_everything_but_times() {
        let page = |time: &str, value: &str| {
            page_without_times(&format!(
                "<pre><code>{time}</code></pre><script id=\"facts\">{{\"seconds\":{time},\"k\":9}}</script><table>\n<thead>\
                 <tr><th scope=\"col\">method</th><th scope=\"col\">R_N</th><th scope=\"col\">seconds</th></tr></thead>\n\
                 <tbody>\n<tr><th scope=\"row\">psa</th><td>{value}</td><td>{time}</td></tr>\n</tbody></table>"
            ))
        };
        assert_eq!(page("0.25", "0.5"), page("0.75", "0.5"));
        assert_ne!(page("0.25", "0.5"), page("0.25", "0.6"));
    }
}
