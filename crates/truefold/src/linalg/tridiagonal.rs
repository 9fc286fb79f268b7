//! Eigenvalues and eigenvectors of a symmetric matrix by way of a tridiagonal one: A = Q T Q', T = S D S'.
//!
//! Householder reflections I - b v v' make A tridiagonal; shifted QL steps, each a chain of plane rotations with Wilkinson's
//! shift, make T diagonal and turn the columns of Q into eigenvectors. Eigenvalues err by the rounding of the largest, which
//! is what a Gram matrix holds of them. Golub and Van Loan, Matrix Computations, sections 8.3.1 and 8.3.3. Cost: 4 m^3 and
//! about 1.7 m^2 / 2 rotations of two columns: for a dozen rows a fifth of Jacobi's method.

use super::{add_scaled, dot, rotate, square, two_columns};

/// QL steps for one eigenvalue; two are usual.
const STEPS: usize = 50;

/// Work space.
#[derive(Debug, Default)]
pub(super) struct Tridiagonal {
    /// The matrix; below its diagonal, the reflections.
    matrix: Vec<f64>,
    factors: Vec<f64>,
    /// The entries of T beside the diagonal, and a zero.
    beside: Vec<f64>,
    image: Vec<f64>,
}

impl Tridiagonal {
    /// Writes the eigenvalues of a symmetric matrix of at least two rows to `values` and its unit eigenvectors, in the same
    /// order, to `vectors`; false where the steps do not converge.
    #[inline(always)]
    pub(super) fn decompose(&mut self, matrix: &[f64], values: &mut Vec<f64>, vectors: &mut Vec<f64>) -> bool {
        let size = matrix.len().isqrt();
        self.matrix.clear();
        self.matrix.extend_from_slice(matrix);
        self.reduce(size, values);
        self.accumulate(size, vectors);
        (0..size).all(|first| (0..STEPS).any(|_| step(first, values, &mut self.beside, vectors)))
    }

    /// Makes the matrix tridiagonal.
    #[inline(always)]
    fn reduce(&mut self, size: usize, diagonal: &mut Vec<f64>) {
        diagonal.clear();
        self.factors.clear();
        self.beside.clear();
        for column in 0..size {
            let (done, rest) = self.matrix.split_at_mut((column + 1) * size);
            diagonal.push(done[column * size + column]);
            let below = &mut done[column * size + column + 1..];
            let Some(&head) = below.first() else { break };
            let tail = square(&below[1..]);
            if tail == 0.0 {
                // Nothing to reflect.
                self.beside.push(head);
                self.factors.push(0.0);
                continue;
            }
            let length = (head * head + tail).sqrt();
            // Away from the sign of the head, so that no digits cancel.
            below[0] += length.copysign(head);
            self.beside.push(-length.copysign(head));
            let factor = 2.0 / square(below);
            self.factors.push(factor);
            let reflection = &*below;
            self.image.clear();
            self.image.resize(reflection.len(), 0.0);
            for (line, &weight) in rest.chunks_exact(size).zip(reflection) {
                add_scaled(&mut self.image, factor * weight, &line[column + 1..]);
            }
            let share = 0.5 * factor * dot(&self.image, reflection);
            add_scaled(&mut self.image, -share, reflection);
            for (place, line) in rest.chunks_exact_mut(size).enumerate() {
                let (own, image) = (reflection[place], self.image[place]);
                for ((entry, reflection), other) in line[column + 1..].iter_mut().zip(reflection).zip(&self.image) {
                    *entry -= image * reflection + own * other;
                }
            }
        }
        self.beside.push(0.0);
    }

    /// The product of the reflections, column by column.
    #[inline(always)]
    fn accumulate(&self, size: usize, vectors: &mut Vec<f64>) {
        vectors.clear();
        vectors.resize(size * size, 0.0);
        (0..size).for_each(|at| vectors[at * size + at] = 1.0);
        for (column, &factor) in self.factors.iter().enumerate().rev().filter(|(_, factor)| **factor > 0.0) {
            let reflection = &self.matrix[column * size + column + 1..(column + 1) * size];
            for line in vectors.chunks_exact_mut(size).skip(column + 1) {
                let share = factor * dot(&line[column + 1..], reflection);
                add_scaled(&mut line[column + 1..], -share, reflection);
            }
        }
    }
}

/// One QL step on the block of T that begins at `first`; true where `first` is a block of its own already.
#[inline(always)]
fn step(first: usize, diagonal: &mut [f64], beside: &mut [f64], vectors: &mut [f64]) -> bool {
    let size = diagonal.len();
    let is_end = |at: usize| beside[at].abs() <= f64::EPSILON * (diagonal[at].abs() + diagonal[at + 1].abs());
    let last = (first..size - 1).find(|&at| is_end(at)).unwrap_or(size - 1);
    if last == first {
        return true;
    }
    // The eigenvalue of the first 2 x 2 corner that is nearer to its first entry.
    let slope = (diagonal[first + 1] - diagonal[first]) / (2.0 * beside[first]);
    let shift = beside[first] / (slope + (slope * slope + 1.0).sqrt().copysign(slope));
    let mut bulge = diagonal[last] - diagonal[first] + shift;
    let (mut c, mut s, mut moved) = (1.0, 1.0, 0.0);
    for at in (first..last).rev() {
        let (far, near) = (s * beside[at], c * beside[at]);
        let length = (far * far + bulge * bulge).sqrt();
        beside[at + 1] = length;
        if length == 0.0 {
            // The block falls apart here.
            diagonal[at + 1] -= moved;
            beside[last] = 0.0;
            return false;
        }
        (s, c) = (far / length, bulge / length);
        let base = diagonal[at + 1] - moved;
        let turned = (diagonal[at] - base) * s + 2.0 * c * near;
        moved = s * turned;
        diagonal[at + 1] = base + moved;
        bulge = c * turned - near;
        let (a, b) = two_columns(vectors, size, at, at + 1);
        rotate(a, b, c, s);
    }
    diagonal[first] -= moved;
    beside[first] = bulge;
    beside[last] = 0.0;
    false
}
