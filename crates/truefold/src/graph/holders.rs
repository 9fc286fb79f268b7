//! The other way round: the neighborhoods that hold a point, for every point, and the like of other lists.
//!
//! Counting sort of the memberships, O(sum of sizes).

use crate::neighbors::Neighborhoods;

/// For each point the centers of the neighborhoods it is a member of, its own included, in ascending order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Holders {
    offsets: Vec<usize>,
    centers: Vec<u32>,
}

impl Holders {
    /// Turns the memberships of `neighborhoods` round.
    pub(crate) fn new(neighborhoods: &Neighborhoods) -> Self {
        let (offsets, centers) = turned_round(neighborhoods.len(), |center| neighborhoods.members(center));
        Self { offsets, centers }
    }

    /// The centers of the neighborhoods that hold `point`.
    #[inline(always)]
    pub(crate) fn of(&self, point: usize) -> &[u32] {
        &self.centers[self.offsets[point]..self.offsets[point + 1]]
    }
}

/// For each of `count` numbers the rows whose lists hold it, in ascending order: where they begin, and all of them.
///
/// There are as many lists as numbers.
pub(crate) fn turned_round<'a>(count: usize, list: impl Fn(usize) -> &'a [u32]) -> (Vec<usize>, Vec<u32>) {
    let mut offsets = vec![0; count + 1];
    for row in 0..count {
        for &entry in list(row) {
            offsets[entry as usize + 1] += 1;
        }
    }
    for at in 0..count {
        offsets[at + 1] += offsets[at];
    }
    let mut next = offsets.clone();
    let mut rows = vec![0; offsets[count]];
    for row in 0..count {
        for &entry in list(row) {
            rows[next[entry as usize]] = row as u32;
            next[entry as usize] += 1;
        }
    }
    (offsets, rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_point_is_held_by_itself_and_by_those_that_list_it() {
        let neighborhoods = Neighborhoods::from_lists(&[vec![1, 2], vec![0], vec![1]]).unwrap();
        let holders = Holders::new(&neighborhoods);
        assert_eq!(holders.of(0), &[0, 1]);
        assert_eq!(holders.of(1), &[0, 1, 2]);
        assert_eq!(holders.of(2), &[0, 2]);
    }
}
