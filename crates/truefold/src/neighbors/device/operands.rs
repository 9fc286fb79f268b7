//! Rows in half precision for products on tensor cores, and how much the products may err.
//!
//! With x_i the rows relative to their mean, h_i is x_i / c_i rounded to half precision, c_i a power of two of its own for
//! each row, and m_i, where two halves are asked for, what h_i leaves, rounded in the same way. The product is p_ij = h_i'h_j
//! + h_i'm_j + m_i'h_j. Let e_i be the length of what both leave of x_i. For any r > 0
//!
//! 2 |x_i'x_j - c_i c_j p_ij| <= s_i + s_j,   s_i = (r + g) |x_i|^2 + e_i^2 / r + |c_i m_i|^2,
//!
//! since 2 |x_i| e_j <= r |x_i|^2 + e_j^2 / r. The sums add at least in single precision, by whatever rounding and in any
//! order within an instruction: g = t / (1 - t), t = 2^-23 (9 q / 8 + 16), covers them, sums of 16 products
//! that are aligned and cut off included (the small products come first). With the lowered squares l_i =
//! |x_i|^2 - s_i, l_i + l_j - 2 c_i c_j p_ij is therefore never more than |x_i - x_j|^2. Numbers whose half would be
//! subnormal become zero, and e_i holds them. Cost: n q.

use super::super::prepare::Unit;
use super::super::rough::UNIT;
use super::super::sketch::{Frame, sum_of_squares};
use super::super::{Norm, Space};
use crate::{Precision, Result, Run};
use rayon::prelude::*;

/// Numbers of a step of the kernel; rows are filled up with zeros to a multiple.
pub(super) const STEP: usize = 32;
/// Rows that are made by one task.
const TASK: usize = 128;
/// The largest power of two by which a row is multiplied: the product of two such factors is an ordinary number.
pub(super) const LARGEST_EXPONENT: i32 = 62;

/// How many halves stand for a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Halves {
    One,
    Two,
}

impl Halves {
    pub(super) fn count(self) -> usize {
        match self {
            Self::One => 1,
            Self::Two => 2,
        }
    }

    /// The r of the bound: about what rounding leaves of a length.
    fn ratio(self) -> f64 {
        match self {
            Self::One => 1.0 / f64::from(1 << 12),
            Self::Two => 1.0 / f64::from(1 << 22),
        }
    }
}

/// Operands of some rows: `stride` numbers each, and c and l of each.
pub(super) struct Slab<'a> {
    pub(super) high: &'a mut [u16],
    /// Empty where one half stands for a number.
    pub(super) low: &'a mut [u16],
    pub(super) terms: &'a mut [[f32; 2]],
}

impl Slab<'_> {
    /// The part that the first `count` rows have.
    pub(super) fn first(self, count: usize, stride: usize) -> Self {
        let low = if self.low.is_empty() { 0 } else { count * stride };
        Self { high: &mut self.high[..count * stride], low: &mut self.low[..low], terms: &mut self.terms[..count] }
    }
}

/// Makes operands of the rows of a space.
pub(super) struct Operands<'a> {
    space: &'a Space<'a>,
    frame: Frame,
    halves: Halves,
}

impl<'a> Operands<'a> {
    pub(super) fn new(space: &'a Space<'a>, run: &Run) -> Result<Self> {
        debug_assert_eq!(space.norm(), Norm::Squares);
        Ok(Self { space, frame: Frame::of(space, run)?, halves: Halves::One })
    }

    /// The same with another number of halves.
    pub(super) fn set_halves(&mut self, halves: Halves) {
        self.halves = halves;
    }

    pub(super) fn halves(&self) -> Halves {
        self.halves
    }

    pub(super) fn space(&self) -> &'a Space<'a> {
        self.space
    }

    /// Numbers of a row, filled up.
    pub(super) fn stride(&self) -> usize {
        self.space.dim().next_multiple_of(STEP)
    }

    /// A value of the space in the units of the operands.
    pub(super) fn scaled(&self, value: f64) -> f64 {
        value * (self.frame.scale * self.frame.scale)
    }

    /// Writes the operands of `rows`; what follows in the slab is beyond every reach.
    pub(super) fn fill(
        &self,
        rows: &(dyn Fn(usize) -> u32 + Sync),
        count: usize,
        slab: &mut Slab,
        run: &Run,
    ) -> Result<()> {
        let stride = self.stride();
        let ration = self.space.ration(Space::READ);
        let Slab { high, low, terms } = slab;
        let one = |task: usize, high: &mut [u16], low: &mut [u16], terms: &mut [[f32; 2]]| {
            run.check()?;
            let mut room = Room::default();
            for (place, term) in terms.iter_mut().enumerate() {
                let own = place * stride..(place + 1) * stride;
                let low = if low.is_empty() { &mut [][..] } else { &mut low[own.clone()] };
                if task * TASK + place < count {
                    ration.scattered(1);
                    *term = self.row(rows(task * TASK + place) as usize, &mut room, &mut high[own], low);
                } else {
                    high[own].fill(0);
                    low.fill(0);
                    *term = [0.0, f32::INFINITY];
                }
            }
            Ok(())
        };
        let tasks = high.par_chunks_mut(TASK * stride).zip(terms.par_chunks_mut(TASK)).enumerate();
        run.install(|| {
            if low.is_empty() {
                tasks.try_for_each(|(task, (high, terms))| one(task, high, &mut [], terms))
            } else {
                let lows = low.par_chunks_mut(TASK * stride);
                tasks.zip(lows).try_for_each(|((task, (high, terms)), low)| one(task, high, low, terms))
            }
        })
    }

    /// Writes the operands of one row; its c and l.
    fn row(&self, row: usize, room: &mut Room, high: &mut [u16], low: &mut [u16]) -> [f32; 2] {
        let dim = self.space.dim();
        room.values.resize(dim, 0.0);
        room.left.resize(dim, 0.0);
        self.frame.read(self.space, row, &mut room.wide, &mut room.values);
        let largest = room.values.iter().fold(0.0_f32, |largest, value| largest.max(value.abs()));
        // The largest number comes to between 2^13 and 2^14, where halves have the most room below.
        let exponent = (13 + 127 - (largest.to_bits() >> 23) as i32).min(LARGEST_EXPONENT);
        let factor = 2.0_f32.powi(exponent);
        high[dim..].fill(0);
        for ((value, left), high) in room.values.iter().zip(&mut room.left).zip(&mut *high) {
            let (bits, rounded) = to_half(value * factor);
            (*high, *left) = (bits, value * factor - rounded);
        }
        room.second.clear();
        if !low.is_empty() {
            low[dim..].fill(0);
            for (left, low) in room.left.iter_mut().zip(&mut *low) {
                let (bits, rounded) = to_half(*left);
                (*low, *left) = (bits, *left - rounded);
                room.second.push(rounded);
            }
        }
        let unit = f64::from(factor) * f64::from(factor);
        let [square, left, second] = [&room.values, &room.left, &room.second].map(|row| sum_of_squares(row));
        [1.0 / factor, self.bound().lowered(square, left / unit, second / unit)]
    }

    /// How much products may err.
    fn bound(&self) -> Bound {
        let ratio = self.halves.ratio();
        let terms = 2.0 * UNIT * (self.stride() + self.stride() / 8 + 16) as f64;
        Bound { ratio, share: ratio + terms / (1.0 - terms) + 16.0 * UNIT }
    }

    /// What makes the same operands on a device where the rows lie, if they do.
    pub(super) fn raw(&self) -> Option<Raw<'_>> {
        let (resident, units) = self.space.resident()?;
        let (address, precision) = (resident.address(), self.space.precision());
        address.is_multiple_of(precision.bytes() as u64).then(|| Raw {
            address,
            precision,
            dim: self.space.dim(),
            mean: self.frame.mean(),
            scale: self.frame.scale,
            units,
            bound: self.bound(),
        })
    }
}

/// Rows as they were given, in the memory of a device, and what makes operands of them there.
#[derive(Debug, Clone, Copy)]
pub(super) struct Raw<'a> {
    /// Of the first number.
    pub(super) address: u64,
    pub(super) precision: Precision,
    pub(super) dim: usize,
    pub(super) mean: &'a [f64],
    pub(super) scale: f64,
    /// What makes each a row of length one, where they are such.
    pub(super) units: Option<&'a [Unit]>,
    pub(super) bound: Bound,
}

impl Raw<'_> {
    /// Bytes that conversions of pieces of so many rows hold on the device beside the rows.
    pub(super) fn bytes(&self, piece: usize) -> usize {
        size_of_val(self.mean) + self.units.map_or(0, |units| size_of::<[f64; 3]>() * units.len()) + 8 * piece
    }
}

/// The r of the bound, and what share of the square of a length the sums and it may err by.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bound {
    pub(super) ratio: f64,
    pub(super) share: f64,
}

impl Bound {
    /// l of a row, by the squares of its length, of what is left out, and of its second halves.
    pub(super) fn lowered(&self, square: f64, left: f64, second: f64) -> f32 {
        // Rows were rounded to single precision before, and so are squares and the last step of the kernel.
        let left = left.sqrt() + 2.0 * UNIT * square.sqrt();
        let lost = 1.01 * (self.share * square + left * left / self.ratio + second);
        // Numbers below the smallest of single precision are lost: the last term covers them.
        ((square - lost - 1e-30) as f32).next_down()
    }
}

/// Room for one row.
#[derive(Default)]
struct Room {
    wide: Vec<f64>,
    values: Vec<f32>,
    left: Vec<f32>,
    second: Vec<f32>,
}

/// The nearest number of half precision that is not subnormal, ties to even, as bits and as a number. The magnitude is at most
/// 2^15.
#[inline(always)]
pub(super) fn to_half(value: f32) -> (u16, f32) {
    const LEAST: u32 = 113 << 23;
    let bits = value.to_bits();
    let (sign, size) = (bits & 0x8000_0000, bits & 0x7FFF_FFFF);
    let rounded = (size + 0xFFF + ((size >> 13) & 1)) & !0x1FFF;
    let rounded = if size < LEAST { 0 } else { rounded };
    let half = if rounded == 0 { 0 } else { (rounded >> 13) - (112 << 10) };
    ((half | (sign >> 16)) as u16, f32::from_bits(rounded | sign))
}

/// The number that a half stands for.
#[cfg(test)]
pub(super) fn of_half(bits: u16) -> f32 {
    let (sign, size) = (u32::from(bits & 0x8000) << 16, u32::from(bits & 0x7FFF));
    f32::from_bits(sign | if size == 0 { 0 } else { (size << 13) + (112 << 23) })
}
