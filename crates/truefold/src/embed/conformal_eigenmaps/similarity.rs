//! How far a linear image of coordinates is from keeping every neighborhood's shape, as a quadratic form.
//!
//! For a pair e = (j, j') of members of neighborhood i let g_e = (y_j - y_j')'P(y_j - y_j') = q_e'p and a_e = |x_j -
//! x_j'|^2. With the best scale s_i = sum_e a_e g_e / sum_e a_e^2, sum_e (g_e - s_i a_e)^2 = sum_e g_e^2 - (sum_e a_e
//! g_e)^2 / sum_e a_e^2, so D = p'A p, A = sum_i [sum_e q_e q_e' - b_i b_i' / sum_e a_e^2], b_i = sum_e a_e q_e. p
//! and q_e list lower triangles, entries off the diagonal times sqrt 2. Cost: k^2/2 products of m(m + 1)/2 numbers
//! with themselves a point.

use crate::linalg::{add_scaled, dot};
use crate::semidefinite::place;
use crate::{Error, Problem, Result, Run};

/// The parts into which the points are cut, whatever the threads: each has a matrix of its own.
const PARTS: usize = 16;

/// The form D and what it is relative to.
pub(super) struct Similarity {
    width: usize,
    /// A.
    pub(super) form: Vec<f64>,
    /// sum_i sum_e q_e q_e': D relative to sum g_e^2.
    whole: Vec<f64>,
    /// The mean over i of b_i / sum_e a_e^2: p times it is the mean scale.
    scale: Vec<f64>,
}

impl Similarity {
    /// For coordinates `y`, `width` a point.
    pub(super) fn new(problem: &Problem<'_>, y: &[f64], width: usize, run: &Run) -> Result<Self> {
        let length = width * (width + 1) / 2;
        let unit = unit(problem)?;
        let parts = run.chunks("similarity", problem.len(), problem.len().div_ceil(PARTS), |range| {
            let mut sums = Sums::new(width);
            for index in range {
                run.check()?;
                sums.add(problem, index, y, unit)?;
            }
            Ok(sums)
        })?;
        let mut all = Self {
            width,
            form: vec![0.0; length * length],
            whole: vec![0.0; length * length],
            scale: vec![0.0; length],
        };
        let mut counted = 0;
        for part in parts {
            add_scaled(&mut all.form, 1.0, &part.form);
            add_scaled(&mut all.whole, 1.0, &part.whole);
            add_scaled(&mut all.scale, 1.0 / (unit * unit), &part.scale);
            counted += part.counted;
        }
        add_scaled(&mut all.form, 1.0, &all.whole);
        all.scale.iter_mut().for_each(|value| *value /= counted.max(1) as f64);
        for matrix in [&mut all.form, &mut all.whole] {
            for row in 0..length {
                for column in 0..row {
                    matrix[column * length + row] = matrix[row * length + column];
                }
            }
        }
        Ok(all)
    }

    /// sqrt(D / sum g_e^2): 0 where all shapes are kept, at most 1.
    pub(super) fn mismatch(&self, matrix: &[f64]) -> f64 {
        let p = self.listed(matrix);
        let [least, whole] = [&self.form, &self.whole].map(|form| quadratic(form, &p));
        if whole > 0.0 { (least.max(0.0) / whole).sqrt() } else { 0.0 }
    }

    /// The mean of the scales s_i.
    pub(super) fn scale(&self, matrix: &[f64]) -> f64 {
        dot(&self.scale, &self.listed(matrix))
    }

    fn listed(&self, matrix: &[f64]) -> Vec<f64> {
        let width = self.width;
        let entry = |a: usize, b: usize| if a == b { 1.0 } else { std::f64::consts::SQRT_2 } * matrix[a * width + b];
        (0..width).flat_map(|a| (0..=a).map(move |b| entry(a, b))).collect()
    }
}

/// Sums over some of the neighborhoods, lower triangles only, and the work space to add the next.
struct Sums {
    /// -sum_i b_i b_i' / sum_e a_e^2.
    form: Vec<f64>,
    whole: Vec<f64>,
    scale: Vec<f64>,
    /// The neighborhoods that have a scale.
    counted: usize,
    q: Vec<f64>,
    b: Vec<f64>,
    difference: Vec<f64>,
}

impl Sums {
    fn new(width: usize) -> Self {
        let length = width * (width + 1) / 2;
        let (matrix, vector) = (|| vec![0.0; length * length], || vec![0.0; length]);
        let difference = vec![0.0; width];
        Self { form: matrix(), whole: matrix(), scale: vector(), counted: 0, q: vector(), b: vector(), difference }
    }

    /// Adds neighborhood `index`.
    fn add(&mut self, problem: &Problem<'_>, index: usize, y: &[f64], unit: f64) -> Result<()> {
        let (members, width) = (problem.neighborhoods().members(index), self.difference.len());
        self.b.fill(0.0);
        let mut squares = 0.0;
        for (at, &one) in members.iter().enumerate() {
            for &other in &members[at + 1..] {
                let (one, other) = (one as usize, other as usize);
                let a = (problem.input().distance(one, other) / unit).powi(2);
                if !a.is_finite() {
                    return Err(unknown(one, other));
                }
                let rows = y[one * width..].iter().zip(&y[other * width..]);
                for (difference, (j, k)) in self.difference.iter_mut().zip(rows) {
                    *difference = j - k;
                }
                list(&self.difference, &mut self.q);
                add_outer(&mut self.whole, 1.0, &self.q);
                add_scaled(&mut self.b, a, &self.q);
                squares += a * a;
            }
        }
        // Where all members are equal, any scale fits, and the only condition is that they stay together.
        if squares > 0.0 {
            add_outer(&mut self.form, -1.0 / squares, &self.b);
            add_scaled(&mut self.scale, 1.0 / squares, &self.b);
            self.counted += 1;
        }
        Ok(())
    }
}

/// A length near that of the neighborhoods, so that fourth powers of lengths are harmless.
fn unit(problem: &Problem<'_>) -> Result<f64> {
    let neighborhoods = problem.neighborhoods();
    let mut largest = 0.0_f64;
    for index in 0..problem.len() {
        for &to in neighborhoods.neighbors(index) {
            let distance = problem.input().distance(index, to as usize);
            if !distance.is_finite() {
                return Err(unknown(index, to as usize));
            }
            largest = largest.max(distance);
        }
    }
    if largest > 0.0 {
        return Ok(largest);
    }
    Err(Error::data(
        format!("all {} points are equal to all of their neighbors", problem.len()),
        "remove duplicates, or choose a larger {k}",
    ))
}

fn unknown(one: usize, other: usize) -> Error {
    Error::data(
        format!("the distance between rows {} and {} is not known or too large", one + 1, other + 1),
        "give the distances within every neighborhood, and rescale what is too large to be squared",
    )
}

/// Lists the lower triangle of v v', entries off the diagonal times sqrt 2.
fn list(v: &[f64], q: &mut [f64]) {
    for a in 0..v.len() {
        for b in 0..a {
            q[place(a, b)] = std::f64::consts::SQRT_2 * v[a] * v[b];
        }
        q[place(a, a)] = v[a] * v[a];
    }
}

/// Adds `factor` v v' to the lower triangle.
fn add_outer(matrix: &mut [f64], factor: f64, v: &[f64]) {
    let length = v.len();
    for (row, &value) in v.iter().enumerate() {
        add_scaled(&mut matrix[row * length..][..row + 1], factor * value, &v[..=row]);
    }
}

fn quadratic(form: &[f64], p: &[f64]) -> f64 {
    form.chunks_exact(p.len()).zip(p).map(|(row, value)| value * dot(row, p)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Neighborhoods, Points};

    #[test]
    fn the_form_is_the_sum_that_defines_it() {
        let x: Vec<[f64; 3]> = (0..12).map(f64::from).map(|t| [t.sin(), (1.7 * t).cos(), 0.1 * t]).collect();
        let x = Points::from_rows(&x).unwrap();
        let neighborhoods = Neighborhoods::nearest(&x, 4, &Run::new()).unwrap();
        let problem = Problem::new(&x, &neighborhoods, 2).unwrap();
        let y: Vec<f64> = (0..24).map(|at| f64::from(at * 7 % 11)).collect();
        let similarity = Similarity::new(&problem, &y, 2, &Run::new()).unwrap();
        let p = [0.7, 0.2, 0.2, 0.3];
        let (mut least, mut whole, mut scales) = (0.0, 0.0, 0.0);
        for index in 0..12 {
            let members = neighborhoods.members(index);
            let mut pairs = Vec::new();
            for (at, &j) in members.iter().enumerate() {
                for &k in &members[at + 1..] {
                    let (j, k) = (j as usize, k as usize);
                    let v = [y[2 * j] - y[2 * k], y[2 * j + 1] - y[2 * k + 1]];
                    let g = p[0] * v[0] * v[0] + 2.0 * p[1] * v[0] * v[1] + p[3] * v[1] * v[1];
                    pairs.push((g, problem.input().distance(j, k).powi(2)));
                }
            }
            let scale = pairs.iter().map(|(g, a)| g * a).sum::<f64>() / pairs.iter().map(|(_, a)| a * a).sum::<f64>();
            scales += scale / 12.0;
            least += pairs.iter().map(|(g, a)| (g - scale * a).powi(2)).sum::<f64>();
            whole += pairs.iter().map(|(g, _)| g * g).sum::<f64>();
        }
        assert!((similarity.mismatch(&p) - (least / whole).sqrt()).abs() < 1e-12);
        assert!((similarity.scale(&p) / scales - 1.0).abs() < 1e-12);
    }
}
