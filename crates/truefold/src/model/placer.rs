//! Places one point after the other, new ones and, to learn how far places can be trusted, fitted ones left out.
//!
//! Local maps speak where they foresee the images of points that they were not fitted to, and votes where they do not:
//! y = (1 - b) y_maps + b y_votes, b = ramp(u; 0.05, 0.2) ramp(o; 0.5, 0.75), with u the share of an image that maps
//! fitted without it do not explain, o the share of the squared distance to the fitted points off all axes of their maps,
//! both weighed over the maps in use, and ramp(t; l, h) = (t - l) / (h - l), kept between 0 and 1. On a surface u is
//! small, and where the embedding bends it o still is; data whose neighborhoods have many dimensions have both near 1.

use super::Model;
use super::maps::{LocalMaps, MapFitter};
use super::votes::Ballot;
use crate::linalg::{square, squared_distance};
use crate::neighbors::{Candidate, Shortlist, Space};
use crate::{Points, Result};

/// The most maps that place a point.
const MOST_MAPS: usize = 16;
/// Where votes begin to count, and where they count alone, by the share that maps do not foresee.
const UNFORESEEN: [f64; 2] = [0.05, 0.2];
/// The same by the share of the squared distance that is off all axes.
const OFF_AXES: [f64; 2] = [0.5, 0.75];
/// The most members of a neighborhood through which others are looked for.
const THROUGH: usize = 32;

/// What the confidence of one placed point is computed from.
#[derive(Debug, Clone, Copy)]
pub(super) struct Trust {
    pub(super) distance: f64,
    pub(super) off_tangent: f64,
    pub(super) disagreement: f64,
    pub(super) misfit: f64,
    /// exp(-L) of the vote; 1 where there was none.
    pub(super) support: f64,
    /// b: the part that votes have in the place.
    voted: f64,
}

impl Trust {
    /// That of a fitted point.
    fn fitted(misfit: f64) -> Self {
        Self { distance: 0.0, off_tangent: 0.0, disagreement: 0.0, misfit, support: 1.0, voted: 0.0 }
    }

    /// A number to rank places by, from 0 to 1, and 1 on fitted points: what the way by which the point was placed tells
    /// of its place, less for points farther from all fitted ones.
    pub(super) fn score(self) -> f64 {
        let lost = |part: f64| 1.0 / (1.0 + part * part);
        let by_maps = lost(self.off_tangent) * lost(self.disagreement);
        lost(self.distance) * ((1.0 - self.voted) * by_maps + self.voted * self.support)
    }

    pub(super) fn is_known(self) -> bool {
        self.distance.is_finite() && self.disagreement.is_finite()
    }
}

/// Places one point after the other.
pub(super) struct Placer<'a> {
    model: &'a Model,
    space: &'a Space<'a>,
    list: Shortlist,
    /// The number of maps that are weighed.
    maps: usize,
    /// The number of fitted points that are looked for.
    asked: usize,
    /// The nearest fitted points: distance and row.
    near: Vec<(f64, usize)>,
    /// Room for a fitted row.
    row: Vec<f64>,
    difference: Vec<f64>,
    reduced: Vec<f64>,
    /// For each map the place it gives.
    images: Vec<f64>,
    weights: Vec<f64>,
    ballot: Ballot,
    /// The place.
    pub(super) image: Vec<f64>,
}

impl<'a> Placer<'a> {
    pub(super) fn new(model: &'a Model, space: &'a Space<'a>) -> Self {
        let dim = model.parts.embedding.dim();
        Self {
            model,
            space,
            list: Shortlist::default(),
            maps: maps_of(model),
            asked: Self::asked(model),
            near: Vec::new(),
            row: Vec::new(),
            difference: Vec::new(),
            reduced: Vec::new(),
            images: Vec::new(),
            weights: Vec::new(),
            ballot: Ballot::default(),
            image: vec![0.0; dim],
        }
    }

    /// The number of fitted points that are looked for: one more than are weighed, as weights end at its distance.
    pub(super) fn asked(model: &Model) -> usize {
        let voters = if model.maps.most_unforeseen() > UNFORESEEN[0] { model.spreads.votes } else { 0 };
        maps_of(model).max(voters) + 1
    }

    /// Puts the place of `point` into `image`; `query` is the point as the space has it, and `list` the fitted points
    /// nearest to it, where they are known.
    pub(super) fn place(&mut self, point: &[f64], query: &[f64], list: Option<&[Candidate]>) -> Trust {
        let model = self.model;
        let found = match (list, &model.tree) {
            (Some(list), _) => list,
            (None, Some(tree)) => {
                self.list.restart(self.asked);
                tree.nearest_into(query, &mut self.list);
                self.list.finish()
            }
            (None, None) => &[],
        };
        let row_of = |row: u32| model.distinct.as_ref().map_or(row, |rows| rows[row as usize]) as usize;
        let fitted = &model.parts.points;
        let is_same = |one: &&(f64, u32)| fitted.row_in(row_of(one.1), &mut self.row) == point;
        if let Some(same) = found.iter().take_while(|one| one.0 == 0.0).find(is_same) {
            let row = row_of(same.1);
            self.image.copy_from_slice(model.parts.embedding.row(row));
            return Trust::fitted(model.maps.get(row).misfit);
        }
        self.near.clear();
        self.near.extend(found.iter().map(|&(value, row)| (self.space.distance(value), row_of(row))));
        self.place_near(point, None)
    }

    /// Places the fitted point `row` as if it and the `gap` fitted points nearest to it were not there; none where too
    /// few are left.
    ///
    /// The others are looked for among the neighbors of its neighbors, which takes no search.
    pub(super) fn place_left_out(&mut self, row: usize, gap: usize, refit: &mut Refit) -> Result<Option<Trust>> {
        let model = self.model;
        let members = |row: usize| {
            let all = model.parts.neighborhoods.neighbors(row);
            &all[..all.len().min(THROUGH)]
        };
        let mut others: Vec<u32> = members(row).to_vec();
        others.extend(members(row).iter().flat_map(|&other| members(other as usize)));
        others.sort_unstable();
        others.dedup();
        // Of copies the search knows the first alone.
        let is_known = |other: &u32| model.distinct.as_ref().is_none_or(|rows| rows.binary_search(other).is_ok());
        others.retain(|other| *other as usize != row && is_known(other));
        self.list.restart(gap + self.asked);
        others.iter().for_each(|&other| self.list.offer(self.space.value(row, other as usize), other));
        let found = self.list.finish();
        if found.len() < gap + self.maps + 1 {
            return Ok(None);
        }
        self.near.clear();
        self.near.extend(found[gap..].iter().map(|&(value, row)| (self.space.distance(value), row as usize)));
        refit.left_out.clear();
        refit.left_out.push(row as u32);
        refit.left_out.extend(found[..gap].iter().map(|one| one.1));
        refit.fit(model, self.near[..self.maps].iter().map(|near| near.1))?;
        let mut point = std::mem::take(&mut refit.point);
        let trust = self.place_near(model.parts.points.row_in(row, &mut point), Some(&refit.maps));
        refit.point = point;
        Ok(Some(trust))
    }

    /// Places `point` by the fitted points of `near`; by the maps `refitted` in their order, where there are such.
    fn place_near(&mut self, point: &[f64], refitted: Option<&LocalMaps>) -> Trust {
        let model = self.model;
        let dim = self.image.len();
        if self.near.is_empty() {
            return Trust { distance: f64::INFINITY, ..Trust::fitted(0.0) };
        }
        let fitted = &model.parts.points;
        let (weighed, reach) = within(&self.near, self.maps);
        self.images.clear();
        self.weights.clear();
        let mut trust = Trust::fitted(0.0);
        let (mut shares, mut first) = ([[0.0; 2]; MOST_MAPS], None);
        for (at, &(distance, row)) in self.near[..weighed].iter().enumerate() {
            self.difference.clear();
            self.difference.extend(point.iter().zip(fitted.row_in(row, &mut self.row)).map(|(a, b)| a - b));
            self.images.extend_from_slice(model.parts.embedding.row(row));
            let image = &mut self.images[at * dim..];
            let (maps, index) = refitted.map_or((&model.maps, row), |maps| (maps, at));
            let inside = maps.apply((index, row), fitted, &self.difference, &mut self.reduced, image);
            let (length, own) = (square(&self.difference), model.maps.get(row));
            if first.is_none() {
                trust.distance = length.sqrt() / own.radius;
                trust.off_tangent = (length - inside.tangent).max(0.0).sqrt() / own.radius;
                trust.misfit = own.misfit;
                first = Some(own.image_radius);
            }
            let off_axes = if length > 0.0 { (1.0 - inside.mapped / length).max(0.0) } else { 0.0 };
            shares[at] = [own.unforeseen, off_axes];
            let weight = nearness(distance, reach);
            self.weights.push(weight * weight);
        }
        level(&mut self.weights);
        let image_radius = first.unwrap_or(1.0);
        trust.disagreement = self.weigh(image_radius, trust.distance);
        let total: f64 = self.weights.iter().sum();
        let mean =
            |part: usize| self.weights.iter().zip(&shares).map(|(weight, of)| weight * of[part]).sum::<f64>() / total;
        trust.voted = ramp(mean(0), UNFORESEEN) * ramp(mean(1), OFF_AXES);
        if trust.voted > 0.0 {
            (trust.support, trust.voted) = self.vote(image_radius * (1.0 + trust.distance), trust.voted);
        }
        trust
    }

    /// Moves the place towards that of the vote, by the share `voted`; its support, and the share.
    ///
    /// Where the two are farther apart than `most` they are on two sides of a tear, and between them there is nothing: the
    /// larger share decides alone.
    fn vote(&mut self, most: f64, voted: f64) -> (f64, f64) {
        let model = self.model;
        let (weighed, reach) = within(&self.near, model.spreads.votes);
        self.weights.clear();
        self.weights.extend(self.near[..weighed].iter().map(|near| nearness(near.0, reach)));
        level(&mut self.weights);
        let votes = self.near.iter().zip(&self.weights).map(|(near, weight)| (near.1, *weight));
        let support = self.ballot.elect(&model.parts.embedding, &model.spreads, votes);
        let torn = squared_distance(&self.image, &self.ballot.image) > most * most;
        let voted = if torn { voted.round() } else { voted };
        for (value, elected) in self.image.iter_mut().zip(&self.ballot.image) {
            *value = if voted < 1.0 { (1.0 - voted) * *value + voted * elected } else { *elected };
        }
        (support, voted)
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

/// Local maps fitted again without some points.
pub(super) struct Refit {
    left_out: Vec<u32>,
    members: Vec<u32>,
    fitter: MapFitter,
    maps: LocalMaps,
    point: Vec<f64>,
}

impl Refit {
    pub(super) fn new(dim: usize) -> Self {
        Self {
            left_out: Vec::new(),
            members: Vec::new(),
            fitter: MapFitter::default(),
            maps: LocalMaps::empty(dim),
            point: Vec::new(),
        }
    }

    /// Fits the maps of these rows without the points of `left_out`.
    fn fit(&mut self, model: &Model, rows: impl Iterator<Item = usize>) -> Result<()> {
        self.maps.clear();
        let (points, embedding): (&Points, &Points) = (&model.parts.points, &model.parts.embedding);
        // Copies of a point that is left out would tell where it was.
        let has_copies = model.distinct.is_some();
        let (mut one, mut other) = (Vec::new(), Vec::new());
        for row in rows {
            self.members.clear();
            for &member in model.parts.neighborhoods.members(row) {
                let own = points.row_in(member as usize, &mut one);
                let mut is_copy = || self.left_out.iter().any(|&left| points.row_in(left as usize, &mut other) == own);
                let is_left_out = self.left_out.contains(&member) || has_copies && is_copy();
                if !is_left_out {
                    self.members.push(member);
                }
            }
            self.fitter.keep(points, embedding, &self.members);
            self.fitter.fit(points, embedding, model.parts.origin.metric_scale, &mut self.maps)?;
        }
        Ok(())
    }
}

/// The number of maps that are weighed.
fn maps_of(model: &Model) -> usize {
    (2 * model.parts.embedding.dim() + 2).min(MOST_MAPS)
}

/// How many of the nearest are weighed, `most` at most, and the distance of the next one, where the weights end.
fn within(near: &[(f64, usize)], most: usize) -> (usize, f64) {
    near.get(most).map_or((near.len(), f64::INFINITY), |next| (most, next.0))
}

/// How near a point at this distance is, where the first point that is not used is at `reach`.
fn nearness(distance: f64, reach: f64) -> f64 {
    if distance <= 0.0 {
        return f64::INFINITY;
    }
    if reach.is_finite() { (reach - distance) / reach / distance } else { 1.0 / distance }
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

/// 0 up to the first limit, 1 from the second on, and straight between them.
fn ramp(value: f64, [from, to]: [f64; 2]) -> f64 {
    ((value - from) / (to - from)).clamp(0.0, 1.0)
}
