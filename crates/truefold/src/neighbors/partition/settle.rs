//! The lists in the order of the true values, at the end and for the sampled points in between.
//!
//! Links come by their values in the sketch. Values in all coordinates are rough ones, in single precision, and only
//! those that rough values cannot tell apart are summed in double precision. Of a mapped file that is large, two
//! stretches of rows at a time are looked at where there is a sketch, so that the rest needs no memory.

use super::super::Space;
use super::super::shortlist::{Candidate, Emit, order as by_value};
use super::lists::Link;
use super::recall::settled;
use super::{Partition, TASK};
use crate::points::Ration;
use crate::{Result, Run};

/// Pairs between asking for a row and needing it.
const AHEAD: usize = 6;
/// Places, about, that tell how many links will be looked at.
const TRIED: usize = 500;

impl Partition<'_> {
    /// Gives `emit` the list of each row.
    pub(super) fn each(&self, emit: Emit, run: &Run) -> Result<()> {
        let stretches = self.space.ration(Space::READ).stretches(self.space.len());
        if stretches > 2 && !self.full {
            return self.each_by_stretches(stretches, emit, run);
        }
        run.chunks("neighbors", self.space.len(), TASK, |range| {
            for place in range.start as u32..range.end as u32 {
                emit(self.sketch.order()[place as usize], &self.list(place))?;
            }
            Ok(())
        })?;
        Ok(())
    }

    /// The neighbors of a place found so far, as rows, nearest first; values only where they were needed.
    fn list(&self, place: u32) -> Vec<Candidate> {
        let fetch = |to: u32| self.space.fetch(self.sketch.order()[to as usize] as usize);
        self.list_by(place, &fetch, &|to| self.sketch.full_value(self.space, place, to))
    }

    /// The same, given how to ask for the row of another place, and the full value of the two.
    pub(super) fn list_by(&self, place: u32, fetch: &dyn Fn(u32), full: &dyn Fn(u32) -> f32) -> Vec<Candidate> {
        if self.sketch.is_whole() {
            let mut list = settled(self.space, self.sketch, &self.lists, place);
            list.truncate(self.k);
            return list;
        }
        let links: Vec<Link> = self.lists.known(place).collect();
        let value = |at: usize| {
            if self.full {
                return links[at].value();
            }
            if let Some(next) = links.get(at + 2) {
                fetch(next.row());
            }
            full(links[at].row())
        };
        self.settled_where_in_doubt(place, &links, value).0
    }

    /// The same for all rows, with the rows of two stretches in memory at a time.
    fn each_by_stretches(&self, stretches: usize, emit: Emit, run: &Run) -> Result<()> {
        let (count, order, width) = (self.space.len(), self.sketch.order(), self.lists.width());
        let ration = self.space.ration(Space::READ);
        let beyond = self.looked_at(&ration);
        let stretch_of: Vec<u32> = order.iter().map(|&row| (row as usize * stretches / count) as u32).collect();
        for own in 0..stretches as u32 {
            let places: Vec<u32> = (0..count as u32).filter(|place| stretch_of[*place as usize] == own).collect();
            let pairs = run.chunks("neighbors", places.len(), TASK, |range| {
                let mut pairs = vec![Vec::new(); stretches];
                for (at, &place) in places[range].iter().enumerate() {
                    let reach = beyond * self.lists.known(place).nth(self.k - 1).map_or(0.0, Link::value);
                    let links = self.lists.known(place).enumerate();
                    for (number, link) in links.take_while(|(at, link)| *at < self.k || link.value() <= reach) {
                        let to = link.row();
                        pairs[stretch_of[to as usize] as usize].push(((at * width + number) as u32, to));
                    }
                }
                Ok(pairs)
            })?;
            let mut values = vec![f32::NAN; places.len() * width];
            for other in 0..stretches {
                run.chunks_into("neighbors", (&mut values, width), TASK, |range, values| {
                    let (pairs, places) = (&pairs[range.start / TASK][other], &places[range]);
                    let place_of = |at: u32| places[at as usize / width];
                    for (number, &(at, to)) in pairs.iter().enumerate() {
                        if let Some(&(at, to)) = pairs.get(number + AHEAD) {
                            for place in [place_of(at), to] {
                                self.space.fetch(order[place as usize] as usize);
                            }
                        }
                        values[at as usize] = self.sketch.full_value(self.space, place_of(at), to);
                    }
                    Ok(())
                })?;
                self.space.set_aside();
            }
            run.chunks("neighbors", places.len(), TASK, |range| {
                let mut links = Vec::new();
                for (place, values) in
                    places[range.clone()].iter().zip(values[range.start * width..].chunks_exact(width))
                {
                    links.clear();
                    links.extend(self.lists.known(*place));
                    let value = |at: usize| {
                        if values[at].is_nan() {
                            ration.scattered(2);
                            return self.sketch.full_value(self.space, *place, links[at].row());
                        }
                        values[at]
                    };
                    let (list, summed) = self.settled_where_in_doubt(*place, &links, value);
                    ration.scattered(summed);
                    emit(order[*place as usize], &list)?;
                }
                Ok(())
            })?;
        }
        Ok(())
    }

    /// Up to which value in the sketch links are looked at for nearly all places, as a multiple of that of the k-th link;
    /// found on some.
    fn looked_at(&self, ration: &Ration) -> f32 {
        let share_of = |place: usize| {
            let links: Vec<Link> = self.lists.known(place as u32).collect();
            let mut farthest = 0.0_f32;
            self.settled_where_in_doubt(place as u32, &links, |at| {
                ration.scattered(2);
                farthest = farthest.max(links[at].value());
                self.sketch.full_value(self.space, place as u32, links[at].row())
            });
            links.get(self.k - 1).filter(|link| link.value() > 0.0).map_or(1.0, |link| farthest / link.value())
        };
        let mut shares: Vec<f32> =
            (0..self.space.len()).step_by(self.space.len().div_ceil(TRIED)).map(share_of).collect();
        let place = shares.len() * 49 / 50;
        *shares.select_nth_unstable_by(place, f32::total_cmp).1
    }

    /// The list of a place in the order of the true values, given its links by their values in the sketch, and the full
    /// value of each; only those that full values, which are rough, cannot tell apart are summed in double precision, and
    /// how many these are.
    fn settled_where_in_doubt(
        &self,
        place: u32,
        links: &[Link],
        mut full: impl FnMut(usize) -> f32,
    ) -> (Vec<Candidate>, usize) {
        let (order, doubt, mut summed) = (self.sketch.order(), self.sketch.doubt(), 0);
        let mut rough = Vec::with_capacity(links.len());
        for (at, link) in links.iter().enumerate() {
            // Of these values the sketch sees the most: few beyond are nearer.
            let may_end = rough.len() >= self.k && !self.full;
            if may_end && link.value() > self.seen[1] * nth(&mut rough, self.k - 1) {
                break;
            }
            rough.push((full(at), order[link.row() as usize]));
        }
        rough.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let mut list: Vec<Candidate> = rough.iter().map(|&(value, row)| (f64::from(value), row)).collect();
        let mut start = 0;
        while start < self.k.min(list.len()) {
            let mut end = start + 1;
            while end < list.len() && doubt.least(rough[end].0) <= doubt.most(rough[end - 1].0) {
                end += 1;
            }
            if end > start + 1 {
                let center = order[place as usize] as usize;
                list[start..end].iter_mut().for_each(|one| one.0 = self.space.value(center, one.1 as usize));
                list[start..end].sort_unstable_by(by_value);
                summed += end - start;
            }
            start = end;
        }
        list.truncate(self.k);
        (list, summed)
    }
}

/// The value at a place of the sorted list.
fn nth(list: &mut [(f32, u32)], place: usize) -> f32 {
    list.select_nth_unstable_by(place, |a, b| a.0.total_cmp(&b.0)).1.0
}

#[cfg(test)]
mod tests {
    use super::super::super::sketch::Sketch;
    use super::super::recall::Sample;
    use super::*;
    use crate::random::hash;
    use crate::{Metric, Points};
    use std::sync::Mutex;

    #[test]
    fn stretches_change_no_list() {
        // Smooth functions of six hidden numbers with noise, which the sketch does not see, and copies, so that some
        // values are equal.
        let (count, dim) = (3000, 80);
        let hidden = |row: usize, at: usize| hash((row % 2900) as u64, at as u64) as f64 / u64::MAX as f64;
        let cell = |row: usize, axis: usize| {
            let noise = 0.1 * hidden(row, 6 + axis);
            noise
                + (0..6)
                    .map(|at| ((1.0 + hash(axis as u64, at as u64) as f64 / 1e19) * hidden(row, at)).sin())
                    .sum::<f64>()
        };
        let values = (0..count * dim).map(|at| cell(at / dim, at % dim) as f32).collect();
        let points = Points::from_elements(count, dim, values).unwrap();
        let run = Run::new();
        let space = Space::new(&points, Metric::Euclidean).unwrap();
        let sketch = Sketch::new(&space, Sketch::ENOUGH, &run).unwrap();
        let mut search = Partition::new(&space, &sketch, 8, 0.95);
        (0..3).for_each(|_| search.tree(&run).unwrap());
        let sample = Sample::new(&search, &run).unwrap();
        search.learn(&sample);
        assert!(!search.full && search.seen[1] < 1.0);
        let collected = |each: &dyn Fn(Emit) -> Result<()>| {
            let lists = Mutex::new(vec![Vec::new(); count]);
            each(&|row, list| {
                let rows: Vec<u32> = list.iter().map(|one| one.1).collect();
                lists.lock().unwrap()[row as usize] = rows;
                Ok(())
            })
            .unwrap();
            lists.into_inner().unwrap()
        };
        let expected = collected(&|emit| search.each(emit, &run));
        assert!(expected.iter().all(|list| list.len() == 8));
        for stretches in [1, 2, 5] {
            let found = collected(&|emit| search.each_by_stretches(stretches, emit, &run));
            assert!(found == expected, "{stretches}");
        }
        // Few links are looked at beyond the k-th, and never fewer.
        assert!(search.looked_at(&space.ration(Space::READ)) >= 1.0);
    }
}
