//! The plane of d principal axes through weighted points, how clearly it stands out, and the plane that several agree
//! on.
//!
//! The axes are eigenvectors of the q x q weighted scatter matrix, or come from the Gram matrix of the points where
//! there are fewer points than coordinates. The agreed plane has the first d eigenvectors of sum_j w_j P_j P_j', by
//! subspace iteration from the frame P_j of the weightiest voter; the matrix is never formed.

use super::kernel::Kernel;
use crate::linalg::{Polar, add_scaled, complete, dot, square};
use crate::local::{Patch, PrincipalAxes, gather_about};

/// Planes that stand out more than this count the same: larger values are noise of the estimate.
const CLEAREST: f64 = 10.0;
/// The clarity of a plane that does not stand out at all.
const LEAST_CLEAR: f64 = 1e-3;
/// Steps of the subspace iteration; eigenvalues of what neighbors agree on are far apart.
const STEPS: usize = 3;

/// Finds planes one after the other.
#[derive(Debug, Default)]
pub(super) struct Planes {
    scaled: Vec<f64>,
    axes: PrincipalAxes,
    polar: Polar,
    carried: Vec<f64>,
    /// The frame found last: d columns of q numbers.
    pub(super) frame: Vec<f64>,
}

impl Planes {
    /// The principal plane of the rows of `source` that have votes, about their `mean`; returns its clarity.
    ///
    /// That is (l / l' - 1)^2 with l the variance along its last axis and l' along the first axis off it, between limits.
    pub(super) fn principal(&mut self, kernel: &Kernel, source: &[f64], mean: &[f64], dim: usize) -> f64 {
        let (columns, rows) = (mean.len(), kernel.votes.len());
        let voters = kernel.votes.iter().map(|&(row, weight)| {
            let row = &source[row as usize * columns..][..columns];
            (row, weight.sqrt())
        });
        gather_about(&mut self.scaled, mean, voters);
        let patch = Patch::by_member(&self.scaled, columns);
        self.axes.find(patch);
        let values = self.axes.values();
        let floor = values.first().map_or(0.0, |first| first * f64::EPSILON * 4.0 * rows as f64);
        self.frame.clear();
        for rank in 0..values.iter().take(dim).take_while(|&&value| value > floor).count() {
            self.axes.append_axis(patch, rank, &mut self.frame);
        }
        self.frame.resize(columns * dim, 0.0);
        complete(&mut self.frame, columns);
        let axis = |rank: usize| values.get(rank).copied().unwrap_or(0.0).max(floor);
        if axis(dim - 1) <= floor {
            return LEAST_CLEAR * LEAST_CLEAR;
        }
        let clarity = (axis(dim - 1) / axis(dim) - 1.0).clamp(LEAST_CLEAR, CLEAREST);
        clarity * clarity
    }

    /// The plane that the voters of `kernel` agree on, by their `frames`.
    pub(super) fn agreed(&mut self, kernel: &Kernel, frames: &[f64], columns: usize, dim: usize) {
        let cells = columns * dim;
        let heaviest = kernel.votes.iter().fold((0, -1.0), |best, &vote| if vote.1 > best.1 { vote } else { best }).0;
        self.frame.clear();
        self.frame.extend_from_slice(&frames[heaviest as usize * cells..][..cells]);
        for _ in 0..STEPS {
            self.carried.clear();
            self.carried.resize(cells, 0.0);
            for &(voter, weight) in &kernel.votes {
                let voter = &frames[voter as usize * cells..][..cells];
                for (to, from) in self.carried.chunks_exact_mut(columns).zip(self.frame.chunks_exact(columns)) {
                    for axis in voter.chunks_exact(columns) {
                        add_scaled(to, weight * dot(axis, from), axis);
                    }
                }
            }
            self.polar.decompose(&self.carried, columns, dim);
            self.frame.copy_from_slice(self.polar.factor());
        }
    }

    /// Moves `place` to `mean` as far as that is off the plane found last.
    pub(super) fn carry(&self, place: &mut [f64], mean: &[f64]) {
        let columns = place.len();
        let mut step: Vec<f64> = mean.iter().zip(place.iter()).map(|(mean, value)| mean - value).collect();
        for axis in self.frame.chunks_exact(columns) {
            let along = dot(axis, &step);
            add_scaled(&mut step, -along, axis);
        }
        debug_assert!(square(&step).is_finite());
        place.iter_mut().zip(&step).for_each(|(value, step)| *value += step);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows below `count`, all of one weight.
    fn voters(count: u32) -> Kernel {
        let mut kernel = Kernel::default();
        kernel.weigh(&[0.0], &vec![0.0; count as usize], &(0..count).collect::<Vec<_>>(), 1.0, |_| true);
        kernel
    }

    #[test]
    fn scatter_and_gram_find_the_same_plane() {
        let flat: Vec<f64> =
            (0..8).flat_map(|at| [f64::from(at), f64::from(at * at % 5), 0.1 * f64::from(at % 2)]).collect();
        let wide: Vec<f64> = flat.chunks(3).flat_map(|row| [row, &[0.0; 17]].concat()).collect();
        let (mut narrow, mut broad) = (Planes::default(), Planes::default());
        let mean = |source: &[f64], columns: usize| {
            let mut mean = vec![0.0; columns];
            voters(8).mean(source, &mut mean);
            mean
        };
        let one = narrow.principal(&voters(8), &flat, &mean(&flat, 3), 2);
        let other = broad.principal(&voters(8), &wide, &mean(&wide, 20), 2);
        assert!((one - other).abs() < 1e-9 * one, "{one} {other}");
        for axis in 0..2 {
            let both = dot(&narrow.frame[axis * 3..][..3], &broad.frame[axis * 20..][..3]);
            assert!((both.abs() - 1.0).abs() < 1e-9, "{both}");
        }
    }

    #[test]
    fn the_many_outvote_the_clear_few() {
        // Nine planes across the third axis, slightly tilted, and one that holds it and weighs most.
        let mut frames = Vec::new();
        for at in 0..9 {
            let tilt = 0.02 * f64::from(at);
            frames.extend([tilt.cos(), 0.0, tilt.sin(), 0.0, 1.0, 0.0]);
        }
        frames.extend([0.0, 0.0, 1.0, 0.0, 1.0, 0.0]);
        let mut kernel = voters(10);
        kernel.scale(|row| if row == 9 { 1.5 } else { 1.0 });
        let mut planes = Planes::default();
        planes.agreed(&kernel, &frames, 3, 2);
        let off = planes.frame[2].hypot(planes.frame[5]);
        assert!(off < 0.25, "{off}");
        let mut place = [1.0, 2.0, 3.0];
        planes.carry(&mut place, &[7.0, 7.0, 0.0]);
        assert!(
            (place[2] - 0.0).abs() < 1.0 && (place[0] - 1.0).abs() < 1.0 && (place[1] - 2.0).abs() < 1e-9,
            "{place:?}"
        );
    }
}
