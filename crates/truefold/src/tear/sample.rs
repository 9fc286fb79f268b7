//! A sample of a surface: where its seams run, found on few points and from several roots, and carried over to all.
//!
//! Each point of the surface belongs to the point of the sample that is nearest along the graph, its cell. Cells are
//! neighbors where links join them, and the neighborhoods of the sample are made of cells at most two steps apart: they
//! never join sheets that the graph of all points does not join. In the map of what is left of the sample, each of its
//! neighborhoods puts the points around it somewhere; a link between two cells is torn where they put its end farther
//! apart than a share of their radius.
//!
//! Seams depend on the root of the tree that they begin with: from the inner side of a torus the parts that hang outwards
//! become wider than what they hang from, and the map lies on itself. Trees with other roots are tried as long as the map
//! invents more neighbors than it tears. Cost: O(n k log n) for the cells; the rounds are those of the sample.

use super::mismatch::{EdgeGraph, Placement};
use super::rounds::{Cutter, TornMap};
use super::seams::Seams;
use super::surface::{Surface, thickness};
use super::tearing::TOLERATED;
use crate::data::Input;
use crate::frames::Tangents;
use crate::graph::{LengthGraph, ShortestPaths, false_share};
use crate::linalg::{Nearest, distance};
use crate::local::THICK;
use crate::{Error, Fit, Metric, Neighborhoods, Origin, Points, Result, Run};

/// The least size of a sample, and its size in roots of n: its strain must be as small beside its coarser neighborhoods as
/// that of all points beside theirs, and both fall with the square of the radius.
const LEAST: usize = 1_000;
const ROOTS_OF_N: f64 = 12.0;

/// The neighbors in the sample: so many for each dimension, and so many besides.
const NEIGHBORS_PER_DIMENSION: usize = 3;
const NEIGHBORS_BESIDES: usize = 6;

/// Trees with so many roots are tried at the most.
const TREES: usize = 4;

/// The number of rounds with one tolerated value, in the sample and with all points; more follow while they gain much.
const ROUNDS: usize = 12;
const ROUNDS_OF_ALL: usize = 3;

/// The steps of refinement in a round: with fewer, strain that the next steps would spread is torn.
const STEPS: usize = 3;
/// Those of the sample before it is carried over: what is smooth in its map need not be found again with all points.
const LAST_STEPS: usize = 50;

/// A link between two cells is torn where they put its end farther apart than this share of their radius.
const APART: f64 = 0.5;

/// Some points of a surface, with neighborhoods of their own.
pub(super) struct Sample {
    pub(super) points: Points,
    pub(super) neighborhoods: Neighborhoods,
    pub(super) tangents: Tangents,
    /// For each point of the surface the place of its cell in the sample.
    cells: Vec<u32>,
}

/// The seams of a surface that is folded, found on a sample where it has many points.
pub(super) fn torn_by_sample(
    all: &Cutter<'_>,
    graph: &EdgeGraph,
    tangents: &mut Tangents,
    fit: &mut Fit<'_>,
) -> Result<Option<TornMap>> {
    if let Some(sample) = Sample::of(all.surface, graph, tangents.dim(), fit.run())?
        && let Some(torn) = sample.seams_of_all(all, tangents, fit)?
    {
        return Ok(Some(torn));
    }
    // What the sample does not show may still be there.
    best_of_roots(all, graph, tangents, fit)
}

/// The seams that begin with the tree of the first root whose map invents fewer neighbors than it tears, or else of the one
/// for which both together are fewest. A root whose map does not do so at first, when most is torn, is not gone on with.
fn best_of_roots(
    cutter: &Cutter<'_>,
    graph: &EdgeGraph,
    tangents: &mut Tangents,
    fit: &mut Fit<'_>,
) -> Result<Option<TornMap>> {
    let whole = cutter.surface.neighborhoods;
    let mut best: Option<Candidate> = None;
    for root in graph.roots(TREES) {
        let mut turned = tangents.clone();
        let off = graph.tree(cutter.surface, root, &mut turned, fit.run())?;
        let Some(first) = cutter.begun(Seams::new(whole, &off, TOLERATED), &mut turned, fit)? else { continue };
        let mut found =
            Candidate { invented: invented(whole, &first, fit.run())?, torn: first, turned, is_grown: false };
        if found.invents_little() {
            let Some(torn) = cutter.grown(found.torn, &found.turned, fit)? else { continue };
            found = Candidate { invented: invented(whole, &torn, fit.run())?, torn, is_grown: true, ..found };
        }
        let done = found.is_grown && found.invents_little();
        if best.as_ref().is_none_or(|best| found.lost() < best.lost()) {
            best = Some(found);
        }
        if done {
            break;
        }
    }
    let Some(best) = best else { return Ok(None) };
    *tangents = best.turned;
    if best.is_grown { Ok(Some(best.torn)) } else { cutter.grown(best.torn, tangents, fit) }
}

/// What was found from one root.
struct Candidate {
    torn: TornMap,
    turned: Tangents,
    /// The share of the neighbors in the map that are strangers.
    invented: f64,
    /// Whether as much is restored as may be.
    is_grown: bool,
}

impl Candidate {
    fn invents_little(&self) -> bool {
        self.invented <= self.torn.share
    }

    fn lost(&self) -> f64 {
        self.invented + self.torn.share
    }
}

/// The share of the neighbors in the map that are strangers.
fn invented(whole: &Neighborhoods, torn: &TornMap, run: &Run) -> Result<f64> {
    let map = Points::new(whole.len(), torn.y.len() / whole.len(), torn.y.clone())?;
    let shown = Neighborhoods::nearest(&map, whole.usual_k().min(map.len() - 1), run)?;
    Ok(false_share(whole, &shown, run)?.0)
}

impl Sample {
    /// A sample of the surface that shows its shape; nothing where that takes all points.
    pub(super) fn of(surface: &Surface<'_>, graph: &EdgeGraph, dim: usize, run: &Run) -> Result<Option<Self>> {
        let all = surface.points.len();
        let mut count = LEAST.max((ROOTS_OF_N * (all as f64).sqrt()) as usize);
        while 2 * count <= all {
            let rows = Metric::Euclidean.spread(surface.points, count, run)?;
            let cells = ShortestPaths::default().cells(graph.lengths(), &rows);
            let points = surface.points.select(&rows);
            let size = NEIGHBORS_PER_DIMENSION * dim + NEIGHBORS_BESIDES;
            let neighborhoods = neighborhoods(&points, size, &cells, graph.lengths());
            if neighborhoods.components().count() == 1 {
                match Tangents::new(&points, &neighborhoods, dim, run) {
                    Err(Error::RankDeficient { .. }) => {}
                    Err(other) => return Err(other),
                    Ok(tangents) => {
                        if thickness(&points, &neighborhoods, &tangents, run)? <= THICK {
                            return Ok(Some(Self { points, neighborhoods, tangents, cells }));
                        }
                    }
                }
            }
            count *= 2;
        }
        Ok(None)
    }

    /// The seams of all points, found on the sample; nothing where it shows none.
    pub(super) fn seams_of_all(
        &self,
        all: &Cutter<'_>,
        tangents: &mut Tangents,
        fit: &mut Fit<'_>,
    ) -> Result<Option<TornMap>> {
        let layout = all.layout.of_part(&self.points, &self.neighborhoods);
        let surface = Surface::new(&self.points, &self.neighborhoods, fit.run())?;
        let part = Cutter { layout: &*layout, surface: &surface, rounds: ROUNDS, steps: STEPS, ..*all };
        let mut turned = self.tangents.clone();
        let edges = EdgeGraph::new(&surface, &turned, fit.run())?;
        let torn = fit.unrecorded(|fit| best_of_roots(&part, &edges, &mut turned, fit))?;
        let Some(mut torn) = torn else { return Ok(None) };
        torn.y = fit.unrecorded(|fit| layout.improve(&torn.rest, torn.y, LAST_STEPS, fit))?;
        let map = self.carried_over(&surface, (&torn, &turned), all.surface, tangents, fit.run())?;
        fit.lap("seams of all");
        Cutter { rounds: ROUNDS_OF_ALL, steps: STEPS, ..*all }.tightened(map, torn.tolerated, tangents, fit)
    }

    /// The seams of the sample, whose surface is `part`, in the surface of all points, and the places of these; their frames
    /// are turned as those of their cells.
    fn carried_over(
        &self,
        part: &Surface<'_>,
        found: (&TornMap, &Tangents),
        all: &Surface<'_>,
        tangents: &mut Tangents,
        run: &Run,
    ) -> Result<(Seams, Vec<f64>)> {
        let (dim, whole) = (tangents.dim(), all.neighborhoods);
        let mut inside = vec![Vec::new(); self.points.len()];
        self.cells.iter().enumerate().for_each(|(row, &cell)| inside[cell as usize].push(row));
        let places = self.each_cell(part, found, "cells", run, |cell, placement, places| {
            let (axes, mut room) = (placement.axes(), Vec::new());
            let (mut frame, mut product) = (vec![0.0; tangents.cells()], vec![0.0; dim * dim]);
            for &row in &inside[cell] {
                let mut place = vec![0.0; dim + dim * dim];
                placement.image(all.points.row_in(row, &mut room), &mut place[..dim]);
                tangents.copy(row, &mut frame);
                tangents.product(&frame, &axes, &mut product);
                Nearest::default().find(&product, dim, &mut place[dim..]);
                places.push((row, place));
            }
        })?;
        let (mut y, mut rotations) = (vec![0.0; all.points.len() * dim], vec![0.0; all.points.len() * dim * dim]);
        for (row, place) in places {
            y[row * dim..][..dim].copy_from_slice(&place[..dim]);
            rotations[row * dim * dim..][..dim * dim].copy_from_slice(&place[dim..]);
        }
        tangents.turn(&rotations, run);
        let gaps = self.each_cell(part, found, "links between cells", run, |cell, placement, gaps| {
            let (mut place, mut room) = (vec![0.0; dim], Vec::new());
            for &row in &inside[cell] {
                let members = whole.places(row).zip(whole.members(row));
                for (at, &member) in members.filter(|(_, member)| self.cells[**member as usize] as usize != cell) {
                    placement.image(all.points.row_in(member as usize, &mut room), &mut place);
                    let gap = distance(&place, &y[member as usize * dim..][..dim]);
                    gaps.push((at, part.in_radii(gap, cell)));
                }
            }
        })?;
        let mut off = vec![0.0; whole.memberships()];
        gaps.into_iter().for_each(|(at, gap)| off[at] = gap);
        Ok((Seams::new(whole, &off, APART), y))
    }

    /// What `visit` finds with the neighborhood of each cell placed in the map of what is left.
    fn each_cell<T: Send>(
        &self,
        part: &Surface<'_>,
        found: (&TornMap, &Tangents),
        stage: &str,
        run: &Run,
        visit: impl Fn(usize, &mut Placement, &mut Vec<T>) + Send + Sync,
    ) -> Result<Vec<T>> {
        let (lists, (torn, turned)) = (part.neighborhoods, found);
        let found = run.chunks(stage, self.points.len(), 64, |range| {
            let mut placement = Placement::new(self.points.dim(), turned.dim(), turned.cells());
            let mut found = Vec::new();
            for cell in range {
                let kept = &torn.seams.kept[lists.places(cell)];
                let frame = |frame: &mut [f64]| turned.copy(cell, frame);
                placement.place(&self.points, lists.members(cell), kept, &torn.y, frame);
                visit(cell, &mut placement, &mut found);
            }
            Ok(found)
        })?;
        Ok(found.into_iter().flatten().collect())
    }
}

/// For each cell the `size` nearest of those that links lead to in two steps.
fn neighborhoods(points: &Points, size: usize, cells: &[u32], graph: &LengthGraph) -> Neighborhoods {
    let mut touching = vec![Vec::new(); points.len()];
    for (point, &cell) in cells.iter().enumerate() {
        touching[cell as usize]
            .extend(graph.ends(point).iter().map(|&end| cells[end as usize]).filter(|&other| other != cell));
    }
    touching.iter_mut().for_each(|list| {
        list.sort_unstable();
        list.dedup();
    });
    let (mut offsets, mut members) = (vec![0], Vec::new());
    for (cell, near) in touching.iter().enumerate() {
        let mut reached: Vec<u32> = near.iter().flat_map(|&other| touching[other as usize].iter().copied()).collect();
        reached.extend(near);
        reached.retain(|&other| other as usize != cell);
        reached.sort_unstable();
        reached.dedup();
        let mut lengths: Vec<(f64, u32)> =
            reached.iter().map(|&other| (Input::Points(points).distance(cell, other as usize), other)).collect();
        lengths.sort_unstable_by(|one, other| one.0.total_cmp(&other.0).then(one.1.cmp(&other.1)));
        members.push(cell as u32);
        members.extend(lengths.iter().take(size).map(|&(_, other)| other));
        offsets.push(members.len());
    }
    Neighborhoods::from_parts(offsets, members, Origin::Given)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A strip of 3 x 400 points that is folded at its middle, so that its halves lie 1.5 above each other.
    fn folded() -> (Points, Neighborhoods) {
        let row = |at: u32| {
            let (along, across) = (f64::from(at / 3), f64::from(at % 3) + 0.01 * f64::from(at % 7));
            let past = along - 200.0;
            if past < 0.0 { [along, across, 0.0] } else { [199.0 - past, across, 1.5] }
        };
        let points = Points::from_rows(&(0..1200).map(row).collect::<Vec<_>>()).unwrap();
        let mut lists: Vec<Vec<i64>> = Vec::new();
        for at in 0..1200_i64 {
            let near = [at - 3, at - 1, at + 1, at + 3];
            lists.push(near.into_iter().filter(|other| (0..1200).contains(other)).collect());
        }
        (points, Neighborhoods::from_lists(&lists).unwrap())
    }

    #[test]
    fn neighborhoods_of_a_sample_do_not_join_sheets() {
        let (points, lists) = folded();
        let graph = LengthGraph::new(&lists, |a, b| Input::Points(&points).distance(a, b));
        // Thirty steps apart along the strip, while the sheets are 1.5 apart.
        let rows: Vec<u32> = (0..1200).step_by(30).collect();
        let cells = ShortestPaths::default().cells(&graph, &rows);
        let sampled = points.select(&rows);
        let found = neighborhoods(&sampled, 12, &cells, &graph);
        assert_eq!(found.components().count(), 1);
        for cell in 0..found.len() {
            assert!(found.neighbors(cell).iter().all(|&other| (other as usize).abs_diff(cell) <= 3), "{cell}");
        }
        let nearest = Neighborhoods::nearest(&sampled, 4, &Run::new()).unwrap();
        assert!((0..40).any(|cell| nearest.neighbors(cell).iter().any(|&other| (other as usize).abs_diff(cell) > 3)));
    }
}
