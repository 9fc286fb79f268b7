//! Synchronization: rotations O_i that agree with given transports, O_i ~ O_ij O_j, by one inverse iteration.
//!
//! The least of sum w_ij |x_i - O_ij x_j|^2 over orthonormal blocks x are the lowest d eigenvectors of the connection
//! Laplacian C; they are within one inverse iteration of frames that a spanning tree already aligned. In the gauge of the
//! tree those frames are the constant Z, one identity matrix per point, and C is close to the scalar Laplacian in every
//! component. With x = Z + y and Z'y = 0, inverse iteration up to a change of basis is
//! (I - ZZ'/n) C y = -(I - ZZ'/n) C Z: conjugate gradients with the scalar solver as the preconditioner solve it on the
//! complement of the constants, where nothing is singular, even if the transports agree perfectly and C is. The
//! rotations are the polar factors of x_i.
//! Singer and Wu (2012) for C; the gauge and the preconditioner are this project's. Cost: a few tens of steps, each one
//! pass over the links and d^2 columns of the scalar preconditioner. When it fails: where cycles of links disagree so
//! much that no frames fit, the result is some compromise, and f says how bad it is.
//!
//! Differs from the paper: Goldberg and Ritov align frames by simulated annealing (section 4.3).

use super::conjugate_gradient::{Limits, Operator, Preconditioner, conjugate_gradient};
use super::links::Links;
use super::transports::{Transports, identities};
use crate::linalg::Nearest;
use crate::{Result, Run};
use rayon::prelude::*;

const LIMITS: Limits = Limits { tolerance: 1e-3, steps: 500 };
const CHUNK: usize = 2048;

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

/// Synchronizes transports that refer to frames which are roughly aligned already.
pub(crate) fn synchronize(
    transports: &Transports,
    preconditioner: &impl Preconditioner,
    run: &Run,
) -> Result<Synchronized> {
    let dim = transports.dim();
    let count = transports.links().len();
    let connection = Connection::new(transports);
    let mut values = identities(count, dim);
    let mut rhs = vec![0.0; values.len()];
    run.install(|| {
        connection.apply(&values, &mut rhs, dim, &mut Vec::new());
        rhs.par_iter_mut().with_min_len(CHUNK).for_each(|value| *value = -*value);
    });
    let mut change = vec![0.0; values.len()];
    let solved =
        conjugate_gradient(&connection, &Centered { preconditioner, dim }, &rhs, &mut change, dim, LIMITS, run)?;
    run.install(|| {
        values.par_chunks_mut(CHUNK * dim * dim).zip(change.par_chunks(CHUNK * dim * dim)).for_each(
            |(values, change)| {
                let mut nearest = Nearest::default();
                let mut block = vec![0.0; dim * dim];
                for (rotation, change) in values.chunks_exact_mut(dim * dim).zip(change.chunks_exact(dim * dim)) {
                    // The solver keeps blocks row by row.
                    for (at, value) in block.iter_mut().enumerate() {
                        *value = rotation[at] + change[at % dim * dim + at / dim];
                    }
                    nearest.find(&block, dim, rotation);
                }
            },
        );
    });
    Ok(Synchronized { rotations: values, steps: solved.steps, residual: solved.residual })
}

/// C on the complement of the constants; a row for each point and component.
struct Connection<'a> {
    transports: &'a Transports,
    diagonal: Vec<f64>,
}

impl<'a> Connection<'a> {
    fn new(transports: &'a Transports) -> Self {
        let links = transports.links();
        let diagonal =
            (0..links.len()).flat_map(|point| std::iter::repeat_n(links.degree(point), transports.dim())).collect();
        Self { transports, diagonal }
    }
}

impl Operator for Connection<'_> {
    fn rows(&self) -> usize {
        self.diagonal.len()
    }

    fn apply(&self, input: &[f64], output: &mut [f64], columns: usize, _: &mut Vec<f64>) {
        self.transports.apply(input, output, columns);
        center(output, columns * self.transports.dim());
    }

    fn diagonal(&self) -> &[f64] {
        &self.diagonal
    }

    fn project(&self, values: &mut [f64], columns: usize) {
        center(values, columns * self.transports.dim());
    }
}

/// The scalar preconditioner in every component, on the complement of the constants.
struct Centered<'a, P> {
    preconditioner: &'a P,
    dim: usize,
}

impl<P: Preconditioner> Preconditioner for Centered<'_, P> {
    fn apply(&self, input: &[f64], output: &mut [f64], columns: usize, scratch: &mut Vec<f64>) {
        self.preconditioner.apply(input, output, columns * self.dim, scratch);
        center(output, columns * self.dim);
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

/// Takes the mean off each of the columns.
fn center(values: &mut [f64], columns: usize) {
    let parts: Vec<Vec<f64>> = values
        .par_chunks(CHUNK * columns)
        .map(|rows| {
            let mut sums = vec![0.0; columns];
            for row in rows.chunks_exact(columns) {
                sums.iter_mut().zip(row).for_each(|(sum, value)| *sum += value);
            }
            sums
        })
        .collect();
    let count = (values.len() / columns) as f64;
    let mut means = vec![0.0; columns];
    for part in parts {
        means.iter_mut().zip(part).for_each(|(mean, sum)| *mean += sum / count);
    }
    values.par_chunks_mut(CHUNK * columns).for_each(|rows| {
        for row in rows.chunks_exact_mut(columns) {
            row.iter_mut().zip(&means).for_each(|(value, mean)| *value -= mean);
        }
    });
}
