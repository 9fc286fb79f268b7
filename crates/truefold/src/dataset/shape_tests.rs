//! Shared by the tests of the data sets: that points are where their truth says, spread evenly, with lengths kept.
//!
//! Evenly by area: the surface is cut into 8 x 8 cells of its parameters, the area of a cell is measured with small
//! triangles, and sum over the cells of (count - expected)^2 / expected is chi-square with 63 degrees of freedom.
//! Evenly along a line: the largest gap between the empirical and the true distribution function (Kolmogorov).

use super::{Dataset, Request, Sample};
use crate::Points;
use crate::linalg::distance;

pub(super) fn sample(dataset: &Dataset, points: usize, settings: &[(&str, &str)]) -> Sample {
    let request = Request::new().with_points(points).with_seed(11);
    dataset.sample(&settings.iter().fold(request, |request, (name, value)| request.with_setting(*name, value))).unwrap()
}

pub(super) fn column(table: &Points, column: usize) -> impl Iterator<Item = f64> + '_ {
    table.rows().map(move |row| row[column])
}

/// The values have the distribution function `share`: the largest gap exceeds 2.2 / sqrt(n) in one of 8000 samples.
pub(super) fn assert_distributed(values: impl Iterator<Item = f64>, share: impl Fn(f64) -> f64) {
    let mut shares: Vec<f64> = values.map(share).collect();
    shares.sort_by(f64::total_cmp);
    let n = shares.len() as f64;
    let gap = shares.iter().enumerate().map(|(i, share)| {
        assert!((-1e-12..=1.0 + 1e-12).contains(share), "share {share}");
        (share - i as f64 / n).max((i + 1) as f64 / n - share)
    });
    let gap = gap.fold(0.0, f64::max);
    assert!(gap < 2.2 / n.sqrt(), "the distribution is off by {gap}");
}

/// Every point is the image of its truth under `surface`.
pub(super) fn assert_charted<const Q: usize>(sample: &Sample, surface: impl Fn(f64, f64) -> [f64; Q]) {
    for (x, z) in sample.points.rows().zip(sample.truth.rows()) {
        let expected = surface(z[0], z[1]);
        assert!(distance(x, &expected) < 1e-12, "{x:?} {expected:?}");
    }
}

/// The points are uniform by area on `surface`, whose parameters range over `u` and `v`.
pub(super) fn assert_by_area<const Q: usize>(
    sample: &Sample,
    u: (f64, f64),
    v: (f64, f64),
    surface: impl Fn(f64, f64) -> [f64; Q],
) {
    const CELLS: usize = 8;
    const FINE: usize = 16;
    let at = |i: usize, j: usize| {
        let share = |step: usize| step as f64 / (CELLS * FINE) as f64;
        surface(u.0 + (u.1 - u.0) * share(i), v.0 + (v.1 - v.0) * share(j))
    };
    let mut areas = [[0.0; CELLS]; CELLS];
    for i in 0..CELLS * FINE {
        for j in 0..CELLS * FINE {
            let corners = [at(i, j), at(i + 1, j), at(i, j + 1), at(i + 1, j + 1)];
            areas[i / FINE][j / FINE] += triangle(&corners[0], &corners[1], &corners[2]);
            areas[i / FINE][j / FINE] += triangle(&corners[3], &corners[1], &corners[2]);
        }
    }
    let mut counts = [[0.0; CELLS]; CELLS];
    for z in sample.truth.rows() {
        let cell = |value: f64, (low, high): (f64, f64)| {
            assert!((low..=high).contains(&value), "{value} is not from {low} to {high}");
            (((value - low) / (high - low) * CELLS as f64) as usize).min(CELLS - 1)
        };
        counts[cell(z[0], u)][cell(z[1], v)] += 1.0;
    }
    let whole: f64 = areas.as_flattened().iter().sum();
    let n = sample.truth.len() as f64;
    let chi_square: f64 = areas
        .as_flattened()
        .iter()
        .zip(counts.as_flattened())
        .map(|(area, count)| {
            let expected = n * area / whole;
            (count - expected) * (count - expected) / expected
        })
        .sum();
    // Mean 63, standard deviation 11.2: within five of them, above and below.
    assert!((20.0..119.0).contains(&chi_square), "chi-square {chi_square}");
}

fn triangle(a: &[f64], b: &[f64], c: &[f64]) -> f64 {
    let dot = |p: &[f64], q: &[f64]| (0..a.len()).map(|i| (p[i] - a[i]) * (q[i] - a[i])).sum::<f64>();
    0.5 * (dot(b, b) * dot(c, c) - dot(b, c) * dot(b, c)).max(0.0).sqrt()
}

/// Points that are near are as far apart as their true coordinates are, modulo the periods.
pub(super) fn assert_periodic(sample: &Sample, periods: &[Option<f64>]) {
    let mut across = 0;
    for_pairs(sample, |x, y, a, b| {
        let apart = distance(x, y);
        if apart > 0.4 {
            return;
        }
        let steps: Vec<f64> = (0..a.len())
            .map(|i| {
                let step = (a[i] - b[i]).abs();
                periods[i].map_or(step, |period| step.min(period - step))
            })
            .collect();
        let truth = steps.iter().map(|step| step * step).sum::<f64>().sqrt();
        assert_bent(apart, truth);
        across += usize::from(distance(a, b) > 1.0);
    });
    assert!(across > 100, "only {across} pairs lie across a seam");
}

/// A chord `apart` is no longer than the arc `truth` over it, nor shorter than a bend of curvature one makes it:
/// 2 sin(t / 2) >= t (1 - t^2 / 24).
pub(super) fn assert_bent(apart: f64, truth: f64) {
    assert!(apart <= truth * (1.0 + 1e-9) + 1e-12, "{apart} is more than {truth}");
    assert!(apart >= truth * (1.0 - truth * truth / 24.0) * (1.0 - 1e-9) - 1e-12, "{apart} is too short for {truth}");
}

pub(super) fn for_pairs(sample: &Sample, mut look: impl FnMut(&[f64], &[f64], &[f64], &[f64])) {
    for i in 0..sample.points.len() {
        for j in 0..i {
            look(sample.points.row(i), sample.points.row(j), sample.truth.row(i), sample.truth.row(j));
        }
    }
}
