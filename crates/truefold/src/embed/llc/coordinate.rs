//! The coordination of local models: the smallest solutions of A v = t B v but for the constant one.
//!
//! A = T'T with T = (I - W) U, whose rows u_j - sum_i w_ji u_i hold only the models around point j; B = U'U / n. B =
//! Q S Q' is singular where models repeat each other: its directions below 1e-10 of the largest are left out, and in
//! the others v = Q S^(-1/2) x turns the problem into that of S^(-1/2) Q'A Q S^(-1/2). The vector of Y = 1 is known
//! (all l_k = 1) and is moved to the other end of the spectrum, so it is never among the smallest. Cost: O(n (a k
//! d)^2) for a models around a point, and dense eigenproblems of K (d + 1) unknowns.

use super::models::LocalModels;
use crate::linalg::{SymmetricEigen, add_scaled, dot, square};
use crate::local::{AroundCenter, reconstruction_weights};
use crate::{Error, Problem, Result, Run};

/// Directions of B below this share of the largest are none.
const NEGLIGIBLE: f64 = 1e-10;
/// The parts into which the points are cut, whatever the threads: each has matrices of its own.
const PARTS: usize = 8;

/// The coordinates and what they cost.
pub(super) struct Coordinated {
    /// d numbers a point, of mean zero and variance one.
    pub(super) values: Vec<f64>,
    /// The least t, and the one that would be next.
    pub(super) eigenvalues: Vec<f64>,
    pub(super) next: Option<f64>,
    /// The directions of B.
    pub(super) unknowns: usize,
}

pub(super) fn coordinate(problem: &Problem<'_>, models: &LocalModels, reg: f64, run: &Run) -> Result<Coordinated> {
    let (dim, size) = (problem.dim(), models.len() * (problem.dim() + 1));
    let (a, b) = matrices(problem, models, reg, run)?;
    let _stage = run.stage("coordination", 1);
    let mut eigen = SymmetricEigen::default();
    run.install(|| eigen.decompose(&b, size));
    let kept = eigen.values().iter().take_while(|&&value| value > NEGLIGIBLE * eigen.values()[0]).count();
    if kept < dim + 1 {
        return Err(Error::RankDeficient {
            what: format!("the {} local models allow", models.len()).into(),
            given: kept.saturating_sub(1),
            needed: dim,
            advice: "use more models or fewer dimensions".into(),
        });
    }
    // Rows are Q S^(-1/2)'s columns.
    let basis: Vec<f64> = (0..kept)
        .flat_map(|axis| {
            let length = eigen.values()[axis].sqrt();
            eigen.vector(axis).iter().map(|value| value / length).collect::<Vec<_>>()
        })
        .collect();
    run.check()?;
    let images: Vec<f64> = basis
        .chunks_exact(size)
        .flat_map(|v| a.chunks_exact(size).map(|row| dot(row, v)).collect::<Vec<_>>())
        .collect();
    let mut small = vec![0.0; kept * kept];
    for row in 0..kept {
        for column in 0..=row {
            let value = dot(&basis[row * size..][..size], &images[column * size..][..size]);
            (small[row * kept + column], small[column * kept + row]) = (value, value);
        }
    }
    deflate(&mut small, &basis, &b, dim);
    run.install(|| eigen.decompose(&small, kept));
    let mut values = vec![0.0; problem.len() * dim];
    let mut eigenvalues = Vec::with_capacity(dim);
    for axis in 0..dim {
        eigenvalues.push(eigen.values()[kept - 1 - axis].max(0.0));
        let mut v = vec![0.0; size];
        for (&share, row) in eigen.vector(kept - 1 - axis).iter().zip(basis.chunks_exact(size)) {
            add_scaled(&mut v, share, row);
        }
        for point in 0..problem.len() {
            values[point * dim + axis] =
                models.of(point).map(|(model, row)| dot(row, &v[model * (dim + 1)..][..dim + 1])).sum();
        }
    }
    let next = (kept > dim + 1).then(|| eigen.values()[kept - 1 - dim].max(0.0));
    Ok(Coordinated { values, eigenvalues, next, unknowns: kept })
}

/// Moves the vector of Y = 1 to the other end of the spectrum of `small`: in the new unknowns it is S^(1/2) Q'c =
/// S^(-1/2) Q' B c, c the vector in which all l_k are one.
fn deflate(small: &mut [f64], basis: &[f64], b: &[f64], dim: usize) {
    let kept = small.len().isqrt();
    let size = basis.len() / kept;
    let constant: Vec<f64> = (0..size).map(|at| f64::from(u8::from(at % (dim + 1) == dim))).collect();
    let image: Vec<f64> = b.chunks_exact(size).map(|row| dot(row, &constant)).collect();
    let mut null: Vec<f64> = basis.chunks_exact(size).map(|v| dot(v, &image)).collect();
    let length = square(&null).sqrt();
    null.iter_mut().for_each(|value| *value /= length);
    let beyond = (0..kept).map(|at| small[at * kept + at]).sum::<f64>().max(f64::MIN_POSITIVE);
    for row in 0..kept {
        add_scaled(&mut small[row * kept..][..kept], beyond * null[row], &null);
    }
}

/// A and B.
fn matrices(problem: &Problem<'_>, models: &LocalModels, reg: f64, run: &Run) -> Result<(Vec<f64>, Vec<f64>)> {
    let (count, width) = (problem.len(), problem.dim() + 1);
    let (input, size) = (problem.input(), models.len() * width);
    let parts = run.chunks("weights", count, count.div_ceil(PARTS), |range| {
        let (mut a, mut b) = (vec![0.0; size * size], vec![0.0; size * size]);
        let (mut around, mut shares) = (AroundCenter::default(), Vec::new());
        let (mut row, mut touched) = (vec![0.0; size], Vec::new());
        for index in range {
            run.check()?;
            let members = problem.neighborhoods().members(index);
            shares.clear();
            shares.resize(members.len() - 1, 0.0);
            reconstruction_weights(around.fill(&input, members)?, reg, &mut shares)?;
            add_row(models, index, 1.0, width, &mut row, &mut touched);
            add_square(&mut b, &row, &touched, width, 1.0 / count as f64);
            for (&member, share) in members[1..].iter().zip(&shares) {
                add_row(models, member as usize, -share, width, &mut row, &mut touched);
            }
            add_square(&mut a, &row, &touched, width, 1.0);
            for model in touched.drain(..) {
                row[model * width..][..width].fill(0.0);
            }
        }
        Ok((a, b))
    })?;
    let (mut a, mut b) = (vec![0.0; size * size], vec![0.0; size * size]);
    for (some_a, some_b) in parts {
        add_scaled(&mut a, 1.0, &some_a);
        add_scaled(&mut b, 1.0, &some_b);
    }
    Ok((a, b))
}

/// Adds `factor` u_j to a row.
fn add_row(models: &LocalModels, point: usize, factor: f64, width: usize, row: &mut [f64], touched: &mut Vec<usize>) {
    for (model, values) in models.of(point) {
        if !touched.contains(&model) {
            touched.push(model);
        }
        add_scaled(&mut row[model * width..][..width], factor, values);
    }
}

/// Adds `factor` times the square of a row that is zero but for the touched models.
fn add_square(matrix: &mut [f64], row: &[f64], touched: &[usize], width: usize, factor: f64) {
    let size = row.len();
    for &one in touched {
        for &other in touched {
            let from = &row[other * width..][..width];
            for at in one * width..(one + 1) * width {
                add_scaled(&mut matrix[at * size + other * width..][..width], factor * row[at], from);
            }
        }
    }
}
