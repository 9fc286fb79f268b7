//! The smoothing of the front: points just placed move to the mean of where all neighborhoods around them put them.
//!
//! y_j = mean over the whole neighborhoods X_i that hold j of A_i'(x_j - b_i), (A_i, b_i) the Procrustes motion between
//! X_i and its image: the simple step of Goldberg and Ritov, section 4.4, on the last rings alone. A point is placed by
//! one neighborhood, and two chains of neighborhoods drift apart; on a million points of a Swiss roll they end half a
//! neighborhood apart (R_N 0.5). If the front is smoothed while it is narrow, they stay together (R_N 0.0002).
//! Cost: O(k) a point and ring.

use super::overlap::Overlap;
use crate::graph::Adjacency;
use crate::local::Charts;
use crate::{Result, Run};

/// How often each front is smoothed.
const PASSES: usize = 2;

/// Rings that belong to the front.
pub(super) const RINGS: usize = 3;

/// Neighborhoods per task.
const CHUNK: usize = 512;

/// What is smoothed, and work space.
pub(super) struct Smoothing<'a> {
    charts: &'a Charts<'a>,
    holders: &'a Adjacency,
    dim: usize,
    epoch: u32,
    /// The last front that a neighborhood was part of.
    seen: Vec<u32>,
    /// The last front that a point was part of, and its place there.
    place: Vec<(u32, u32)>,
    centers: Vec<u32>,
    sums: Vec<f64>,
}

impl<'a> Smoothing<'a> {
    pub(super) fn new(charts: &'a Charts<'a>, holders: &'a Adjacency, dim: usize) -> Self {
        let count = charts.neighborhoods().len();
        let (seen, place) = (vec![0; count], vec![(0, 0); count]);
        Self { charts, holders, dim, epoch: 0, seen, place, centers: Vec::new(), sums: Vec::new() }
    }

    /// Moves the points of `front` to where the wholly embedded neighborhoods put them; `counts` says which these are.
    pub(super) fn smooth(&mut self, front: &[u32], counts: &[u32], values: &mut [f64], run: &Run) -> Result<()> {
        let (charts, dim) = (self.charts, self.dim);
        let neighborhoods = charts.neighborhoods();
        self.epoch += 1;
        self.centers.clear();
        for (place, &row) in front.iter().enumerate() {
            self.place[row as usize] = (self.epoch, place as u32);
            for &center in self.holders.of(row as usize) {
                let at = center as usize;
                if self.seen[at] != self.epoch && counts[at] as usize == neighborhoods.members(at).len() {
                    self.seen[at] = self.epoch;
                    self.centers.push(center);
                }
            }
        }
        for _ in 0..PASSES {
            let images = run.chunks("smoothing", self.centers.len(), CHUNK, |range| {
                let mut overlap = Overlap::default();
                let mut images = Vec::new();
                for &center in &self.centers[range] {
                    overlap.load(charts, center as usize, dim, true)?;
                    overlap.carry_whole(neighborhoods.members(center as usize), values, dim, &mut images);
                }
                Ok(images)
            })?;
            self.sums.clear();
            self.sums.resize(front.len() * (dim + 1), 0.0);
            let members = self.centers.iter().flat_map(|&center| neighborhoods.members(center as usize));
            for (&member, image) in members.zip(images.iter().flat_map(|part| part.chunks_exact(dim))) {
                let (epoch, place) = self.place[member as usize];
                if epoch == self.epoch {
                    let sums = &mut self.sums[place as usize * (dim + 1)..][..dim + 1];
                    sums.iter_mut().zip(image).for_each(|(sum, image)| *sum += image);
                    sums[dim] += 1.0;
                }
            }
            for (&row, sums) in front.iter().zip(self.sums.chunks_exact(dim + 1)) {
                if sums[dim] > 0.0 {
                    let place = &mut values[row as usize * dim..][..dim];
                    place.iter_mut().zip(sums).for_each(|(value, sum)| *value = sum / sums[dim]);
                }
            }
        }
        Ok(())
    }
}
