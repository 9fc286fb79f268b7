//! Orders of points in which near points are near in memory: every pass over neighbors gathers their rows, and a row that
//! is already in the cache costs nothing. An order changes results by rounding alone.
//!
//! Along space, where there are coordinates: a Z-shaped curve through the three widest ones, O(n log n). Along the graph,
//! where there are only lists: breadth first, O(sum of their sizes). A neighbor search that sorts the points into a tree
//! leaves the order of its leaves with the lists it returns ([`Neighborhoods`](crate::Neighborhoods)).

use super::adjacency::Adjacency;
use super::breadth_first::breadth_first;
use crate::Points;
use crate::points::{Element, with_rows};
use rayon::prelude::*;

const BITS: u32 = 21;

/// The rows of `points` in the order of the curve.
pub(crate) fn spatial_order(points: &Points) -> Vec<u32> {
    let dim = points.dim();
    let mut low = vec![0.0; dim];
    points.read_row(0, &mut low);
    let mut high = low.clone();
    points.each_row(|_, row| {
        for (axis, &value) in row.iter().enumerate() {
            low[axis] = low[axis].min(value);
            high[axis] = high[axis].max(value);
        }
    });
    let mut axes: Vec<usize> = (0..dim).collect();
    axes.sort_by(|&a, &b| (high[b] - low[b]).total_cmp(&(high[a] - low[a])));
    axes.truncate(3);
    // One cell size for all axes, so that cells are cubes.
    let width = (high[axes[0]] - low[axes[0]]).max(f64::MIN_POSITIVE);
    let cells = f64::from(1_u32 << BITS) * (1.0 - f64::EPSILON);
    let mut keyed: Vec<(u64, u32)> = Vec::with_capacity(points.len());
    with_rows!(points.table(), rows => {
        keyed.extend(rows.iter().zip(0..).map(|(values, row)| {
            let cell = |axis: usize| ((values[axis].wide() - low[axis]) / width * cells) as u64;
            (axes.iter().fold(0, |code, &axis| code << 1 | spread(cell(axis))), row)
        }));
    });
    keyed.par_sort_unstable();
    keyed.into_iter().map(|(_, row)| row).collect()
}

/// The points in breadth-first order along memberships in either direction, component by component, and the place of
/// each.
pub(crate) fn breadth_first_order(members: &Adjacency, holders: &Adjacency) -> (Vec<u32>, Vec<u32>) {
    let count = members.len();
    let mut order: Vec<u32> = Vec::with_capacity(count);
    let mut place = vec![u32::MAX; count];
    for root in 0..count {
        if place[root] != u32::MAX {
            continue;
        }
        let first = order.len();
        place[root] = first as u32;
        order.push(root as u32);
        breadth_first(&mut order, first, usize::MAX, |point, order| {
            for &other in members.of(point as usize).iter().chain(holders.of(point as usize)) {
                if place[other as usize] == u32::MAX {
                    place[other as usize] = order.len() as u32;
                    order.push(other);
                }
            }
        });
    }
    (order, place)
}

/// Moves the lowest 21 bits apart so that two zeros are between any two.
fn spread(bits: u64) -> u64 {
    let mut bits = bits & 0x1f_ffff;
    for (shift, mask) in [
        (32, 0x001f_0000_0000_ffff),
        (16, 0x001f_0000_ff00_00ff),
        (8, 0x100f_00f0_0f00_f00f),
        (4, 0x10c3_0c30_c30c_30c3),
        (2, 0x1249_2492_4924_9249),
    ] {
        bits = (bits | bits << shift) & mask;
    }
    bits
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_move_apart() {
        assert_eq!(spread(0b1011), 0b1_000_001_001);
        assert_eq!(spread(0x1f_ffff).count_ones(), 21);
    }

    #[test]
    fn the_order_holds_every_row_and_shortens_the_way() {
        let points = Points::new(2000, 2, (0..4000).map(|at| (at as f64 * 12.9898).sin() * 43758.5453 % 1.0).collect());
        let points = points.unwrap();
        let order = spatial_order(&points);
        let mut sorted = order.clone();
        sorted.sort_unstable();
        assert!(sorted.iter().copied().eq(0..2000));
        let way = |order: &mut dyn Iterator<Item = u32>| {
            let rows: Vec<&[f64]> = order.map(|row| points.row(row as usize)).collect();
            rows.windows(2).map(|pair| (pair[0][0] - pair[1][0]).hypot(pair[0][1] - pair[1][1])).sum::<f64>()
        };
        assert!(way(&mut order.iter().copied()) < 0.1 * way(&mut (0..2000)));
    }
}
