//! Rows of distances, a tile at a time: the only place where the global measures read coordinates.
//!
//! A pair has a value, a plain sum in the order of the coordinates, and a distance, which grows with it: the value
//! orders pairs without a root. Euclidean: sum of squared differences, its root. Manhattan: sum of absolute
//! differences, itself. Cosine and correlation: the same squares between rows of length one, half of them.
//!
//! A tile holds some hundred points coordinate by coordinate, so that the values from any one point to all of them are
//! vector operations on what the cache already holds. Every value has the same bits as [`Distances::value`] gives.

use crate::data::Input;
use crate::error::Advice;
use crate::neighbors::{Norm, Space};
use crate::{Error, Metric, Points, Result};

/// All distances between points, computed when they are asked for, or given.
#[derive(Debug)]
pub(crate) enum Distances<'a> {
    /// From coordinates.
    Between(Space<'a>),
    /// As given, row by row.
    Given {
        /// The number of points.
        len: usize,
        /// All of them.
        values: &'a [f64],
    },
}

impl<'a> Distances<'a> {
    /// The distances of the input: by `metric` where it has coordinates.
    pub(crate) fn new(input: &Input<'a>, metric: Metric) -> Result<Self> {
        match *input {
            Input::Points(points) => Ok(Self::Between(Space::new(points, metric)?)),
            Input::Distances(distances) => match distances.values() {
                Some(values) => Ok(Self::Given { len: distances.len(), values }),
                None => Err(Error::data(
                    "this measure compares all distances, and only some are known",
                    Advice::go_another_way("give the full table of distances, or choose other measures"),
                )),
            },
        }
    }

    /// The Euclidean distances of an embedding.
    pub(crate) fn euclidean(points: &'a Points) -> Result<Self> {
        Ok(Self::Between(Space::new(points, Metric::Euclidean)?))
    }

    /// The number of points.
    pub(super) fn len(&self) -> usize {
        match self {
            Self::Between(space) => space.len(),
            Self::Given { len, .. } => *len,
        }
    }

    /// The value of a pair, by which pairs are ordered.
    #[inline(always)]
    pub(crate) fn value(&self, a: usize, b: usize) -> f64 {
        match self {
            Self::Between(space) => space.value(a, b),
            Self::Given { len, values } => values[a * len + b],
        }
    }

    /// The distance that a value stands for.
    #[inline(always)]
    pub(crate) fn distance(&self, value: f64) -> f64 {
        match self {
            Self::Between(space) => space.distance(value),
            Self::Given { .. } => value,
        }
    }

    /// A distance that no pair exceeds, whatever the order of the points.
    pub(super) fn reach(&self) -> f64 {
        match self {
            Self::Between(space) => {
                let mut bounds = vec![(f64::INFINITY, f64::NEG_INFINITY); space.dim()];
                space.each_row(|row| {
                    for (bound, &value) in bounds.iter_mut().zip(row) {
                        *bound = (bound.0.min(value), bound.1.max(value));
                    }
                });
                let middle: Vec<f64> = bounds.iter().map(|bound| bound.0 + (bound.1 - bound.0) / 2.0).collect();
                let mut farthest = 0.0_f64;
                space.each_row(|row| farthest = farthest.max(space.norm().value(&middle, row)));
                // Twice as far by the triangle inequality; squares grow by four. A little more for rounding.
                let factor = if space.norm() == Norm::Absolutes { 2.0 } else { 4.0 };
                space.distance(factor * farthest * (1.0 + 1e-12))
            }
            // Given distances need not obey the triangle inequality.
            Self::Given { values, .. } => values.iter().copied().fold(0.0, f64::max),
        }
    }

    /// The number of points for which a tile stays in the cache.
    pub(super) fn tile_len(&self) -> usize {
        match self {
            Self::Between(space) => (32_768 / space.dim()).clamp(64, 1024),
            Self::Given { .. } => 1024,
        }
    }
}

/// Some points in a row, ready to be compared with any point.
#[derive(Debug, Default)]
pub(super) struct Tile {
    first: usize,
    columns: Vec<f64>,
    values: Vec<f64>,
    /// Room for a row that must be widened.
    row: Vec<f64>,
}

impl Tile {
    /// Takes the points `first..end`.
    #[inline(always)]
    pub(super) fn load(&mut self, distances: &Distances<'_>, first: usize, end: usize) {
        let size = end - first;
        self.first = first;
        self.values.resize(size, 0.0);
        if let Distances::Between(space) = distances {
            self.columns.resize(space.dim() * size, 0.0);
            for place in 0..size {
                for (coordinate, &value) in space.row(first + place, &mut self.row).iter().enumerate() {
                    self.columns[coordinate * size + place] = value;
                }
            }
        }
    }

    /// The values from `source` to the points of the tile.
    #[inline(always)]
    pub(super) fn values(&mut self, distances: &Distances<'_>, source: usize) -> &[f64] {
        match distances {
            Distances::Between(space) => {
                let center = space.row(source, &mut self.row);
                match space.norm() {
                    Norm::Absolutes => accumulate(&mut self.values, &self.columns, center, f64::abs),
                    Norm::Squares => accumulate(
                        &mut self.values,
                        &self.columns,
                        center,
                        #[inline(always)]
                        |difference| difference * difference,
                    ),
                }
            }
            Distances::Given { len, values } => {
                let row = &values[source * len + self.first..][..self.values.len()];
                self.values.copy_from_slice(row);
            }
        }
        &self.values
    }
}

#[inline(always)]
fn accumulate(sums: &mut [f64], columns: &[f64], center: &[f64], term: impl Fn(f64) -> f64 + Copy) {
    sums.fill(0.0);
    let (fours, rest) = center.as_chunks::<4>();
    let (many, few) = columns.split_at(fours.len() * 4 * sums.len());
    for (center, columns) in fours.iter().zip(many.chunks_exact(4 * sums.len())) {
        add(sums, columns, *center, term);
    }
    match *rest {
        [a] => add(sums, few, [a], term),
        [a, b] => add(sums, few, [a, b], term),
        [a, b, c] => add(sums, few, [a, b, c], term),
        _ => {}
    }
}

/// Adds the terms of a few coordinates, in their order.
#[inline(always)]
fn add<const C: usize>(sums: &mut [f64], columns: &[f64], center: [f64; C], term: impl Fn(f64) -> f64 + Copy) {
    let size = sums.len();
    let columns: [&[f64]; C] = std::array::from_fn(|c| &columns[c * size..(c + 1) * size]);
    for place in 0..size {
        let mut sum = sums[place];
        for c in 0..C {
            sum += term(columns[c][place] - center[c]);
        }
        sums[place] = sum;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tiles_hold_the_bits_of_single_values_and_reach_bounds_them() {
        for dim in 1..10 {
            let values: Vec<f64> = (0..dim * 50).map(|i| ((i * i) as f64 * 0.37).sin() + 0.1 * dim as f64).collect();
            let points = Points::new(50, dim, values).unwrap();
            for metric in Metric::ALL {
                if dim == 1 && metric == Metric::Correlation {
                    continue;
                }
                let distances = Distances::new(&Input::Points(&points), metric).unwrap();
                let (mut tile, reach) = (Tile::default(), distances.reach());
                for (first, end) in [(0, 13), (13, 50)] {
                    tile.load(&distances, first, end);
                    for source in 0..50 {
                        let single: Vec<f64> = (first..end).map(|other| distances.value(source, other)).collect();
                        assert_eq!(tile.values(&distances, source), single);
                        assert!(single.iter().all(|&value| distances.distance(value) <= reach));
                    }
                }
            }
        }
    }

    #[test]
    fn cosine_and_correlation_are_what_their_names_say() {
        let points = Points::from_rows(&[[3.0, 4.0, 0.0], [0.0, 2.0, 0.0], [-1.0, -2.0, 1.0]]).unwrap();
        let cosine = Distances::new(&Input::Points(&points), Metric::Cosine).unwrap();
        assert!((cosine.distance(cosine.value(0, 1)) - 0.2).abs() < 1e-15);
        let correlation = Distances::new(&Input::Points(&points), Metric::Correlation).unwrap();
        let (a, b): ([f64; 3], [f64; 3]) = ([2.0, 5.0, -7.0], [-1.0, -4.0, 5.0]);
        let dot = |x: &[f64; 3], y: &[f64; 3]| x.iter().zip(y).map(|(x, y)| x * y).sum::<f64>();
        let expected = 1.0 - dot(&a, &b) / (dot(&a, &a) * dot(&b, &b)).sqrt();
        assert!((correlation.distance(correlation.value(0, 2)) - expected).abs() < 1e-15);
    }
}
