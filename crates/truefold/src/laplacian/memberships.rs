//! Which points each neighborhood holds and which neighborhoods hold each point, in the solver's own numbering.
//!
//! Points are renumbered along a breadth-first walk of the neighborhood graph (`graph/locality.rs`), because every pass of
//! the solver gathers rows of neighbors; where near points are near in memory already, they keep their numbers and the lists
//! are those given. Cost: O(memberships), once.

use crate::graph::{Adjacency, breadth_first_order};
use crate::linalg::block::{permute, subtract_means};
use crate::{Components, Neighborhoods};

/// The memberships in both directions in the solver's own numbering of the points.
#[derive(Debug)]
pub(super) struct Memberships<'a> {
    numbering: Numbering<'a>,
    /// For each point, the neighborhoods that hold it.
    pub(super) holders: Adjacency,
    /// For each place, the connected component it is in; empty where there is only one.
    component: Vec<u32>,
    /// The number of points in each component.
    sizes: Vec<usize>,
}

/// The numbers of the points, and the members of each neighborhood; neighborhoods are numbered like their centers.
#[derive(Debug)]
enum Numbering<'a> {
    /// As given.
    Given(&'a Neighborhoods),
    /// For each place the point there, and for each point its place.
    Walked { order: Vec<u32>, place: Vec<u32>, members: Adjacency },
}

impl<'a> Memberships<'a> {
    pub(super) fn new(neighborhoods: &'a Neighborhoods, components: &Components) -> Self {
        let (numbering, holders) = if neighborhoods.is_near() {
            (Numbering::Given(neighborhoods), Adjacency::holders(neighborhoods))
        } else {
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
            let holders = members.transposed();
            (Numbering::Walked { order, place, members }, holders)
        };
        let of = components.of();
        let component = match &numbering {
            _ if components.sizes().len() == 1 => Vec::new(),
            Numbering::Given(_) => of.to_vec(),
            Numbering::Walked { order, .. } => order.iter().map(|&point| of[point as usize]).collect(),
        };
        Self { numbering, holders, component, sizes: components.sizes().to_vec() }
    }

    pub(super) fn len(&self) -> usize {
        self.holders.len()
    }

    /// The members of a neighborhood.
    #[inline(always)]
    pub(super) fn members(&self, at: usize) -> &[u32] {
        match &self.numbering {
            Numbering::Given(neighborhoods) => neighborhoods.members(at),
            Numbering::Walked { members, .. } => members.of(at),
        }
    }

    /// The place of a point.
    pub(super) fn place(&self, point: usize) -> usize {
        match &self.numbering {
            Numbering::Given(_) => point,
            Numbering::Walked { place, .. } => place[point] as usize,
        }
    }

    /// Whether points keep their numbers.
    pub(super) fn is_as_given(&self) -> bool {
        matches!(self.numbering, Numbering::Given(_))
    }

    /// Rows in the caller's numbering into the solver's.
    pub(super) fn inward(&self, to: &mut [f64], from: &[f64], columns: usize) {
        match &self.numbering {
            Numbering::Given(_) => to.copy_from_slice(from),
            Numbering::Walked { order, .. } => permute(to, from, order, columns),
        }
    }

    /// Rows in the solver's numbering into the caller's.
    pub(super) fn outward(&self, to: &mut [f64], from: &[f64], columns: usize) {
        match &self.numbering {
            Numbering::Given(_) => to.copy_from_slice(from),
            Numbering::Walked { place, .. } => permute(to, from, place, columns),
        }
    }

    /// Subtracts from each column its mean over each component.
    pub(super) fn center(&self, values: &mut [f64], columns: usize) {
        if self.component.is_empty() {
            subtract_means(values, columns);
            return;
        }
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
        if self.component.is_empty() {
            return vec![0];
        }
        let mut first = vec![u32::MAX; self.sizes.len()];
        for (place, &component) in self.component.iter().enumerate().rev() {
            first[component as usize] = place as u32;
        }
        first
    }

    /// The bytes held.
    pub(super) fn bytes(&self) -> usize {
        let numbering = match &self.numbering {
            Numbering::Given(_) => 0,
            Numbering::Walked { members, .. } => members.bytes() + 8 * self.len(),
        };
        numbering + self.holders.bytes() + 4 * self.component.len() + 8 * self.sizes.len()
    }
}
