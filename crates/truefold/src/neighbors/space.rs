//! The space in which neighbors are searched: rows prepared so that a plain sum orders pairs as the metric does.
//!
//! | metric      | rows                            | value of a pair           | distance    |
//! |-------------|---------------------------------|---------------------------|-------------|
//! | Euclidean   | as given                        | sum of squared differences | its root    |
//! | Manhattan   | as given                        | sum of absolute differences | itself      |
//! | cosine      | divided by their length         | sum of squared differences | half of it  |
//! | correlation | centered, divided by their length | sum of squared differences | half of it  |
//!
//! Rows so large or so small that squares would overflow or underflow are multiplied by a power of two, which changes
//! no comparison. Rows in double precision are prepared once, or used where they lie. Narrower ones are prepared
//! whenever they are read, by the same operations: the space keeps at most three numbers for each row.

#[cfg(test)]
mod tests;

use super::Metric;
use super::kernel::fetch;
use super::prepare::{Unit, check_small, scale_for};
use super::rough::{Made, Plain};
use crate::linalg::squared_distance;
use crate::points::{Element, Ration, Table, with_rows};
use crate::{Points, Precision, Resident, Result};
use std::borrow::Cow;

/// Coordinates that are widened at a time.
const BLOCK: usize = 64;
/// Pairs that are summed at a time: each sum must add in order, and independent sums keep the processor busy.
const LANES: usize = 8;

/// What is summed over the coordinates of a difference.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Norm {
    /// The squares.
    Squares,
    /// The absolute values.
    Absolutes,
}

impl Norm {
    /// The value of a pair of rows: the sum in the order of the coordinates.
    #[inline(always)]
    pub(crate) fn value(self, a: &[f64], b: &[f64]) -> f64 {
        match self {
            Self::Squares => squared_distance(a, b),
            Self::Absolutes => a.iter().zip(b).fold(0.0, |sum, (a, b)| sum + (a - b).abs()),
        }
    }
}

/// Rows prepared for a search.
#[derive(Debug, Clone)]
pub(crate) struct Space<'a> {
    points: &'a Points,
    rows: Prepared<'a>,
    len: usize,
    dim: usize,
    norm: Norm,
    metric: Metric,
    scale: f64,
}

/// How the rows are kept.
#[derive(Debug, Clone)]
enum Prepared<'a> {
    /// In double precision, ready.
    Ready(Cow<'a, [f64]>),
    /// As they were given; only widened when they are read.
    Narrow(Table<'a>),
    /// As they were given, with what makes each a row of length one.
    Units(Table<'a>, Vec<Unit>),
}

impl<'a> Space<'a> {
    /// Bytes of a mapped file that are in memory at a time while all of it is looked at, about.
    pub(super) const READ: usize = 384 << 20;

    /// The rows of `points` prepared for `metric`; an error names a row that has no direction.
    pub(crate) fn new(points: &'a Points, metric: Metric) -> Result<Self> {
        let scale = match (metric, points.table()) {
            (Metric::Cosine | Metric::Correlation, _) => 1.0,
            (_, Table::Double(_)) => {
                let ration = points.ration(Self::READ);
                let largest = points.values().chunks(points.dim()).fold(0.0_f64, |largest, row| {
                    ration.rows(1);
                    row.iter().fold(largest, |largest, value| largest.max(value.abs()))
                });
                let scale = scale_for(largest);
                if metric != Metric::Manhattan {
                    check_small(points, scale)?;
                }
                scale
            }
            // All narrower numbers can be squared.
            _ => 1.0,
        };
        Self::scaled(points, metric, scale)
    }

    /// The same for a part of points whose numbers are of ordinary size: values of several parts are in the same units.
    pub(crate) fn of_part(points: &'a Points, metric: Metric) -> Result<Self> {
        Self::scaled(points, metric, 1.0)
    }

    /// The rows of other points, prepared like those of this space.
    pub(crate) fn admit<'b>(&self, points: &'b Points) -> Result<Space<'b>> {
        Space::scaled(points, self.metric, self.scale)
    }

    fn scaled(points: &'a Points, metric: Metric, scale: f64) -> Result<Self> {
        let (table, ration) = (points.table(), points.ration(Self::READ));
        let rows = match (metric, table) {
            (Metric::Cosine | Metric::Correlation, Table::Double(rows)) => {
                let mut values = Vec::with_capacity(points.len() * points.dim());
                for (index, row) in rows.iter().enumerate() {
                    ration.rows(1);
                    let unit = Unit::of(row, index, metric)?;
                    values.extend(row.iter().map(|value| unit.apply(*value)));
                }
                Prepared::Ready(Cow::Owned(values))
            }
            (Metric::Cosine | Metric::Correlation, _) => with_rows!(table, rows => {
                let units = rows.iter().enumerate().map(|(index, row)| {
                    ration.rows(1);
                    Unit::of(row, index, metric)
                });
                Prepared::Units(table, units.collect::<Result<_>>()?)
            }),
            (_, Table::Double(_)) if scale == 1.0 => Prepared::Ready(Cow::Borrowed(points.values())),
            (_, _) if scale == 1.0 => Prepared::Narrow(table),
            _ => with_rows!(table, rows => {
                let values = rows.iter().flatten().map(|value| value.wide() * scale);
                Prepared::Ready(Cow::Owned(values.collect()))
            }),
        };
        let norm = if metric == Metric::Manhattan { Norm::Absolutes } else { Norm::Squares };
        Ok(Self { points, rows, len: points.len(), dim: points.dim(), norm, metric, scale })
    }

    /// Says that the rows are not read for a while.
    pub(super) fn set_aside(&self) {
        self.points.set_aside();
    }

    /// A count of what is read of the rows, so that about `most` bytes of a mapped file are in memory at a time.
    pub(super) fn ration(&self, most: usize) -> Ration<'_> {
        // Rows that were prepared once are read in place of those of the file.
        let prepared = matches!(self.rows, Prepared::Ready(Cow::Owned(_)));
        self.points.ration(if prepared { usize::MAX / 2 } else { most })
    }

    /// The table where it lies on a graphics processor, if the rows are made of its numbers whenever they are read; and what
    /// makes each a row of length one, where they are such.
    pub(super) fn resident(&self) -> Option<(&'a Resident, Option<&[Unit]>)> {
        let units = match &self.rows {
            Prepared::Ready(Cow::Borrowed(_)) | Prepared::Narrow(_) => None,
            Prepared::Units(_, units) => Some(&units[..]),
            Prepared::Ready(Cow::Owned(_)) => return None,
        };
        Some((self.points.resident()?, units))
    }

    /// How precise the numbers of the table are.
    pub(super) fn precision(&self) -> Precision {
        self.points.precision()
    }

    /// The number of rows.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// The number of coordinates.
    pub(crate) fn dim(&self) -> usize {
        self.dim
    }

    /// What is summed.
    pub(crate) fn norm(&self) -> Norm {
        self.norm
    }

    /// Writes row `row` to `out`.
    #[inline(always)]
    pub(crate) fn read(&self, row: usize, out: &mut [f64]) {
        self.read_from(row, 0, &mut out[..self.dim]);
    }

    /// Writes the coordinates of row `row` from `start` on to `out`, as many as it has room for.
    #[inline(always)]
    pub(crate) fn read_from(&self, row: usize, start: usize, out: &mut [f64]) {
        let end = start + out.len();
        match &self.rows {
            Prepared::Ready(values) => out.copy_from_slice(&values[row * self.dim..][start..end]),
            Prepared::Narrow(table) => with_rows!(table, rows => {
                out.iter_mut().zip(&rows.row(row)[start..end]).for_each(|(out, value)| *out = value.wide());
            }),
            Prepared::Units(table, units) => with_rows!(table, rows => {
                let cells = out.iter_mut().zip(&rows.row(row)[start..end]);
                cells.for_each(|(out, value)| *out = units[row].apply(value.wide()));
            }),
        }
    }

    /// Row `index`: where it lies if it is ready, else a copy in `room`.
    #[inline(always)]
    pub(crate) fn row<'b>(&'b self, index: usize, room: &'b mut Vec<f64>) -> &'b [f64] {
        if let Prepared::Ready(values) = &self.rows {
            return &values[index * self.dim..][..self.dim];
        }
        room.resize(self.dim, 0.0);
        self.read(index, room);
        room
    }

    /// Gives `take` all rows in order.
    pub(crate) fn each_row(&self, mut take: impl FnMut(&[f64])) {
        let mut room = Vec::new();
        (0..self.len).for_each(|row| take(self.row(row, &mut room)));
    }

    /// The value of a pair: the sum in the order of the coordinates.
    #[inline(always)]
    pub(crate) fn value(&self, a: usize, b: usize) -> f64 {
        match &self.rows {
            Prepared::Ready(values) => {
                let row = |row: usize| &values[row * self.dim..][..self.dim];
                self.norm.value(row(a), row(b))
            }
            _ => self.sums(a, [b as u32])[0],
        }
    }

    /// The value of a pair, all coordinates multiplied by `scale` before, in single precision: for choosing candidates.
    #[inline(always)]
    pub(super) fn rough(&self, a: usize, b: usize, scale: f64) -> f32 {
        let (arch, norm) = (pulp::Arch::new(), self.norm);
        match &self.rows {
            Prepared::Ready(values) => {
                let row = |row: usize| &values[row * self.dim..][..self.dim];
                arch.dispatch(Plain { norm, rows: [row(a), row(b)], scale })
            }
            Prepared::Narrow(table) => {
                with_rows!(table, rows => arch.dispatch(Plain { norm, rows: [rows.row(a), rows.row(b)], scale }))
            }
            Prepared::Units(table, units) => with_rows!(table, rows => {
                let how = [units[a], units[b]].map(|unit| unit.affine().times(scale));
                arch.dispatch(Made { rows: [rows.row(a), rows.row(b)], how })
            }),
        }
    }

    /// Asks for a row before it is needed.
    #[inline(always)]
    pub(super) fn fetch(&self, row: usize) {
        match &self.rows {
            Prepared::Ready(values) => fetch(&values[row * self.dim..][..self.dim]),
            Prepared::Narrow(table) | Prepared::Units(table, _) => with_rows!(table, rows => fetch(rows.row(row))),
        }
    }

    /// How far the differences of two rows by which rough values are made may be from the true ones, as a length.
    pub(super) fn rough_error(&self, scale: f64) -> f64 {
        match &self.rows {
            Prepared::Units(_, units) => {
                let largest = units.iter().map(Unit::largest_step).fold(0.0, f64::max);
                4.0 * f64::EPSILON * scale * (self.dim as f64).sqrt() * largest
            }
            _ => 0.0,
        }
    }

    /// The largest power of two, up or down, that rough values can be scaled by.
    pub(super) fn largest_exponent(&self) -> i32 {
        if matches!(self.rows, Prepared::Narrow(_)) { 120 } else { 500 }
    }

    /// The values of `center` with each of `others`, in their order, in place of what `out` held.
    pub(crate) fn values_to(&self, center: usize, others: &[u32], out: &mut Vec<f64>) {
        out.clear();
        let (many, few) = others.as_chunks::<LANES>();
        many.iter().for_each(|&lanes| out.extend(self.sums(center, lanes)));
        out.extend(few.iter().map(|&other| self.value(center, other as usize)));
    }

    /// The values of `center` with some others at once.
    #[inline(always)]
    fn sums<const L: usize>(&self, center: usize, others: [u32; L]) -> [f64; L] {
        match self.norm {
            Norm::Squares => self.sums_of(center, others, |difference| difference * difference),
            Norm::Absolutes => self.sums_of(center, others, f64::abs),
        }
    }

    #[inline(always)]
    fn sums_of<const L: usize>(&self, center: usize, others: [u32; L], term: impl Fn(f64) -> f64 + Copy) -> [f64; L] {
        let mut sums = [0.0; L];
        if let Prepared::Ready(values) = &self.rows {
            let row = |row: usize| &values[row * self.dim..][..self.dim];
            add(&mut sums, row(center), others.map(|other| row(other as usize)), term);
            return sums;
        }
        let (mut from, mut to) = ([0.0; BLOCK], [[0.0; BLOCK]; L]);
        for start in (0..self.dim).step_by(BLOCK) {
            let width = BLOCK.min(self.dim - start);
            self.read_from(center, start, &mut from[..width]);
            for (room, other) in to.iter_mut().zip(others) {
                self.read_from(other as usize, start, &mut room[..width]);
            }
            add(&mut sums, &from[..width], std::array::from_fn(|lane| &to[lane][..width]), term);
        }
        sums
    }

    /// The distance that a value stands for.
    pub(crate) fn distance(&self, value: f64) -> f64 {
        self.metric.distance_of(value) / self.scale
    }

    /// The largest value whose distance is not beyond `radius`.
    ///
    /// It accounts for rounding, so that a reported distance that is given back as the radius includes its pair.
    pub(crate) fn limit(&self, radius: f64) -> f64 {
        let mut limit = match self.metric {
            Metric::Euclidean => (radius * self.scale) * (radius * self.scale),
            Metric::Manhattan => radius * self.scale,
            Metric::Cosine | Metric::Correlation => radius * 2.0,
        }
        .min(f64::MAX);
        while self.distance(limit) > radius {
            limit = limit.next_down();
        }
        while limit < f64::MAX && self.distance(limit.next_up()) <= radius {
            limit = limit.next_up();
        }
        limit
    }
}

/// Adds the terms of the differences between one row and some others, each in the order of the coordinates.
#[inline(always)]
fn add<const L: usize>(sums: &mut [f64; L], from: &[f64], to: [&[f64]; L], term: impl Fn(f64) -> f64) {
    let to = to.map(|row| &row[..from.len()]);
    for (axis, &at) in from.iter().enumerate() {
        for lane in 0..L {
            sums[lane] += term(at - to[lane][axis]);
        }
    }
}
