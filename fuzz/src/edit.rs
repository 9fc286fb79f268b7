//! Edits of bytes: what damage, other programs and attackers do to a file.
//!
//! Integers of all widths get the values at which sizes go wrong, and numbers written as text get others, so that counts
//! and shapes that a format declares differ from what is there.

use crate::draw::Draw;

/// Values at which sizes go wrong.
const SIZES: [u64; 20] = [
    0,
    1,
    2,
    7,
    8,
    127,
    128,
    255,
    256,
    0x7FFF,
    0xFFFF,
    0x1_0000,
    0x7FFF_FFFF,
    0x8000_0000,
    0xFFFF_FFFF,
    0x1_0000_0000,
    0x2000_0000_0000_0000,
    0x7FFF_FFFF_FFFF_FFFF,
    0x8000_0000_0000_0000,
    0xFFFF_FFFF_FFFF_FFFF,
];

/// The same written as text, with what is no number.
pub const NUMBERS: [&str; 22] = [
    "0",
    "1",
    "-1",
    "2",
    "3",
    "255",
    "65536",
    "2147483648",
    "4294967295",
    "4294967296",
    "9223372036854775807",
    "18446744073709551615",
    "18446744073709551616",
    "1e308",
    "1e309",
    "-1e-320",
    "nan",
    "inf",
    "-inf",
    "0x10",
    "1_000",
    "99999999999999999999999999999999999999999999",
];

/// Changes an input by up to four edits; `other` is another input to take parts from.
pub fn edit(draw: &mut Draw, data: &mut Vec<u8>, other: &[u8]) {
    for _ in 0..=draw.below(4) {
        one(draw, data, other);
    }
    data.truncate(1 << 16);
}

fn one(draw: &mut Draw, data: &mut Vec<u8>, other: &[u8]) {
    let at = draw.below(data.len() + 1);
    let end = (at + draw.below(64)).min(data.len());
    match draw.below(12) {
        0 if at < data.len() => data[at] ^= 1 << draw.below(8),
        1 if at < data.len() => data[at] = draw.bits() as u8,
        2..=4 => integer(draw, data),
        5 => data.truncate(at),
        6 => drop(data.drain(at..end)),
        7 => {
            let part = data[at..end].to_vec();
            data.splice(at..at, part);
        }
        8 => {
            let from = draw.below(other.len() + 1);
            let part = &other[from..(from + draw.below(256)).min(other.len())];
            let until = (at + if draw.one_in(2) { part.len() } else { 0 }).min(data.len());
            data.splice(at..until, part.iter().copied());
        }
        9 => data[at..end].fill(*draw.pick(&[0, 0xFF, b' ', b'\n'])),
        10 => drop(data.splice(at..at, (0..draw.below(16)).map(|step| (step as u8).wrapping_mul(37)))),
        _ => number(draw, data),
    }
}

/// Overwrites an integer, more often where integers lie.
fn integer(draw: &mut Draw, data: &mut [u8]) {
    let width = *draw.pick(&[1, 2, 4, 8]);
    if data.len() < width {
        return;
    }
    let mut at = draw.below(data.len() - width + 1);
    if draw.one_in(2) {
        at -= at % width;
    }
    let mut value = *draw.pick(&SIZES);
    match draw.below(4) {
        0 => value = data.len() as u64,
        1 => {
            let mut cell = [0; 8];
            cell[..width].copy_from_slice(&data[at..at + width]);
            value = u64::from_le_bytes(cell).wrapping_add(draw.below(9) as u64).wrapping_sub(4);
        }
        _ => {}
    }
    let bytes = if draw.one_in(4) { value.swap_bytes() >> (64 - 8 * width) } else { value }.to_le_bytes();
    data[at..at + width].copy_from_slice(&bytes[..width]);
}

/// Replaces a number that is written as text.
fn number(draw: &mut Draw, data: &mut Vec<u8>) {
    let from = draw.below(data.len() + 1);
    let Some(begin) = data[from..].iter().position(u8::is_ascii_digit).map(|step| from + step) else { return };
    let length = data[begin..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    data.splice(begin..begin + length, draw.pick(&NUMBERS).bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits_change_any_input_and_stay_small() {
        let mut draw = Draw::new(1);
        let mut changed = 0;
        for round in 0..20_000 {
            let whole: Vec<u8> = (0..round % 100).map(|at| b"(3, 17)\0"[at % 8]).collect();
            let mut data = whole.clone();
            edit(&mut draw, &mut data, b"other 55");
            changed += usize::from(data != whole);
            assert!(data.len() <= 1 << 16);
        }
        assert!(changed > 15_000, "{changed}");
    }
}
