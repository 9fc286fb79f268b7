//! The alignment objective, f(A_1, ..., A_n) = sum_i sum_(j in Neighbors(i)) |A_i - A_j|^2.
//!
//! A_i is the q x d frame of point i. Goldberg and Ritov, eq. 5. Cost: O(n k q d).

use super::Tangents;
use crate::linalg::squared_distance;
use crate::{Neighborhoods, Result, Run};

/// f of the frames as they are.
pub(crate) fn objective(tangents: &Tangents, neighborhoods: &Neighborhoods, run: &Run) -> Result<f64> {
    let parts = run.chunks("objective", neighborhoods.len(), 1024, |range| {
        let (mut own, mut other) = (vec![0.0; tangents.cells()], vec![0.0; tangents.cells()]);
        let mut sum = 0.0;
        for index in range {
            tangents.copy(index, &mut own);
            for &neighbor in neighborhoods.neighbors(index) {
                tangents.copy(neighbor as usize, &mut other);
                sum += squared_distance(&own, &other);
            }
        }
        Ok(sum)
    })?;
    Ok(parts.iter().sum())
}
