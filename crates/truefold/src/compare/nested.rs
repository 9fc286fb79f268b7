//! Neighborhoods of several k from one search.

use crate::error::{Advice, Bound};
use crate::{Error, Neighborhoods, Points, Result, Run};
use std::borrow::Cow;

/// The neighborhoods on which methods are compared: those of several k, or one set as it is.
///
/// ```
/// use truefold::compare::Nested;
/// use truefold::{Neighborhoods, Points, Run};
///
/// let points = Points::new(5, 1, vec![0.0, 1.0, 3.0, 3.5, 9.0])?;
/// let nested = Nested::nearest(&points, &[1, 3], &Run::new())?;
/// assert_eq!(nested.get(0)?.members(2), &[2, 3]);
/// assert_eq!(Nested::one(Neighborhoods::within(&points, 6.0, &Run::new())?).k(0), None);
/// # Ok::<(), truefold::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Nested {
    widest: Neighborhoods,
    ks: Option<Vec<usize>>,
}

impl Nested {
    /// The `k` nearest of `points`, for each of these k, by Euclidean distance.
    pub fn nearest(points: &Points, ks: &[usize], run: &Run) -> Result<Self> {
        check_distinct("k", ks)?;
        Self::cut(Neighborhoods::nearest(points, ks.iter().copied().max().unwrap_or(0), run)?, ks)
    }

    /// Cuts neighborhoods that were searched for the largest of these k, or more.
    pub fn cut(widest: Neighborhoods, ks: &[usize]) -> Result<Self> {
        check_distinct("k", ks)?;
        for &k in ks {
            widest.check_first(k)?;
        }
        Ok(Self { widest, ks: Some(ks.to_vec()) })
    }

    /// These neighborhoods alone: given lists, for example, or all points within a radius.
    pub fn one(neighborhoods: Neighborhoods) -> Self {
        Self { widest: neighborhoods, ks: None }
    }

    /// The number of sets of neighborhoods.
    #[expect(clippy::len_without_is_empty, reason = "there is at least one set")]
    pub fn len(&self) -> usize {
        self.ks.as_ref().map_or(1, Vec::len)
    }

    /// The k of a set, where all its points have as many neighbors.
    pub fn k(&self, index: usize) -> Option<usize> {
        match &self.ks {
            Some(ks) => Some(ks[index]),
            None => self.widest.uniform_k(),
        }
    }

    /// The neighborhoods of a set.
    pub fn get(&self, index: usize) -> Result<Cow<'_, Neighborhoods>> {
        match &self.ks {
            Some(ks) if self.widest.uniform_k() != Some(ks[index]) => self.widest.first(ks[index]).map(Cow::Owned),
            _ => Ok(Cow::Borrowed(&self.widest)),
        }
    }
}

/// An error unless `values` are some numbers above zero, each once.
pub(crate) fn check_distinct(name: &'static str, values: &[usize]) -> Result<()> {
    if values.is_empty() {
        return Err(Error::parameter(
            name,
            "nothing",
            "leaves nothing to compare",
            Advice::change(name, "give at least one number"),
        ));
    }
    if values.contains(&0) {
        return Err(Error::parameter(name, 0, Bound::AtLeast(1.0), Advice::change(name, "give numbers from 1")));
    }
    match values.iter().enumerate().find(|(at, value)| values[..*at].contains(value)) {
        None => Ok(()),
        Some((_, value)) => {
            Err(Error::parameter(name, value, Bound::Once, Advice::change(name, "give every number once")))
        }
    }
}
