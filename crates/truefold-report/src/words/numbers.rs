//! Numbers and counts as people read them.

/// Four significant digits, in scientific form where the plain one would hide them.
///
/// ```
/// use truefold_report::words::number;
///
/// assert_eq!([0.0, 1.0, 0.012345, 1e-9].map(number), ["0", "1.000", "0.01235", "1.000e-9"]);
/// ```
pub fn number(value: f64) -> String {
    significant(value, 4, 1e6)
}

/// Three significant digits, for cells of tables.
///
/// ```
/// use truefold_report::words::short;
///
/// assert_eq!([0.0, 1.0, 0.012345, 12345.0].map(short), ["0", "1.00", "0.0123", "1.23e4"]);
/// ```
pub fn short(value: f64) -> String {
    significant(value, 3, 1e4)
}

/// So many decimals; no sign on a zero.
pub(crate) fn decimals(value: f64, decimals: usize) -> String {
    let shown = format!("{value:.decimals$}");
    match shown.strip_prefix('-') {
        Some(zero) if zero.chars().all(|digit| matches!(digit, '0' | '.')) => zero.to_owned(),
        _ => shown,
    }
}

/// So many significant digits; the plain form from a thousandth up to `below`.
fn significant(value: f64, digits: i32, below: f64) -> String {
    let size = value.abs();
    if value == 0.0 {
        "0".to_owned()
    } else if (1e-3..below).contains(&size) {
        let decimals = (digits - 1 - size.log10().floor() as i32).max(0) as usize;
        format!("{value:.decimals$}")
    } else {
        format!("{value:.*e}", digits as usize - 1)
    }
}

/// A share in percent, with more decimals for smaller ones.
///
/// ```
/// use truefold_report::words::percent;
///
/// assert_eq!([0.123, 0.0123, 0.000123, 1e-9].map(percent), ["12 %", "1.2 %", "0.012 %", "0 %"]);
/// ```
pub fn percent(share: f64) -> String {
    match 100.0 * share {
        share if share >= 9.95 => format!("{share:.0} %"),
        share if share >= 0.095 => format!("{share:.1} %"),
        share if share >= 0.00095 => format!("{share:.3} %"),
        _ => "0 %".to_owned(),
    }
}

/// A count with commas between thousands.
///
/// ```
/// assert_eq!(truefold_report::words::count(1_234_567), "1,234,567");
/// ```
pub fn count(value: usize) -> String {
    let digits = value.to_string();
    let groups: Vec<&str> =
        digits.as_bytes().rchunks(3).rev().filter_map(|group| std::str::from_utf8(group).ok()).collect();
    groups.join(",")
}

/// The count and the noun that agrees with it.
///
/// ```
/// use truefold_report::words::counted;
///
/// assert_eq!(counted(1, "pair", "pairs"), "1 pair");
/// assert_eq!(counted(1200, "pair", "pairs"), "1,200 pairs");
/// ```
pub fn counted(value: usize, singular: &str, plural: &str) -> String {
    format!("{} {}", count(value), if value == 1 { singular } else { plural })
}

/// A number of points.
///
/// ```
/// assert_eq!(truefold_report::words::points(1600), "1,600 points");
/// ```
pub fn points(value: usize) -> String {
    counted(value, "point", "points")
}

/// A number of dimensions.
///
/// ```
/// assert_eq!(truefold_report::words::dimensions(1), "1 dimension");
/// ```
pub fn dimensions(value: usize) -> String {
    counted(value, "dimension", "dimensions")
}

/// How many times the best possible a value is; nothing where the best possible is zero or not known.
pub(crate) fn times(times: Option<f64>) -> String {
    match times {
        None => String::new(),
        Some(times) if times >= 9999.5 => "> 9999".to_owned(),
        Some(times) if times >= 99.95 => format!("{times:.0}"),
        Some(times) => format!("{times:.2}"),
    }
}

/// Seconds, with fewer decimals for more of them.
pub(crate) fn seconds(seconds: f64) -> String {
    match seconds {
        seconds if seconds < 0.9995 => format!("{seconds:.3}"),
        seconds if seconds < 99.95 => format!("{seconds:.1}"),
        seconds => format!("{seconds:.0}"),
    }
}

/// `values` with commas between; three or more that follow each other in `all` are written as `first to last`.
pub(crate) fn list(values: &[usize], all: &[usize]) -> String {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_keep_their_digits() {
        let shown: Vec<String> = [0.0, 1.0, 0.012345, 123.456, 1e-9, -2.5e7].map(number).into();
        assert_eq!(shown, ["0", "1.000", "0.01235", "123.5", "1.000e-9", "-2.500e7"]);
        let shown: Vec<String> = [0.0, 1.0, 0.012345, 123.456, 7.31e-4, 12345.0].map(short).into();
        assert_eq!(shown, ["0", "1.00", "0.0123", "123", "7.31e-4", "1.23e4"]);
        let shown: Vec<String> = [1.0, 12.345, 123.4, 1e9].map(|value| times(Some(value))).into();
        assert_eq!(shown, ["1.00", "12.35", "123", "> 9999"]);
        assert_eq!([7, 999, 1000, 1_234_567].map(count), ["7", "999", "1,000", "1,234,567"].map(str::to_owned));
    }

    #[test]
    fn a_zero_has_no_sign() {
        let shown = [-0.0007, -0.007, 0.25, -12.0].map(|value| decimals(value, 2));
        assert_eq!(shown, ["0.00", "-0.01", "0.25", "-12.00"]);
    }

    #[test]
    fn runs_in_a_list_are_written_by_their_ends() {
        let all = [6, 8, 10, 12, 14, 16];
        assert_eq!(list(&[6, 8, 10, 14], &all), "6 to 10, 14");
        assert_eq!(
            (list(&[8, 10], &all), list(&[16], &all), list(&[], &all)),
            ("8, 10".into(), "16".into(), "".into())
        );
    }
}
