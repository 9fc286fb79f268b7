//! Straightening: a point at a seam moves to the side where more of its neighbors are.
//!
//! Seams begin where the branches of a tree meet, which is a ragged line. Each neighborhood that holds a point predicts
//! a place for it; the point moves to the place on which most of them agree, so that the number of torn pairs only
//! falls. Cost: O(k^2 q d) for each point at a seam and each pass.

use super::mismatch::Placement;
use super::seams::Seams;
use super::surface::Surface;
use crate::frames::Tangents;
use crate::graph::Adjacency;
use crate::linalg::distance;
use crate::{Result, Run};

/// The largest number of passes over the seams.
const PASSES: usize = 10;
/// Points of one task.
const TASK: usize = 64;

/// Moves points of `y` across `seams`; whether any was moved. Predictions agree within `tolerated` radii.
pub(super) fn straighten(
    surface: &Surface<'_>,
    tangents: &Tangents,
    tolerated: f64,
    seams: &mut Seams,
    y: &mut [f64],
    run: &Run,
) -> Result<bool> {
    let straightening =
        Straightening { surface, tangents, tolerated, holders: Adjacency::holders(surface.neighborhoods) };
    // Most points stay: these are found in parallel first, and looked at again only where something around them has moved.
    let stay = run.chunks("straighten", surface.neighborhoods.len(), TASK, |range| {
        let mut placement = straightening.placement();
        Ok(range
            .map(|point| {
                straightening.is_at_a_seam(point, seams)
                    && straightening.move_of(point, (seams, y), &mut placement).is_none()
            })
            .collect::<Vec<bool>>())
    })?;
    straightening.passes(stay.concat(), seams, y, run)
}

struct Straightening<'a> {
    surface: &'a Surface<'a>,
    tangents: &'a Tangents,
    tolerated: f64,
    holders: Adjacency,
}

/// A place for a point, and for each neighborhood that votes its center and whether it agrees.
struct Move {
    place: Vec<f64>,
    sides: Vec<(u32, bool)>,
}

impl Straightening<'_> {
    /// Moves points, one after the other, but for those that are `settled`; whether any was moved.
    fn passes(&self, mut settled: Vec<bool>, seams: &mut Seams, y: &mut [f64], run: &Run) -> Result<bool> {
        let (whole, mut moved, mut placement) = (self.surface.neighborhoods, false, self.placement());
        for _ in 0..PASSES {
            let mut again = false;
            for point in 0..whole.len() {
                if !self.is_at_a_seam(point, seams) || std::mem::replace(&mut settled[point], true) {
                    continue;
                }
                let Some(there) = self.move_of(point, (seams, y), &mut placement) else { continue };
                self.carry_out(point, there, seams, y);
                again = true;
                // Every vote is cast by a neighborhood, and those that hold the point are now placed elsewhere.
                for &center in self.holders.of(point) {
                    whole.members(center as usize).iter().for_each(|&member| settled[member as usize] = false);
                }
            }
            run.check()?;
            moved |= again;
            if !again {
                break;
            }
        }
        Ok(moved)
    }

    fn placement(&self) -> Placement {
        Placement::new(self.surface.points.dim(), self.tangents.dim(), self.tangents.cells())
    }

    fn is_at_a_seam(&self, point: usize, seams: &Seams) -> bool {
        seams.kept[self.surface.neighborhoods.places(point)].iter().any(|kept| !kept)
    }

    /// Where more neighborhoods predict a point than predict it where it is, if there is such a place.
    fn move_of(&self, point: usize, (seams, y): (&Seams, &[f64]), placement: &mut Placement) -> Option<Move> {
        let dim = self.tangents.dim();
        let votes = self.votes(point, (seams, y), placement);
        let radius = self.tolerated * self.surface.radii[point];
        let agree = |a: &[f64], b: &[f64]| distance(a, b) <= radius;
        let count = |place: &[f64]| votes.iter().filter(|(_, vote)| agree(vote, place)).count();
        let here = count(&y[point * dim..][..dim]);
        let best = votes.iter().map(|(_, vote)| (count(vote), vote)).fold(
            (here, None),
            |best: (usize, Option<&Vec<f64>>), (votes, vote)| if votes > best.0 { (votes, Some(vote)) } else { best },
        );
        let there = best.1?;
        let sides: Vec<(u32, bool)> = votes.iter().map(|(center, vote)| (*center, agree(vote, there))).collect();
        let mut place = vec![0.0; dim];
        for ((_, vote), _) in votes.iter().zip(&sides).filter(|(_, (_, side))| *side) {
            place.iter_mut().zip(vote).for_each(|(mean, value)| *mean += value / best.0 as f64);
        }
        Some(Move { place, sides })
    }

    /// Moves a point, and keeps and tears its pairs accordingly.
    fn carry_out(&self, point: usize, Move { place, sides }: Move, seams: &mut Seams, y: &mut [f64]) {
        let (whole, radii, dim) = (self.surface.neighborhoods, &self.surface.radii, self.tangents.dim());
        y[point * dim..][..dim].copy_from_slice(&place);
        for (center, side) in sides {
            seams.set(whole, point as u32, center, side);
        }
        // A neighbor whose neighborhood does not hold the point has no vote: it is kept where it is now near.
        for &member in whole.neighbors(point) {
            if !whole.members(member as usize).contains(&(point as u32)) {
                let (to, from) = (&y[member as usize * dim..][..dim], &y[point * dim..][..dim]);
                let side = distance(to, from) <= 2.0 * radii[point].max(radii[member as usize]);
                seams.set(whole, point as u32, member, side);
            }
        }
    }

    /// Where each of the other neighborhoods that hold the point puts it.
    fn votes(&self, point: usize, (seams, y): (&Seams, &[f64]), placement: &mut Placement) -> Vec<(u32, Vec<f64>)> {
        let (points, whole) = (self.surface.points, self.surface.neighborhoods);
        let (mut votes, mut room) = (Vec::new(), Vec::new());
        for &center in self.holders.of(point).iter().filter(|&&center| center as usize != point) {
            let members = whole.members(center as usize);
            let kept = &seams.kept[whole.places(center as usize)];
            // Placed without the point itself, or each neighborhood would vote for where the point is now.
            let others: Vec<bool> =
                kept.iter().zip(members).map(|(kept, &member)| *kept && member as usize != point).collect();
            placement.place(points, members, &others, y, |frame| self.tangents.copy(center as usize, frame));
            let mut place = vec![0.0; self.tangents.dim()];
            placement.image(points.row_in(point, &mut room), &mut place);
            votes.push((center, place));
        }
        votes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Neighborhoods, Points};

    #[test]
    fn no_point_is_left_that_would_move() {
        // A plane that is torn along a ragged line, its right half moved away by ten steps.
        let count = 1200_u32;
        let at = |row: u32| (f64::from(row % 40) + 0.3 * f64::from(row * row % 7) / 7.0, f64::from(row / 40));
        let rows: Vec<[f64; 3]> = (0..count).map(|row| [at(row).0, at(row).1, 0.0]).collect();
        let (points, run) = (Points::from_rows(&rows).unwrap(), Run::new());
        let whole = Neighborhoods::nearest(&points, 8, &run).unwrap();
        let is_right = |row: u32| row % 40 >= 20 + (row / 40) * (row / 40) % 5;
        let mut y: Vec<f64> =
            (0..count).flat_map(|row| [at(row).0 + if is_right(row) { 10.0 } else { 0.0 }, at(row).1]).collect();
        let mut seams = Seams::none(&whole);
        for a in 0..count {
            for &b in whole.neighbors(a as usize) {
                if is_right(a) != is_right(b) {
                    seams.set(&whole, a, b, false);
                }
            }
        }
        let tangents = Tangents::new(&points, &whole, 2, &run).unwrap();
        let surface = Surface::new(&points, &whole, &run).unwrap();
        let before = seams.torn();
        // Points that stay at first are settled, and nothing else changes.
        let holders = Adjacency::holders(&whole);
        let each = Straightening { surface: &surface, tangents: &tangents, tolerated: 0.5, holders };
        let (mut slowly, mut places) = (seams.clone(), y.clone());
        assert!(each.passes(vec![false; whole.len()], &mut slowly, &mut places, &run).unwrap());
        assert!(straighten(&surface, &tangents, 0.5, &mut seams, &mut y, &run).unwrap());
        assert!(seams.torn() < before, "{} {before}", seams.torn());
        assert!(seams == slowly && y == places);
        // Those that were passed over because nothing around them had changed, too.
        assert!(!straighten(&surface, &tangents, 0.5, &mut seams, &mut y, &run).unwrap());
    }
}
