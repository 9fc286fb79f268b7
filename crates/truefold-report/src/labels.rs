//! Labels as numbers: each distinct one once, and its place for every point.

use std::collections::BTreeMap;
use truefold::groups::in_order;

/// The labels of some points.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Labels {
    /// The distinct labels, numbers by size and other texts by letters.
    pub(crate) names: Vec<String>,
    /// The place of each point's label among them.
    pub(crate) codes: Vec<u32>,
}

/// More distinct labels than this that are all numbers are values, not classes.
const CLASSES: usize = 10;

impl Labels {
    pub(crate) fn new(texts: &[String]) -> Self {
        let mut places: BTreeMap<&str, u32> = texts.iter().map(|text| (text.as_str(), 0)).collect();
        let names = in_order(places.keys().copied().collect());
        for (place, name) in names.iter().enumerate() {
            places.insert(name, place as u32);
        }
        let codes = texts.iter().map(|text| places[text.as_str()]).collect();
        Self { names: names.into_iter().map(str::to_owned).collect(), codes }
    }

    /// The labels as values, where they are many and all are numbers.
    pub(crate) fn values(&self) -> Option<Vec<f64>> {
        if self.names.len() <= CLASSES {
            return None;
        }
        let values = self.names.iter().map(|name| value(name)).collect::<Option<Vec<f64>>>()?;
        Some(self.codes.iter().map(|&code| values[code as usize]).collect())
    }

    /// The labels of these rows alone.
    pub(crate) fn select(&self, rows: &[u32]) -> Self {
        let texts: Vec<String> =
            rows.iter().map(|&row| self.names[self.codes[row as usize] as usize].clone()).collect();
        Self::new(&texts)
    }
}

fn value(text: &str) -> Option<f64> {
    text.trim().parse::<f64>().ok().filter(|value| value.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(texts: &[&str]) -> Labels {
        Labels::new(&texts.iter().map(|&text| text.to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn numbers_are_in_order_of_size_and_texts_of_letters() {
        assert_eq!(labels(&["10", "9", "10"]), Labels { names: vec!["9".into(), "10".into()], codes: vec![1, 0, 1] });
        assert_eq!(labels(&["b", "10", "9"]).names, ["10", "9", "b"]);
        assert_eq!(
            labels(&["b", "10", "9"]).select(&[2, 0]),
            Labels { names: vec!["9".into(), "b".into()], codes: vec![0, 1] }
        );
    }

    #[test]
    fn many_numbers_are_values() {
        let many: Vec<String> = (0..11).map(|at| format!("{}.5", 10 - at)).collect();
        assert_eq!(Labels::new(&many).values().unwrap()[0], 10.5);
        assert_eq!(labels(&["1", "2"]).values(), None);
        assert_eq!(Labels::new(&many[..10]).values(), None);
    }
}
