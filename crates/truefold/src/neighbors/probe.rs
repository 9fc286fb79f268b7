//! The exact neighbors of some points among all, where they are few.
//!
//! The kernel leaves out what is certainly beyond the reach of a point, a rough value the most of the rest, and double
//! precision decides. Tasks are blocks of all points, which meet all those asked about. Cost: n r multiplications a point,
//! r the width of the sketch.

use super::Space;
use super::kernel::{Meeting, Pairs, Panels, Reaches};
use super::shortlist::{Candidate, Shortlist};
use super::sketch::Sketch;
use crate::points::Ration;
use crate::{Result, Run};

/// Points that are met by one task.
const TASK: usize = 4096;
/// Points that are met at a time.
const BLOCK: usize = 512;

/// The `k` nearest others of the points at these places of the sketch, by row of the space.
///
/// `reach` says how far the k-th neighbor of each is at the most, in the units of the sketch.
pub(super) fn probe(
    space: &Space,
    sketch: &Sketch,
    places: &[u32],
    k: usize,
    reach: &(dyn Fn(u32) -> f32 + Sync),
    run: &Run,
) -> Result<Vec<Vec<Candidate>>> {
    let parts = run.chunks("checking", places.len(), 64, |range| {
        Ok(places[range].iter().map(|&place| reach(place)).collect::<Vec<f32>>())
    })?;
    let reaches: Vec<f32> = parts.into_iter().flatten().collect();
    let ration = space.ration(Space::READ);
    let parts = run.chunks("checking", sketch.len(), TASK, |range| {
        let mut some = Asked::new(places, k, &reaches, &ration);
        for first in range.clone().step_by(BLOCK) {
            run.check()?;
            some.meet(space, sketch, first as u32..(first + BLOCK).min(range.end) as u32);
        }
        Ok(some.found.iter_mut().map(|list| list.finish().to_vec()).collect::<Vec<_>>())
    })?;
    let nearest = |asked: usize| {
        let mut list = Shortlist::default();
        list.restart(k);
        parts.iter().flat_map(|part| &part[asked]).for_each(|one| list.offer(one.0, one.1));
        list.finish().to_vec()
    };
    Ok((0..places.len()).map(nearest).collect())
}

/// Some points, and what was found for each.
struct Asked<'a> {
    places: &'a [u32],
    found: Vec<Shortlist>,
    reaches: Reaches,
    panels: Panels,
    ration: &'a Ration<'a>,
}

impl<'a> Asked<'a> {
    fn new(places: &'a [u32], k: usize, reaches: &[f32], ration: &'a Ration<'a>) -> Self {
        let mut list = Shortlist::default();
        list.restart(k);
        let reaches = Reaches { rows: reaches.to_vec(), columns: Vec::new() };
        Self { places, found: vec![list; places.len()], reaches, panels: Panels::default(), ration }
    }

    fn meet(&mut self, space: &Space, sketch: &Sketch, block: std::ops::Range<u32>) {
        let Self { places, found, reaches, panels, ration } = self;
        let doubt = sketch.doubt();
        panels.fill(sketch.rows(), block.clone());
        reaches.set_columns(block.clone().map(|_| f32::NEG_INFINITY));
        let take = |reaches: &mut Reaches, a: usize, b: usize, _: f32| {
            let (own, other) = (places[a], block.start + b as u32);
            if own == other {
                return;
            }
            ration.scattered(1);
            if doubt.least(sketch.full_value(space, own, other)) > reaches.rows[a] {
                return;
            }
            let [row, to] = [own, other].map(|place| sketch.order()[place as usize]);
            found[a].offer(space.value(row as usize, to as usize), to);
            reaches.rows[a] = reaches.rows[a].min(sketch.scaled(found[a].last().0));
        };
        Meeting { rows: sketch.rows(), ids: places, panels, pairs: Pairs::All, reaches, take }.run();
    }
}
