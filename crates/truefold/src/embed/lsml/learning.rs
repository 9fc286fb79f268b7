//! The learning of bases: coordinates e_ij for given Theta, Theta for given coordinates, and a balance of their sizes, in turn.
//!
//! E = (1 / M) sum over pairs of (|H(x_ij) e_ij - D_ij|^2 + a |e_ij|^2) / u + tr Theta' R Theta, R = (b / M) sum of g_ij g_ij' + (m
//! / p) I, D_ij = x_j - x_i, g_ij = f(x_i) - f(x_ij), M the number of pairs. For given Theta, (H'H + a I) e = H'D a pair; for given
//! e, with v_ij = f(x_ij) times e_ij, a vector of p d, (sum v v' / (M u) + R times I) Theta = sum v D' / (M u). Replacing H by H W
//! and e by W^(-1) e changes no product H e: the least of the rest is at W = G^(1/2), G S G = C, S the d x d matrix Theta' R Theta
//! and C = (a / (M u)) sum e e', which is the geometric mean of S^(-1) and C. No step raises E. Cost: O((s d)^2 + s q d) a pair,
//! at most [`PAIRS`] pairs a feature, and a sparse factor of p d unknowns a step.

use super::bases::Bases;
use super::features::{Centers, Features};
use super::{Lsml, middles};
use crate::frames::Tangents;
use crate::history::Stop;
use crate::linalg::{
    FactorLimits, NoFactor, SparseCholesky, SymmetricEigen, Triangle, add_scaled, dot, solve_definite, square,
};
use crate::{Error, Neighborhoods, Points, Result, Run};

/// The most pairs per feature from which bases are learned.
const PAIRS: usize = 200;

/// m: so little that it only keeps the system definite.
const RIDGE: f64 = 1e-9;

/// Parts into which the pairs are cut; each has a matrix of its own.
const PARTS: usize = 8;

/// The pairs from which bases are learned.
pub(super) struct Learning<'a> {
    lsml: &'a Lsml,
    points: &'a Points,
    /// The points whose pairs these are.
    chosen: Vec<u32>,
    at_points: Features,
    pairs: Vec<(u32, u32)>,
    at_middles: Features,
    /// The mean square distance of a pair, u.
    unit: f64,
    features: usize,
    /// R, p x p.
    roughness: Vec<f64>,
}

/// What a pass over the pairs gives: the part of E that they make, and the system for Theta.
struct Pass {
    error: f64,
    /// The lower triangle, column by column, p d x p d.
    matrix: Vec<f64>,
    /// p d rows of q.
    sides: Vec<f64>,
    /// sum e e', d x d.
    spread: Vec<f64>,
}

impl<'a> Learning<'a> {
    pub(super) fn new(
        lsml: &'a Lsml,
        points: &'a Points,
        neighborhoods: &Neighborhoods,
        centers: &Centers,
        run: &Run,
    ) -> Result<Self> {
        let all = neighborhoods.memberships() - neighborhoods.len();
        let every = all.div_ceil(PAIRS * centers.len()).max(1);
        let chosen: Vec<u32> = (0..points.len() as u32).step_by(every).collect();
        let mut owners = Vec::new();
        let mut pairs = Vec::new();
        for (owner, &point) in chosen.iter().enumerate() {
            for &neighbor in neighborhoods.neighbors(point as usize) {
                owners.push(owner);
                pairs.push((point, neighbor));
            }
        }
        let at_points = centers.features(&points.select(&chosen), run)?;
        let at_middles = centers.features(&middles(points, &pairs)?, run)?;
        let count = pairs.len() as f64;
        let total: f64 = pairs.iter().map(|&(from, to)| points.squared_distance(from as usize, to as usize)).sum();
        let size = centers.len();
        let mut roughness = vec![0.0; size * size];
        let mut change = Vec::new();
        for (pair, &owner) in owners.iter().enumerate() {
            change.clear();
            change.extend_from_slice(at_points.of(owner));
            change.extend(at_middles.of(pair).iter().map(|&(center, weight)| (center, -weight)));
            for &(row, one) in &change {
                for &(column, other) in &change {
                    roughness[row as usize * size + column as usize] += lsml.smoothness / count * one * other;
                }
            }
        }
        (0..size).for_each(|at| roughness[at * size + at] += RIDGE / size as f64);
        let unit = if total > 0.0 { total / count } else { 1.0 };
        Ok(Self { lsml, points, chosen, at_points, pairs, at_middles, unit, features: size, roughness })
    }

    /// The Theta whose bases are nearest to the frames at the points, and smooth.
    pub(super) fn start(&self, tangents: &Tangents) -> Result<Bases> {
        let (size, cells) = (self.features, tangents.cells());
        let each = 1.0 / self.chosen.len() as f64;
        let mut matrix = self.roughness.clone();
        let mut theta = vec![0.0; size * cells];
        let mut frame = vec![0.0; cells];
        for (place, &point) in self.chosen.iter().enumerate() {
            tangents.copy(point as usize, &mut frame);
            let features = self.at_points.of(place);
            for &(row, one) in features {
                add_scaled(&mut theta[row as usize * cells..][..cells], each * one, &frame);
                for &(column, other) in features {
                    matrix[row as usize * size + column as usize] += each * one * other;
                }
            }
        }
        solve(&matrix, size, &mut theta, cells)?;
        Ok(Bases { dim: tangents.dim(), cells, theta })
    }

    /// Lowers E until a limit is reached; its values, which never rise.
    pub(super) fn learn(&self, bases: &mut Bases, run: &Run) -> Result<(Vec<f64>, Stop)> {
        let stage = run.stage("bases", self.lsml.iterations);
        let run = &run.quiet();
        let mut pass = self.pass(bases, run)?;
        let mut trace = vec![self.value(bases, &pass)];
        for _ in 0..self.lsml.iterations {
            run.check()?;
            let mut next = bases.clone();
            self.step(&mut next, pass)?;
            pass = self.pass(&next, run)?;
            let (before, value) = (trace[trace.len() - 1], self.value(&next, &pass));
            if value.is_nan() {
                return Ok((trace, Stop::Stalled));
            }
            // Rounding, where there is nothing left to lower.
            if value >= before {
                return Ok((trace, Stop::Converged));
            }
            *bases = next;
            trace.push(value);
            stage.advance(1);
            if before - value <= self.lsml.tolerance * before {
                return Ok((trace, Stop::Converged));
            }
        }
        Ok((trace, Stop::MaxIterations))
    }

    /// E where the coordinates are the best for these bases.
    fn value(&self, bases: &Bases, pass: &Pass) -> f64 {
        let gram = self.gram(bases);
        pass.error + (0..bases.dim).map(|at| gram[at * bases.dim + at]).sum::<f64>()
    }

    /// The d x d matrix Theta' R Theta, summed over the q coordinates.
    fn gram(&self, bases: &Bases) -> Vec<f64> {
        let (dim, cells) = (bases.dim, bases.cells);
        let width = cells / dim;
        let mut gram = vec![0.0; dim * dim];
        let mut image = vec![0.0; cells];
        for (own, shares) in bases.theta.chunks_exact(cells).zip(self.roughness.chunks_exact(self.features)) {
            image.fill(0.0);
            for (&share, other) in shares.iter().zip(bases.theta.chunks_exact(cells)) {
                if share != 0.0 {
                    add_scaled(&mut image, share, other);
                }
            }
            for (row, own) in own.chunks_exact(width).enumerate() {
                for (column, image) in image.chunks_exact(width).enumerate() {
                    gram[row * dim + column] += dot(own, image);
                }
            }
        }
        gram
    }

    /// The best coordinates of all pairs, what they leave of E, and the system for Theta with them.
    fn pass(&self, bases: &Bases, run: &Run) -> Result<Pass> {
        let part = self.pairs.len().div_ceil(PARTS);
        let parts = run.chunks("pairs", self.pairs.len(), part, |range| {
            let mut pass = Pass::new(self.features, bases);
            let mut pair = Pair::new(bases);
            for at in range {
                pair.meet(self, bases, at);
                pair.add_to(&mut pass, self.at_middles.of(at));
            }
            Ok(pass)
        })?;
        let mut sum = Pass::new(self.features, bases);
        let each = 1.0 / (self.pairs.len() as f64 * self.unit);
        for part in parts {
            sum.error += each * part.error;
            add_scaled(&mut sum.matrix, each, &part.matrix);
            add_scaled(&mut sum.sides, each, &part.sides);
            add_scaled(&mut sum.spread, each * self.lsml.shrinkage, &part.spread);
        }
        Ok(sum)
    }

    /// The best Theta for the coordinates of a pass, balanced.
    fn step(&self, bases: &mut Bases, pass: Pass) -> Result<()> {
        let dim = bases.dim;
        let spread = self.fit_theta(bases, pass)?;
        if let Some(balance) = balance(&self.gram(bases), &spread, dim) {
            let width = bases.cells / dim;
            let mut turned = vec![0.0; bases.cells];
            for basis in bases.theta.chunks_exact_mut(bases.cells) {
                turned.fill(0.0);
                for (column, turned) in turned.chunks_exact_mut(width).enumerate() {
                    for (row, old) in basis.chunks_exact(width).enumerate() {
                        add_scaled(turned, balance[row * dim + column], old);
                    }
                }
                basis.copy_from_slice(&turned);
            }
        }
        Ok(())
    }

    /// The best Theta for the coordinates of a pass, and C.
    fn fit_theta(&self, bases: &mut Bases, mut pass: Pass) -> Result<Vec<f64>> {
        let (dim, size) = (bases.dim, self.features * bases.dim);
        for (row, shares) in self.roughness.chunks_exact(self.features).enumerate() {
            for (column, &share) in shares.iter().enumerate() {
                for axis in 0..dim {
                    pass.matrix[(row * dim + axis) * size + column * dim + axis] += share;
                }
            }
        }
        solve(&pass.matrix, size, &mut pass.sides, bases.cells / dim)?;
        bases.theta = pass.sides;
        Ok(pass.spread)
    }
}

#[cfg(test)]
impl Learning<'_> {
    /// The best coordinates of all pairs.
    pub(super) fn coordinates(&self, bases: &Bases) -> Vec<f64> {
        let mut pair = Pair::new(bases);
        let each = |at| {
            pair.meet(self, bases, at);
            pair.coordinates.clone()
        };
        (0..self.pairs.len()).flat_map(each).collect()
    }

    /// E at these bases, and the best bases for their coordinates, not balanced.
    pub(super) fn parts_of_a_step(&self, bases: &Bases) -> (f64, Bases) {
        let pass = self.pass(bases, &Run::new()).unwrap();
        let (value, mut next) = (self.value(bases, &pass), bases.clone());
        self.fit_theta(&mut next, pass).unwrap();
        (value, next)
    }

    /// W for these bases with the coordinates of others.
    pub(super) fn balanced(&self, bases: &Bases, others: &Bases) -> Vec<f64> {
        balance(&self.gram(bases), &self.pass(others, &Run::new()).unwrap().spread, bases.dim).unwrap()
    }
}

impl Pass {
    fn new(features: usize, bases: &Bases) -> Self {
        let (dim, size) = (bases.dim, features * bases.dim);
        let (matrix, sides) = (vec![0.0; size * size], vec![0.0; features * bases.cells]);
        Self { error: 0.0, matrix, sides, spread: vec![0.0; dim * dim] }
    }
}

/// One pair and the work space for the next.
struct Pair {
    basis: Vec<f64>,
    away: Vec<f64>,
    coordinates: Vec<f64>,
    matrix: Vec<f64>,
    error: f64,
}

impl Pair {
    fn new(bases: &Bases) -> Self {
        let (dim, width) = (bases.dim, bases.cells / bases.dim);
        let (basis, away) = (vec![0.0; bases.cells], vec![0.0; width]);
        Self { basis, away, coordinates: vec![0.0; dim], matrix: vec![0.0; dim * dim], error: 0.0 }
    }

    /// The best coordinates of a pair, and what it costs with them.
    fn meet(&mut self, learning: &Learning<'_>, bases: &Bases, at: usize) {
        let (from, to) = learning.pairs[at];
        let (dim, width, shrinkage) = (bases.dim, self.away.len(), learning.lsml.shrinkage);
        learning.points.difference(to as usize, from as usize, &mut self.away);
        bases.at(learning.at_middles.of(at), &mut self.basis);
        for (row, one) in self.basis.chunks_exact(width).enumerate() {
            self.coordinates[row] = dot(one, &self.away);
            for (column, other) in self.basis.chunks_exact(width).enumerate() {
                let own = if row == column { shrinkage } else { 0.0 };
                self.matrix[row * dim + column] = dot(one, other) + own;
            }
        }
        if !solve_definite(&mut self.matrix, &mut self.coordinates) {
            self.coordinates.fill(0.0);
        }
        let mut rest = self.away.clone();
        for (&value, axis) in self.coordinates.iter().zip(self.basis.chunks_exact(width)) {
            add_scaled(&mut rest, -value, axis);
        }
        self.error = square(&rest) + shrinkage * square(&self.coordinates);
    }

    fn add_to(&self, pass: &mut Pass, features: &[(u32, f64)]) {
        let (dim, width) = (self.coordinates.len(), self.away.len());
        let size = pass.sides.len() / width;
        pass.error += self.error;
        for (row, &one) in self.coordinates.iter().enumerate() {
            add_scaled(&mut pass.spread[row * dim..][..dim], one, &self.coordinates);
        }
        for (first, &(center, weight)) in features.iter().enumerate() {
            for (axis, &one) in self.coordinates.iter().enumerate() {
                let (value, column) = (weight * one, center as usize * dim + axis);
                add_scaled(&mut pass.sides[column * width..][..width], value, &self.away);
                // Centers increase, so what follows is below the diagonal.
                let cells = &mut pass.matrix[column * size..][..size];
                for &(other, share) in &features[first..] {
                    add_scaled(&mut cells[other as usize * dim..][..dim], value * share, &self.coordinates);
                }
            }
        }
    }
}

/// W = G^(1/2), G S G = C; none unless both are positive definite.
fn balance(roughness: &[f64], spread: &[f64], dim: usize) -> Option<Vec<f64>> {
    let root = power(roughness, dim, 0.5)?;
    let inverse = power(roughness, dim, -0.5)?;
    let middle = power(&between(&root, spread, dim), dim, 0.5)?;
    power(&between(&inverse, &middle, dim), dim, 0.5)
}

/// A B A for symmetric matrices.
fn between(outer: &[f64], inner: &[f64], dim: usize) -> Vec<f64> {
    let product = |a: &[f64], b: &[f64]| -> Vec<f64> {
        (0..dim * dim).map(|at| (0..dim).map(|k| a[at / dim * dim + k] * b[k * dim + at % dim]).sum()).collect()
    };
    let found = product(&product(outer, inner), outer);
    // Symmetric to the last bit.
    (0..dim * dim).map(|at| 0.5 * (found[at] + found[at % dim * dim + at / dim])).collect()
}

/// A power of a symmetric positive definite matrix; none of another.
fn power(matrix: &[f64], dim: usize, exponent: f64) -> Option<Vec<f64>> {
    let mut eigen = SymmetricEigen::default();
    eigen.decompose(matrix, dim);
    let least = 1e-14 * eigen.values()[0];
    if eigen.values().iter().any(|&value| !(value > least && value > 0.0)) {
        return None;
    }
    let mut result = vec![0.0; dim * dim];
    for (rank, value) in eigen.values().iter().enumerate() {
        let vector = eigen.vector(rank);
        for (row, cells) in result.chunks_exact_mut(dim).enumerate() {
            add_scaled(cells, value.powf(exponent) * vector[row], vector);
        }
    }
    Some(result)
}

/// Replaces `sides`, rows of `columns`, by the solution; of the matrix only the lower triangle by columns is read, which is the
/// upper one by rows.
fn solve(matrix: &[f64], size: usize, sides: &mut [f64], columns: usize) -> Result<()> {
    let mut triangle = Triangle::default();
    for (column, cells) in matrix.chunks_exact(size).enumerate() {
        triangle.offsets.push(triangle.rows.len() as u32);
        for (row, &value) in cells.iter().enumerate().skip(column) {
            if value != 0.0 || row == column {
                triangle.rows.push(row as u32);
                triangle.values.push(value);
            }
        }
    }
    triangle.offsets.push(triangle.rows.len() as u32);
    let factor = SparseCholesky::new(&triangle, FactorLimits::NONE).map_err(|cause| Error::Solver {
        task: "the system of the bases".into(),
        reached: f64::NAN,
        wanted: 0.0,
        advice: Box::new(
            match cause {
                NoFactor::Indefinite => "choose fewer {features}, or more {smoothness}",
                NoFactor::TooLarge => "choose fewer {features}",
            }
            .into(),
        ),
    })?;
    factor.solve(sides, columns);
    Ok(())
}
