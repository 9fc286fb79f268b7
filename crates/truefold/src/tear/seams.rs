//! Seams: which memberships of the neighborhoods are kept and which are torn.
//!
//! A pair of neighbors is torn in both directions if either membership is off by more than the tolerated value; where
//! the graph would become disconnected, the pairs that fit best are kept. Cost: O(n k^2) and a sort of the torn pairs.

use crate::Neighborhoods;
use crate::neighbors::DisjointSets;

/// A flag for each membership, in the order of the neighborhoods' lists, centers included.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Seams {
    pub(crate) kept: Vec<bool>,
}

impl Seams {
    /// Nothing is torn.
    pub(crate) fn none(whole: &Neighborhoods) -> Self {
        Self { kept: vec![true; whole.memberships()] }
    }

    /// Tears the pairs that are `off` by more than `tolerated`, in units of the local radius.
    pub(crate) fn new(whole: &Neighborhoods, off: &[f64], tolerated: f64) -> Self {
        let mut pairs = Vec::new();
        for center in 0..whole.len() {
            for (place, &member) in whole.places(center).zip(whole.members(center)).skip(1) {
                if off[place] > tolerated {
                    let (a, b) = (member.min(center as u32), member.max(center as u32));
                    pairs.push((off[place], a, b));
                }
            }
        }
        let mut seams = Self::none(whole);
        let mut pieces = DisjointSets::new(whole.len());
        for &(_, a, b) in &pairs {
            seams.set(whole, a, b, false);
        }
        for center in 0..whole.len() {
            for (place, &member) in whole.places(center).zip(whole.members(center)).skip(1) {
                if seams.kept[place] {
                    pieces.join(center as u32, member);
                }
            }
        }
        pairs.sort_unstable_by(|one, other| one.0.total_cmp(&other.0).then((one.1, one.2).cmp(&(other.1, other.2))));
        for (_, a, b) in pairs {
            if pieces.join(a, b) {
                seams.set(whole, a, b, true);
            }
        }
        seams
    }

    /// Keeps or tears a pair.
    pub(crate) fn set(&mut self, whole: &Neighborhoods, a: u32, b: u32, kept: bool) {
        for (center, member) in [(a, b), (b, a)] {
            let mut places = whole.places(center as usize).zip(whole.members(center as usize));
            if let Some((place, _)) = places.find(|(_, row)| **row == member) {
                self.kept[place] = kept;
            }
        }
    }

    /// The number of memberships that are torn.
    pub(crate) fn torn(&self) -> usize {
        self.kept.iter().filter(|kept| !**kept).count()
    }

    /// The share of the memberships, centers not counted, that are torn.
    pub(crate) fn share(&self, whole: &Neighborhoods) -> f64 {
        self.torn() as f64 / (whole.memberships() - whole.len()).max(1) as f64
    }

    /// The neighborhoods without what is torn.
    pub(crate) fn rest(&self, whole: &Neighborhoods) -> Neighborhoods {
        whole.filtered(|place, _, _| self.kept[place])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A ring of six points.
    fn ring() -> Neighborhoods {
        let lists: Vec<Vec<i64>> = (0..6).map(|at| vec![(at + 1) % 6, (at + 5) % 6]).collect();
        Neighborhoods::from_lists(&lists).unwrap()
    }

    #[test]
    fn a_pair_is_torn_in_both_directions() {
        let ring = ring();
        let mut off = vec![0.1; ring.memberships()];
        // The second neighbor of point 0 is point 5.
        off[2] = 2.0;
        let seams = Seams::new(&ring, &off, 0.5);
        assert_eq!(seams.torn(), 2);
        assert_eq!(seams.share(&ring), 2.0 / 12.0);
        let rest = seams.rest(&ring);
        assert_eq!((rest.members(0), rest.members(5)), (&[0, 1][..], &[5, 4][..]));
        assert_eq!(Seams::new(&ring, &off, 3.0), Seams::none(&ring));
    }

    #[test]
    fn the_best_of_the_torn_pairs_hold_the_graph_together() {
        let ring = ring();
        let off: Vec<f64> = (0..6).flat_map(|at| [0.0, 1.0 + f64::from(at), 1.0 + f64::from((at + 5) % 6)]).collect();
        let rest = Seams::new(&ring, &off, 0.5).rest(&ring);
        assert_eq!(rest.components().count(), 1);
        // All but the worst, between 5 and 0.
        assert_eq!((rest.members(0), rest.members(5)), (&[0, 1][..], &[5, 4][..]));
    }
}
