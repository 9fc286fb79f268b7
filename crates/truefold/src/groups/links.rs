//! Whose the false neighbors of each group are, and whose the missing ones.
//!
//! N_X(i) are the neighbors of point i in the data and N_Y(i) as many nearest points of the map. Those of N_Y(i) that are
//! not in N_X(i) are false, those of N_X(i) that are not in N_Y(i) are missing; there are as many of both. Summed over the
//! points of a group and told apart by label they make a row of a matrix, of which only entries above zero are kept, so
//! memory grows with the pairs of groups that meet, not with the square of their number. Cost: O(n k log k).

use super::Groups;
use crate::measure::embedded;
use crate::{Neighborhoods, Result, Run};

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
        let (mut sorted, mut strangers) = (Vec::new(), Vec::new());
        let (mut wrong, mut lost) = (vec![0; members.len()], vec![0; members.len()]);
        let count = |rows: &[u32], counts: &mut [usize]| {
            rows.iter().filter_map(|&row| groups.group(row as usize)).for_each(|label| counts[label] += 1);
        };
        for &point in &members[group] {
            let (near, shown) = (data.neighbors(point as usize), map.neighbors(point as usize));
            tally.neighbors += near.len();
            tally.shown += shown.len();
            embedded::strangers(shown, near, &mut sorted, &mut strangers);
            tally.false_neighbors += strangers.len();
            count(&strangers, &mut wrong);
            embedded::strangers(near, shown, &mut sorted, &mut strangers);
            tally.missing += strangers.len();
            count(&strangers, &mut lost);
        }
        tally.false_links = entries(group, &wrong);
        tally.missing_links = entries(group, &lost);
        Ok(tally)
    })
}

fn entries(of: usize, counts: &[usize]) -> Vec<Link> {
    let entry = |(to, &count): (usize, &usize)| (count > 0).then_some(Link { of, to, count });
    counts.iter().enumerate().filter_map(entry).collect()
}
