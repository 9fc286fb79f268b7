//! Neighbors in the embedding: for each point as many nearest embedded points as it has neighbors in the input.
//!
//! For a few points with unusually many neighbors, one search for the largest number would find far more than is used, so
//! these few are compared with all points. Cost: that of the neighbor search, plus O(n) for each such point.

use super::distances::{Distances, Tile};
use crate::{Algorithm, Metric, Neighborhoods, Origin, Points, Reach, Result, Run};

/// The nearest embedded points, k_i of them for point i, nearest first and ties by row.
pub(crate) fn neighbors(embedding: &Points, neighborhoods: &Neighborhoods, run: &Run) -> Result<Neighborhoods> {
    if let Some(k) = neighborhoods.uniform_k() {
        return Neighborhoods::nearest(embedding, k, run);
    }
    let count = neighborhoods.len();
    let usual = (4 * neighborhoods.memberships().div_ceil(count)).min(neighborhoods.largest_k());
    let found = Neighborhoods::nearest(embedding, usual, run)?;
    let many: Vec<u32> =
        (0..count as u32).filter(|&point| neighborhoods.neighbors(point as usize).len() > usual).collect();
    let distances = Distances::euclidean(embedding)?;
    let mut lists = run
        .chunks("neighbors in the embedding", many.len(), 8, |range| {
            Ok(nearest_of(&distances, &many[range], |point| neighborhoods.neighbors(point).len()))
        })?
        .into_iter()
        .flatten();
    let mut members = Vec::with_capacity(neighborhoods.memberships());
    let mut offsets = vec![0];
    for point in 0..count {
        let k = neighborhoods.neighbors(point).len();
        members.push(point as u32);
        if k <= usual {
            members.extend_from_slice(&found.neighbors(point)[..k]);
        } else {
            members.extend(lists.next().unwrap_or_default());
        }
        offsets.push(members.len());
    }
    let reach = Reach::Nearest(neighborhoods.largest_k());
    let origin = Origin::Exact { reach, metric: Metric::Euclidean, algorithm: Algorithm::Brute, instead: None };
    Ok(Neighborhoods::from_parts(offsets, members, origin))
}

/// The `k(point)` nearest other points of each of `sources`, by comparison with all.
fn nearest_of(distances: &Distances<'_>, sources: &[u32], k: impl Fn(usize) -> usize) -> Vec<Vec<u32>> {
    let mut tile = Tile::default();
    let mut lists = vec![Vec::with_capacity(distances.len()); sources.len()];
    for first in (0..distances.len()).step_by(distances.tile_len()) {
        tile.load(distances, first, (first + distances.tile_len()).min(distances.len()));
        for (&source, list) in sources.iter().zip(&mut lists) {
            let values = tile.values(distances, source as usize);
            list.extend(values.iter().copied().zip(first as u32..).filter(|&(_, row)| row != source));
        }
    }
    let order = |a: &(f64, u32), b: &(f64, u32)| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1));
    let keep = |(&source, mut list): (&u32, Vec<(f64, u32)>)| {
        let k = k(source as usize);
        if k < list.len() {
            list.select_nth_unstable_by(k, order);
            list.truncate(k);
        }
        list.sort_unstable_by(order);
        list.into_iter().map(|(_, row)| row).collect()
    };
    sources.iter().zip(lists).map(keep).collect()
}

/// Sets `strangers` to those of `rows` that are not among `known`; `sorted` is work space.
pub(crate) fn strangers(rows: &[u32], known: &[u32], sorted: &mut Vec<u32>, strangers: &mut Vec<u32>) {
    sorted.clear();
    sorted.extend_from_slice(known);
    sorted.sort_unstable();
    strangers.clear();
    strangers.extend(rows.iter().filter(|row| sorted.binary_search(row).is_err()));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_point_with_many_neighbors_gets_the_same_list_as_by_a_search_for_the_largest_number() {
        let points = Points::new(90, 2, (0..180).map(|i| f64::from(i * i % 23)).collect()).unwrap();
        let lists: Vec<Vec<i64>> =
            (0..90).map(|i| (0..90).filter(|&j| j != i && (i % 30 == 7 || j < 3)).collect()).collect();
        let neighborhoods = Neighborhoods::from_lists(&lists).unwrap();
        let run = Run::new();
        let found = neighbors(&points, &neighborhoods, &run).unwrap();
        let most = Neighborhoods::nearest(&points, 89, &run).unwrap();
        for (point, list) in lists.iter().enumerate() {
            assert_eq!(found.neighbors(point), &most.neighbors(point)[..list.len()]);
        }
        assert_eq!(found.memberships(), neighborhoods.memberships());
    }
}
