//! Whether the order of the distances between groups can be read off the map.
//!
//! The distance of two groups is the median of the distances between their members, one of each. It is estimated from
//! pairs in which no member occurs twice, at most [`SAMPLE`] of them, drawn with the seed: these are independent, so the
//! interval of the sign test holds for any distribution and covers the choice of the points too. Fewer than six members
//! give no interval at the level 0.05, and such groups are left out.
//!
//! On a curved surface straight lines cut through what the surface keeps apart, and a map that unrolls it is right to show
//! other distances. So the data decide the order of two distances only where the intervals do not overlap in a straight
//! line and, where paths along the neighborhood graph join the groups, do not overlap along these either and give the same
//! order. There the map keeps the order, reverses it, or leaves it open because its own intervals overlap. A map unrelated
//! to the data keeps as many orders as it reverses. The distance of a pair of groups should not be compared with the
//! others where more than a quarter of its decided orders are reversed: half of what such a map reverses.
//!
//! Cost: O(g^2 s (q + d)) for g groups and s pairs of members each, some two hundred searches for paths, and g^4 / 4
//! comparisons of two numbers; g is at most 100, the largest groups. Fails to tell anything where medians are equal, and for fewer than three groups.

use super::paths::along;
use crate::graph::LengthGraph;
use crate::measure::distances::Distances;
use crate::statistics::median_cut;
use crate::{Result, Run};
use rand::SeedableRng;
use rand::seq::SliceRandom;
use std::cmp::Ordering;

/// The most pairs of members that are drawn for a pair of groups.
const SAMPLE: usize = 1000;
/// The share of reversed orders from which a pair should not be compared: half of what chance reverses.
const REVERSED: f64 = 0.25;

/// A median with its interval.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Median {
    /// The estimate.
    pub value: f64,
    /// The lower end of its interval.
    pub low: f64,
    /// The upper end of its interval.
    pub high: f64,
}

impl Median {
    /// The median of `values`, which are sorted, with its interval; nothing where they are too few for one.
    pub(super) fn of(values: &mut [f64], level: f64) -> Option<Self> {
        let cut = median_cut(values.len(), level)?;
        values.sort_unstable_by(f64::total_cmp);
        let last = values.len() - 1;
        let value = values[last / 2].midpoint(values[values.len() / 2]);
        Some(Self { value, low: values[cut], high: values[last - cut] })
    }

    /// The order of two medians, where their intervals do not overlap.
    fn order(&self, other: &Self) -> Option<Ordering> {
        match () {
            () if self.high < other.low => Some(Ordering::Less),
            () if self.low > other.high => Some(Ordering::Greater),
            () => None,
        }
    }
}

/// The distance of two groups in the data and in the map, and how its order among the others is kept.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct GroupDistance {
    /// The two groups, the first one first.
    pub groups: [usize; 2],
    /// Their distance in the data, in a straight line.
    pub data: Median,
    /// Their distance in the data along the neighborhood graph, where it joins them.
    pub along: Option<Median>,
    /// Their distance in the map, in the units of the map.
    pub map: Median,
    /// The number of other pairs with which the data decide the order of the distances.
    pub decided: usize,
    /// Those of them with which the map keeps the order.
    pub kept: usize,
    /// Those of them with which the map reverses the order.
    pub reversed: usize,
}

impl GroupDistance {
    /// The share of the decided orders that the map reverses; nothing where none is decided.
    pub fn reversed_share(&self) -> Option<f64> {
        (self.decided > 0).then(|| self.reversed as f64 / self.decided as f64)
    }

    /// Whether the distance of these groups should not be compared with others in the map.
    pub fn is_misleading(&self) -> bool {
        self.reversed_share().is_some_and(|share| share > REVERSED)
    }
}

/// Where distances are taken.
pub(super) struct Spaces<'a> {
    /// The data, in straight lines.
    pub(super) data: Distances<'a>,
    /// The data, along neighborhoods.
    pub(super) graph: LengthGraph,
    /// The map.
    pub(super) map: Distances<'a>,
}

/// The distances of all pairs of `chosen` groups that have an interval, in order.
pub(super) fn distances(
    spaces: &Spaces<'_>,
    members: &[Vec<u32>],
    chosen: &[usize],
    level: f64,
    run: &Run,
) -> Result<Vec<GroupDistance>> {
    let drawn: Vec<Vec<u32>> = chosen.iter().map(|&group| draw(&members[group], group, run.seed())).collect();
    let along = along(&spaces.graph, &drawn, level, run)?;
    let places: Vec<[usize; 2]> = (0..chosen.len()).flat_map(|a| (a + 1..chosen.len()).map(move |b| [a, b])).collect();
    let found = run.chunks("distances between groups", places.len(), 8, |range| {
        let mut values = Vec::new();
        let mut median = |distances: &Distances<'_>, [a, b]: [usize; 2]| {
            values.clear();
            let pairs = drawn[a].iter().zip(&drawn[b]);
            let distance = |(&i, &j): (&u32, &u32)| distances.distance(distances.value(i as usize, j as usize));
            values.extend(pairs.map(distance));
            Median::of(&mut values, level)
        };
        let pair = |&place: &[usize; 2]| {
            let (data, map) = (median(&spaces.data, place)?, median(&spaces.map, place)?);
            let (groups, along) = (place.map(|at| chosen[at]), along[place[0] * chosen.len() + place[1]]);
            Some(GroupDistance { groups, data, along, map, decided: 0, kept: 0, reversed: 0 })
        };
        Ok(places[range].iter().filter_map(pair).collect::<Vec<_>>())
    })?;
    let mut found = found.concat();
    let orders = run.chunks("orders of distances", found.len(), 64, |range| {
        Ok(range.map(|at| orders(&found[at], &found)).collect::<Vec<_>>())
    })?;
    for (pair, [decided, kept, reversed]) in found.iter_mut().zip(orders.into_iter().flatten()) {
        (pair.decided, pair.kept, pair.reversed) = (decided, kept, reversed);
    }
    Ok(found)
}

/// Some members of a group, in random order that depends on the group and the seed alone.
fn draw(members: &[u32], group: usize, seed: u64) -> Vec<u32> {
    let mut random = rand_chacha::ChaCha8Rng::seed_from_u64(seed);
    random.set_stream(group as u64);
    let mut rows = members.to_vec();
    let (drawn, _) = rows.partial_shuffle(&mut random, SAMPLE);
    drawn.to_vec()
}

/// How many orders of `pair` with the others the data decide, and how many of these the map keeps and reverses.
fn orders(pair: &GroupDistance, all: &[GroupDistance]) -> [usize; 3] {
    let mut counts = [0; 3];
    for other in all {
        if let Some(order) = decided(pair, other) {
            counts[0] += 1;
            match pair.map.order(&other.map) {
                Some(shown) if shown == order => counts[1] += 1,
                Some(_) => counts[2] += 1,
                None => {}
            }
        }
    }
    counts
}

/// The order of two distances in the data, where both ways to measure them agree.
fn decided(pair: &GroupDistance, other: &GroupDistance) -> Option<Ordering> {
    let straight = pair.data.order(&other.data)?;
    match (&pair.along, &other.along) {
        (Some(a), Some(b)) => a.order(b).filter(|&order| order == straight),
        _ => Some(straight),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_interval_is_between_values_of_the_ranks_of_the_sign_test() {
        let mut values: Vec<f64> = (1..=10).rev().map(f64::from).collect();
        assert_eq!(Median::of(&mut values, 0.05), Some(Median { value: 5.5, low: 2.0, high: 9.0 }));
        assert_eq!(Median::of(&mut [1.0, 2.0, 9.0], 0.5), Some(Median { value: 2.0, low: 1.0, high: 9.0 }));
        assert_eq!(Median::of(&mut [1.0; 5], 0.05), None);
    }

    #[test]
    fn orders_are_told_where_intervals_do_not_overlap() {
        let median = |low: f64, high: f64| Median { value: low, low, high };
        let pair = |data: Median, map: Median| {
            let along = None;
            GroupDistance { groups: [0, 1], data, along, map, decided: 0, kept: 0, reversed: 0 }
        };
        let mut all = [
            pair(median(1.0, 2.0), median(5.0, 6.0)),
            pair(median(3.0, 4.0), median(1.0, 2.0)),
            pair(median(5.0, 6.0), median(5.5, 7.0)),
            pair(median(7.0, 8.0), median(7.5, 8.0)),
            pair(median(1.5, 3.0), median(9.0, 9.5)),
        ];
        assert_eq!(orders(&all[0], &all), [3, 1, 1]);
        // Along the data the first is between the second and the fourth, so that one order is not decided any more.
        (all[0].along, all[1].along) = (Some(median(5.0, 6.0)), Some(median(3.0, 4.0)));
        all[3].along = Some(median(7.0, 8.0));
        assert_eq!(orders(&all[0], &all), [2, 1, 0]);
    }
}
