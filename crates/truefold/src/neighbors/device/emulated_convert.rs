//! The work of `convert.cu` on the processor, for tests: the same lanes, sums and steps, one after the other.

use super::operands::{LARGEST_EXPONENT, Raw, Slab, to_half};
use crate::points::Element;
use crate::{Half, Precision};

/// Threads of a row.
const LANES: usize = 8;

/// Number `at` of the memory of a device, which is that of the processor here.
fn number(raw: &Raw, at: usize) -> f64 {
    fn read<T: Copy>(address: u64, at: usize) -> T {
        // SAFETY: tests give the address of a table that has so many numbers.
        unsafe { *std::ptr::with_exposed_provenance::<T>(address as usize).add(at) }
    }
    match raw.precision {
        Precision::Double => read(raw.address, at),
        Precision::Single => f64::from(read::<f32>(raw.address, at)),
        Precision::Half => Half::from_bits(read(raw.address, at)).wide(),
        Precision::Byte => f64::from(read::<u8>(raw.address, at)),
    }
}

/// Makes the operands of these rows; what follows in the slab is beyond every reach.
pub(super) fn convert(raw: &Raw, ids: &[u32], stride: usize, slab: &mut Slab) {
    for (place, terms) in slab.terms.iter_mut().enumerate() {
        let high = &mut slab.high[place * stride..][..stride];
        let mut nothing = [];
        let low = if slab.low.is_empty() { &mut nothing[..] } else { &mut slab.low[place * stride..][..stride] };
        *terms = match ids.get(place) {
            Some(&id) => row(raw, id as usize, high, low),
            None => {
                high.fill(0);
                low.fill(0);
                [0.0, f32::INFINITY]
            }
        };
    }
}

fn row(raw: &Raw, row: usize, high: &mut [u16], low: &mut [u16]) -> [f32; 2] {
    let unit = raw.units.map(|units| units[row].numbers());
    let at = |axis: usize| {
        let mut x = number(raw, row * raw.dim + axis);
        if let Some([largest, mean, length]) = unit {
            x = (x / largest - mean) / length;
        }
        ((x - raw.mean[axis]) * raw.scale) as f32
    };
    let largest = (0..raw.dim).fold(0.0_f32, |largest, axis| largest.max(at(axis).abs()));
    let exponent = (13 + 127 - (largest.to_bits() >> 23) as i32).min(LARGEST_EXPONENT);
    let factor = f32::from_bits(((exponent + 127) as u32) << 23);
    // Square, what is left, and second halves.
    let mut sums = [[0.0_f64; 3]; LANES];
    for (lane, sums) in sums.iter_mut().enumerate() {
        for axis in (lane..high.len()).step_by(LANES) {
            let (mut first_half, mut second_half) = (0, 0);
            if axis < raw.dim {
                let (value, rounded);
                value = at(axis);
                (first_half, rounded) = to_half(value * factor);
                let mut rest = value * factor - rounded;
                if !low.is_empty() {
                    let rounded;
                    (second_half, rounded) = to_half(rest);
                    rest -= rounded;
                    sums[2] += f64::from(rounded) * f64::from(rounded);
                }
                sums[0] += f64::from(value) * f64::from(value);
                sums[1] += f64::from(rest) * f64::from(rest);
            }
            high[axis] = first_half;
            if !low.is_empty() {
                low[axis] = second_half;
            }
        }
    }
    let [square, left, second] = [0, 1, 2].map(|kind| sums.iter().fold(0.0, |sum, own| sum + own[kind]));
    let unit_square = f64::from(factor) * f64::from(factor);
    [1.0 / factor, raw.bound.lowered(square, left / unit_square, second / unit_square)]
}
