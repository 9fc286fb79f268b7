//! Straightening: a point at a seam goes to the side that more of its neighbors are on.
//!
//! Seams begin where the branches of a tree meet, which is a ragged line. Every pair of a point says where the point
//! would be; the place on which most agree is taken, so that the number of torn pairs only falls. Cost: O(k^2 q d) for
//! each point at a seam and each pass.

use super::mismatch::Layer;
use super::seams::Seams;
use crate::frames::Tangents;
use crate::graph::Adjacency;
use crate::linalg::distance;
use crate::{Neighborhoods, Points};

/// The most passes over the seams.
const PASSES: usize = 10;

/// Moves points of `y` across `seams`; whether any was moved.
pub(crate) fn straighten(
    points: &Points,
    whole: &Neighborhoods,
    tangents: &Tangents,
    (radii, tolerated): (&[f64], f64),
    seams: &mut Seams,
    y: &mut [f64],
) -> bool {
    let (dim, holders) = (tangents.dim(), Adjacency::holders(whole));
    let mut layer = Layer::new(points.dim(), dim, tangents.cells());
    let mut moved = false;
    for _ in 0..PASSES {
        let mut again = false;
        for point in 0..whole.len() {
            if seams.kept[whole.places(point)].iter().all(|kept| *kept) {
                continue;
            }
            // Those that hold the point say where it would be: one vote each.
            let voters = holders.of(point).iter().filter(|&&center| center as usize != point);
            let mut votes = Vec::new();
            for &center in voters {
                let members = whole.members(center as usize);
                let kept = &seams.kept[whole.places(center as usize)];
                // Without its own vote, or a neighborhood would stand by where the point is now.
                let others: Vec<bool> =
                    kept.iter().zip(members).map(|(kept, &member)| *kept && member as usize != point).collect();
                layer.lay(points, members, &others, y, |frame| tangents.copy(center as usize, frame));
                let mut place = vec![0.0; dim];
                layer.put(points.row(point), &mut place);
                votes.push((center, place));
            }
            let agree = |a: &[f64], b: &[f64]| distance(a, b) <= tolerated * radii[point];
            let count = |place: &[f64]| votes.iter().filter(|(_, vote)| agree(vote, place)).count();
            let here = count(&y[point * dim..][..dim]);
            let best = votes.iter().map(|(_, vote)| (count(vote), vote)).fold(
                (here, None),
                |best: (usize, Option<&Vec<f64>>), (votes, vote)| {
                    if votes > best.0 { (votes, Some(vote)) } else { best }
                },
            );
            let Some(there) = best.1 else { continue };
            let side: Vec<bool> = votes.iter().map(|(_, vote)| agree(vote, there)).collect();
            let mut mean = vec![0.0; dim];
            for ((_, vote), _) in votes.iter().zip(&side).filter(|(_, side)| **side) {
                mean.iter_mut().zip(vote).for_each(|(mean, value)| *mean += value / best.0 as f64);
            }
            y[point * dim..][..dim].copy_from_slice(&mean);
            for (&(center, _), side) in votes.iter().zip(side) {
                seams.set(whole, point as u32, center, side);
            }
            // A neighbor that does not hold the point is on the side where it is now near.
            for &member in whole.neighbors(point) {
                if !whole.members(member as usize).contains(&(point as u32)) {
                    let (to, from) = (&y[member as usize * dim..][..dim], &y[point * dim..][..dim]);
                    let side = distance(to, from) <= 2.0 * radii[point].max(radii[member as usize]);
                    seams.set(whole, point as u32, member, side);
                }
            }
            again = true;
        }
        moved |= again;
        if !again {
            break;
        }
    }
    moved
}
