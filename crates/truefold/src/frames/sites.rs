//! Sites: the rotations O_i of all frames, and what turning one of them does to f.
//!
//! f = sum over links of 2 w_ij (d - tr(O_i' Z_ij O_j)) with Z_ij = P_i'P_j, so only d x d blocks are needed. With the
//! field M_i = sum_j w_ij Z_ij O_j the part of f that depends on O_i is -2 tr(O_i'M_i): a move costs O(k d^3), and the
//! minimum is at O_i = polar(M_i). Goldberg and Ritov, eq. 5 and section 4.3. Cost: 4 d^2 bytes for each end
//! of a link.

use super::Tangents;
use crate::graph::Links;
use crate::linalg::{Nearest, add_scaled, dot, multiply, transposed_multiply};
use crate::{Result, Run};

/// How far a zero-temperature move goes: 1 is to the minimum, 2 would be on the other side with the same f.
const OVER_RELAXATION: f64 = 1.8;
/// Neighbors are aligned if they reach at least the cosine of 30 degrees of the best that their frames allow.
const ALIGNED: f64 = 0.866;

/// All rotations and the blocks between linked frames.
#[derive(Debug)]
pub(crate) struct Sites<'a> {
    dim: usize,
    links: &'a Links,
    blocks: Vec<f32>,
    rotations: Vec<f64>,
}

impl<'a> Sites<'a> {
    pub(crate) fn new(tangents: &Tangents, links: &'a Links, rotations: Vec<f64>, run: &Run) -> Result<Self> {
        let (dim, cells) = (tangents.dim(), tangents.cells());
        let parts = run.chunks("blocks", links.len(), 1024, |range| {
            let (mut own, mut other) = (vec![0.0; cells], vec![0.0; cells]);
            let (mut block, mut part) = (vec![0.0; dim * dim], Vec::new());
            for point in range {
                tangents.copy(point, &mut own);
                for place in links.of(point) {
                    tangents.copy(links.end(place), &mut other);
                    tangents.product(&own, &other, &mut block);
                    part.extend(block.iter().map(|&value| value as f32));
                }
            }
            Ok(part)
        })?;
        Ok(Self { dim, links, blocks: parts.concat(), rotations })
    }

    pub(crate) fn len(&self) -> usize {
        self.links.len()
    }

    pub(crate) fn dim(&self) -> usize {
        self.dim
    }

    pub(crate) fn rotations(&self) -> &[f64] {
        &self.rotations
    }

    pub(crate) fn set_rotations(&mut self, rotations: &[f64]) {
        self.rotations.copy_from_slice(rotations);
    }

    #[inline(always)]
    pub(crate) fn rotation(&self, site: usize) -> &[f64] {
        let cells = self.dim * self.dim;
        &self.rotations[site * cells..(site + 1) * cells]
    }

    pub(crate) fn set(&mut self, site: usize, rotation: &[f64]) {
        let cells = self.dim * self.dim;
        self.rotations[site * cells..(site + 1) * cells].copy_from_slice(rotation);
    }

    /// M_i.
    #[inline(always)]
    pub(crate) fn field(&self, site: usize, field: &mut [f64]) {
        match self.dim {
            2 => self.sum_field(2, site, field),
            dim => self.sum_field(dim, site, field),
        }
    }

    #[inline(always)]
    fn sum_field(&self, dim: usize, site: usize, field: &mut [f64]) {
        let field = &mut field[..dim * dim];
        field.fill(0.0);
        for place in self.links.of(site) {
            let weight = self.links.weight(place);
            let other = &self.rotations[self.links.end(place) * dim * dim..][..dim * dim];
            let block = &self.blocks[place * dim * dim..][..dim * dim];
            for column in 0..dim {
                for inner in 0..dim {
                    let factor = weight * other[column * dim + inner];
                    for row in 0..dim {
                        field[column * dim + row] += factor * f64::from(block[inner * dim + row]);
                    }
                }
            }
        }
    }

    /// The rotation O_ij O_j that aligns a site with the other end of its link at `place`.
    pub(crate) fn aligning(&self, place: usize, nearest: &mut Nearest, rotation: &mut [f64]) {
        let cells = self.dim * self.dim;
        let block: Vec<f64> = self.blocks[place * cells..(place + 1) * cells].iter().copied().map(f64::from).collect();
        let mut product = vec![0.0; cells];
        multiply(&block, self.rotation(self.links.end(place)), self.dim, &mut product);
        nearest.find(&product, self.dim, rotation);
    }

    /// The places of the links of a site.
    #[inline(always)]
    pub(crate) fn places(&self, site: usize) -> std::ops::Range<usize> {
        self.links.of(site)
    }

    /// f of all rotations as they are.
    pub(crate) fn objective(&self) -> f64 {
        let mut field = vec![0.0; self.dim * self.dim];
        let (mut most, mut aligned) = (0.0, 0.0);
        for site in 0..self.len() {
            self.field(site, &mut field);
            aligned += dot(&field, self.rotation(site));
            most += self.links.degree(site) * self.dim as f64;
        }
        most - aligned
    }

    /// Turns every site toward the minimum of f given its neighbors, one after the other, and returns how much f fell.
    pub(crate) fn settle(&mut self) -> f64 {
        let (dim, cells) = (self.dim, self.dim * self.dim);
        let (mut field, mut best, mut trial) = (vec![0.0; cells], vec![0.0; cells], vec![0.0; cells]);
        let mut nearest = Nearest::default();
        let mut fallen = 0.0;
        for site in 0..self.len() {
            self.field(site, &mut field);
            let before = dot(&field, self.rotation(site));
            nearest.find(&field, dim, &mut best);
            let mut beyond: Vec<f64> = best.iter().map(|value| value * OVER_RELAXATION).collect();
            add_scaled(&mut beyond, 1.0 - OVER_RELAXATION, self.rotation(site));
            nearest.find(&beyond, dim, &mut trial);
            let after = dot(&field, &trial);
            if after >= before {
                self.set(site, &trial);
                fallen += 2.0 * (after - before);
            } else {
                fallen += 2.0 * (dot(&field, &best) - before);
                self.set(site, &best);
            }
        }
        fallen
    }

    /// Whether each site is in the largest cluster of sites that a chain of aligned links joins.
    pub(crate) fn largest_cluster(&self) -> Vec<bool> {
        let mut cluster = vec![u32::MAX; self.len()];
        let mut sizes: Vec<usize> = Vec::new();
        let mut queue = Vec::new();
        let mut nearest = Nearest::default();
        for root in 0..self.len() {
            if cluster[root] != u32::MAX {
                continue;
            }
            let number = sizes.len() as u32;
            cluster[root] = number;
            sizes.push(0);
            queue.push(root);
            while let Some(site) = queue.pop() {
                sizes[number as usize] += 1;
                for place in self.links.of(site) {
                    let end = self.links.end(place);
                    if cluster[end] == u32::MAX && self.aligned(site, place, &mut nearest) {
                        cluster[end] = number;
                        queue.push(end);
                    }
                }
            }
        }
        let largest = (0..sizes.len()).max_by_key(|&at| (sizes[at], sizes.len() - at)).unwrap_or(0) as u32;
        cluster.iter().map(|&number| number == largest).collect()
    }

    /// The share of the links that are not aligned.
    pub(crate) fn misaligned(&self) -> f64 {
        let mut nearest = Nearest::default();
        let places = (0..self.len()).flat_map(|site| self.links.of(site).map(move |place| (site, place)));
        places.filter(|&(site, place)| !self.aligned(site, place, &mut nearest)).count() as f64
            / self.links.places().max(1) as f64
    }

    fn aligned(&self, site: usize, place: usize, nearest: &mut Nearest) -> bool {
        let (dim, cells) = (self.dim, self.dim * self.dim);
        let block: Vec<f64> = self.blocks[place * cells..(place + 1) * cells].iter().copied().map(f64::from).collect();
        let mut turned = vec![0.0; cells];
        transposed_multiply(&block, self.rotation(site), dim, &mut turned);
        let reached = dot(&turned, self.rotation(self.links.end(place)));
        let mut polar = vec![0.0; cells];
        reached >= ALIGNED * nearest.find(&block, dim, &mut polar)
    }
}
