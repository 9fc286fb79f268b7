//! All pairs summed directly, sixteen points at a time, for sums that are not a matrix product.

use super::shortlist::{Candidate, Emit, Shortlist, order};
use super::{Norm, Space};
use crate::{Result, Run};

/// Points that are measured together.
const LANES: usize = 16;
/// Queries that share each pass over the points.
const TASK: usize = 32;

/// All-pairs search that reads the points again for each task.
pub(super) struct Direct<'a> {
    space: &'a Space<'a>,
}

impl<'a> Direct<'a> {
    pub(super) fn new(space: &'a Space<'a>) -> Self {
        Self { space }
    }

    pub(super) fn each_nearest(&self, k: usize, emit: Emit, run: &Run) -> Result<()> {
        run.chunks("neighbors", self.space.len(), TASK, |range| {
            let mut lists = vec![Shortlist::default(); range.len()];
            lists.iter_mut().for_each(|list| list.restart(k));
            self.measure(&numbers(&range), &mut lists, Shortlist::last, |list, one| list.offer(one.0, one.1));
            range.zip(&mut lists).try_for_each(|(row, list)| emit(row as u32, list.finish()))
        })?;
        Ok(())
    }

    pub(super) fn each_within(&self, limit: f64, emit: Emit, run: &Run) -> Result<()> {
        run.chunks("neighbors", self.space.len(), TASK, |range| {
            let mut lists: Vec<Vec<Candidate>> = vec![Vec::new(); range.len()];
            self.measure(&numbers(&range), &mut lists, |_| (limit, u32::MAX), |list, one| list.push(one));
            range.zip(&mut lists).try_for_each(|(row, list)| {
                list.sort_unstable_by(order);
                emit(row as u32, list)
            })
        })?;
        Ok(())
    }

    /// The `k` nearest others of some rows, a chunk at a time.
    pub(super) fn nearest_of(&self, rows: &[u32], k: usize, run: &Run) -> Result<Vec<Vec<Vec<Candidate>>>> {
        run.chunks("checking", rows.len(), TASK, |range| {
            let mut lists = vec![Shortlist::default(); range.len()];
            lists.iter_mut().for_each(|list| list.restart(k));
            self.measure(&rows[range], &mut lists, Shortlist::last, |list, one| list.offer(one.0, one.1));
            Ok(lists.iter_mut().map(|list| list.finish().to_vec()).collect())
        })
    }

    /// Takes the points of a group, coordinate by coordinate; what is after the last point stays as it was.
    fn load(&self, number: usize, group: &mut [f64], room: &mut Vec<f64>) {
        let first = number * LANES;
        for row in first..(first + LANES).min(self.space.len()) {
            for (axis, &value) in self.space.row(row, room).iter().enumerate() {
                group[axis * LANES + row - first] = value;
            }
        }
    }

    /// Brings to each list, of one of `rows` each, all others whose value is not beyond its last.
    fn measure<L>(
        &self,
        rows: &[u32],
        lists: &mut [L],
        last: impl Fn(&L) -> Candidate,
        take: impl Fn(&mut L, Candidate),
    ) {
        let (arch, dim, norm) = (pulp::Arch::new(), self.space.dim(), self.space.norm());
        let mut queries = vec![0.0; rows.len() * dim];
        queries.chunks_exact_mut(dim).zip(rows).for_each(|(query, &row)| self.space.read(row as usize, query));
        let (mut group, mut room) = (vec![f64::INFINITY; LANES * dim], Vec::new());
        for number in 0..self.space.len().div_ceil(LANES) {
            self.load(number, &mut group, &mut room);
            for ((&own, point), list) in rows.iter().zip(queries.chunks_exact(dim)).zip(lists.iter_mut()) {
                let values = arch.dispatch(Measure { group: &group, point, norm });
                let reach = last(list).0;
                if values.iter().all(|value| *value > reach) {
                    continue;
                }
                for (lane, &value) in values.iter().enumerate() {
                    let row = number * LANES + lane;
                    if value <= last(list).0 && row != own as usize && row < self.space.len() {
                        take(list, (value, row as u32));
                    }
                }
            }
        }
    }
}

fn numbers(range: &std::ops::Range<usize>) -> Vec<u32> {
    range.clone().map(|row| row as u32).collect()
}

/// The values of one point with a group.
struct Measure<'a> {
    group: &'a [f64],
    point: &'a [f64],
    norm: Norm,
}

impl pulp::WithSimd for Measure<'_> {
    type Output = [f64; LANES];

    #[inline(always)]
    fn with_simd<S: pulp::Simd>(self, _: S) -> [f64; LANES] {
        let mut values = [0.0; LANES];
        let axes = self.group.as_chunks::<LANES>().0.iter().zip(self.point);
        match self.norm {
            Norm::Squares => axes.for_each(|(lanes, at)| {
                (0..LANES).for_each(|lane| values[lane] += (lanes[lane] - at) * (lanes[lane] - at));
            }),
            Norm::Absolutes => axes.for_each(|(lanes, at)| {
                (0..LANES).for_each(|lane| values[lane] += (lanes[lane] - at).abs());
            }),
        }
        values
    }
}
