//! The augmented Lagrangian of maximum variance, its slope, and its values along a line.
//!
//! f(Y) = -|Y|^2 / T + (1/m) sum_e p(c_e), p(c) = v c + s c^2 / 2 where distances are to be equal, and (max(v + s c,
//! 0)^2 - v^2) / 2s where they are not to grow; c_e is the relative violation of pair e, v_e its multiplier, s the
//! penalty, m the number of pairs, T a scale for the variance |Y|^2. Y has mean zero. Along Y + a P every c_e is a
//! quadratic in a, so that a line search needs three numbers a pair and not Y. Hestenes (1969), Powell (1969),
//! Rockafellar (1973). Cost: a pass over the pairs for c, one over the points for the slope; O(m) a value on a line.

use super::Constraint;
use super::pairs::Pairs;
use crate::linalg::block::{CHUNK, add_rows, by_width};
use crate::linalg::squared_distance;
use rayon::prelude::*;

/// The augmented Lagrangian for matrices Y of n rows.
pub(super) struct Lagrangian<'a> {
    pub(super) pairs: &'a Pairs,
    pub(super) constraint: Constraint,
    /// The columns of Y.
    pub(super) width: usize,
    /// T.
    pub(super) scale: f64,
    /// v_e.
    pub(super) multipliers: Vec<f64>,
    /// s.
    pub(super) penalty: f64,
}

/// The violations along Y + a P: c_e = constant + first a + second a^2; and of -|Y + a P|^2 / T the same.
pub(super) struct Line<'a> {
    constant: &'a [f64],
    first: Vec<f64>,
    second: Vec<f64>,
    variance: [f64; 2],
}

impl Lagrangian<'_> {
    /// The relative violation of every pair.
    pub(super) fn violations(&self, y: &[f64]) -> Vec<f64> {
        let (width, pairs) = (self.width, self.pairs);
        let mut violations = vec![0.0; pairs.len()];
        violations.par_chunks_mut(CHUNK).enumerate().for_each(|(chunk, part)| {
            for (at, violation) in (chunk * CHUNK..).zip(part) {
                let [a, b] = pairs.ends()[at];
                let (a, b) = (&y[a as usize * width..][..width], &y[b as usize * width..][..width]);
                *violation = (squared_distance(a, b) - pairs.squares()[at]) * pairs.scales()[at];
            }
        });
        violations
    }

    /// p'(c_e) of a pair, which is its multiplier in the next round.
    #[inline(always)]
    pub(super) fn pull(&self, pair: usize, violation: f64) -> f64 {
        let pull = self.multipliers[pair] + self.penalty * violation;
        match self.constraint {
            Constraint::Equal => pull,
            Constraint::AtMost => pull.max(0.0),
        }
    }

    /// The violation of a pair or, where its distance may be smaller, the part of it that affects the multiplier.
    pub(super) fn unmet(&self, pair: usize, violation: f64) -> f64 {
        match self.constraint {
            Constraint::Equal => violation.abs(),
            Constraint::AtMost => violation.max(-self.multipliers[pair] / self.penalty).abs(),
        }
    }

    /// The direction downhill at Y, where the violations are known.
    pub(super) fn downhill(&self, y: &[f64], violations: &[f64]) -> Vec<f64> {
        let factor = 2.0 / self.pairs.len() as f64;
        let mut forces = vec![0.0; self.pairs.len()];
        forces.par_chunks_mut(CHUNK).enumerate().for_each(|(chunk, part)| {
            for (at, force) in (chunk * CHUNK..).zip(part) {
                *force = factor * self.pull(at, violations[at]) * self.pairs.scales()[at];
            }
        });
        let mut downhill = vec![0.0; y.len()];
        by_width!(self.width, W => self.gather::<W>(y, &forces, &mut downhill));
        downhill
    }

    fn gather<const W: usize>(&self, y: &[f64], forces: &[f64], downhill: &mut [f64]) {
        let width = self.width;
        downhill.par_chunks_mut(CHUNK * width).enumerate().for_each(|(chunk, part)| {
            for (point, out) in (chunk * CHUNK..).zip(part.chunks_exact_mut(width)) {
                let seen = self.pairs.of(point);
                let total: f64 = seen.iter().map(|&[pair, _]| forces[pair as usize]).sum();
                let own = 2.0 / self.scale - total;
                for (out, value) in out.iter_mut().zip(&y[point * width..][..width]) {
                    *out = own * value;
                }
                add_rows::<W>(out, y, seen.iter().map(|&[pair, other]| (other, forces[pair as usize])));
            }
        });
    }

    /// The line from Y along P.
    pub(super) fn line<'a>(&self, y: &[f64], p: &[f64], violations: &'a [f64]) -> Line<'a> {
        let (width, pairs) = (self.width, self.pairs);
        let mut coefficients = vec![[0.0; 2]; pairs.len()];
        coefficients.par_chunks_mut(CHUNK).enumerate().for_each(|(chunk, part)| {
            for (at, [first, second]) in (chunk * CHUNK..).zip(part) {
                let [a, b] = pairs.ends()[at];
                let (a, b) = (a as usize * width, b as usize * width);
                for column in 0..width {
                    let (y, p) = (y[a + column] - y[b + column], p[a + column] - p[b + column]);
                    *first += y * p;
                    *second += p * p;
                }
                *first *= 2.0 * pairs.scales()[at];
                *second *= pairs.scales()[at];
            }
        });
        let (first, second) = coefficients.into_iter().map(|[first, second]| (first, second)).unzip();
        let variance = [2.0 * crate::linalg::dot(y, p) / self.scale, crate::linalg::square(p) / self.scale];
        Line { constant: violations, first, second, variance }
    }

    /// f(Y + a P) - f(Y) up to a constant, and its first and second derivative in a.
    pub(super) fn along(&self, line: &Line<'_>, a: f64) -> [f64; 3] {
        let parts: Vec<[f64; 3]> = line
            .constant
            .par_chunks(CHUNK)
            .enumerate()
            .map(|(chunk, part)| {
                let mut sums = [0.0; 3];
                for (at, constant) in (chunk * CHUNK..).zip(part) {
                    let (first, second) = (line.first[at], line.second[at]);
                    let violation = constant + a * (first + a * second);
                    let (slope, bend) = (first + 2.0 * a * second, 2.0 * second);
                    let pull = self.pull(at, violation);
                    let stiff = self.constraint == Constraint::Equal || pull > 0.0;
                    // p(c) = (p'(c)^2 - v^2) / 2s in both cases; the part without c does not matter.
                    sums[0] += pull * pull / (2.0 * self.penalty);
                    sums[1] += pull * slope;
                    sums[2] += pull * bend + if stiff { self.penalty * slope * slope } else { 0.0 };
                }
                sums
            })
            .collect();
        let mut sums = [0.0; 3];
        for part in parts {
            sums.iter_mut().zip(part).for_each(|(sum, part)| *sum += part);
        }
        let [first, second] = line.variance;
        let count = line.constant.len() as f64;
        [
            sums[0] / count - a * (first + a * second),
            sums[1] / count - first - 2.0 * a * second,
            sums[2] / count - 2.0 * second,
        ]
    }

    /// A step length near the first least value of f along the line, none where f does not fall.
    ///
    /// Newton's method on the derivative, kept inside an interval at whose ends the derivative has different signs.
    pub(super) fn step_length(&self, line: &Line<'_>) -> Option<f64> {
        const NEAR: f64 = 0.1;
        let [start, fall, _] = self.along(line, 0.0);
        if fall.is_nan() || fall >= 0.0 {
            return None;
        }
        let (mut low, mut high, mut a) = (0.0, f64::INFINITY, 1.0);
        for _trial in 0..60 {
            let [value, slope, bend] = self.along(line, a);
            if value < start && slope.abs() <= NEAR * -fall {
                return Some(a);
            }
            if slope > 0.0 || value >= start {
                high = a
            } else {
                low = a
            }
            let newton = a - slope / bend;
            let inside = bend > 0.0 && newton > low && newton < high;
            a = match (inside, high.is_finite()) {
                // At most tenfold at a time: far out, Newton's method is not reliable.
                (true, false) => newton.min(10.0 * a),
                (true, true) => newton,
                (false, false) => 2.0 * a,
                (false, true) => 0.5 * (low + high),
            };
        }
        (low > 0.0).then_some(low)
    }
}
