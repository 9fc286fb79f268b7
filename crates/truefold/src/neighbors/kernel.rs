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
}

/// Some rows, sixteen beside each other, coordinate by coordinate.
#[derive(Debug, Clone, Default)]
pub(super) struct Panels {
    values: Vec<f32>,
    squares: Vec<f32>,
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
        for (place, id) in ids.enumerate() {
            self.squares[place] = rows.squares[id as usize];
            let panel = &mut self.values[place / WIDE * WIDE * dim + place % WIDE..];
            for (axis, value) in rows.row(id).iter().enumerate() {
                panel[axis * WIDE] = *value;
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

    /// Hands on those values of a row with a panel that are within reach.
    #[inline(never)]
    fn pass(&mut self, row: usize, first: usize, values: &[f32; WIDE]) {
        let begin = if self.pairs == Pairs::Before { (row + 1).saturating_sub(first).min(WIDE) } else { 0 };
        let end = WIDE.min(self.panels.len - first);
        for (wide, &value) in values.iter().enumerate().take(end).skip(begin) {
            let column = first + wide;
            if value <= self.reaches.rows[row].max(self.reaches.columns[column]) {
                (self.take)(self.reaches, row, column, value);
            }
        }
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
                for (row, sums) in sums.iter().enumerate().take(high) {
                    let own = self.rows.squares[ids[row] as usize];
                    let factor = if self.rows.norm == Norm::Squares { -2.0 } else { 1.0 };
                    let mut values = [0.0_f32; WIDE];
                    for ((value, column), sum) in values.iter_mut().zip(&columns).zip(sums) {
                        *value = (own + column) + factor * sum;
                    }
                    let reach = self.reaches.rows[start + row];
                    let across = values.iter().zip(&self.reaches.columns[first..first + WIDE]);
                    let any = across.fold(false, |any, (value, other)| any | (*value <= reach.max(*other)));
                    if any {
                        self.pass(start + row, first, &values);
                    }
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
        for (number, panel) in panels.values.chunks_exact(WIDE * dim).enumerate() {
            let first = number * WIDE;
            let width = WIDE.min(panels.len - first);
            for start in (0..count).step_by(HIGH) {
                let high = HIGH.min(count - start);
                let six = std::array::from_fn(|row| &rows[(start + row.min(high - 1)) * dim..][..dim]);
                let sums = sums(simd, Norm::Squares, six, panel.as_chunks::<WIDE>().0);
                for (row, sums) in sums.iter().enumerate().take(high) {
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
