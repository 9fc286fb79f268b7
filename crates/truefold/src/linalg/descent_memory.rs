//! The memory of a descent: recent moves and how the slope changed along them, which bend the next step.
//!
//! With moves s_k = Y_(k+1) - Y_k, changes t_k = g_k - g_(k+1) of the downhill direction g, and M the plain step (M g
//! solves L x = g), the step is the limited-memory quasi-Newton step H g, H = (1 - r s t')H'(1 - r t s') + r s s', r =
//! 1 / s't, over the last pairs, H' = M before them. Nocedal (1980); Nocedal and Wright, Numerical Optimization,
//! section 7.2.
//!
//! L bounds the curvature of the target from above, far above for a slow bend of the whole surface: the frames turn along
//! with it, which the plain step does not take into account. The number of plain steps grows with the square of length
//! over width of the surface; with a memory it grows about linearly. Cost: four passes over n d numbers per stored pair,
//! and their memory.

use super::{add_scaled, dot};
use crate::Result;
use std::collections::VecDeque;

/// The least cosine of s and t for a pair to be kept: below, the target curves downward along s.
const LEAST_COSINE: f64 = 1e-8;

struct Pair {
    moved: Vec<f64>,
    change: Vec<f64>,
    inverse: f64,
}

/// Recent moves.
pub(crate) struct DescentMemory {
    pairs: VecDeque<Pair>,
    /// The most pairs that are kept.
    most: usize,
}

impl DescentMemory {
    /// Keeps up to `most` moves.
    pub(crate) fn new(most: usize) -> Self {
        Self { pairs: VecDeque::with_capacity(most), most }
    }

    /// Whether there are no moves yet.
    pub(crate) fn is_empty(&self) -> bool {
        self.pairs.is_empty()
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        self.pairs.clear();
    }

    /// Remembers a move and the change of the downhill direction along it, unless the target curves downward there.
    pub(crate) fn push(&mut self, moved: Vec<f64>, change: Vec<f64>) {
        let curvature = dot(&moved, &change);
        let lengths = (dot(&moved, &moved) * dot(&change, &change)).sqrt();
        if curvature.is_nan() || curvature <= LEAST_COSINE * lengths {
            return;
        }
        if self.pairs.len() == self.most {
            self.pairs.pop_front();
        }
        self.pairs.push_back(Pair { moved, change, inverse: 1.0 / curvature });
    }

    /// The step at downhill direction `downhill`, where `plain` makes the plain step.
    pub(crate) fn step(&self, downhill: &[f64], plain: impl FnOnce(&[f64]) -> Result<Vec<f64>>) -> Result<Vec<f64>> {
        let mut rest = downhill.to_vec();
        let mut shares = Vec::with_capacity(self.pairs.len());
        for pair in self.pairs.iter().rev() {
            let share = pair.inverse * dot(&pair.moved, &rest);
            add_scaled(&mut rest, -share, &pair.change);
            shares.push(share);
        }
        let mut step = plain(&rest)?;
        for (pair, share) in self.pairs.iter().zip(shares.iter().rev()) {
            let taken = pair.inverse * dot(&pair.change, &step);
            add_scaled(&mut step, share - taken, &pair.moved);
        }
        Ok(step)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// On a quadratic with curvatures 1 and 100, the step after two exact pairs is Newton's.
    #[test]
    fn two_pairs_know_a_plane() {
        let curvature = [1.0, 100.0];
        let mut memory = DescentMemory::new(8);
        for moved in [[1.0, 0.5], [1.0, -0.01]] {
            let change: Vec<f64> = moved.iter().zip(curvature).map(|(s, c)| s * c).collect();
            memory.push(moved.to_vec(), change);
        }
        memory.push(vec![1.0, 0.0], vec![-1.0, 0.0]);
        let step = memory.step(&[3.0, 100.0], |rest| Ok(rest.iter().map(|x| x / 100.0).collect())).unwrap();
        assert_eq!(memory.pairs.len(), 2);
        // The newest pair is fitted exactly: H t = s.
        let newest = memory.step(&[1.0, -1.0], |rest| Ok(rest.to_vec())).unwrap();
        assert!((newest[0] - 1.0).abs() < 1e-12 && (newest[1] + 0.01).abs() < 1e-12, "{newest:?}");
        assert!(step[0] > 2.0, "{step:?}");
    }
}
