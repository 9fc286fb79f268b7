//! Conjugate gradients on sum w_i H_i (to be replaced).
use crate::{Neighborhoods, Result, Run};
pub(super) struct Solver<'a> {
    neighborhoods: &'a Neighborhoods,
    weights: Vec<f64>,
    diagonal: Vec<f64>,
}
impl<'a> Solver<'a> {
    pub(super) fn new(neighborhoods: &'a Neighborhoods, weights: &[f64], _run: &Run) -> Result<Self> {
        let mut s = Self { neighborhoods, weights: Vec::new(), diagonal: Vec::new() };
        s.reweight(weights);
        Ok(s)
    }
    pub(super) fn reweight(&mut self, weights: &[f64]) {
        self.weights = weights.to_vec();
        self.diagonal = vec![0.0; weights.len()];
        for (i, w) in weights.iter().enumerate() {
            let m = self.neighborhoods.members(i);
            for &j in m {
                self.diagonal[j as usize] += w * (1.0 - 1.0 / m.len() as f64);
            }
        }
    }
    fn apply(&self, x: &[f64], out: &mut [f64], dim: usize) {
        out.fill(0.0);
        let mut mean = vec![0.0; dim];
        for (i, w) in self.weights.iter().enumerate() {
            let m = self.neighborhoods.members(i);
            mean.fill(0.0);
            for &j in m {
                for c in 0..dim {
                    mean[c] += x[j as usize * dim + c];
                }
            }
            for &j in m {
                for c in 0..dim {
                    out[j as usize * dim + c] += w * (x[j as usize * dim + c] - mean[c] / m.len() as f64);
                }
            }
        }
    }
    pub(super) fn solve(&self, rhs: &[f64], x: &mut [f64], dim: usize, tolerance: f64, run: &Run) -> Result<usize> {
        let n = rhs.len();
        let dots = |a: &[f64], b: &[f64]| {
            let mut s = vec![0.0; dim];
            for (a, b) in a.chunks_exact(dim).zip(b.chunks_exact(dim)) {
                for c in 0..dim {
                    s[c] += a[c] * b[c];
                }
            }
            s
        };
        x.fill(0.0);
        let mut r = rhs.to_vec();
        let mut z: Vec<f64> = (0..n).map(|i| r[i] / self.diagonal[i / dim]).collect();
        let mut p = z.clone();
        let mut q = vec![0.0; n];
        let mut rz = dots(&r, &z);
        let first = rz.clone();
        for it in 0..5000 {
            run.check()?;
            if (0..dim).all(|c| rz[c] <= tolerance * tolerance * first[c]) {
                return Ok(it);
            }
            self.apply(&p, &mut q, dim);
            let pq = dots(&p, &q);
            for i in 0..n {
                let c = i % dim;
                if pq[c] > 0.0 {
                    let a = rz[c] / pq[c];
                    x[i] += a * p[i];
                    r[i] -= a * q[i];
                }
                z[i] = r[i] / self.diagonal[i / dim];
            }
            let new = dots(&r, &z);
            for i in 0..n {
                let c = i % dim;
                p[i] = z[i] + if rz[c] > 0.0 { new[c] / rz[c] } else { 0.0 } * p[i];
            }
            rz = new;
        }
        Ok(5000)
    }
}
