//! Landmark scaling: coordinates of all points from their distances along the graph to a few landmarks.
//!
//! The landmarks are each the point farthest from those before. Classical scaling of the L x L matrix D of their
//! squared distances, -H D H / 2 = V E V', places them; a point at squared distances t goes to -E^(-1/2) V' (t - D
//! 1/L) / 2. De Silva and Tenenbaum (2004). Cost: L shortest-path searches, O(L^3 + n L r), n L numbers. When it
//! fails: distances along a graph with holes are not those of flat points; the coordinates are then an approximation.

use crate::graph::{LengthGraph, spread_landmarks};
use crate::linalg::{SymmetricEigen, dot, gram_of_squares};
use crate::{Result, Run};

/// `width` coordinates of every point of a connected graph, largest first, row by row; those that the distances do not
/// fill are zero.
pub(crate) fn landmark_scaling(graph: &LengthGraph, landmarks: usize, width: usize, run: &Run) -> Result<Vec<f64>> {
    let (count, landmarks) = (graph.len(), landmarks.min(graph.len()));
    let mut squares = Vec::with_capacity(landmarks * count);
    let (chosen, _) = spread_landmarks(graph, landmarks, run, |distances| {
        squares.extend(distances.iter().map(|distance| distance * distance));
    })?;
    let size = chosen.len();
    let mut matrix = vec![0.0; size * size];
    for (row, line) in squares.chunks_exact(count).enumerate() {
        chosen.iter().enumerate().for_each(|(column, &at)| matrix[row * size + column] = line[at as usize]);
    }
    let means = gram_of_squares(&mut matrix, size);
    let mut eigen = SymmetricEigen::default();
    eigen.decompose(&matrix, size);
    let least = eigen.values()[0].max(0.0) * f64::EPSILON * size as f64;
    let filled = eigen.values().iter().take(width).take_while(|&&value| value > least).count();
    let mut values = vec![0.0; count * width];
    let mut offsets = vec![0.0; size];
    for (point, row) in values.chunks_exact_mut(width).enumerate() {
        for (landmark, offset) in offsets.iter_mut().enumerate() {
            *offset = squares[landmark * count + point] - means[landmark];
        }
        for (axis, value) in row.iter_mut().take(filled).enumerate() {
            *value = -0.5 * dot(eigen.vector(axis), &offsets) / eigen.values()[axis].sqrt();
        }
    }
    Ok(values)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Neighborhoods;

    #[test]
    fn a_path_is_laid_out_to_scale() {
        let lists: Vec<Vec<i64>> = (0..9).map(|row: i64| if row == 8 { vec![7] } else { vec![row + 1] }).collect();
        let graph = LengthGraph::new(&Neighborhoods::from_lists(&lists).unwrap(), |a, b| (b - a) as f64 * 2.0);
        for landmarks in [2, 3, 100] {
            let values = landmark_scaling(&graph, landmarks, 3, &Run::new()).unwrap();
            let sign = (values[3] - values[0]).signum();
            for row in 0..9 {
                assert!((sign * (values[3 * row] - values[0]) - 2.0 * row as f64).abs() < 1e-9, "{values:?}");
                assert!(values[3 * row + 1].abs() < 1e-6 && values[3 * row + 2].abs() < 1e-6, "{values:?}");
            }
        }
    }
}
