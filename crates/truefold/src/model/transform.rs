//! New points into a fitted embedding: the local maps of the nearest fitted points, weighed.
//!
//! y(x) = sum_j w_j (y_j + B_j (x - x_j)) / sum_j w_j over the N = 2 d + 2 nearest fitted points, B_j their local maps
//! and w_j = ((R - r_j) / (R r_j))^2 with r_j the distance to x_j and R that to the next nearest one (Franke and
//! Nielson 1980). A weight grows without limit as x approaches x_j, so fitted points keep their place, and it falls to
//! zero where another point enters the list, so y is continuous. The exception is a tear of the embedding: maps whose
//! result is farther from that of the nearest map than its whole neighborhood extends belong to the other side of the
//! tear, and are left out. Cost: a search and O(N min(q, k) d) a point.

use super::Model;
use crate::error::{Advice, Place};
use crate::linalg::{square, squared_distance};
use crate::neighbors::{Shortlist, Space};
use crate::{Error, Points, Result, Run};

/// The most maps that place a point.
const MOST_MAPS: usize = 16;
/// Points that are placed by one task.
const TASK: usize = 1024;

/// The places of new points, and how far to trust them.
///
/// The confidence of a point is (1 - m) / ((1 + a^2) (1 + b^2) (1 + c^2)), with the parts m, a, b, c as below: 1 on a
/// fitted point whose neighborhood the embedding keeps, about 1/2 as far out as the neighborhood reaches, and near 0
/// for points that are far from all fitted ones, off the surface, or at a place where the embedding is torn or folded.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Transformed {
    /// The places, row by row, with the ids and labels of the new points.
    pub points: Points,
    /// The confidence of each, from 0 to 1.
    pub confidence: Vec<f64>,
    /// a: the distance to the nearest fitted point, in units of the radius of its neighborhood.
    pub distance: Vec<f64>,
    /// b: the part of that distance that is off the tangent space there, in the same units.
    pub off_tangent: Vec<f64>,
    /// c: how far the maps that were used disagree, in units of the radius of the neighborhood's image.
    pub disagreement: Vec<f64>,
    /// m: the share of the shape of the neighborhood's image that its map does not explain, from 0 to 1.
    pub misfit: Vec<f64>,
}

/// What the confidence of one placed point is computed from.
#[derive(Debug, Clone, Copy, Default)]
struct Trust {
    distance: f64,
    off_tangent: f64,
    disagreement: f64,
    misfit: f64,
}

impl Trust {
    fn confidence(self) -> f64 {
        let lost = |part: f64| 1.0 / (1.0 + part * part);
        (1.0 - self.misfit) * lost(self.distance) * lost(self.off_tangent) * lost(self.disagreement)
    }
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
        let parts = run.chunks("transform", points.len(), TASK, |range| {
            let mut placer = Placer::new(self, &space);
            let mut values = Vec::with_capacity(range.len() * dim);
            let mut trusts = Vec::with_capacity(range.len());
            let (mut point, mut query) = (Vec::new(), Vec::new());
            for row in range {
                let trust = placer.place(points.row_in(row, &mut point), queries.row(row, &mut query));
                let known = trust.distance.is_finite() && trust.disagreement.is_finite();
                if !known || !placer.image.iter().all(|value| value.is_finite()) {
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
            confidence: part(|trust| trust.confidence()),
            distance: part(|trust| trust.distance),
            off_tangent: part(|trust| trust.off_tangent),
            disagreement: part(|trust| trust.disagreement),
            misfit: part(|trust| trust.misfit),
        })
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

/// Places one point after the other.
struct Placer<'a> {
    model: &'a Model,
    space: &'a Space<'a>,
    list: Shortlist,
    asked: usize,
    /// Room for a fitted row.
    row: Vec<f64>,
    difference: Vec<f64>,
    reduced: Vec<f64>,
    /// For each map the place it gives.
    images: Vec<f64>,
    weights: Vec<f64>,
    image: Vec<f64>,
}

impl<'a> Placer<'a> {
    fn new(model: &'a Model, space: &'a Space<'a>) -> Self {
        let dim = model.parts.embedding.dim();
        Self {
            model,
            space,
            list: Shortlist::default(),
            // One more than are weighed: its distance is where the weights end.
            asked: (2 * dim + 3).min(MOST_MAPS + 1),
            row: Vec::new(),
            difference: Vec::new(),
            reduced: Vec::new(),
            images: Vec::new(),
            weights: Vec::new(),
            image: vec![0.0; dim],
        }
    }

    /// Puts the place of `point` into `image`; `query` is the point as the space has it.
    fn place(&mut self, point: &[f64], query: &[f64]) -> Trust {
        let model = self.model;
        let dim = self.image.len();
        self.list.restart(self.asked);
        model.tree.nearest_into(query, &mut self.list);
        let found = self.list.finish();
        let row_of = |row: u32| model.distinct.as_ref().map_or(row, |rows| rows[row as usize]) as usize;
        let fitted = &model.parts.points;
        let is_same = |one: &&(f64, u32)| fitted.row_in(row_of(one.1), &mut self.row) == point;
        if let Some(same) = found.iter().take_while(|one| one.0 == 0.0).find(is_same) {
            let row = row_of(same.1);
            self.image.copy_from_slice(model.parts.embedding.row(row));
            return Trust { misfit: model.maps.get(row).misfit, ..Trust::default() };
        }
        let complete = found.len() == self.asked;
        let reach = found.last().filter(|_| complete).map_or(f64::INFINITY, |last| self.space.distance(last.0));
        let weighed = if complete { found.len() - 1 } else { found.len() };
        self.images.clear();
        self.weights.clear();
        let mut trust = Trust::default();
        for (at, &(value, row)) in found[..weighed].iter().enumerate() {
            let row = row_of(row);
            self.difference.clear();
            self.difference.extend(point.iter().zip(fitted.row_in(row, &mut self.row)).map(|(a, b)| a - b));
            self.images.extend_from_slice(model.parts.embedding.row(row));
            let image = &mut self.images[at * dim..];
            let inside = model.maps.apply(row, fitted, &self.difference, &mut self.reduced, image);
            if at == 0 {
                let (radius, length) = (model.maps.get(row).radius, square(&self.difference));
                trust.distance = length.sqrt() / radius;
                trust.off_tangent = (length - inside).max(0.0).sqrt() / radius;
                trust.misfit = model.maps.get(row).misfit;
            }
            self.weights.push(weight(self.space.distance(value), reach));
        }
        level(&mut self.weights);
        let nearest = model.maps.get(row_of(found[0].1));
        trust.disagreement = self.weigh(nearest.image_radius, trust.distance);
        trust
    }

    /// The weighted mean of the places on the side of the first; how far all of them are apart.
    fn weigh(&mut self, image_radius: f64, distance: f64) -> f64 {
        let dim = self.image.len();
        // Maps differ more, the farther from their centers they are used.
        let most = image_radius * (1.0 + distance);
        let first = &self.images[..dim];
        let (mut total, mut kept, mut apart) = (0.0, 0.0, 0.0);
        self.image.fill(0.0);
        for (image, &weight) in self.images.chunks_exact(dim).zip(&self.weights) {
            let off = squared_distance(image, first);
            total += weight;
            apart += weight * off;
            if off <= most * most {
                kept += weight;
                for (sum, value) in self.image.iter_mut().zip(image) {
                    *sum += weight * value;
                }
            }
        }
        self.image.iter_mut().for_each(|value| *value /= kept);
        (apart / total).sqrt() / image_radius
    }
}

/// The weight of a map at this distance, where the first point that is not used is at `reach`.
fn weight(distance: f64, reach: f64) -> f64 {
    if distance <= 0.0 {
        return f64::INFINITY;
    }
    let weight = if reach.is_finite() { (reach - distance) / reach } else { 1.0 } / distance;
    weight * weight
}

/// Scales the weights so that the largest is one: infinite ones replace all others, and if all are zero they become
/// equal.
fn level(weights: &mut [f64]) {
    let largest = weights.iter().copied().fold(0.0, f64::max);
    for weight in weights.iter_mut() {
        *weight = if largest == 0.0 {
            1.0
        } else if largest.is_infinite() {
            f64::from(u8::from(weight.is_infinite()))
        } else {
            *weight / largest
        };
    }
}
