//! Classical scaling: coordinates whose distances are those given, as nearly as d dimensions allow.
//!
//! Y = V sqrt(L) from the d largest eigenpairs of B = -H D^2 H / 2, D the distances, H the centering matrix; B is
//! applied row by row and never written down. Torgerson (1952), Gower (1966). Cost: n^2 multiplications a step, about
//! ten to thirty steps. When it fails: distances of no Euclidean space have negative eigenvalues, whose part is lost.

use super::{Spectrum, principal, scaled_coordinates};
use crate::{Result, Run};
use rayon::prelude::*;
use serde_json::{Map, Value};

/// Points per task.
const CHUNK: usize = 4096;

/// Coordinates by classical scaling.
#[derive(Debug, Clone)]
pub(crate) struct ClassicalScaling {
    /// The coordinates, n rows of d.
    pub(crate) values: Vec<f64>,
    /// How many of the d directions the distances have; the coordinates of the others are zero.
    pub(crate) rank: usize,
    /// The eigenpairs, for distances in units of `unit`.
    pub(crate) spectrum: Spectrum,
    unit: f64,
}

impl ClassicalScaling {
    /// Adds what a reader of the fit may want to know, eigenvalues in the units of the data.
    pub(crate) fn report(&self, facts: &mut Map<String, Value>) {
        self.spectrum.report(facts);
        let in_units = |value: f64| value * self.unit * self.unit;
        let eigenvalues: Vec<f64> = self.spectrum.values.iter().copied().map(in_units).collect();
        if eigenvalues.iter().all(|value| value.is_finite()) {
            facts.insert("eigenvalues".into(), eigenvalues.into());
            facts.insert("eigenvalue_next".into(), self.spectrum.next.map(in_units).into());
        }
    }

    /// The coordinates of more points: y = -1/2 L^(-1/2) V'(s - m), s the squared distances of a point to those scaled
    /// and m the means of the squared distances `among` these; directions that they do not have stay zero.
    ///
    /// `distances` holds a row for each of the points scaled, with its distances to all.
    pub(crate) fn place_others<T: Copy + Into<f64> + Sync>(
        &self,
        among: &[Vec<f64>],
        distances: &[Vec<T>],
        run: &Run,
    ) -> Vec<f64> {
        let (spectrum, dim) = (&self.spectrum, self.spectrum.values.len());
        let least = 1e-12 * spectrum.scale;
        let inverse: Vec<f64> =
            spectrum.values.iter().map(|&value| if value > least { 1.0 / value.sqrt() } else { 0.0 }).collect();
        let weights: Vec<f64> = spectrum
            .vectors
            .chunks_exact(dim)
            .flat_map(|row| row.iter().zip(&inverse).map(|(value, inverse)| -0.5 * value * inverse))
            .collect();
        let mean_square = |row: &Vec<f64>| row.iter().map(|value| value * value).sum::<f64>() / row.len() as f64;
        let means: Vec<f64> = among.iter().map(mean_square).collect();
        let mut values = vec![0.0; distances.first().map_or(0, Vec::len) * dim];
        run.install(|| {
            values.par_chunks_mut(CHUNK * dim).enumerate().for_each(|(chunk, out)| {
                let size = out.len() / dim;
                for ((row, mean), weights) in distances.iter().zip(&means).zip(weights.chunks_exact(dim)) {
                    for (out, &distance) in out.chunks_exact_mut(dim).zip(&row[chunk * CHUNK..][..size]) {
                        let distance: f64 = distance.into();
                        let rest = distance * distance - mean;
                        out.iter_mut().zip(weights).for_each(|(out, weight)| *out += weight * rest);
                    }
                }
            });
        });
        values.iter_mut().for_each(|value| *value *= self.unit);
        values
    }
}

/// The coordinates of points with these distances, one row of them per point, in units of `unit`.
pub(crate) fn classical_scaling<T: Copy + Into<f64> + Sync, R: AsRef<[T]> + Sync>(
    rows: &[R],
    unit: f64,
    dim: usize,
    run: &Run,
) -> Result<ClassicalScaling> {
    let apply = |input: &[f64], output: &mut [f64], columns: usize| {
        output.par_chunks_mut(columns).zip(rows).for_each(|(out, row)| add_squares(out, input, row.as_ref(), columns));
        Ok(())
    };
    let spectrum = principal(rows.len(), dim, &apply, run)?;
    let (mut values, rank) = scaled_coordinates(&spectrum);
    values.iter_mut().for_each(|value| *value *= unit);
    Ok(ClassicalScaling { values, rank, spectrum, unit })
}

/// -1/2 times the sum over points of the squared distance times the point's row.
#[inline(always)]
fn add_squares<T: Copy + Into<f64>>(out: &mut [f64], input: &[f64], distances: &[T], columns: usize) {
    match columns {
        2 => sum_rows::<T, 2>(out, input, distances),
        3 => sum_rows::<T, 3>(out, input, distances),
        4 => sum_rows::<T, 4>(out, input, distances),
        _ => {
            out.fill(0.0);
            for (row, &distance) in input.chunks_exact(columns).zip(distances) {
                let distance: f64 = distance.into();
                let factor = -0.5 * distance * distance;
                out.iter_mut().zip(row).for_each(|(out, value)| *out += factor * value);
            }
        }
    }
}

/// The same for few columns, whose sums stay in registers.
fn sum_rows<T: Copy + Into<f64>, const W: usize>(out: &mut [f64], input: &[f64], distances: &[T]) {
    let mut sums = [0.0; W];
    for (row, &distance) in input.as_chunks::<W>().0.iter().zip(distances) {
        let distance: f64 = distance.into();
        let factor = -0.5 * distance * distance;
        for column in 0..W {
            sums[column] += factor * row[column];
        }
    }
    out.copy_from_slice(&sums);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_of_points_in_the_plane_are_kept() {
        for count in [30, 400] {
            let points: Vec<[f64; 2]> =
                (0..count).map(|at| [f64::from(at * 37 % 101), 0.3 * f64::from(at * 53 % 89)]).collect();
            let distance = |a: &[f64], b: &[f64]| ((a[0] - b[0]).powi(2) + (a[1] - b[1]).powi(2)).sqrt();
            let rows: Vec<Vec<f64>> = points.iter().map(|a| points.iter().map(|b| distance(a, b)).collect()).collect();
            let scaling = classical_scaling(&rows, 1.0, 2, &Run::new()).unwrap();
            let found: Vec<&[f64]> = scaling.values.chunks_exact(2).collect();
            for (a, row) in rows.iter().enumerate() {
                for (b, exact) in row.iter().enumerate() {
                    assert!((distance(found[a], found[b]) - exact).abs() < 1e-8, "{count}: {a} {b}");
                }
            }
            let spectrum = &scaling.spectrum;
            assert!(spectrum.residual < 1e-9 && spectrum.next.unwrap_or(0.0).abs() < 1e-6 * spectrum.scale);
        }
    }
}
