//! Groups of points that neighborhoods hold together: whole neighborhoods that share no point, and what is left around them.
//!
//! Cost: two passes over the members.

use crate::graph::Adjacency;
use crate::laplacian::memberships::Memberships;
use crate::linalg::block::CHUNK;
use rayon::prelude::*;

/// Stands for no group.
const NONE: u32 = u32::MAX;

/// For each point its group, and the number of groups; points of one group are in one component.
///
/// In the order of their numbers, neighborhoods none of whose members has a group become one. After that every
/// neighborhood holds a point with a group, and points without one join the group that their neighborhood holds most of.
pub(super) fn groups(memberships: &Memberships<'_>) -> (Vec<u32>, usize) {
    let mut group = vec![NONE; memberships.len()];
    let mut count = 0;
    for at in 0..memberships.len() {
        let members = memberships.members(at);
        if members.iter().all(|&member| group[member as usize] == NONE) {
            members.iter().for_each(|&member| group[member as usize] = count);
            count += 1;
        }
    }
    let joined = (0..group.len()).into_par_iter().with_min_len(CHUNK).map_init(Vec::new, |near, at| {
        if group[at] != NONE {
            return group[at];
        }
        near.clear();
        near.extend(
            memberships.members(at).iter().map(|&member| group[member as usize]).filter(|&group| group != NONE),
        );
        near.sort_unstable();
        let runs = near.chunk_by(|a, b| a == b);
        runs.map(|run| (run.len(), run[0])).max_by_key(|&(size, group)| (size, !group)).map_or(NONE, |(_, group)| group)
    });
    (joined.collect(), count as usize)
}

/// For each of `count` groups its points, in increasing order.
pub(super) fn points(group: &[u32], count: usize) -> Adjacency {
    let mut offsets = vec![0; count + 1];
    group.iter().for_each(|&group| offsets[group as usize + 1] += 1);
    (0..count).for_each(|at| offsets[at + 1] += offsets[at]);
    let mut next = offsets.clone();
    let mut points = vec![0; group.len()];
    for (point, &group) in group.iter().enumerate() {
        points[next[group as usize]] = point as u32;
        next[group as usize] += 1;
    }
    Adjacency::from_parts(offsets, points)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::uniform;
    use crate::{Neighborhoods, Points, Run};

    #[test]
    fn every_point_has_one_group_of_about_a_neighborhood_within_its_component() {
        let mut values: Vec<f64> = (0..4000).map(|at| uniform(1, at)).collect();
        // Two pieces, far from each other.
        values[2000..].iter_mut().for_each(|value| *value += 100.0);
        let points = Points::new(2000, 2, values).unwrap();
        let neighborhoods = Neighborhoods::nearest(&points, 12, &Run::new()).unwrap();
        let memberships = Memberships::new(&neighborhoods, neighborhoods.components());
        let (group, count) = groups(&memberships);
        assert!(group.iter().all(|&group| (group as usize) < count));
        let lists = super::points(&group, count);
        assert_eq!(lists.entries(), 2000);
        let part = |place: usize| (0..2000).find(|&point| memberships.place(point) == place).unwrap() < 1000;
        for at in 0..count {
            let list = lists.of(at);
            assert!(list.len() >= 13 && list.len() < 80, "{}", list.len());
            assert!(list.iter().all(|&place| group[place as usize] as usize == at));
            assert!(list.iter().all(|&place| part(place as usize) == part(list[0] as usize)));
        }
    }
}
