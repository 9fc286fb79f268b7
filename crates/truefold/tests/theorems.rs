//! The convergence theorems of Goldberg and Ritov, section 3, on Swiss rolls of growing size.
//!
//! For the true map Z of an isometric surface, R = O(r^4), R_N = O(r^2) and R_PCA = O(r^3) in the largest radius r of a
//! neighborhood. The slopes of the logarithms against log r are at least these, less what few sizes leave to chance.

use truefold::dataset::{self, Request};
use truefold::{Neighborhoods, Points, Run, measure};

const SIZES: [usize; 7] = [1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 64_000];

/// The largest distance from a point to one of its neighbors.
fn largest_radius(points: &Points, neighborhoods: &Neighborhoods) -> f64 {
    let distance = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt();
    (0..points.len())
        .flat_map(|center| neighborhoods.neighbors(center).iter().map(move |&other| (center, other as usize)))
        .map(|(center, other)| distance(points.row(center), points.row(other)))
        .fold(0.0, f64::max)
}

/// The slope of the least-squares line.
fn slope(x: &[f64], y: &[f64]) -> f64 {
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
    let (a, b) = (mean(x), mean(y));
    let product: f64 = x.iter().zip(y).map(|(x, y)| (x - a) * (y - b)).sum();
    product / x.iter().map(|x| (x - a).powi(2)).sum::<f64>()
}

#[test]
fn the_true_map_converges_as_fast_as_promised() {
    let names = ["r", "r_n", "r_pca"];
    let mut radii = Vec::new();
    let mut values = vec![Vec::new(); names.len()];
    for size in SIZES {
        let roll = dataset::find("swiss-roll").unwrap().sample(&Request::new().with_points(size).with_seed(5)).unwrap();
        let neighborhoods = Neighborhoods::nearest(&roll.points, 12, &Run::new()).unwrap();
        radii.push(largest_radius(&roll.points, &neighborhoods).ln());
        let scores = measure::evaluate(&roll.points, &roll.truth, &neighborhoods, &names).unwrap();
        for (values, score) in values.iter_mut().zip(scores) {
            values.push(score.value.ln());
        }
    }
    for ((name, values), least) in names.iter().zip(&values).zip([3.8, 1.8, 2.8]) {
        let slope = slope(&radii, values);
        assert!(slope >= least, "{name} falls with the power {slope} of the radius, less than {least}");
    }
}
