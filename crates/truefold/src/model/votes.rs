//! A place by vote: where the images of the nearest fitted points lie close together.
//!
//! L(y) = sum_j v_j log(1 + 4 |y - y_j|^2 / s_j^2) over the nearest fitted points, y_j their images, s_j the spread of
//! x_j: the median distance in the map between its image and those of its neighbors. The votes v_j sum to one and are
//! proportional to (R - r_j) / (R r_j), r_j the distance to x_j and R that to the next nearest point. L is the negative
//! logarithm of a likelihood with heavy tails (Cauchy's), so that images in another part of a torn map cost little more
//! the farther they are, and do not draw the place towards them. It begins at the image that has the least L, which is
//! in the group that has the most votes, and goes down by reweighted means, each of which lowers L. exp(-L) is the
//! support of the place: 1 where all images coincide with it. Cost: O(K^2 d) for K votes.

use crate::linalg::{add_scaled, squared_distance};
use crate::{Neighborhoods, Points};

/// The most votes for one place.
const MOST: usize = 24;
/// Means that are taken.
const STEPS: usize = 5;
/// A vote reaches this share of the spread of its point.
const REACH: f64 = 0.5;

/// How far from each image those of its neighbors lie, and how many points vote.
#[derive(Debug, Clone)]
pub(super) struct Spreads {
    of: Vec<f64>,
    /// The number of points that vote: the median number of neighbors, at most [`MOST`].
    pub(super) votes: usize,
}

impl Spreads {
    pub(super) fn new(embedding: &Points, neighborhoods: &Neighborhoods) -> Self {
        let mut distances = Vec::new();
        let mut of: Vec<f64> = (0..embedding.len())
            .map(|row| {
                distances.clear();
                let others = neighborhoods.neighbors(row).iter();
                distances.extend(others.map(|&other| embedding.squared_distance(row, other as usize)));
                middle(&mut distances).map_or(0.0, f64::sqrt)
            })
            .collect();
        // Where images coincide, the usual spread is the unit.
        let mut known: Vec<f64> = of.iter().copied().filter(|spread| *spread > 0.0).collect();
        let usual = middle(&mut known).unwrap_or(1.0);
        of.iter_mut().filter(|spread| **spread <= 0.0).for_each(|spread| *spread = usual);
        let mut sizes: Vec<f64> = (0..of.len()).map(|row| neighborhoods.neighbors(row).len() as f64).collect();
        let votes = middle(&mut sizes).map_or(1, |size| size as usize).clamp(1, MOST);
        Self { of, votes }
    }

    /// The spread of a fitted point.
    pub(super) fn get(&self, row: usize) -> f64 {
        self.of[row]
    }
}

/// The median, the lower one of two.
fn middle(values: &mut [f64]) -> Option<f64> {
    let at = values.len().checked_sub(1)? / 2;
    Some(*values.select_nth_unstable_by(at, f64::total_cmp).1)
}

/// Work space of a vote.
#[derive(Default)]
pub(super) struct Ballot {
    /// For each voter its row, its share of the votes and its reach in the map, squared.
    pub(super) voters: Vec<(usize, f64, f64)>,
    mean: Vec<f64>,
    /// The elected place.
    pub(super) image: Vec<f64>,
}

impl Ballot {
    /// Elects the place by the voters of these rows with these weights; its support.
    pub(super) fn elect(
        &mut self,
        embedding: &Points,
        spreads: &Spreads,
        votes: impl Iterator<Item = (usize, f64)>,
    ) -> f64 {
        self.voters.clear();
        self.voters.extend(votes.map(|(row, weight)| (row, weight, (REACH * spreads.get(row)).powi(2))));
        let total: f64 = self.voters.iter().map(|voter| voter.1).sum();
        self.voters.iter_mut().for_each(|voter| voter.1 /= total);
        let mut least = f64::INFINITY;
        for &(row, _, _) in &self.voters {
            let loss = self.loss(embedding, embedding.row(row));
            if loss < least {
                least = loss;
                self.image.clear();
                self.image.extend_from_slice(embedding.row(row));
            }
        }
        for _ in 0..STEPS {
            self.mean.clear();
            self.mean.resize(embedding.dim(), 0.0);
            let mut sum = 0.0;
            for &(row, share, reach) in &self.voters {
                let image = embedding.row(row);
                let pull = share / (reach + squared_distance(&self.image, image));
                sum += pull;
                add_scaled(&mut self.mean, pull, image);
            }
            self.image.clear();
            self.image.extend(self.mean.iter().map(|value| value / sum));
        }
        (-self.loss(embedding, &self.image)).exp()
    }

    /// L at `place`.
    fn loss(&self, embedding: &Points, place: &[f64]) -> f64 {
        let of = |&(row, share, reach): &(usize, f64, f64)| {
            share * (squared_distance(place, embedding.row(row)) / reach).ln_1p()
        };
        self.voters.iter().map(of).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Run;

    fn line(places: &[f64]) -> Points {
        Points::new(places.len(), 1, places.to_vec()).unwrap()
    }

    #[test]
    fn spreads_are_medians_and_voters_are_neighbors() {
        let x = line(&[0.0, 1.0, 2.0, 3.0, 10.0]);
        let lists = Neighborhoods::nearest(&x, 3, &Run::new()).unwrap();
        let spreads = Spreads::new(&line(&[0.0, 2.0, 4.0, 6.0, 20.0]), &lists);
        // The neighbors of the first point are 1, 2, 3, at 2, 4 and 6 in the map.
        assert_eq!((spreads.get(0), spreads.votes), (4.0, 3));
        let flat = Spreads::new(&line(&[7.0; 5]), &lists);
        assert_eq!(flat.get(2), 1.0, "images that coincide have a unit all the same");
    }

    #[test]
    fn the_group_with_the_most_votes_is_elected_and_the_others_do_not_draw() {
        let images = line(&[0.0, 0.1, 0.2, 1000.0, 1000.1]);
        let lists = Neighborhoods::nearest(&images, 2, &Run::new()).unwrap();
        let spreads = Spreads::new(&images, &lists);
        let mut ballot = Ballot::default();
        let support = ballot.elect(&images, &spreads, (0..5).map(|row| (row, 1.0)));
        assert!((0.0..0.2).contains(&ballot.image[0]), "{:?}", ballot.image);
        let alone = ballot.elect(&images, &spreads, (0..3).map(|row| (row, 1.0)));
        // Spreads are 0.1, so reaches 0.05: by symmetry the middle one is elected, and two terms are log(1 + 4).
        assert!((alone - 5.0_f64.powf(-2.0 / 3.0)).abs() < 1e-12, "{alone}");
        assert!(support < alone / 100.0, "{support} {alone}");
        // With more weight on the other two they win.
        ballot.elect(&images, &spreads, (0..5).map(|row| (row, if row < 3 { 1.0 } else { 2.0 })));
        assert!(ballot.image[0] > 999.0, "{:?}", ballot.image);
    }

    #[test]
    fn means_go_down_and_one_voter_keeps_its_place() {
        let images = line(&[0.0, 1.0, 3.0, 4.5]);
        let lists = Neighborhoods::nearest(&images, 3, &Run::new()).unwrap();
        let spreads = Spreads::new(&images, &lists);
        let mut ballot = Ballot::default();
        let support = ballot.elect(&images, &spreads, (0..4).map(|row| (row, 1.0)));
        let starts = (0..4).map(|row| ballot.loss(&images, images.row(row))).fold(f64::INFINITY, f64::min);
        assert!(ballot.loss(&images, &ballot.image) < starts);
        assert!((support + 0.0 - (-ballot.loss(&images, &ballot.image)).exp()).abs() < 1e-15);
        let sure = ballot.elect(&images, &spreads, (0..4).map(|row| (row, f64::from(u8::from(row == 2)))));
        assert_eq!((ballot.image[0], sure), (3.0, 1.0));
    }
}
