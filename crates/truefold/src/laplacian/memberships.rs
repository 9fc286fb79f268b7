//! Which points each neighborhood holds and which neighborhoods hold each point, in the solver's own numbering.
//!
//! Points are renumbered along a breadth-first walk of the neighborhood graph (`graph/locality.rs`), because every pass of
//! the solver gathers rows of neighbors. Cost: O(memberships), once.

use crate::graph::{Adjacency, breadth_first_order};
use crate::linalg::block::permute;
use crate::{Components, Neighborhoods};

/// The memberships in both directions in the solver's own numbering of the points.
#[derive(Debug)]
pub(super) struct Memberships {
    /// For each place of the solver's numbering, the point there.
    order: Vec<u32>,
    /// For each point, its place.
    place: Vec<u32>,
    /// For each neighborhood, its members; neighborhoods are numbered like their centers.
    pub(super) members: Adjacency,
    /// For each point, the neighborhoods that hold it.
    pub(super) holders: Adjacency,
    /// For each place, the connected component it is in.
    component: Vec<u32>,
    /// The number of points in each component.
    sizes: Vec<usize>,
}

impl Memberships {
    pub(super) fn new(neighborhoods: &Neighborhoods, components: &Components) -> Self {
        let given = Adjacency::members(neighborhoods);
        let (order, place) = breadth_first_order(&given, &given.transposed());
        let mut members = Adjacency::with_capacity(order.len(), given.entries());
        let mut list = Vec::new();
        for &point in &order {
            list.clear();
            list.extend(given.of(point as usize).iter().map(|&member| place[member as usize]));
            list.sort_unstable();
            members.push(list.iter().copied());
        }
        let component = order.iter().map(|&point| components.of()[point as usize]).collect();
        Self { holders: members.transposed(), members, order, place, component, sizes: components.sizes().to_vec() }
    }

    pub(super) fn len(&self) -> usize {
        self.order.len()
    }

    /// The place of a point.
    pub(super) fn place(&self, point: usize) -> usize {
        self.place[point] as usize
    }

    /// Rows in the caller's numbering into the solver's.
    pub(super) fn inward(&self, to: &mut [f64], from: &[f64], columns: usize) {
        permute(to, from, &self.order, columns);
    }

    /// Rows in the solver's numbering into the caller's.
    pub(super) fn outward(&self, to: &mut [f64], from: &[f64], columns: usize) {
        permute(to, from, &self.place, columns);
    }

    /// Subtracts from each column its mean over each component.
    pub(super) fn center(&self, values: &mut [f64], columns: usize) {
        let mut sums = vec![0.0; self.sizes.len() * columns];
        for (row, &component) in values.chunks_exact(columns).zip(&self.component) {
            for (sum, value) in sums[component as usize * columns..][..columns].iter_mut().zip(row) {
                *sum += value;
            }
        }
        for (sums, &size) in sums.chunks_exact_mut(columns).zip(&self.sizes) {
            sums.iter_mut().for_each(|sum| *sum /= size as f64);
        }
        for (row, &component) in values.chunks_exact_mut(columns).zip(&self.component) {
            for (value, mean) in row.iter_mut().zip(&sums[component as usize * columns..][..columns]) {
                *value -= mean;
            }
        }
    }

    /// The first place of each component.
    pub(super) fn first_of_components(&self) -> Vec<u32> {
        let mut first = vec![u32::MAX; self.sizes.len()];
        for (place, &component) in self.component.iter().enumerate().rev() {
            first[component as usize] = place as u32;
        }
        first
    }

    /// The bytes held.
    pub(super) fn bytes(&self) -> usize {
        self.members.bytes() + self.holders.bytes() + 12 * self.len() + 8 * self.sizes.len()
    }
}
