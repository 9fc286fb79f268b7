//! Sets of points that links join one by one (union-find).

/// Points that links have joined into pieces; each piece is named by its first point.
#[derive(Debug)]
pub(crate) struct DisjointSets {
    parent: Vec<u32>,
    count: usize,
}

impl DisjointSets {
    /// Every one of `count` points is a piece of its own.
    pub(crate) fn new(count: usize) -> Self {
        Self { parent: (0..count as u32).collect(), count }
    }

    /// The number of pieces.
    pub(crate) fn count(&self) -> usize {
        self.count
    }

    /// The first point of the piece that holds `point`; the path to it is halved for the next time.
    pub(crate) fn first(&mut self, mut point: u32) -> u32 {
        while self.parent[point as usize] != point {
            let grandparent = self.parent[self.parent[point as usize] as usize];
            self.parent[point as usize] = grandparent;
            point = grandparent;
        }
        point
    }

    /// Whether no links lead from one point to the other.
    pub(crate) fn are_apart(&mut self, a: u32, b: u32) -> bool {
        self.first(a) != self.first(b)
    }

    /// Joins the pieces of two points; whether they were apart.
    pub(crate) fn join(&mut self, a: u32, b: u32) -> bool {
        let (a, b) = (self.first(a), self.first(b));
        if a == b {
            return false;
        }
        self.parent[a.max(b) as usize] = a.min(b);
        self.count -= 1;
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_joined_and_named_by_their_first_point() {
        let mut pieces = DisjointSets::new(6);
        assert!(pieces.join(5, 4) && pieces.join(4, 2) && pieces.join(0, 3));
        assert!(!pieces.join(2, 5));
        assert_eq!(pieces.count(), 3);
        assert_eq!((0..6).map(|point| pieces.first(point)).collect::<Vec<_>>(), [0, 1, 2, 0, 2, 2]);
        assert!(pieces.are_apart(3, 5) && pieces.join(3, 5) && !pieces.are_apart(4, 0));
        assert_eq!((pieces.count(), pieces.first(4)), (2, 0));
    }
}
