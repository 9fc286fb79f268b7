//! The share of true neighbors among those found, measured on sampled points while the search goes on.
//!
//! The true neighbors of the sample are found once, exactly: the kernel leaves out what is certainly farther than the
//! k-th found so far, and double precision decides among the rest. Cost: n r multiplications for each sampled point.

use super::super::Space;
use super::super::kernel::{Meeting, Pairs, Panels, Reaches};
use super::super::rough::{error_share, hash};
use super::super::shortlist::{Candidate, Shortlist, order};
use super::super::sketch::Sketch;
use super::lists::{Link, Lists};
use crate::{Result, Run};

/// Sampled points.
const CHECKED: usize = 1000;
/// Sampled points of one task.
const TASK: usize = 96;
/// Points that they meet at a time.
const BLOCK: usize = 1024;

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
        let mut sample = Self { space, sketch, k, places, last: Vec::new() };
        let parts = run.chunks("checking", sample.places.len(), TASK, |range| {
            Ok(sample.truth(&sample.places[range], lists, run)?)
        })?;
        sample.last = parts.into_iter().flatten().collect();
        Ok(sample)
    }

    /// The value of the k-th true neighbor of some places.
    fn truth(&self, places: &[u32], lists: &Lists, run: &Run) -> Result<Vec<f64>> {
        let Self { space, sketch, k, .. } = *self;
        let rough_error = 1.0 - 2.0 * error_share(space.dim());
        let mut found: Vec<Shortlist> = vec![Shortlist::default(); places.len()];
        let mut reaches = Reaches::default();
        for (&place, list) in places.iter().zip(&mut found) {
            list.restart(k);
            let known = self.candidates(lists, place);
            reaches.rows.push(known.get(k - 1).map_or(f32::INFINITY, |last| sketch.scaled(last.0)));
        }
        let mut panels = Panels::default();
        for first in (0..sketch.len()).step_by(BLOCK) {
            run.check()?;
            let block = first as u32..(first + BLOCK).min(sketch.len()) as u32;
            panels.fill(sketch.rows(), block.clone());
            reaches.set_columns(block.map(|_| f32::NEG_INFINITY));
            let take = |reaches: &mut Reaches, a: usize, b: usize| {
                let (own, other) = (places[a], (first + b) as u32);
                if own == other || sketch.full_value(space, own, other) * rough_error > reaches.rows[a] {
                    return;
                }
                let [row, to] = [own, other].map(|place| sketch.order()[place as usize]);
                found[a].offer(space.value(row as usize, to as usize), to);
                reaches.rows[a] = reaches.rows[a].min(sketch.scaled(found[a].last().0));
            };
            Meeting {
                rows: sketch.rows(),
                ids: places,
                panels: &panels,
                pairs: Pairs::All,
                reaches: &mut reaches,
                take,
            }
            .run();
        }
        Ok(found.iter_mut().map(|list| list.finish()[k - 1].0).collect())
    }

    /// What the list of a place holds, by its values in double precision.
    fn candidates(&self, lists: &Lists, place: u32) -> Vec<Candidate> {
        settled(self.space, self.sketch, lists, place)
    }

    /// The share of the true neighbors that the lists hold. A point as near as the last true neighbor counts as true.
    pub(super) fn recall(&self, lists: &Lists) -> Recall {
        let hits = |(&place, last): (&u32, &f64)| {
            let list = self.candidates(lists, place);
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
