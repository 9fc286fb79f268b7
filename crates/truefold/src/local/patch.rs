//! A patch: the rows of some points, copied next to each other and taken relative to an origin.
//!
//! By coordinate, list a holds x_ja - m_a for all members j, m their mean: charts and rotations work on long lists. By
//! member, list j holds w_j (x_j - o) for a given origin o. Cost: O(m q) for m members of q coordinates.

use crate::Points;
use crate::points::{Element, with_rows};

/// What one list of a patch holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Layout {
    /// One coordinate of all members.
    ByCoordinate,
    /// All coordinates of one member.
    ByMember,
}

/// Gathered numbers and how they are laid out.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Patch<'a> {
    /// The lists, one after the other.
    pub(crate) lists: &'a [f64],
    /// Where the next list begins; what is past the numbers of a list is zero.
    pub(crate) stride: usize,
    /// The numbers of a list.
    pub(crate) length: usize,
    pub(crate) layout: Layout,
}

impl<'a> Patch<'a> {
    /// Coordinates of `size` members, each filled up with zeros to `stride` numbers.
    #[inline(always)]
    pub(crate) fn by_coordinate(lists: &'a [f64], size: usize, stride: usize) -> Self {
        Self { lists, stride, length: size, layout: Layout::ByCoordinate }
    }

    /// Members of `width` coordinates.
    #[inline(always)]
    pub(crate) fn by_member(lists: &'a [f64], width: usize) -> Self {
        Self { lists, stride: width, length: width, layout: Layout::ByMember }
    }

    /// The number of members.
    #[inline(always)]
    pub(crate) fn members(&self) -> usize {
        match self.layout {
            Layout::ByCoordinate => self.length,
            Layout::ByMember => self.lists.len() / self.stride,
        }
    }

    /// The number of coordinates.
    #[inline(always)]
    pub(crate) fn coordinates(&self) -> usize {
        match self.layout {
            Layout::ByCoordinate => self.lists.len() / self.stride,
            Layout::ByMember => self.length,
        }
    }
}

/// Gathers `members` of `points` by coordinate about their mean, each list filled up with zeros to `stride` numbers.
#[inline(always)]
pub(crate) fn gather_centered(lists: &mut Vec<f64>, points: &Points, members: &[u32], stride: usize) {
    with_rows!(points.table(), rows => {
        gather(lists, points.dim(), members.iter().map(|&member| rows.row(member as usize)), stride);
    });
    center(lists, members.len(), stride, |_| ());
}

/// Gathers rows of `dim` numbers by coordinate, each list filled up with zeros to `stride` numbers.
#[inline(always)]
pub(crate) fn gather<'a, T: Element>(
    lists: &mut Vec<f64>,
    dim: usize,
    rows: impl Iterator<Item = &'a [T]>,
    stride: usize,
) {
    lists.clear();
    lists.resize(dim * stride, 0.0);
    for (place, row) in rows.enumerate() {
        for (list, &value) in lists.chunks_exact_mut(stride).zip(row) {
            list[place] = value.wide();
        }
    }
}

/// Subtracts the mean of the first `size` numbers of each list from them; `mean` gets each of the means.
#[inline(always)]
pub(crate) fn center(lists: &mut [f64], size: usize, stride: usize, mut mean: impl FnMut(f64)) {
    for list in lists.chunks_exact_mut(stride) {
        let list = &mut list[..size];
        // Relative to the first member, so that a far origin costs no digits.
        let origin = list[0];
        let mut sum = 0.0;
        for value in list.iter_mut() {
            *value -= origin;
            sum += *value;
        }
        let middle = sum / size as f64;
        for value in list {
            *value -= middle;
        }
        mean(origin + middle);
    }
}

/// Gathers rows by member about `origin`, each times its weight.
#[inline(always)]
pub(crate) fn gather_about<'a, T: Element, O: Element>(
    lists: &mut Vec<f64>,
    origin: &[O],
    rows: impl Iterator<Item = (&'a [T], f64)>,
) {
    lists.clear();
    for (row, weight) in rows {
        lists.extend(row.iter().zip(origin).map(|(value, origin)| weight * (value.wide() - origin.wide())));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_layouts_hold_the_same_differences() {
        let points = Points::from_rows(&[[1e9, 2.0], [1e9 + 3.0, 4.0], [1e9 + 6.0, 9.0], [0.0, 0.0]]).unwrap();
        let (mut by_coordinate, mut by_member) = (Vec::new(), Vec::new());
        gather_centered(&mut by_coordinate, &points, &[2, 0, 1], 8);
        let patch = Patch::by_coordinate(&by_coordinate, 3, 8);
        assert_eq!((patch.members(), patch.coordinates()), (3, 2));
        assert_eq!(by_coordinate[..8], [3.0, -3.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
        assert_eq!(by_coordinate[8..11], [4.0, -3.0, -1.0]);
        gather_about(&mut by_member, &[1e9 + 3.0, 5.0], [2, 0, 1].into_iter().map(|row| (points.row(row), 2.0)));
        let patch = Patch::by_member(&by_member, 2);
        assert_eq!((patch.members(), patch.coordinates()), (3, 2));
        assert_eq!(by_member, [6.0, 8.0, -6.0, -6.0, 0.0, -2.0]);
        let mut means = Vec::new();
        gather(&mut by_coordinate, 2, [2, 0, 1].into_iter().map(|row| points.row(row)), 3);
        center(&mut by_coordinate, 3, 3, |mean| means.push(mean));
        assert_eq!(means, [1e9 + 3.0, 5.0]);
    }
}
