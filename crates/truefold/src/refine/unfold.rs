//! Another start for a map that lies on itself: unfolded through one more dimension.
//!
//! A fold is a local minimum: pushing the sheets apart in their plane only crumples them. With one dimension more than Y
//! the sheets can open. So Y, with a little noise in the new coordinate, is drawn towards the distances along the graph:
//! R_N plus a large stress is lowered, then a smaller one; the result is projected onto its d principal axes and turned
//! onto the start, and the stress is reduced in steps, now with the penalty. At each weight the sum never rises. Cost:
//! that of [`Stress`], and at most [`STEPS`] steps per weight. When it fails: a surface that has no map without overlap,
//! such as a sphere, lies on itself again after the projection.

use super::descent::descend;
use super::objective::Objective;
use super::penalty::Penalty;
use super::stress::Stress;
use super::sweep::Sweeper;
use super::{Refine, Target};
use crate::laplacian::Effort;
use crate::linalg::{dot, principal_coordinates};
use crate::local::{Charts, procrustes};
use crate::{Points, Result, Run};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// The weights of the stress with the additional dimension.
const LIFTED: [f64; 2] = [100.0, 10.0];

/// The weights once the map is flat.
const FLAT: [f64; 3] = [10.0, 1.0, 0.1];

/// The most steps at each weight.
const STEPS: usize = 60;

/// The descent at each weight ends when two steps in a row lower the sum by less than this share of it.
const TOLERANCE: f64 = 1e-3;

/// The noise in the new coordinate, as a share of the extent along the graph.
const LIFT: f64 = 0.01;

/// A map without the folds of `start`, if that succeeds; `left` gives the seconds left, if they are limited.
pub(super) fn unfold(
    charts: &Charts<'_>,
    start: &Points,
    penalty: &Penalty<'_>,
    stress: &Stress,
    left: impl Fn() -> Option<f64>,
    run: &Run,
) -> Result<Points> {
    let (count, dim) = (start.len(), start.dim());
    let stage = run.stage("unfolding", LIFTED.len() + FLAT.len());
    let run = &run.quiet();
    let lower = |y: Points, weight: f64, penalty| -> Result<Points> {
        let refine = Refine { iterations: STEPS, tolerance: TOLERANCE, time_limit: left(), ..Refine::default() };
        let sweeper = Sweeper::new(charts, Target::RN, y.dim(), run)?;
        let objective = Objective {
            sweeper,
            penalty,
            stress: Some((stress, weight)),
            guard: None,
            free: None,
            effort: Effort::Full,
        };
        let descent = descend(&refine, &objective, charts.neighborhoods(), y, run)?;
        stage.advance(1);
        Ok(descent.y)
    };
    let mut random = ChaCha8Rng::seed_from_u64(run.seed());
    let noise = LIFT * stress.extent();
    let mut values = Vec::with_capacity(count * (dim + 1));
    for row in start.rows() {
        values.extend_from_slice(row);
        values.push(noise * random.random_range(-1.0..1.0));
    }
    let mut y = Points::new(count, dim + 1, values)?;
    for weight in LIFTED {
        y = lower(y, weight, None)?;
    }
    let (values, _) = principal_coordinates(y.values(), dim + 1, dim);
    y = turned_onto(start, &Points::new(count, dim, values)?)?;
    for weight in FLAT {
        y = lower(y, weight, Some(penalty))?;
    }
    Ok(y)
}

/// `y` after the rigid motion that carries it closest to `start`.
fn turned_onto(start: &Points, y: &Points) -> Result<Points> {
    let fit = procrustes(start, y)?;
    let mut values = Vec::with_capacity(y.values().len());
    for row in y.rows() {
        let turned = fit.rotation.chunks_exact(y.dim()).zip(&fit.translation).map(|(turn, by)| dot(turn, row) + by);
        values.extend(turned);
    }
    Points::new(y.len(), y.dim(), values)
}
