//! The sheets that the points come from: a place for each point and the plane there, improved in every round.

use super::kernel::{Kernel, widths};
use super::plane::Planes;
use crate::{Neighborhoods, Points, Result, Run};

/// Planes are agreed upon within a kernel this many times as wide.
const WIDER: f64 = 2.0;
/// Points are placed by a kernel this many times as wide as the one that learns.
const NARROWER: f64 = 0.5;
/// A place with less than this share of the median density around it may lie on no sheet, and does not vote on where
/// points are placed. Neither does a corner, which other places cover.
const LONELY: f64 = 0.4;
/// Rounds in which a point is placed: from the second on it moves little.
const PLACING: usize = 3;
/// Points that one task works on.
const TASK: usize = 128;

/// The current estimate of the sheets.
pub(super) struct Sheets<'a> {
    points: &'a Points,
    lists: &'a Neighborhoods,
    dim: usize,
    widths: Vec<f64>,
    /// The current place of each point, row by row.
    places: Vec<f64>,
    /// The agreed frame there, column by column; none before the first round.
    frames: Vec<f64>,
    /// How dense the points were around each place before it last moved; none before the first round.
    densities: Vec<f64>,
}

impl<'a> Sheets<'a> {
    /// At the start, the points themselves.
    pub(super) fn new(points: &'a Points, lists: &'a Neighborhoods, dim: usize, run: &Run) -> Result<Self> {
        let widths = widths(points, lists, dim, run)?;
        Ok(Self {
            points,
            lists,
            dim,
            widths,
            places: points.values().to_vec(),
            frames: Vec::new(),
            densities: Vec::new(),
        })
    }

    /// After one more round.
    pub(super) fn learned(mut self, run: &Run) -> Result<Self> {
        let (columns, dim) = (self.points.dim(), self.dim);
        let parts = run.chunks("planes", self.points.len(), TASK, |range| {
            let (mut kernel, mut planes) = (Kernel::default(), Planes::default());
            let mut mean = vec![0.0; columns];
            let mut part = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
            for index in range {
                let place = &self.places[index * columns..][..columns];
                kernel.weigh(place, self.points.values(), self.lists.members(index), self.widths[index], |_| true);
                kernel.mean(self.points.values(), &mut mean);
                part.0.push(planes.principal(&kernel, self.points.values(), &mean, dim));
                part.1.extend_from_slice(&planes.frame);
                part.2.extend_from_slice(&mean);
                part.3.push(kernel.density());
            }
            Ok(part)
        })?;
        let (mut clarity, mut own, mut means) = (Vec::new(), Vec::new(), Vec::new());
        let mut densities = Vec::new();
        for part in parts {
            clarity.extend(part.0);
            own.extend(part.1);
            means.extend(part.2);
            densities.extend(part.3);
        }
        let parts = run.chunks("agreement", self.points.len(), TASK, |range| {
            let (mut kernel, mut planes) = (Kernel::default(), Planes::default());
            let mut part = (Vec::new(), Vec::new());
            for index in range {
                let mut place = self.places[index * columns..][..columns].to_vec();
                kernel.weigh(&place, &self.places, self.lists.members(index), WIDER * self.widths[index], |_| true);
                kernel.scale(|row| clarity[row]);
                planes.agreed(&kernel, &own, columns, dim);
                planes.carry(&mut place, &means[index * columns..][..columns]);
                part.0.extend_from_slice(&place);
                part.1.extend_from_slice(&planes.frame);
            }
            Ok(part)
        })?;
        (self.places, self.frames, self.densities) = (Vec::new(), Vec::new(), densities);
        for part in parts {
            self.places.extend(part.0);
            self.frames.extend(part.1);
        }
        Ok(self)
    }

    /// The points, each moved onto the sheet nearest to where it was measured.
    pub(super) fn placed(&self, run: &Run) -> Result<Vec<f64>> {
        let columns = self.points.dim();
        let on_a_sheet = self.on_a_sheet();
        let parts = run.chunks("placing", self.points.len(), TASK, |range| {
            let (mut kernel, mut planes) = (Kernel::default(), Planes::default());
            let (mut mean, mut part) = (vec![0.0; columns], Vec::new());
            for index in range {
                let mut place = self.points.row(index).to_vec();
                for _ in 0..PLACING {
                    let heard = |row: usize| on_a_sheet[row];
                    kernel.weigh(&place, &self.places, self.lists.members(index), NARROWER * self.widths[index], heard);
                    if kernel.votes.is_empty() {
                        break;
                    }
                    kernel.mean(&self.places, &mut mean);
                    planes.agreed(&kernel, &self.frames, columns, self.dim);
                    planes.carry(&mut place, &mean);
                }
                part.extend(place);
            }
            Ok(part)
        })?;
        Ok(parts.concat())
    }

    /// Whether each place certainly lies on a sheet.
    fn on_a_sheet(&self) -> Vec<bool> {
        let mut around = Vec::new();
        (0..self.densities.len())
            .map(|index| {
                around.clear();
                around.extend(self.lists.members(index).iter().map(|&member| self.densities[member as usize]));
                let middle = around.len() / 2;
                self.densities[index] >= LONELY * *around.select_nth_unstable_by(middle, f64::total_cmp).1
            })
            .collect()
    }
}
