//! Points and neighborhoods renumbered along a curve through space (`locality.rs`), and the way back.
//!
//! Cost: O(n k); every later pass over a large problem is faster.

use super::spatial_order;
use crate::data::Input;
use crate::memory::release;
use crate::{Neighborhoods, Points};

/// Renumbering pays from this many points on.
pub(crate) const RENUMBER_FROM: usize = 50_000;

/// A large problem in another order.
pub(crate) struct Renumbering {
    order: Vec<u32>,
    points: Points,
    neighborhoods: Neighborhoods,
}

impl Renumbering {
    /// The same problem in spatial order; none for a small problem, or where there are only distances.
    pub(crate) fn of(input: &Input<'_>, neighborhoods: &Neighborhoods) -> Option<Self> {
        let Input::Points(points) = input else { return None };
        if points.len() < RENUMBER_FROM {
            return None;
        }
        let order = spatial_order(points);
        let mut renumbered = neighborhoods.restricted(&order);
        renumbered.mark_near();
        if neighborhoods.is_known_connected() {
            renumbered.mark_connected();
        }
        let ordered = points.select(&order);
        points.set_aside();
        release(8 * neighborhoods.memberships());
        Some(Self { points: ordered, neighborhoods: renumbered, order })
    }

    /// For each place of the new order, the row that is there.
    pub(crate) fn order(&self) -> &[u32] {
        &self.order
    }

    /// The points in their new order.
    pub(crate) fn points(&self) -> &Points {
        &self.points
    }

    /// Their neighborhoods.
    pub(crate) fn neighborhoods(&self) -> &Neighborhoods {
        &self.neighborhoods
    }

    /// Rows that belong to the points, in the new order.
    pub(crate) fn renumbered(&self, rows: &Points) -> Points {
        rows.select(&self.order)
    }

    /// `values`, `dim` for each point in the new order, in the old order.
    pub(crate) fn restored(&self, values: &[f64], dim: usize) -> Vec<f64> {
        let mut restored = vec![0.0; values.len()];
        for (&row, from) in self.order.iter().zip(values.chunks_exact(dim)) {
            restored[row as usize * dim..][..dim].copy_from_slice(from);
        }
        restored
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Run;

    #[test]
    fn there_and_back_is_the_same() {
        let line =
            Points::new(RENUMBER_FROM, 1, (0..RENUMBER_FROM).map(|at| (at * 7 % 50_021) as f64).collect()).unwrap();
        let neighborhoods = Neighborhoods::nearest(&line, 2, &Run::new()).unwrap();
        let turned = Renumbering::of(&Input::Points(&line), &neighborhoods).unwrap();
        assert!(turned.points().values().is_sorted());
        assert_eq!(turned.points(), &turned.renumbered(&line));
        assert_eq!(turned.restored(turned.points().values(), 1), line.values());
        for at in [0, 1, 777, RENUMBER_FROM - 1] {
            let old: Vec<u32> =
                turned.neighborhoods().members(at).iter().map(|&row| turned.order[row as usize]).collect();
            assert_eq!(old, neighborhoods.members(turned.order[at] as usize));
        }
        let few = Points::new(3, 1, vec![0.0, 1.0, 2.0]).unwrap();
        let neighborhoods = Neighborhoods::nearest(&few, 1, &Run::new()).unwrap();
        assert!(Renumbering::of(&Input::Points(&few), &neighborhoods).is_none());
    }
}
