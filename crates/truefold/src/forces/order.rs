//! The order in which a descent keeps its points: near each other in memory where they are near each other in the map.
//!
//! Every step gathers the places of linked points and the nodes of the grid around each point. In the order of the data
//! these lie anywhere; along a curve through the map most of them are in the cache already. The map takes its form in the
//! first steps, so the points are sorted at the start of each phase and once more soon after. Cost: a sort and a pass over the
//! links each time; the results change by rounding alone.

use super::affinities::Affinities;
use super::descent::Descent;
use crate::data::Input;
use crate::graph::{RENUMBER_FROM, Renumbering, spatial_order};
use crate::{Neighborhoods, Points, Result};

/// Steps after which a phase sorts its points again.
pub(super) const AGAIN: usize = 50;

/// For each place the row of the problem that is there.
#[derive(Debug)]
pub(super) struct Order {
    rows: Vec<u32>,
    pays: bool,
}

impl Order {
    /// The order of the problem. It stays where points are few, or where shapes are known by distances, whose rows are not
    /// copied.
    pub(super) fn new(count: usize, shapes: Option<(Input<'_>, &Neighborhoods)>) -> Self {
        let can = shapes.is_none_or(|(input, _)| matches!(input, Input::Points(_)));
        Self { rows: (0..count as u32).collect(), pays: can && count >= RENUMBER_FROM }
    }

    /// Sorts the points along a curve through the map, with all that belongs to them.
    pub(super) fn renew<const D: usize>(
        &mut self,
        places: &mut Vec<[f64; D]>,
        affinities: &mut Affinities,
        descent: &mut Descent<D>,
    ) -> Result<()> {
        if !self.pays {
            return Ok(());
        }
        let order = spatial_order(&Points::new(places.len(), D, places.iter().flatten().copied().collect())?);
        *places = order.iter().map(|&row| places[row as usize]).collect();
        *affinities = affinities.reordered(&order);
        descent.reorder(&order);
        self.rows = order.iter().map(|&row| self.rows[row as usize]).collect();
        Ok(())
    }

    /// Data and neighborhoods in this order; none where it is that of the problem.
    pub(super) fn of_shapes(&self, (input, neighborhoods): (Input<'_>, &Neighborhoods)) -> Option<Renumbering> {
        let Input::Points(points) = input else { return None };
        self.pays.then(|| Renumbering::along(self.rows.clone(), points, neighborhoods))
    }

    /// The first `dim` coordinates of each place, in the order of the problem.
    pub(super) fn restored<const D: usize>(&self, places: &[[f64; D]], dim: usize) -> Vec<f64> {
        let mut values = vec![0.0; places.len() * dim];
        for (&row, place) in self.rows.iter().zip(places) {
            values[row as usize * dim..][..dim].copy_from_slice(&place[..dim]);
        }
        values
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Metric, Run};

    #[test]
    fn what_belongs_to_a_point_moves_with_it() {
        let (count, run) = (RENUMBER_FROM, Run::new());
        let at = |row: usize| [(row * 7919 % count) as f64, (row * 104_729 % count) as f64];
        let points = Points::new(count, 2, (0..count).flat_map(at).collect()).unwrap();
        let neighborhoods = Neighborhoods::nearest(&points, 3, &run).unwrap();
        let distances = neighborhoods.distances(&points, Metric::Euclidean, &run).unwrap();
        let before = Affinities::of(&neighborhoods, &distances, 2.0, &run).unwrap();
        let shapes = (Input::Points(&points), &neighborhoods);
        let mut order = Order::new(count, Some(shapes));
        let (mut places, mut affinities): (Vec<_>, _) = ((0..count).map(at).collect(), before.clone());
        for _ in 0..2 {
            order.renew::<2>(&mut places, &mut affinities, &mut Descent::new(count)).unwrap();
        }
        assert_ne!(order.rows[..100], (0..100).collect::<Vec<u32>>());
        assert_eq!(order.restored(&places, 2), points.values());
        let near = order.of_shapes(shapes).unwrap();
        for place in [0, 1, 999, count - 1] {
            let row = order.rows[place] as usize;
            assert_eq!(near.points().row(place), points.row(row));
            let (others, weights) = affinities.of_row(place);
            let others: Vec<u32> = others.iter().map(|&other| order.rows[other as usize]).collect();
            assert_eq!((&others[..], weights), before.of_row(row));
            let members: Vec<u32> =
                near.neighborhoods().members(place).iter().map(|&other| order.rows[other as usize]).collect();
            assert_eq!(members, neighborhoods.members(row));
        }
        // Neighbors on the map are near each other in memory now.
        let apart = |affinities: &Affinities| {
            let of_row =
                |row: usize| affinities.of_row(row).0.iter().map(move |&to| (f64::from(to) - row as f64).abs());
            (0..count).flat_map(of_row).sum::<f64>()
        };
        assert!(apart(&affinities) < 0.1 * apart(&before), "{} {}", apart(&affinities), apart(&before));
        assert!(!Order::new(count - 1, None).pays);
    }
}
