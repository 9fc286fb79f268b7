//! Many points unfolded by few: a sample is unfolded, and the others follow the sampled points nearest to them.
//!
//! The sample is spread evenly over the graph, [`POINTS`] of them or [`PER_NEIGHBOR`] for each neighbor. Every point belongs
//! to the sampled point s nearest along the graph; two cells with an edge between them touch, and the neighbors of s are the
//! nearest of those few cells away, so that sheets which only a dense graph keeps apart stay apart. Once the sample has its
//! map Y_S, the rigid motion y = mean Y_S + A'(x - mean X_S) of the neighborhood of s, A its Procrustes rotation, places the
//! cell of s. What that leaves is short waves, which refinement removes in few steps. Cost: a search for the cells, O(n k log
//! n), and what the sample takes, which is free of n. When it fails: where the sample's graph falls apart, or its map stays
//! on itself; then nothing is placed.

use super::Refine;
use super::faithful;
use crate::data::Input;
use crate::graph::{LengthGraph, ShortestPaths, breadth_first};
use crate::linalg::dot;
use crate::local::{Charts, Rotation, center, gather};
use crate::points::{Element, with_rows};
use crate::{Neighborhoods, Points, Result, Run};

/// The fewest points of a sample, below which all are used.
const POINTS: usize = 2000;

/// The points of a sample for each neighbor, where that is more.
const PER_NEIGHBOR: usize = 100;

/// Cells per task.
const TASK: usize = 64;

/// What unfolding did to a sample.
pub(super) enum Unfolding {
    /// It served the sample, and this is where that puts all points.
    Opened(Points),
    /// The sample stayed on itself.
    InVain,
    /// The sample does not lie on itself: what does is smaller than it shows.
    Unseen,
}

/// Some points spread over a connected graph, and which of them each point is nearest to.
pub(super) struct Sample {
    rows: Vec<u32>,
    /// For each point the place of its sampled point in `rows`.
    cells: Vec<u32>,
    points: Points,
    neighborhoods: Neighborhoods,
}

impl Sample {
    /// A sample of a connected graph; none of few points, of distances alone, or where the sample is in pieces.
    pub(super) fn of(charts: &Charts<'_>, graph: &LengthGraph, run: &Run) -> Result<Option<Self>> {
        let Input::Points(points) = charts.input() else { return Ok(None) };
        let k = charts.neighborhoods().usual_k();
        let wanted = POINTS.max(PER_NEIGHBOR * k);
        if points.len() <= wanted {
            return Ok(None);
        }
        let rows = graph.even_landmarks(wanted, run.seed());
        let cells = ShortestPaths::default().cells(graph, &rows);
        if cells.contains(&u32::MAX) {
            return Ok(None);
        }
        let points = points.select(&rows);
        let touching = Neighborhoods::from_lists(&touching(graph, &cells, rows.len()))?;
        let touching = LengthGraph::new(&touching, |a, b| points.squared_distance(a, b).sqrt());
        let mut met = vec![u32::MAX; rows.len()];
        let lists: Vec<Vec<i64>> =
            (0..rows.len()).map(|place| nearest(&touching, &points, place, k, &mut met)).collect();
        let neighborhoods = Neighborhoods::from_lists(&lists)?;
        if neighborhoods.components().count() > 1 {
            return Ok(None);
        }
        Ok(Some(Self { rows, cells, points, neighborhoods }))
    }

    /// Unfolds the sample, and places all points by it if that served.
    pub(super) fn unfolded(
        &self,
        refine: &Refine,
        charts: &Charts<'_>,
        start: &Points,
        run: &Run,
    ) -> Result<Unfolding> {
        let own = Charts::new(Input::Points(&self.points), &self.neighborhoods, run)?;
        let map = faithful::refine(refine, &own, start.select(&self.rows), None, run)?;
        if map.facts["collapse_before"] == 0.0 && map.facts["collapse_after"] == 0.0 {
            return Ok(Unfolding::Unseen);
        }
        let Input::Points(points) = charts.input() else { return Ok(Unfolding::InVain) };
        if map.facts["unfolded"] != true {
            return Ok(Unfolding::InVain);
        }
        let map = Points::new(self.rows.len(), start.dim(), map.values)?;
        self.placed(points, &map, run).map(Unfolding::Opened)
    }

    /// All points where the rigid motions of their cells put them.
    pub(super) fn placed(&self, points: &Points, map: &Points, run: &Run) -> Result<Points> {
        let motions = run.chunks("rigid motions", self.rows.len(), TASK, |range| {
            Ok(range.map(|place| Motion::of(&self.points, map, self.neighborhoods.members(place))).collect::<Vec<_>>())
        })?;
        let motions: Vec<Motion> = motions.into_iter().flatten().collect();
        let mut values = vec![0.0; points.len() * map.dim()];
        with_rows!(points.table(), rows => {
            run.chunks_into("places", (&mut values, map.dim()), 1024, |range, values| {
                for (point, value) in range.zip(values.chunks_exact_mut(map.dim())) {
                    motions[self.cells[point] as usize].apply(rows.row(point), value);
                }
                Ok(())
            })
        })?;
        Points::new(points.len(), map.dim(), values)
    }
}

#[cfg(test)]
impl Sample {
    /// The rows that were chosen, and their neighborhoods.
    pub(super) fn parts(&self) -> (&[u32], &Neighborhoods) {
        (&self.rows, &self.neighborhoods)
    }
}

/// For each cell those that an edge joins with it.
fn touching(graph: &LengthGraph, cells: &[u32], count: usize) -> Vec<Vec<i64>> {
    let mut lists = vec![Vec::new(); count];
    for point in 0..graph.len() {
        let cell = cells[point];
        let ends = graph.ends(point).iter().map(|&end| i64::from(cells[end as usize]));
        lists[cell as usize].extend(ends.filter(|&other| other != i64::from(cell)));
        // Kept short on the way: a cell has many edges, to few others.
        if lists[cell as usize].len() > 256 {
            shorten(&mut lists[cell as usize]);
        }
    }
    lists.iter_mut().for_each(shorten);
    lists
}

fn shorten(list: &mut Vec<i64>) {
    list.sort_unstable();
    list.dedup();
}

/// The k nearest of the sampled points few cells away: as few as hold twice as many.
///
/// `met` has for each sampled point the last one whose walk met it.
fn nearest(touching: &LengthGraph, points: &Points, place: usize, k: usize, met: &mut [u32]) -> Vec<i64> {
    let own = place as u32;
    let mut near = vec![own];
    met[place] = own;
    let mut first = 0;
    while near.len() <= 2 * k && first < near.len() {
        let last = near.len();
        breadth_first(&mut near, first, 1, |from, near| {
            for &other in touching.ends(from as usize) {
                if std::mem::replace(&mut met[other as usize], own) != own {
                    near.push(other);
                }
            }
        });
        first = last;
    }
    let others = near[1..].iter().map(|&other| (points.squared_distance(place, other as usize), other));
    let mut others: Vec<(f64, u32)> = others.collect();
    others.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    others.iter().take(k).map(|&(_, other)| i64::from(other)).collect()
}

/// A rigid motion of a neighborhood of X onto its map.
struct Motion {
    from: Vec<f64>,
    to: Vec<f64>,
    /// The columns of A, one after the other.
    rotation: Vec<f64>,
}

impl Motion {
    fn of(points: &Points, map: &Points, members: &[u32]) -> Self {
        let (size, width) = (members.len(), points.dim());
        let (mut source, mut target) = (Vec::new(), Vec::new());
        let (mut from, mut to) = (Vec::with_capacity(width), Vec::with_capacity(map.dim()));
        with_rows!(points.table(), rows => {
            gather(&mut source, width, members.iter().map(|&member| rows.row(member as usize)), size);
        });
        center(&mut source, size, size, |mean| from.push(mean));
        gather(&mut target, map.dim(), members.iter().map(|&member| map.row(member as usize)), size);
        center(&mut target, size, size, |mean| to.push(mean));
        let mut rotation = Rotation::default();
        rotation.find(&source, &target, size, width);
        Self { from, to, rotation: rotation.matrix().to_vec() }
    }

    fn apply<T: Element>(&self, row: &[T], place: &mut [f64]) {
        let away: Vec<f64> = row.iter().zip(&self.from).map(|(value, mean)| value.wide() - mean).collect();
        let axes = self.rotation.chunks_exact(away.len());
        for ((place, mean), axis) in place.iter_mut().zip(&self.to).zip(axes) {
            *place = mean + dot(axis, &away);
        }
    }
}
