//! Ellipses: what a small ball of the data around a point becomes in the map.
//!
//! The linear map of R_A at point i is the B of the least squares of X_i - Y_i B' - 1 b': a step y in the map is the
//! step B y in the data. A ball of radius r in the data becomes {y : |B y| <= r} in the map, which is r S applied to the
//! unit ball with S = (B'B)^(-1/2). The eigenvalues of S are the stretches: 1 where the map keeps lengths, 2 where it
//! doubles them. With Y = U T (U'U = I) and M = U'X X'U, S S = T M^(-1) T. Cost: that of the charts, and O(m r d) each.
//!
//! Where the map puts a neighborhood onto fewer than d dimensions, S is zero along those that are missing. Where the map
//! spreads what the data do not have, M is nearly singular and S would have no limit: the eigenvalues of M are kept
//! above the largest over [`MOST_STRETCH`] squared, and the ellipse is marked as capped. A neighborhood of X without
//! extent, or unrelated to the map, has no ellipse: S is zero and it is marked as capped.

use super::chart::Chart;
use super::patch::gather_centered;
use crate::data::Input;
use crate::linalg::{SymmetricEigen, dot, square};
use crate::memory::Need;
use crate::{Neighborhoods, Points, Result, Run};

/// How many times longer one direction of the data may become than another before the ellipse is capped.
const MOST_STRETCH: f64 = 100.0;
/// Directions of the map whose squared extent is below this share of the largest are missing.
const MISSING: f64 = 1e-14;

/// For each point, what a ball of the data around it becomes in the map.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Ellipses {
    /// The dimension of the map.
    pub dim: usize,
    /// The radius of the usual neighborhood in the data: the median over all points of the root mean square distance of
    /// a neighborhood's members from their mean. Balls of this radius, the same for all points, show how scales differ.
    pub radius: f64,
    /// The symmetric matrices S, d x d each, one after the other.
    pub matrices: Vec<f64>,
    /// The largest stretch at each point.
    pub largest: Vec<f64>,
    /// The smallest stretch at each point.
    pub smallest: Vec<f64>,
    /// Whether the ellipse of a point was capped, or there is none.
    pub capped: Vec<bool>,
}

impl Ellipses {
    /// S at a point, row by row.
    pub fn matrix(&self, point: usize) -> &[f64] {
        &self.matrices[point * self.dim * self.dim..][..self.dim * self.dim]
    }

    /// How far from round the ellipse of a point is: 0 for a circle, 1 for a line.
    pub fn anisotropy(&self, point: usize) -> f64 {
        if self.largest[point] > 0.0 { 1.0 - self.smallest[point] / self.largest[point] } else { 0.0 }
    }

    /// The entries xx, xy, yy of `radius` times S, to be drawn over a map of two dimensions; `None` for others.
    pub fn planar(&self) -> Option<Vec<[f64; 3]>> {
        let scaled = |matrix: &[f64]| [matrix[0], matrix[1], matrix[3]].map(|entry| self.radius * entry);
        (self.dim == 2).then(|| self.matrices.chunks_exact(4).map(scaled).collect())
    }
}

/// The ellipses of the map `embedding` of `input`, by the linear fits on these neighborhoods.
///
/// ```
/// use truefold::{Input, Neighborhoods, Points, Run, local::ellipses};
///
/// let x = Points::from_rows(&[[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0], [2.0, 1.0]])?;
/// let y = Points::new(5, 2, x.rows().flat_map(|row| [3.0 * row[0], 0.5 * row[1]]).collect())?;
/// let neighborhoods = Neighborhoods::nearest(&x, 3, &Run::new())?;
/// let found = ellipses(Input::Points(&x), &y, &neighborhoods, &Run::new())?;
/// assert!((found.largest[0] - 3.0).abs() < 1e-9 && (found.smallest[0] - 0.5).abs() < 1e-9);
/// # Ok::<(), truefold::Error>(())
/// ```
pub fn ellipses(input: Input<'_>, embedding: &Points, neighborhoods: &Neighborhoods, run: &Run) -> Result<Ellipses> {
    input.check_embedding(embedding)?;
    neighborhoods.check_len(input.len())?;
    let dim = embedding.dim();
    // What is found at each point, before it is joined.
    let need = Need::of((size_of::<Stretch>() + dim * dim * size_of::<f64>()) as f64, 0.0);
    need.check(format!("ellipses of a map of {} points", input.len()), (input.len(), 0))?;
    let chunks = run.chunks("ellipses", input.len(), 256, |range| {
        let (mut stretcher, mut found) = (Stretcher::default(), Vec::with_capacity(range.len()));
        for point in range {
            found.push(stretcher.find(&input, embedding, neighborhoods.members(point))?);
        }
        Ok(found)
    })?;
    let (mut all, mut radii) = (
        Ellipses {
            dim,
            radius: 0.0,
            matrices: Vec::with_capacity(input.len() * dim * dim),
            largest: Vec::with_capacity(input.len()),
            smallest: Vec::with_capacity(input.len()),
            capped: Vec::with_capacity(input.len()),
        },
        Vec::with_capacity(input.len()),
    );
    for one in chunks.into_iter().flatten() {
        all.matrices.extend(one.matrix);
        all.largest.push(one.largest);
        all.smallest.push(one.smallest);
        all.capped.push(one.capped);
        radii.push(one.radius);
    }
    radii.sort_unstable_by(f64::total_cmp);
    all.radius = radii[radii.len() / 2];
    Ok(all)
}

/// The stretch at one point.
struct Stretch {
    matrix: Vec<f64>,
    largest: f64,
    smallest: f64,
    capped: bool,
    radius: f64,
}

/// Work space for stretches.
#[derive(Debug, Default)]
struct Stretcher {
    chart: Chart,
    embedded: Vec<f64>,
    eigen: SymmetricEigen,
    /// U, coordinate by coordinate.
    units: Vec<f64>,
}

impl Stretcher {
    fn find(&mut self, input: &Input<'_>, embedding: &Points, members: &[u32]) -> Result<Stretch> {
        self.chart.fill(input, members)?;
        let (stride, dim) = (self.chart.stride(), embedding.dim());
        gather_centered(&mut self.embedded, embedding, members, stride);
        let radius = (square(self.chart.columns()) / members.len() as f64).sqrt();
        // T V' of Y = U T V', a row per direction that Y has.
        let turned = self.whiten(stride, dim);
        let rank = turned.len() / dim;
        let (roots, capped) = self.inverse_roots(stride, rank);
        // S S = K K' with K = V T M^(-1/2), whose columns are those of T V' mixed by the roots.
        let mut mixed = vec![0.0; rank * dim];
        for (at, column) in mixed.chunks_exact_mut(dim).enumerate() {
            for (from, &root) in turned.chunks_exact(dim).zip(&roots[at * rank..][..rank]) {
                column.iter_mut().zip(from).for_each(|(to, from)| *to += root * from);
            }
        }
        let mut squares = vec![0.0; dim * dim];
        for column in mixed.chunks_exact(dim) {
            for (row, &value) in squares.chunks_exact_mut(dim).zip(column) {
                row.iter_mut().zip(column).for_each(|(to, other)| *to += value * other);
            }
        }
        self.eigen.decompose(&squares, dim);
        let stretches: Vec<f64> = self.eigen.values().iter().map(|value| value.max(0.0).sqrt()).collect();
        let mut matrix = vec![0.0; dim * dim];
        for (at, stretch) in stretches.iter().enumerate().take(rank) {
            let axis = self.eigen.vector(at);
            for (row, &value) in matrix.chunks_exact_mut(dim).zip(axis) {
                row.iter_mut().zip(axis).for_each(|(to, other)| *to += stretch * value * other);
            }
        }
        let smallest = if rank < dim { 0.0 } else { stretches[dim - 1] };
        Ok(Stretch { matrix, largest: if rank > 0 { stretches[0] } else { 0.0 }, smallest, capped, radius })
    }

    /// Fills U and gives T V', for the directions that Y has.
    fn whiten(&mut self, stride: usize, dim: usize) -> Vec<f64> {
        let columns: Vec<&[f64]> = self.embedded.chunks_exact(stride).collect();
        let gram: Vec<f64> = (0..dim * dim).map(|at| dot(columns[at / dim], columns[at % dim])).collect();
        self.eigen.decompose(&gram, dim);
        let (values, mut turned) = (self.eigen.values(), Vec::new());
        self.units.clear();
        for (at, &value) in values.iter().enumerate() {
            if value <= MISSING * values[0] || value <= 0.0 {
                break;
            }
            let (axis, length) = (self.eigen.vector(at), value.sqrt());
            let start = self.units.len();
            self.units.resize(start + stride, 0.0);
            for (column, &weight) in columns.iter().zip(axis) {
                self.units[start..].iter_mut().zip(*column).for_each(|(to, from)| *to += weight / length * from);
            }
            turned.extend(axis.iter().map(|value| length * value));
        }
        turned
    }

    /// M^(-1/2) with M = U'X X'U, and whether its eigenvalues had to be kept apart from zero; zeros where M is zero.
    fn inverse_roots(&mut self, stride: usize, rank: usize) -> (Vec<f64>, bool) {
        let mut product = vec![0.0; rank * rank];
        for column in self.chart.columns().chunks_exact(stride) {
            let along: Vec<f64> = self.units.chunks_exact(stride).map(|unit| dot(column, unit)).collect();
            for (row, value) in product.chunks_exact_mut(rank.max(1)).zip(&along) {
                row.iter_mut().zip(&along).for_each(|(to, other)| *to += value * other);
            }
        }
        self.eigen.decompose(&product, rank);
        let values = self.eigen.values();
        let mut roots = vec![0.0; rank * rank];
        let Some(&largest) = values.first().filter(|&&largest| largest > 0.0) else { return (roots, true) };
        let least = largest / (MOST_STRETCH * MOST_STRETCH);
        for (at, value) in values.iter().enumerate() {
            let (axis, root) = (self.eigen.vector(at), 1.0 / value.max(least).sqrt());
            for (row, &value) in roots.chunks_exact_mut(rank).zip(axis) {
                row.iter_mut().zip(axis).for_each(|(to, other)| *to += root * value * other);
            }
        }
        (roots, values[rank - 1] < least)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dataset;
    use crate::memory::tests::asks_for;
    use proptest::prelude::*;

    /// Random places in q dimensions, the same for the same seed.
    fn cloud(count: usize, dim: usize, seed: u64) -> Points {
        let request = dataset::Request::new().with_points(count * dim).with_seed(seed);
        let roll = dataset::find("swiss-roll").unwrap().sample(&request).unwrap();
        Points::new(count, dim, roll.truth.rows().map(|row| row[0]).collect()).unwrap()
    }

    fn mapped(x: &Points, matrix: &[f64], dim: usize) -> Points {
        let image = |row: &[f64]| -> Vec<f64> {
            (0..dim)
                .map(|to| row.iter().enumerate().map(|(from, value)| value * matrix[from * dim + to]).sum())
                .collect()
        };
        Points::new(x.len(), dim, x.rows().flat_map(image).collect()).unwrap()
    }

    fn found(x: &Points, y: &Points) -> Ellipses {
        let neighborhoods = Neighborhoods::nearest(x, 8, &Run::new()).unwrap();
        ellipses(Input::Points(x), y, &neighborhoods, &Run::new()).unwrap()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(32))]
        #[test]
        fn the_ellipse_of_a_linear_map_is_that_of_its_matrix(
            dim in 1_usize..4, seed in 0_u64..99, entries in prop::collection::vec(-2.0..2.0_f64, 9)
        ) {
            let matrix: Vec<f64> =
                (0..dim * dim).map(|at| entries[at] + if at % (dim + 1) == 0 { 5.0 } else { 0.0 }).collect();
            let x = cloud(40, dim, seed);
            let found = found(&x, &mapped(&x, &matrix, dim));
            // S S = A'A for Y = X A.
            for point in 0..x.len() {
                let s = found.matrix(point);
                for (row, column) in (0..dim * dim).map(|at| (at / dim, at % dim)) {
                    let squared: f64 = (0..dim).map(|at| s[row * dim + at] * s[at * dim + column]).sum();
                    let exact: f64 = (0..dim).map(|at| matrix[at * dim + row] * matrix[at * dim + column]).sum();
                    prop_assert!((squared - exact).abs() < 1e-7, "{squared} {exact}");
                }
                prop_assert!(!found.capped[point] && (0.0..=1.0).contains(&found.anisotropy(point)));
            }
        }
    }

    #[test]
    fn an_isometry_gives_circles_and_a_scale_their_size() {
        let flat = cloud(60, 2, 3);
        let x = mapped(&flat, &[0.6, 0.0, 0.8, 0.0, 1.0, 0.0], 3);
        for scale in [1e-6, 1.0, 250.0] {
            let y = mapped(&flat, &[0.0, scale, -scale, 0.0], 2);
            let found = found(&x, &y);
            assert!(found.largest.iter().chain(&found.smallest).all(|stretch| (stretch / scale - 1.0).abs() < 1e-9));
            let planar = found.planar().unwrap();
            assert!(planar.iter().all(|s| (s[0] / (found.radius * scale) - 1.0).abs() < 1e-9 && s[1].abs() < scale));
        }
    }

    #[test]
    fn what_is_missing_in_the_map_or_in_the_data_is_no_stretch_and_no_infinity() {
        let flat = cloud(60, 2, 5);
        // The map lost a direction: nothing is left of it.
        let line = found(&flat, &mapped(&flat, &[1.0, 0.0, 0.0, 0.0], 2));
        assert!(line.smallest.iter().all(|&stretch| stretch == 0.0) && line.largest.iter().all(|&s| s > 0.5));
        assert!((line.anisotropy(0) - 1.0).abs() < 1e-12);
        // The map has a direction that the data lack: capped, and finite.
        let thin = mapped(&flat, &[1.0, 0.0, 0.0, 1e-9], 2);
        let spread = found(&thin, &flat);
        assert!(spread.capped.iter().all(|&capped| capped));
        assert!(spread.matrices.iter().all(|entry| entry.is_finite()));
        // A single place, in the data or in the map.
        let place = Points::new(60, 2, vec![1.0; 120]).unwrap();
        let neighborhoods = Neighborhoods::nearest(&flat, 8, &Run::new()).unwrap();
        for (x, y) in [(&place, &flat), (&flat, &place)] {
            let none = ellipses(Input::Points(x), y, &neighborhoods, &Run::new()).unwrap();
            assert!(none.matrices.iter().all(|&entry| entry == 0.0) && none.capped.iter().all(|&capped| capped));
            assert_eq!(none.anisotropy(0), 0.0);
        }
    }

    #[test]
    fn what_is_found_is_compared_with_the_memory_that_is_there() {
        let x = cloud(50, 2, 8);
        let neighborhoods = Neighborhoods::nearest(&x, 8, &Run::new()).unwrap();
        // A matrix of four numbers, where it lies and how long it may grow, three numbers and a mark.
        asks_for(50 * (4 + 3 + 3 + 1) * 8, || ellipses(Input::Points(&x), &x, &neighborhoods, &Run::new()));
    }

    #[test]
    fn distances_give_the_ellipses_of_the_points() {
        let x = cloud(50, 2, 8);
        let y = mapped(&x, &[1.0, 0.4, -0.3, 2.0], 2);
        let table = (0..2500).map(|at| Input::Points(&x).distance(at / 50, at % 50)).collect();
        let distances = crate::Distances::dense(50, table).unwrap();
        let neighborhoods = Neighborhoods::nearest(&x, 8, &Run::new()).unwrap();
        let [a, b] = [Input::Points(&x), Input::Distances(&distances)]
            .map(|input| ellipses(input, &y, &neighborhoods, &Run::new()).unwrap());
        assert!((a.radius / b.radius - 1.0).abs() < 1e-9);
        assert!(a.matrices.iter().zip(&b.matrices).all(|(a, b)| (a - b).abs() < 1e-6));
    }
}
