//! Connected components of the neighborhood graph.

use super::{DisjointSets, Neighborhoods};

/// The connected components of the neighborhood graph, numbered by their first point.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Components {
    of: Vec<u32>,
    sizes: Vec<usize>,
}

impl Neighborhoods {
    /// The connected components of the graph that joins each point with its neighbors, in either direction. They are
    /// found at the first call and stored.
    pub fn components(&self) -> &Components {
        self.components.get_or_init(|| Components::new(self))
    }

    /// Notes that the graph is connected, so that its components need not be found.
    pub(crate) fn mark_connected(&self) {
        debug_assert_eq!(Components::new(self).count(), 1);
        self.components.get_or_init(|| Components { of: vec![0; self.len()], sizes: vec![self.len()] });
    }

    /// Whether the graph is known to be connected; false where nobody asked for its components yet.
    pub(crate) fn is_known_connected(&self) -> bool {
        self.components.get().is_some_and(|components| components.count() == 1)
    }
}

impl Components {
    fn new(neighborhoods: &Neighborhoods) -> Self {
        let count = neighborhoods.len();
        let mut pieces = DisjointSets::new(count);
        for center in 0..count {
            for &member in neighborhoods.neighbors(center) {
                pieces.join(center as u32, member);
            }
        }
        let mut of = vec![0; count];
        let mut sizes: Vec<usize> = Vec::with_capacity(pieces.count());
        for point in 0..count as u32 {
            let first = pieces.first(point);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_way_links_join_and_numbers_follow_the_first_point() {
        let lists = [vec![3], vec![2], vec![1], vec![0], vec![1]];
        let neighborhoods = Neighborhoods::from_lists(&lists).unwrap();
        let components = neighborhoods.components();
        assert_eq!(components.of(), &[0, 1, 1, 0, 1]);
        assert_eq!(components.sizes(), &[2, 3]);
    }
}
