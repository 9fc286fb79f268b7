//! A start that follows the graph: coordinates averaged over linked points, again and again.
//!
//! y_i becomes the mean of the y_j by the weights of the links, which is a step of the random walk; columns are kept apart from
//! the constant and from each other. Many steps would end at the first eigenvectors of the walk (Laplacian eigenmaps); a few bring
//! together what the graph holds together, and keep the large structure of the first coordinates. Cost: O(n k d) a step.

use crate::forces::Affinities;
use crate::{Result, Run};

/// Steps of the walk.
const STEPS: usize = 50;
/// Steps after which the columns are made orthogonal again.
const ORTHOGONAL: usize = 5;
/// Points of one task.
const TASK: usize = 1024;

/// The coordinates after some steps, the first column with the standard deviation that it had.
pub(super) fn walked(affinities: &Affinities, start: Vec<f64>, dim: usize, run: &Run) -> Result<Vec<f64>> {
    let count = affinities.len();
    let degree = |row: usize| affinities.of_row(row).1.iter().map(|weight| f64::from(*weight)).sum::<f64>();
    let degrees: Vec<f64> = (0..count).map(degree).collect();
    let deviation =
        |values: &[f64]| (values.iter().step_by(dim).map(|value| value * value).sum::<f64>() / count as f64).sqrt();
    let before = deviation(&start);
    let mut values = start.clone();
    let run = &run.quiet();
    for step in 1..=STEPS {
        let parts = run.chunks("start", count, TASK, |range| {
            let mut part = Vec::with_capacity(range.len() * dim);
            for row in range {
                let (others, weights) = affinities.of_row(row);
                for axis in 0..dim {
                    let pull =
                        |(&other, &weight): (&u32, &f32)| f64::from(weight) * values[other as usize * dim + axis];
                    let sum: f64 = others.iter().zip(weights).map(pull).sum();
                    let own = values[row * dim + axis];
                    // Half a step, so that nothing swings.
                    part.push(if degrees[row] > 0.0 { 0.5 * (own + sum / degrees[row]) } else { own });
                }
            }
            Ok(part)
        })?;
        values = parts.concat();
        if step.is_multiple_of(ORTHOGONAL) && !separate(&mut values, &degrees, dim) {
            return Ok(start);
        }
    }
    let now = deviation(&values);
    if !(now > 0.0 && now.is_finite()) {
        return Ok(start);
    }
    values.iter_mut().for_each(|value| *value *= before / now);
    Ok(values)
}

/// Makes the columns orthogonal to the constant and to each other, each of length one, all by the degrees; false where one
/// of them vanishes.
fn separate(values: &mut [f64], degrees: &[f64], dim: usize) -> bool {
    let total: f64 = degrees.iter().sum();
    for column in 0..dim {
        let product = |values: &[f64], a: usize, b: usize| -> f64 {
            values.chunks_exact(dim).zip(degrees).map(|(row, degree)| degree * row[a] * row[b]).sum()
        };
        let length = product(values, column, column).sqrt();
        let mean = values.chunks_exact(dim).zip(degrees).map(|(row, degree)| degree * row[column]).sum::<f64>() / total;
        values.chunks_exact_mut(dim).for_each(|row| row[column] -= mean);
        for other in 0..column {
            let share = product(values, column, other);
            values.chunks_exact_mut(dim).for_each(|row| row[column] -= share * row[other]);
        }
        let left = product(values, column, column).sqrt();
        if !(left > 1e-9 * length && left.is_finite()) {
            return false;
        }
        values.chunks_exact_mut(dim).for_each(|row| row[column] /= left);
    }
    true
}
