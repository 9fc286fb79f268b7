//! Local linear models about landmarks: their points, responsibilities and coordinates.
//!
//! Model k has the points and responsibilities r_jk of a landmark of the cover (`embed/cover.rs`); its coordinates z_jk
//! are the first d principal ones of its points, each weighted by r_jk. They come from the Gram matrix of the points, so
//! distances are enough; where the input has fewer dimensions than a model has points, they come from the scatter matrix.
//! Cost: that of the cover and one small eigenproblem a model.

use crate::data::Input;
use crate::embed::cover::cover;
use crate::linalg::{SymmetricEigen, add_scaled, dot};
use crate::local::gather_about;
use crate::points::with_rows;
use crate::{Error, Points, Problem, Result, Run};

/// A direction whose variance is below this share of the first one's is rounding.
const NEGLIGIBLE: f64 = 1e-12;

/// Local models of all points.
#[derive(Debug)]
pub(super) struct LocalModels {
    dim: usize,
    count: usize,
    /// For each point where its memberships begin.
    offsets: Vec<usize>,
    /// The model of each membership.
    models: Vec<u32>,
    /// For each membership r z, d numbers in a common unit, and r.
    rows: Vec<f64>,
    /// LocalModels that span fewer than d directions.
    pub(super) deficient: usize,
}

/// A model while it is made.
struct LocalModel {
    members: Vec<u32>,
    responsibilities: Vec<f64>,
    /// d numbers a member.
    coordinates: Vec<f64>,
    rank: usize,
}

impl LocalModels {
    /// About `wanted` models of a connected problem.
    pub(super) fn new(problem: &Problem<'_>, wanted: usize, run: &Run) -> Result<Self> {
        let (input, dim, count) = (problem.input(), problem.dim(), problem.len());
        let held = cover(problem, wanted, run)?;
        let models = run.chunks("local coordinates", held.len(), 4, |range| {
            held[range].iter().map(|held| LocalModel::new(&input, held, dim)).collect::<Result<Vec<_>>>()
        })?;
        let models: Vec<LocalModel> = models.into_iter().flatten().collect();
        if models.iter().all(|model| model.rank < dim) {
            return Err(Error::RankDeficient {
                what: format!("all {} local models span", models.len()).into(),
                given: models.iter().map(|model| model.rank).max().unwrap_or(0),
                needed: dim,
                advice: "choose fewer dimensions or fewer models, or remove points that are equal".into(),
            });
        }
        Ok(Self::listed(&models, dim, count))
    }

    /// Lists the models of each point from the points of each model.
    fn listed(models: &[LocalModel], dim: usize, count: usize) -> Self {
        let mut offsets = vec![0; count + 1];
        for &member in models.iter().flat_map(|model| &model.members) {
            offsets[member as usize + 1] += 1;
        }
        for point in 0..count {
            offsets[point + 1] += offsets[point];
        }
        let total = offsets[count];
        // One unit for all coordinates: then the size of the data does not matter to the problem that follows.
        let squares: f64 = models.iter().map(|model| dot(&model.coordinates, &model.coordinates)).sum();
        let unit = (squares / (total * dim) as f64).sqrt();
        let mut next = offsets.clone();
        let (mut numbers, mut rows) = (vec![0; total], vec![0.0; total * (dim + 1)]);
        for (number, model) in models.iter().enumerate() {
            for (at, &member) in model.members.iter().enumerate() {
                let place = next[member as usize];
                next[member as usize] += 1;
                numbers[place] = number as u32;
                let share = model.responsibilities[at];
                let row = &mut rows[place * (dim + 1)..][..dim + 1];
                for (value, z) in row.iter_mut().zip(&model.coordinates[at * dim..][..dim]) {
                    *value = share * z / unit;
                }
                row[dim] = share;
            }
        }
        let deficient = models.iter().filter(|model| model.rank < dim).count();
        Self { dim, count: models.len(), offsets, models: numbers, rows, deficient }
    }

    /// The number of models.
    pub(super) fn len(&self) -> usize {
        self.count
    }

    /// The numbers of u_j that are not zero: for each model of point j its d + 1.
    pub(super) fn of(&self, point: usize) -> impl Iterator<Item = (usize, &[f64])> {
        let width = self.dim + 1;
        let range = self.offsets[point]..self.offsets[point + 1];
        let rows = self.rows[range.start * width..range.end * width].chunks_exact(width);
        self.models[range].iter().map(|&model| model as usize).zip(rows)
    }
}

impl LocalModel {
    fn new(input: &Input<'_>, held: &[(u32, f64)], dim: usize) -> Result<Self> {
        let members: Vec<u32> = held.iter().map(|&(point, _)| point).collect();
        let responsibilities: Vec<f64> = held.iter().map(|&(_, share)| share).collect();
        let total: f64 = responsibilities.iter().sum();
        let weights: Vec<f64> = responsibilities.iter().map(|share| share / total).collect();
        let (coordinates, rank) = match input {
            Input::Points(points) if points.dim() <= members.len() => by_scatter(points, &members, &weights, dim),
            _ => by_gram(input, &members, &weights, dim)?,
        };
        Ok(Self { members, responsibilities, coordinates, rank })
    }
}

/// Principal coordinates from the weighted scatter matrix, and the directions found.
fn by_scatter(points: &Points, members: &[u32], weights: &[f64], dim: usize) -> (Vec<f64>, usize) {
    let width = points.dim();
    let mut rows = Vec::with_capacity(members.len() * width);
    with_rows!(points.table(), table => {
        let origin = table.row(members[0] as usize);
        gather_about(&mut rows, origin, members.iter().map(|&member| (table.row(member as usize), 1.0)));
    });
    let mut mean = vec![0.0; width];
    for (row, &weight) in rows.chunks_exact(width).zip(weights) {
        add_scaled(&mut mean, weight, row);
    }
    let mut scatter = vec![0.0; width * width];
    for (row, &weight) in rows.chunks_exact_mut(width).zip(weights) {
        add_scaled(row, -1.0, &mean);
        for a in 0..width {
            add_scaled(&mut scatter[a * width..][..width], weight * row[a], row);
        }
    }
    let mut eigen = SymmetricEigen::default();
    eigen.decompose(&scatter, width);
    let rank = filled(eigen.values(), dim);
    let mut coordinates = vec![0.0; members.len() * dim];
    for (out, row) in coordinates.chunks_exact_mut(dim).zip(rows.chunks_exact(width)) {
        out.iter_mut().take(rank).enumerate().for_each(|(axis, out)| *out = dot(eigen.vector(axis), row));
    }
    (coordinates, rank)
}

/// The same from the weighted Gram matrix W^(1/2) (-1/2) H D H' W^(1/2), D the squared distances, H = I - 1 w'.
fn by_gram(input: &Input<'_>, members: &[u32], weights: &[f64], dim: usize) -> Result<(Vec<f64>, usize)> {
    let size = members.len();
    let mut gram = vec![0.0; size * size];
    for a in 0..size {
        for b in 0..a {
            let (one, other) = (members[a] as usize, members[b] as usize);
            let distance = input.distance(one, other);
            if !distance.is_finite() {
                return Err(Error::data(
                    format!(
                        "the distance between rows {} and {}, in one local model, is not known",
                        one + 1,
                        other + 1
                    ),
                    "give all distances, or use more and smaller models",
                ));
            }
            let square = distance * distance;
            (gram[a * size + b], gram[b * size + a]) = (square, square);
        }
    }
    let means: Vec<f64> = gram.chunks_exact(size).map(|row| dot(row, weights)).collect();
    let mean = dot(&means, weights);
    let roots: Vec<f64> = weights.iter().map(|weight| weight.sqrt()).collect();
    for a in 0..size {
        for b in 0..size {
            let value = &mut gram[a * size + b];
            *value = -0.5 * roots[a] * roots[b] * (*value - means[a] - means[b] + mean);
        }
    }
    if gram.iter().any(|value| !value.is_finite()) {
        return Err(Error::data("distances are too large to be squared", "rescale the data"));
    }
    let mut eigen = SymmetricEigen::default();
    eigen.decompose(&gram, size);
    let rank = filled(eigen.values(), dim);
    let mut coordinates = vec![0.0; size * dim];
    for (place, out) in coordinates.chunks_exact_mut(dim).enumerate() {
        for (axis, out) in out.iter_mut().take(rank).enumerate() {
            *out = eigen.vector(axis)[place] * eigen.values()[axis].sqrt() / roots[place];
        }
    }
    Ok((coordinates, rank))
}

/// How many of the first `dim` variances are more than rounding.
fn filled(variances: &[f64], dim: usize) -> usize {
    let least = NEGLIGIBLE * variances.first().copied().unwrap_or(0.0).max(0.0);
    variances.iter().take(dim).take_while(|&&value| value > least).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ways_give_the_same_coordinates_up_to_sign() {
        let rows: Vec<[f64; 3]> =
            (0..9).map(f64::from).map(|t| [t.sin() + 5.0, 2.0 * (1.3 * t).cos(), 0.3 * (2.1 * t).sin()]).collect();
        let points = Points::from_rows(&rows).unwrap();
        let members: Vec<u32> = (0..9).collect();
        let weights: Vec<f64> = (1..10).map(|at| f64::from(at) / 45.0).collect();
        let (one, rank) = by_scatter(&points, &members, &weights, 2);
        let (other, same) = by_gram(&Input::Points(&points), &members, &weights, 2).unwrap();
        assert_eq!((rank, same), (2, 2));
        for axis in 0..2 {
            let sign = (one[axis] * other[axis]).signum();
            for at in 0..9 {
                assert!((one[2 * at + axis] - sign * other[2 * at + axis]).abs() < 1e-10);
            }
            // The weighted mean is zero.
            assert!((0..9).map(|at| weights[at] * one[2 * at + axis]).sum::<f64>().abs() < 1e-12);
        }
    }
}
