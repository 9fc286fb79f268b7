//! How a judgment of groups is made.

use super::border::{self, borders};
use super::distances::{Spaces, distances};
use super::links::{Tally, tallies};
use super::vote::right_votes;
use super::{Accuracy, GroupJudgment, Groups, LabelFacts};
use crate::error::Advice;
use crate::graph::LengthGraph;
use crate::measure::distances::Distances;
use crate::measure::embedded_neighbors;
use crate::{Error, Input, Metric, Neighborhoods, Origin, Points, Result, Run};
use std::borrow::Cow;

/// The share of findings that may be false on average, unless another one is given.
const LEVEL: f64 = 0.05;

/// Judges what a map does to groups of its points.
///
/// Two groups that lie apart in space, drawn onto each other:
///
/// ```
/// use truefold::groups::{GroupJudge, Groups};
/// use truefold::{Input, Neighborhoods, Points, Run};
///
/// let place = |i: i32| [f64::from(i % 10), f64::from(i / 10 % 10)];
/// let x = Points::from_rows(&(0..200).map(|i| [place(i)[0], place(i)[1], f64::from(i / 100) * 50.0]).collect::<Vec<_>>())?;
/// let y = Points::from_rows(&(0..200).map(place).collect::<Vec<_>>())?;
/// let labels: Vec<&str> = (0..200).map(|i| if i < 100 { "low" } else { "high" }).collect();
/// let run = Run::new();
/// let neighborhoods = Neighborhoods::nearest(&x, 8, &run)?;
/// let judgment = GroupJudge::new(Input::Points(&x), &y, &neighborhoods).judge(&Groups::of(&labels), &run)?;
/// assert_eq!(judgment.accuracy.data, 1.0);
/// assert_eq!(judgment.invented_borders().len(), 1);
/// assert!(judgment.labels[0].name == "high" && judgment.labels[0].foreign.is_some_and(|share| share > 0.4));
/// # Ok::<(), truefold::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct GroupJudge<'a> {
    input: Input<'a>,
    map: &'a Points,
    neighborhoods: &'a Neighborhoods,
    shown: Option<&'a Neighborhoods>,
    metric: Metric,
    level: f64,
}

impl<'a> GroupJudge<'a> {
    /// For a map of this input, with the neighborhoods of the data.
    pub fn new(input: Input<'a>, map: &'a Points, neighborhoods: &'a Neighborhoods) -> Self {
        Self { input, map, neighborhoods, shown: None, metric: Metric::default(), level: LEVEL }
    }

    /// With the neighborhoods of the map, where they are known; for each point as many as in the data.
    #[must_use]
    pub fn with_map_neighborhoods(mut self, shown: &'a Neighborhoods) -> Self {
        self.shown = Some(shown);
        self
    }

    /// With the distance of the data, where the neighborhoods were given and do not tell it.
    #[must_use]
    pub fn with_metric(mut self, metric: Metric) -> Self {
        self.metric = metric;
        self
    }

    /// With another share of findings that may be false on average, between 0 and 1.
    #[must_use]
    pub fn with_level(mut self, level: f64) -> Self {
        self.level = level;
        self
    }

    /// Judges what the map does to these groups.
    pub fn judge(&self, groups: &Groups, run: &Run) -> Result<GroupJudgment> {
        self.check(groups)?;
        let shown = match self.shown {
            Some(shown) => Cow::Borrowed(shown),
            None => Cow::Owned(embedded_neighbors(self.map, self.neighborhoods, run)?),
        };
        let right = [right_votes(self.neighborhoods, groups, run)?, right_votes(&shown, groups, run)?];
        let tallies = tallies(self.neighborhoods, &shown, groups, run)?;
        let labels = self.labels(groups, &right, &tallies);
        let chosen = groups.largest(border::MOST);
        let labeled = (groups.points() - groups.unlabeled()) as f64;
        let share = |counts: &[usize]| counts.iter().sum::<usize>() as f64 / labeled;
        Ok(GroupJudgment {
            points: groups.points(),
            unlabeled: groups.unlabeled(),
            accuracy: Accuracy {
                data: share(&right[0]),
                map: share(&right[1]),
                chance: groups.sizes().iter().copied().max().unwrap_or(0) as f64 / labeled,
            },
            labels,
            false_links: tallies.iter().flat_map(|tally| tally.false_links.iter().copied()).collect(),
            missing_links: tallies.iter().flat_map(|tally| tally.missing_links.iter().copied()).collect(),
            paired: chosen.len(),
            borders: borders(self.neighborhoods, &shown, groups, &chosen, self.level, self.map.dim()),
            distances: self.distances(groups, &chosen, run)?,
            level: self.level,
        })
    }

    /// An error unless everything belongs together and there is a group.
    fn check(&self, groups: &Groups) -> Result<()> {
        self.input.check_embedding(self.map)?;
        let count = self.input.len();
        self.neighborhoods.check_len(count)?;
        if let Some(shown) = self.shown {
            shown.check_len(count)?;
        }
        if groups.points() != count {
            let problem = format!("there are {} labels for {count} points", groups.points());
            return Err(Error::data(problem, Advice::mend_data("give exactly one for each point")));
        }
        if !groups.sizes().iter().any(|&size| size > 1) {
            let problem = match groups.names().len() {
                0 => "none of the points has a label".to_owned(),
                different => format!("the {different} labels are all different, so they make no groups"),
            };
            return Err(Error::data(problem, Advice::mend_data("give a label that several points share")));
        }
        if !(self.level > 0.0 && self.level < 1.0) {
            let advice = Advice::change("level", "choose a share such as 0.05");
            return Err(Error::parameter("level", self.level, "is not between 0 and 1", advice));
        }
        Ok(())
    }

    fn labels(&self, groups: &Groups, right: &[Vec<usize>; 2], tallies: &[Tally]) -> Vec<LabelFacts> {
        let share = |part: usize, whole: usize| (whole > 0).then(|| part as f64 / whole as f64);
        let facts = |(group, tally): (usize, &Tally)| {
            let size = groups.sizes()[group];
            let foreign = tally.false_links.iter().filter(|link| link.to != group).map(|link| link.count).sum();
            LabelFacts {
                name: groups.names()[group].clone(),
                size,
                score: None,
                data_accuracy: right[0][group] as f64 / size as f64,
                map_accuracy: right[1][group] as f64 / size as f64,
                missing: share(tally.missing, tally.neighbors),
                false_neighbors: share(tally.false_neighbors, tally.shown),
                foreign: share(foreign, tally.shown),
            }
        };
        tallies.iter().enumerate().map(facts).collect()
    }

    fn distances(&self, groups: &Groups, chosen: &[usize], run: &Run) -> Result<Option<Vec<super::GroupDistance>>> {
        if matches!(self.input, Input::Distances(distances) if distances.values().is_none()) {
            return Ok(None);
        }
        let metric = match *self.neighborhoods.origin() {
            Origin::Exact { metric, .. } | Origin::Approximate { metric, .. } => metric,
            _ => self.metric,
        };
        let data = Distances::new(&self.input, metric)?;
        let graph = LengthGraph::in_parallel(self.neighborhoods, run, |a, b| data.distance(data.value(a, b)))?;
        let spaces = Spaces { data, graph, map: Distances::euclidean(self.map)? };
        distances(&spaces, &groups.members(), chosen, self.level, run).map(Some)
    }
}
