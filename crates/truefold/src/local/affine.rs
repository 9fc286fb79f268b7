//! An orthonormal basis of the functions on a neighborhood that are affine in its first d principal coordinates.
//!
//! [1/sqrt(m), u_1, ..., u_d] with u_a the a-th left singular vector of the centered m x q matrix of its members.
//! Where the members span fewer than d directions the basis is shorter. Cost: that of the chart.

use super::chart::Chart;
use crate::Result;
use crate::data::Input;
use crate::linalg::{add_scaled, dot, square};

/// A direction shorter than this share of the longest is rounding.
const NEGLIGIBLE: f64 = 1e-10;

/// The basis of one neighborhood and the work space to make the next.
#[derive(Debug, Default)]
pub(crate) struct AffineBasis {
    chart: Chart,
    columns: Vec<f64>,
    size: usize,
}

impl AffineBasis {
    /// Makes the basis of `members` and returns the number of directions found, at most `dim`.
    pub(crate) fn fill(&mut self, input: &Input<'_>, members: &[u32], dim: usize) -> Result<usize> {
        self.size = members.len();
        self.chart.fill(input, members)?;
        self.columns.clear();
        self.columns.resize(self.size, 1.0 / (self.size as f64).sqrt());
        let stride = self.chart.stride();
        let mut longest = 0.0;
        for axis in 0..dim.min(self.chart.width()) {
            let from = &self.chart.columns()[axis * stride..][..self.size];
            longest = if axis == 0 { square(from).sqrt() } else { longest };
            if !self.push(from.to_vec(), NEGLIGIBLE * longest) {
                break;
            }
        }
        Ok(self.columns.len() / self.size - 1)
    }

    /// Adds what `column` has off the basis; false if that is not longer than `least`.
    pub(crate) fn push(&mut self, mut column: Vec<f64>, least: f64) -> bool {
        for _twice in 0..2 {
            for known in self.columns.chunks_exact(self.size) {
                let share = dot(&column, known);
                add_scaled(&mut column, -share, known);
            }
        }
        let length = square(&column).sqrt();
        if length <= least || length == 0.0 {
            return false;
        }
        self.columns.extend(column.iter().map(|value| value / length));
        true
    }

    /// One function of the basis, the constant first.
    pub(crate) fn column(&self, at: usize) -> &[f64] {
        &self.columns[at * self.size..(at + 1) * self.size]
    }

    /// The number of functions.
    pub(crate) fn len(&self) -> usize {
        self.columns.len() / self.size
    }
}
