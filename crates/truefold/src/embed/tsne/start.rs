//! Where the points of a map begin.

use super::super::{Mds, Recipe};
use crate::data::Input;
use crate::random::uniform;
use crate::spectral::principal_axes;
use crate::{Fit, Problem, Result};

/// Where the points begin: their first principal coordinates, the first with this standard deviation; where there are
/// none, at random.
pub(in super::super) fn start(problem: &Problem<'_>, size: f64, fit: &mut Fit<'_>) -> Result<Vec<f64>> {
    let (count, dim) = (problem.len(), problem.dim());
    let mut values = match problem.input() {
        Input::Points(points) => principal_axes(points, dim, fit.run())?.values,
        Input::Distances(distances) if distances.values().is_some() => {
            fit.unrecorded(|fit| Recipe::embed(&Mds::default(), problem, fit))?
        }
        Input::Distances(_) => vec![0.0; count * dim],
    };
    let largest = values.iter().fold(0.0_f64, |most, value| most.max(value.abs()));
    if largest > 0.0 {
        values.iter_mut().for_each(|value| *value /= largest);
    }
    let deviation = |values: &[f64], axis: usize| {
        (values.iter().skip(axis).step_by(dim).map(|value| value * value).sum::<f64>() / count as f64).sqrt()
    };
    let first = deviation(&values, 0);
    let seed = fit.run().seed();
    for axis in 0..dim {
        // Points that have no such coordinate would never leave their line or plane.
        if deviation(&values, axis) <= 1e-9 * first {
            let random = |row: usize| 2.0 * uniform(seed, (row * dim + axis) as u64) - 1.0;
            (0..count).for_each(|row| values[row * dim + axis] = random(row) * if first > 0.0 { first } else { 1.0 });
        }
    }
    let scale = size / deviation(&values, 0);
    values.iter_mut().for_each(|value| *value *= scale);
    fit.lap("start");
    Ok(values)
}
