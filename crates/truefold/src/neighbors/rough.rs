//! Values of pairs in single precision, close enough to choose candidates, and the same bits in either order.
//!
//! Differences are taken in the precision of the table and summed in sixteen lanes in a fixed order, so that the bits do
//! not depend on the instruction set. The relative error is at most (q / 16 + 24) 2^-24, but for the smallest numbers.
//! Cost: q operations, a sixteenth of them in sequence.

use super::Norm;
use crate::points::{Element, Scale};

/// Half a unit in the last place of single precision.
pub(super) const UNIT: f64 = 1.0 / (1 << 24) as f64;

/// What the smallest numbers may have lost, of which a relative error says nothing; for each 400 coordinates.
const TINY: f64 = 1e-20;

/// How far rough values may be from the true ones: by a share, and by an absolute number.
#[derive(Debug, Clone, Copy)]
pub(super) struct Doubt {
    share: f32,
    tiny: f32,
}

impl Doubt {
    /// For rows of so many coordinates, whose differences have together an absolute error of at most `error`.
    pub(super) fn of(dim: usize, error: f64) -> Self {
        let share = (dim as f64 / 16.0 + 24.0) * UNIT;
        // With r the rough root and E the error, (r - E)^2 >= r^2 (1 - share) - E^2 / share.
        let tiny = TINY * (dim as f64 / 400.0).max(1.0) + 2.0 * error * error / share;
        Self { share: share as f32, tiny: (tiny as f32).next_up() }
    }

    /// What is lost of the smallest values.
    pub(super) fn tiny(self) -> f32 {
        self.tiny
    }

    /// The least that a true value may be.
    #[inline(always)]
    pub(super) fn least(self, rough: f32) -> f32 {
        rough * (1.0 - 2.0 * self.share) - self.tiny
    }

    /// The most that a true value may be.
    #[inline(always)]
    pub(super) fn most(self, rough: f32) -> f32 {
        (rough * (1.0 + 2.0 * self.share) + self.tiny).next_up()
    }
}

/// How a number of one row becomes a coordinate: `by` times itself, minus `less`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Affine {
    pub(super) by: f64,
    pub(super) less: f64,
}

impl Affine {
    /// The same coordinate times a factor.
    pub(super) fn times(self, factor: f64) -> Self {
        Self { by: self.by * factor, less: self.less * factor }
    }
}

/// The value of two rows of the same precision, all coordinates multiplied by `scale` before.
pub(super) struct Plain<'a, T> {
    pub(super) norm: Norm,
    pub(super) rows: [&'a [T]; 2],
    pub(super) scale: f64,
}

impl<T: Element> pulp::WithSimd for Plain<'_, T> {
    type Output = f32;

    #[inline(always)]
    fn with_simd<S: pulp::Simd>(self, simd: S) -> f32 {
        let ([a, b], scale) = (self.rows, Scale::new(self.scale));
        match self.norm {
            Norm::Squares => lanes(simd, a, b, |a, b| square(T::difference(a, b, scale))),
            Norm::Absolutes => lanes(simd, a, b, |a, b| T::difference(a, b, scale).abs()),
        }
    }
}

/// The value of two rows whose coordinates are made of their numbers in a way of their own.
pub(super) struct Made<'a, T> {
    pub(super) rows: [&'a [T]; 2],
    pub(super) how: [Affine; 2],
}

impl<T: Element> pulp::WithSimd for Made<'_, T> {
    type Output = f32;

    #[inline(always)]
    fn with_simd<S: pulp::Simd>(self, simd: S) -> f32 {
        let [one, other] = self.how;
        let at = |value: T, how: Affine| value.wide() * how.by - how.less;
        lanes(simd, self.rows[0], self.rows[1], |a, b| square((at(a, one) - at(b, other)) as f32))
    }
}

#[inline(always)]
fn square(value: f32) -> f32 {
    value * value
}

/// A sum over pairs of coordinates in sixteen lanes, in a fixed order: the same bits with any instruction set.
#[inline(always)]
pub(super) fn lanes<S: pulp::Simd, T: Copy>(simd: S, a: &[T], b: &[T], term: impl Fn(T, T) -> f32) -> f32 {
    match S::F32_LANES {
        4 => in_parts::<S, T, 4>(simd, a, b, term),
        8 => in_parts::<S, T, 2>(simd, a, b, term),
        16 => in_parts::<S, T, 1>(simd, a, b, term),
        _ => in_parts::<pulp::Scalar, T, 16>(pulp::Scalar, a, b, term),
    }
}

#[inline(always)]
fn in_parts<S: pulp::Simd, T: Copy, const PARTS: usize>(simd: S, a: &[T], b: &[T], term: impl Fn(T, T) -> f32) -> f32 {
    let ((a, a_rest), (b, b_rest)) = (a.as_chunks::<16>(), b.as_chunks::<16>());
    // The sums are vectors by type: left to the compiler, sixteen numbers become sixteen single ones.
    let mut parts = [simd.splat_f32s(0.0); PARTS];
    for (a, b) in a.iter().zip(b) {
        let terms: [f32; 16] = std::array::from_fn(|lane| term(a[lane], b[lane]));
        for (part, term) in parts.iter_mut().zip(S::as_simd_f32s(&terms).0) {
            *part = simd.add_f32s(*part, *term);
        }
    }
    let mut sums = [0.0_f32; 16];
    S::as_mut_simd_f32s(&mut sums).0.copy_from_slice(&parts);
    for (sum, (a, b)) in sums.iter_mut().zip(a_rest.iter().zip(b_rest)) {
        *sum += term(*a, *b);
    }
    for width in [8, 4, 2, 1] {
        for lane in 0..width {
            sums[lane] += sums[lane + width];
        }
    }
    sums[0]
}
