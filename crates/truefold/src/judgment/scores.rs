//! The scores of one embedding on one set of neighborhoods.

use crate::Result;
use crate::measure::{Evaluation, Measure, MeasureInfo, Score, Side};

/// A measure and the score that it gave.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Scored {
    /// The measure.
    pub info: &'static MeasureInfo,
    /// What it gave.
    pub score: Score,
}

impl Scored {
    /// The rows that have a value, the largest value first; rows of equal value in their order.
    pub fn largest_first(&self) -> Vec<usize> {
        let values = self.score.per_point.as_deref().unwrap_or_default();
        let mut order: Vec<usize> = (0..values.len()).filter(|&row| !values[row].is_nan()).collect();
        order.sort_by(|&a, &b| values[b].total_cmp(&values[a]).then(a.cmp(&b)));
        order
    }

    /// How far the score is from chance towards the best possible.
    pub fn skill(&self) -> Option<f64> {
        self.score.skill(self.info.better)
    }

    fn forget_points(&mut self) {
        self.score.per_point = None;
        self.score.per_point_bound = None;
        self.score.per_point_chance = None;
    }
}

/// The scores of some measures on the same neighborhoods, in the order in which they were asked for.
///
/// ```
/// use truefold::{Judge, Neighborhoods, Points, Run};
///
/// let x = Points::from_rows(&[[0.0, 0.0], [1.0, 0.1], [2.0, 0.0], [3.0, 0.1]])?;
/// let y = Points::new(4, 1, vec![0.0, 1.0, 2.0, 3.0])?;
/// let neighborhoods = Neighborhoods::nearest(&x, 2, &Run::new())?;
/// let scores = Judge::of_points(&x, &neighborhoods).judge(&y, &Run::new())?.scores;
/// assert!(scores.get("r_n").is_some_and(|score| score.value < 0.02) && scores.get("overlap").is_none());
/// # Ok::<(), truefold::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Scores(Vec<Scored>);

impl Scores {
    /// Takes every one of `measures`.
    pub(crate) fn take(measures: &[&'static dyn Measure], evaluation: &Evaluation<'_>) -> Result<Self> {
        Self::take_each(measures, evaluation, |_| {})
    }

    /// The same, with values at single points of the measures of some names alone.
    pub(crate) fn take_with_points_of(
        names: &[&str],
        measures: &[&'static dyn Measure],
        evaluation: &Evaluation<'_>,
    ) -> Result<Self> {
        Self::take_each(measures, evaluation, |scored| {
            if !names.contains(&scored.info.name) {
                scored.forget_points();
            }
        })
    }

    fn take_each(
        measures: &[&'static dyn Measure],
        evaluation: &Evaluation<'_>,
        then: impl Fn(&mut Scored),
    ) -> Result<Self> {
        // Points that a map puts together need not be joined by a known distance.
        let can_tell =
            |measure: &&&dyn Measure| evaluation.knows_all_distances() || measure.info().side != Side::Reverse;
        let one = |measure: &&'static dyn Measure| -> Result<Scored> {
            let mut scored = Scored { info: measure.info(), score: measure.score(evaluation)? };
            then(&mut scored);
            Ok(scored)
        };
        measures.iter().filter(can_tell).map(one).collect::<Result<_>>().map(Self)
    }

    /// The score of the measure of this name.
    pub fn get(&self, name: &str) -> Option<&Score> {
        self.scored(name).map(|scored| &scored.score)
    }

    /// The same with the measure.
    pub fn scored(&self, name: &str) -> Option<&Scored> {
        self.0.iter().find(|scored| scored.info.name == name)
    }

    /// All of them.
    pub fn iter(&self) -> std::slice::Iter<'_, Scored> {
        self.0.iter()
    }

    /// Keeps the scores of some measures alone.
    pub fn retain(&mut self, wanted: impl Fn(&MeasureInfo) -> bool) {
        self.0.retain(|scored| wanted(scored.info));
    }

    /// Forgets the values of single points, except those of the measures that are `wanted`.
    pub(crate) fn forget_points_except(&mut self, wanted: &[&str]) {
        self.0.iter_mut().filter(|scored| !wanted.contains(&scored.info.name)).for_each(Scored::forget_points);
    }
}

impl<'a> IntoIterator for &'a Scores {
    type Item = &'a Scored;
    type IntoIter = std::slice::Iter<'a, Scored>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}
