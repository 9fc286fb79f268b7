//! Principal component analysis (PCA): the projection of the points onto the d directions of largest variance.
//!
//! Y = H X V with V the first d eigenvectors of X'H X, H the centering matrix. Pearson (1901), Hotelling (1933). The
//! neighborhoods play no part but in the measures. Cost: O(n q^2) up to [`DENSE_UP_TO`] dimensions, where X'H X is
//! written down; beyond, block Lanczos applies H X X'H, O(n q) a step. When it fails: whatever is curved is flattened,
//! not unrolled.

use super::{Embedder, EmbedderInfo};
use crate::data::Input;
use crate::embedding::Outcome;
use crate::history::Stopwatch;
use crate::linalg::Columns;
use crate::linalg::SymmetricEigen;
use crate::spectral::{add_gram, add_product, gram, principal, scaled_coordinates};
use crate::warning::{Spanning, Warning};
use crate::{Error, Points, Problem, Result, Run};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

/// Dimensions up to which the q x q matrix is written down.
const DENSE_UP_TO: usize = 128;
/// Rows per task.
const CHUNK: usize = 1024;

pub(super) static INFO: EmbedderInfo = EmbedderInfo {
    name: "pca",
    title: "Principal component analysis",
    summary: "projects the points onto the directions of largest variance",
    metric_scale: true,
    default: true,
    cost: "time n q^2, or n q a step beyond 128 dimensions; memory n q",
    parameters: &[],
};

/// Principal component analysis.
///
/// ```
/// use truefold::{Neighborhoods, Pieces, Points, Problem, Run, embed::Pca, fit};
///
/// let points = Points::from_rows(&[[3.0, 4.0], [-3.0, -4.0], [6.0, 8.0], [-6.0, -8.0]])?;
/// let neighborhoods = Neighborhoods::nearest(&points, 2, &Run::new())?;
/// let embedding = fit(&Pca::default(), &Problem::new(&points, &neighborhoods, 1)?, Pieces::Error, &Run::new())?;
/// assert!((embedding.points.row(2)[0].abs() - 10.0).abs() < 1e-12);
/// # Ok::<(), truefold::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Pca {}

impl Pca {
    /// The first `dim` principal coordinates of points that have no neighborhoods, as for a view of them.
    ///
    /// ```
    /// use truefold::{Points, Run, embed::Pca};
    ///
    /// let points = Points::from_rows(&[[3.0, 4.0], [-3.0, -4.0]])?;
    /// assert!((Pca::project(&points, 1, &Run::new())?.row(0)[0].abs() - 5.0).abs() < 1e-12);
    /// assert!(Pca::project(&points, 3, &Run::new()).is_err());
    /// # Ok::<(), truefold::Error>(())
    /// ```
    pub fn project(points: &Points, dim: usize, run: &Run) -> Result<Points> {
        if dim == 0 || dim > points.dim().min(points.len()) {
            return Err(Error::parameter(
                "d",
                dim,
                format!("is not between 1 and {}, what the points allow", points.dim().min(points.len())),
                "choose a d in that range",
            ));
        }
        Points::new(points.len(), dim, principal_coordinates(points, dim, run)?.values)
    }
}

impl Embedder for Pca {
    fn info(&self) -> &'static EmbedderInfo {
        &INFO
    }

    fn check(&self, problem: &Problem<'_>) -> Result<()> {
        coordinates(problem).map(|_| ())
    }

    fn embed(&self, problem: &Problem<'_>, run: &Run) -> Result<Outcome> {
        principal_coordinates(coordinates(problem)?, problem.dim(), run)
    }

    fn follows_graph(&self) -> bool {
        false
    }

    fn parameters(&self) -> serde_json::Value {
        serde_json::to_value(self).unwrap_or_default()
    }
}

fn coordinates<'a>(problem: &Problem<'a>) -> Result<&'a Points> {
    problem.coordinates(
        "pca projects coordinates, and distances alone have none",
        "use mds, which gives the same for Euclidean distances",
    )
}

/// A start that nothing local can tear: the projection of the points; none where there are only distances.
pub(super) fn projected(input: &Input<'_>, dim: usize, run: &Run) -> Result<Option<Points>> {
    let Input::Points(points) = input else { return Ok(None) };
    let projection = principal_coordinates(points, dim, run)?;
    Points::new(points.len(), dim, projection.values).map(Some)
}

/// The first `dim` principal coordinates of the points.
pub(super) fn principal_coordinates(points: &Points, dim: usize, run: &Run) -> Result<Outcome> {
    let mut watch = Stopwatch::start();
    let mut outcome = Outcome::direct(Vec::new());
    let rank = if points.dim() <= DENSE_UP_TO {
        run.install(|| by_scatter(points, dim, &mut outcome))
    } else {
        by_operator(points, dim, &mut outcome, run)?
    };
    if rank < dim {
        outcome.warnings.push(Warning::FewDirections { of: Spanning::Points, found: rank, wanted: dim });
    }
    watch.lap("principal axes");
    outcome.stages = watch.stages();
    Ok(outcome)
}

/// The points about their mean in units of the largest coordinate, so that no square leaves the range of numbers.
fn centered(points: &Points) -> (Vec<f64>, f64) {
    let (dim, origin) = (points.dim(), points.row(0));
    let mut unit = 0.0_f64;
    for row in points.rows() {
        // Halves, because the difference of two finite numbers may not be one.
        unit = row.iter().zip(origin).fold(unit, |most, (value, origin)| most.max((0.5 * value - 0.5 * origin).abs()));
    }
    let unit = if unit > 0.0 { unit } else { 1.0 };
    let relative = |row: &[f64], out: &mut [f64]| {
        for ((out, value), origin) in out.iter_mut().zip(row).zip(origin) {
            *out = (0.5 * value - 0.5 * origin) / unit;
        }
    };
    let mut values = vec![0.0; points.values().len()];
    values.par_chunks_mut(CHUNK * dim).zip(points.values().par_chunks(CHUNK * dim)).for_each(|(out, rows)| {
        out.chunks_exact_mut(dim).zip(rows.chunks_exact(dim)).for_each(|(out, row)| relative(row, out));
    });
    crate::spectral::center(&mut values, dim);
    (values, 2.0 * unit)
}

/// From the eigenvectors of the q x q matrix; returns the number of directions that the points span.
///
/// The points are centered chunk by chunk, so nothing as large as they are is kept but the result.
fn by_scatter(points: &Points, dim: usize, outcome: &mut Outcome) -> usize {
    let width = points.dim();
    let mut unit = 1.0;
    let mut moments = Moments::of(points, unit);
    let spread = moments.scatter.iter().sum::<f64>();
    if !spread.is_finite() || moments.scatter.iter().all(|value| value.abs() < SMALLEST) {
        // A power of two, so that nothing is rounded, and neither squares nor sums leave the range of numbers.
        let largest = points.values().iter().fold(0.0_f64, |most, value| most.max(value.abs()));
        unit = 2.0_f64.powi(largest.log2().ceil().clamp(-1020.0, 1020.0) as i32);
        moments = Moments::of(points, unit.recip());
    }
    let mut eigen = SymmetricEigen::default();
    eigen.decompose(&moments.scatter, width);
    // The axes beside each other, so that all coordinates of a point come from one pass over it.
    let axes: Vec<f64> = (0..width)
        .flat_map(|row| (0..dim).map(move |at| (row, at)))
        .map(|(row, at)| eigen.vector(at)[row] * unit)
        .collect();
    outcome.values = vec![0.0; points.len() * dim];
    outcome.values.par_chunks_mut(CHUNK * dim).zip(points.values().par_chunks(CHUNK * width)).for_each_init(
        Vec::new,
        |centered, (out, rows)| {
            moments.center(rows, unit.recip(), centered);
            // Fresh memory that is read before it is written costs the system two faults a page instead of one.
            out.fill(0.0);
            add_product(out, dim, centered, width, &axes);
        },
    );
    let total: f64 = eigen.values().iter().sum();
    explained(&eigen.values()[..dim], total, unit, points.len(), outcome);
    let least = eigen.values()[0].max(0.0) * 1e-15 * width as f64;
    eigen.values()[..dim].iter().filter(|&&value| value > least).count()
}

/// Scatter below this may have lost digits to the end of the range of numbers.
const SMALLEST: f64 = 1e-250;

/// How many points, their mean, and their scatter about it.
struct Moments {
    count: f64,
    mean: Vec<f64>,
    scatter: Vec<f64>,
}

impl Moments {
    /// Of the points times `scale`: fixed chunks each about their own mean, joined in order.
    fn of(points: &Points, scale: f64) -> Self {
        let width = points.dim();
        let nothing = Self { count: 0.0, mean: vec![0.0; width], scatter: vec![0.0; width * width] };
        let parts: Vec<Self> = points
            .values()
            .par_chunks(CHUNK * width)
            .map_init(Vec::new, |centered, rows| {
                let count = (rows.len() / width) as f64;
                let sums = Columns::join(rows, width, 0.0, |sum, value| sum + value * scale);
                let mean = sums.iter().map(|sum| sum / count).collect();
                let mut part = Self { count, mean, scatter: vec![0.0; width * width] };
                part.center(rows, scale, centered);
                add_gram(&mut part.scatter, centered, width);
                part
            })
            .collect();
        parts.iter().fold(nothing, Self::joined)
    }

    /// The moments of both together (Chan, Golub and LeVeque 1983).
    fn joined(mut self, other: &Self) -> Self {
        let width = self.mean.len();
        let count = self.count + other.count;
        let apart: Vec<f64> = other.mean.iter().zip(&self.mean).map(|(other, own)| other - own).collect();
        let weight = self.count * (other.count / count);
        for (row, sums) in self.scatter.chunks_exact_mut(width).enumerate() {
            let others = &other.scatter[row * width..(row + 1) * width];
            for ((sum, other), apart_column) in sums.iter_mut().zip(others).zip(&apart) {
                *sum += other + weight * apart[row] * apart_column;
            }
        }
        for (mean, apart) in self.mean.iter_mut().zip(&apart) {
            *mean += apart * (other.count / count);
        }
        self.count = count;
        self
    }

    /// Writes `rows` times `scale` about the mean.
    fn center(&self, rows: &[f64], scale: f64, centered: &mut Vec<f64>) {
        centered.clear();
        centered.extend_from_slice(rows);
        Columns::new(&self.mean).change(centered, |value, mean| *value = *value * scale - mean);
    }
}

/// From the eigenvectors of H X X'H, which is never written down.
fn by_operator(points: &Points, dim: usize, outcome: &mut Outcome, run: &Run) -> Result<usize> {
    let width = points.dim();
    let (centered, unit) = run.install(|| centered(points));
    let centered = &centered;
    let apply = |input: &[f64], output: &mut [f64], columns: usize| {
        let sums = gram(input, columns, centered, width);
        output.par_chunks_mut(columns).with_min_len(CHUNK).zip(centered.par_chunks(width)).for_each(|(out, row)| {
            for (out, sums) in out.iter_mut().zip(sums.chunks_exact(width)) {
                *out = crate::linalg::dot(row, sums);
            }
        });
        Ok(())
    };
    let spectrum = principal(points.len(), dim, &apply, run)?;
    spectrum.report(&mut outcome.facts);
    let total = crate::linalg::square(centered);
    explained(&spectrum.values, total, unit, points.len(), outcome);
    let (values, rank) = scaled_coordinates(&spectrum);
    outcome.values = values;
    outcome.values.iter_mut().for_each(|value| *value *= unit);
    Ok(rank)
}

/// Writes the variance along each direction and its share of all.
fn explained(values: &[f64], total: f64, unit: f64, count: usize, outcome: &mut Outcome) {
    let variance: Vec<f64> = values.iter().map(|value| value.max(0.0) / count as f64 * unit * unit).collect();
    let share: Vec<f64> = values.iter().map(|value| if total > 0.0 { value.max(0.0) / total } else { 0.0 }).collect();
    // Beyond the range of numbers the share still tells.
    if variance.iter().all(|value| value.is_finite()) {
        outcome.facts.insert("variance".into(), variance.into());
    }
    outcome.facts.insert("variance_share".into(), share.into());
}
