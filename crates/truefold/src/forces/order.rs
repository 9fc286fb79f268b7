//! The order in which a descent keeps its points: near each other in memory where they are near each other in the map.
//!
//! Every step gathers the places of linked points and the nodes of the grid around each point. In the order of the data
//! these lie anywhere; along a curve through the map most of them are in the cache already. The map takes its form in the
//! first steps, so the points are sorted when a phase begins, and once more after [`AGAIN`] steps unless neighborhoods of
//! the map are in use by then. Cost: a sort and a pass over the links each time; memory: the links twice while they are
//! sorted. The results change by rounding, and by the order of ties, alone.

use super::affinities::Affinities;
use super::descent::Descent;
use crate::graph::{RENUMBER_FROM, spatial_order};
use crate::{Neighborhoods, Points, Result, Run};

/// Steps after which a phase sorts its points again.
pub(super) const AGAIN: usize = 50;

/// For each place the row of the problem that is there.
#[derive(Debug)]
pub(super) struct Order {
    rows: Vec<u32>,
    pays: bool,
}

impl Order {
    /// The order of the problem, which stays where points are few.
    pub(super) fn new(count: usize) -> Self {
        Self { rows: (0..count as u32).collect(), pays: count >= RENUMBER_FROM }
    }

    /// The row of each place, where they differ.
    pub(super) fn rows(&self) -> Option<&[u32]> {
        self.pays.then_some(&self.rows)
    }

    /// Sorts the points along a curve through the map, with all that belongs to them.
    pub(super) fn renew<const D: usize>(
        &mut self,
        places: &mut Vec<[f64; D]>,
        affinities: &mut Affinities,
        descent: &mut Descent<D>,
        run: &Run,
    ) -> Result<()> {
        // Places that a step has blown up have no order.
        if !self.pays || !places.iter().flatten().all(|at| at.is_finite()) {
            return Ok(());
        }
        run.check()?;
        let points = Points::new(places.len(), D, places.iter().flatten().copied().collect())?;
        let order = run.install(|| spatial_order(&points));
        *places = order.iter().map(|&row| places[row as usize]).collect();
        *affinities = affinities.reordered(&order);
        descent.reorder(&order);
        self.rows = order.iter().map(|&row| self.rows[row as usize]).collect();
        Ok(())
    }

    /// Neighborhoods of the problem in this order, where it is another one.
    pub(super) fn neighborhoods(&self, neighborhoods: &Neighborhoods) -> Option<Neighborhoods> {
        self.rows().map(|rows| neighborhoods.restricted(rows))
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
    use super::super::shape::{Pulls, Shapes, Source};
    use super::*;
    use crate::data::Input;
    use crate::forces::{Limits, Phase, Plan, mean_r_c};
    use crate::{Fit, Metric};

    const COUNT: usize = RENUMBER_FROM;

    /// Points anywhere on a square, with their neighbors and weights.
    fn square(run: &Run) -> (Points, Neighborhoods, Affinities) {
        let points = Points::new(COUNT, 2, (0..COUNT).flat_map(at).collect()).unwrap();
        let neighborhoods = Neighborhoods::nearest(&points, 5, run).unwrap();
        let distances = neighborhoods.distances(&points, Metric::Euclidean, run).unwrap();
        let affinities = Affinities::of(&neighborhoods, &distances, 3.0, run).unwrap();
        (points, neighborhoods, affinities)
    }

    fn at(row: usize) -> [f64; 2] {
        [(row * 7919 % COUNT) as f64, (row * 104_729 % 49_999) as f64]
    }

    #[test]
    fn what_belongs_to_a_point_moves_with_it() {
        let run = Run::new();
        let (points, neighborhoods, before) = square(&run);
        let mut order = Order::new(COUNT);
        let (mut places, mut affinities): (Vec<_>, _) = ((0..COUNT).map(at).collect(), before.clone());
        let mut descent = Descent::<2>::new(COUNT);
        let pace = super::super::descent::Pace { rate: 1.0, momentum: 0.5, longest: 1e9 };
        let gradient: Vec<[f64; 2]> = (0..COUNT).map(|row| [row as f64 + 1.0, -2.0 * row as f64]).collect();
        descent.step(&mut places.clone(), &gradient, pace);
        let alone = descent.clone();
        order.renew(&mut places, &mut affinities, &mut descent, &run).unwrap();
        // The map turns by a right angle and is sorted again: both orders follow each other.
        let first = order.rows.clone();
        places.iter_mut().for_each(|place| *place = [-place[1], place[0]]);
        order.renew(&mut places, &mut affinities, &mut descent, &run).unwrap();
        assert_ne!(order.rows, first);
        let turned: Vec<f64> = points.values().chunks_exact(2).flat_map(|at| [-at[1], at[0]]).collect();
        assert_eq!(order.restored(&places, 2), turned);
        let near = order.neighborhoods(&neighborhoods).unwrap();
        let mut expected = alone;
        expected.reorder(&order.rows);
        assert_eq!(format!("{descent:?}"), format!("{expected:?}"));
        let rows = |places: &[u32]| places.iter().map(|&other| order.rows[other as usize]).collect::<Vec<u32>>();
        for place in [0, 1, 999, COUNT - 1] {
            let row = order.rows[place] as usize;
            let (others, weights) = affinities.of_row(place);
            assert_eq!((&rows(others)[..], weights), before.of_row(row));
            assert_eq!(rows(near.members(place)), neighborhoods.members(row));
        }
        // Neighbors on the map are near each other in memory now.
        let apart = |affinities: &Affinities| {
            let of_row =
                |row: usize| affinities.of_row(row).0.iter().map(move |&to| (f64::from(to) - row as f64).abs());
            (0..COUNT).flat_map(of_row).sum::<f64>()
        };
        assert!(apart(&affinities) < 0.1 * apart(&before), "{} {}", apart(&affinities), apart(&before));
        // Shapes are those of the rows, whichever order the points have.
        let narrow = |values: &[f64]| values.chunks_exact(2).map(|at| [at[0] as f32, at[1] as f32]).collect::<Vec<_>>();
        let value = |source: Source, neighborhoods: &Neighborhoods, places: &[[f32; 2]]| {
            let shapes = Shapes::new(source, neighborhoods, &run).unwrap();
            let mut pulls = vec![[0.0; 2]; COUNT];
            shapes.add_pulls(places, (1.0, 1.0), &mut pulls, &mut Pulls::default(), &run).unwrap()
        };
        let bent: Vec<f64> =
            points.values().chunks_exact(2).flat_map(|at| [at[0], at[1] + at[0] * at[0] / 1e4]).collect();
        let moved: Vec<f64> = order.rows.iter().flat_map(|&row| bent[2 * row as usize..][..2].to_vec()).collect();
        let input = Input::Points(&points);
        let [one, other] = [
            value(input.into(), &neighborhoods, &narrow(&bent)),
            value(Source { input, rows: order.rows() }, &near, &narrow(&moved)),
        ];
        assert!(one > 1e-3 && (one - other).abs() < 1e-6, "{one} {other}");
        assert!(Order::new(COUNT - 1).rows().is_none());
    }

    #[test]
    fn a_map_of_many_points_is_in_the_order_of_the_problem() {
        let run = Run::new();
        let (points, neighborhoods, affinities) = square(&run);
        let input = Input::Points(&points);
        let phase = |exaggeration: f64, iterations: usize, shape: f64| Phase {
            exaggeration,
            iterations,
            tolerance: 0.0,
            rate: COUNT as f64 / exaggeration,
            shape,
        };
        let plan = |phases| Plan {
            affinities: affinities.clone(),
            phases,
            dim: 2,
            shapes: Some((input, &neighborhoods)),
            limits: Limits::default(),
        };
        let start: Vec<f64> = points.values().iter().map(|at| 1e-8 * at).collect();
        let mut maps = Vec::new();
        for phases in [&[phase(12.0, AGAIN + 2, 0.0)][..], &[phase(12.0, AGAIN + 2, 0.0), phase(1.0, 8, 0.9)]] {
            let mut fit = Fit::new(&run);
            let map = plan(phases).run(&start, &mut fit).unwrap();
            let outcome = fit.into_outcome(map);
            // The divergence that the descent ended with is that of the map with the weights of the problem.
            let mut again = Fit::new(&run);
            plan(&[]).run(&outcome.values, &mut again).unwrap();
            let [told, found] = [outcome.facts, again.into_outcome(Vec::new()).facts]
                .map(|facts| facts["kl_divergence"].as_f64().unwrap());
            assert!((told / found - 1.0).abs() < 1e-4, "{told} {found}");
            maps.push(Points::new(COUNT, 2, outcome.values).unwrap());
        }
        let [before, after] =
            [&maps[0], &maps[1]].map(|map| mean_r_c(&input, &neighborhoods, map, &run).unwrap().unwrap());
        assert!(after < before, "{after} {before}");
    }
}
