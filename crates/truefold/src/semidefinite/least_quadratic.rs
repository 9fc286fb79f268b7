//! The least of a quadratic form over small semidefinite matrices of trace one.
//!
//! Minimize p'A p over P >= 0, tr P = 1, where p lists the lower triangle of the m x m matrix P, entries off the
//! diagonal times sqrt 2, so that p'p = |P|^2, and A >= 0. A logarithmic barrier: for growing t, Newton's method on t
//! p'A p - log det P with the trace kept. The second derivative of -log det P along the basis matrices is built from
//! W = P^-1: tr(W E_ab W E_cd) = 2 f_ab f_cd (W_ac W_bd + W_ad W_bc), f = 1/2 on and 1/sqrt 2 off the diagonal. At
//! the end the value is within m/t of the least. Boyd and Vandenberghe, Convex Optimization, section 11.3. Cost:
//! O(m^6) a step, some sixty steps; suitable for m up to about 20.

use crate::linalg::{SymmetricEigen, dot, solve_definite};
use crate::{Result, Run};

/// By how much the weight of the quadratic form grows.
const GROWTH: f64 = 8.0;
/// Newton steps for one weight, at most.
const STEPS: usize = 30;

/// The solution.
#[derive(Debug)]
pub(crate) struct LeastQuadratic {
    /// P, m x m.
    pub(crate) matrix: Vec<f64>,
    /// p'A p.
    pub(crate) value: f64,
    /// How far the least value may lie below.
    pub(crate) gap: f64,
    /// Newton steps.
    pub(crate) steps: usize,
}

/// The place of entry (a, b), a >= b, in a list of the lower triangle.
pub(crate) fn place(a: usize, b: usize) -> usize {
    a * (a + 1) / 2 + b
}

/// The P of `size` rows with the least p'A p; it ends when the gap is below `tolerance` times the value at P = I / m.
pub(crate) fn least_quadratic(form: &[f64], size: usize, tolerance: f64, run: &Run) -> Result<LeastQuadratic> {
    debug_assert_eq!(form.len(), (size * (size + 1) / 2).pow(2));
    let trace: Vec<f64> = entries(size).map(|(a, b)| f64::from(u8::from(a == b))).collect();
    let mut p: Vec<f64> = trace.iter().map(|one| one / size as f64).collect();
    let mut barrier = Barrier { form, size, trace, weight: 1.0, eigen: SymmetricEigen::default() };
    let unit = barrier.value(&p);
    // A form that is zero is least anywhere.
    if unit.is_nan() || unit <= 0.0 {
        return Ok(LeastQuadratic { matrix: full(&p, size), value: 0.0, gap: 0.0, steps: 0 });
    }
    barrier.weight = 1.0 / unit;
    let mut total = 0;
    loop {
        run.check()?;
        for _step in 0..STEPS {
            total += 1;
            let Some(moved) = barrier.step(&p) else { break };
            p = moved;
        }
        if size as f64 / barrier.weight <= tolerance * unit {
            break;
        }
        barrier.weight *= GROWTH;
    }
    let (value, gap) = (barrier.value(&p), size as f64 / barrier.weight);
    Ok(LeastQuadratic { matrix: full(&p, size), value, gap, steps: total })
}

/// t p'A p - log det P for one t.
struct Barrier<'a> {
    form: &'a [f64],
    size: usize,
    /// The list whose product with p is the trace of P.
    trace: Vec<f64>,
    /// t.
    weight: f64,
    eigen: SymmetricEigen,
}

impl Barrier<'_> {
    /// p'A p.
    fn value(&self, p: &[f64]) -> f64 {
        dot(p, &product(self.form, p))
    }

    /// P after one Newton step with the trace kept, shortened until it lowers the sum; none where nothing is gained.
    fn step(&mut self, p: &[f64]) -> Option<Vec<f64>> {
        let (size, weight) = (self.size, self.weight);
        self.eigen.decompose(&full(p, size), size);
        let inverse = inverse(&self.eigen, size);
        let image = product(self.form, p);
        let gradient: Vec<f64> = entries(size)
            .enumerate()
            .map(|(at, (a, b))| 2.0 * weight * image[at] - root(a, b) * inverse[a * size + b])
            .collect();
        let mut hessian = barrier_hessian(&inverse, size);
        hessian.iter_mut().zip(self.form).for_each(|(to, from)| *to += 2.0 * weight * from);
        let (mut along, mut across) = (gradient.iter().map(|g| -g).collect::<Vec<_>>(), self.trace.clone());
        if !solve_definite(&mut hessian.clone(), &mut along) || !solve_definite(&mut hessian, &mut across) {
            return None;
        }
        let share = dot(&self.trace, &along) / dot(&self.trace, &across);
        let step: Vec<f64> = along.iter().zip(&across).map(|(along, across)| along - share * across).collect();
        let fall = -dot(&gradient, &step);
        if fall.is_nan() || fall <= 1e-10 {
            return None;
        }
        let here = weight * self.value(p) - log_determinant(&self.eigen);
        let mut length = 1.0;
        while length >= 1e-10 {
            let moved: Vec<f64> = p.iter().zip(&step).map(|(p, step)| p + length * step).collect();
            self.eigen.decompose(&full(&moved, size), size);
            if self.eigen.values()[size - 1] > 0.0
                && weight * self.value(&moved) - log_determinant(&self.eigen) <= here - 0.1 * length * fall
            {
                return Some(moved);
            }
            length *= 0.5;
        }
        None
    }
}

/// The entries of a lower triangle, row by row.
fn entries(size: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..size).flat_map(|a| (0..=a).map(move |b| (a, b)))
}

/// What an entry is multiplied by in a list.
fn root(a: usize, b: usize) -> f64 {
    if a == b { 1.0 } else { std::f64::consts::SQRT_2 }
}

fn product(form: &[f64], p: &[f64]) -> Vec<f64> {
    form.chunks_exact(p.len()).map(|row| dot(row, p)).collect()
}

/// The matrix of a list.
fn full(p: &[f64], size: usize) -> Vec<f64> {
    let mut matrix = vec![0.0; size * size];
    for (at, (a, b)) in entries(size).enumerate() {
        let value = p[at] / root(a, b);
        (matrix[a * size + b], matrix[b * size + a]) = (value, value);
    }
    matrix
}

fn inverse(eigen: &SymmetricEigen, size: usize) -> Vec<f64> {
    let mut inverse = vec![0.0; size * size];
    for (axis, value) in eigen.values().iter().enumerate() {
        let vector = eigen.vector(axis);
        for a in 0..size {
            for b in 0..size {
                inverse[a * size + b] += vector[a] * vector[b] / value;
            }
        }
    }
    inverse
}

fn log_determinant(eigen: &SymmetricEigen) -> f64 {
    eigen.values().iter().map(|value| value.ln()).sum()
}

fn barrier_hessian(inverse: &[f64], size: usize) -> Vec<f64> {
    let w = |a: usize, b: usize| inverse[a * size + b];
    let factor = |a: usize, b: usize| if a == b { 0.5 } else { std::f64::consts::FRAC_1_SQRT_2 };
    let mut hessian = Vec::with_capacity((size * (size + 1) / 2).pow(2));
    for (a, b) in entries(size) {
        for (c, d) in entries(size) {
            hessian.push(2.0 * factor(a, b) * factor(c, d) * (w(a, c) * w(b, d) + w(a, d) * w(b, c)));
        }
    }
    hessian
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};

    fn random_form(size: usize, terms: usize, seed: u64) -> Vec<f64> {
        let length = size * (size + 1) / 2;
        let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(seed);
        let mut form = vec![0.0; length * length];
        for _ in 0..terms {
            let row: Vec<f64> = (0..length).map(|_| rng.random_range(-1.0..1.0)).collect();
            for a in 0..length {
                for b in 0..length {
                    form[a * length + b] += row[a] * row[b];
                }
            }
        }
        form
    }

    /// At the least value no unit matrix v v' lies downhill: v'G v >= <G, P> for the gradient G.
    #[test]
    fn no_other_matrix_is_better() {
        for (size, terms) in [(1, 2), (3, 4), (5, 40)] {
            let length = size * (size + 1) / 2;
            let form = random_form(size, terms, size as u64);
            let found = least_quadratic(&form, size, 1e-9, &Run::new()).unwrap();
            let trace: f64 = (0..size).map(|at| found.matrix[at * size + at]).sum();
            assert!((trace - 1.0).abs() < 1e-9);
            let p: Vec<f64> = entries(size).map(|(a, b)| root(a, b) * found.matrix[a * size + b]).collect();
            let gradient = full(&product(&form, &p), size);
            let mut eigen = SymmetricEigen::default();
            eigen.decompose(&gradient, size);
            // p'A p is <G, P>, and the least eigenvalue of G is the least of v'G v.
            assert!(eigen.values()[size - 1] >= found.value - 1e-6, "{size}: {:?} {}", eigen.values(), found.value);
            eigen.decompose(&found.matrix, size);
            assert!(eigen.values()[size - 1] >= 0.0);
            assert_eq!(p.len(), length);
        }
    }

    #[test]
    fn the_hessian_of_the_barrier_is_that_of_its_gradient() {
        let size = 3;
        let p: Vec<f64> = entries(size).map(|(a, b)| if a == b { 1.0 + a as f64 } else { 0.3 }).collect();
        let mut eigen = SymmetricEigen::default();
        let mut gradient = |p: &[f64]| -> Vec<f64> {
            eigen.decompose(&full(p, size), size);
            let inverse = inverse(&eigen, size);
            entries(size).map(|(a, b)| -root(a, b) * inverse[a * size + b]).collect()
        };
        gradient(&p);
        let mut at = SymmetricEigen::default();
        at.decompose(&full(&p, size), size);
        let hessian = barrier_hessian(&inverse(&at, size), size);
        for column in 0..p.len() {
            let [low, high] = [-1e-6, 1e-6].map(|by| {
                let mut moved = p.clone();
                moved[column] += by;
                gradient(&moved)
            });
            for row in 0..p.len() {
                let slope = (high[row] - low[row]) / 2e-6;
                assert!((slope - hessian[row * p.len() + column]).abs() < 1e-6);
            }
        }
    }
}
