//! How far the projection onto the first principal axes of all points is from the best possible.
//!
//! What a neighborhood has off those axes, as a share of its extent, is at least what it has off its own best plane, and the
//! difference of the two is the most by which R_N of the projection exceeds its bound: the projection itself is one of the
//! maps onto which Procrustes may turn the neighborhood.

use super::sample::{NeighborSample, even};
use crate::data::Input;
use crate::linalg::square;
use crate::local::Chart;
use crate::spectral::principal_axes;
use crate::{Result, Run};

/// Neighborhoods that are looked at.
const ROWS: usize = 250;

/// For each of `dims` the most by which R_N of the projection onto that many axes is above its bound, in neighborhoods of `k`.
///
/// Axes and neighborhoods are those of a sample: evenly chosen points and their neighbors.
pub(super) fn excess<const N: usize>(
    sample: &NeighborSample<'_>,
    dims: [usize; N],
    k: usize,
    run: &Run,
) -> Result<[f64; N]> {
    let size = k.min(sample.near.first().map_or(0, Vec::len));
    let lists: Vec<Vec<u32>> = even(sample.rows.len(), ROWS)
        .into_iter()
        .map(|at| {
            let near = &sample.near[at as usize][..size];
            std::iter::once(sample.rows[at as usize]).chain(near.iter().map(|one| one.1)).collect()
        })
        .collect();
    let mut rows: Vec<u32> = lists.concat();
    rows.sort_unstable();
    rows.dedup();
    let points = sample.points.select(&rows);
    let most = points.dim().min(points.len());
    let wide = dims.iter().map(|&dim| dim.min(most)).max().unwrap_or(1);
    let projected = principal_axes(&points, wide, run)?.values;
    let (mut chart, mut sums, mut counted) = (Chart::default(), [0.0; N], 0.0_f64);
    for list in &lists {
        chart.fill(&Input::Points(sample.points), list)?;
        let all = square(chart.columns());
        if all > 0.0 {
            let places = list.iter().map(|row| rows.partition_point(|earlier| earlier < row));
            let along = scatter(&projected, wide, places);
            let own: Vec<f64> = chart.columns().chunks_exact(chart.stride()).map(square).collect();
            for (sum, dim) in sums.iter_mut().zip(dims) {
                let best: f64 = own.iter().take(dim).sum();
                *sum += ((best - along.iter().take(dim).sum::<f64>()) / all).max(0.0);
            }
            counted += 1.0;
        }
    }
    Ok(sums.map(|sum| sum / counted.max(1.0)))
}

/// The squares about their mean of some rows of `values`, column by column.
fn scatter(values: &[f64], columns: usize, rows: impl Iterator<Item = usize> + Clone) -> Vec<f64> {
    let count = rows.clone().count() as f64;
    let one = |column: usize| {
        let column = rows.clone().map(move |row| values[row * columns + column]);
        let mean = column.clone().sum::<f64>() / count;
        column.map(|value| (value - mean).powi(2)).sum()
    };
    (0..columns).map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dataset::{self, Request};
    use crate::measure::evaluate;
    use crate::{Metric, Neighborhoods, Points};

    #[test]
    fn r_n_of_the_projection_is_at_most_this_far_above_its_bound() {
        let run = Run::new();
        for (name, noise) in [("plane", 0.0), ("plane", 0.02), ("swiss-roll", 0.0), ("twin-peaks", 0.0)] {
            let request = Request::new().with_points(240).with_noise(noise);
            let points = dataset::find(name).unwrap().sample(&request).unwrap().points;
            let sample = NeighborSample::new(&points, Metric::Euclidean, 240, &run).unwrap();
            let found = excess(&sample, [1, 2, points.dim()], 12, &run).unwrap();
            let neighborhoods = Neighborhoods::nearest(&points, 12, &run).unwrap();
            for (dim, excess) in [1, 2].into_iter().zip(&found) {
                let values = principal_axes(&points, dim, &run).unwrap().values;
                let map = Points::new(points.len(), dim, values).unwrap();
                let score = &evaluate(&points, &map, &neighborhoods, &["r_n"]).unwrap()[0];
                let above = score.value - score.lower_bound.unwrap();
                assert!(above <= excess + 1e-9 && *excess < 1.0, "{name}, {dim}: {above} and {excess}");
            }
            assert!(found[2] < 1e-12 && (name != "plane" || noise > 0.0 || found[1] < 1e-12), "{name}: {found:?}");
        }
    }
}
