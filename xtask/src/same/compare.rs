//! Two records beside each other: what differs, sorted by how much it matters.

use super::record::Outcome;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// What kind of thing differs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Class {
    /// Files of numbers, and exit statuses.
    Bits,
    /// Numbers, names and keys that programs read.
    Json,
    /// Sentences.
    Text,
    /// Pages and figures.
    Pictures,
}

impl Class {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Bits, Self::Json, Self::Text, Self::Pictures];

    /// As it is printed.
    pub fn name(self) -> &'static str {
        match self {
            Self::Bits => "bits",
            Self::Json => "json",
            Self::Text => "text",
            Self::Pictures => "pictures",
        }
    }

    /// Whether a difference of this kind means that something else was computed.
    pub fn is_grave(self) -> bool {
        matches!(self, Self::Bits | Self::Json)
    }

    /// Whether the run has anything of this kind.
    fn is_in(self, outcome: &Outcome) -> bool {
        match self {
            Self::Bits => true,
            Self::Json => !outcome.json.is_empty(),
            Self::Text => !outcome.text.is_empty() || !outcome.json.is_empty(),
            Self::Pictures => !outcome.pictures.is_empty(),
        }
    }
}

/// One thing that differs.
#[derive(Debug, Clone, PartialEq)]
pub struct Difference {
    /// Of which kind it is.
    pub class: Class,
    /// The run.
    pub command: String,
    /// The file, the stream or the field.
    pub place: String,
    /// What it was.
    pub before: String,
    /// What it is.
    pub after: String,
}

/// Everything that differs, and of how many runs nothing does.
#[derive(Debug, Default)]
pub struct Verdict {
    /// In the order of the runs.
    pub differences: Vec<Difference>,
    /// The number of runs, and for each class how many are the same of how many that have something of it.
    pub runs: usize,
    /// In the order of [`Class::ALL`].
    pub counts: Vec<(usize, usize)>,
}

const ABSENT: &str = "(nothing)";

/// Compares run by run.
pub fn compare(before: &[Outcome], after: &[Outcome]) -> Verdict {
    let by_command = |outcomes: &[Outcome]| -> BTreeMap<String, Outcome> {
        outcomes.iter().map(|outcome| (outcome.command.clone(), outcome.clone())).collect()
    };
    let (old, new) = (by_command(before), by_command(after));
    let lost = before.iter().filter(|outcome| !new.contains_key(&outcome.command));
    let mut verdict = Verdict { counts: vec![(0, 0); Class::ALL.len()], ..Verdict::default() };
    for outcome in after.iter().chain(lost) {
        let pair = (old.get(&outcome.command), new.get(&outcome.command));
        let found = match pair {
            (Some(old), Some(new)) => differences(old, new),
            (old, _) => {
                let told = |is_there: bool| if is_there { "(recorded)" } else { "(not recorded)" }.to_owned();
                vec![(Class::Bits, "the run".to_owned(), told(old.is_some()), told(old.is_none()))]
            }
        };
        verdict.runs += 1;
        for (class, count) in Class::ALL.into_iter().zip(&mut verdict.counts) {
            let is_same = found.iter().all(|difference| difference.0 != class);
            if class.is_in(outcome) || !is_same {
                *count = (count.0 + usize::from(is_same), count.1 + 1);
            }
        }
        verdict.differences.extend(found.into_iter().map(|(class, place, before, after)| Difference {
            class,
            command: outcome.command.clone(),
            place,
            before,
            after,
        }));
    }
    verdict
}

/// A class, a place, and what was there before and after.
type Found = (Class, String, String, String);

fn differences(before: &Outcome, after: &Outcome) -> Vec<Found> {
    let mut found = Vec::new();
    if before.status != after.status {
        found.push((Class::Bits, "exit status".to_owned(), before.status.to_string(), after.status.to_string()));
    }
    let strings = [
        (Class::Bits, &before.files, &after.files),
        (Class::Text, &before.text, &after.text),
        (Class::Pictures, &before.pictures, &after.pictures),
    ];
    for (class, before, after) in strings {
        for (name, old, new) in joined(before, after).into_iter().filter(|(_, old, new)| old != new) {
            let told = |text: Option<&String>| text.cloned().unwrap_or_else(|| ABSENT.to_owned());
            found.push((class, name.clone(), told(old), told(new)));
        }
    }
    let fields = |outcome: &Outcome| {
        let mut fields = BTreeMap::new();
        outcome.json.iter().for_each(|(name, value)| flatten(name, value, &mut fields));
        fields
    };
    let (before, after) = (fields(before), fields(after));
    for (place, old, new) in joined(&before, &after).into_iter().filter(|(_, old, new)| old != new) {
        let class = if [old, new].iter().all(|leaf| leaf.is_some_and(is_sentence)) { Class::Text } else { Class::Json };
        let told = |leaf: Option<&Value>| match leaf {
            Some(Value::String(text)) => text.strip_prefix('=').unwrap_or(text).to_owned(),
            Some(other) => other.to_string(),
            None => ABSENT.to_owned(),
        };
        found.push((class, place.clone(), told(old), told(new)));
    }
    found
}

/// Every key of both, with what each has under it.
fn joined<'a, T>(
    before: &'a BTreeMap<String, T>,
    after: &'a BTreeMap<String, T>,
) -> Vec<(&'a String, Option<&'a T>, Option<&'a T>)> {
    let keys: BTreeSet<&String> = before.keys().chain(after.keys()).collect();
    keys.into_iter().map(|key| (key, before.get(key), after.get(key))).collect()
}

/// Whether a value is words for people: text with a blank in it.
fn is_sentence(value: &Value) -> bool {
    value.as_str().is_some_and(|text| text.contains(' '))
}

/// Adds every number, word and empty list in `value`, by its path.
fn flatten(path: &str, value: &Value, leaves: &mut BTreeMap<String, Value>) {
    match value {
        Value::Object(fields) if !fields.is_empty() => {
            fields.iter().for_each(|(name, field)| flatten(&format!("{path}.{name}"), field, leaves));
        }
        Value::Array(items) if !items.is_empty() => {
            items.iter().enumerate().for_each(|(at, item)| flatten(&format!("{path}[{at}]"), item, leaves));
        }
        leaf => _ = leaves.insert(path.to_owned(), leaf.clone()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn told(value: Value) -> Outcome {
        Outcome { command: "embed".into(), json: [("stdout".into(), value)].into(), ..Outcome::default() }
    }

    fn only(before: Outcome, after: Outcome) -> Difference {
        let mut verdict = compare(&[before], &[after]);
        assert_eq!(verdict.differences.len(), 1, "{:?}", verdict.differences);
        verdict.differences.remove(0)
    }

    #[test]
    fn equal_records_are_the_same_in_every_class() {
        let outcome = told(json!({"r_n": [0.5, 1], "warnings": ["it is folded"]}));
        let verdict = compare(std::slice::from_ref(&outcome), std::slice::from_ref(&outcome));
        assert!(verdict.differences.is_empty());
        assert_eq!((verdict.runs, verdict.counts), (1, vec![(1, 1), (1, 1), (1, 1), (0, 0)]));
    }

    #[test]
    fn numbers_names_and_keys_are_json_and_sentences_are_text() {
        let class = |before, after| only(told(before), told(after)).class;
        assert_eq!(class(json!({"r_n": 0.5}), json!({"r_n": 0.5000001})), Class::Json);
        assert_eq!(class(json!({"stop": "converged"}), json!({"stop": "limit"})), Class::Json);
        assert_eq!(class(json!({"a": 1, "b": 2}), json!({"a": 1})), Class::Json);
        assert_eq!(class(json!({"warnings": ["it is folded"]}), json!({"warnings": ["it lies folded"]})), Class::Text);
        assert_eq!(class(json!({"k": 9, "warnings": []}), json!({"k": 10, "warnings": []})), Class::Json);
        let place = only(told(json!({"rows": [{"k": 9}]})), told(json!({"rows": [{"k": 8}]}))).place;
        assert_eq!(place, "stdout.rows[0].k");
    }

    #[test]
    fn files_statuses_pictures_and_words_have_their_classes() {
        let plain = || Outcome { command: "embed".into(), ..Outcome::default() };
        let with = |text: &str| BTreeMap::from([("y".to_owned(), text.to_owned())]);
        let class = |change: &dyn Fn(&mut Outcome, &str)| {
            let (mut before, mut after) = (plain(), plain());
            change(&mut before, "1");
            change(&mut after, "2");
            only(before, after).class
        };
        assert_eq!(class(&|outcome, text| outcome.files = with(text)), Class::Bits);
        assert_eq!(class(&|outcome, text| outcome.status = text.parse().unwrap()), Class::Bits);
        assert_eq!(class(&|outcome, text| outcome.text = with(text)), Class::Text);
        assert_eq!(class(&|outcome, text| outcome.pictures = with(text)), Class::Pictures);
        let lost = compare(&[plain()], &[]);
        assert_eq!((lost.runs, lost.differences[0].class), (1, Class::Bits));
    }
}
