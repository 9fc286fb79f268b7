//! What a value broke, and what to do about it.

use super::text::{Name, Text, Vocabulary};

/// The values that a parameter can have.
///
/// ```
/// use truefold::Error;
/// use truefold::error::{Advice, Bound, Limit};
///
/// let limit = Limit::because(Bound::Within(1.0, 4096.0), "more threads do not help");
/// let error = Error::parameter("threads", 0, limit, Advice::leave_out("threads", "leave {threads} out"));
/// assert_eq!(
///     error.to_string(),
///     "threads = 0 is not from 1 to 4096: more threads do not help; leave threads out"
/// );
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Bound {
    /// At least this.
    AtLeast(f64),
    /// At most this.
    AtMost(f64),
    /// More than this.
    Above(f64),
    /// From the first to the second, both included.
    Within(f64, f64),
    /// A whole number from the first to the second, both included.
    Whole(f64, f64),
    /// Between the first and the second, neither included.
    Between(f64, f64),
    /// From the first, included, to below the second.
    FromBelow(f64, f64),
    /// One of these names.
    OneOf(Vec<String>),
    /// Given once.
    Once,
    /// No range and no list: the reason is the whole clause.
    Usable,
}

/// A bound, and the reason for it.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Limit {
    /// The values that are possible.
    pub bound: Bound,
    /// Why; with [`Bound::Usable`] the clause that follows the value.
    pub reason: Text,
}

impl Limit {
    /// With a reason.
    pub fn because(bound: Bound, reason: impl Into<Text>) -> Self {
        Self { bound, reason: reason.into() }
    }

    /// The clause that follows a value, in the terms of a front end.
    pub(super) fn worded(&self, vocabulary: &dyn Vocabulary) -> String {
        let number = |value: f64| if value.abs() < 1e15 { format!("{value}") } else { format!("{value:e}") };
        let clause = match &self.bound {
            // Few points or coordinates may leave nothing between the ends.
            Bound::Within(least, most) | Bound::Whole(least, most) if least > most => {
                format!("cannot be: {} at the least would be more than {} at the most", number(*least), number(*most))
            }
            Bound::AtLeast(least) => format!("is less than {}", number(*least)),
            Bound::AtMost(most) => format!("is more than {}", number(*most)),
            Bound::Above(0.0) => "is not a positive number".to_owned(),
            Bound::Above(above) => format!("is not above {}", number(*above)),
            Bound::Within(least, most) => format!("is not from {} to {}", number(*least), number(*most)),
            Bound::Whole(least, most) => format!("is not a whole number from {} to {}", number(*least), number(*most)),
            Bound::Between(above, below) => format!("is not between {} and {}", number(*above), number(*below)),
            Bound::FromBelow(least, below) => format!("is not from {} to below {}", number(*least), number(*below)),
            Bound::OneOf(names) => format!("is not one of {}", names.join(", ")),
            Bound::Once => "is given twice".to_owned(),
            Bound::Usable => return self.reason.worded(vocabulary),
        };
        if self.reason.is_empty() { clause } else { format!("{clause}: {}", self.reason.worded(vocabulary)) }
    }
}

impl From<Bound> for Limit {
    fn from(bound: Bound) -> Self {
        Self { bound, reason: Text::default() }
    }
}

impl<T: Into<Text>> From<T> for Limit {
    /// A clause that follows the value.
    fn from(clause: T) -> Self {
        Self { bound: Bound::Usable, reason: clause.into() }
    }
}

/// What kind of thing to do.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum AdviceKind {
    /// Choose another value of this.
    Change(Name),
    /// Leave this out.
    LeaveOut(Name),
    /// Correct, complete or reduce the data.
    MendData,
    /// Use another file, name it differently, or save it again.
    MendFile,
    /// Use another method, or do it differently.
    GoAnotherWay,
    /// Anything else: the text says what.
    Other,
}

/// What to do about an error: its kind, for programs, and the words.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Advice {
    /// What kind of thing to do.
    pub kind: AdviceKind,
    /// In words.
    pub text: Text,
}

impl Advice {
    /// Choose another value of `name`.
    pub fn change(name: impl Into<Name>, text: impl Into<Text>) -> Self {
        Self { kind: AdviceKind::Change(name.into()), text: text.into() }
    }

    /// Leave `name` out.
    pub fn leave_out(name: impl Into<Name>, text: impl Into<Text>) -> Self {
        Self { kind: AdviceKind::LeaveOut(name.into()), text: text.into() }
    }

    /// Correct, complete or reduce the data.
    pub fn mend_data(text: impl Into<Text>) -> Self {
        Self { kind: AdviceKind::MendData, text: text.into() }
    }

    /// Use another file, name it differently, or save it again.
    pub fn mend_file(text: impl Into<Text>) -> Self {
        Self { kind: AdviceKind::MendFile, text: text.into() }
    }

    /// Use another method, or do it differently.
    pub fn go_another_way(text: impl Into<Text>) -> Self {
        Self { kind: AdviceKind::GoAnotherWay, text: text.into() }
    }
}

impl<T: Into<Text>> From<T> for Advice {
    fn from(text: T) -> Self {
        Self { kind: AdviceKind::Other, text: text.into() }
    }
}

impl<T: Into<Text>> From<T> for Box<Advice> {
    fn from(text: T) -> Self {
        Self::new(text.into().into())
    }
}
