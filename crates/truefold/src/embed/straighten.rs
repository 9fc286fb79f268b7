//! A map without its drift: frames that fit the map, turned until neighbors agree, then the best map for them.
//!
//! A map that was grown turns a little more with every neighborhood. Refinement finds frames from Y and Y from frames in
//! turn, and what is wrong over many neighborhoods fades slowly. The frames P_i of local PCA, each turned as Y_i lies, P_i
//! O_i with O_i = polar(P_i'X_i'H Y_i), show the drift as small angles between neighbors, and those are made to agree
//! all at once (`frames/angles.rs`); where the map is crumpled, frames are first turned as those around them. Cost: that of
//! psa. When it fails: where the map is folded or mirrored, the angles are not small, and there is no such map.

use crate::data::Input;
use crate::frames::{Angles, Tangents, local_coordinates, mend};
use crate::graph::Links;
use crate::laplacian::{LaplacianSolver, Strategy, Weights};
use crate::linalg::Nearest;
use crate::local::gather_centered;
use crate::{Error, Neighborhoods, Points, Problem, Result, Run};

const BLOCK: usize = 512;
/// The residual wanted of the positions.
const TOLERANCE: f64 = 1e-8;

/// The map `y` of two dimensions without drift; none where there are only distances, or it does not unfold the data.
pub(super) fn straightened(problem: &Problem<'_>, y: &Points, solver: Strategy, run: &Run) -> Result<Option<Points>> {
    let Input::Points(points) = problem.input() else { return Ok(None) };
    let neighborhoods = problem.neighborhoods();
    if y.dim() != 2 || points.dim() < 2 {
        return Ok(None);
    }
    let mut tangents = match Tangents::new(points, neighborhoods, 2, run) {
        // On a line there is nothing to turn.
        Err(Error::RankDeficient { .. }) => return Ok(None),
        found => found?,
    };
    turn_onto(&mut tangents, points, neighborhoods, y, run)?;
    let links = Links::new(neighborhoods, run)?;
    mend(&mut tangents, &links, run)?;
    let Some(angles) = Angles::between(&tangents, &links, run)? else { return Ok(None) };
    let solver = LaplacianSolver::new(neighborhoods, Weights::Uniform, solver, run.seed(), run)?;
    let found = angles.synchronize(&solver, run)?;
    drop(angles);
    drop(links);
    tangents.turn(&found.rotations, run);
    let local = |index: usize, rows: &mut [f64]| {
        local_coordinates(points, neighborhoods.members(index), &tangents, index, rows);
    };
    let sides = solver.right_hand_side(2, local, run)?;
    match solver.solve(&sides, 2, Some(y.values()), TOLERANCE, run) {
        Err(Error::Solver { .. }) => Ok(None),
        solved => Ok(Some(Points::new(y.len(), 2, solved?.values)?)),
    }
}

/// Turns each frame as the map lies around its point.
fn turn_onto(
    tangents: &mut Tangents,
    points: &Points,
    neighborhoods: &Neighborhoods,
    y: &Points,
    run: &Run,
) -> Result<()> {
    let dim = y.dim();
    let mut rotations = vec![0.0; y.len() * dim * dim];
    let frames = &*tangents;
    run.chunks_into("frames", (&mut rotations, dim * dim), BLOCK, |range, rotations| {
        let (mut nearest, mut product) = (Nearest::default(), vec![0.0; dim * dim]);
        let (mut local, mut placed) = (Vec::new(), Vec::new());
        for (index, rotation) in range.zip(rotations.chunks_exact_mut(dim * dim)) {
            let members = neighborhoods.members(index);
            local.clear();
            local.resize(members.len() * dim, 0.0);
            local_coordinates(points, members, frames, index, &mut local);
            gather_centered(&mut placed, y, members, members.len());
            for (column, places) in placed.chunks_exact(members.len()).enumerate() {
                for row in 0..dim {
                    let along = local.iter().skip(row).step_by(dim);
                    product[column * dim + row] = along.zip(places).map(|(local, place)| local * place).sum();
                }
            }
            // Whatever the unit, its squares stay within the range of numbers.
            let most = product.iter().fold(0.0_f64, |most, value| most.max(value.abs()));
            if most > 0.0 {
                product.iter_mut().for_each(|value| *value /= most);
            }
            nearest.find(&product, dim, rotation);
        }
        Ok(())
    })?;
    tangents.turn(&rotations, run);
    Ok(())
}
