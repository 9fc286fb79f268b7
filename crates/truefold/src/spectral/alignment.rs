//! Alignment matrices: M = sum_i S_i W_i S_i', one small matrix W_i per neighborhood.
//!
//! S_i picks the members of neighborhood i. W_i is either F_i F_i' (LLE, Hessian eigenmaps, modified LLE) or I - F_i
//! F_i' with orthonormal F_i (LTSA); F_i has a row per member and a few columns, and is all that is kept. M is applied
//! through F_i without being written down, two gathers; its lower triangle, for a factor, is gathered row by row. Both
//! run in parallel in a fixed order of summation. Cost: O(n m r) numbers kept, O(n m^2 r) operations for the triangle,
//! m members and r columns.

use super::{Sparse, counted};
use crate::laplacian::conjugate_gradient::Operator;
use crate::linalg::Triangle;
use crate::linalg::block::{CHUNK, add_rows, by_width};
use crate::{Result, Run};
use rayon::prelude::*;

/// What the small matrices are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// W_i = F_i F_i'.
    Squares,
    /// W_i = I - F_i F_i'.
    Complements,
}

/// One neighborhood's share of an alignment matrix, as it is made.
#[derive(Debug, Default)]
pub(crate) struct Share {
    /// The points it holds.
    pub(crate) members: Vec<u32>,
    /// F_i, a row per member.
    pub(crate) factor: Vec<f64>,
}

/// An alignment matrix in factored form.
#[derive(Debug)]
pub(crate) struct Alignment {
    form: Form,
    /// For each neighborhood where its members begin, and where its factor begins.
    starts: Vec<(usize, usize)>,
    members: Vec<u32>,
    factors: Vec<f64>,
    /// For each point where its memberships begin.
    holders: Vec<usize>,
    /// For each membership the neighborhood and the place in it.
    held: Vec<(u32, u32)>,
    diagonal: Vec<f64>,
}

impl Alignment {
    /// The matrix of `count` points and as many neighborhoods; `make` fills the share of neighborhood i and may keep
    /// work space between calls.
    pub(crate) fn new<W: Default>(
        count: usize,
        form: Form,
        run: &Run,
        make: impl Fn(usize, &mut W, &mut Share) -> Result<()> + Send + Sync,
    ) -> Result<Self> {
        let parts = run.chunks("neighborhoods", count, 512, |range| {
            let (mut work, mut share) = (W::default(), Share::default());
            let mut part = (Vec::with_capacity(range.len()), Vec::new(), Vec::new());
            for index in range {
                share.members.clear();
                share.factor.clear();
                make(index, &mut work, &mut share)?;
                debug_assert!(share.members.is_empty() || share.factor.len() % share.members.len() == 0);
                part.0.push((share.members.len(), share.factor.len()));
                part.1.extend_from_slice(&share.members);
                part.2.extend_from_slice(&share.factor);
            }
            Ok(part)
        })?;
        let mut starts = Vec::with_capacity(count + 1);
        let mut members = Vec::with_capacity(parts.iter().map(|part| part.1.len()).sum());
        let mut factors = Vec::with_capacity(parts.iter().map(|part| part.2.len()).sum());
        let mut end = (0, 0);
        starts.push(end);
        for (lengths, some_members, some_factors) in parts {
            for (member_count, factor_count) in lengths {
                end = (end.0 + member_count, end.1 + factor_count);
                starts.push(end);
            }
            members.extend(some_members);
            factors.extend(some_factors);
        }
        let (holders, held) = turned_round(count, &starts, &members);
        let mut matrix = Self { form, starts, members, factors, holders, held, diagonal: Vec::new() };
        matrix.diagonal = run.install(|| {
            (0..count).into_par_iter().with_min_len(CHUNK).map(|point| matrix.diagonal_entry(point)).collect()
        });
        Ok(matrix)
    }

    /// The members of a neighborhood.
    #[inline(always)]
    fn members(&self, index: usize) -> &[u32] {
        &self.members[self.starts[index].0..self.starts[index + 1].0]
    }

    /// The factor of a neighborhood and its number of columns.
    #[inline(always)]
    fn factor(&self, index: usize) -> (&[f64], usize) {
        let (start, end) = (self.starts[index], self.starts[index + 1]);
        let width = if end.0 > start.0 { (end.1 - start.1) / (end.0 - start.0) } else { 0 };
        (&self.factors[start.1..end.1], width)
    }

    /// The neighborhoods that hold a point, with its place in them.
    #[inline(always)]
    fn holders(&self, point: usize) -> &[(u32, u32)] {
        &self.held[self.holders[point]..self.holders[point + 1]]
    }

    fn diagonal_entry(&self, point: usize) -> f64 {
        let mut sum = 0.0;
        for &(index, place) in self.holders(point) {
            let (factor, width) = self.factor(index as usize);
            let square: f64 = factor[place as usize * width..][..width].iter().map(|value| value * value).sum();
            sum += match self.form {
                Form::Squares => square,
                Form::Complements => (1.0 - square).max(0.0),
            };
        }
        sum
    }

    /// F_i' times the members' rows for every neighborhood, then the gather of what each point is held by.
    fn passes<const W: usize>(&self, input: &[f64], output: &mut [f64], columns: usize, images: &mut Vec<f64>) {
        let widths: Vec<usize> = (0..self.starts.len() - 1).map(|index| self.factor(index).1).collect();
        let mut ends = vec![0; widths.len() + 1];
        for (at, width) in widths.iter().enumerate() {
            ends[at + 1] = ends[at] + width * columns;
        }
        images.clear();
        images.resize(ends[widths.len()], 0.0);
        let mut chunks: Vec<(usize, &mut [f64])> = Vec::new();
        let mut rest = images.as_mut_slice();
        for first in (0..widths.len()).step_by(CHUNK) {
            let last = (first + CHUNK).min(widths.len());
            let (head, tail) = rest.split_at_mut(ends[last] - ends[first]);
            chunks.push((first, head));
            rest = tail;
        }
        chunks.into_par_iter().for_each(|(first, images)| {
            let last = (first + CHUNK).min(widths.len());
            let base = ends[first];
            for index in first..last {
                let (factor, width) = self.factor(index);
                let images = &mut images[ends[index] - base..ends[index + 1] - base];
                for (column, image) in images.chunks_exact_mut(columns).enumerate() {
                    let rows = self.members(index).iter().enumerate();
                    add_rows::<W>(image, input, rows.map(|(place, &row)| (row, factor[place * width + column])));
                }
            }
        });
        let (images, form) = (&*images, self.form);
        output.par_chunks_mut(CHUNK * columns).enumerate().for_each(|(chunk, output)| {
            for (point, out) in (chunk * CHUNK..).zip(output.chunks_exact_mut(columns)) {
                out.fill(0.0);
                for &(index, place) in self.holders(point) {
                    let (factor, width) = self.factor(index as usize);
                    let row = &factor[place as usize * width..][..width];
                    let images = &images[ends[index as usize]..ends[index as usize + 1]];
                    add_rows::<W>(out, images, (0..).zip(row.iter().copied()));
                }
                if form == Form::Complements {
                    let times = self.holders(point).len() as f64;
                    for (out, value) in out.iter_mut().zip(&input[point * columns..][..columns]) {
                        *out = times * value - *out;
                    }
                }
            }
        });
    }
}

impl Operator for Alignment {
    fn apply(&self, input: &[f64], output: &mut [f64], columns: usize, scratch: &mut Vec<f64>) {
        by_width!(columns, W => self.passes::<W>(input, output, columns, scratch));
    }

    fn diagonal(&self) -> &[f64] {
        &self.diagonal
    }
}

impl Sparse for Alignment {
    fn triangle(&self, run: &Run) -> Result<Triangle> {
        let count = self.diagonal.len();
        let parts = run.quiet().chunks("assembly", count, 4 * CHUNK, |range| {
            let mut sums = vec![0.0; count - range.start];
            let mut seen = vec![u32::MAX; count - range.start];
            let mut touched: Vec<u32> = Vec::new();
            let mut part = (Vec::with_capacity(range.len()), Vec::new(), Vec::new());
            let first = range.start;
            for point in range {
                for &(index, place) in self.holders(point) {
                    let (factor, width) = self.factor(index as usize);
                    let own = &factor[place as usize * width..][..width];
                    for (&member, row) in self.members(index as usize).iter().zip(factor.chunks_exact(width.max(1))) {
                        if member as usize <= point {
                            continue;
                        }
                        let at = member as usize - first;
                        if seen[at] != point as u32 {
                            seen[at] = point as u32;
                            sums[at] = 0.0;
                            touched.push(member);
                        }
                        let product: f64 = own.iter().zip(row).map(|(a, b)| a * b).sum();
                        sums[at] += product;
                    }
                }
                touched.sort_unstable();
                part.0.push(touched.len() + 1);
                part.1.push(point as u32);
                part.2.push(self.diagonal[point]);
                for member in touched.drain(..) {
                    let sum = sums[member as usize - first];
                    part.1.push(member);
                    part.2.push(if self.form == Form::Squares { sum } else { -sum });
                }
            }
            Ok(part)
        })?;
        let entries = parts.iter().map(|part| part.1.len()).sum();
        let mut triangle = Triangle {
            offsets: Vec::with_capacity(count + 1),
            rows: Vec::with_capacity(entries),
            values: Vec::with_capacity(entries),
        };
        triangle.offsets.push(0);
        for (lengths, rows, values) in parts {
            let mut end = triangle.rows.len();
            for length in lengths {
                end += length;
                triangle.offsets.push(counted(end)?);
            }
            triangle.rows.extend(rows);
            triangle.values.extend(values);
        }
        Ok(triangle)
    }

    fn is_squared(&self) -> bool {
        self.form == Form::Squares
    }
}

/// For each point where its memberships begin, and each as neighborhood and place.
fn turned_round(count: usize, starts: &[(usize, usize)], members: &[u32]) -> (Vec<usize>, Vec<(u32, u32)>) {
    let mut holders = vec![0; count + 1];
    members.iter().for_each(|&member| holders[member as usize + 1] += 1);
    for at in 0..count {
        holders[at + 1] += holders[at];
    }
    let mut next = holders.clone();
    let mut held = vec![(0, 0); members.len()];
    for (index, pair) in starts.windows(2).enumerate() {
        for (place, &member) in members[pair[0].0..pair[1].0].iter().enumerate() {
            held[next[member as usize]] = (index as u32, place as u32);
            next[member as usize] += 1;
        }
    }
    (holders, held)
}
