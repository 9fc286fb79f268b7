//! Whose the false neighbors of each group are, and whose the missing ones.
//!
//! A neighbor in the map is false if it has no neighbor in common with the point in the data; a neighbor in the data is
//! missing if it has none in common in the map: the same as in the verdict on single points. Summed over the points of a
//! group and told apart by label they make a row of a matrix, of which only entries above zero are kept, so memory grows
//! with the pairs of groups that meet, not with the square of their number. Cost: O(n k^2 log k).

use super::Groups;
use crate::graph::CommonNeighbors;
use crate::{Neighborhoods, Result, Run};
use std::collections::BTreeMap;

/// How many neighbors of the points of one group belong to a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Link {
    /// The group of the points.
    pub of: usize,
    /// The group of their neighbors.
    pub to: usize,
    /// The number of these neighbors.
    pub count: usize,
}

/// What was counted for the points of one group.
#[derive(Debug, Default)]
pub(super) struct Tally {
    /// The neighbors of all its points, in the data.
    pub(super) neighbors: usize,
    /// Those of them that are missing in the map.
    pub(super) missing: usize,
    /// The neighbors in the map that are false.
    pub(super) false_neighbors: usize,
    /// The neighbors of all its points, in the map.
    pub(super) shown: usize,
    /// The false ones by group, without those that have no label.
    pub(super) false_links: Vec<Link>,
    /// The missing ones by group, without those that have no label.
    pub(super) missing_links: Vec<Link>,
}

/// What is counted for each group.
pub(super) fn tallies(data: &Neighborhoods, map: &Neighborhoods, groups: &Groups, run: &Run) -> Result<Vec<Tally>> {
    let members = groups.members();
    run.chunks("links between groups", members.len(), 1, |range| {
        let group = range.start;
        let mut tally = Tally::default();
        let mut common = CommonNeighbors::default();
        let (mut wrong, mut lost) = (BTreeMap::new(), BTreeMap::new());
        let mut count = |rows: &[u32], graph: &Neighborhoods, point: usize, counts: &mut BTreeMap<usize, usize>| {
            common.look_from(graph, point);
            let mut all = 0;
            for &row in rows.iter().filter(|&&row| !common.has(graph, row)) {
                all += 1;
                groups.group(row as usize).into_iter().for_each(|label| *counts.entry(label).or_default() += 1);
            }
            all
        };
        for point in members[group].iter().map(|&point| point as usize) {
            tally.neighbors += data.neighbors(point).len();
            tally.shown += map.neighbors(point).len();
            tally.false_neighbors += count(map.neighbors(point), data, point, &mut wrong);
            tally.missing += count(data.neighbors(point), map, point, &mut lost);
        }
        tally.false_links = entries(group, &wrong);
        tally.missing_links = entries(group, &lost);
        Ok(tally)
    })
}

fn entries(of: usize, counts: &BTreeMap<usize, usize>) -> Vec<Link> {
    counts.iter().map(|(&to, &count)| Link { of, to, count }).collect()
}
