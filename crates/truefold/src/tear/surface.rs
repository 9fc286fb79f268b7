//! A surface that may be torn: its points with all their neighborhoods, and how far these are from flat.

use crate::data::Input;
use crate::frames::Tangents;
use crate::{Neighborhoods, Points, Result, Run};

/// Points, all their neighborhoods, and the radius of each.
pub(crate) struct Surface<'a> {
    pub(super) points: &'a Points,
    pub(super) neighborhoods: &'a Neighborhoods,
    /// The root mean square distance from each point to its neighbors.
    pub(super) radii: Vec<f64>,
}

impl<'a> Surface<'a> {
    pub(super) fn new(points: &'a Points, neighborhoods: &'a Neighborhoods, run: &Run) -> Result<Self> {
        Ok(Self { points, neighborhoods, radii: radii(points, neighborhoods, run)? })
    }

    /// A distance in units of the radius of neighborhood `index`; zero where all its members are equal, as there is
    /// then no radius and nothing to tear.
    pub(super) fn in_radii(&self, distance: f64, index: usize) -> f64 {
        if self.radii[index] > 0.0 { distance / self.radii[index] } else { 0.0 }
    }

    /// How long a line is across which this share of the memberships lies, in units of `reach`, the distance from the middle
    /// of the surface to its farthest point. In a band along the line as wide as a neighborhood, memberships cross it: their
    /// share is the area of the band over that of the surface, whatever the number of points, of neighbors, and the unit.
    pub(super) fn length(&self, share: f64, reach: f64) -> f64 {
        let radius = self.radii.iter().sum::<f64>() / self.radii.len().max(1) as f64;
        if radius > 0.0 { share * reach / radius } else { 0.0 }
    }
}

/// The mean over the neighborhoods of the share of their extent that lies off their tangents.
pub(super) fn thickness(points: &Points, whole: &Neighborhoods, tangents: &Tangents, run: &Run) -> Result<f64> {
    let (rows, dim) = (points.dim(), tangents.dim());
    let parts = run.chunks("thickness", whole.len(), 512, |range| {
        let (mut mean, mut frame, mut room) = (vec![0.0; rows], vec![0.0; tangents.cells()], Vec::new());
        let mut part = (0.0, 0_usize);
        for index in range {
            let members = whole.members(index);
            mean.fill(0.0);
            for &member in members {
                let row = points.row_in(member as usize, &mut room);
                mean.iter_mut().zip(row).for_each(|(mean, value)| *mean += value);
            }
            mean.iter_mut().for_each(|mean| *mean /= members.len() as f64);
            tangents.copy(index, &mut frame);
            let (mut extent, mut along) = (0.0, 0.0);
            for &member in members {
                let row = points.row_in(member as usize, &mut room);
                extent += row.iter().zip(&mean).map(|(value, mean)| (value - mean).powi(2)).sum::<f64>();
                for axis in frame.chunks_exact(rows).take(dim) {
                    let offset = row.iter().zip(&mean).map(|(value, mean)| value - mean);
                    along += axis.iter().zip(offset).map(|(axis, offset)| axis * offset).sum::<f64>().powi(2);
                }
            }
            if extent > 0.0 {
                part.0 += (extent - along).max(0.0) / extent;
                part.1 += 1;
            }
        }
        Ok(part)
    })?;
    let counted = parts.iter().map(|part| part.1).sum::<usize>().max(1) as f64;
    Ok(parts.iter().map(|part| part.0).sum::<f64>() / counted)
}

/// The root mean square distance to the neighbors of each point.
pub(crate) fn radii(points: &Points, neighborhoods: &Neighborhoods, run: &Run) -> Result<Vec<f64>> {
    let input = Input::Points(points);
    let radius = |index: usize| {
        let neighbors = neighborhoods.neighbors(index);
        let sum: f64 = neighbors.iter().map(|&row| input.distance(index, row as usize).powi(2)).sum();
        (sum / neighbors.len().max(1) as f64).sqrt()
    };
    let parts = run.chunks("radii", neighborhoods.len(), 512, |range| Ok(range.map(radius).collect::<Vec<_>>()))?;
    Ok(parts.concat())
}
