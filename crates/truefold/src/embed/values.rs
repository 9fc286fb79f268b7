//! Which values a parameter of a method takes, and the one check of them.

use super::given::Given;
use crate::error::{Advice, Bound, Limit, Name};
use crate::{Error, Result, names};
use serde::Serialize;
use serde_json::Value;

/// What a parameter is.
///
/// ```
/// use truefold::embed::{ParameterInfo, Values};
///
/// const MODELS: ParameterInfo =
///     ParameterInfo::new("models", &[Values::Whole(1, usize::MAX), Values::Null], "the number of models");
/// assert_eq!(MODELS.values_in_words(), "a whole number of at least 1 or null");
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct ParameterInfo {
    /// The name, as in `--set name=value`; also the name of the struct's field.
    pub name: &'static str,
    /// The values that it takes: any of these.
    pub values: &'static [Values],
    /// What it does.
    pub summary: &'static str,
}

/// Values that a parameter takes. Names stand for the variants of an enum, or for a special value such as `auto`.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(tag = "kind", content = "values", rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Values {
    /// One of these names.
    Names(&'static [&'static str]),
    /// `true` or `false`.
    Flag,
    /// A whole number from the first to the second, both included; [`usize::MAX`] is no limit.
    Whole(usize, usize),
    /// A number above this.
    Above(f64),
    /// A number of at least this.
    AtLeast(f64),
    /// A number between the first and the second, neither included.
    Between(f64, f64),
    /// A number from the first to the second, both included.
    Within(f64, f64),
    /// A number from the first, included, to below the second.
    FromBelow(f64, f64),
    /// `null`, which is `None` in Rust and Python.
    Null,
}

impl Values {
    /// Whether the value is one of these.
    fn take(self, given: &Given) -> bool {
        if let Self::Whole(least, most) = self {
            return matches!(given, Given::Whole(value) if (least as u64..=most as u64).contains(value));
        }
        match (self, given, given.number()) {
            (Self::Names(names), Given::Word(word), _) => names.contains(&word.as_str()),
            (Self::Flag, Given::Flag(_), _) | (Self::Null, Given::Null, _) => true,
            (Self::Above(above), _, Some(value)) => value > above && value.is_finite(),
            (Self::AtLeast(least), _, Some(value)) => value >= least && value.is_finite(),
            (Self::Between(above, below), _, Some(value)) => above < value && value < below,
            (Self::Within(least, most), _, Some(value)) => (least..=most).contains(&value),
            (Self::FromBelow(least, below), _, Some(value)) => (least..below).contains(&value),
            _ => false,
        }
    }

    /// The range of the numbers among these; nothing where they are no numbers, or whole and the given one is not.
    fn range(self, given: &Given) -> Option<Bound> {
        match self {
            Self::Whole(..) if given.number().is_some_and(|value| value.fract() != 0.0) => None,
            Self::Whole(least, usize::MAX) => Some(Bound::AtLeast(least as f64)),
            Self::Whole(least, most) => Some(Bound::Within(least as f64, most as f64)),
            Self::Above(above) => Some(Bound::Above(above)),
            Self::AtLeast(least) => Some(Bound::AtLeast(least)),
            Self::Between(above, below) => Some(Bound::Between(above, below)),
            Self::Within(least, most) => Some(Bound::Within(least, most)),
            Self::FromBelow(least, below) => Some(Bound::FromBelow(least, below)),
            Self::Names(_) | Self::Flag | Self::Null => None,
        }
    }

    /// Each name, or the range in words.
    fn words(self) -> Vec<String> {
        let one = match self {
            Self::Names(names) => return names.iter().map(|name| (*name).to_owned()).collect(),
            Self::Flag => return vec!["true".to_owned(), "false".to_owned()],
            Self::Whole(0, usize::MAX) => "a whole number".to_owned(),
            Self::Whole(least, usize::MAX) => format!("a whole number of at least {least}"),
            Self::Whole(least, most) => format!("a whole number from {least} to {most}"),
            Self::Above(above) => format!("a number above {above}"),
            Self::AtLeast(least) => format!("a number of at least {least}"),
            Self::Between(above, below) => format!("a number between {above} and {below}"),
            Self::Within(least, most) => format!("a number from {least} to {most}"),
            Self::FromBelow(least, below) => format!("a number from {least} to below {below}"),
            Self::Null => "null".to_owned(),
        };
        vec![one]
    }
}

impl ParameterInfo {
    /// A parameter that takes any of `values`.
    pub const fn new(name: &'static str, values: &'static [Values], summary: &'static str) -> Self {
        Self { name, values, summary }
    }

    /// The values in words: `auto, a whole number of at least 1 or null`.
    pub fn values_in_words(&self) -> String {
        let words = self.words();
        match words.split_last() {
            Some((last, others)) if !others.is_empty() => format!("{} or {last}", others.join(", ")),
            _ => words.concat(),
        }
    }

    fn words(&self) -> Vec<String> {
        self.values.iter().flat_map(|values| values.words()).collect()
    }

    /// A word as the parameter spells it, however it was typed; any other value as it is.
    pub(super) fn spelled(&self, typed: Value) -> Value {
        let known = self.values.iter().flat_map(|values| match values {
            Values::Names(known) => known,
            _ => &[][..],
        });
        let found = typed.as_str().and_then(|word| known.copied().find(|known| names::is_same(word, known)));
        found.map_or(typed, Value::from)
    }

    /// An error unless the parameter takes the value.
    pub(super) fn check(&self, given: &Given, default: &Given) -> Result<()> {
        if self.values.iter().any(|values| values.take(given)) {
            return Ok(());
        }
        let name = Name::setting(self.name);
        let instead = match default {
            Given::Null => "leave it out".to_owned(),
            default => format!("leave it out for {default}"),
        };
        let instead = if self.values.len() > 1 || given.number().is_none() {
            format!("choose {}, or {instead}", self.values_in_words())
        } else {
            instead
        };
        Err(Error::parameter(name.clone(), given, self.limit(given), Advice::change(name, instead)))
    }

    /// What the value breaks: a range where it is a number and the parameter takes some, or else all there is.
    fn limit(&self, given: &Given) -> Limit {
        if given.number().is_some()
            && let Some(bound) = self.values.iter().find_map(|values| values.range(given))
        {
            return bound.into();
        }
        match self.values {
            [Values::Names(_) | Values::Flag] | [_, _, ..] => Bound::OneOf(self.words()).into(),
            _ => format!("is not {}", self.values_in_words()).into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const COUNT: ParameterInfo =
        ParameterInfo::new("count", &[Values::Names(&["auto"]), Values::Whole(1, usize::MAX), Values::Null], "");
    const SHARE: ParameterInfo = ParameterInfo::new("share", &[Values::Between(0.0, 1.0)], "");

    fn refused(info: &ParameterInfo, given: Given) -> (String, Bound) {
        match info.check(&given, &Given::Real(0.5)).unwrap_err() {
            error @ Error::Parameter { .. } => {
                let told = error.to_string();
                let Error::Parameter { limit, .. } = error else { unreachable!() };
                (told, limit.bound)
            }
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn any_of_the_kinds_is_taken() {
        for given in [Given::Word("auto".into()), Given::Whole(1), Given::Whole(99), Given::Null] {
            assert_eq!(COUNT.check(&given, &Given::Null), Ok(()), "{given}");
        }
        assert_eq!(SHARE.check(&Given::Real(0.999), &Given::Null), Ok(()));
        assert_eq!(COUNT.values_in_words(), "auto, a whole number of at least 1 or null");
    }

    #[test]
    fn what_is_not_taken_is_told_with_its_bound() {
        assert_eq!(refused(&COUNT, Given::Whole(0)).1, Bound::AtLeast(1.0));
        assert_eq!(refused(&COUNT, Given::Real(-3.0)).1, Bound::AtLeast(1.0));
        assert!(matches!(refused(&COUNT, Given::Real(2.5)).1, Bound::OneOf(names) if names.len() == 3));
        assert!(matches!(refused(&COUNT, Given::Word("some".into())).1, Bound::OneOf(_)));
        for value in [0.0, 1.0, f64::NAN, f64::INFINITY] {
            assert_eq!(refused(&SHARE, Given::Real(value)).1, Bound::Between(0.0, 1.0));
        }
        assert_eq!(
            refused(&SHARE, Given::Word("half".into())).0,
            "share = half is not a number between 0 and 1; choose a number between 0 and 1, or leave it out for 0.5"
        );
        assert_eq!(refused(&SHARE, Given::Null).1, Bound::Usable);
    }
}
