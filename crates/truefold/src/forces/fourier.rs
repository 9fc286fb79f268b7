//! Discrete Fourier transforms of sixteen columns at a time, in single precision.
//!
//! y_k = sum_j x_j exp(-2 pi i j k / n) for n = 2^a or 3 2^a, by Stockham's order, which needs no bit reversal: steps of
//! radix 4, and one of 2 or 3 where n needs it. Columns lie beside each other, so that every step works on whole vectors
//! and needs no shuffles. Sums and products are written out one by one, so the bits do not depend on the instruction set.
//! Cost: about 5 n log2 n operations a column.

/// Columns that are transformed together.
pub(super) const LANES: usize = 16;

/// Sixteen columns of complex numbers, row by row.
#[derive(Debug, Clone, Default)]
pub(super) struct Columns {
    pub(super) real: Vec<f32>,
    pub(super) imaginary: Vec<f32>,
}

impl Columns {
    /// Makes them `len` rows of zeros.
    pub(super) fn clear(&mut self, len: usize) {
        for part in [&mut self.real, &mut self.imaginary] {
            part.clear();
            part.resize(len * LANES, 0.0);
        }
    }

    /// Exchanges real and imaginary parts: before and after a transform this makes it the inverse one, times n.
    pub(super) fn swap(&mut self) {
        std::mem::swap(&mut self.real, &mut self.imaginary);
    }
}

/// Transforms of one length.
#[derive(Debug, Clone)]
pub(super) struct Fourier {
    len: usize,
    /// exp(-2 pi i j / n).
    turns: Vec<[f32; 2]>,
    steps: Vec<usize>,
}

impl Fourier {
    /// The shortest length that can be transformed and is not below `least`.
    pub(super) fn length(least: usize) -> usize {
        let power = least.max(4).next_power_of_two();
        if 3 * (power / 4) >= least { 3 * (power / 4) } else { power }
    }

    /// Transforms of `len` numbers, a length by [`Fourier::length`].
    pub(super) fn new(len: usize) -> Self {
        let turn = |at: usize| {
            let angle = -std::f64::consts::TAU * at as f64 / len as f64;
            [angle.cos() as f32, angle.sin() as f32]
        };
        let (mut steps, mut left) = (Vec::new(), len);
        for radix in [3, 4, 2] {
            while left.is_multiple_of(radix) {
                steps.push(radix);
                left /= radix;
            }
        }
        Self { len, turns: (0..len).map(turn).collect(), steps }
    }

    /// How many numbers are transformed.
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Transforms columns of this length; `room` is overwritten.
    pub(super) fn transform(&self, columns: &mut Columns, room: &mut Columns) {
        room.real.resize(columns.real.len(), 0.0);
        room.imaginary.resize(columns.imaginary.len(), 0.0);
        pulp::Arch::new().dispatch(Transform { fourier: self, columns, room });
    }
}

struct Transform<'a> {
    fourier: &'a Fourier,
    columns: &'a mut Columns,
    room: &'a mut Columns,
}

impl pulp::WithSimd for Transform<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: pulp::Simd>(self, simd: S) {
        if matches!(S::F32_LANES, 4 | 8 | 16) { self.run(simd) } else { self.run(pulp::Scalar) }
    }
}

impl Transform<'_> {
    #[inline(always)]
    fn run<S: pulp::Simd>(self, simd: S) {
        let Self { fourier, columns: Columns { real, imaginary }, room } = self;
        let Columns { real: other_real, imaginary: other_imaginary } = room;
        // `before` transforms are interleaved, of `left` numbers each.
        let (mut before, mut left) = (1, fourier.len);
        for &radix in &fourier.steps {
            let from = [S::as_simd_f32s(real).0, S::as_simd_f32s(imaginary).0];
            let to = [S::as_mut_simd_f32s(other_real).0, S::as_mut_simd_f32s(other_imaginary).0];
            let block = before * LANES / S::F32_LANES;
            let step = Step { simd, from, to, block, turns: &fourier.turns, apart: fourier.len / left };
            match radix {
                2 => step.run(|simd, [a, b]| [add::<S>(simd, a, b), subtract::<S>(simd, a, b)]),
                3 => step.run(three::<S>),
                _ => step.run(four::<S>),
            }
            std::mem::swap(real, other_real);
            std::mem::swap(imaginary, other_imaginary);
            before *= radix;
            left /= radix;
        }
    }
}

/// One step: `from` is cut into blocks with the same factors.
struct Step<'a, S: pulp::Simd> {
    simd: S,
    from: [&'a [S::f32s]; 2],
    to: [&'a mut [S::f32s]; 2],
    block: usize,
    turns: &'a [[f32; 2]],
    /// How far apart the factors of this step are in the table.
    apart: usize,
}

/// A complex number in each lane.
type Complex<S> = [<S as pulp::Simd>::f32s; 2];

impl<S: pulp::Simd> Step<'_, S> {
    /// Gives every block what `butterfly` makes of the numbers at the same place of each of `R` parts, turned.
    #[inline(always)]
    fn run<const R: usize>(self, butterfly: impl Fn(S, [Complex<S>; R]) -> [Complex<S>; R]) {
        let Self { simd, from: [real, imaginary], to: [to_real, to_imaginary], block, turns, apart } = self;
        let part = real.len() / R;
        let to = to_real.chunks_exact_mut(R * block).zip(to_imaginary.chunks_exact_mut(R * block));
        for (place, (to_real, to_imaginary)) in to.enumerate() {
            let real: [&[S::f32s]; R] = std::array::from_fn(|at| &real[at * part + place * block..][..block]);
            let imaginary: [&[S::f32s]; R] = std::array::from_fn(|at| &imaginary[at * part + place * block..][..block]);
            let turn: [Complex<S>; R] =
                std::array::from_fn(|times| turns[place * times * apart].map(|cell| simd.splat_f32s(cell)));
            for at in 0..block {
                let made = butterfly(simd, std::array::from_fn(|part| [real[part][at], imaginary[part][at]]));
                for (part, made) in made.into_iter().enumerate() {
                    let turned = if part == 0 { made } else { times::<S>(simd, made, turn[part]) };
                    to_real[part * block + at] = turned[0];
                    to_imaginary[part * block + at] = turned[1];
                }
            }
        }
    }
}

#[inline(always)]
fn three<S: pulp::Simd>(simd: S, [a, b, c]: [Complex<S>; 3]) -> [Complex<S>; 3] {
    let (sum, difference) = (add::<S>(simd, b, c), subtract::<S>(simd, b, c));
    let (half, root) = (simd.splat_f32s(-0.5), simd.splat_f32s(0.75_f32.sqrt()));
    let middle = [0, 1].map(|part| simd.mul_add_f32s(half, sum[part], a[part]));
    let across = back::<S>(simd, difference.map(|part| simd.mul_f32s(root, part)));
    [add::<S>(simd, a, sum), add::<S>(simd, middle, across), subtract::<S>(simd, middle, across)]
}

#[inline(always)]
fn four<S: pulp::Simd>(simd: S, [a, b, c, d]: [Complex<S>; 4]) -> [Complex<S>; 4] {
    let (even, odd) = (add::<S>(simd, a, c), subtract::<S>(simd, a, c));
    let (other, across) = (add::<S>(simd, b, d), back::<S>(simd, subtract::<S>(simd, b, d)));
    [
        add::<S>(simd, even, other),
        add::<S>(simd, odd, across),
        subtract::<S>(simd, even, other),
        subtract::<S>(simd, odd, across),
    ]
}

#[inline(always)]
fn add<S: pulp::Simd>(simd: S, a: Complex<S>, b: Complex<S>) -> Complex<S> {
    [simd.add_f32s(a[0], b[0]), simd.add_f32s(a[1], b[1])]
}

#[inline(always)]
fn subtract<S: pulp::Simd>(simd: S, a: Complex<S>, b: Complex<S>) -> Complex<S> {
    [simd.sub_f32s(a[0], b[0]), simd.sub_f32s(a[1], b[1])]
}

#[inline(always)]
fn times<S: pulp::Simd>(simd: S, a: Complex<S>, b: Complex<S>) -> Complex<S> {
    let minus = simd.neg_f32s(a[1]);
    [
        simd.mul_add_f32s(minus, b[1], simd.mul_f32s(a[0], b[0])),
        simd.mul_add_f32s(a[1], b[0], simd.mul_f32s(a[0], b[1])),
    ]
}

/// A quarter turn back: times -i.
#[inline(always)]
fn back<S: pulp::Simd>(simd: S, a: Complex<S>) -> Complex<S> {
    [a[1], simd.neg_f32s(a[0])]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(at: usize) -> f64 {
        ((at * 7919 + 13) % 2003) as f64 / 1001.5 - 1.0
    }

    #[test]
    fn transforms_of_every_length_are_the_sums_that_define_them() {
        let lengths: Vec<usize> = (1..=400).map(Fourier::length).collect();
        for (least, &len) in (1..).zip(&lengths) {
            assert!(len >= least && (len < 2 * least.max(3)), "{least} {len}");
        }
        for len in [4, 6, 8, 12, 16, 24, 32, 48, 96, 128, 384] {
            assert!(lengths.contains(&len) || len == 4, "{len}");
            let [mut columns, mut room] = [Columns::default(), Columns::default()];
            columns.clear(len);
            for at in 0..len * LANES {
                (columns.real[at], columns.imaginary[at]) = (number(at) as f32, number(at + 5000) as f32);
            }
            let (before, fourier) = (columns.clone(), Fourier::new(len));
            fourier.transform(&mut columns, &mut room);
            for k in 0..len {
                for lane in [0, 3, 15] {
                    let mut sum = [0.0, 0.0];
                    for row in 0..len {
                        let (sin, cos) = (-std::f64::consts::TAU * (row * k % len) as f64 / len as f64).sin_cos();
                        let [re, im] =
                            [&before.real, &before.imaginary].map(|part| f64::from(part[row * LANES + lane]));
                        sum[0] += re * cos - im * sin;
                        sum[1] += re * sin + im * cos;
                    }
                    let found = [columns.real[k * LANES + lane], columns.imaginary[k * LANES + lane]].map(f64::from);
                    let error = (found[0] - sum[0]).abs().max((found[1] - sum[1]).abs());
                    assert!(error < 2e-6 * len as f64, "{len} {k}: {found:?} {sum:?}");
                }
            }
            columns.swap();
            fourier.transform(&mut columns, &mut room);
            columns.swap();
            let cells = columns.real.iter().zip(&before.real).chain(columns.imaginary.iter().zip(&before.imaginary));
            assert!(cells.into_iter().all(|(a, b)| (a / len as f32 - b).abs() < 1e-5), "{len}");
        }
    }
}
