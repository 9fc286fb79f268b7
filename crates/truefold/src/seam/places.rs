//! Where along its seam a torn point is.
//!
//! The seam is the graph of the torn points in the data, where both sides are still together. Distances from one of its
//! ends cut it into bands; what is connected within a band is one piece of one branch, however wide the seam is there.
//! A piece continues the branch before it or begins a new one, and branches follow each other from 0 to 1, so that two
//! points with the same place are near each other in the data. Cost: O(s k log s) for s torn points.

use crate::graph::{LengthGraph, ShortestPaths};
use crate::neighbors::Neighborhoods;
use std::collections::BTreeMap;

/// The width of a band in mean lengths of an edge.
const BAND: f64 = 3.0;

/// The branch of each point of the seam, and its place on the seam from 0 to 1.
pub(crate) fn places(seam: &Neighborhoods, length: impl Fn(usize, usize) -> f64) -> Vec<(u32, f64)> {
    let graph = LengthGraph::new(seam, &length);
    let distances = from_ends(seam, &graph);
    let width = BAND * mean_length(&graph, &length);
    let band = |row: usize| if width > 0.0 { (distances[row] / width) as usize } else { 0 };
    let bands: Vec<usize> = (0..seam.len()).map(band).collect();
    let pieces = BandParts::new(&graph, &bands);
    let branches = Branches::new(&pieces, &distances);
    branches.places(&pieces, &distances)
}

/// The distance of each point from an end of its connected part of the seam.
fn from_ends(seam: &Neighborhoods, graph: &LengthGraph) -> Vec<f64> {
    let components = seam.components();
    let farthest = |distances: &[f64]| {
        let mut far: Vec<Option<u32>> = vec![None; components.count()];
        for (row, &component) in components.of().iter().enumerate() {
            let far = &mut far[component as usize];
            if far.is_none_or(|far| distances[row] > distances[far as usize]) {
                *far = Some(row as u32);
            }
        }
        far.into_iter().flatten().collect::<Vec<u32>>()
    };
    let mut paths = ShortestPaths::default();
    let firsts = farthest(&vec![0.0; seam.len()]);
    let ends = farthest(paths.nearest_of(graph, &firsts));
    paths.nearest_of(graph, &ends).to_vec()
}

fn mean_length(graph: &LengthGraph, length: &impl Fn(usize, usize) -> f64) -> f64 {
    let (mut sum, mut count) = (0.0, 0_usize);
    for row in 0..graph.len() {
        for &end in graph.ends(row).iter().filter(|&&end| end as usize > row) {
            sum += length(row, end as usize);
            count += 1;
        }
    }
    sum / count.max(1) as f64
}

/// Connected parts of bands, those nearest to an end first.
struct BandParts {
    /// The piece of each point.
    of: Vec<u32>,
    /// The points of each piece, and the piece before it, where there is one.
    sizes: Vec<usize>,
    before: Vec<Option<u32>>,
}

impl BandParts {
    fn new(graph: &LengthGraph, bands: &[usize]) -> Self {
        let mut order: Vec<usize> = (0..bands.len()).collect();
        order.sort_by_key(|&row| (bands[row], row));
        let mut of = vec![u32::MAX; bands.len()];
        let (mut sizes, mut band_of) = (Vec::new(), Vec::new());
        let mut open = Vec::new();
        for first in order {
            if of[first] != u32::MAX {
                continue;
            }
            let piece = sizes.len() as u32;
            sizes.push(0);
            band_of.push(bands[first]);
            of[first] = piece;
            open.push(first);
            while let Some(row) = open.pop() {
                sizes[piece as usize] += 1;
                for &end in graph.ends(row) {
                    if bands[end as usize] == bands[first] && of[end as usize] == u32::MAX {
                        of[end as usize] = piece;
                        open.push(end as usize);
                    }
                }
            }
        }
        let mut touching: BTreeMap<(u32, u32), usize> = BTreeMap::new();
        for row in 0..bands.len() {
            for &end in graph.ends(row).iter().filter(|&&end| bands[end as usize] < bands[row]) {
                *touching.entry((of[row], of[end as usize])).or_default() += 1;
            }
        }
        // The nearest band counts, and there the piece that touches it most.
        let mut before: Vec<Option<(usize, usize, u32)>> = vec![None; sizes.len()];
        for ((piece, other), count) in touching {
            let found = (band_of[other as usize], count, other);
            let known = &mut before[piece as usize];
            if known.is_none_or(|known| (found.0, found.1) > (known.0, known.1)) {
                *known = Some(found);
            }
        }
        Self { of, sizes, before: before.into_iter().map(|found| found.map(|found| found.2)).collect() }
    }
}

/// Branches of the seam, each a row of pieces.
struct Branches {
    /// The branch of each piece; a branch of one piece is part of the one it begins at.
    of: Vec<u32>,
    /// The least and the greatest distance of each.
    ends: Vec<(f64, f64)>,
}

impl Branches {
    fn new(pieces: &BandParts, distances: &[f64]) -> Self {
        let count = pieces.sizes.len();
        let mut next: Vec<Option<usize>> = vec![None; count];
        for (piece, before) in pieces.before.iter().enumerate() {
            let Some(before) = *before else { continue };
            let next = &mut next[before as usize];
            if next.is_none_or(|next| pieces.sizes[piece] > pieces.sizes[next]) {
                *next = Some(piece);
            }
        }
        let mut of = vec![0_u32; count];
        let (mut parents, mut lengths) = (Vec::new(), Vec::new());
        for piece in 0..count {
            match pieces.before[piece] {
                Some(before) if next[before as usize] == Some(piece) => of[piece] = of[before as usize],
                before => {
                    of[piece] = lengths.len() as u32;
                    parents.push(before.map(|before| of[before as usize]));
                    lengths.push(0_usize);
                }
            }
            lengths[of[piece] as usize] += 1;
        }
        // A parent has a smaller number, so it is settled before what begins at it.
        let mut settled: Vec<u32> = (0..lengths.len() as u32).collect();
        for branch in 0..lengths.len() {
            if let (1, Some(parent)) = (lengths[branch], parents[branch]) {
                settled[branch] = settled[parent as usize];
            }
        }
        let mut ends = vec![(f64::INFINITY, 0.0_f64); lengths.len()];
        of.iter_mut().for_each(|branch| *branch = settled[*branch as usize]);
        for (row, &distance) in distances.iter().enumerate() {
            let (low, high) = &mut ends[of[pieces.of[row] as usize] as usize];
            (*low, *high) = (low.min(distance), high.max(distance));
        }
        Self { of, ends }
    }

    fn places(&self, pieces: &BandParts, distances: &[f64]) -> Vec<(u32, f64)> {
        let mut total = 0.0;
        let starts: Vec<f64> = self
            .ends
            .iter()
            .map(|(low, high)| {
                let start = total;
                total += (high - low).max(0.0);
                start
            })
            .collect();
        let place = |(row, &distance): (usize, &f64)| {
            let branch = self.of[pieces.of[row] as usize];
            let along = starts[branch as usize] + (distance - self.ends[branch as usize].0);
            (branch, if total > 0.0 { (along / total).min(1.0) } else { 0.0 })
        };
        distances.iter().enumerate().map(place).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Points of the plane with integer coordinates, joined where they are at most 1.5 apart.
    fn seam(points: &[(i32, i32)]) -> Vec<(u32, f64)> {
        let apart = |a: usize, b: usize| {
            let (x, y) = (points[a].0 - points[b].0, points[a].1 - points[b].1);
            f64::from(x * x + y * y).sqrt()
        };
        let near =
            |a: usize| (0..points.len()).filter(|&b| b != a && apart(a, b) < 1.5).map(|b| b as i64).collect::<Vec<_>>();
        let lists: Vec<Vec<i64>> = (0..points.len()).map(near).collect();
        places(&Neighborhoods::from_lists(&lists).unwrap(), apart)
    }

    #[test]
    fn both_banks_of_a_long_seam_have_the_same_places() {
        let points: Vec<(i32, i32)> = (0..120).map(|at| (at / 3, at % 3)).collect();
        let places = seam(&points);
        for (&(x, _), &(_, place)) in points.iter().zip(&places) {
            let share = f64::from(x) / 39.0;
            let off = (place - share).abs().min((1.0 - place - share).abs());
            assert!(off < 0.06, "{x}: {place}");
        }
    }

    #[test]
    fn points_of_one_place_are_near_each_other_on_every_branch() {
        // Three arms of three rows each, and a ring.
        let arms = (0..90).flat_map(|at| [(at / 3, at % 3), (30 + at % 3, at / 3), (30 + at % 3, -at / 3)]);
        let ring = (0..320).map(|at| {
            let angle = f64::from(at / 4) * std::f64::consts::TAU / 80.0;
            let radius = 16.0 + f64::from(at % 4);
            (200 + (radius * angle.cos()).round() as i32, (radius * angle.sin()).round() as i32)
        });
        for points in [arms.collect::<Vec<_>>(), ring.collect()] {
            let mut points: Vec<(i32, i32)> = points;
            points.sort_unstable();
            points.dedup();
            let places = seam(&points);
            for (a, one) in points.iter().zip(&places) {
                for (b, other) in points.iter().zip(&places) {
                    if (one.1 - other.1).abs() < 0.005 && one.0 == other.0 {
                        let apart = f64::from((a.0 - b.0).pow(2) + (a.1 - b.1).pow(2)).sqrt();
                        assert!(apart < 12.0, "{a:?} {b:?} {one:?} {other:?}");
                    }
                }
            }
            assert!(places.iter().all(|place| (0.0..=1.0).contains(&place.1)));
        }
    }
}
