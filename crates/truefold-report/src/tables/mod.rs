//! Comparisons and sweeps as tables, in text, Markdown, CSV and JSON, and on a page.

pub mod comparison;
mod comparison_page;
mod facts;
mod records;
pub mod sweep;
mod sweep_page;
mod text;

use truefold::compare::{Taken, Trial};
use truefold::measure::Score;

/// Three significant digits, in scientific form where the plain one would be long.
pub(crate) fn short(value: f64) -> String {
    let size = value.abs();
    if value == 0.0 {
        "0".to_owned()
    } else if (1e-3..1e4).contains(&size) {
        let digits = (2 - size.log10().floor() as i32).max(0) as usize;
        format!("{value:.digits$}")
    } else {
        format!("{value:.2e}")
    }
}

/// A count with thousands set apart.
pub(crate) fn count(value: usize) -> String {
    let digits = value.to_string();
    let groups: Vec<&str> =
        digits.as_bytes().rchunks(3).rev().filter_map(|group| std::str::from_utf8(group).ok()).collect();
    groups.join(",")
}

/// A number of dimensions in words.
fn dimensions(dim: usize) -> String {
    if dim == 1 { "1 dimension".to_owned() } else { format!("{} dimensions", count(dim)) }
}

/// The data in words.
fn headline(points: usize, input_dim: Option<usize>) -> String {
    match input_dim {
        Some(dim) => format!("{} points in {}", count(points), dimensions(dim)),
        None => format!("{} points given by their distances", count(points)),
    }
}

/// The paper's form of a cell, R_N [R_C].
fn pair(r_n: &Score, r_c: &Score) -> String {
    format!("{} [{}]", short(r_n.value), short(r_c.value))
}

/// How many times the best possible, where that is above zero.
fn times(times: Option<f64>) -> String {
    match times {
        None => String::new(),
        Some(times) if times >= 9999.5 => "> 9999".to_owned(),
        Some(times) if times >= 99.95 => format!("{times:.0}"),
        Some(times) => format!("{times:.2}"),
    }
}

/// Seconds as a person reads them.
fn seconds(trial: &Trial) -> String {
    match trial.seconds {
        seconds if seconds < 0.9995 => format!("{seconds:.3}"),
        seconds if seconds < 99.95 => format!("{seconds:.1}"),
        seconds => format!("{seconds:.0}"),
    }
}

/// `values` with commas between, a run of three or more of `all` as its ends.
fn list(values: &[usize], all: &[usize]) -> String {
    let mut parts: Vec<String> = Vec::new();
    let mut rest = values;
    while let Some(&first) = rest.first() {
        let start = all.iter().position(|&value| value == first).unwrap_or(0);
        let length = rest.iter().zip(&all[start..]).take_while(|(a, b)| a == b).count().max(1);
        if length > 2 {
            parts.push(format!("{first} to {}", rest[length - 1]));
        } else {
            parts.extend(rest[..length].iter().map(ToString::to_string));
        }
        rest = &rest[length..];
    }
    parts.join(", ")
}

/// The score of a measure among several.
fn find<'a>(scores: &'a [Taken], name: &str) -> Option<&'a Score> {
    scores.iter().find(|taken| taken.info.name == name).map(|taken| &taken.score)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_lists_are_short() {
        let shown: Vec<String> = [0.0, 1.0, 0.012345, 123.456, 7.31e-4, 12345.0].map(short).into();
        assert_eq!(shown, ["0", "1.00", "0.0123", "123", "7.31e-4", "1.23e4"]);
        let shown: Vec<String> = [1.0, 12.345, 123.4, 1e9].map(|value| times(Some(value))).into();
        assert_eq!(shown, ["1.00", "12.35", "123", "> 9999"]);
        assert_eq!([7, 999, 1000, 1_234_567].map(count), ["7", "999", "1,000", "1,234,567"].map(str::to_owned));
        let all = [6, 8, 10, 12, 14, 16];
        assert_eq!(list(&[6, 8, 10, 14], &all), "6 to 10, 14");
        assert_eq!(
            (list(&[8, 10], &all), list(&[16], &all), list(&[], &all)),
            ("8, 10".into(), "16".into(), "".into())
        );
    }
}
