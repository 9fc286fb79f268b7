//! Synchronization: rotations O_i that agree with given transports, O_i ~ O_ij O_j, by one inverse iteration.
//!
//! The least of sum w_ij |x_i - O_ij x_j|^2 over orthonormal blocks x are the lowest d eigenvectors of the connection
//! Laplacian C; they are within one inverse iteration of frames that a spanning tree already aligned. In the gauge of
//! the tree those frames are the constant Z, one identity matrix per point, and C is close to the scalar Laplacian in
//! every component. With x = Z + y and Z'y = 0, inverse iteration up to a change of basis is (I - ZZ'/n) C y = -(I -
//! ZZ'/n) C Z: conjugate gradients with the scalar solver as the preconditioner solve it on the complement of the
//! constants, where nothing is singular, even if the transports agree perfectly and C is. The rotations are the polar
//! factors of x_i.
//!
//! On curved surfaces the eigenvectors shrink toward the rim and their polar factors are not the best rotations. Where
//! their sizes are uneven, Newton steps follow: with O_i = I + y_i, y_i skew, the same system restricted to skew
//! blocks. Singer and Wu (2012) for C; the gauge and the preconditioner are this project's. Cost: a few tens of steps,
//! each one pass over the links and d^2 columns of the scalar preconditioner. When it fails: where cycles of links
//! disagree so much that no frames fit, the result is a compromise, and f says how bad it is.
//!
//! Differs from the paper: Goldberg and Ritov align frames by simulated annealing (section 4.3).

use super::{Transports, compose, identities};
use crate::graph::Links;
use crate::laplacian::conjugate_gradient::{
    Convergence, Limits, LinearSystem, Operator, Preconditioner, conjugate_gradient,
};
use crate::linalg::block::subtract_means;
use crate::linalg::{Nearest, dot, square};
use crate::{Result, Run};
use rayon::prelude::*;

const LIMITS: Limits = Limits::new(1e-3, 500);
/// A Newton step need not be exact: the next one corrects it.
const NEWTON_LIMITS: Limits = Limits::new(1e-1, 500);
const CHUNK: usize = 2048;
/// Below this unevenness of the eigenvectors their polar factors are as good as they are.
const EVEN: f64 = 1e-3;
const MOST_NEWTON: usize = 5;
/// Newton steps go on as long as one lowers the form by this share.
const WORTHWHILE: f64 = 1e-2;

/// The rotations found, and what it took.
#[derive(Debug)]
pub(crate) struct Synchronized {
    /// One orthogonal matrix per point, column by column.
    pub(crate) rotations: Vec<f64>,
    /// The steps of conjugate gradients.
    pub(crate) steps: usize,
    /// The residual they reached.
    pub(crate) residual: f64,
}

/// Synchronizes transports that refer to frames which are roughly aligned already; they come back turned.
pub(crate) fn synchronize(
    transports: &mut Transports,
    preconditioner: &impl Preconditioner,
    run: &Run,
) -> Result<Synchronized> {
    let dim = transports.dim();
    let (change, solved) = Connection::new(transports, Changes::All).correction(preconditioner, LIMITS, run)?;
    let (mut rotations, mut unevenness) = round(&change, dim, run);
    transports.turn(&rotations, run);
    let mut found = Synchronized { rotations: Vec::new(), steps: solved.steps, residual: solved.residual };
    for _ in 0..MOST_NEWTON {
        if dim == 1 || unevenness < EVEN {
            break;
        }
        let connection = Connection::new(transports, Changes::Skew);
        let before = connection.form(&identities(transports.links().len(), dim), run);
        let (change, solved) = connection.correction(preconditioner, NEWTON_LIMITS, run)?;
        let (turns, _) = round(&change, dim, run);
        drop(change);
        let after = connection.form(&turns, run);
        found.steps += solved.steps;
        if after >= before {
            break;
        }
        transports.turn(&turns, run);
        compose(&mut rotations, &turns, dim, run);
        if after > (1.0 - WORTHWHILE) * before {
            unevenness = 0.0;
        }
    }
    found.rotations = rotations;
    Ok(found)
}

/// The orthogonal matrices nearest to I + change, and how uneven the sizes of these are: the share of their squares
/// that equal multiples of orthogonal matrices would not have.
fn round(change: &[f64], dim: usize, run: &Run) -> (Vec<f64>, f64) {
    let cells = dim * dim;
    let mut rotations = identities(change.len() / cells, dim);
    let parts: Vec<(f64, f64)> = run.install(|| {
        let chunks = rotations.par_chunks_mut(CHUNK * cells).zip(change.par_chunks(CHUNK * cells));
        chunks
            .map(|(rotations, change)| {
                let mut nearest = Nearest::default();
                let mut block = vec![0.0; cells];
                let (mut traces, mut squares) = (0.0, 0.0);
                for (rotation, change) in rotations.chunks_exact_mut(cells).zip(change.chunks_exact(cells)) {
                    // The solver keeps blocks row by row.
                    for (at, value) in block.iter_mut().enumerate() {
                        *value = rotation[at] + change[at % dim * dim + at / dim];
                    }
                    squares += square(&block);
                    traces += nearest.find(&block, dim, rotation);
                }
                (traces, squares)
            })
            .collect()
    });
    let (traces, squares) = parts.iter().fold((0.0, 0.0), |sum, part| (sum.0 + part.0, sum.1 + part.1));
    let even = traces * traces / (change.len() as f64 / dim as f64);
    (rotations, 1.0 - even / squares)
}

/// Which changes of the frames are solved for.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Changes {
    /// Any, each column of the blocks independently.
    All,
    /// Infinitesimal rotations: skew blocks, all columns at once.
    Skew,
}

/// C on the complement of the constants; a row for each point and component.
struct Connection<'a> {
    transports: &'a Transports,
    changes: Changes,
    diagonal: Vec<f64>,
}

impl<'a> Connection<'a> {
    fn new(transports: &'a Transports, changes: Changes) -> Self {
        let (links, dim) = (transports.links(), transports.dim());
        let rows = if changes == Changes::All { dim } else { dim * dim };
        let diagonal = (0..links.len()).flat_map(|point| std::iter::repeat_n(links.degree(point), rows)).collect();
        Self { transports, changes, diagonal }
    }

    /// The number of columns that are solved for independently.
    fn columns(&self) -> usize {
        if self.changes == Changes::All { self.transports.dim() } else { 1 }
    }

    /// C of blocks that are kept row by row.
    fn image(&self, values: &[f64], run: &Run) -> Vec<f64> {
        let mut image = vec![0.0; values.len()];
        run.install(|| self.transports.apply(values, &mut image, self.transports.dim()));
        image
    }

    /// C of the frames as they are, one identity each.
    fn of_identities(&self, run: &Run) -> Vec<f64> {
        self.image(&identities(self.transports.links().len(), self.transports.dim()), run)
    }

    /// The sum over links of w_ij |O_i - O_ij O_j|^2 for given rotations, column by column.
    fn form(&self, rotations: &[f64], run: &Run) -> f64 {
        let dim = self.transports.dim();
        let mut rows = rotations.to_vec();
        for block in rows.chunks_exact_mut(dim * dim) {
            for row in 1..dim {
                (0..row).for_each(|column| block.swap(row * dim + column, column * dim + row));
            }
        }
        dot(&rows, &self.image(&rows, run))
    }

    /// The change y of the identities with C (I + y) = 0 on the complement of the constants, blocks row by row.
    fn correction(
        &self,
        preconditioner: &impl Preconditioner,
        limits: Limits,
        run: &Run,
    ) -> Result<(Vec<f64>, Convergence)> {
        let dim = self.transports.dim();
        let mut rhs = self.of_identities(run);
        run.install(|| {
            rhs.par_iter_mut().with_min_len(CHUNK).for_each(|value| *value = -*value);
            restrict(&mut rhs, dim, self.changes);
        });
        let mut change = vec![0.0; rhs.len()];
        let restricted = Restricted { preconditioner, dim, changes: self.changes };
        let system = LinearSystem { operator: self, preconditioner: &restricted, rhs: &rhs, columns: self.columns() };
        let solved = conjugate_gradient(&system, &mut change, limits, run)?;
        Ok((change, solved))
    }
}

impl Operator for Connection<'_> {
    fn apply(&self, input: &[f64], output: &mut [f64], _: usize, _: &mut Vec<f64>) {
        let dim = self.transports.dim();
        self.transports.apply(input, output, dim);
        restrict(output, dim, self.changes);
    }

    fn diagonal(&self) -> &[f64] {
        &self.diagonal
    }

    fn project(&self, values: &mut [f64], _: usize) {
        restrict(values, self.transports.dim(), self.changes);
    }
}

/// The scalar preconditioner in every component.
struct Restricted<'a, P> {
    preconditioner: &'a P,
    dim: usize,
    changes: Changes,
}

impl<P: Preconditioner> Preconditioner for Restricted<'_, P> {
    fn apply(&self, input: &[f64], output: &mut [f64], _: usize, scratch: &mut Vec<f64>) {
        self.preconditioner.apply(input, output, self.dim * self.dim, scratch);
        restrict(output, self.dim, self.changes);
    }
}

/// One over the degree of each point: enough for small graphs.
#[derive(Debug)]
pub(crate) struct ByDegree {
    inverse: Vec<f64>,
}

impl ByDegree {
    pub(crate) fn new(links: &Links) -> Self {
        let inverse = |degree: f64| if degree > 0.0 { 1.0 / degree } else { 0.0 };
        Self { inverse: (0..links.len()).map(|point| inverse(links.degree(point))).collect() }
    }
}

impl Preconditioner for ByDegree {
    fn apply(&self, input: &[f64], output: &mut [f64], columns: usize, _: &mut Vec<f64>) {
        let rows = output.chunks_exact_mut(columns).zip(input.chunks_exact(columns));
        for ((output, input), inverse) in rows.zip(&self.inverse) {
            output.iter_mut().zip(input).for_each(|(output, input)| *output = inverse * input);
        }
    }
}

/// Subtracts the mean of each component and, where only rotations are solved for, the symmetric part of each block.
fn restrict(values: &mut [f64], dim: usize, changes: Changes) {
    let cells = dim * dim;
    subtract_means(values, cells);
    if changes == Changes::All {
        return;
    }
    values.par_chunks_mut(CHUNK * cells).for_each(|blocks| {
        for block in blocks.chunks_exact_mut(cells) {
            for row in 0..dim {
                for column in 0..=row {
                    let skew = 0.5 * (block[row * dim + column] - block[column * dim + row]);
                    block[row * dim + column] = skew;
                    block[column * dim + row] = -skew;
                }
            }
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dataset;
    use crate::dataset::Request;
    use crate::frames::Tangents;
    use crate::{Neighborhoods, Points};

    fn transports(points: &Points, k: usize, dim: usize) -> Transports {
        let run = Run::new();
        let neighborhoods = Neighborhoods::nearest(points, k, &run).unwrap();
        let tangents = Tangents::new(points, &neighborhoods, dim, &run).unwrap();
        Transports::between(&tangents, Links::new(&neighborhoods, &run).unwrap(), &run).unwrap()
    }

    #[test]
    fn the_frames_found_are_better_than_those_of_the_tree_and_settled() {
        let points = dataset::find("hemisphere").unwrap().sample(&Request::new().with_points(800)).unwrap().points;
        let run = Run::new();
        let mut transports = transports(&points, 8, 2);
        let tree = transports.carried();
        transports.turn(&tree, &run);
        let as_they_are = identities(800, 2);
        let before = Connection::new(&transports, Changes::All).form(&as_they_are, &run);
        let preconditioner = ByDegree::new(transports.links());
        let found = synchronize(&mut transports, &preconditioner, &run).unwrap();
        let after = Connection::new(&transports, Changes::All).form(&as_they_are, &run);
        assert!(after < 0.9 * before, "{after} {before}");
        assert!(found.residual < 1e-2 && found.steps > 0);
        // Nothing to gain by small turns of all frames together.
        let connection = Connection::new(&transports, Changes::Skew);
        let mut slope = connection.of_identities(&run);
        restrict(&mut slope, 2, Changes::Skew);
        assert!(square(&slope) < 1e-3 * square(&connection.of_identities(&run)));
        // The form of rotations is that of the identities once the transports are turned by them.
        let turns = transports.carried();
        let unturned = Connection::new(&transports, Changes::Skew).form(&turns, &run);
        transports.turn(&turns, &run);
        let form = Connection::new(&transports, Changes::Skew).form(&as_they_are, &run);
        assert!((unturned - form).abs() < 1e-5 * form, "{unturned} {form}");
    }

    #[test]
    fn perfect_transports_are_left_alone() {
        let points = dataset::find("plane").unwrap().sample(&Request::new().with_points(300)).unwrap().points;
        let run = Run::new();
        let mut transports = transports(&points, 8, 2);
        let tree = transports.carried();
        transports.turn(&tree, &run);
        let preconditioner = ByDegree::new(transports.links());
        let found = synchronize(&mut transports, &preconditioner, &run).unwrap();
        for (a, b) in found.rotations.iter().zip(identities(300, 2)) {
            assert!((a - b).abs() < 1e-4, "{a} {b}");
        }
    }
}
