//! Operations on the columns of a table stored row by row, several rows at a time so that short rows are not slower.

/// Numbers that are worked on together, at least where rows are shorter.
const LANES: usize = 32;

/// One number for each column, laid out for as many whole rows as are worked on together.
pub(crate) struct Columns {
    values: Vec<f64>,
    dim: usize,
}

impl Columns {
    /// These numbers, one a column.
    pub(crate) fn new(values: &[f64]) -> Self {
        let dim = values.len();
        Self { values: values.repeat((LANES / dim).max(1)), dim }
    }

    /// Each column of `table` folded by `join`, from `start` on; the order must not matter.
    #[inline(always)]
    pub(crate) fn join(table: &[f64], dim: usize, start: f64, join: impl Fn(f64, f64) -> f64) -> Vec<f64> {
        let mut lanes = Self::new(&vec![start; dim]).values;
        for rows in table.chunks(lanes.len()) {
            lanes.iter_mut().zip(rows).for_each(|(lane, &value)| *lane = join(*lane, value));
        }
        let mut joined = vec![start; dim];
        for row in lanes.chunks_exact(dim) {
            joined.iter_mut().zip(row).for_each(|(joined, &lane)| *joined = join(*joined, lane));
        }
        joined
    }

    /// Calls `each` with every number of `table` and that of its column.
    #[inline(always)]
    pub(crate) fn change(&self, table: &mut [f64], each: impl Fn(&mut f64, f64)) {
        debug_assert_eq!(table.len() % self.dim, 0);
        for rows in table.chunks_mut(self.values.len()) {
            rows.iter_mut().zip(&self.values).for_each(|(value, &column)| each(value, column));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_of_any_width_are_joined_and_changed() {
        for dim in [1, 2, 3, 7, 31, 32, 33, 100] {
            let rows = 67;
            let mut table: Vec<f64> = (0..rows * dim).map(|at| ((at / dim) * 10 + at % dim) as f64).collect();
            let sums = Columns::join(&table, dim, 0.0, |a, b| a + b);
            let expected: Vec<f64> = (0..dim).map(|column| (rows * (10 * (rows - 1) / 2 + column)) as f64).collect();
            assert_eq!(sums, expected, "{dim}");
            let highest = Columns::join(&table, dim, f64::NEG_INFINITY, f64::max);
            Columns::new(&highest).change(&mut table, |value, most| *value -= most);
            assert!(table.iter().enumerate().all(|(at, &value)| value == (10 * (at / dim)) as f64 - 660.0), "{dim}");
        }
    }
}
