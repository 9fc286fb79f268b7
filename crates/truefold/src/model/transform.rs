//! New points into a fitted embedding: the local maps of the nearest fitted points, weighed, or their votes.
//!
//! y(x) = sum_j w_j (y_j + B_j (x - x_j)) / sum_j w_j over the N = 2 d + 2 nearest fitted points, B_j their local maps
//! and w_j = ((R - r_j) / (R r_j))^2 with r_j the distance to x_j and R that to the next nearest one (Franke and
//! Nielson 1980). A weight grows without limit as x approaches x_j, so fitted points keep their place, and it falls to
//! zero where another point enters the list, so y is continuous. The exception is a tear of the embedding: maps whose
//! result is farther from that of the nearest map than its whole neighborhood extends belong to the other side of the
//! tear, and are left out. Where local maps do not foresee images, the nearest fitted points vote for the place
//! (`placer.rs` and `votes.rs` beside this file). Cost: a search and O(N min(q, k) d + K^2 d) a point, K <= 24.

use super::Model;
use super::placer::{Placer, Trust};
use crate::error::{Advice, Place};
use crate::memory::Need;
use crate::neighbors::{Candidate, Products, Space};
use crate::{Error, Points, Result, Run};

/// Points that are placed by one task.
const TASK: usize = 1024;

/// The places of new points, and how far to trust them.
///
/// The confidence of a point is the share of places like this one that are right, learned from fitted points that were
/// left out and placed as if they were new. A place is right if it is no farther from where the fit itself puts the
/// point than half of the point's neighbors are in the map. It is 1 on fitted points, and near 0 for points that are far
/// from all of them. The parts below are what likeness is judged by.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Transformed {
    /// The places, row by row, with the ids and labels of the new points.
    pub points: Points,
    /// The confidence of each, from 0 to 1.
    pub confidence: Vec<f64>,
    /// The distance to the nearest fitted point, in units of the radius of its neighborhood.
    pub distance: Vec<f64>,
    /// The part of that distance that is off the tangent space there, in the same units.
    pub off_tangent: Vec<f64>,
    /// How far the local maps of the nearest fitted points disagree, in units of the radius of the neighborhood's image.
    pub disagreement: Vec<f64>,
    /// The share of the shape of the neighborhood's image that its map does not explain, from 0 to 1.
    pub misfit: Vec<f64>,
    /// How far the images of the nearest fitted points agree on the place, from 0 to 1, where they voted; 1 where the
    /// local maps alone gave it.
    pub support: Vec<f64>,
}

impl Model {
    /// Places new points; the same bits on any number of threads.
    ///
    /// A point with the coordinates of a fitted one gets its image bit for bit, the first one's where there are copies.
    pub fn transform(&self, points: &Points, run: &Run) -> Result<Transformed> {
        self.check(points)?;
        let space = Space::new(&self.parts.points, self.parts.metric)?;
        let queries = space.admit(points)?;
        let dim = self.parts.embedding.dim();
        // Their places and what is known of them.
        let need = Need::of((dim * size_of::<f64>() + size_of::<Trust>()) as f64, 0.0);
        need.check(format!("placing {} new points", points.len()), (points.len(), 0))?;
        let lists = self.lists(points, run)?;
        let parts = run.chunks("transform", points.len(), TASK, |range| {
            let mut placer = Placer::new(self, &space);
            let mut values = Vec::with_capacity(range.len() * dim);
            let mut trusts = Vec::with_capacity(range.len());
            let (mut point, mut query) = (Vec::new(), Vec::new());
            for row in range {
                let list = lists.as_ref().map(|lists| lists[row].as_slice());
                let trust = placer.place(points.row_in(row, &mut point), queries.row(row, &mut query), list);
                if !trust.is_known() || !placer.image.iter().all(|value| value.is_finite()) {
                    let problem = "lies too far from all fitted points to be placed";
                    let advice = Advice::mend_data("drop it, or fit the model to points like it");
                    return Err(Error::data(problem, advice).at(Place::row(row)));
                }
                trusts.push(trust);
                values.extend_from_slice(&placer.image);
            }
            Ok((values, trusts))
        })?;
        let mut values = Vec::with_capacity(points.len() * dim);
        let mut trusts = Vec::with_capacity(points.len());
        for (some, of) in parts {
            values.extend(some);
            trusts.extend(of);
        }
        let part = |pick: fn(&Trust) -> f64| trusts.iter().map(pick).collect::<Vec<f64>>();
        Ok(Transformed {
            points: self.named(points, values)?,
            confidence: trusts.iter().map(|trust| self.calibration.confidence(*trust)).collect(),
            distance: part(|trust| trust.distance),
            off_tangent: part(|trust| trust.off_tangent),
            disagreement: part(|trust| trust.disagreement),
            misfit: part(|trust| trust.misfit),
            support: part(|trust| trust.support),
        })
    }

    /// For each new point the fitted ones nearest to it, rows counted without copies; none where the tree finds them.
    fn lists(&self, points: &Points, run: &Run) -> Result<Option<Vec<Vec<Candidate>>>> {
        if self.tree.is_some() {
            return Ok(None);
        }
        let distinct = self.distinct.as_ref().map(|rows| self.parts.points.select(rows));
        let fitted = Space::new(distinct.as_ref().unwrap_or(&self.parts.points), self.parts.metric)?;
        let queries = fitted.admit(points)?;
        let asked = Placer::asked(self).min(fitted.len());
        let lists = Products { fitted: &fitted, queries: &queries }.nearest(asked, run)?;
        Ok(Some(lists.into_iter().flatten().collect()))
    }

    /// An error unless the points have the coordinates of the fitted ones.
    pub fn check(&self, points: &Points) -> Result<()> {
        if points.dim() != self.parts.points.dim() {
            return Err(Error::data(
                format!(
                    "the new points have {} dimensions and the fitted ones {}",
                    points.dim(),
                    self.parts.points.dim()
                ),
                Advice::mend_data("give the same columns in the same order as in the fit"),
            ));
        }
        if let (Some(new), Some(fitted)) = (points.columns(), self.parts.points.columns())
            && let Some(at) = (0..new.len()).find(|&at| new[at] != fitted[at])
        {
            let problem = format!("is '{}' in the new points and '{}' in the fitted ones", new[at], fitted[at]);
            let advice = Advice::mend_data("give the same columns in the same order as in the fit");
            return Err(Error::data(problem, advice).at(Place::column(at)));
        }
        Ok(())
    }

    /// The places with the names that the points came with.
    fn named(&self, points: &Points, values: Vec<f64>) -> Result<Points> {
        let placed = Points::new(points.len(), self.parts.embedding.dim(), values)?.with_names_of(points)?;
        placed.with_columns((1..=self.parts.embedding.dim()).map(|axis| format!("y{axis}")).collect())
    }
}
