//! The largest eigenpairs of a symmetric operator B that sends the constant vector to zero, as classical scaling has.
//!
//! Small matrices are decomposed as a whole; larger ones by block Lanczos, which only ever applies B. Where an eigenvalue is so
//! much larger than the others that these are not found as accurately, as a point far from all makes it, each eigenvector is
//! sought in the space that those before it leave, and matrices of medium size are decomposed there. The coordinates of classical scaling are V sqrt(L) for B ~ V L V'. Cost: about ten to thirty applications.

use super::column_block::{center, deflate, gram};
use super::lanczos::{Apply, Largest, largest};
use super::{Residual, Spectrum};
use crate::linalg::{SymmetricEigen, dot, square};
use crate::{Result, Run};

/// Eigenpairs that leave more than this of themselves are not trusted.
const UNSURE: f64 = 1e-6;
/// Eigenvalues below this share of the largest are rounding.
const ROUNDING: f64 = 1e-12;
/// Rows up to which B is written down and decomposed.
const DENSE_UP_TO: usize = 256;
/// The same where Lanczos did not find all as accurately.
const DENSE_UP_TO_IF_UNSURE: usize = 1024;
/// The most steps that make an eigenvector sharper.
const SHARPENINGS: usize = 3;

/// The `wanted` algebraically largest eigenpairs of `apply`, which writes B times a panel of centered columns.
pub(crate) fn principal(size: usize, wanted: usize, apply: &Apply<'_>, run: &Run) -> Result<Spectrum> {
    let _stage = run.stage("eigenvectors", 1);
    run.install(|| {
        let first = if size <= DENSE_UP_TO {
            let (values, vectors) = dense(size, wanted, apply)?;
            Checked::new(values, vectors, wanted, apply)?.told(1, "dense")
        } else {
            let centered = |input: &[f64], output: &mut [f64], columns: usize| {
                apply(input, output, columns)?;
                center(output, columns);
                Ok(())
            };
            let found = largest(Largest::of(size, wanted), run.seed(), &center, &centered, run)?;
            // Fewer than wanted where B has no more directions.
            let vectors = widened(&found.vectors, found.columns, wanted, size);
            Checked::new(found.values, vectors, wanted, apply)?.told(found.steps, "Lanczos")
        };
        if first.worst <= UNSURE || wanted < 2 {
            return Ok(first.spectrum);
        }
        let again = one_by_one(size, wanted, apply, run)?;
        let steps = first.spectrum.steps + again.spectrum.steps;
        let best = if again.worst < first.worst { again } else { first };
        Ok(Spectrum { steps, ..best.spectrum })
    })
}

/// Eigenpairs with what B leaves of them.
struct Checked {
    spectrum: Spectrum,
    /// The largest |B v - l v| relative to l, over the eigenvalues beyond rounding.
    worst: f64,
}

impl Checked {
    /// Of `wanted` eigenpairs; one more value is that which comes next.
    fn new(mut values: Vec<f64>, vectors: Vec<f64>, wanted: usize, apply: &Apply<'_>) -> Result<Self> {
        let next = if values.len() > wanted { values.pop() } else { None };
        values.resize(wanted, 0.0);
        let mut images = vec![0.0; vectors.len()];
        apply(&vectors, &mut images, wanted)?;
        center(&mut images, wanted);
        let scale = values.iter().fold(0.0_f64, |most, value| most.max(value.abs()));
        let left = Residual { vectors: &vectors, images: &images, values: &values };
        let residual = left.largest(scale);
        let of_own = left.lengths().into_iter().zip(&values).filter(|(_, value)| **value > ROUNDING * scale);
        let worst = of_own.map(|(length, value)| length / value).fold(0.0, f64::max);
        let (steps, factor_entries, way) = (0, None, "");
        let spectrum = Spectrum { values, next, vectors, residual, scale, steps, factor_entries, way };
        Ok(Self { spectrum, worst })
    }

    fn told(self, steps: usize, way: &'static str) -> Self {
        Self { spectrum: Spectrum { steps, way, ..self.spectrum }, ..self }
    }
}

/// The eigenpairs each in the space that those before it leave: beside one that is far larger, the others are rounding and must
/// be looked at alone.
///
/// What is left of a panel is so small then that, scaled to one, it leans on the constant vector and on those known, which B may
/// send anywhere: both sides of B are freed of them.
fn one_by_one(size: usize, wanted: usize, apply: &Apply<'_>, run: &Run) -> Result<Checked> {
    let (mut known, mut values, mut steps) = (Vec::<Vec<f64>>::new(), vec![0.0; wanted], 0);
    let (mut next, way) = (None, if size <= DENSE_UP_TO_IF_UNSURE { "dense" } else { "Lanczos" });
    for value in &mut values {
        let project = |panel: &mut [f64], columns: usize| {
            center(panel, columns);
            known.iter().for_each(|vector| deflate(panel, columns, vector));
        };
        let apply = |input: &[f64], output: &mut [f64], columns: usize| {
            let mut free = input.to_vec();
            project(&mut free, columns);
            apply(&free, output, columns)?;
            project(output, columns);
            Ok(())
        };
        let (found, vector) = if way == "dense" {
            steps += 1;
            dense(size, 1, &apply)?
        } else {
            let one = largest(Largest::of(size, 1), run.seed(), &project, &apply, run)?;
            steps += one.steps;
            (one.values, one.vectors)
        };
        next = found.get(1).copied();
        if vector.is_empty() {
            break;
        }
        let sharp = sharpened(vector, &apply)?;
        *value = sharp.value;
        known.push(sharp.vector);
    }
    let mut vectors = vec![0.0; size * wanted];
    for (at, vector) in known.iter().enumerate() {
        vector.iter().enumerate().for_each(|(row, value)| vectors[row * wanted + at] = *value);
    }
    values.extend(next);
    Ok(Checked::new(values, vectors, wanted, apply)?.told(steps, way))
}

/// A unit vector v with its value v'Bv, its image B v and what that leaves, |B v - l v|.
struct Single {
    vector: Vec<f64>,
    image: Vec<f64>,
    value: f64,
    left: f64,
}

impl Single {
    fn new(mut vector: Vec<f64>, apply: &Apply<'_>) -> Result<Self> {
        let length = square(&vector).sqrt();
        if length > 0.0 {
            vector.iter_mut().for_each(|value| *value /= length);
        }
        let mut image = vec![0.0; vector.len()];
        apply(&vector, &mut image, 1)?;
        let value = dot(&vector, &image);
        let left =
            image.iter().zip(&vector).map(|(image, vector)| (image - value * vector).powi(2)).sum::<f64>().sqrt();
        Ok(Self { vector, image, value, left })
    }
}

/// An eigenvector after some steps of v <- B v, as long as these leave less: what is off along far smaller eigenvalues goes
/// at once, and must, as it would hide these.
fn sharpened(vector: Vec<f64>, apply: &Apply<'_>) -> Result<Single> {
    let mut best = Single::new(vector, apply)?;
    for _ in 0..SHARPENINGS {
        let next = Single::new(best.image.clone(), apply)?;
        if next.left >= best.left {
            break;
        }
        best = next;
    }
    Ok(best)
}

/// The first eigenvalues, one more than wanted, and the vectors of those wanted.
fn dense(size: usize, wanted: usize, apply: &Apply<'_>) -> Result<(Vec<f64>, Vec<f64>)> {
    // B is applied to the centered unit vectors, so that its null vector is exact.
    let mut identity = vec![-1.0 / size as f64; size * size];
    (0..size).for_each(|at| identity[at * size + at] += 1.0);
    let mut full = vec![0.0; size * size];
    apply(&identity, &mut full, size)?;
    center(&mut full, size);
    for row in 0..size {
        for column in 0..row {
            let value = 0.5 * (full[row * size + column] + full[column * size + row]);
            (full[row * size + column], full[column * size + row]) = (value, value);
        }
    }
    let mut eigen = SymmetricEigen::default();
    eigen.decompose(&full, size);
    let mut vectors = vec![0.0; size * wanted];
    for at in 0..wanted.min(size) {
        for (row, &value) in eigen.vector(at).iter().enumerate() {
            vectors[row * wanted + at] = value;
        }
    }
    Ok((eigen.values().iter().take(wanted + 1).copied().collect(), vectors))
}

fn widened(vectors: &[f64], columns: usize, wanted: usize, size: usize) -> Vec<f64> {
    let mut wide = vec![0.0; size * wanted];
    for (wide, row) in wide.chunks_exact_mut(wanted).zip(vectors.chunks_exact(columns.max(1))) {
        wide[..columns].copy_from_slice(row);
    }
    wide
}

/// V sqrt(L): the coordinates of classical scaling, and how many eigenvalues are positive beyond rounding.
pub(crate) fn scaled_coordinates(spectrum: &Spectrum) -> (Vec<f64>, usize) {
    let wanted = spectrum.values.len();
    let least = ROUNDING * spectrum.scale;
    let lengths: Vec<f64> =
        spectrum.values.iter().map(|&value| if value > least { value.sqrt() } else { 0.0 }).collect();
    let values = spectrum
        .vectors
        .chunks_exact(wanted)
        .flat_map(|row| row.iter().zip(&lengths).map(|(value, length)| value * length))
        .collect();
    debug_assert!(gram(&spectrum.vectors, wanted, &spectrum.vectors, wanted).iter().all(|value| value.abs() < 1.1));
    (values, lengths.iter().filter(|&&length| length > 0.0).count())
}
