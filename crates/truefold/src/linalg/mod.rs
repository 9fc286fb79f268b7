//! Small dense kernels and sparse factors.

pub(crate) mod block;
mod columns;
mod definite;
mod descent_memory;
mod moments;
mod orthogonal;
mod polar;
mod principal;
mod sparse;
mod symmetric;
mod tridiagonal;

pub(crate) use columns::Columns;
pub(crate) use definite::solve_definite;
pub(crate) use descent_memory::DescentMemory;
pub(crate) use moments::{gram_of_squares, products_between, sum_of_products};
pub(crate) use orthogonal::{Nearest, multiply, transposed_multiply};
pub(crate) use polar::{Polar, complete};
pub(crate) use principal::principal_coordinates;
pub(crate) use sparse::{FactorLimits, NoFactor, SparseCholesky, Triangle};
pub(crate) use symmetric::SymmetricEigen;

/// Vectors are padded with zeros to a multiple of this many numbers, so that loops over them have no remainder.
pub(crate) const LANES: usize = 8;

/// The sum of products of two vectors, in interleaved partial sums.
#[inline(always)]
pub(crate) fn dot(a: &[f64], b: &[f64]) -> f64 {
    let mut sums = [0.0; LANES];
    let (heads_a, tail_a) = a.as_chunks::<LANES>();
    let (heads_b, tail_b) = b.as_chunks::<LANES>();
    for (x, y) in heads_a.iter().zip(heads_b) {
        for lane in 0..LANES {
            sums[lane] += x[lane] * y[lane];
        }
    }
    let mut tail = 0.0;
    for (x, y) in tail_a.iter().zip(tail_b) {
        tail += x * y;
    }
    ((sums[0] + sums[4]) + (sums[1] + sums[5])) + ((sums[2] + sums[6]) + (sums[3] + sums[7])) + tail
}

/// The sum of squares of a vector.
#[inline(always)]
pub(crate) fn square(a: &[f64]) -> f64 {
    dot(a, a)
}

/// The squared distance of two rows, summed in the order of the coordinates: rounding keeps its order.
#[inline(always)]
pub(crate) fn squared_distance(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).fold(0.0, |sum, (a, b)| sum + (a - b) * (a - b))
}

/// The distance of two rows.
#[inline(always)]
pub(crate) fn distance(a: &[f64], b: &[f64]) -> f64 {
    squared_distance(a, b).sqrt()
}

/// Adds `factor` times `from` to `to`.
#[inline(always)]
pub(crate) fn add_scaled(to: &mut [f64], factor: f64, from: &[f64]) {
    for (to, from) in to.iter_mut().zip(from) {
        *to += factor * from;
    }
}

/// Turns two vectors by the rotation with cosine `c` and sine `s`: (a, b) becomes (c a - s b, s a + c b).
#[inline(always)]
fn rotate(a: &mut [f64], b: &mut [f64], c: f64, s: f64) {
    for (a, b) in a.iter_mut().zip(b) {
        (*a, *b) = (c * *a - s * *b, s * *a + c * *b);
    }
}

/// The cosine and sine of the rotation that makes the symmetric matrix (p, r; r, q) diagonal, by the smaller angle.
#[inline(always)]
fn jacobi_angle(p: f64, q: f64, r: f64) -> (f64, f64) {
    let theta = (q - p) / (2.0 * r);
    let t = theta.signum() / (theta.abs() + (theta * theta + 1.0).sqrt());
    let c = 1.0 / (t * t + 1.0).sqrt();
    (c, t * c)
}

/// A power of two near the largest entry, one for zeros: dividing by it is exact, and no square or product overflows.
#[inline(always)]
pub(crate) fn power_of_two_near(values: &[f64]) -> f64 {
    let mut largest = 0.0_f64;
    for value in values {
        largest = largest.max(value.abs());
    }
    let power = f64::from_bits(largest.to_bits() & (0x7ff << 52));
    if power > 0.0 && power.is_finite() { power } else { 1.0 }
}

/// Two different columns of a column-major matrix with `rows` rows, the first before the second.
#[inline(always)]
fn two_columns(matrix: &mut [f64], rows: usize, first: usize, second: usize) -> (&mut [f64], &mut [f64]) {
    let (head, tail) = matrix.split_at_mut(second * rows);
    (&mut head[first * rows..(first + 1) * rows], &mut tail[..rows])
}
