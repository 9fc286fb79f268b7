//! The share of true neighbors among those found, measured on sampled points while the search goes on.
//!
//! The true neighbors of the sample are found once, exactly; what the lists hold makes that search short.

use super::super::Space;
use super::super::probe::probe;
use super::super::shortlist::{Candidate, order};
use super::super::sketch::Sketch;
use super::lists::Lists;
use super::{Partition, digits};
use crate::points::Ration;
use crate::random::hash;
use crate::{Result, Run};
use std::cell::RefCell;
use std::collections::HashMap;

/// Sampled points where three digits of the recall are wanted (0.999), and fewer where fewer are, by the square of the digits,
/// but not fewer than these: the error of the recall still falls with each digit, as less is missing.
const CHECKED: f64 = 1000.0;
const LEAST_CHECKED: f64 = 400.0;
/// Bytes of a mapped file that are in memory while the sampled points are looked at, beside all that rounds need.
const READ: usize = 64 << 20;

/// How many true neighbors are found.
#[derive(Debug, Clone, Copy)]
pub(in super::super) struct Recall {
    pub(in super::super) share: f64,
    pub(in super::super) standard_error: f64,
    pub(in super::super) checked: usize,
}

impl Recall {
    /// Whether the share less its standard error is there. A search that ends as soon as the share of the sample is there
    /// ends too early on average, since it looks again and again.
    pub(super) fn is_enough(&self, wanted: f64) -> bool {
        self.share - self.standard_error >= wanted
    }
}

/// Sampled points, and the true neighbors of each.
pub(super) struct Sample<'a> {
    space: &'a Space<'a>,
    sketch: &'a Sketch,
    k: usize,
    /// The links of a list.
    width: usize,
    places: Vec<u32>,
    truth: Vec<Vec<Candidate>>,
    ration: Ration<'a>,
    /// The full values of sampled places and others that were needed before.
    values: RefCell<HashMap<(u32, u32), f32>>,
}

/// Tells the list of a place, given the full value of this and another place.
type ListOf<'a> = &'a dyn Fn(u32, &dyn Fn(u32) -> f32) -> Vec<Candidate>;

impl<'a> Sample<'a> {
    /// The true neighbors of sampled places; what the lists hold makes the search for them short.
    pub(super) fn new(search: &Partition<'a>, run: &Run) -> Result<Self> {
        let Partition { space, sketch, k, lists, .. } = search;
        let mut places: Vec<u32> = (0..sketch.len() as u32).collect();
        let checked = (CHECKED * (digits(search.wanted) / 3.0).powi(2)).round().clamp(LEAST_CHECKED, CHECKED) as usize;
        if places.len() > checked {
            let key = |place: &u32| hash(run.seed() ^ 0xA5A5, u64::from(sketch.order()[*place as usize]));
            places.select_nth_unstable_by_key(checked, key);
            places.truncate(checked);
            places.sort_unstable();
        }
        let ration = space.ration(READ);
        let known = |place: u32| {
            ration.scattered(lists.width());
            settled(space, sketch, lists, place).get(*k - 1).map_or(f32::INFINITY, |last| sketch.scaled(last.0))
        };
        let truth = probe(space, sketch, &places, *k, &known, run)?;
        space.set_aside();
        Ok(Self { space, sketch, k: *k, width: lists.width(), places, truth, ration, values: RefCell::default() })
    }

    /// The share of the true neighbors that the lists of places hold. A point as near as the last true neighbor counts as
    /// true.
    ///
    /// Rows are counted as read unless they are `in_use`: then rounds need them too, and all of a mapped file is in memory.
    pub(super) fn recall(&self, list: ListOf, in_use: bool) -> Recall {
        let hits = |(&place, truth): (&u32, &Vec<Candidate>)| {
            let row = self.sketch.order()[place as usize] as usize;
            let is_true = |one: &Candidate| {
                truth.iter().any(|other| other.1 == one.1) || {
                    self.ration.scattered(usize::from(!in_use));
                    self.space.value(row, one.1 as usize) <= truth[self.k - 1].0
                }
            };
            if self.sketch.is_whole() {
                self.ration.scattered(self.width);
            }
            let list = list(place, &|to| self.full_value(place, to));
            list.iter().filter(|one| is_true(one)).count() as f64 / self.k as f64
        };
        let shares: Vec<f64> = self.places.iter().zip(&self.truth).map(hits).collect();
        let number = shares.len() as f64;
        let share = shares.iter().sum::<f64>() / number;
        let variance = shares.iter().map(|one| (one - share) * (one - share)).sum::<f64>() / (number - 1.0).max(1.0);
        Recall { share, standard_error: (variance / number).sqrt(), checked: shares.len() }
    }

    /// The full value of a sampled place and another one, read once.
    fn full_value(&self, place: u32, to: u32) -> f32 {
        *self.values.borrow_mut().entry((place, to)).or_insert_with(|| {
            self.ration.scattered(1);
            self.sketch.full_value(self.space, place, to)
        })
    }

    /// The values of the true neighbors in the sketch, with those in the space in the same units.
    fn values(&self) -> impl Iterator<Item = (u32, f32, f32)> {
        let place_of = self.sketch.place_of();
        let pairs =
            self.places.iter().zip(&self.truth).flat_map(|(&place, truth)| truth.iter().map(move |one| (place, one)));
        pairs.map(move |(place, one)| {
            (place, self.sketch.value(place, place_of[one.1 as usize]), self.sketch.scaled(one.0))
        })
    }

    /// The share of the true neighbors that lists by values of the sketch could hold: the others are beyond their reach.
    pub(super) fn ceiling(&self, lists: &Lists) -> f64 {
        let hits = self.values().filter(|&(place, value, _)| value <= lists.reach(place)).count();
        hits as f64 / (self.places.len() * self.k) as f64
    }

    /// The share of its value that the sketch sees at the most of this part of all true neighbors.
    pub(super) fn seen(&self, part: f64) -> f32 {
        nth(self.values().map(|(_, value, full)| share(value, full)).collect(), part)
    }

    /// The share of the value of the last true neighbor that the sketch sees at the most of this part of all.
    pub(super) fn seen_of_last(&self, part: f64) -> f32 {
        let last = self.truth.iter().flat_map(|truth| std::iter::repeat_n(truth[self.k - 1].0, truth.len()));
        nth(self.values().zip(last).map(|((_, value, _), last)| share(value, self.sketch.scaled(last))).collect(), part)
    }
}

fn share(value: f32, of: f32) -> f32 {
    if of > 0.0 { (value / of).min(1.0) } else { 1.0 }
}

/// The value below which this part of all lies.
fn nth(mut values: Vec<f32>, part: f64) -> f32 {
    let place = ((values.len() - 1) as f64 * part) as usize;
    *values.select_nth_unstable_by(place, f32::total_cmp).1
}

/// What the list of a place holds, as rows of the space with their values in double precision, in order.
pub(super) fn settled(space: &Space, sketch: &Sketch, lists: &Lists, place: u32) -> Vec<Candidate> {
    let rows: Vec<u32> = lists.known(place).map(|link| sketch.order()[link.row() as usize]).collect();
    let mut values = Vec::with_capacity(rows.len());
    space.values_to(sketch.order()[place as usize] as usize, &rows, &mut values);
    let mut list: Vec<Candidate> = values.into_iter().zip(rows).collect();
    list.sort_unstable_by(order);
    list
}
