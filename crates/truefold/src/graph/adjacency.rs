//! Compressed lists of points, one list per point: the members of neighborhoods, the neighborhoods that hold a point,
//! the links of the undirected neighborhood graph.
//!
//! All lists lie one after the other in one table. Turning them round is a counting sort, O(sum of sizes).

use crate::neighbors::Neighborhoods;
use std::ops::Range;

/// One list of points per point.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Adjacency {
    offsets: Vec<usize>,
    ends: Vec<u32>,
}

impl Adjacency {
    /// No lists yet; [`push`](Self::push) adds them.
    pub(crate) fn with_capacity(lists: usize, entries: usize) -> Self {
        let mut offsets = Vec::with_capacity(lists + 1);
        offsets.push(0);
        Self { offsets, ends: Vec::with_capacity(entries) }
    }

    /// From where each list begins, the end of the last one included, and all entries.
    pub(crate) fn from_parts(offsets: Vec<usize>, ends: Vec<u32>) -> Self {
        debug_assert!(offsets.first() == Some(&0) && offsets.last() == Some(&ends.len()));
        Self { offsets, ends }
    }

    /// For each point the members of its neighborhood, itself first.
    pub(crate) fn members(neighborhoods: &Neighborhoods) -> Self {
        let mut members = Self::with_capacity(neighborhoods.len(), neighborhoods.memberships());
        (0..neighborhoods.len()).for_each(|center| members.push(neighborhoods.members(center).iter().copied()));
        members
    }

    /// For each point the centers of the neighborhoods that hold it, itself included, in increasing order.
    pub(crate) fn holders(neighborhoods: &Neighborhoods) -> Self {
        Self::transposed_of(neighborhoods.len(), |center| neighborhoods.members(center))
    }

    /// For each point the others that list it as a neighbor, in increasing order.
    pub(crate) fn listed_by(neighborhoods: &Neighborhoods) -> Self {
        Self::transposed_of(neighborhoods.len(), |center| neighborhoods.neighbors(center))
    }

    /// For each point those whose lists hold it, in increasing order.
    pub(crate) fn transposed(&self) -> Self {
        Self::transposed_of(self.len(), |point| self.of(point))
    }

    /// For each of `count` points those whose lists hold it, in increasing order.
    fn transposed_of<'a>(count: usize, list: impl Fn(usize) -> &'a [u32]) -> Self {
        let mut offsets = vec![0; count + 1];
        for point in 0..count {
            for &entry in list(point) {
                offsets[entry as usize + 1] += 1;
            }
        }
        for point in 0..count {
            offsets[point + 1] += offsets[point];
        }
        let mut next = offsets.clone();
        let mut ends = vec![0; offsets[count]];
        for point in 0..count {
            for &entry in list(point) {
                ends[next[entry as usize]] = point as u32;
                next[entry as usize] += 1;
            }
        }
        Self { offsets, ends }
    }

    /// Appends the list of the next point.
    pub(crate) fn push(&mut self, list: impl Iterator<Item = u32>) {
        self.ends.extend(list);
        self.offsets.push(self.ends.len());
    }

    /// Gives back what was taken for more entries than there are.
    pub(crate) fn fit(&mut self) {
        self.ends.shrink_to_fit();
    }

    /// The number of lists.
    pub(crate) fn len(&self) -> usize {
        self.offsets.len() - 1
    }

    /// The number of entries of all lists.
    pub(crate) fn entries(&self) -> usize {
        self.ends.len()
    }

    /// The list of `point`.
    #[inline(always)]
    pub(crate) fn of(&self, point: usize) -> &[u32] {
        &self.ends[self.places(point)]
    }

    /// Where the list of `point` lies among all entries.
    #[inline(always)]
    pub(crate) fn places(&self, point: usize) -> Range<usize> {
        self.offsets[point]..self.offsets[point + 1]
    }

    /// The entry at one of the places.
    #[inline(always)]
    pub(crate) fn end(&self, place: usize) -> u32 {
        self.ends[place]
    }

    /// The bytes held.
    pub(crate) fn bytes(&self) -> usize {
        size_of_val(&self.offsets[..]) + size_of_val(&self.ends[..])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_point_is_held_by_itself_and_by_those_that_list_it() {
        let neighborhoods = Neighborhoods::from_lists(&[vec![1, 2], vec![0], vec![1]]).unwrap();
        let holders = Adjacency::holders(&neighborhoods);
        assert_eq!(holders.of(0), &[0, 1]);
        assert_eq!(holders.of(1), &[0, 1, 2]);
        assert_eq!(holders.of(2), &[0, 2]);
        let members = Adjacency::members(&neighborhoods);
        assert_eq!(members.transposed(), holders);
        assert_eq!((members.of(0), members.places(1), members.entries()), (&[0, 1, 2][..], 3..5, 7));
        let listed = Adjacency::listed_by(&neighborhoods);
        assert_eq!((listed.of(0), listed.of(1), listed.of(2)), (&[1][..], &[0, 2][..], &[0][..]));
    }
}
