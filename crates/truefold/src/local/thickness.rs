//! Whether data have more dimensions than a map of them: how much of a neighborhood lies off its best plane.

use super::chart::Chart;
use crate::data::Input;
use crate::linalg::square;
use crate::{Neighborhoods, Result};

/// Where more than this share of the neighborhoods lies off their best planes, on average, they are not parts of a surface of
/// that dimension: the data have more dimensions than the map.
pub(crate) const THICK: f64 = 0.1;
/// Neighborhoods that are looked at for this.
const SAMPLE: usize = 2_000;

/// The mean over the neighborhoods of the share of their extent that lies off their best planes of `dim` dimensions.
pub(crate) fn thickness(input: &Input<'_>, neighborhoods: &Neighborhoods, dim: usize) -> Result<f64> {
    let (mut chart, mut sum, mut counted) = (Chart::default(), 0.0, 0.0);
    for index in (0..neighborhoods.len()).step_by(neighborhoods.len().div_ceil(SAMPLE)) {
        chart.fill(input, neighborhoods.members(index))?;
        let all = square(chart.columns());
        if all > 0.0 {
            let first = (dim * chart.stride()).min(chart.columns().len());
            sum += 1.0 - square(&chart.columns()[..first]) / all;
            counted += 1.0;
        }
    }
    Ok(if counted > 0.0 { sum / counted } else { 0.0 })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Points, Run};

    #[test]
    fn a_lattice_has_the_shares_of_its_sides() {
        // All points in one neighborhood: variances 4, 1 and 1/4 along the axes, whatever the order.
        let corner = |at: u32, bit: u32, side: f64| if at >> bit & 1 == 1 { side } else { -side };
        let rows: Vec<[f64; 3]> =
            (0..8).map(|at| [corner(at, 0, 1.0), corner(at, 1, 2.0), corner(at, 2, 0.5)]).collect();
        let points = Points::from_rows(&rows).unwrap();
        let neighborhoods = Neighborhoods::nearest(&points, 7, &Run::new()).unwrap();
        let share = |dim: usize| thickness(&Input::Points(&points), &neighborhoods, dim).unwrap();
        for (dim, off) in [(1, 1.25), (2, 0.25), (3, 0.0)] {
            assert!((share(dim) - off / 5.25).abs() < 1e-12, "{dim}: {}", share(dim));
        }
    }
}
