//! The share of true neighbors among those found, measured on sampled points while the search goes on. What was known before the
//! search is not counted.
//!
//! The true neighbors of the sample are found once, exactly; what the lists hold makes that search short.

use super::super::Space;
use super::super::probe::probe;
use super::super::shortlist::{Candidate, order};
use super::super::sketch::Sketch;
use super::lists::Lists;
use super::{Known, Partition, digits};
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
    /// For each place the rows that were known before the search.
    known: Vec<&'a [u32]>,
    ration: Ration<'a>,
    /// The full values of sampled places and others that were needed before.
    values: RefCell<HashMap<(u32, u32), f32>>,
}

/// Tells the list of a place, given the full value of this and another place.
type ListOf<'a> = &'a dyn Fn(u32, &dyn Fn(u32) -> f32) -> Vec<Candidate>;

impl<'a> Sample<'a> {
    /// The true neighbors of sampled places; what the lists hold makes the search for them short.
    pub(super) fn new(search: &Partition<'a>, before: Option<&'a Known>, run: &Run) -> Result<Self> {
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
            let last = settled(space, sketch, lists, place).get(*k - 1).map(|last| sketch.scaled(last.0));
            last.unwrap_or_else(|| lists.beyond(place).value())
        };
        let truth = probe(space, sketch, &places, *k, &known, run)?;
        space.set_aside();
        let known = |place: &u32| before.map_or(&[][..], |before| before.of(sketch.order()[*place as usize]));
        let known = places.iter().map(known).collect();
        Ok(Self {
            space,
            sketch,
            k: *k,
            width: lists.width(),
            places,
            truth,
            known,
            ration,
            values: RefCell::default(),
        })
    }

    /// The share of the true neighbors not known before that the lists of places hold. A point as near as the last true neighbor
    /// counts as true. Where nearer ones are known beyond these points a place has fewer here, or none.
    ///
    /// Rows are counted as read unless they are `in_use`: then rounds need them too, and all of a mapped file is in memory.
    pub(super) fn recall(&self, list: ListOf, in_use: bool) -> Recall {
        let counts = |((&place, truth), known): ((&u32, &Vec<Candidate>), &&[u32])| {
            let sought = truth.iter().filter(|one| !known.contains(&one.1)).count();
            if sought == 0 {
                return None;
            }
            let row = self.sketch.order()[place as usize] as usize;
            let is_true = |one: &Candidate| {
                truth.iter().any(|other| other.1 == one.1) || {
                    self.ration.scattered(usize::from(!in_use));
                    truth.get(self.k - 1).is_some_and(|last| self.space.value(row, one.1 as usize) <= last.0)
                }
            };
            if self.sketch.is_whole() {
                self.ration.scattered(self.width);
            }
            let list = list(place, &|to| self.full_value(place, to));
            let hits = list.iter().filter(|one| !known.contains(&one.1) && is_true(one)).count();
            Some((hits.min(sought) as f64, sought as f64))
        };
        let counts: Vec<_> = self.places.iter().zip(&self.truth).zip(&self.known).filter_map(counts).collect();
        if counts.is_empty() {
            return Recall { share: 1.0, standard_error: 0.0, checked: 0 };
        }
        // A ratio of two sums; each point is off by what it has more or less than this share of its own.
        let number = counts.len() as f64;
        let sought: f64 = counts.iter().map(|(_, sought)| sought).sum();
        let share = counts.iter().map(|(hits, _)| hits).sum::<f64>() / sought;
        let squares: f64 = counts.iter().map(|(hits, sought)| (hits - share * sought).powi(2)).sum();
        let standard_error = (squares * number / (number - 1.0).max(1.0)).sqrt() / sought;
        Recall { share, standard_error, checked: counts.len() }
    }

    /// The full value of a sampled place and another one, read once.
    fn full_value(&self, place: u32, to: u32) -> f32 {
        *self.values.borrow_mut().entry((place, to)).or_insert_with(|| {
            self.ration.scattered(1);
            self.sketch.full_value(self.space, place, to)
        })
    }

    /// The values of the true neighbors in the sketch, with those in the space in the same units.
    fn values(&self) -> impl Iterator<Item = (f32, f32)> {
        let place_of = self.sketch.place_of();
        let pairs =
            self.places.iter().zip(&self.truth).flat_map(|(&place, truth)| truth.iter().map(move |one| (place, one)));
        pairs.map(move |(place, one)| (self.sketch.value(place, place_of[one.1 as usize]), self.sketch.scaled(one.0)))
    }

    /// The share of the true neighbors not known before that lists by values of the sketch could hold: the others are beyond
    /// their reach.
    pub(super) fn ceiling(&self, lists: &Lists) -> f64 {
        let place_of = self.sketch.place_of();
        let (mut hits, mut sought) = (0_u32, 0_u32);
        for ((&place, truth), known) in self.places.iter().zip(&self.truth).zip(&self.known) {
            for one in truth.iter().filter(|one| !known.contains(&one.1)) {
                sought += 1;
                hits += u32::from(self.sketch.value(place, place_of[one.1 as usize]) <= lists.reach(place));
            }
        }
        if sought == 0 { 1.0 } else { f64::from(hits) / f64::from(sought) }
    }

    /// The share of its value that the sketch sees at the most of this part of all true neighbors.
    pub(super) fn seen(&self, part: f64) -> f32 {
        nth(self.values().map(|(value, full)| share(value, full)).collect(), part)
    }

    /// The share of the value of the last true neighbor that the sketch sees at the most of this part of all.
    pub(super) fn seen_of_last(&self, part: f64) -> f32 {
        let last =
            self.truth.iter().filter_map(|truth| Some(std::iter::repeat_n(truth.last()?.0, truth.len()))).flatten();
        nth(self.values().zip(last).map(|((value, _), last)| share(value, self.sketch.scaled(last))).collect(), part)
    }
}

fn share(value: f32, of: f32) -> f32 {
    if of > 0.0 { (value / of).min(1.0) } else { 1.0 }
}

/// The value below which this part of all lies; one if there are none.
fn nth(mut values: Vec<f32>, part: f64) -> f32 {
    if values.is_empty() {
        return 1.0;
    }
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
