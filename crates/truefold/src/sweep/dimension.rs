//! The choice of d, from what the principal axes of the neighborhoods hold.

use super::Confidence;
use serde::Serialize;

/// Axes that together hold less than this share can be left out.
const NOTHING: f64 = 0.01;

/// An axis that holds less than this share is left out where it is also much smaller than the one before.
const LITTLE: f64 = 0.1;

/// The d to choose.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[non_exhaustive]
pub struct DimensionChoice {
    /// The dimension.
    pub dim: usize,
    /// The mean share of a neighborhood along its axis d.
    pub share: f64,
    /// The mean share along the axis after it.
    pub next_share: f64,
    /// The mean share past the first d axes: what no map of d dimensions can hold.
    pub left: f64,
    /// Whether d axes suffice; where none of the swept d does, the largest is taken.
    pub determined: bool,
    /// How sure it is.
    pub confidence: Confidence,
}

/// Chooses among `dims`, smallest first, where there are several.
pub(super) fn choose(dims: &[usize], spectrum: &[f64]) -> Option<DimensionChoice> {
    if dims.len() < 2 {
        return None;
    }
    let share = |axis: usize| spectrum.get(axis).copied().unwrap_or(0.0);
    let around = |dim: usize| (share(dim - 1), share(dim));
    // The shares of all axes add up to 1.
    let left = |dim: usize| (1.0 - spectrum.iter().take(dim).sum::<f64>()).max(0.0);
    let suffices = |&dim: &usize| {
        let (own, next) = around(dim);
        left(dim) < NOTHING || (next < LITTLE && 3.0 * next < own)
    };
    let found = dims.iter().copied().find(|dim| suffices(dim));
    let dim = found.or(dims.last().copied())?;
    let (share, next_share) = around(dim);
    let confidence = if found.is_none() || share < NOTHING {
        Confidence::Low
    } else if left(dim) < NOTHING || 10.0 * next_share < share {
        Confidence::High
    } else {
        Confidence::Moderate
    };
    Some(DimensionChoice { dim, share, next_share, left: left(dim), determined: found.is_some(), confidence })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chosen(dims: &[usize], spectrum: &[f64]) -> (usize, Confidence) {
        let choice = choose(dims, spectrum).unwrap();
        (choice.dim, choice.confidence)
    }

    #[test]
    fn the_axes_say_how_many_are_needed() {
        let roll = [0.6, 0.395, 0.005, 1e-6];
        assert_eq!(chosen(&[1, 2, 3], &roll), (2, Confidence::High));
        assert_eq!(chosen(&[3, 4], &roll), (3, Confidence::Low));
        assert_eq!(chosen(&[1, 2, 3], &[0.5, 0.3, 0.06, 0.05, 0.05, 0.04]), (2, Confidence::Moderate));
        assert_eq!(chosen(&[1, 2, 3], &[0.3, 0.25, 0.2, 0.15, 0.1]), (3, Confidence::Low));
        assert_eq!(chosen(&[1, 2], &[0.5, 0.5]), (2, Confidence::High));
        assert_eq!(chosen(&[1, 2, 3], &[0.6, 0.3, 0.1]), (3, Confidence::High));
        assert_eq!(choose(&[2], &roll), None);
    }

    #[test]
    fn where_no_number_of_axes_suffices_the_largest_loses_least() {
        // The first axes of neighborhoods of cells: a drop after the first, and most of the shape past all of these.
        let cells = [0.16, 0.09, 0.07, 0.06, 0.055, 0.05];
        let choice = choose(&[1, 2, 3, 4, 5], &cells).unwrap();
        assert_eq!((choice.dim, choice.determined, choice.confidence), (5, false, Confidence::Low));
        assert!((choice.left - 0.565).abs() < 1e-12);
        // Axes of less than 1 % each, and nine tenths of the shape past them.
        let many = [0.012, 0.009, 0.009, 0.009];
        assert_eq!(choose(&[1, 2, 3], &many).map(|choice| (choice.dim, choice.determined)), Some((3, false)));
    }
}
