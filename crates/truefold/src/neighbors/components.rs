//! Connected components of the neighborhood graph, by union of sets.

use super::Neighborhoods;

/// The pieces into which the neighborhood graph falls, numbered by their first point.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Components {
    of: Vec<u32>,
    sizes: Vec<usize>,
}

impl Components {
    pub(super) fn new(neighborhoods: &Neighborhoods) -> Self {
        let count = neighborhoods.len();
        let mut parent: Vec<u32> = (0..count as u32).collect();
        for center in 0..count {
            let mut a = root(&mut parent, center as u32);
            for &member in neighborhoods.neighbors(center) {
                if parent[member as usize] == a {
                    continue;
                }
                let b = root(&mut parent, member);
                // The smaller number becomes the root, so that a root is the first point of its piece.
                parent[a.max(b) as usize] = a.min(b);
                a = a.min(b);
            }
        }
        let mut of = vec![0; count];
        let mut sizes: Vec<usize> = Vec::new();
        for point in 0..count as u32 {
            let first = root(&mut parent, point);
            if first == point {
                of[point as usize] = sizes.len() as u32;
                sizes.push(0);
            } else {
                of[point as usize] = of[first as usize];
            }
            sizes[of[point as usize] as usize] += 1;
        }
        Self { of, sizes }
    }

    /// The number of components.
    pub fn count(&self) -> usize {
        self.sizes.len()
    }

    /// The number of points in each component.
    pub fn sizes(&self) -> &[usize] {
        &self.sizes
    }

    /// The component of each point.
    pub fn of(&self) -> &[u32] {
        &self.of
    }
}

/// The point that stands for all those joined with `point`; the way to it is halved for the next time.
pub(crate) fn root(parent: &mut [u32], mut point: u32) -> u32 {
    while parent[point as usize] != point {
        let grandparent = parent[parent[point as usize] as usize];
        parent[point as usize] = grandparent;
        point = grandparent;
    }
    point
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_way_links_join_and_numbers_follow_the_first_point() {
        let lists = [vec![3], vec![2], vec![1], vec![0], vec![1]];
        let components = Neighborhoods::from_lists(&lists).unwrap().components();
        assert_eq!(components.of(), &[0, 1, 1, 0, 1]);
        assert_eq!(components.sizes(), &[2, 3]);
    }
}
