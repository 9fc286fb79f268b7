//! What a map does to groups of points: whether neighbors still tell the group, whose the false neighbors are, which
//! groups touch, and whether distances between groups can be compared.
//!
//! [`Groups`] are made of labels; a [`GroupJudge`] holds the data, the map and the neighborhoods of both and makes a
//! [`GroupJudgment`]. Everything is compared between data and map with the same number of neighbors, and everything that
//! is called a finding holds beyond chance: the level is the share of findings that may be false on average.

mod border;
mod distances;
mod judge;
mod links;
mod names;
mod paths;
#[cfg(test)]
mod tests;
mod vote;

pub use border::{Border, Contact};
pub use distances::{GroupDistance, Median};
pub use judge::GroupJudge;
pub use links::Link;
pub use names::{Groups, in_order};

/// What a map does to groups of points.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct GroupJudgment {
    /// The number of points, with and without label.
    pub points: usize,
    /// The number of points without label; they belong to no group.
    pub unlabeled: usize,
    /// How often neighbors tell the label of a point.
    pub accuracy: Accuracy,
    /// Each group, in order.
    pub labels: Vec<LabelFacts>,
    /// Whose the false neighbors of each group are: entries above zero of a matrix, row by row.
    pub false_links: Vec<Link>,
    /// Whose the missing neighbors of each group are, alike.
    pub missing_links: Vec<Link>,
    /// The number of groups of which pairs were looked at: all, or the 100 largest.
    pub paired: usize,
    /// The borders of all pairs of these groups.
    pub borders: Vec<Border>,
    /// The distances of these pairs, where the groups have enough members; nothing where the data are distances of which
    /// only some are known.
    pub distances: Option<Vec<GroupDistance>>,
    /// The share of findings that may be false on average; intervals hold with a chance of 1 less this.
    pub level: f64,
}

/// How often the vote of its neighbors tells the label of a point.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Accuracy {
    /// By the neighbors in the data.
    pub data: f64,
    /// By the neighbors in the map.
    pub map: f64,
    /// By naming the most frequent label always: what a map unrelated to the labels cannot exceed but by luck.
    pub chance: f64,
}

/// What a map does to one group.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct LabelFacts {
    /// The label.
    pub name: String,
    /// The number of its points.
    pub size: usize,
    /// The two-sided score on the neighborhoods of its points, where there is a verdict: 1 the best possible, 0 chance.
    pub score: Option<f64>,
    /// The share of its points whose neighbors in the data tell the label.
    pub data_accuracy: f64,
    /// The share of its points whose neighbors in the map tell the label.
    pub map_accuracy: f64,
    /// The share of the true neighbors of its points that are missing: none in common with the point in the map.
    pub missing: Option<f64>,
    /// The share of the neighbors of its points in the map that are false: none in common with the point in the data.
    pub false_neighbors: Option<f64>,
    /// The share of the neighbors of its points in the map that are false and have another label.
    pub foreign: Option<f64>,
}

impl GroupJudgment {
    /// The pairs of groups that touch in the map but not in the data, the longest border of the map first.
    pub fn invented_borders(&self) -> Vec<&Border> {
        let mut found: Vec<&Border> = self.borders.iter().filter(|border| border.is_invented()).collect();
        found.sort_by_key(|border| std::cmp::Reverse(border.map_pairs));
        found
    }

    /// The pairs of groups that touch in the data but not in the map, the longest border of the data first.
    pub fn lost_borders(&self) -> Vec<&Border> {
        let mut found: Vec<&Border> = self.borders.iter().filter(|border| border.is_lost()).collect();
        found.sort_by_key(|border| std::cmp::Reverse(border.data_pairs));
        found
    }

    /// The pairs of groups whose distance should not be compared with others in the map, the worst first.
    pub fn misleading_distances(&self) -> Vec<&GroupDistance> {
        let share = |pair: &GroupDistance| pair.reversed_share().unwrap_or(0.0);
        let mut found: Vec<&GroupDistance> =
            self.distances.iter().flatten().filter(|pair| pair.is_misleading()).collect();
        found.sort_by(|a, b| share(b).total_cmp(&share(a)));
        found
    }

    /// The shares of the orders of two distances, decided by the data, that the map keeps and reverses.
    pub fn orders(&self) -> Option<[f64; 2]> {
        let pairs = self.distances.as_ref()?;
        let sum = |count: fn(&GroupDistance) -> usize| pairs.iter().map(count).sum::<usize>() as f64;
        let decided = sum(|pair| pair.decided);
        (decided > 0.0).then(|| [sum(|pair| pair.kept) / decided, sum(|pair| pair.reversed) / decided])
    }
}
