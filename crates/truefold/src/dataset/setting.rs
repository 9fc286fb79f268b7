//! Settings: the values of a data set that can be chosen, by name, within limits.

use crate::error::{Advice, Bound, Limit, Name, Text};
use crate::{Error, Result};
use serde::Serialize;
use std::collections::BTreeMap;

/// A value of a data set that can be chosen: its name, its meaning, its default, and its limits.
///
/// ```
/// let roll = truefold::dataset::find("swiss-roll")?;
/// let listed: Vec<String> = roll.info().settings.iter().map(|setting| setting.to_string()).collect();
/// assert_eq!(listed[0], "height = 21 (0.001 to 1000): width of the sheet, along the axis of the roll");
/// # Ok::<(), truefold::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Setting {
    /// Its name.
    pub name: &'static str,
    /// Its meaning, in a few words.
    pub summary: &'static str,
    /// The values it can have.
    #[serde(flatten)]
    pub kind: SettingKind,
}

/// The values that a setting can have, and its default.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[non_exhaustive]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum SettingKind {
    /// A number within limits, both included.
    Number {
        /// The default.
        default: f64,
        /// The least value.
        least: f64,
        /// The greatest value.
        most: f64,
    },
    /// A whole number within limits, both included.
    Whole {
        /// The default.
        default: u32,
        /// The least value.
        least: u32,
        /// The greatest value.
        most: u32,
    },
    /// `true` or `false`.
    Switch {
        /// The default.
        default: bool,
    },
}

impl Setting {
    pub(super) const fn number(name: &'static str, default: f64, limits: (f64, f64), summary: &'static str) -> Self {
        Self { name, summary, kind: SettingKind::Number { default, least: limits.0, most: limits.1 } }
    }

    pub(super) const fn whole(name: &'static str, default: u32, limits: (u32, u32), summary: &'static str) -> Self {
        Self { name, summary, kind: SettingKind::Whole { default, least: limits.0, most: limits.1 } }
    }

    pub(super) const fn switch(name: &'static str, default: bool, summary: &'static str) -> Self {
        Self { name, summary, kind: SettingKind::Switch { default } }
    }

    /// The default as a number, which every kind of value is stored as: a switch is 0 or 1.
    fn default_value(&self) -> f64 {
        match self.kind {
            SettingKind::Number { default, .. } => default,
            SettingKind::Whole { default, .. } => f64::from(default),
            SettingKind::Switch { default } => f64::from(u8::from(default)),
        }
    }

    fn read(&self, text: &str) -> Result<f64> {
        let text = text.trim();
        let value = match self.kind {
            SettingKind::Number { least, most, .. } => text.parse().ok().filter(|value| (least..=most).contains(value)),
            SettingKind::Whole { least, most, .. } => {
                text.parse().ok().filter(|value| (least..=most).contains(value)).map(f64::from)
            }
            SettingKind::Switch { .. } => text.to_lowercase().parse::<bool>().ok().map(|on| f64::from(u8::from(on))),
        };
        value.ok_or_else(|| {
            let limit = match self.kind.bound() {
                bound @ Bound::Within(..) if text.parse::<f64>().is_err() => {
                    Limit::because(bound, "a number is needed")
                }
                bound => bound.into(),
            };
            let name = Name::setting(self.name);
            let advice = Text::of("leave ").name(name.clone()).and(format!(" out for {}", self.kind.default_text()));
            Error::parameter(name.clone(), text, limit, Advice::leave_out(name, advice))
        })
    }
}

impl SettingKind {
    /// The values that are possible, as errors state them.
    fn bound(&self) -> Bound {
        match *self {
            Self::Number { least, most, .. } => Bound::Within(least, most),
            Self::Whole { least, most, .. } => Bound::Whole(f64::from(least), f64::from(most)),
            Self::Switch { .. } => Bound::OneOf(vec!["true".to_owned(), "false".to_owned()]),
        }
    }

    fn default_text(&self) -> String {
        match self {
            Self::Number { default, .. } => default.to_string(),
            Self::Whole { default, .. } => default.to_string(),
            Self::Switch { default } => default.to_string(),
        }
    }
}

impl std::fmt::Display for Setting {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} = {}", self.name, self.kind.default_text())?;
        match self.kind {
            SettingKind::Number { least, most, .. } => write!(f, " ({least} to {most})")?,
            SettingKind::Whole { least, most, .. } => write!(f, " ({least} to {most})")?,
            SettingKind::Switch { .. } => write!(f, " (true or false)")?,
        }
        write!(f, ": {}", self.summary)
    }
}

/// The settings chosen for one sample, parsed and checked; the others have their defaults.
pub(super) struct Chosen {
    values: BTreeMap<&'static str, f64>,
}

impl Chosen {
    pub(super) fn read(settings: &'static [Setting], given: &BTreeMap<String, String>) -> Result<Self> {
        let mut values = BTreeMap::new();
        for (name, text) in given {
            let setting = settings
                .iter()
                .find(|setting| setting.name == name)
                .ok_or_else(|| Error::unknown("setting", name, settings.iter().map(|setting| setting.name)))?;
            values.insert(setting.name, setting.read(text)?);
        }
        Ok(Self { values })
    }

    pub(super) fn number(&self, setting: &Setting) -> f64 {
        self.values.get(setting.name).copied().unwrap_or_else(|| setting.default_value())
    }

    pub(super) fn whole(&self, setting: &Setting) -> usize {
        self.number(setting) as usize
    }

    pub(super) fn switch(&self, setting: &Setting) -> bool {
        self.number(setting) != 0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    static SETTINGS: [Setting; 3] = [
        Setting::number("height", 2.0, (0.5, 4.0), "how high"),
        Setting::whole("size", 24, (12, 64), "how large"),
        Setting::switch("turn", false, "whether to turn"),
    ];

    fn read(name: &str, text: &str) -> Result<Chosen> {
        Chosen::read(&SETTINGS, &BTreeMap::from([(name.to_owned(), text.to_owned())]))
    }

    #[test]
    fn what_is_not_chosen_has_its_default() -> Result<()> {
        let chosen = read("size", " 12 ")?;
        assert_eq!(chosen.number(&SETTINGS[0]), 2.0);
        assert_eq!(chosen.whole(&SETTINGS[1]), 12);
        assert!(!chosen.switch(&SETTINGS[2]));
        assert!(read("turn", "True")?.switch(&SETTINGS[2]));
        assert_eq!(read("height", "4")?.number(&SETTINGS[0]), 4.0);
        Ok(())
    }

    #[test]
    fn a_bad_value_is_one_sentence() {
        let told = |name, text| read(name, text).err().map(|error| error.to_string()).unwrap_or_default();
        assert_eq!(told("height", "4.5"), "height = 4.5 is not from 0.5 to 4; leave height out for 2");
        assert_eq!(told("height", "NaN"), "height = NaN is not from 0.5 to 4; leave height out for 2");
        assert_eq!(told("size", "12.5"), "size = 12.5 is not a whole number from 12 to 64; leave size out for 24");
        assert_eq!(told("size", "-1"), "size = -1 is not a whole number from 12 to 64; leave size out for 24");
        assert_eq!(told("turn", "yes"), "turn = yes is not one of true, false; leave turn out for false");
        assert_eq!(told("heigth", "1"), "there is no setting named 'heigth'; did you mean height?");
    }
}
