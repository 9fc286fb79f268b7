//! The share of true neighbors among those found, measured on sampled points while the search goes on.
//!
//! The true neighbors of the sample are found once, exactly; what the lists hold makes that search short.

use super::super::Space;
use super::super::probe::probe;
use super::super::rough::hash;
use super::super::shortlist::{Candidate, order};
use super::super::sketch::Sketch;
use super::lists::{Link, Lists};
use crate::{Result, Run};

/// Sampled points.
const CHECKED: usize = 1000;

/// How many true neighbors are found.
#[derive(Debug, Clone, Copy)]
pub(in super::super) struct Recall {
    pub(in super::super) share: f64,
    pub(in super::super) standard_error: f64,
    pub(in super::super) checked: usize,
}

/// Sampled points, and how far the last true neighbor of each is.
pub(super) struct Sample<'a> {
    space: &'a Space<'a>,
    sketch: &'a Sketch,
    k: usize,
    places: Vec<u32>,
    last: Vec<f64>,
}

impl<'a> Sample<'a> {
    /// The true neighbors of sampled places; what `lists` hold makes the search for them short.
    pub(super) fn new(space: &'a Space, sketch: &'a Sketch, lists: &Lists, k: usize, run: &Run) -> Result<Self> {
        let mut places: Vec<u32> = (0..sketch.len() as u32).collect();
        if places.len() > CHECKED {
            let key = |place: &u32| hash(run.seed() ^ 0xA5A5, u64::from(sketch.order()[*place as usize]));
            places.select_nth_unstable_by_key(CHECKED, key);
            places.truncate(CHECKED);
            places.sort_unstable();
        }
        let known = |place: u32| {
            settled(space, sketch, lists, place).get(k - 1).map_or(f32::INFINITY, |last| sketch.scaled(last.0))
        };
        let truth = probe(space, sketch, &places, k, &known, run)?;
        let last = truth.iter().map(|list| list[k - 1].0).collect();
        Ok(Self { space, sketch, k, places, last })
    }

    /// The share of the true neighbors that the lists hold. A point as near as the last true neighbor counts as true.
    pub(super) fn recall(&self, lists: &Lists) -> Recall {
        let hits = |(&place, last): (&u32, &f64)| {
            let list = settled(self.space, self.sketch, lists, place);
            list.iter().take(self.k).filter(|one| one.0 <= *last).count() as f64 / self.k as f64
        };
        let shares: Vec<f64> = self.places.iter().zip(&self.last).map(hits).collect();
        let number = shares.len() as f64;
        let share = shares.iter().sum::<f64>() / number;
        let variance = shares.iter().map(|one| (one - share) * (one - share)).sum::<f64>() / (number - 1.0).max(1.0);
        Recall { share, standard_error: (variance / number).sqrt(), checked: shares.len() }
    }

    /// The share of a value that the sketch sees, such that few true neighbors have less.
    pub(super) fn seen(&self, lists: &Lists) -> f32 {
        const FEW: usize = 20;
        let share = |place: u32, link: Link| self.sketch.value(place, link.row()) / link.value().max(f32::MIN_POSITIVE);
        let links =
            self.places.iter().flat_map(|&place| lists.links(place).take(self.k).map(move |link| (place, link)));
        let links = links.filter(|(_, link)| link.row() != u32::MAX);
        let mut shares: Vec<f32> = links.map(|(place, link)| share(place, link)).collect();
        if shares.is_empty() {
            return 1.0;
        }
        let at = shares.len() - 1 - shares.len() / FEW;
        let (_, seen, _) = shares.select_nth_unstable_by(at, f32::total_cmp);
        seen.min(1.0)
    }
}

/// What the list of a place holds, as rows of the space with their values in double precision, in order.
pub(super) fn settled(space: &Space, sketch: &Sketch, lists: &Lists, place: u32) -> Vec<Candidate> {
    let links = lists.links(place).filter(|link| link.row() != u32::MAX);
    let rows: Vec<u32> = links.map(|link| sketch.order()[link.row() as usize]).collect();
    let mut values = Vec::with_capacity(rows.len());
    space.values_to(sketch.order()[place as usize] as usize, &rows, &mut values);
    let mut list: Vec<Candidate> = values.into_iter().zip(rows).collect();
    list.sort_unstable_by(order);
    list
}
