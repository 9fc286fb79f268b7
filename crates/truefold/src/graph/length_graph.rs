//! Shortest paths on the neighborhood graph: d_G(i, j) = min over paths from i to j of the sum of the lengths of their
//! edges.
//!
//! The graph joins i and j where either is among the neighbors of the other. One Dijkstra search per source, sources in
//! parallel; the queue is a 4-ary heap in which outdated entries stay until they come up. Points of other components
//! are infinitely far. Cost: O(n k log n) per source, and O(n) memory per thread.

use super::adjacency::Adjacency;
use super::links::append_links;
use crate::{Neighborhoods, Result, Run};
use std::ops::Range;
use std::sync::Arc;

/// The most points that are tried as the center.
const CENTER_TRIALS: usize = 6;

/// The undirected neighborhood graph with the lengths of its edges.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct LengthGraph {
    lists: Arc<Adjacency>,
    lengths: Vec<f64>,
}

impl LengthGraph {
    /// Joins each point with its neighbors in both directions; `length` gives the length of an edge, at least zero.
    pub(crate) fn new(neighborhoods: &Neighborhoods, length: impl Fn(usize, usize) -> f64) -> Self {
        let lists = lists(neighborhoods);
        let lengths = lengths(&lists, 0..lists.len(), &length);
        Self { lists: Arc::new(lists), lengths }
    }

    /// The same with the lengths taken in parallel, for data of many coordinates.
    pub(crate) fn in_parallel(
        neighborhoods: &Neighborhoods,
        run: &Run,
        length: impl Fn(usize, usize) -> f64 + Send + Sync,
    ) -> Result<Self> {
        Self::of_lists(Arc::new(lists(neighborhoods)), run, length)
    }

    /// The same edges with other lengths.
    pub(crate) fn with_lengths(&self, run: &Run, length: impl Fn(usize, usize) -> f64 + Send + Sync) -> Result<Self> {
        Self::of_lists(Arc::clone(&self.lists), run, length)
    }

    fn of_lists(lists: Arc<Adjacency>, run: &Run, length: impl Fn(usize, usize) -> f64 + Send + Sync) -> Result<Self> {
        let parts = run.chunks("lengths of edges", lists.len(), 1024, |range| Ok(lengths(&lists, range, &length)))?;
        Ok(Self { lengths: parts.concat(), lists })
    }

    /// The number of points.
    pub(crate) fn len(&self) -> usize {
        self.lists.len()
    }

    /// The points that an edge joins with `point`, in the order of their rows.
    #[inline(always)]
    pub(crate) fn ends(&self, point: usize) -> &[u32] {
        self.lists.of(point)
    }

    /// The lengths of the edges of `point`, in the same order.
    #[inline(always)]
    pub(crate) fn lengths(&self, point: usize) -> &[f64] {
        &self.lengths[self.lists.places(point)]
    }

    /// Visits each of `sources`, in parallel, with its distances along the graph to all points; the results come in
    /// order.
    pub(crate) fn each_source<T: Send>(
        &self,
        sources: &[u32],
        stage: &str,
        run: &Run,
        visit: impl Fn(usize, &[f64]) -> T + Send + Sync,
    ) -> Result<Vec<T>> {
        each(sources, stage, run, |paths, source| visit(source, paths.from(self, source)))
    }

    /// The same with the tree of shortest paths from each source.
    pub(crate) fn each_tree<T: Send>(
        &self,
        sources: &[u32],
        stage: &str,
        run: &Run,
        visit: impl Fn(&PathTree) -> T + Send + Sync,
    ) -> Result<Vec<T>> {
        each(sources, stage, run, |paths, source| visit(&paths.tree(self, source)))
    }

    /// The place of the edge from `point` to `end`, which it joins, among the edges of all points, each at both ends.
    #[inline(always)]
    pub(crate) fn place(&self, point: usize, end: u32) -> usize {
        self.lists.places(point).start + self.ends(point).partition_point(|&other| other < end)
    }
}

/// Visits each source in parallel, with work space for its paths; the results come in order.
fn each<T: Send>(
    sources: &[u32],
    stage: &str,
    run: &Run,
    visit: impl Fn(&mut ShortestPaths, usize) -> T + Send + Sync,
) -> Result<Vec<T>> {
    let chunks = run.chunks(stage, sources.len(), 8, |range| {
        let mut paths = ShortestPaths::default();
        let mut results = Vec::with_capacity(range.len());
        for &source in &sources[range] {
            run.check()?;
            results.push(visit(&mut paths, source as usize));
        }
        Ok(results)
    })?;
    Ok(chunks.into_iter().flatten().collect())
}

/// The points that each point is joined with.
fn lists(neighborhoods: &Neighborhoods) -> Adjacency {
    let count = neighborhoods.len();
    let listed_by = Adjacency::listed_by(neighborhoods);
    let mut lists = Adjacency::with_capacity(count, 2 * listed_by.entries());
    let (mut own, mut links) = (Vec::new(), Vec::new());
    for point in 0..count {
        links.clear();
        append_links(neighborhoods, &listed_by, point, &mut own, &mut links);
        lists.push(links.iter().map(|link| link.0));
    }
    lists
}

/// The lengths of the edges of some points.
fn lengths(lists: &Adjacency, points: Range<usize>, length: impl Fn(usize, usize) -> f64) -> Vec<f64> {
    // One order of the two ends, so that an edge is as long from either side.
    let edge = |point: usize, end: usize| length(point.min(end), point.max(end));
    points
        .flat_map(|point| lists.of(point).iter().map(move |&end| (point, end as usize)))
        .map(|(a, b)| edge(a, b))
        .collect()
}

/// A tree of shortest paths.
#[derive(Debug)]
pub(crate) struct PathTree {
    /// The points that can be reached, nearest first, the source before all.
    pub(crate) order: Vec<u32>,
    /// For each point the one before it on its path; the source before itself.
    pub(crate) before: Vec<u32>,
}

impl PathTree {
    /// From the source outwards, each point but the source with the one before it.
    pub(crate) fn steps(&self) -> impl Iterator<Item = (u32, u32)> {
        self.order.iter().skip(1).map(|&point| (point, self.before[point as usize]))
    }
}

/// The shortest paths from one source and the work space to find the next.
#[derive(Debug, Default)]
pub(crate) struct ShortestPaths {
    distances: Vec<f64>,
    heap: Heap,
}

impl ShortestPaths {
    /// The distances from `source` along the graph, infinite where no path leads.
    pub(crate) fn from(&mut self, graph: &LengthGraph, source: usize) -> &[f64] {
        self.nearest_of(graph, &[source as u32])
    }

    /// The distances from the nearest of `sources` along the graph, infinite where no path leads.
    pub(crate) fn nearest_of(&mut self, graph: &LengthGraph, sources: &[u32]) -> &[f64] {
        self.search(graph, sources, |_| (), |_, _| ());
        &self.distances
    }

    /// For each point the place in `sources` of the one nearest to it along the graph; `u32::MAX` where no path leads.
    pub(crate) fn cells(&mut self, graph: &LengthGraph, sources: &[u32]) -> Vec<u32> {
        let mut cells = vec![u32::MAX; graph.len()];
        for (place, &source) in sources.iter().enumerate() {
            cells[source as usize] = place as u32;
        }
        self.search(graph, sources, |_| (), |end, point| cells[end as usize] = cells[point as usize]);
        cells
    }

    /// The tree of shortest paths from `source`.
    pub(crate) fn tree(&mut self, graph: &LengthGraph, source: usize) -> PathTree {
        let mut order = Vec::with_capacity(graph.len());
        let mut before = vec![source as u32; graph.len()];
        self.search(graph, &[source as u32], |point| order.push(point), |end, point| before[end as usize] = point);
        PathTree { order, before }
    }

    /// Dijkstra's search: `settle` gets the points, nearest first, and `improve` a point with the one before it whenever
    /// a shorter path to it is found.
    #[inline(always)]
    fn search(
        &mut self,
        graph: &LengthGraph,
        sources: &[u32],
        mut settle: impl FnMut(u32),
        mut improve: impl FnMut(u32, u32),
    ) {
        self.distances.clear();
        self.distances.resize(graph.len(), f64::INFINITY);
        for &source in sources {
            self.distances[source as usize] = 0.0;
            self.heap.push(0.0, source);
        }
        while let Some((distance, point)) = self.heap.pop() {
            // An entry that a shorter path has outdated.
            if distance > self.distances[point as usize] {
                continue;
            }
            settle(point);
            for (&end, length) in graph.ends(point as usize).iter().zip(graph.lengths(point as usize)) {
                let through = distance + length;
                if through < self.distances[end as usize] {
                    self.distances[end as usize] = through;
                    improve(end, point);
                    self.heap.push(through, end);
                }
            }
        }
    }
}

impl LengthGraph {
    /// A point near the middle of a connected graph: of the points about halfway between two that are far apart, one
    /// from which none is far.
    ///
    /// Every search gives a lower bound on how far each point is from the others; the next point tried is the one with
    /// the least bound. Cost: a few searches.
    pub(crate) fn center(&self) -> usize {
        let mut paths = ShortestPaths::default();
        let mut least = vec![0.0_f64; self.len()];
        let (mut best, mut reach) = (0, f64::INFINITY);
        let mut tried = 0;
        for _ in 0..CENTER_TRIALS {
            let distances = paths.from(self, tried);
            let far = (0..self.len()).fold(tried, |far, row| if distances[row] > distances[far] { row } else { far });
            if distances[far] < reach {
                (best, reach) = (tried, distances[far]);
            }
            let distances = paths.from(self, far);
            least.iter_mut().zip(distances).for_each(|(least, distance)| *least = least.max(*distance));
            tried = (0..self.len()).fold(0, |low, row| if least[row] < least[low] { row } else { low });
            if least[tried] >= reach {
                break;
            }
        }
        best
    }
}

/// A heap in which each entry has four children: flatter than a binary one, and the four lie in one cache line.
#[derive(Debug, Default)]
struct Heap(Vec<(f64, u32)>);

impl Heap {
    const CHILDREN: usize = 4;

    #[inline]
    fn push(&mut self, distance: f64, point: u32) {
        self.0.push((distance, point));
        self.rise(self.0.len() - 1, (distance, point));
    }

    #[inline]
    fn pop(&mut self) -> Option<(f64, u32)> {
        let last = self.0.pop()?;
        let Some(&least) = self.0.first() else { return Some(last) };
        // The last entry is nearly always among the largest: the gap sinks to the bottom first, then the entry rises.
        let mut place = 0;
        loop {
            let first = place * Self::CHILDREN + 1;
            let child = match self.0[first.min(self.0.len())..] {
                [a, b, c, d, ..] => {
                    let (left, low) = if b.0 < a.0 { (1, b.0) } else { (0, a.0) };
                    let (right, high) = if d.0 < c.0 { (3, d.0) } else { (2, c.0) };
                    first + if high < low { right } else { left }
                }
                [] => break,
                ref few => {
                    first + (1..few.len()).fold(0, |best, other| if few[other].0 < few[best].0 { other } else { best })
                }
            };
            self.0[place] = self.0[child];
            place = child;
        }
        self.rise(place, last);
        Some(least)
    }

    /// Puts `entry` at `place` or as far above as it belongs.
    #[inline(always)]
    fn rise(&mut self, mut place: usize, entry: (f64, u32)) {
        while place > 0 {
            let parent = (place - 1) / Self::CHILDREN;
            if self.0[parent].0 <= entry.0 {
                break;
            }
            self.0[place] = self.0[parent];
            place = parent;
        }
        self.0[place] = entry;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};

    #[test]
    fn one_way_lists_make_edges_both_ways_once() {
        let lists = [vec![1, 2], vec![0], vec![1], vec![4], vec![3]];
        let graph = LengthGraph::new(&Neighborhoods::from_lists(&lists).unwrap(), |a, b| (a + b) as f64);
        let neighborhoods = Neighborhoods::from_lists(&lists).unwrap();
        assert_eq!(graph, LengthGraph::in_parallel(&neighborhoods, &Run::new(), |a, b| (a + b) as f64).unwrap());
        assert_eq!(graph.ends(0), &[1, 2]);
        assert_eq!(graph.with_lengths(&Run::new(), |a, b| (a * b) as f64).unwrap().lengths(2), &[0.0, 2.0]);
        assert_eq!(graph.ends(1), &[0, 2]);
        assert_eq!(graph.ends(2), &[0, 1]);
        let mut paths = ShortestPaths::default();
        assert_eq!(paths.from(&graph, 1), &[1.0, 0.0, 3.0, f64::INFINITY, f64::INFINITY]);
        assert_eq!(paths.from(&graph, 4), &[f64::INFINITY, f64::INFINITY, f64::INFINITY, 7.0, 0.0]);
    }

    #[test]
    fn cells_are_those_of_the_nearest_source() {
        let lists: Vec<Vec<i64>> = (0..9).map(|row: i64| vec![if row == 8 { 7 } else { row + 1 }]).collect();
        let graph = LengthGraph::new(&Neighborhoods::from_lists(&lists).unwrap(), |a, b| (a + b) as f64);
        assert_eq!(ShortestPaths::default().cells(&graph, &[7, 0]), [1, 1, 1, 1, 1, 0, 0, 0, 0]);
        let apart = LengthGraph::new(&Neighborhoods::from_lists(&[[1], [0], [3], [2]]).unwrap(), |_, _| 1.0);
        assert_eq!(ShortestPaths::default().cells(&apart, &[0]), [0, 0, u32::MAX, u32::MAX]);
    }

    #[test]
    fn paths_are_those_of_floyd_and_warshall() {
        let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(5);
        let count = 60;
        let lists: Vec<Vec<i64>> = (0..count)
            .map(|point| {
                let mut list: Vec<i64> = (0..2).map(|_| rng.random_range(0..count)).collect();
                list.push((point + 1) % count);
                list.retain(|&row| row != point);
                list.sort();
                list.dedup();
                list
            })
            .collect();
        // Some edges have no length and many tie.
        let length = |a: usize, b: usize| ((a * 7 + b * 3) % 5) as f64;
        let graph = LengthGraph::new(&Neighborhoods::from_lists(&lists).unwrap(), length);
        let count = count as usize;
        let mut all = vec![vec![f64::INFINITY; count]; count];
        for a in 0..count {
            all[a][a] = 0.0;
            for &b in &lists[a] {
                let b = b as usize;
                all[a][b] = length(a.min(b), a.max(b));
                all[b][a] = all[a][b];
            }
        }
        for via in 0..count {
            for a in 0..count {
                for b in 0..count {
                    all[a][b] = all[a][b].min(all[a][via] + all[via][b]);
                }
            }
        }
        let sources: Vec<u32> = (0..count as u32).collect();
        let found = graph.each_source(&sources, "paths", &Run::new(), |_, distances| distances.to_vec()).unwrap();
        assert_eq!(found, all);
        let mut paths = ShortestPaths::default();
        let tree = paths.tree(&graph, 3);
        assert!(tree.order.len() == count && tree.order[0] == 3);
        for &point in &tree.order[1..] {
            let (point, before) = (point as usize, tree.before[point as usize] as usize);
            let edge = length(point.min(before), point.max(before));
            assert_eq!(all[3][before] + edge, all[3][point]);
            assert!(
                tree.order.iter().position(|&row| row as usize == before)
                    < tree.order.iter().position(|&row| row as usize == point)
            );
        }
        let nearest: Vec<f64> = (0..count).map(|point| all[3][point].min(all[9][point])).collect();
        assert_eq!(paths.nearest_of(&graph, &[9, 3]), nearest);
    }

    #[test]
    fn the_center_of_a_path_is_its_middle() {
        let lists: Vec<Vec<i64>> = (0..9).map(|at| vec![if at < 8 { at + 1 } else { 7 }]).collect();
        let graph = LengthGraph::new(&Neighborhoods::from_lists(&lists).unwrap(), |_, _| 1.0);
        assert_eq!(graph.center(), 4);
    }
}
