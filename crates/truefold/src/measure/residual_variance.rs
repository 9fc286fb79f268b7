//! Residual variance, 1 - r^2, where r is the correlation of d_G(i, j) and |y_i - y_j| over the pairs of a component.
//!
//! d_G is the length of the shortest path on the neighborhood graph, whose edges have their Euclidean input lengths.
//! Tenenbaum, de Silva and Langford, Science 290, 2000. Pairs of different components have no d_G and are left out. A
//! side on which all distances are equal explains nothing, so the value is 1; it is 0 if both sides are such.
//!
//! Of a sample of points the pairs of each with all points are taken: each point brings six sums, the value is a
//! function of their totals, and its standard error is that of the delete-one jackknife over the sampled points, times
//! sqrt(1 - m/n). By chance: the mean over a few maps with their rows in random order, beside the same paths; it is 1
//! less about 1 / n. Cost: one Dijkstra search per point, O(n^2 k log n) for all.

use super::distances::Distances;
use super::shuffled::{self, DRAWS};
use super::{Better, Cost, Evaluation, Measure, MeasureInfo, Score, Side};
use crate::Result;

pub(super) struct ResidualVariance;

impl Measure for ResidualVariance {
    fn info(&self) -> &'static MeasureInfo {
        &MeasureInfo {
            name: "residual_variance",
            symbol: "residual variance",
            summary: "share of the variance of path lengths that embedded distances leave unexplained",
            range: "0 to 1",
            better: Better::Lower,
            invariant: "rigid motions and scaling of X and of Y",
            cost: Cost::Quadratic,
            side: Side::Both,
            default: false,
        }
    }

    fn score(&self, evaluation: &Evaluation<'_>) -> Result<Score> {
        let sample = evaluation.sample();
        let mixed = shuffled::embeddings(evaluation);
        let maps: Vec<Distances<'_>> =
            [evaluation.embedding()].into_iter().chain(&mixed).map(Distances::euclidean).collect::<Result<_>>()?;
        // Of each source the sums with the map, and then those with every draw.
        let moments =
            evaluation.graph().each_source(sample.rows(), "path lengths", evaluation.run(), |source, lengths| {
                std::array::from_fn::<_, { 1 + DRAWS }, _>(|map| Moments::of(lengths, source, &maps[map]))
            })?;
        let value_of = |map: usize| {
            let all = moments.iter().fold(Moments::default(), |all, row| all.merge(&row[map]));
            all.residual().unwrap_or(0.0)
        };
        let own: Vec<Moments> = moments.iter().map(|row| row[0]).collect();
        let values: Vec<f64> = own.iter().map(|row| row.residual().unwrap_or(f64::NAN)).collect();
        let standard_error = (!sample.is_whole()).then(|| jackknife(&own, sample.correction()));
        let by_chance = moments
            .iter()
            .map(|row| row[1..].iter().map(|draw| draw.residual().unwrap_or(f64::NAN)).sum::<f64>() / DRAWS as f64);
        let by_chance: Vec<f64> = by_chance.collect();
        let chance = shuffled::chance(std::array::from_fn(|draw| value_of(1 + draw)));
        let score = sample.score(value_of(0), standard_error, &values).with_chance(Some(chance));
        Ok(Score { per_point_chance: Some(sample.spread(&by_chance)), ..score })
    }
}

/// The standard error of the value over all `rows`, from the values without one of them.
fn jackknife(rows: &[Moments], correction: f64) -> f64 {
    let mut after = vec![Moments::default(); rows.len() + 1];
    for place in (0..rows.len()).rev() {
        after[place] = rows[place].merge(&after[place + 1]);
    }
    let mut before = Moments::default();
    let mut values = Vec::with_capacity(rows.len());
    for (row, after) in rows.iter().zip(&after[1..]) {
        values.push(before.merge(after).residual().unwrap_or(0.0));
        before = before.merge(row);
    }
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    (squares * (count - 1.0) / count * correction).sqrt()
}

/// The means of two quantities over pairs and the sums of squares and products about them.
#[derive(Debug, Clone, Copy, Default)]
struct Moments {
    count: f64,
    means: [f64; 2],
    squares: [f64; 2],
    product: f64,
}

impl Moments {
    /// Over the pairs of `source` with all points that it reaches.
    fn of(lengths: &[f64], source: usize, distances: &Distances<'_>) -> Self {
        let pairs: Vec<[f64; 2]> = lengths
            .iter()
            .enumerate()
            .filter(|&(other, length)| other != source && length.is_finite())
            .map(|(other, &length)| [length, distances.distance(distances.value(source, other))])
            .collect();
        let count = pairs.len() as f64;
        let mut means = [0.0; 2];
        for pair in &pairs {
            means[0] += pair[0];
            means[1] += pair[1];
        }
        means = means.map(|sum| sum / count.max(1.0));
        let mut moments = Self { count, means, ..Self::default() };
        for pair in &pairs {
            let (a, b) = (pair[0] - means[0], pair[1] - means[1]);
            moments.squares[0] += a * a;
            moments.squares[1] += b * b;
            moments.product += a * b;
        }
        moments
    }

    /// Over the pairs of both.
    fn merge(&self, other: &Self) -> Self {
        let count = self.count + other.count;
        if count == 0.0 {
            return Self::default();
        }
        let (share, weight) = (other.count / count, self.count * other.count / count);
        let [a, b] = [other.means[0] - self.means[0], other.means[1] - self.means[1]];
        Self {
            count,
            means: [self.means[0] + share * a, self.means[1] + share * b],
            squares: [
                self.squares[0] + other.squares[0] + weight * a * a,
                self.squares[1] + other.squares[1] + weight * b * b,
            ],
            product: self.product + other.product + weight * a * b,
        }
    }

    /// 1 - r^2, where there are any pairs.
    fn residual(&self) -> Option<f64> {
        // Equal but for rounding: the variance is below the square of some units in the last place of the mean.
        let flat = |side: usize| self.squares[side] <= self.count * (1e-14 * self.means[side]).powi(2);
        match (flat(0), flat(1)) {
            _ if self.count == 0.0 => None,
            (true, true) => Some(0.0),
            (false, false) => {
                Some((1.0 - self.product / self.squares[0] * (self.product / self.squares[1])).clamp(0.0, 1.0))
            }
            _ => Some(1.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn merged_rows_are_the_whole_and_the_value_is_that_of_the_textbook() {
        let a = Moments { count: 2.0, means: [1.5, 2.0], squares: [0.5, 2.0], product: 1.0 }; // (1, 1), (2, 3)
        let b = Moments { count: 1.0, means: [4.0, 2.0], squares: [0.0; 2], product: 0.0 };
        let both = a.merge(&b);
        // x = 1, 2, 4 and y = 1, 3, 2: Sxx = 14/3, Syy = 2, Sxy = 1.
        assert!((both.squares[0] - 14.0 / 3.0).abs() < 1e-14);
        assert!((both.squares[1] - 2.0).abs() < 1e-14);
        assert!((both.product - 1.0).abs() < 1e-14);
        assert!((both.residual().unwrap() - (1.0 - 3.0 / 28.0)).abs() < 1e-14);
        assert_eq!(a.merge(&Moments::default()).means, a.means);
        assert_eq!(Moments::default().residual(), None);
        assert_eq!(b.residual(), Some(0.0));
    }
}
