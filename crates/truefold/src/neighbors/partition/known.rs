//! Neighbors that are known before a search begins: only nearer ones are looked for.
//!
//! A row begins with the neighbors that it has in these points, and nothing beyond its last one, wherever that lies, enters its
//! list. Two known neighbors have met already, so a round tries only what trees have found since, with all that is known.

use super::super::kernel::{Meeting, Pairs, Panels, Reaches};
use super::joins::{Ground, Rounds};
use super::lists::Link;
use super::{Partition, TASK};
use crate::{Result, Run};

/// For each row what is known of its neighbors.
pub(in super::super) struct Known {
    /// The most neighbors of a row.
    pub(in super::super) k: usize,
    /// `k` rows for each row, `u32::MAX` in place of those that are unknown or not among these points.
    pub(in super::super) rows: Vec<u32>,
    /// For each row the value of its last neighbor, infinite where fewer than `k` are known.
    pub(in super::super) reach: Vec<f64>,
}

impl Known {
    /// What is known of a row.
    pub(in super::super) fn of(&self, row: u32) -> &[u32] {
        &self.rows[row as usize * self.k..][..self.k]
    }
}

impl Partition<'_> {
    /// Takes known neighbors into the lists; the rounds in which they are not new.
    pub(super) fn begin_with(&self, known: &Known, run: &Run) -> Result<Rounds> {
        let (place_of, doubt, width) = (self.sketch.place_of(), self.sketch.doubt(), self.lists.width());
        run.chunks("first neighbors", self.space.len(), TASK, |range| {
            let (mut meet, mut list) = (Few::default(), Vec::new());
            for place in range.start as u32..range.end as u32 {
                let row = self.sketch.order()[place as usize];
                let places = known.of(row).iter().filter(|to| **to != u32::MAX).map(|to| place_of[*to as usize]);
                self.on_ground(|ground| meet.links(ground, place, places, &mut list));
                list.sort_unstable();
                list.truncate(width);
                // Rounding may put a known neighbor behind the value that it has.
                let last = list.last().map_or(0.0, |link| link.value());
                let beyond = Link::beyond(doubt.most(self.sketch.scaled(known.reach[row as usize])).max(last));
                list.resize(width, beyond);
                self.lists.write(place, &list);
            }
            Ok(())
        })?;
        self.rounds().with_known(&self.lists, run)
    }
}

/// Room for one row and a few others that meet it.
#[derive(Default)]
struct Few {
    places: Vec<u32>,
    panels: Panels,
    reaches: Reaches,
}

impl Few {
    /// The links to others, by the values that they have wherever the two meet: a link with another value would be a second one.
    fn links(&mut self, ground: &Ground, place: u32, others: impl Iterator<Item = u32>, list: &mut Vec<Link>) {
        self.places.clear();
        self.places.extend(others);
        list.clear();
        self.panels.fill(ground.rows, self.places.iter().copied());
        self.reaches.rows.clear();
        self.reaches.rows.push(f32::INFINITY);
        self.reaches.set_columns(self.places.iter().map(|_| f32::INFINITY));
        let others = &self.places;
        let take = |_: &mut Reaches, _: usize, other: usize, bound: f32| {
            list.push(Link::new((ground.measure)(place, others[other], bound), others[other]));
        };
        let (ids, pairs) = (&[place][..], Pairs::All);
        Meeting { rows: ground.rows, ids, panels: &self.panels, pairs, reaches: &mut self.reaches, take }.run();
    }
}
