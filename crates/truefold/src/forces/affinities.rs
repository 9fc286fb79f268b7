//! How strongly neighbors belong together: weights by perplexity, the same in both directions.
//!
//! Around each point p_j|i = exp(-b_i d_ij^2) / sum, with b_i such that the entropy of the weights is the logarithm of the
//! perplexity, the number of neighbors that effectively count; p_ij = (p_j|i + p_i|j) / 2 n (van der Maaten and Hinton
//! 2008, on neighbors alone: van der Maaten 2014). Cost: about ten exponentials a link; memory: 24 bytes a link.

use super::links::reachable;
use crate::{Neighborhoods, Result, Run};

/// Points of one task.
const TASK: usize = 1024;
/// Steps towards the width of a point, at the most.
const STEPS: usize = 100;

/// Weights between points, the same in both directions, row after row.
#[derive(Debug, Clone)]
pub(crate) struct Affinities {
    starts: Vec<usize>,
    rows: Vec<u32>,
    weights: Vec<f32>,
}

impl Affinities {
    /// Weights of this perplexity, or the largest that a point's neighbors allow, for the links of `neighborhoods`, whose
    /// `distances` include those of the centers to themselves; they add up to 1.
    pub(crate) fn of(neighborhoods: &Neighborhoods, distances: &[f64], perplexity: f64, run: &Run) -> Result<Self> {
        let share = 1.0 / (2 * neighborhoods.len()) as f32;
        let own = |distances: &[f64], weights: &mut Vec<f64>| {
            weights.extend(distances.iter().map(|distance| distance * distance));
            calibrate(weights, reachable(perplexity, distances.len()));
        };
        Self::joined(neighborhoods, distances, own, |one, other| (one + other) * share, run)
    }

    /// The weights that `own` makes of the distances of a point's neighbors, and `both` of those of the two directions
    /// of a link.
    pub(super) fn joined(
        neighborhoods: &Neighborhoods,
        distances: &[f64],
        own: impl Fn(&[f64], &mut Vec<f64>) + Send + Sync,
        both: impl Fn(f32, f32) -> f32 + Send + Sync,
        run: &Run,
    ) -> Result<Self> {
        let count = neighborhoods.len();
        let parts = run.chunks("affinities", count, TASK, |range| {
            let (mut part, mut room) = (Vec::new(), Vec::new());
            for row in range {
                room.clear();
                own(&distances[neighborhoods.places(row)][1..], &mut room);
                part.extend(room.iter().map(|weight| *weight as f32));
            }
            Ok(part)
        })?;
        let links = Links::of(neighborhoods, &parts.concat());
        let reverse = links.reversed(count);
        let parts = run.chunks("affinities", count, TASK, |range| {
            let (mut ends, mut rows, mut weights) = (Vec::new(), Vec::new(), Vec::new());
            for row in range {
                merge(links.of_row(row), reverse.of_row(row), |to, one, other| {
                    rows.push(to);
                    weights.push(both(one, other));
                });
                ends.push(rows.len());
            }
            Ok((ends, rows, weights))
        })?;
        drop((links, reverse));
        let mut joined = Self { starts: vec![0], rows: Vec::new(), weights: Vec::new() };
        for (ends, rows, weights) in parts {
            let before = joined.rows.len();
            joined.starts.extend(ends.iter().map(|end| before + end));
            joined.rows.extend(rows);
            joined.weights.extend(weights);
        }
        Ok(joined)
    }

    /// The number of points.
    pub(crate) fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// The points that a point is linked to, and the weights of the links.
    #[inline(always)]
    pub(crate) fn of_row(&self, row: usize) -> (&[u32], &[f32]) {
        let places = self.starts[row]..self.starts[row + 1];
        (&self.rows[places.clone()], &self.weights[places])
    }

    /// The same weights of the points in another order: those of row `order[at]` are at `at`.
    pub(crate) fn reordered(&self, order: &[u32]) -> Self {
        let mut places = vec![0; order.len()];
        order.iter().zip(0..).for_each(|(&row, place)| places[row as usize] = place);
        let mut starts = Vec::with_capacity(self.starts.len());
        let (mut rows, mut weights) = (Vec::with_capacity(self.rows.len()), Vec::with_capacity(self.rows.len()));
        starts.push(0);
        for &row in order {
            let (others, own) = self.of_row(row as usize);
            rows.extend(others.iter().map(|&other| places[other as usize]));
            weights.extend_from_slice(own);
            starts.push(rows.len());
        }
        Self { starts, rows, weights }
    }

    /// The largest weight.
    pub(crate) fn strongest(&self) -> f32 {
        self.weights.iter().copied().fold(0.0, f32::max)
    }

    /// The sum of p ln p over all links.
    pub(crate) fn entropy(&self) -> f64 {
        let term = |weight: &f32| if *weight > 0.0 { f64::from(*weight) * f64::from(*weight).ln() } else { 0.0 };
        self.weights.iter().map(term).sum()
    }
}

/// Replaces squared distances by weights of this perplexity that add up to 1; where the nearest are as far as each other
/// and more than the perplexity, they share it alone.
fn calibrate(squares: &mut [f64], perplexity: f64) {
    let least = squares.iter().copied().fold(f64::INFINITY, f64::min);
    squares.iter_mut().for_each(|square| *square -= least);
    let mean = squares.iter().sum::<f64>() / squares.len() as f64;
    let most = squares.iter().copied().fold(0.0, f64::max);
    let target = perplexity.ln();
    let mut sharpness = if mean > 0.0 { 1.0 / mean } else { 0.0 };
    let mut ends = [0.0, f64::INFINITY];
    for _ in 0..STEPS {
        let [mut sum, mut first, mut second] = [0.0; 3];
        for square in &*squares {
            let weight = (-sharpness * square).exp();
            sum += weight;
            first += weight * square;
            second += weight * square * square;
        }
        // Beyond, only the nearest have any weight.
        if sharpness * most > 1e4 {
            break;
        }
        let (mean, square) = (first / sum, second / sum);
        let above = sum.ln() + sharpness * mean - target;
        // The entropy falls with the logarithm of the sharpness by this.
        let slope = sharpness * sharpness * (square - mean * mean);
        if above.abs() < 1e-9 || slope <= 0.0 || slope.is_nan() {
            break;
        }
        ends[usize::from(above < 0.0)] = sharpness;
        let next = sharpness * (above / slope).clamp(-3.0, 3.0).exp();
        sharpness = match ends {
            [low, high] if next > low && next < high => next,
            [low, f64::INFINITY] => 2.0 * low,
            [low, high] => 0.5 * (low + high),
        };
    }
    squares.iter_mut().for_each(|square| *square = (-sharpness * *square).exp());
    let sum: f64 = squares.iter().sum();
    squares.iter_mut().for_each(|weight| *weight /= sum);
}

/// Links with weights, row after row, each row by the number of the other point.
struct Links {
    starts: Vec<usize>,
    links: Vec<(u32, f32)>,
}

impl Links {
    fn of(neighborhoods: &Neighborhoods, weights: &[f32]) -> Self {
        let mut starts = vec![0];
        let mut links = Vec::with_capacity(weights.len());
        for row in 0..neighborhoods.len() {
            let begin = links.len();
            links.extend(neighborhoods.neighbors(row).iter().copied().zip(weights[begin..].iter().copied()));
            links[begin..].sort_unstable_by_key(|link| link.0);
            starts.push(links.len());
        }
        Self { starts, links }
    }

    fn of_row(&self, row: usize) -> &[(u32, f32)] {
        &self.links[self.starts[row]..self.starts[row + 1]]
    }

    fn reversed(&self, count: usize) -> Self {
        let mut starts = vec![0; count + 1];
        self.links.iter().for_each(|link| starts[link.0 as usize + 1] += 1);
        for row in 0..count {
            starts[row + 1] += starts[row];
        }
        let mut next = starts.clone();
        let mut links = vec![(0, 0.0); self.links.len()];
        for row in 0..count {
            for &(to, weight) in self.of_row(row) {
                let place = &mut next[to as usize];
                links[*place] = (row as u32, weight);
                *place += 1;
            }
        }
        Self { starts, links }
    }
}

/// Gives `take` the rows of two lists in order, each with its weights in both, zero where it is in one alone.
fn merge(mut one: &[(u32, f32)], mut other: &[(u32, f32)], mut take: impl FnMut(u32, f32, f32)) {
    loop {
        match (one, other) {
            ([a, a_rest @ ..], [b, b_rest @ ..]) if a.0 == b.0 => {
                take(a.0, a.1, b.1);
                (one, other) = (a_rest, b_rest);
            }
            ([a, rest @ ..], [b, ..]) if a.0 < b.0 => {
                take(a.0, a.1, 0.0);
                one = rest;
            }
            ([a, rest @ ..], []) => {
                take(a.0, a.1, 0.0);
                one = rest;
            }
            (_, [b, rest @ ..]) => {
                take(b.0, 0.0, b.1);
                other = rest;
            }
            ([], []) => return,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Metric, Points};

    fn perplexity(weights: &[f64]) -> f64 {
        let entropy: f64 = weights.iter().filter(|weight| **weight > 0.0).map(|weight| -weight * weight.ln()).sum();
        entropy.exp()
    }

    #[test]
    fn weights_have_the_perplexity_that_was_asked_for_in_any_units() {
        for unit in [1e-120, 1e-3, 1.0, 1e60] {
            for wanted in [2.0, 5.0, 17.5, 29.0] {
                let mut squares: Vec<f64> = (1..=30).map(|at| unit * f64::from(at * at % 37 + at)).collect();
                calibrate(&mut squares, wanted);
                assert!((perplexity(&squares) / wanted - 1.0).abs() < 1e-6, "{unit} {wanted} {}", perplexity(&squares));
                assert!((squares.iter().sum::<f64>() - 1.0).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn equal_distances_share_alike() {
        let mut squares = vec![4.0; 10];
        calibrate(&mut squares, 3.0);
        assert!(squares.iter().all(|weight| (weight - 0.1).abs() < 1e-12));
        // Six at the same place: no width makes fewer of them count.
        let mut squares = vec![0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 2.0];
        calibrate(&mut squares, 3.0);
        assert!(squares[..6].iter().all(|weight| (weight - 1.0 / 6.0).abs() < 1e-3), "{squares:?}");
    }

    #[test]
    fn weights_are_the_same_in_both_directions_and_add_up_to_one() {
        let values = (0..600).map(|at| f64::from(at * 7919 % 1009)).collect();
        let (points, run) = (Points::new(200, 3, values).unwrap(), Run::new());
        let neighborhoods = Neighborhoods::nearest(&points, 15, &run).unwrap();
        let distances = neighborhoods.distances(&points, Metric::Euclidean, &run).unwrap();
        let made = Affinities::of(&neighborhoods, &distances, 5.0, &run).unwrap();
        let weight = |a: usize, b: u32| {
            let (rows, weights) = made.of_row(a);
            rows.iter().position(|row| *row == b).map(|place| weights[place])
        };
        let (mut sum, mut links) = (0.0, 0);
        for row in 0..made.len() {
            let (rows, weights) = made.of_row(row);
            assert!(rows.is_sorted() && !rows.contains(&(row as u32)));
            for (&to, &own) in rows.iter().zip(weights) {
                assert_eq!(weight(to as usize, row as u32), Some(own));
                sum += f64::from(own);
                links += 1;
            }
        }
        assert!((sum - 1.0).abs() < 1e-5);
        let linked = |a: usize, b: u32| neighborhoods.neighbors(a).contains(&b);
        let expected = (0..200).flat_map(|a| (0..200).map(move |b| (a, b)));
        assert_eq!(links, expected.filter(|&(a, b)| linked(a, b as u32) || linked(b, a as u32)).count());
    }
}
