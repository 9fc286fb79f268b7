//! One map per fitted point, from around it to around its image: y = y_i + T_i' F_i (x - x_i).
//!
//! F_i gives the coordinates of a difference along the first r principal axes of the neighborhood, and T_i maps those to
//! the embedding. T_i = s A + (C'C + l I)^(-1) C'(H Y - s C A): the Procrustes rotation A of the chart C onto H Y, with
//! the scale s = 1 where the method keeps lengths and the best scale where it does not, plus the linear map of what the
//! rotation leaves, damped by l = 0.001 times the largest eigenvalue of C'C so that directions in which the neighborhood
//! hardly extends do not matter. For an isometric embedding T_i is the rotation alone; for one that stretches, such as
//! linear projections and normalized eigenvectors, it follows the stretch.
//!
//! r is d, or a third of the members where that is more: data of more than d dimensions may move Y along any of them.
//! Members whose image is torn off (more than four times as far, relative to their distance, as the median) are left
//! out. How well the map speaks for points that it was not fitted to is told by its residuals divided by 1 - h, where h
//! is the leverage of a member: those are the residuals of fits without this member. Cost: that of a chart; min(q, m) r
//! + r d numbers are stored per point.

use crate::data::Input;
use crate::linalg::{add_scaled, dot, square};
use crate::local::{Chart, Rotation, gather_centered};
use crate::memory::{self, Need};
use crate::points::{Element, with_rows};
use crate::{Neighborhoods, Points, Result, Run};

/// The share of the largest eigenvalue that is added to all.
const DAMPING: f64 = 1e-3;
/// An eigenvalue below this share of the largest is rounding.
const ROUNDING: f64 = 1e-10;
/// How many times farther than the median an image may lie, relative to its distance.
const TORN: f64 = 4.0;

/// The maps of all fitted points.
#[derive(Debug, Clone)]
pub(super) struct LocalMaps {
    dim: usize,
    maps: Vec<LocalMap>,
    /// For each map F_i, then T_i, row by row.
    numbers: Vec<f64>,
    /// The members of each map whose F_i acts on inner products with them.
    members: Vec<u32>,
}

/// Where the numbers of a map are, and how well it fits.
#[derive(Debug, Clone, Copy)]
pub(super) struct LocalMap {
    numbers: usize,
    members: usize,
    /// The members that the map was fitted to.
    size: u32,
    /// The number r of axes.
    axes: u32,
    /// The distance from the center to its farthest member.
    pub(super) radius: f64,
    /// The same between their images.
    pub(super) image_radius: f64,
    /// The share of the image's shape that the map does not explain.
    pub(super) misfit: f64,
    /// The same share where each member is left out of the fit that explains it; 1 where the map is worth nothing.
    pub(super) unforeseen: f64,
}

/// The squared length of a difference along the axes of a map.
#[derive(Debug, Clone, Copy)]
pub(super) struct Inside {
    /// Along the first d axes.
    pub(super) tangent: f64,
    /// Along all axes of the map.
    pub(super) mapped: f64,
}

impl LocalMaps {
    pub(super) fn new(
        points: &Points,
        embedding: &Points,
        neighborhoods: &Neighborhoods,
        metric_scale: bool,
        run: &Run,
    ) -> Result<Self> {
        let task = || format!("a model of {} points", points.len());
        Need::of(size_of::<LocalMap>() as f64, 0.0).check(task(), (points.len(), 0))?;
        let parts = run.chunks("local maps", points.len(), 256, |range| {
            let mut fitter = MapFitter::default();
            let mut part = Self::empty(embedding.dim());
            for index in range {
                fitter.keep(points, embedding, neighborhoods.members(index));
                fitter.fit(points, embedding, metric_scale, &mut part)?;
            }
            Ok(part)
        })?;
        let fewer = "give fewer points";
        let total = |count: fn(&Self) -> usize| parts.iter().map(count).sum();
        let mut maps = Self {
            dim: embedding.dim(),
            maps: memory::room(points.len(), task(), fewer)?,
            numbers: memory::room(total(|part| part.numbers.len()), task(), fewer)?,
            members: memory::room(total(|part| part.members.len()), task(), fewer)?,
        };
        for part in parts {
            let (numbers, members) = (maps.numbers.len(), maps.members.len());
            let moved =
                |map: LocalMap| LocalMap { numbers: map.numbers + numbers, members: map.members + members, ..map };
            maps.maps.extend(part.maps.into_iter().map(moved));
            maps.numbers.extend(part.numbers);
            maps.members.extend(part.members);
        }
        maps.fill_radii();
        Ok(maps)
    }

    /// No maps yet, into `dim` dimensions.
    pub(super) fn empty(dim: usize) -> Self {
        Self { dim, maps: Vec::new(), numbers: Vec::new(), members: Vec::new() }
    }

    /// Forgets all maps.
    pub(super) fn clear(&mut self) {
        self.maps.clear();
        self.numbers.clear();
        self.members.clear();
    }

    /// The worst of what single maps do not foresee.
    pub(super) fn most_unforeseen(&self) -> f64 {
        self.maps.iter().map(|map| map.unforeseen).fold(0.0, f64::max)
    }

    /// Gives neighborhoods without extent the median radius of the others, so that every distance has a unit.
    fn fill_radii(&mut self) {
        let mut known: Vec<(f64, f64)> =
            self.maps.iter().filter(|map| map.radius > 0.0).map(|map| (map.radius, map.image_radius)).collect();
        known.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
        let (radius, image) = known.get(known.len() / 2).copied().unwrap_or((1.0, 1.0));
        for map in &mut self.maps {
            if map.radius <= 0.0 {
                map.radius = radius;
            }
            if map.image_radius <= 0.0 {
                map.image_radius = if image > 0.0 { image } else { map.radius };
            }
        }
    }

    /// Map `index`: that of the fitted point of this row, where there is one for each.
    #[inline(always)]
    pub(super) fn get(&self, index: usize) -> &LocalMap {
        &self.maps[index]
    }

    /// Adds T_i' F_i `difference` to `image`; how much of the difference lies along the axes.
    ///
    /// `difference` is x - x_i, where x_i is row `center` of `points`, the center of map `index`; `reduced` is work
    /// space.
    #[inline(always)]
    pub(super) fn apply(
        &self,
        (index, center): (usize, usize),
        points: &Points,
        difference: &[f64],
        reduced: &mut Vec<f64>,
        image: &mut [f64],
    ) -> Inside {
        let map = &self.maps[index];
        let (size, axes) = (map.size as usize, map.axes as usize);
        let height = if difference.len() <= size { difference.len() } else { size };
        let numbers = &self.numbers[map.numbers..][..axes * (height + self.dim)];
        let (frame, turns) = numbers.split_at(axes * height);
        let along = if difference.len() <= size {
            difference
        } else {
            reduced.clear();
            with_rows!(points.table(), rows => {
                let center = rows.row(center);
                for &member in &self.members[map.members..][..size] {
                    let pairs = rows.row(member as usize).iter().zip(center);
                    reduced.push(pairs.zip(difference).map(|((a, b), x)| (a.wide() - b.wide()) * x).sum());
                }
            });
            reduced
        };
        let mut inside = Inside { tangent: 0.0, mapped: 0.0 };
        for (axis, (row, turn)) in frame.chunks_exact(height.max(1)).zip(turns.chunks_exact(self.dim)).enumerate() {
            let coordinate: f64 = row.iter().zip(along).map(|(a, b)| a * b).sum();
            if axis < self.dim {
                inside.tangent += coordinate * coordinate;
            }
            inside.mapped += coordinate * coordinate;
            add_scaled(image, coordinate, turn);
        }
        inside
    }
}

/// Work space to fit one map.
#[derive(Default)]
pub(super) struct MapFitter {
    kept: Vec<u32>,
    ratios: Vec<(f64, u32)>,
    sorted: Vec<f64>,
    radius: f64,
    image_radius: f64,
    chart: Chart,
    embedded: Vec<f64>,
    gathered: Vec<f64>,
    rotation: Rotation,
    left: Vec<f64>,
}

impl MapFitter {
    /// Sets `kept` to the members whose image is not torn off, and the radii to theirs.
    pub(super) fn keep(&mut self, points: &Points, embedding: &Points, members: &[u32]) {
        let off_center =
            |points: &Points, member: u32| points.squared_distance(members[0] as usize, member as usize).sqrt();
        self.ratios.clear();
        for &member in &members[1..] {
            let (from, to) = (off_center(points, member), off_center(embedding, member));
            self.ratios.push((if from > 0.0 { to / from } else { 0.0 }, member));
        }
        self.sorted.clear();
        self.sorted.extend(self.ratios.iter().map(|ratio| ratio.0).filter(|ratio| *ratio > 0.0));
        self.sorted.sort_unstable_by(f64::total_cmp);
        let most = self.sorted.get(self.sorted.len() / 2).map_or(f64::INFINITY, |median| TORN * median);
        self.kept.clear();
        self.kept.push(members[0]);
        self.kept.extend(self.ratios.iter().filter(|ratio| ratio.0 <= most).map(|ratio| ratio.1));
        let farthest = |points: &Points| self.kept[1..].iter().map(|&row| off_center(points, row)).fold(0.0, f64::max);
        (self.radius, self.image_radius) = (farthest(points), farthest(embedding));
    }

    /// Fits the map of the kept members and adds it to `maps`.
    pub(super) fn fit(
        &mut self,
        points: &Points,
        embedding: &Points,
        metric_scale: bool,
        maps: &mut LocalMaps,
    ) -> Result<()> {
        self.chart.fill(&Input::Points(points), &self.kept)?;
        let (size, stride, dim) = (self.kept.len(), self.chart.stride(), embedding.dim());
        gather_centered(&mut self.embedded, embedding, &self.kept, stride);
        let all: Vec<f64> = self.chart.columns().chunks_exact(stride.max(1)).map(square).collect();
        let largest = all.first().copied().unwrap_or(0.0);
        let most = self.chart.width().min(dim.max(size / 3));
        let axes = all.iter().take(most).take_while(|&&value| value > ROUNDING * largest).count();
        let squares = &all[..axes];
        let (turns, misfit) = self.turns(squares, largest, metric_scale, dim);
        let unforeseen = self.unforeseen(squares, largest, size);
        let (numbers, members) = (maps.numbers.len(), maps.members.len());
        let columns = self.chart.columns().chunks_exact(stride);
        if points.dim() <= size {
            gather_centered(&mut self.gathered, points, &self.kept, stride);
            for (column, square) in columns.zip(squares) {
                maps.numbers.extend(self.gathered.chunks_exact(stride).map(|axis| dot(column, axis) / square));
            }
        } else {
            for (column, square) in columns.zip(squares) {
                maps.numbers.extend(column[..size].iter().map(|value| value / square));
            }
            maps.members.extend_from_slice(&self.kept);
        }
        maps.numbers.extend(turns);
        let (radius, image_radius) = (self.radius, self.image_radius);
        let (size, axes) = (size as u32, axes as u32);
        maps.maps.push(LocalMap { numbers, members, size, axes, radius, image_radius, misfit, unforeseen });
        Ok(())
    }

    /// T_i, a row for each of the first axes of the chart, whose squared lengths are `squares`, and the share of the
    /// image that the map does not explain.
    fn turns(&mut self, squares: &[f64], largest: f64, metric_scale: bool, dim: usize) -> (Vec<f64>, f64) {
        let (stride, axes) = (self.chart.stride(), squares.len());
        let columns = &self.chart.columns()[..axes * stride];
        let mut turns = vec![0.0; axes * dim];
        if axes > 0 {
            self.rotation.find(columns, &self.embedded, stride, axes);
            let scale = if metric_scale { 1.0 } else { self.rotation.scale(squares.iter().sum()) };
            for (axis, turn) in turns.chunks_exact_mut(dim).enumerate() {
                for (column, value) in turn.iter_mut().enumerate() {
                    *value = scale * self.rotation.entry(axis, column);
                }
            }
        }
        // What the rotation leaves of the image, then what a linear map explains of that.
        self.left.clear();
        self.left.extend_from_slice(&self.embedded);
        subtract(&mut self.left, columns, &turns, stride, dim);
        let beyond: Vec<f64> = columns
            .chunks_exact(stride)
            .zip(squares)
            .flat_map(|(column, square)| {
                let damped = square + DAMPING * largest;
                self.left.chunks_exact(stride).map(move |left| dot(column, left) / damped)
            })
            .collect();
        subtract(&mut self.left, columns, &beyond, stride, dim);
        add_scaled(&mut turns, 1.0, &beyond);
        let extent = square(&self.embedded);
        let misfit = if extent > 0.0 { (square(&self.left) / extent).min(1.0) } else { 0.0 };
        (turns, misfit)
    }

    /// The share of the image that maps fitted without the member in question do not explain, by the residuals `left`.
    fn unforeseen(&self, squares: &[f64], largest: f64, size: usize) -> f64 {
        let stride = self.chart.stride();
        let columns = &self.chart.columns()[..squares.len() * stride];
        let alone = 1.0 / size as f64;
        let (mut missed, mut all) = (0.0, 0.0);
        for member in 0..size {
            let along = columns.chunks_exact(stride).zip(squares);
            let leverage: f64 =
                along.map(|(column, square)| column[member] * column[member] / (square + DAMPING * largest)).sum();
            let rest = (1.0 - alone - leverage).max(ROUNDING);
            let of = |values: &[f64]| values.chunks_exact(stride).map(|axis| axis[member] * axis[member]).sum::<f64>();
            missed += of(&self.left) / (rest * rest);
            all += of(&self.embedded) / ((1.0 - alone) * (1.0 - alone)).max(ROUNDING);
        }
        if all > 0.0 { (missed / all).min(1.0) } else { 0.0 }
    }
}

/// Subtracts from `left` what `turns` make of the chart's coordinates.
fn subtract(left: &mut [f64], columns: &[f64], turns: &[f64], stride: usize, dim: usize) {
    for (column, left) in left.chunks_exact_mut(stride).enumerate().take(dim) {
        for (coordinate, turn) in columns.chunks_exact(stride).zip(turns.chunks_exact(dim)) {
            add_scaled(left, -turn[column], coordinate);
        }
    }
}
