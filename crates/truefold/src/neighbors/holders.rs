//! The other way round: the neighborhoods that hold a point, for every point.
//!
//! Counting sort of the memberships, O(sum of sizes).

use super::Neighborhoods;

/// For each point the centers of the neighborhoods it is a member of, its own included, in ascending order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Holders {
    offsets: Vec<usize>,
    centers: Vec<u32>,
}

impl Holders {
    /// Turns the memberships of `neighborhoods` round.
    pub(crate) fn new(neighborhoods: &Neighborhoods) -> Self {
        let count = neighborhoods.len();
        let mut offsets = vec![0; count + 1];
        for center in 0..count {
            for &member in neighborhoods.members(center) {
                offsets[member as usize + 1] += 1;
            }
        }
        for at in 0..count {
            offsets[at + 1] += offsets[at];
        }
        let mut next = offsets.clone();
        let mut centers = vec![0; neighborhoods.memberships()];
        for center in 0..count {
            for &member in neighborhoods.members(center) {
                centers[next[member as usize]] = center as u32;
                next[member as usize] += 1;
            }
        }
        Self { offsets, centers }
    }

    /// The centers of the neighborhoods that hold `point`.
    #[inline(always)]
    pub(crate) fn of(&self, point: usize) -> &[u32] {
        &self.centers[self.offsets[point]..self.offsets[point + 1]]
    }
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
