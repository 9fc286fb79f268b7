//! Row gathers over n x d blocks that are stored row by row, compiled once per small width.
//!
//! out += sum over e of f_e * block[row_e]: the one inner loop of the Laplacian and of its preconditioners. Up to
//! eight columns the running sums live in registers; wider blocks use the row itself. Cost: one pass over the rows
//! named, whatever the number of columns.

/// Rows per task. It is fixed, so that what is summed per task has the same bits on any number of threads.
pub(crate) const CHUNK: usize = 2048;

/// Runs an expression with the constant `$w` equal to the number of columns up to eight, and 0 (any) beyond.
macro_rules! by_width {
    ($columns:expr, $w:ident => $run:expr) => {{
        macro_rules! with {
            ($value:literal) => {{
                const $w: usize = $value;
                $run
            }};
        }
        match $columns {
            1 => with!(1),
            2 => with!(2),
            3 => with!(3),
            4 => with!(4),
            5 => with!(5),
            6 => with!(6),
            7 => with!(7),
            8 => with!(8),
            _ => with!(0),
        }
    }};
}
pub(crate) use by_width;

/// Adds to `out` the named rows of `block`, each times its factor; `W` is the width of `out`, or 0 for any.
#[inline(always)]
pub(crate) fn add_rows<const W: usize>(out: &mut [f64], block: &[f64], rows: impl Iterator<Item = (u32, f64)>) {
    if W == 0 {
        let columns = out.len();
        for (row, factor) in rows {
            let row = &block[row as usize * columns..][..columns];
            for (out, value) in out.iter_mut().zip(row) {
                *out += factor * value;
            }
        }
        return;
    }
    let mut sums = [0.0; W];
    sums.copy_from_slice(out);
    for (row, factor) in rows {
        let row = &block[row as usize * W..][..W];
        for column in 0..W {
            sums[column] += factor * row[column];
        }
    }
    out.copy_from_slice(&sums);
}

/// The rows of `from` in the order `rows`, into `to`.
pub(crate) fn permute(to: &mut [f64], from: &[f64], rows: &[u32], columns: usize) {
    use rayon::prelude::*;
    to.par_chunks_mut(CHUNK * columns).zip(rows.par_chunks(CHUNK)).for_each(|(to, rows)| {
        for (to, &row) in to.chunks_exact_mut(columns).zip(rows) {
            to.copy_from_slice(&from[row as usize * columns..][..columns]);
        }
    });
}

/// Subtracts from each column its mean.
pub(crate) fn subtract_means(values: &mut [f64], columns: usize) {
    use rayon::prelude::*;
    let parts: Vec<Vec<f64>> = values
        .par_chunks(CHUNK * columns)
        .map(|rows| {
            let mut sums = vec![0.0; columns];
            for row in rows.chunks_exact(columns) {
                sums.iter_mut().zip(row).for_each(|(sum, value)| *sum += value);
            }
            sums
        })
        .collect();
    let count = (values.len() / columns) as f64;
    let mut means = vec![0.0; columns];
    for part in parts {
        means.iter_mut().zip(part).for_each(|(mean, sum)| *mean += sum / count);
    }
    values.par_chunks_mut(CHUNK * columns).for_each(|rows| {
        for row in rows.chunks_exact_mut(columns) {
            row.iter_mut().zip(&means).for_each(|(value, mean)| *value -= mean);
        }
    });
}
