//! Landmark alignment: frames are aligned within cells around a few landmarks, then the cells with each other.
//!
//! 1. Landmarks, farthest point first by steps on the neighbor graph, the first at the center of the graph.
//! 2. Cells: each point belongs to the landmark it is reached from first, and the landmark's frame is carried to it
//!    along the shortest path. Frames of a cell then agree, up to the errors along its paths.
//! 3. Between two cells the transport is polar(sum of w O_uv) over the links (u, v) that cross, and the weight the mean
//!    singular value of the sum: many links that agree weigh more. Landmarks are synchronized over this small graph.
//! 4. Each cell turns with its landmark, and a few averaging sweeps, O_i = polar(w_i O_i + sum_j w_ij O_ij O_j), smooth
//!    the seams.
//!
//! Goldberg and Ritov suggest landmarks in their discussion; the algorithm is this project's. Cost: O(m n) for m landmarks with
//! a tiny constant, and O(n k d^3). When it fails: cells so large that frames turn inside them.

use super::{ByDegree, Synchronized, Transports, compose, identities, synchronize};
use crate::graph::{Links, breadth_first};
use crate::linalg::{Nearest, multiply, transposed_multiply};
use crate::{Result, Run};
use rayon::prelude::*;

/// Averaging sweeps at the end.
const SWEEPS: usize = 10;
const CHUNK: usize = 1024;

/// Aligns by `count` landmarks; the transports come back turned by what was found.
pub(crate) fn align_by_landmarks(transports: &mut Transports, count: usize, run: &Run) -> Result<Synchronized> {
    let dim = transports.dim();
    let landmarks = farthest_points(transports.links(), count, run)?;
    let (cells, mut rotations) = carry(transports, &landmarks);
    transports.turn(&rotations, run);
    let mut coarse = coarsen(transports, &cells, landmarks.len());
    let mut turns = coarse.carried();
    coarse.turn(&turns, run);
    let preconditioner = ByDegree::new(coarse.links());
    let found = synchronize(&mut coarse, &preconditioner, run)?;
    compose(&mut turns, &found.rotations, dim, run);
    let size = dim * dim;
    let spread: Vec<f64> =
        cells.iter().flat_map(|&cell| &turns[cell as usize * size..(cell as usize + 1) * size]).copied().collect();
    let smooth = average(transports, spread, run)?;
    transports.turn(&smooth, run);
    compose(&mut rotations, &smooth, dim, run);
    Ok(Synchronized { rotations, ..found })
}

/// Points far from each other by steps on the graph, the center first.
fn farthest_points(links: &Links, count: usize, run: &Run) -> Result<Vec<u32>> {
    let mut distance = vec![u32::MAX; links.len()];
    let mut landmarks = Vec::with_capacity(count);
    let mut next = links.center();
    let mut queue = Vec::new();
    while landmarks.len() < count && distance[next] > 0 {
        run.check()?;
        landmarks.push(next as u32);
        // Only points that come nearer are visited, so later landmarks visit little more than their own cells.
        distance[next] = 0;
        queue.clear();
        queue.push(next as u32);
        breadth_first(&mut queue, 0, usize::MAX, |from, queue| {
            let near = distance[from as usize] + 1;
            for place in links.of(from as usize) {
                let to = links.end(place);
                if near < distance[to] {
                    distance[to] = near;
                    queue.push(to as u32);
                }
            }
        });
        next = (0..links.len()).max_by_key(|&point| (distance[point], std::cmp::Reverse(point))).unwrap_or(0);
    }
    Ok(landmarks)
}

/// The cell of each point, and the rotations that carry the frames of the landmarks through their cells.
fn carry(transports: &Transports, landmarks: &[u32]) -> (Vec<u32>, Vec<f64>) {
    let (dim, size, links) = (transports.dim(), transports.dim() * transports.dim(), transports.links());
    let mut cells = vec![u32::MAX; links.len()];
    for (number, &landmark) in landmarks.iter().enumerate() {
        cells[landmark as usize] = number as u32;
    }
    let mut rotations = identities(links.len(), dim);
    let (mut block, mut from, mut to) = (vec![0.0; size], vec![0.0; size], vec![0.0; size]);
    let mut nearest = Nearest::default();
    let mut queue = landmarks.to_vec();
    breadth_first(&mut queue, 0, usize::MAX, |point, queue| {
        let point = point as usize;
        for place in links.of(point) {
            let end = links.end(place);
            if cells[end] == u32::MAX {
                cells[end] = cells[point];
                queue.push(end as u32);
                transports.copy(place, &mut block);
                from.copy_from_slice(&rotations[point * size..(point + 1) * size]);
                transposed_multiply(&block, &from, dim, &mut to);
                nearest.find(&to, dim, &mut rotations[end * size..(end + 1) * size]);
            }
        }
    });
    (cells, rotations)
}

/// The transports between cells that links join.
fn coarsen(transports: &Transports, cells: &[u32], count: usize) -> Transports {
    let (dim, size, links) = (transports.dim(), transports.dim() * transports.dim(), transports.links());
    let mut crossing: Vec<(u32, u32, usize)> = Vec::new();
    for point in 0..links.len() {
        for place in links.of(point) {
            let (from, to) = (cells[point], cells[links.end(place)]);
            if from != to {
                crossing.push((from, to, place));
            }
        }
    }
    crossing.par_sort_unstable();
    let (mut offsets, mut ends, mut weights) = (vec![0; count + 1], Vec::new(), Vec::new());
    let mut blocks: Vec<f32> = Vec::new();
    let (mut block, mut sum, mut polar) = (vec![0.0; size], vec![0.0; size], vec![0.0; size]);
    let mut nearest = Nearest::default();
    for group in crossing.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
        sum.fill(0.0);
        for &(_, _, place) in group {
            transports.copy(place, &mut block);
            sum.iter_mut().zip(&block).for_each(|(sum, value)| *sum += links.weight(place) * value);
        }
        let trace = nearest.find(&sum, dim, &mut polar);
        blocks.extend(polar.iter().map(|&value| value as f32));
        offsets[group[0].0 as usize + 1] += 1;
        ends.push(group[0].1);
        weights.push(((trace / dim as f64) as f32).max(f32::MIN_POSITIVE));
    }
    for at in 0..count {
        offsets[at + 1] += offsets[at];
    }
    Transports::from_parts(dim, Links::from_parts(offsets, ends, weights), blocks)
}

/// Averaging sweeps over all points at once.
fn average(transports: &Transports, mut rotations: Vec<f64>, run: &Run) -> Result<Vec<f64>> {
    let (dim, size, links) = (transports.dim(), transports.dim() * transports.dim(), transports.links());
    let mut next = rotations.clone();
    for _ in 0..SWEEPS {
        run.check()?;
        run.install(|| {
            next.par_chunks_mut(CHUNK * size).enumerate().for_each(|(chunk, next)| {
                let (mut block, mut product, mut sum) = (vec![0.0; size], vec![0.0; size], vec![0.0; size]);
                let mut nearest = Nearest::default();
                for (at, turned) in next.chunks_exact_mut(size).enumerate() {
                    let point = chunk * CHUNK + at;
                    let degree = links.degree(point);
                    for (sum, own) in sum.iter_mut().zip(&rotations[point * size..(point + 1) * size]) {
                        *sum = degree * own;
                    }
                    for place in links.of(point) {
                        transports.copy(place, &mut block);
                        multiply(&block, &rotations[links.end(place) * size..][..size], dim, &mut product);
                        sum.iter_mut().zip(&product).for_each(|(sum, value)| *sum += links.weight(place) * value);
                    }
                    nearest.find(&sum, dim, turned);
                }
            });
        });
        std::mem::swap(&mut rotations, &mut next);
    }
    Ok(rotations)
}
