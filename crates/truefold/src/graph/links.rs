//! Links: the neighbor graph without directions, each link listed at both of its ends.
//!
//! i and j are linked if j is in Neighbors(i) or i in Neighbors(j), and the link weighs 2 if both hold: a sum over all
//! links then equals the sum over i and over j in Neighbors(i). Cost: O(n k log k).

use super::adjacency::Adjacency;
use super::breadth_first::breadth_first;
use crate::{Neighborhoods, Result, Run};
use std::ops::Range;

/// Points of one task.
const TASK: usize = 1024;

/// An undirected graph with weights, by increasing end.
#[derive(Debug, Clone)]
pub(crate) struct Links {
    lists: Adjacency,
    weights: LinkWeights,
}

/// The weights of links, at both ends.
#[derive(Debug, Clone)]
enum LinkWeights {
    /// How many of the two points list the other.
    Counts(Vec<u8>),
    Each(Vec<f32>),
}

impl Links {
    /// The links between neighbors.
    pub(crate) fn new(neighborhoods: &Neighborhoods, run: &Run) -> Result<Self> {
        let count = neighborhoods.len();
        let listed_by = Adjacency::listed_by(neighborhoods);
        // So many where all links go both ways; otherwise more.
        let least = neighborhoods.memberships() - count;
        let (mut lists, mut weights) = (Adjacency::with_capacity(count, least), Vec::with_capacity(least));
        let some = |range: Range<usize>| {
            let (mut own, mut part) = (Vec::new(), (Vec::with_capacity(range.len()), Vec::new()));
            for center in range {
                let before = part.1.len();
                append_links(neighborhoods, &listed_by, center, &mut own, &mut part.1);
                part.0.push(part.1.len() - before);
            }
            Ok(part)
        };
        run.waves("links", count, TASK, some, |(lengths, links): (Vec<usize>, Vec<(u32, f32)>)| {
            let mut rest = &links[..];
            for length in lengths {
                let (list, others) = rest.split_at(length);
                lists.push(list.iter().map(|link| link.0));
                rest = others;
            }
            weights.extend(links.iter().map(|link| link.1 as u8));
        })?;
        lists.fit();
        weights.shrink_to_fit();
        Ok(Self { lists, weights: LinkWeights::Counts(weights) })
    }

    /// From lists that are known to be symmetric, by increasing end and without loops.
    pub(crate) fn from_parts(offsets: Vec<usize>, ends: Vec<u32>, weights: Vec<f32>) -> Self {
        debug_assert_eq!(ends.len(), weights.len());
        Self { lists: Adjacency::from_parts(offsets, ends), weights: LinkWeights::Each(weights) }
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
    pub(crate) fn of(&self, point: usize) -> Range<usize> {
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
        match &self.weights {
            LinkWeights::Counts(counts) => f64::from(counts[place]),
            LinkWeights::Each(weights) => f64::from(weights[place]),
        }
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
        let mut before = vec![0; self.len()];
        let far = self.farthest(0, &mut before);
        let last = self.farthest(far, &mut before);
        let mut path = vec![last];
        while path[path.len() - 1] != far {
            path.push(before[path[path.len() - 1]] as usize);
        }
        path[path.len() / 2]
    }

    /// The point that a breadth-first walk from `root` reaches last; `before` gets the one before each.
    fn farthest(&self, root: usize, before: &mut [u32]) -> usize {
        before.fill(u32::MAX);
        before[root] = root as u32;
        let mut order = Vec::with_capacity(self.len());
        order.push(root as u32);
        breadth_first(&mut order, 0, usize::MAX, |from, order| {
            for &to in self.lists.of(from as usize) {
                let before = &mut before[to as usize];
                if *before == u32::MAX {
                    *before = from;
                    order.push(to);
                }
            }
        });
        order[order.len() - 1] as usize
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
    /// From the root down, each point but the root with the one before it and the place of the link between them.
    pub(crate) fn steps(&self) -> impl Iterator<Item = (u32, u32, usize)> {
        self.order.iter().zip(&self.through).skip(1).map(|(&point, &(before, place))| (point, before, place))
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
