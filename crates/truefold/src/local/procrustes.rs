//! Procrustes analysis of two configurations: the rotation, translation and scale that carry Y best onto X.
//!
//! G(X, Y) = min over A'A = I, b of sum |x_i - A y_i - b|^2 is reached at A = U V' and b = mean x - A mean y, where
//! X'HY = Z = U L V'; with a free scale c the best is c = tr L / |H Y|^2. Goldberg and Ritov, section 3.
//! Where Z has rank below d, A is not unique; it is then completed in a fixed way and [`Procrustes::rank`] says so.
//! Cost: O(m q d + q d^2) for m points.

use super::patch::gather_centered;
use super::rotation::Rotation;
use crate::data::check_pair;
use crate::linalg::square;
use crate::{Points, Result};

/// The best rigid and the best similar motion of one configuration onto another.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Procrustes {
    /// The q x d rotation A with A'A = I, row by row.
    pub rotation: Vec<f64>,
    /// The translation b of the rigid motion.
    pub translation: Vec<f64>,
    /// The scale c of the best similarity.
    pub scale: f64,
    /// G: the squared residual of the rigid motion.
    pub residual: f64,
    /// G_C: the squared residual of the similarity.
    pub conformal_residual: f64,
    /// The number of directions that the data determine; below d the rotation had to be completed.
    pub rank: usize,
}

/// Carries `y` (d dimensions) onto `x` (q >= d dimensions), point by point.
///
/// ```
/// use truefold::{Points, local::procrustes};
///
/// let square = Points::from_rows(&[[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])?;
/// let turned = Points::from_rows(&[[5.0, 0.0, 1.0], [5.0, 1.0, 1.0], [4.0, 1.0, 1.0], [4.0, 0.0, 1.0]])?;
/// let fit = procrustes(&turned, &square)?;
/// assert!(fit.residual < 1e-24);
/// assert!((fit.scale - 1.0).abs() < 1e-12);
/// assert_eq!(fit.rank, 2);
/// # Ok::<(), truefold::Error>(())
/// ```
pub fn procrustes(x: &Points, y: &Points) -> Result<Procrustes> {
    check_pair(x.len(), x.dim(), y)?;
    let (size, q, d) = (x.len(), x.dim(), y.dim());
    let members: Vec<u32> = (0..size as u32).collect();
    let (mut hx, mut hy) = (Vec::new(), Vec::new());
    gather_centered(&mut hx, x, &members, size);
    gather_centered(&mut hy, y, &members, size);
    let mut found = Rotation::default();
    found.find(&hx, &hy, size, q);
    let (residual, conformal_residual) = found.residuals(&hx, &hy, size, &mut Vec::new());
    let rotation: Vec<f64> = (0..q * d).map(|at| found.entry(at / d, at % d)).collect();
    let mean = |points: &Points, column: usize| points.rows().map(|row| row[column]).sum::<f64>() / points.len() as f64;
    let translation = (0..q)
        .map(|row| mean(x, row) - (0..d).map(|column| rotation[row * d + column] * mean(y, column)).sum::<f64>())
        .collect();
    let (scale, rank) = (found.scale(square(&hy)), found.rank());
    Ok(Procrustes { rotation, translation, scale, residual, conformal_residual, rank })
}
