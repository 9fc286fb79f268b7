//! Transports: for each link the orthogonal O_ij that turns the frame of i best into that of j, and their Laplacian.
//!
//! O_ij = polar(P_i'P_j), the minimizer of |P_i O - P_j| over O(d), reflections allowed, so that P_i O_ij ~ P_j and
//! frames A_i = P_i O_i agree on the link where O_i = O_ij O_j. The connection Laplacian is (C x)_i = sum_j w_ij (x_i -
//! O_ij x_j); with x_i = O_i its form is sum over links of w_ij |O_i - O_ij O_j|^2. The polar factor matters: with
//! P_i'P_j itself the low eigenvectors of C are concentrated in the flat parts of the surface. Singer and Wu, "Vector diffusion
//! maps and the connection Laplacian" (2012). Cost: O(q d^2 + d^3) a link; 4 d^2 bytes are kept for each of its two
//! ends.

use super::Tangents;
use super::carry::carry;
use crate::graph::Links;
use crate::linalg::{Nearest, multiply, transposed_multiply};
use crate::{Result, Run};
use rayon::prelude::*;

/// The points of a chunk.
pub(super) const CHUNK: usize = 1024;

/// The transports of all links, each at both ends, column by column.
#[derive(Debug)]
pub(crate) struct Transports {
    dim: usize,
    links: Links,
    blocks: Vec<f32>,
    least: f64,
}

impl Transports {
    /// The transports between the frames of linked points.
    pub(crate) fn between(tangents: &Tangents, links: Links, run: &Run) -> Result<Self> {
        let (dim, cells) = (tangents.dim(), tangents.cells());
        let parts = run.chunks("transports", links.len(), CHUNK, |range| {
            let mut nearest = Nearest::default();
            let (mut own, mut other) = (vec![0.0; cells], vec![0.0; cells]);
            let (mut product, mut block) = (vec![0.0; dim * dim], vec![0.0; dim * dim]);
            let places: usize = range.clone().map(|point| links.of(point).len()).sum();
            let mut part = (Vec::with_capacity(places * dim * dim), 0.0);
            for point in range {
                tangents.copy(point, &mut own);
                for place in links.of(point) {
                    let end = links.end(place);
                    tangents.copy(end, &mut other);
                    // The same computation at both ends, so that one block is the other's transpose to the last bit.
                    let forward = point < end;
                    let (one, two) = if forward { (&own, &other) } else { (&other, &own) };
                    tangents.product(one, two, &mut product);
                    let trace = nearest.find(&product, dim, &mut block);
                    part.1 += links.weight(place) * (dim as f64 - trace);
                    part.0.extend((0..dim * dim).map(|at| block[if forward { at } else { flip(at, dim) }] as f32));
                }
            }
            Ok(part)
        })?;
        let least = parts.iter().map(|part| part.1).sum();
        let mut blocks = Vec::with_capacity(links.places() * dim * dim);
        for (part, _) in parts {
            blocks.extend(part);
        }
        Ok(Self { dim, links, blocks, least })
    }

    /// Given transports; `blocks` holds one for each place.
    pub(crate) fn from_parts(dim: usize, links: Links, blocks: Vec<f32>) -> Self {
        debug_assert_eq!(blocks.len(), links.places() * dim * dim);
        Self { dim, links, blocks, least: 0.0 }
    }

    /// The dimension d.
    pub(crate) fn dim(&self) -> usize {
        self.dim
    }

    /// The links.
    pub(crate) fn links(&self) -> &Links {
        &self.links
    }

    /// The value of f if all links could be aligned perfectly at the same time: a lower bound of f.
    pub(crate) fn least(&self) -> f64 {
        // Rounding may make it slightly negative.
        self.least.max(0.0)
    }

    /// Copies the transport at `place`.
    #[inline(always)]
    pub(crate) fn copy(&self, place: usize, block: &mut [f64]) {
        let cells = self.dim * self.dim;
        for (to, from) in block.iter_mut().zip(&self.blocks[place * cells..(place + 1) * cells]) {
            *to = f64::from(*from);
        }
    }

    /// The rotations that carry the frame at a central root down a breadth-first tree: O_j = O_ij' O_i from i to j.
    ///
    /// All links of the tree are aligned perfectly; errors add up along its branches, which are as short as possible.
    pub(crate) fn carried(&self) -> Vec<f64> {
        let (dim, cells) = (self.dim, self.dim * self.dim);
        let mut rotations = identities(self.links.len(), dim);
        let (mut block, mut product) = (vec![0.0; cells], vec![0.0; cells]);
        let mut nearest = Nearest::default();
        let walk = self.links.walk(self.links.center());
        carry(&mut rotations, cells, walk.steps(), |place, from, to| {
            self.copy(place, &mut block);
            transposed_multiply(&block, from, dim, &mut product);
            // In single precision the product would lose its orthogonality along a branch.
            nearest.find(&product, dim, to);
        });
        rotations
    }

    /// Turns the frames that the transports refer to: O_ij becomes O_i' O_ij O_j.
    pub(crate) fn turn(&mut self, rotations: &[f64], run: &Run) {
        let (dim, cells) = (self.dim, self.dim * self.dim);
        let links = &self.links;
        let rows = split_rows(&mut self.blocks, links, cells);
        run.install(|| {
            rows.into_par_iter().enumerate().for_each(|(chunk, blocks)| {
                let (mut block, mut half, mut whole) = (vec![0.0; cells], vec![0.0; cells], vec![0.0; cells]);
                let first = chunk * CHUNK;
                let start = links.of(first).start;
                for point in first..(first + CHUNK).min(links.len()) {
                    for place in links.of(point) {
                        let end = links.end(place);
                        let old = &mut blocks[(place - start) * cells..(place - start + 1) * cells];
                        let forward = point < end;
                        let (low, high) = (point.min(end), point.max(end));
                        let turned = |at: usize| if forward { at } else { flip(at, dim) };
                        for (at, value) in block.iter_mut().enumerate() {
                            *value = f64::from(old[turned(at)]);
                        }
                        multiply(&block, &rotations[high * cells..(high + 1) * cells], dim, &mut half);
                        transposed_multiply(&rotations[low * cells..(low + 1) * cells], &half, dim, &mut whole);
                        for (at, value) in old.iter_mut().enumerate() {
                            *value = whole[turned(at)] as f32;
                        }
                    }
                }
            });
        });
    }

    /// Writes C x into `output`; x has n d rows of `columns` numbers.
    pub(crate) fn apply(&self, input: &[f64], output: &mut [f64], columns: usize) {
        match (self.dim, columns) {
            (1, 1) => self.rows(1, 1, input, output),
            (2, 2) => self.rows(2, 2, input, output),
            (3, 3) => self.rows(3, 3, input, output),
            (dim, columns) => self.rows(dim, columns, input, output),
        }
    }

    /// Inlined with constant sizes where they are small.
    #[inline(always)]
    fn rows(&self, dim: usize, columns: usize, input: &[f64], output: &mut [f64]) {
        let (cells, width) = (dim * dim, dim * columns);
        output.par_chunks_mut(CHUNK * width).enumerate().for_each(|(chunk, output)| {
            for (at, out) in output.chunks_exact_mut(width).enumerate() {
                let point = chunk * CHUNK + at;
                let own = &input[point * width..(point + 1) * width];
                out.fill(0.0);
                for place in self.links.of(point) {
                    let end = self.links.end(place);
                    let other = &input[end * width..(end + 1) * width];
                    let block = &self.blocks[place * cells..(place + 1) * cells];
                    let weight = self.links.weight(place);
                    for row in 0..dim {
                        for column in 0..columns {
                            let mut rest = own[row * columns + column];
                            for inner in 0..dim {
                                rest -= f64::from(block[inner * dim + row]) * other[inner * columns + column];
                            }
                            out[row * columns + column] += weight * rest;
                        }
                    }
                }
            }
        });
    }
}

/// n identity matrices.
pub(crate) fn identities(count: usize, dim: usize) -> Vec<f64> {
    let mut values = vec![0.0; count * dim * dim];
    for block in values.chunks_exact_mut(dim * dim) {
        block.iter_mut().step_by(dim + 1).for_each(|value| *value = 1.0);
    }
    values
}

/// Each d x d matrix of `left` times that of `right`, into `left`.
pub(crate) fn compose(left: &mut [f64], right: &[f64], dim: usize, run: &Run) {
    let cells = dim * dim;
    run.install(|| {
        left.par_chunks_exact_mut(cells).zip(right.par_chunks_exact(cells)).with_min_len(CHUNK).for_each_init(
            || vec![0.0; cells],
            |product, (left, right)| {
                multiply(left, right, dim, product);
                left.copy_from_slice(product);
            },
        );
    });
}

/// The place of a cell in the transpose.
#[inline(always)]
fn flip(at: usize, dim: usize) -> usize {
    at % dim * dim + at / dim
}

/// The blocks of each chunk of rows.
pub(super) fn split_rows<'a>(mut blocks: &'a mut [f32], links: &Links, cells: usize) -> Vec<&'a mut [f32]> {
    let mut rows = Vec::with_capacity(links.len().div_ceil(CHUNK));
    for first in (0..links.len()).step_by(CHUNK) {
        let last = (first + CHUNK).min(links.len()) - 1;
        let (head, tail) = blocks.split_at_mut((links.of(last).end - links.of(first).start) * cells);
        rows.push(head);
        blocks = tail;
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dataset;
    use crate::dataset::Request;
    use crate::linalg::{dot, squared_distance};
    use crate::{Neighborhoods, Points};

    fn sphere(dim: usize) -> (Points, Neighborhoods, Tangents, Transports) {
        let request = Request::new().with_points(300).with_seed(4);
        let points = dataset::find("sphere").unwrap().sample(&request).unwrap().points;
        let run = Run::new();
        let neighborhoods = Neighborhoods::nearest(&points, 7, &run).unwrap();
        let tangents = Tangents::new(&points, &neighborhoods, dim, &run).unwrap();
        let transports = Transports::between(&tangents, Links::new(&neighborhoods, &run).unwrap(), &run).unwrap();
        (points, neighborhoods, tangents, transports)
    }

    /// sum over links of w |O_i - O_ij O_j|^2, link by link.
    fn form(transports: &Transports, rotations: &[f64]) -> f64 {
        let (dim, cells) = (transports.dim(), transports.dim() * transports.dim());
        let (mut block, mut product) = (vec![0.0; cells], vec![0.0; cells]);
        let mut sum = 0.0;
        for point in 0..transports.links().len() {
            for place in transports.links().of(point) {
                let end = transports.links().end(place);
                transports.copy(place, &mut block);
                multiply(&block, &rotations[end * cells..(end + 1) * cells], dim, &mut product);
                let own = &rotations[point * cells..(point + 1) * cells];
                sum += 0.5 * transports.links().weight(place) * squared_distance(own, &product);
            }
        }
        sum
    }

    #[test]
    fn the_laplacian_is_its_form_in_every_gauge() {
        for dim in [1, 2, 3] {
            let (_, _, _, mut transports) = sphere(dim);
            let cells = dim * dim;
            let carried = transports.carried();
            let by_rows = |values: &[f64]| -> Vec<f64> {
                values.chunks_exact(cells).flat_map(|block| (0..cells).map(|at| block[flip(at, dim)])).collect()
            };
            let apply = |transports: &Transports, rotations: &[f64]| {
                let rows = by_rows(rotations);
                let mut image = vec![0.0; rows.len()];
                transports.apply(&rows, &mut image, dim);
                dot(&rows, &image)
            };
            let expected = form(&transports, &carried);
            // Transports are held in single precision, so the form is good to that share of sum w |O_i|^2.
            let slack = 1e-6 * 16.0 * dot(&carried, &carried);
            assert!((apply(&transports, &carried) - expected).abs() < slack);
            // Turned by the tree, the same frames are identities.
            transports.turn(&carried, &Run::new());
            let identity = identities(300, dim);
            assert!((apply(&transports, &identity) - expected).abs() < slack);
            let again = transports.carried();
            for (a, b) in again.chunks_exact(cells).zip(identities(300, dim).chunks_exact(cells)) {
                assert!(a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-5), "{a:?}");
            }
        }
    }

    #[test]
    fn blocks_at_both_ends_are_transposes_to_the_bit() {
        let (_, _, _, mut transports) = sphere(2);
        let carried = transports.carried();
        for _ in 0..2 {
            let links = transports.links();
            for point in 0..links.len() {
                for place in links.of(point) {
                    let end = links.end(place);
                    let back = links.of(end).find(|&back| links.end(back) == point).unwrap();
                    let (one, other) = (&transports.blocks[place * 4..][..4], &transports.blocks[back * 4..][..4]);
                    assert_eq!([one[0], one[1], one[2], one[3]], [other[0], other[2], other[1], other[3]]);
                }
            }
            transports.turn(&carried, &Run::new());
        }
    }

    #[test]
    fn no_rotations_beat_the_least() {
        let (_, _, mut tangents, transports) = sphere(2);
        tangents.turn(&transports.carried(), &Run::new());
        let (mut own, mut other) = (vec![0.0; 6], vec![0.0; 6]);
        let mut f = 0.0;
        for point in 0..300 {
            tangents.copy(point, &mut own);
            for place in transports.links().of(point) {
                tangents.copy(transports.links().end(place), &mut other);
                f += 0.5 * transports.links().weight(place) * squared_distance(&own, &other);
            }
        }
        assert!(transports.least() > 0.0 && f >= transports.least(), "{f} {}", transports.least());
    }
}
