//! The exact search algorithms, and the choice between them.

use super::brute::Brute;
use super::device::{self, Remote};
use super::direct::Direct;
use super::shortlist::{Candidate, Emit};
use super::{Algorithm, Metric, Norm, Reach, Space, Tiles, Tree};
use crate::{Device, Error, Points, Result, Run};
use std::sync::atomic::{AtomicU64, Ordering};

/// The most bytes of coordinates that a tree copies unless it is asked for.
const LARGEST_TREE: usize = 2 << 30;

/// One row in so many is enough that a search for all takes no longer than one for some.
const MANY_ROWS: usize = 8;

/// A space prepared for one exact algorithm.
pub(super) enum Engine<'a> {
    Tree(Tree),
    Brute(Brute<'a>),
    Direct(Direct<'a>),
    Remote(Remote<'a>),
}

impl<'a> Engine<'a> {
    /// The engine that is asked for, or the one expected to be faster.
    pub(super) fn new(space: &'a Space<'a>, algorithm: Algorithm, reach: Reach, run: &Run) -> Result<Self> {
        Ok(match Self::tree(space, algorithm, reach, run)? {
            Some(tree) => Self::Tree(tree),
            None => Self::brute(space, run)?,
        })
    }

    /// The same on the device that is asked for, or on that of the run where all pairs are searched.
    pub(super) fn on(
        asked: Option<Device>,
        space: &'a Space<'a>,
        algorithm: Algorithm,
        reach: Reach,
        run: &Run,
    ) -> Result<Self> {
        if asked == Some(Device::Gpu) {
            device::check(algorithm, reach, space)?;
            return Ok(Self::Remote(Remote::new(space)?));
        }
        if let Some(tree) = Self::tree(space, algorithm, reach, run)? {
            return Ok(Self::Tree(tree));
        }
        let work = space.len() as f64 * by_pairs(space);
        match asked.unwrap_or(run.device()) {
            Device::Gpu if device::check(algorithm, reach, space).is_ok() => Ok(Self::Remote(Remote::new(space)?)),
            Device::Auto if device::is_better(space, reach, work, run) => Ok(Self::Remote(Remote::or_processor(space))),
            _ => Self::brute(space, run),
        }
    }

    /// The tree, if it is asked for or expected to be faster than all pairs.
    pub(super) fn tree(space: &Space, algorithm: Algorithm, reach: Reach, run: &Run) -> Result<Option<Tree>> {
        let automatic = algorithm == Algorithm::Auto;
        if algorithm == Algorithm::Brute || (automatic && Tree::size(space.len(), space.dim()) > LARGEST_TREE) {
            return Ok(None);
        }
        let tree = match Tree::build(space, run) {
            // Nobody asked for it, and all pairs need less.
            Err(Error::Memory { .. }) if automatic => return Ok(None),
            tree => tree?,
        };
        Ok(if automatic && pairs_are_faster(space, &tree, reach, run)? { None } else { Some(tree) })
    }

    /// All pairs.
    pub(super) fn brute(space: &'a Space<'a>, run: &Run) -> Result<Self> {
        Ok(if space.norm() == Norm::Squares && space.dim() <= Tiles::MOST_DIM {
            Self::Brute(Brute::new(space, run)?)
        } else {
            Self::Direct(Direct::new(space))
        })
    }

    /// The algorithm it uses.
    pub(super) fn algorithm(&self) -> Algorithm {
        match self {
            Self::Tree(_) => Algorithm::Tree,
            Self::Brute(_) | Self::Direct(_) | Self::Remote(_) => Algorithm::Brute,
        }
    }

    /// An order of the `count` rows in which consecutive rows are near each other, if the engine has one.
    pub(super) fn walk(&self, count: usize) -> Option<Vec<u32>> {
        match self {
            Self::Tree(tree) => Some(tree.order().filter(|&row| (row as usize) < count).collect()),
            Self::Brute(brute) => Some(brute.order().to_vec()),
            Self::Direct(_) | Self::Remote(_) => None,
        }
    }

    /// Gives `emit` the `k` nearest other points of each row.
    pub(super) fn each_nearest(&self, k: usize, emit: Emit, run: &Run) -> Result<()> {
        match self {
            Self::Tree(tree) => tree.each_nearest(&|_| k, emit, run),
            Self::Brute(brute) => brute.each_nearest(k, emit, run),
            Self::Direct(direct) => direct.each_nearest(k, emit, run),
            Self::Remote(remote) => match remote.each_nearest(k, emit, run)? {
                None => Self::brute(remote.space(), run)?.each_nearest(k, emit, run),
                Some(rows) if rows.is_empty() => Ok(()),
                Some(rows) => Self::brute(remote.space(), run)?.each_nearest_of(&rows, k, emit, (remote.space(), run)),
            },
        }
    }

    /// The same for some rows, in order: many are found faster by a search for all, which measures a pair once for both.
    pub(super) fn each_nearest_of(
        &self,
        rows: &[u32],
        k: usize,
        emit: Emit,
        (space, run): (&Space, &Run),
    ) -> Result<()> {
        if rows.len() > space.len() / MANY_ROWS {
            let wanted = |row: u32| rows.binary_search(&row).is_ok();
            return self.each_nearest(k, &|row, list| if wanted(row) { emit(row, list) } else { Ok(()) }, run);
        }
        let lists = self.nearest_of(rows, k, space, run)?;
        rows.iter().zip(lists).try_for_each(|(&row, list)| emit(row, &list))
    }

    /// Gives `emit` the other points of each row whose value is at most `limit`.
    pub(super) fn each_within(&self, limit: f64, emit: Emit, run: &Run) -> Result<()> {
        match self {
            Self::Tree(tree) => tree.each_within(limit, emit, run),
            Self::Brute(brute) => brute.each_within(limit, emit, run),
            Self::Direct(direct) => direct.each_within(limit, emit, run),
            Self::Remote(remote) => Self::brute(remote.space(), run)?.each_within(limit, emit, run),
        }
    }

    /// The `k` nearest others of some rows.
    pub(super) fn nearest_of(&self, rows: &[u32], k: usize, space: &Space, run: &Run) -> Result<Vec<Vec<Candidate>>> {
        match self {
            Self::Tree(tree) => run.chunks("checking", rows.len(), 16, |range| {
                let mut room = Vec::new();
                let one = |row: &u32| tree.nearest_to(space.row(*row as usize, &mut room), k, Some(*row));
                Ok(rows[range].iter().map(one).collect::<Vec<_>>())
            }),
            Self::Brute(brute) => return brute.nearest_of(rows, k, run),
            Self::Direct(direct) => direct.nearest_of(rows, k, run),
            Self::Remote(remote) => return Self::brute(remote.space(), run)?.nearest_of(rows, k, space, run),
        }
        .map(|chunks| chunks.into_iter().flatten().collect())
    }

    /// The value from each row to its nearest other one.
    pub(super) fn nearest_values(&self, count: usize, run: &Run) -> Result<Vec<f64>> {
        let values: Vec<AtomicU64> = (0..count).map(|_| AtomicU64::new(0)).collect();
        let store = |row: u32, list: &[(f64, u32)]| {
            values[row as usize].store(list[0].0.to_bits(), Ordering::Relaxed);
            Ok(())
        };
        self.each_nearest(1, &store, run)?;
        Ok(values.into_iter().map(|value| f64::from_bits(value.into_inner())).collect())
    }
}

/// Whether an exact search for the `k` nearest costs no more than an approximate one.
pub(super) fn is_exact_as_fast(space: &Space, k: usize, run: &Run) -> Result<bool> {
    let dim = space.dim() as f64;
    let approximate = 14_000.0 + 40.0 * dim;
    if k + 1 >= space.len() / 8 || space.dim() > Tiles::MOST_DIM || by_pairs(space) <= approximate {
        return Ok(true);
    }
    let mut pairs = Vec::new();
    // Few numbers are copied, so that the question costs little beside the answer.
    let most = (TRIED / space.dim()).clamp(256, space.len());
    for size in [most.div_ceil(4), most] {
        let step = space.len() / size;
        let mut values = vec![0.0; size * space.dim()];
        let ration = space.ration(Space::READ);
        for (at, row) in values.chunks_exact_mut(space.dim()).enumerate() {
            ration.scattered(1);
            space.read(at * step, row);
        }
        let metric = if space.norm() == Norm::Squares { Metric::Euclidean } else { Metric::Manhattan };
        let points = Points::new(size, space.dim(), values)?;
        let part = Space::new(&points, metric)?;
        pairs.push((size as f64, pairs_by_tree(&part, &Tree::build(&part, run)?, Reach::Nearest(k), run)?));
    }
    // What a search measures grows like a power of the number of points, at most like the number itself.
    let [(few, by_few), (many, by_many)] = [pairs[0], pairs[1]];
    let power = if many > few { ((by_many / by_few).ln() / (many / few).ln()).clamp(0.0, 1.0) } else { 0.0 };
    let expected = by_many * (space.len() as f64 / many).powf(power);
    Ok(expected * cost_of_tree(dim) <= approximate)
}

/// Numbers of the points that tell what a tree would cost, about.
const TRIED: usize = 1 << 20;

/// Leaves that are searched to estimate the cost of the tree.
const TRIES: usize = 4;

/// Whether all pairs cost less than the tree, estimated on a few leaves: the pairs they measure times the cost of a pair.
fn pairs_are_faster(space: &Space, tree: &Tree, reach: Reach, run: &Run) -> Result<bool> {
    Ok(by_pairs(space) < pairs_by_tree(space, tree, reach, run)? * cost_of_tree(space.dim() as f64))
}

/// The cost of one point with all others.
///
/// All costs are nanoseconds on one core, from docs/neighbors.md; only their ratios matter.
fn by_pairs(space: &Space) -> f64 {
    let (count, dim) = (space.len() as f64, space.dim() as f64);
    match space.norm() {
        Norm::Squares => count * (0.7 + 0.006 * dim) + 4000.0 + 20.0 * dim,
        Norm::Absolutes => count * (0.5 + 0.2 * dim),
    }
}

/// The cost of a pair that the tree measures.
fn cost_of_tree(dim: f64) -> f64 {
    1.0 + 0.25 * dim
}

/// The pairs that a search with the tree measures for each point.
fn pairs_by_tree(space: &Space, tree: &Tree, reach: Reach, run: &Run) -> Result<f64> {
    let tries = TRIES.min(tree.leaves());
    let efforts = run.chunks("trying the tree", tries, 1, |range| {
        let leaf = (2 * range.start + 1) * tree.leaves() / (2 * tries);
        Ok(match reach {
            Reach::Nearest(k) => tree.effort(leaf, k),
            Reach::Within(radius) => tree.effort_within(leaf, space.limit(radius)),
        })
    })?;
    Ok(efforts.iter().sum::<f64>() / tries as f64)
}
