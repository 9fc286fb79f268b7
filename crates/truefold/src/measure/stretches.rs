//! The stretch of ranks in which each point lies, seen from one of them: up to the first of some sizes, up to the second, and
//! so on; ties by row.
//!
//! Values are counted by their leading bits, which grow with them. Where no size lies between the least and the largest rank
//! of those with the same bits, all of them are in one stretch; only the others, a few for each size, are sorted. Cost:
//! O(n), and O(n log n) where nearly all values share their leading bits.

use std::cmp::Ordering;

/// The most different leading bits: a table of them stays in the cache.
const CELLS: u32 = 1 << 15;

/// Marks a cell whose points lie in several stretches.
const SEVERAL: u8 = u8::MAX;

/// Work space.
#[derive(Debug, Default)]
pub(super) struct Stretches {
    /// For each cell the number of its values.
    counts: Vec<u32>,
    /// For each cell the stretch of all its values.
    stretches: Vec<u8>,
    /// The number of smaller values and of values of the cells that lie in several stretches, in order.
    open: Vec<(usize, usize)>,
    /// Values and rows in these cells.
    unsettled: Vec<(f64, u32)>,
}

impl Stretches {
    /// Sets `found` to the stretch of each point, from the values of its pairs with point `source`; the source itself gets
    /// any. `sizes` are in order and fewer than 255.
    #[inline(always)]
    pub(super) fn find(&mut self, values: &[f64], source: usize, sizes: &[usize], found: &mut Vec<u8>) {
        found.clear();
        found.resize(values.len(), 0);
        let (before, after) = (&values[..source], &values[source + 1..]);
        let (mut least, mut largest) = (u32::MAX, 0);
        for value in before.iter().chain(after) {
            let bits = leading(*value);
            (least, largest) = (least.min(bits), largest.max(bits));
        }
        if least > largest {
            return;
        }
        let shift = (0..32).find(|shift| (largest - least) >> shift < CELLS).unwrap_or(31);
        let cell = |value: f64| ((leading(value) - least) >> shift) as usize;
        self.counts.clear();
        self.counts.resize(cell(f64::from_bits(u64::from(largest) << 32)) + 1, 0);
        before.iter().chain(after).for_each(|value| self.counts[cell(*value)] += 1);
        self.settle(sizes);
        self.unsettled.clear();
        for (first, part) in [(0, before), (source + 1, after)] {
            for ((value, row), found) in part.iter().zip(first as u32..).zip(&mut found[first..]) {
                *found = self.stretches[cell(*value)];
                if *found == SEVERAL {
                    self.unsettled.push((*value, row));
                }
            }
        }
        self.sort(sizes, found);
    }

    /// The stretch of each cell, and the cells that lie in several.
    #[inline(always)]
    fn settle(&mut self, sizes: &[usize]) {
        self.stretches.clear();
        self.open.clear();
        let (mut smaller, mut stretch) = (0, 0);
        for &count in &self.counts {
            let upto = smaller + count as usize;
            // The stretch of the rank after the smaller ones.
            while stretch < sizes.len() && sizes[stretch] <= smaller {
                stretch += 1;
            }
            if stretch < sizes.len() && sizes[stretch] < upto {
                self.stretches.push(SEVERAL);
                self.open.push((smaller, count as usize));
            } else {
                self.stretches.push(stretch as u8);
            }
            smaller = upto;
        }
    }

    /// Settles the points of the cells that lie in several stretches.
    #[inline(always)]
    fn sort(&mut self, sizes: &[usize], found: &mut [u8]) {
        self.unsettled.sort_unstable_by(order);
        let mut rest = self.unsettled.as_slice();
        for &(smaller, count) in &self.open {
            let mut stretch = sizes.partition_point(|&size| size <= smaller);
            let (cell, others) = rest.split_at(count);
            for (rank, &(_, row)) in (smaller + 1..).zip(cell) {
                while stretch < sizes.len() && sizes[stretch] < rank {
                    stretch += 1;
                }
                found[row as usize] = stretch as u8;
            }
            rest = others;
        }
    }
}

/// The leading bits of a number that is not negative, which grow with it; adding zero takes the sign off a zero.
#[inline(always)]
fn leading(value: f64) -> u32 {
    ((value + 0.0).to_bits() >> 32) as u32
}

#[inline(always)]
fn order(a: &(f64, u32), b: &(f64, u32)) -> Ordering {
    (a.0 + 0.0).total_cmp(&(b.0 + 0.0)).then(a.1.cmp(&b.1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_lie_in_the_stretch_of_their_rank() {
        let mut stretches = Stretches::default();
        // All different, many ties and signed zeros, one value, some far away, and all within rounding of each other.
        let kinds: [fn(usize) -> f64; 5] = [
            |i| (i * 7919 % 1009) as f64,
            |i| if i % 5 == 0 { -0.0 } else { (i % 5 / 2) as f64 },
            |_| 2.5,
            |i| 10_f64.powi((i % 3 * 100) as i32) * (i % 7) as f64,
            |i| 1.0 + (i * 31 % 101) as f64 * f64::EPSILON,
        ];
        for (count, value) in [1, 2, 3, 8, 100, 1000].into_iter().flat_map(|count| kinds.map(|kind| (count, kind))) {
            let values: Vec<f64> = (0..count).map(value).collect();
            let sizes: Vec<usize> =
                [1, 2, 4, 5, 30, 31, 300, 997, 998].into_iter().filter(|&k| k + 1 < count).collect();
            for source in [0, count / 2, count - 1] {
                let mut found = Vec::new();
                stretches.find(&values, source, &sizes, &mut found);
                let mut rows: Vec<usize> = (0..count).filter(|&row| row != source).collect();
                rows.sort_by(|&a, &b| order(&(values[a], a as u32), &(values[b], b as u32)));
                for (place, &row) in rows.iter().enumerate() {
                    let expected = sizes.partition_point(|&size| size < place + 1);
                    assert_eq!(usize::from(found[row]), expected, "{count} {source} {place}");
                }
            }
        }
    }
}
