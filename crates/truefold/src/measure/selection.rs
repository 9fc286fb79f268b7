//! Ranks of chosen sizes across parts of all points, and how much of neighborhoods of these sizes is kept.
//!
//! The point that is farthest among the K nearest of a query is found part by part. Values are counted by their leading
//! bits, which grow with them; those bits in which a size lies are counted again by the bits that follow, and at last the few
//! values that are left are listed. Ties go by part and then by row. Cost: a search among the sizes for each pair.

use super::Beside;
use super::scale::values;
use crate::{Result, Run};

/// Queries that share the tiles they are compared with; each holds its distances to all rows of the part.
const BLOCK: usize = 8;

/// For each query ranges of bits, in order and apart; each ends before its second number.
pub type Ranges = Vec<Vec<(u64, u64)>>;

/// For each query and size the bits of the value of the last point that is inside, and how many rows of the part with this
/// value are inside, the first ones.
pub type Thresholds = Vec<Vec<(u64, u32)>>;

/// The bits of a value that was found, and how many rows have it.
pub type Found = (u64, u32);

/// Bits that grow with a number that is not negative; adding zero takes the sign off a zero.
#[inline(always)]
fn bits(value: f64) -> u64 {
    (value + 0.0).to_bits()
}

impl Beside<'_> {
    /// For each query and each of its ranges how many rows of the part have a value there, by `pieces` parts of the range; the
    /// query itself is left out. Bits below `least` count as that.
    ///
    /// ```
    /// use truefold::measure::Beside;
    /// use truefold::{Metric, Points, Run};
    ///
    /// let points = Points::new(4, 1, vec![0.0, 0.0, 1.0, 2.0])?;
    /// let beside = Beside::new(&points, &[Some(0)], Metric::Euclidean)?;
    /// let ranges = vec![vec![(0, u64::MAX)]];
    /// assert_eq!(beside.counts(&ranges, 1, 0, &Run::new())?, [vec![2]]);
    /// # Ok::<(), truefold::Error>(())
    /// ```
    pub fn counts(&self, ranges: &Ranges, pieces: usize, least: u64, run: &Run) -> Result<Vec<Vec<u32>>> {
        self.each_query("counts of values", run, |query, values| {
            let ranges = &ranges[query];
            let shifts: Vec<u32> = ranges.iter().map(|&range| shift(range, pieces)).collect();
            let mut counts = vec![0; ranges.len() * pieces];
            self.others(query, values, |value| {
                let bits = bits(value).max(least);
                if let Some(at) = range_of(ranges, bits) {
                    counts[at * pieces + ((bits - ranges[at].0) >> shifts[at]) as usize] += 1;
                }
            });
            counts
        })
    }

    /// For each query the values of the rows of the part that lie in its ranges, in order, and how often each is there.
    ///
    /// ```
    /// use truefold::measure::Beside;
    /// use truefold::{Metric, Points, Run};
    ///
    /// // The query 0.0, which is in another part, beside 1, 2 and -1.
    /// let points = Points::new(4, 1, vec![0.0, 1.0, 2.0, -1.0])?;
    /// let beside = Beside::new(&points, &[None], Metric::Euclidean)?;
    /// let ranges = vec![vec![(0, 2.0_f64.to_bits())]];
    /// assert_eq!(beside.listed(&ranges, &Run::new())?, [[(1.0_f64.to_bits(), 2)]]);
    /// # Ok::<(), truefold::Error>(())
    /// ```
    pub fn listed(&self, ranges: &Ranges, run: &Run) -> Result<Vec<Vec<Found>>> {
        self.each_query("values at sizes", run, |query, values| {
            let mut found = Vec::new();
            self.others(query, values, |value| {
                let bits = bits(value);
                if range_of(&ranges[query], bits).is_some() {
                    found.push(bits);
                }
            });
            found.sort_unstable();
            found.chunk_by(|a, b| a == b).map(|same| (same[0], same.len() as u32)).collect()
        })
    }

    /// For each query and each size how many rows of the part are among its neighbors of this size in the data and in the map.
    ///
    /// ```
    /// use truefold::measure::Beside;
    /// use truefold::{Metric, Points, Run};
    ///
    /// // The query 0.0 beside three rows, whose order a map changes.
    /// let (data, map) = (Points::new(4, 1, vec![0.0, 1.0, 2.0, 3.0])?, Points::new(4, 1, vec![0.0, 2.0, 1.0, 3.0])?);
    /// let [data, map] = [Beside::new(&data, &[None], Metric::Euclidean)?, Beside::new(&map, &[None], Metric::Euclidean)?];
    /// // The last ones of the nearest 1 and 2 are at 1 and 2 in both: none of 1 is the same, and both of 2 are.
    /// let last = vec![vec![(1.0_f64.to_bits(), 1), (4.0_f64.to_bits(), 1)]];
    /// assert_eq!(data.kept(&map, [&last, &last], &Run::new())?, [[0, 2]]);
    /// # Ok::<(), truefold::Error>(())
    /// ```
    pub fn kept(&self, map: &Beside<'_>, both: [&Thresholds; 2], run: &Run) -> Result<Vec<Vec<u32>>> {
        self.each_query("neighborhoods of every size", run, |query, in_data| {
            let in_map = values(&map.distances, &[query as u32], map.part());
            let mut sides = both.map(|thresholds| Side::new(&thresholds[query]));
            let sizes = both[0][query].len();
            let mut counts = vec![0; sizes + 1];
            let own = self.own[query].wrapping_sub(self.queries());
            for (row, pair) in in_data.iter().zip(&in_map[0]).enumerate() {
                if row != own {
                    counts[sides[0].stretch(bits(*pair.0)).max(sides[1].stretch(bits(*pair.1)))] += 1;
                }
            }
            counts.truncate(sizes);
            counts.iter_mut().fold(0, |sum, count| {
                *count += sum;
                *count
            });
            counts
        })
    }

    /// Calls `visit` with each query and the values of its pairs with the part; the results come in order.
    fn each_query<T: Send>(
        &self,
        stage: &str,
        run: &Run,
        visit: impl Fn(usize, &[f64]) -> T + Send + Sync,
    ) -> Result<Vec<T>> {
        let chunks = run.chunks(stage, self.queries(), BLOCK, |range| {
            run.check()?;
            let queries: Vec<u32> = range.map(|query| query as u32).collect();
            let lists = values(&self.distances, &queries, self.part());
            Ok(queries.iter().zip(&lists).map(|(&query, list)| visit(query as usize, list)).collect::<Vec<T>>())
        })?;
        Ok(chunks.into_iter().flatten().collect())
    }

    /// Gives `take` all values but that of the query itself.
    #[inline(always)]
    fn others(&self, query: usize, values: &[f64], mut take: impl FnMut(f64)) {
        let own = self.own[query].wrapping_sub(self.queries());
        let (before, after) = (own.min(values.len()), own.saturating_add(1).min(values.len()));
        values[..before].iter().chain(&values[after..]).for_each(|&value| take(value));
    }
}

/// How many bits of a place in a range do not tell its piece.
fn shift((start, end): (u64, u64), pieces: usize) -> u32 {
    let last = (end - start).saturating_sub(1);
    (0..64).find(|&shift| last >> shift < pieces as u64).unwrap_or(63)
}

/// The range in which bits lie.
#[inline(always)]
fn range_of(ranges: &[(u64, u64)], bits: u64) -> Option<usize> {
    let at = ranges.partition_point(|range| range.1 <= bits);
    (at < ranges.len() && ranges[at].0 <= bits).then_some(at)
}

/// The thresholds of a query, and how many rows of each of their values were met.
struct Side<'a> {
    thresholds: &'a [(u64, u32)],
    met: Vec<u32>,
}

impl<'a> Side<'a> {
    fn new(thresholds: &'a [(u64, u32)]) -> Self {
        Self { thresholds, met: vec![0; thresholds.len()] }
    }

    /// The first size in which a row with this value is inside; the rows come in order.
    #[inline(always)]
    fn stretch(&mut self, bits: u64) -> usize {
        let mut at = self.thresholds.partition_point(|threshold| threshold.0 < bits);
        if at < self.thresholds.len() && self.thresholds[at].0 == bits {
            let met = self.met[at];
            self.met[at] += 1;
            while at < self.thresholds.len() && self.thresholds[at].0 == bits && self.thresholds[at].1 <= met {
                at += 1;
            }
        }
        at
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Metric, Points};

    #[test]
    fn rows_of_equal_values_are_inside_in_their_order() {
        let thresholds = [(3, 1), (5, 0), (5, 2), (8, u32::MAX)];
        let mut side = Side::new(&thresholds);
        let found = [3, 3, 5, 1, 5, 5, 8, 9].map(|bits| side.stretch(bits));
        assert_eq!(found, [0, 1, 2, 0, 2, 3, 3, 4]);
    }

    #[test]
    fn pieces_of_ranges_hold_all_values_but_the_own_one() {
        let points = Points::new(6, 1, vec![0.0, 1.0, 0.0, 2.0, 1.0, 9.0]).unwrap();
        let beside = Beside::new(&points, &[Some(0), None], Metric::Euclidean).unwrap();
        let run = Run::new();
        let (one, four) = (1.0_f64.to_bits(), 4.0_f64.to_bits());
        let ranges = vec![vec![(one, one + 1), (four, four + 64)], vec![(0, 1), (1, u64::MAX)]];
        // Of 0 there are 4, 1 and 81; of 1 all four: 1, 1, 0 and 64.
        assert_eq!(beside.counts(&ranges, 2, 0, &run).unwrap(), [[1, 0, 1, 0], [1, 0, 3, 0]]);
        let least = beside.counts(&vec![vec![(one, u64::MAX)]; 2], 1, one, &run).unwrap();
        assert_eq!(least, [[3], [4]]);
        assert_eq!(beside.listed(&ranges, &run).unwrap()[0], [(one, 1), (four, 1)]);
    }
}
