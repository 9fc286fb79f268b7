//! One point: the images of its neighborhood in the maps beside each other and beside the data, and beside chance.

use super::map::Placed;
use crate::data::Input;
use crate::linalg::{LANES, square};
use crate::local::{Chart, Drawn, Pair, Permuter, Rotation, gather_centered};
use crate::measure::{draws_of, strangers};
use crate::{Neighborhoods, Points, Result};

/// Two points are similar to any other two.
const FEWEST: usize = 3;

/// Sums of a value, of the best possible and of chance, over pairs of maps or over maps.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Tally {
    pub(super) count: usize,
    pub(super) value: f64,
    pub(super) best: f64,
    pub(super) chance: f64,
    /// The sum of the squared standard errors of chance.
    pub(super) variance: f64,
}

impl Tally {
    fn add(&mut self, value: f64, best: f64, chance: Drawn) {
        self.count += 1;
        self.value += value;
        self.best += best;
        self.chance += chance.mean;
        self.variance += chance.variance;
    }
}

/// What was found at one point.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Found {
    pub(super) shape: Tally,
    pub(super) neighbors: Tally,
    pub(super) distortion: Tally,
}

/// What does not depend on the point.
pub(super) struct Comparer<'a> {
    input: Input<'a>,
    neighborhoods: &'a Neighborhoods,
    maps: &'a [Placed<'a>],
    pairs: &'a [(usize, usize)],
    /// The number of rows that the maps of each pair share.
    shared: Vec<usize>,
}

/// Work space for points.
#[derive(Default)]
pub(super) struct Work {
    images: Images,
    chart: Chart,
    /// The rows that the chart shows.
    charted: Vec<u32>,
    /// The rows of a neighborhood that are compared, and their places in one map and in the other.
    rows: Vec<u32>,
    one: Vec<u32>,
    other: Vec<u32>,
    nearest: [Vec<u32>; 2],
    sorted: Vec<u32>,
    lost: Vec<u32>,
}

impl<'a> Comparer<'a> {
    pub(super) fn new(
        input: Input<'a>,
        neighborhoods: &'a Neighborhoods,
        maps: &'a [Placed<'a>],
        pairs: &'a [(usize, usize)],
    ) -> Self {
        let shared = pairs.iter().map(|&(one, other)| maps[one].shared(&maps[other], input.len())).collect();
        Self { input, neighborhoods, maps, pairs, shared }
    }

    /// Everything about one point; what is drawn depends on the seed and the point alone.
    pub(super) fn compare(&self, point: usize, seed: u64, work: &mut Work) -> Result<Found> {
        let mut found = Found::default();
        work.images.seed = draws_of(seed, point as u64);
        for (pair, &(one, other)) in self.pairs.iter().enumerate() {
            let (one, other) = (&self.maps[one], &self.maps[other]);
            if let (Some(place), Some(there)) = (one.place(point as u32), other.place(point as u32)) {
                self.shape(point, (one, other), work, &mut found.shape);
                neighbors((one, other), (place, there), self.shared[pair], work, &mut found.neighbors);
            }
        }
        work.charted.clear();
        for map in self.maps.iter().filter(|map| map.place(point as u32).is_some()) {
            self.distortion(point, map, work, &mut found.distortion)?;
        }
        Ok(found)
    }

    /// The residual between two images of the neighborhood.
    fn shape(&self, point: usize, (one, other): (&Placed<'_>, &Placed<'_>), work: &mut Work, tally: &mut Tally) {
        let Work { images, one: here, other: there, .. } = work;
        here.clear();
        there.clear();
        for &row in self.neighborhoods.members(point) {
            if let (Some(a), Some(b)) = (one.place(row), other.place(row)) {
                here.push(a);
                there.push(b);
            }
        }
        if here.len() < FEWEST {
            return;
        }
        images.take_target(one.map.points, here);
        let (value, chance) = images.against(other.map.points, there);
        tally.add(value, 0.0, chance);
    }

    /// R_C of one map at the point, on the members that the map has.
    fn distortion(&self, point: usize, map: &Placed<'_>, work: &mut Work, tally: &mut Tally) -> Result<()> {
        let Work { images, chart, charted, rows, one: here, .. } = work;
        rows.clear();
        here.clear();
        for &row in self.neighborhoods.members(point) {
            if let Some(place) = map.place(row) {
                rows.push(row);
                here.push(place);
            }
        }
        if rows.len() < FEWEST {
            return Ok(());
        }
        if rows != charted {
            chart.fill(&self.input, rows)?;
            charted.clone_from(rows);
        }
        let columns = chart.columns();
        let extent = square(columns);
        if extent == 0.0 {
            return Ok(());
        }
        let beyond = square(&columns[(map.map.points.dim() * chart.stride()).min(columns.len())..]);
        images.set_target(columns);
        let (value, chance) = images.against(map.map.points, here);
        tally.add(value, beyond / extent, chance);
        Ok(())
    }
}

/// The share of the nearest points in one map that are not among those in the other; chance is exact.
fn neighbors(
    (one, other): (&Placed<'_>, &Placed<'_>),
    (place, there): (u32, u32),
    shared: usize,
    work: &mut Work,
    tally: &mut Tally,
) {
    let [here, across] = &mut work.nearest;
    one.nearest_shared(place, other, here);
    other.nearest_shared(there, one, across);
    // The nearest first, so the first of each list are the nearest among the shared rows.
    let count = here.len().min(across.len());
    if count > 0 {
        strangers(&here[..count], &across[..count], &mut work.sorted, &mut work.lost);
        let chance = Drawn { mean: 1.0 - count as f64 / (shared - 1) as f64, variance: 0.0 };
        tally.add(work.lost.len() as f64 / count as f64, 0.0, chance);
    }
}

/// Two centered configurations of the same members.
#[derive(Default)]
struct Images {
    target: Vec<f64>,
    extent: f64,
    source: Vec<f64>,
    rotation: Rotation,
    permuter: Permuter,
    /// The seed of the next draws.
    seed: u64,
}

impl Images {
    fn take_target(&mut self, points: &Points, places: &[u32]) {
        gather_centered(&mut self.target, points, places, places.len().next_multiple_of(LANES));
        self.extent = square(&self.target);
    }

    fn set_target(&mut self, columns: &[f64]) {
        self.target.clear();
        self.target.extend_from_slice(columns);
        self.extent = square(columns);
    }

    /// 1 - (tr L)^2 / (|A|^2 |B|^2) for the target A and the image B of `places` in `points`, and its chance.
    ///
    /// Two single places are alike, and a single place is like nothing else, in whatever order.
    fn against(&mut self, points: &Points, places: &[u32]) -> (f64, Drawn) {
        let stride = places.len().next_multiple_of(LANES);
        gather_centered(&mut self.source, points, places, stride);
        let extent = square(&self.source);
        if self.extent == 0.0 || extent == 0.0 {
            let value = if self.extent == extent { 0.0 } else { 1.0 };
            return (value, Drawn { mean: value, variance: 0.0 });
        }
        self.rotation.find(&self.target, &self.source, stride, self.target.len() / stride);
        // The best scale is tr L / |B|^2.
        let scale = self.rotation.scale(extent);
        let (members, rank) = (places.len(), self.rotation.rank());
        let pair = Pair { source: &self.target, target: &self.source, stride, members, rank };
        self.seed = self.seed.wrapping_add(1);
        ((1.0 - scale * (scale * extent) / self.extent).max(0.0), self.permuter.conformal(&pair, self.seed))
    }
}
