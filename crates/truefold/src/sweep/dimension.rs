//! The choice of d, from what the principal axes of the neighborhoods hold.

use super::Confidence;
use serde::Serialize;

/// An axis that holds less than this share can be left out.
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
    let suffices = |&&dim: &&usize| {
        let (own, next) = around(dim);
        next < NOTHING || (next < LITTLE && 3.0 * next < own)
    };
    let drop = |dim: usize| around(dim).0 / around(dim).1;
    if let Some(&dim) = dims.iter().find(suffices) {
        let (own, next) = around(dim);
        let confidence = if own < NOTHING {
            Confidence::Low
        } else if next < NOTHING || 10.0 * next < own {
            Confidence::High
        } else {
            Confidence::Moderate
        };
        return Some(DimensionChoice { dim, share: own, next_share: next, confidence });
    }
    // Every next axis holds something here, so the quotients are finite.
    let &dim = dims.iter().max_by(|&&a, &&b| drop(a).total_cmp(&drop(b)).then(b.cmp(&a)))?;
    let (share, next_share) = around(dim);
    Some(DimensionChoice { dim, share, next_share, confidence: Confidence::Low })
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
        assert_eq!(choose(&[2], &roll), None);
    }
}
