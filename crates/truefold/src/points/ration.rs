//! How much of a mapped file is in memory at a time.
//!
//! Whoever looks through a mapped file, or at rows anywhere in it, counts what it has read; when that is much, the system
//! may have the memory back. Of other tables nothing is counted.

use super::table::Cells;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Bytes of a stretch of a mapped file, about.
const STRETCH: usize = 320 << 20;
/// Stretches of a table, at most.
const MOST_STRETCHES: usize = 16;
/// What the system may bring in around a row that is read anywhere.
const AROUND: usize = 2 << 20;

/// A count of what was read of a table.
pub(crate) struct Ration<'a> {
    cells: &'a Cells,
    /// The bytes of a row; none where the table is not a large mapped file.
    row: usize,
    /// Bytes that are read before memory is given back.
    most: usize,
    read: AtomicUsize,
}

impl<'a> Ration<'a> {
    /// Nothing was read yet of a table of `len` rows of `dim` numbers, of which `most` bytes may be in memory. Up to
    /// twice as many are left there: giving them back would cost more than it gains.
    pub(super) fn new(cells: &'a Cells, [len, dim]: [usize; 2], most: usize) -> Self {
        let row = if cells.can_be_set_aside() { cells.bytes_of_row(dim) } else { 0 };
        Self { cells, row: if len * row > 2 * most { row } else { 0 }, most, read: AtomicUsize::new(0) }
    }

    /// So many rows were read one after the other.
    pub(crate) fn rows(&self, count: usize) {
        self.bytes(count * self.row);
    }

    /// So many rows were read that lie anywhere.
    pub(crate) fn scattered(&self, count: usize) {
        if self.row > 0 {
            self.bytes(count * self.row.max(AROUND));
        }
    }

    /// Into how many stretches a table of so many rows is cut, so that a few of them can be in memory at a time. Every two
    /// of them meet, so they are longer where the table is very large.
    pub(crate) fn stretches(&self, count: usize) -> usize {
        (count * self.row).div_ceil(STRETCH).clamp(1, MOST_STRETCHES)
    }

    fn bytes(&self, count: usize) {
        if self.row > 0 && self.read.fetch_add(count, Ordering::Relaxed) + count >= self.most {
            self.read.store(0, Ordering::Relaxed);
            self.cells.set_aside();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::table::{Keeper, Layout};
    use super::super::{Points, Precision};
    use super::*;
    use std::sync::Arc;

    /// Bytes that count how often they are set aside.
    struct Counted(Vec<u8>, AtomicUsize);

    impl Keeper for Counted {
        fn bytes(&self) -> &[u8] {
            &self.0
        }

        fn can_be_set_aside(&self) -> bool {
            true
        }

        fn set_aside(&self) {
            self.1.fetch_add(1, Ordering::Relaxed);
        }
    }

    #[test]
    fn memory_is_given_back_after_as_many_bytes_as_allowed_and_never_of_small_tables() {
        let keeper = Arc::new(Counted(vec![0; 4000], AtomicUsize::new(0)));
        let times = || keeper.1.load(Ordering::Relaxed);
        let layout = Layout { precision: Precision::Single, len: 100, dim: 8, offset: 0, stride: 10 };
        let points = Points::from_layout(&layout, keeper.clone()).unwrap();
        assert_eq!(times(), 0, "a small table stays where it is while it is checked");
        let ration = points.ration(1000);
        (0..24).for_each(|_| ration.rows(1));
        assert_eq!(times(), 0, "40 bytes a row, with those up to the next one");
        ration.rows(1);
        assert_eq!(times(), 1);
        ration.scattered(1);
        assert_eq!(times(), 2, "a row anywhere brings in what is around it");
        assert_eq!(ration.stretches(100), 1);
        assert_eq!(ration.stretches(30_000_000), 4, "1.2 gigabytes");
        let small = points.ration(2000);
        small.rows(1000);
        small.scattered(1000);
        assert_eq!((times(), small.stretches(30_000_000)), (2, 1));
        let owned = Points::new(100, 10, vec![0.0; 1000]).unwrap();
        owned.ration(1).rows(100);
    }
}
