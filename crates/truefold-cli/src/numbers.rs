//! Lists of whole numbers as typed: `6,9,12`, `6..18`, `6..18:3`, and these between commas.

use truefold::Error;
use truefold::error::Advice;

/// The longest list that is meant.
const MOST: usize = 1000;

/// The numbers that `text` stands for, in order; `name` is the option.
pub(crate) fn numbers(name: &'static str, text: &str) -> Result<Vec<usize>, Error> {
    let wrong = |limit: String, advice: &'static str| {
        Err(Error::parameter(name, format!("'{text}'"), limit, Advice::change(name, advice)))
    };
    let mut found: Vec<usize> = Vec::new();
    for part in text.split(',') {
        let (range, step) = match part.split_once(':') {
            Some((range, step)) => (range, Some(step)),
            None => (part, None),
        };
        let ends = range.split_once("..").map(|(first, last)| (first, last.strip_prefix('=').unwrap_or(last)));
        let number = |text: &str| text.trim().parse::<usize>().ok();
        let (first, last, step) = match (ends, step) {
            (None, None) => (number(range), number(range), Some(1)),
            (None, Some(_)) => (None, None, None),
            (Some((first, last)), step) => (number(first), number(last), step.map_or(Some(1), number)),
        };
        let (Some(first), Some(last), Some(step)) = (first, last, step) else {
            return wrong("is not a list of whole numbers".into(), "write it as 6,9,12 or 6..18 or 6..18:3");
        };
        if first == 0 || step == 0 {
            return wrong("holds a zero".into(), "give numbers from 1");
        }
        if first > last {
            return wrong("runs backwards".into(), "put the smaller number first");
        }
        if (last - first) / step >= MOST - found.len().min(MOST) {
            return wrong(
                format!("is a list of more than {MOST} numbers"),
                "give fewer, or a larger step as in 6..60:6",
            );
        }
        found.extend((first..=last).step_by(step));
    }
    match found.iter().enumerate().find(|(at, value)| found[..*at].contains(value)) {
        None => Ok(found),
        Some((_, value)) => wrong(format!("holds {value} twice"), "give every number once"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_and_ranges_are_read() {
        let read = |text: &str| numbers("k", text).unwrap();
        assert_eq!(read("12"), [12]);
        assert_eq!(read("12, 6,9"), [12, 6, 9]);
        assert_eq!(read("6..9"), [6, 7, 8, 9]);
        assert_eq!(read("6..=9"), [6, 7, 8, 9]);
        assert_eq!(read("6..12:3,20"), [6, 9, 12, 20]);
        assert_eq!(read("6..11:3"), [6, 9]);
        assert_eq!(read("6..6"), [6]);
    }

    #[test]
    fn what_is_no_list_is_told() {
        let said = |text: &str| numbers("k", text).unwrap_err().to_string();
        for text in ["", "6,,9", "six", "-3", "6:2", "6..", "..9", "1.5", "6..9:x"] {
            assert!(said(text).starts_with(&format!("k = '{text}' is not a list of whole numbers")), "{}", said(text));
        }
        assert!(said("9..6").contains("runs backwards"));
        assert!(said("0").contains("zero") && said("0..5").contains("zero") && said("1..5:0").contains("zero"));
        assert!(said("6,9,6").contains("holds 6 twice"));
        assert!(said("5,4..6").contains("holds 5 twice"));
        assert!(said("1..1000000000000").contains("more than 1000"));
        assert!(said("1..1000,2000").contains("more than 1000"));
        assert_eq!(numbers("k", "1..1000").unwrap().len(), 1000);
    }
}
