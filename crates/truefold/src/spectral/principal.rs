//! The largest eigenpairs of a symmetric operator B that sends the constant vector to zero, as classical scaling has.
//!
//! Small matrices are decomposed as a whole; larger ones by block Lanczos, which only ever applies B. The coordinates
//! of classical scaling are V sqrt(L) for B ~ V L V'. Cost: about ten to thirty applications.

use super::column_block::{center, deflate, gram};
use super::lanczos::{Apply, Largest, largest};
use super::{Residual, Spectrum};
use crate::linalg::SymmetricEigen;
use crate::{Result, Run};

/// Eigenpairs that leave more than this of the largest are not trusted.
const UNSURE: f64 = 1e-6;
/// Rows up to which B is written down and decomposed.
const DENSE_UP_TO: usize = 256;

/// The `wanted` algebraically largest eigenpairs of `apply`, which writes B times a panel of centered columns.
pub(crate) fn principal(size: usize, wanted: usize, apply: &Apply<'_>, run: &Run) -> Result<Spectrum> {
    let _stage = run.stage("eigenvectors", 1);
    run.install(|| {
        let (mut values, vectors, steps, way) = if size <= DENSE_UP_TO {
            let (values, vectors) = dense(size, wanted, apply)?;
            (values, vectors, 1, "dense")
        } else {
            let centered = |input: &[f64], output: &mut [f64], columns: usize| {
                apply(input, output, columns)?;
                center(output, columns);
                Ok(())
            };
            let found = largest(Largest::of(size, wanted), run.seed(), &center, &centered, run)?;
            // Fewer than wanted where B has no more directions.
            let vectors = widened(&found.vectors, found.columns, wanted, size);
            (found.values, vectors, found.steps, "Lanczos")
        };
        let next = if values.len() > wanted { values.pop() } else { None };
        values.resize(wanted, 0.0);
        let found = checked(values, vectors, apply)?;
        let found = if found.residual > UNSURE && wanted > 1 { one_by_one(found, apply, run)? } else { found };
        Ok(Spectrum { next, steps: steps + found.steps, way, ..found })
    })
}

/// Eigenpairs with what B leaves of them.
fn checked(values: Vec<f64>, vectors: Vec<f64>, apply: &Apply<'_>) -> Result<Spectrum> {
    let mut images = vec![0.0; vectors.len()];
    apply(&vectors, &mut images, values.len())?;
    center(&mut images, values.len());
    let scale = values.iter().fold(0.0_f64, |most, value| most.max(value.abs()));
    let residual = Residual { vectors: &vectors, images: &images, values: &values }.largest(scale);
    Ok(Spectrum { values, next: None, vectors, residual, scale, steps: 0, factor_entries: None, way: "" })
}

/// The same eigenpairs again, each in the space that those before it leave: where one is far larger than the others, as a
/// point far from all makes it, they are rounding beside it and must be looked at alone. The better of the two.
fn one_by_one(found: Spectrum, apply: &Apply<'_>, run: &Run) -> Result<Spectrum> {
    let wanted = found.values.len();
    let size = found.vectors.len() / wanted;
    let (mut known, mut values, mut steps) = (Vec::<Vec<f64>>::new(), vec![0.0; wanted], 0);
    for value in &mut values {
        let project = |panel: &mut [f64], columns: usize| {
            center(panel, columns);
            known.iter().for_each(|vector| deflate(panel, columns, vector));
        };
        let apply = |input: &[f64], output: &mut [f64], columns: usize| {
            apply(input, output, columns)?;
            project(output, columns);
            Ok(())
        };
        let one = largest(Largest::of(size, 1), run.seed(), &project, &apply, run)?;
        if one.columns == 0 {
            break;
        }
        steps += one.steps;
        *value = one.values[0];
        known.push(one.vectors);
    }
    let mut vectors = vec![0.0; size * wanted];
    for (at, vector) in known.iter().enumerate() {
        vector.iter().enumerate().for_each(|(row, value)| vectors[row * wanted + at] = *value);
    }
    let alone = Spectrum { steps, ..checked(values, vectors, apply)? };
    Ok(if alone.residual < found.residual { alone } else { found })
}

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
    let least = 1e-12 * spectrum.scale;
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
