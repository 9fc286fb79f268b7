//! Products of rows with panels of rows, and the search of the result for pairs within reach, in one pass.
//!
//! With rows a_i in single precision, |a_i - a_j|^2 = |a_i|^2 + |a_j|^2 - 2 a_i'a_j. Six rows meet a panel of sixteen at a
//! time; the 96 sums stay in registers, are compared with the reach of their row and of their column, and are never
//! stored. Each sum has one accumulator and adds fused products in the order of the coordinates, so its bits do not
//! depend on the instruction set, nor on which of the two points is the row. Cost: q multiplications a pair, near the
//! speed of a matrix product.

use super::Norm;

/// Points of a panel.
pub(super) const WIDE: usize = 16;
/// Rows that meet a panel together.
const HIGH: usize = 6;
/// Bytes of a line of the processor's cache.
#[cfg(target_arch = "x86_64")]
const LINE: usize = 64;
/// How many rows are asked for before they are needed, where they lie anywhere.
pub(super) const AHEAD: usize = 8;

/// Single-precision rows, and what each adds to the values of its pairs: the square of its length, or nothing; lowered by
/// the error.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rows<'a> {
    pub(super) values: &'a [f32],
    pub(super) squares: &'a [f32],
    pub(super) dim: usize,
    pub(super) norm: Norm,
}

impl<'a> Rows<'a> {
    /// The coordinates of one row.
    #[inline(always)]
    pub(super) fn row(&self, row: u32) -> &'a [f32] {
        &self.values[row as usize * self.dim..][..self.dim]
    }

    /// Asks for a row before it is needed.
    #[inline(always)]
    pub(super) fn fetch(&self, row: u32) {
        fetch(self.row(row));
        fetch(&self.squares[row as usize..][..1]);
    }
}

/// Asks the processor to bring some numbers into its cache while it works on others. Where the rows are many, waiting for
/// memory would otherwise take as long as the work.
#[inline(always)]
pub(super) fn fetch<T>(numbers: &[T]) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        let line = (LINE / size_of::<T>()).max(1);
        for part in numbers.chunks(line) {
            // SAFETY: this reads nothing, whatever the address.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(part.as_ptr().cast()) };
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = numbers;
}

/// Some rows, sixteen beside each other, coordinate by coordinate.
#[derive(Debug, Clone, Default)]
pub(super) struct Panels {
    values: Vec<f32>,
    squares: Vec<f32>,
    ids: Vec<u32>,
    len: usize,
}

impl Panels {
    /// Takes these rows in place of others.
    pub(super) fn fill(&mut self, rows: Rows, ids: impl ExactSizeIterator<Item = u32>) {
        let dim = rows.dim;
        self.len = ids.len();
        let padded = self.len.next_multiple_of(WIDE);
        self.values.resize(padded * dim, 0.0);
        self.squares.clear();
        // What fills the last panel is beyond every reach.
        self.squares.resize(padded, f32::INFINITY);
        self.ids.clear();
        self.ids.extend(ids);
        for (square, &id) in self.squares.iter_mut().zip(&self.ids) {
            *square = rows.squares[id as usize];
        }
        pulp::Arch::new().dispatch(Transposed { rows, ids: &self.ids, out: &mut self.values });
    }
}

/// Writes rows beside each other.
struct Transposed<'a> {
    rows: Rows<'a>,
    ids: &'a [u32],
    out: &'a mut [f32],
}

impl pulp::WithSimd for Transposed<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: pulp::Simd>(self, _: S) {
        const AXES: usize = 4;
        let dim = self.rows.dim;
        for (number, (ids, panel)) in self.ids.chunks(WIDE).zip(self.out.chunks_exact_mut(WIDE * dim)).enumerate() {
            for (four, ids) in ids.chunks(AXES).enumerate() {
                let ahead = (number * WIDE + four * AXES + AHEAD).min(self.ids.len());
                self.ids[ahead..].iter().take(AXES).for_each(|&id| self.rows.fetch(id));
                let rows: [&[f32]; AXES] = std::array::from_fn(|row| self.rows.row(ids[row.min(ids.len() - 1)]));
                let (blocks, rest) = (rows.map(|row| row.as_chunks::<AXES>().0), dim / AXES * AXES);
                let [a, b, c, d] = blocks;
                let blocks = a.iter().zip(b).zip(c).zip(d);
                for ((((a, b), c), d), out) in blocks.zip(panel.chunks_exact_mut(WIDE * AXES)) {
                    for axis in 0..AXES {
                        let across = [a[axis], b[axis], c[axis], d[axis]];
                        out[axis * WIDE + four * AXES..][..AXES].copy_from_slice(&across);
                    }
                }
                for axis in rest..dim {
                    let across = rows.map(|row| row[axis]);
                    panel[axis * WIDE + four * AXES..][..AXES].copy_from_slice(&across);
                }
            }
        }
    }
}

/// The reach of rows and columns: no pair beyond both matters. Those of columns fill up the last panel.
#[derive(Debug, Clone, Default)]
pub(super) struct Reaches {
    pub(super) rows: Vec<f32>,
    pub(super) columns: Vec<f32>,
}

impl Reaches {
    /// The same reaches for rows and columns, which are the same points.
    pub(super) fn set(&mut self, reaches: impl Iterator<Item = f32>) {
        self.rows.clear();
        self.rows.extend(reaches);
        self.columns.clone_from(&self.rows);
        self.columns.resize(self.rows.len().next_multiple_of(WIDE), f32::NEG_INFINITY);
    }

    /// Other reaches for the columns.
    pub(super) fn set_columns(&mut self, reaches: impl Iterator<Item = f32>) {
        self.columns.clear();
        self.columns.extend(reaches);
        self.columns.resize(self.columns.len().next_multiple_of(WIDE), f32::NEG_INFINITY);
    }
}

/// Which pairs of rows and columns are looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Pairs {
    /// All.
    All,
    /// Those whose row comes before the column; rows and columns are the same points.
    Before,
}

/// Hands every pair that is within reach of its row or of its column to `take`: the places of row and column, and the
/// value.
pub(super) struct Meeting<'a, T> {
    pub(super) rows: Rows<'a>,
    pub(super) ids: &'a [u32],
    pub(super) panels: &'a Panels,
    pub(super) pairs: Pairs,
    pub(super) reaches: &'a mut Reaches,
    pub(super) take: T,
}

impl<T: FnMut(&mut Reaches, usize, usize, f32)> Meeting<'_, T> {
    /// Looks at all pairs, panel by panel.
    pub(super) fn run(self) {
        pulp::Arch::new().dispatch(self);
    }

    /// Hands on those of the marked values of six rows with a panel that are still within reach.
    #[inline(always)]
    fn pass(&mut self, start: usize, first: usize, found: &Found) {
        let inside = (1_u32 << WIDE.min(self.panels.len - first)) - 1;
        for (row, (values, &marked)) in (start..).zip(found.values.iter().zip(&found.marked)) {
            let mut marked = marked & inside;
            if self.pairs == Pairs::Before && row >= first {
                marked &= !0 << (row + 1 - first);
            }
            while marked != 0 {
                let wide = marked.trailing_zeros() as usize;
                marked &= marked - 1;
                let (column, value) = (first + wide, values[wide % WIDE]);
                if value <= self.reaches.rows[row].max(self.reaches.columns[column]) {
                    (self.take)(self.reaches, row, column, value);
                }
            }
        }
    }
}

/// The values of six rows with a panel, and for each a bit that says whether it was within reach.
struct Found {
    values: [[f32; WIDE]; HIGH],
    marked: [u32; HIGH],
}

/// The second half of a meeting, in the same instruction set.
struct Pass<'a, 'b, T> {
    meeting: &'a mut Meeting<'b, T>,
    start: usize,
    first: usize,
    found: &'a Found,
}

impl<T: FnMut(&mut Reaches, usize, usize, f32)> pulp::NullaryFnOnce for Pass<'_, '_, T> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        self.meeting.pass(self.start, self.first, self.found);
    }
}

impl<T: FnMut(&mut Reaches, usize, usize, f32)> pulp::WithSimd for Meeting<'_, T> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: pulp::Simd>(mut self, simd: S) {
        let dim = self.rows.dim;
        for (number, panel) in self.panels.values.chunks_exact(WIDE * dim).enumerate() {
            let first = number * WIDE;
            let columns: [f32; WIDE] = std::array::from_fn(|wide| self.panels.squares[first + wide]);
            let end = if self.pairs == Pairs::Before { self.ids.len().min(first + WIDE) } else { self.ids.len() };
            // From the last on: in an order in which neighbors are near each other they come first, and what follows is
            // beyond their reach.
            for start in (0..end).step_by(HIGH).rev() {
                let high = HIGH.min(end - start);
                let ids: [u32; HIGH] = std::array::from_fn(|row| self.ids[start + row.min(high - 1)]);
                let rows = ids.map(|id| self.rows.row(id));
                let sums = sums(simd, self.rows.norm, rows, panel.as_chunks::<WIDE>().0);
                let factor = if self.rows.norm == Norm::Squares { -2.0 } else { 1.0 };
                let beyond: [f32; WIDE] = std::array::from_fn(|wide| self.reaches.columns[first + wide]);
                let mut found = Found { values: [[0.0; WIDE]; HIGH], marked: [0; HIGH] };
                let mut any = 0;
                for row in 0..high {
                    let own = self.rows.squares[ids[row] as usize];
                    let reach = self.reaches.rows[start + row];
                    let values = &mut found.values[row];
                    for wide in 0..WIDE {
                        values[wide] = (own + columns[wide]) + factor * sums[row][wide];
                    }
                    let mut marked = 0;
                    for wide in 0..WIDE {
                        marked |= u32::from(values[wide] <= reach.max(beyond[wide])) << wide;
                    }
                    found.marked[row] = marked;
                    any |= marked;
                }
                if any != 0 {
                    simd.vectorize(Pass { meeting: &mut self, start, first, found: &found });
                }
            }
        }
    }
}

/// The inner products of rows with panels of the same length, row by row.
pub(super) struct Products<'a> {
    pub(super) rows: &'a [f32],
    pub(super) dim: usize,
    pub(super) panels: &'a Panels,
    pub(super) out: &'a mut [f32],
}

impl pulp::WithSimd for Products<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: pulp::Simd>(self, simd: S) {
        let Self { rows, dim, panels, out } = self;
        let count = rows.len() / dim;
        // Fewer than six rows are made up to six; of more, the last six may overlap those before.
        let mut room = Vec::new();
        let padded = if count < HIGH {
            room.resize(HIGH * dim, 0.0);
            room[..rows.len()].copy_from_slice(rows);
            &room
        } else {
            rows
        };
        for (number, panel) in panels.values.chunks_exact(WIDE * dim).enumerate() {
            let first = number * WIDE;
            let width = WIDE.min(panels.len - first);
            for start in (0..count).step_by(HIGH).map(|start| start.min(count.saturating_sub(HIGH))) {
                let block = &padded[start * dim..][..HIGH * dim];
                let six = std::array::from_fn(|row| &block[row * dim..][..dim]);
                let sums = sums(simd, Norm::Squares, six, panel.as_chunks::<WIDE>().0);
                for (row, sums) in sums.iter().enumerate().take(count) {
                    out[(start + row) * panels.len + first..][..width].copy_from_slice(&sums[..width]);
                }
            }
        }
    }
}

/// The sums of six rows with a panel: of products, or of absolute differences.
#[inline(always)]
fn sums<S: pulp::Simd>(simd: S, norm: Norm, rows: [&[f32]; HIGH], panel: &[[f32; WIDE]]) -> [[f32; WIDE]; HIGH] {
    match S::F32_LANES {
        4 => by_lanes::<S, 4>(simd, norm, rows, panel),
        8 => by_lanes::<S, 2>(simd, norm, rows, panel),
        16 => by_lanes::<S, 1>(simd, norm, rows, panel),
        _ => by_lanes::<pulp::Scalar, 16>(pulp::Scalar, norm, rows, panel),
    }
}

#[inline(always)]
fn by_lanes<S: pulp::Simd, const PARTS: usize>(
    simd: S,
    norm: Norm,
    [a, b, c, d, e, f]: [&[f32]; HIGH],
    panel: &[[f32; WIDE]],
) -> [[f32; WIDE]; HIGH] {
    let mut sums = [[simd.splat_f32s(0.0); PARTS]; HIGH];
    // Iterators need no check of an index, so that the sums stay in registers.
    let rows = a.iter().zip(b).zip(c).zip(d).zip(e).zip(f);
    for ((((((a, b), c), d), e), f), across) in rows.zip(panel) {
        let across: [S::f32s; PARTS] = std::array::from_fn(|part| S::as_simd_f32s(across).0[part]);
        for (at, sums) in [a, b, c, d, e, f].into_iter().zip(&mut sums) {
            let at = simd.splat_f32s(*at);
            for part in 0..PARTS {
                sums[part] = match norm {
                    Norm::Squares => simd.mul_add_f32s(at, across[part], sums[part]),
                    Norm::Absolutes => simd.add_f32s(sums[part], simd.abs_f32s(simd.sub_f32s(at, across[part]))),
                };
            }
        }
    }
    let mut out = [[0.0; WIDE]; HIGH];
    for (out, sums) in out.iter_mut().zip(&sums) {
        S::as_mut_simd_f32s(out).0.copy_from_slice(sums);
    }
    out
}
