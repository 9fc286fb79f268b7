//! How far groups are from each other along the data: shortest paths on the neighborhood graph.
//!
//! From each of some members of a group the shortest paths to all points are found; its distance to another group is the
//! median of those to some members of that group. A pair of groups has the values of the members of both sides, and the
//! interval of their median. No value where most pairs of members have no path between them, or members are too few.
//!
//! Cost: one search of O(n k log n) for each of some two hundred members in all, ten of each group at most.

use super::distances::Median;
use crate::graph::LengthGraph;
use crate::{Result, Run};

/// The number of searches for all groups together, where there are few groups or many.
const SEARCHES: usize = 200;
/// The most and the fewest searches for one group.
const PER_GROUP: (usize, usize) = (3, 10);
/// The most members of another group to which paths are looked at.
const ENDS: usize = 200;

/// The distances along the graph of all pairs of the groups with these members, in random order; entry a, b of a square
/// table with a before b.
pub(super) fn along(graph: &LengthGraph, drawn: &[Vec<u32>], level: f64, run: &Run) -> Result<Vec<Option<Median>>> {
    let groups = drawn.len();
    let each = (SEARCHES / groups.max(1)).clamp(PER_GROUP.0, PER_GROUP.1);
    let sources: Vec<(usize, u32)> =
        (0..groups).flat_map(|group| drawn[group].iter().take(each).map(move |&row| (group, row))).collect();
    let rows: Vec<u32> = sources.iter().map(|source| source.1).collect();
    let reached = graph.each_source(&rows, "paths between groups", run, |_, lengths| {
        let median = |members: &Vec<u32>| {
            let mut values: Vec<f64> = members.iter().take(ENDS).map(|&row| lengths[row as usize]).collect();
            let middle = values.len() / 2;
            *values.select_nth_unstable_by(middle, f64::total_cmp).1
        };
        drawn.iter().map(median).collect::<Vec<f64>>()
    })?;
    let mut values = vec![Vec::new(); groups * groups];
    for (&(from, _), reached) in sources.iter().zip(&reached) {
        for (to, &length) in reached.iter().enumerate().filter(|&(to, _)| to != from) {
            values[from.min(to) * groups + from.max(to)].push(length);
        }
    }
    let median = |values: &mut Vec<f64>| Median::of(values, level).filter(|median| median.high.is_finite());
    Ok(values.iter_mut().map(median).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Neighborhoods;

    #[test]
    fn lengths_go_around_a_gap_and_not_across_it() {
        // A horseshoe of 40 points with its ends near each other, in four groups of ten, and a piece of ten apart.
        let turn = |i: usize| std::f64::consts::TAU * 0.9 * i as f64 / 40.0;
        let place = |i: usize| if i < 40 { [turn(i).cos(), turn(i).sin()] } else { [9.0 + 0.1 * i as f64, 0.0] };
        let points = crate::Points::from_rows(&(0..50).map(place).collect::<Vec<_>>()).unwrap();
        let neighborhoods = Neighborhoods::nearest(&points, 2, &Run::new()).unwrap();
        let graph = LengthGraph::new(&neighborhoods, |a, b| crate::linalg::distance(points.row(a), points.row(b)));
        let drawn: Vec<Vec<u32>> = (0..5).map(|group| (10 * group..10 * group + 10).collect()).collect();
        let found = along(&graph, &drawn, 0.05, &Run::new()).unwrap();
        let value = |a: usize, b: usize| found[a * 5 + b].map(|median| median.value);
        assert!(value(0, 1) < value(0, 2) && value(0, 2) < value(0, 3));
        assert!((value(0, 3).unwrap() / (3.0 * value(0, 1).unwrap()) - 1.0).abs() < 0.1, "{found:?}");
        assert_eq!((value(0, 4), value(3, 4)), (None, None));
    }
}
