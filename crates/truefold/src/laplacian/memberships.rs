//! Which points each neighborhood holds and which neighborhoods hold each point, renumbered so that near is near.
//!
//! Points are renumbered along a breadth-first walk of the neighborhood graph, because every pass of the solver gathers
//! rows of neighbors and a row that is near in memory is free. Cost: O(memberships), once.

use crate::graph::turned_round;
use crate::linalg::block::permute;
use crate::{Components, Neighborhoods};

/// One list of numbers per row.
#[derive(Debug)]
pub(super) struct Lists {
    offsets: Vec<usize>,
    entries: Vec<u32>,
}

impl Lists {
    /// The list of one row.
    #[inline(always)]
    pub(super) fn get(&self, row: usize) -> &[u32] {
        &self.entries[self.offsets[row]..self.offsets[row + 1]]
    }

    /// For each number, the rows whose list holds it, in increasing order.
    fn transposed(&self) -> Self {
        let (offsets, entries) = turned_round(self.offsets.len() - 1, |row| self.get(row));
        Self { offsets, entries }
    }
}

/// The memberships in both directions in the solver's own numbering of the points.
#[derive(Debug)]
pub(super) struct Memberships {
    /// For each place of the solver's numbering, the point there.
    order: Vec<u32>,
    /// For each point, its place.
    place: Vec<u32>,
    /// For each neighborhood, its members; neighborhoods are numbered like their centers.
    pub(super) members: Lists,
    /// For each point, the neighborhoods that hold it.
    pub(super) holders: Lists,
    /// For each place, the connected component it is in.
    component: Vec<u32>,
    /// The number of points in each component.
    sizes: Vec<usize>,
}

impl Memberships {
    pub(super) fn new(neighborhoods: &Neighborhoods, components: &Components) -> Self {
        let given = Lists {
            offsets: std::iter::once(0)
                .chain((0..neighborhoods.len()).scan(0, |end, index| {
                    *end += neighborhoods.members(index).len();
                    Some(*end)
                }))
                .collect(),
            entries: (0..neighborhoods.len()).flat_map(|index| neighborhoods.members(index)).copied().collect(),
        };
        let (order, place) = breadth_first(&given, &given.transposed());
        let mut offsets = Vec::with_capacity(order.len() + 1);
        let mut entries = Vec::with_capacity(given.entries.len());
        offsets.push(0);
        for &point in &order {
            let start = entries.len();
            entries.extend(given.get(point as usize).iter().map(|&member| place[member as usize]));
            entries[start..].sort_unstable();
            offsets.push(entries.len());
        }
        let members = Lists { offsets, entries };
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

    /// Takes the mean of each component off each column.
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
        let lists = |lists: &Lists| size_of_val(&lists.offsets[..]) + size_of_val(&lists.entries[..]);
        lists(&self.members) + lists(&self.holders) + 12 * self.len() + 8 * self.sizes.len()
    }
}

/// The points in the order of a breadth-first walk along memberships in either direction, and the place of each.
fn breadth_first(members: &Lists, holders: &Lists) -> (Vec<u32>, Vec<u32>) {
    let count = members.offsets.len() - 1;
    let mut order: Vec<u32> = Vec::with_capacity(count);
    let mut place = vec![u32::MAX; count];
    for root in 0..count {
        if place[root] != u32::MAX {
            continue;
        }
        place[root] = order.len() as u32;
        order.push(root as u32);
        let mut next = order.len() - 1;
        while next < order.len() {
            let point = order[next] as usize;
            next += 1;
            for &other in members.get(point).iter().chain(holders.get(point)) {
                if place[other as usize] == u32::MAX {
                    place[other as usize] = order.len() as u32;
                    order.push(other);
                }
            }
        }
    }
    (order, place)
}
