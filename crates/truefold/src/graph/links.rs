//! Links: the neighbor graph without directions, each link listed at both of its ends.
//!
//! i and j are linked if j is in Neighbors(i) or i in Neighbors(j), and the link weighs 2 if both hold: a sum over all
//! links then equals the sum over i and over j in Neighbors(i). Cost: O(n k log k).

use super::adjacency::Adjacency;
use super::breadth_first::breadth_first;
use crate::{Neighborhoods, Result, Run};

/// An undirected graph with weights, by increasing end.
#[derive(Debug, Clone)]
pub(crate) struct Links {
    lists: Adjacency,
    weights: Vec<f32>,
}

impl Links {
    /// The links between neighbors.
    pub(crate) fn new(neighborhoods: &Neighborhoods, run: &Run) -> Result<Self> {
        let count = neighborhoods.len();
        let listed_by = Adjacency::listed_by(neighborhoods);
        let parts = run.chunks("links", count, 4096, |range| {
            let (mut own, mut part) = (Vec::new(), (Vec::with_capacity(range.len()), Vec::new()));
            for center in range {
                let before = part.1.len();
                append_links(neighborhoods, &listed_by, center, &mut own, &mut part.1);
                part.0.push(part.1.len() - before);
            }
            Ok(part)
        })?;
        let total = parts.iter().map(|part| part.1.len()).sum();
        let mut links = Self { lists: Adjacency::with_capacity(count, total), weights: Vec::with_capacity(total) };
        for (lengths, list) in parts {
            let mut start = 0;
            for length in lengths {
                links.lists.push(list[start..start + length].iter().map(|link| link.0));
                start += length;
            }
            links.weights.extend(list.iter().map(|link| link.1));
        }
        Ok(links)
    }

    /// From lists that are known to be symmetric, by increasing end and without loops.
    pub(crate) fn from_parts(offsets: Vec<usize>, ends: Vec<u32>, weights: Vec<f32>) -> Self {
        debug_assert_eq!(ends.len(), weights.len());
        Self { lists: Adjacency::from_parts(offsets, ends), weights }
    }

    /// The number of points.
    pub(crate) fn len(&self) -> usize {
        self.lists.len()
    }

    /// The number of places: two for each link.
    pub(crate) fn places(&self) -> usize {
        self.lists.entries()
    }

    /// The places of the links of `point`.
    #[inline(always)]
    pub(crate) fn of(&self, point: usize) -> std::ops::Range<usize> {
        self.lists.places(point)
    }

    /// The other end of the link at `place`.
    #[inline(always)]
    pub(crate) fn end(&self, place: usize) -> usize {
        self.lists.end(place) as usize
    }

    /// The weight of the link at `place`.
    #[inline(always)]
    pub(crate) fn weight(&self, place: usize) -> f64 {
        f64::from(self.weights[place])
    }

    /// The sum of the weights of the links of `point`.
    pub(crate) fn degree(&self, point: usize) -> f64 {
        self.of(point).map(|place| self.weight(place)).sum()
    }

    /// The tree of the breadth-first walk from `root`: each point with the link that reached it, in the row of the point
    /// before it.
    pub(crate) fn walk(&self, root: usize) -> LinkTree {
        let mut seen = vec![false; self.len()];
        let mut order = Vec::with_capacity(self.len());
        let mut through = Vec::with_capacity(self.len());
        seen[root] = true;
        order.push(root as u32);
        through.push((root as u32, usize::MAX));
        breadth_first(&mut order, 0, usize::MAX, |from, order| {
            for place in self.of(from as usize) {
                let to = self.lists.end(place);
                if !std::mem::replace(&mut seen[to as usize], true) {
                    order.push(to);
                    through.push((from, place));
                }
            }
        });
        LinkTree { order, through }
    }

    /// A point near the middle: halfway along a longest of the shortest paths from the point farthest from the first.
    pub(crate) fn center(&self) -> usize {
        let far = self.walk(0).last();
        let walk = self.walk(far);
        let mut before = vec![0; self.len()];
        for (&point, &(from, _)) in walk.order.iter().zip(&walk.through) {
            before[point as usize] = from;
        }
        let mut path = vec![walk.last()];
        while path[path.len() - 1] != far {
            path.push(before[path[path.len() - 1]] as usize);
        }
        path[path.len() / 2]
    }
}

/// The tree of a breadth-first walk.
#[derive(Debug)]
pub(crate) struct LinkTree {
    /// The points reached, the root first.
    pub(crate) order: Vec<u32>,
    /// For each of them the point before it and the place of the link between them; the root has itself and no place.
    pub(crate) through: Vec<(u32, usize)>,
}

impl LinkTree {
    /// The point reached last.
    fn last(&self) -> usize {
        self.order.last().map_or(0, |&last| last as usize)
    }
}

/// Appends the links of `center` by increasing end, each with its weight; `own` is work space.
pub(super) fn append_links(
    neighborhoods: &Neighborhoods,
    listed_by: &Adjacency,
    center: usize,
    own: &mut Vec<u32>,
    links: &mut Vec<(u32, f32)>,
) {
    own.clear();
    own.extend_from_slice(neighborhoods.neighbors(center));
    own.sort_unstable();
    merge(own, listed_by.of(center), links);
}

/// Merges two increasing lists; an end in both weighs 2.
fn merge(own: &[u32], listed_by: &[u32], links: &mut Vec<(u32, f32)>) {
    let (mut a, mut b) = (0, 0);
    while a < own.len() || b < listed_by.len() {
        match (own.get(a), listed_by.get(b)) {
            (Some(&one), Some(&other)) if one == other => {
                links.push((one, 2.0));
                a += 1;
                b += 1;
            }
            (Some(&one), other) if other.is_none_or(|&other| one < other) => {
                links.push((one, 1.0));
                a += 1;
            }
            (_, Some(&other)) => {
                links.push((other, 1.0));
                b += 1;
            }
            (_, None) => break,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn links(lists: &[Vec<i64>]) -> Links {
        Links::new(&Neighborhoods::from_lists(lists).unwrap(), &Run::new()).unwrap()
    }

    #[test]
    fn a_link_that_both_ends_name_weighs_two() {
        let links = links(&[vec![2, 1], vec![0], vec![1]]);
        let row = |point| links.of(point).map(|place| (links.end(place), links.weight(place))).collect::<Vec<_>>();
        assert_eq!(row(0), [(1, 2.0), (2, 1.0)]);
        assert_eq!(row(1), [(0, 2.0), (2, 1.0)]);
        assert_eq!(row(2), [(0, 1.0), (1, 1.0)]);
        assert_eq!(links.degree(0), 3.0);
    }

    #[test]
    fn the_middle_of_a_path_is_its_center() {
        let lists: Vec<Vec<i64>> = (0..9).map(|at| vec![if at < 8 { at + 1 } else { 7 }]).collect();
        let links = links(&lists);
        assert_eq!(links.center(), 4);
        let walk = links.walk(4);
        assert_eq!(walk.order, [4, 3, 5, 2, 6, 1, 7, 0, 8]);
        assert_eq!(walk.through[8].0, 7);
    }
}
