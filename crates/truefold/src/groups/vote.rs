//! Label accuracy: how often the labels of a point's neighbors tell its own, a vote that leaves the point itself out.
//!
//! The label that most neighbors of a point have is its vote; of labels with as many, the one whose nearest neighbor
//! comes first in the list. Neighbors without label do not vote, and a point none of whose neighbors has a label counts
//! as wrong. Points without label are not asked. Cost: O(n k).

use super::Groups;
use crate::{Neighborhoods, Result, Run};

/// How many points of each group the vote of their neighbors puts into the right group.
pub(super) fn right_votes(neighborhoods: &Neighborhoods, groups: &Groups, run: &Run) -> Result<Vec<usize>> {
    let parts = run.chunks("votes of neighbors", groups.points(), 4096, |range| {
        let (mut right, mut counts) = (vec![0; groups.names().len()], vec![0_u32; groups.names().len()]);
        for point in range {
            if let Some(own) = groups.group(point)
                && vote(neighborhoods.neighbors(point), groups, &mut counts) == Some(own)
            {
                right[own] += 1;
            }
        }
        Ok(right)
    })?;
    let mut right = vec![0; groups.names().len()];
    for part in parts {
        right.iter_mut().zip(part).for_each(|(sum, count)| *sum += count);
    }
    Ok(right)
}

/// The label of most of `neighbors`; `counts` is work space and zero before and after.
fn vote(neighbors: &[u32], groups: &Groups, counts: &mut [u32]) -> Option<usize> {
    let labels = || neighbors.iter().filter_map(|&row| groups.group(row as usize));
    let mut most = 0;
    for label in labels() {
        counts[label] += 1;
        most = most.max(counts[label]);
    }
    let winner = labels().find(|&label| counts[label] == most);
    labels().for_each(|label| counts[label] = 0);
    winner
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_decides_between_labels_with_as_many_votes() {
        let groups = Groups::of(&["a", "b", "b", "a", "", "c"]);
        let mut counts = [0; 3];
        let mut vote = |neighbors: &[u32]| vote(neighbors, &groups, &mut counts);
        assert_eq!(vote(&[1, 0, 3, 2]), Some(1));
        assert_eq!(vote(&[0, 1, 2, 3, 5]), Some(0));
        assert_eq!(vote(&[5, 4, 1, 2]), Some(1));
        assert_eq!((vote(&[4, 5]), vote(&[4])), (Some(2), None));
        assert_eq!(counts, [0; 3]);
    }
}
