//! The kinds of numbers that a table holds, and how each becomes a double-precision one: always exactly.

use super::table::View;

/// How precise the numbers of a table are.
///
/// ```
/// use truefold::{Points, Precision};
///
/// let points = Points::from_elements(2, 1, vec![0.5_f32, 1.5])?;
/// assert_eq!(points.precision(), Precision::Single);
/// assert_eq!(points.precision().to_string(), "float32");
/// # Ok::<(), truefold::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Precision {
    /// Floats of 64 bits.
    Double,
    /// Floats of 32 bits.
    Single,
    /// Floats of 16 bits: sign, five bits of exponent, ten of fraction.
    Half,
    /// Whole numbers from 0 to 255.
    Byte,
}

impl Precision {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Double, Self::Single, Self::Half, Self::Byte];

    /// How many bytes a number takes.
    pub fn bytes(self) -> usize {
        match self {
            Self::Double => 8,
            Self::Single => 4,
            Self::Half => 2,
            Self::Byte => 1,
        }
    }
}

/// The name that NumPy gives to the type.
impl std::fmt::Display for Precision {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str(match self {
            Self::Double => "float64",
            Self::Single => "float32",
            Self::Half => "float16",
            Self::Byte => "uint8",
        })
    }
}

/// A number of a table: `f64`, `f32`, [`Half`] or `u8`.
pub trait Element: Stored {
    /// The same number in double precision, exactly.
    fn wide(self) -> f64;

    /// Whether it is neither infinite nor NaN.
    fn is_finite(self) -> bool;
}

/// What only this crate can implement: how a table keeps numbers of this type.
pub trait Stored: Copy + Send + Sync + 'static {
    /// The numbers among those of other types.
    fn view(cells: &'static [Self]) -> View;

    /// The difference of two numbers times `scale`, rounded to single precision, with at most one more rounding.
    fn difference(a: Self, b: Self, scale: Scale) -> f32;
}

/// A power of two that numbers of single precision are multiplied by before or after their difference is taken: neither
/// large numbers nor their differences may overflow.
#[derive(Debug, Clone, Copy)]
pub struct Scale {
    whole: f64,
    before: f32,
    after: f32,
}

impl Scale {
    #[inline(always)]
    pub fn new(whole: f64) -> Self {
        let narrow = whole as f32;
        Self { whole, before: narrow.min(1.0), after: narrow.max(1.0) }
    }
}

impl Element for f64 {
    #[inline(always)]
    fn wide(self) -> f64 {
        self
    }

    #[inline(always)]
    fn is_finite(self) -> bool {
        f64::is_finite(self)
    }
}

impl Stored for f64 {
    fn view(cells: &'static [Self]) -> View {
        View::Double(cells)
    }

    #[inline(always)]
    fn difference(a: Self, b: Self, scale: Scale) -> f32 {
        ((a - b) * scale.whole) as f32
    }
}

impl Element for f32 {
    #[inline(always)]
    fn wide(self) -> f64 {
        f64::from(self)
    }

    #[inline(always)]
    fn is_finite(self) -> bool {
        f32::is_finite(self)
    }
}

impl Stored for f32 {
    fn view(cells: &'static [Self]) -> View {
        View::Single(cells)
    }

    #[inline(always)]
    fn difference(a: Self, b: Self, scale: Scale) -> f32 {
        (a * scale.before - b * scale.before) * scale.after
    }
}

impl Element for u8 {
    #[inline(always)]
    fn wide(self) -> f64 {
        f64::from(self)
    }

    #[inline(always)]
    fn is_finite(self) -> bool {
        true
    }
}

impl Stored for u8 {
    fn view(cells: &'static [Self]) -> View {
        View::Byte(cells)
    }

    #[inline(always)]
    fn difference(a: Self, b: Self, scale: Scale) -> f32 {
        (f32::from(a) - f32::from(b)) * scale.whole as f32
    }
}

/// A float of 16 bits: sign, five bits of exponent, ten of fraction.
///
/// ```
/// use truefold::{Half, Points};
///
/// let halves = [0x3c00, 0xc000, 0x0001].map(Half::from_bits).to_vec();
/// assert_eq!(Points::from_elements(3, 1, halves)?.values(), &[1.0, -2.0, 2f64.powi(-24)]);
/// # Ok::<(), truefold::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub struct Half(u16);

impl Half {
    const INFINITE: u16 = 0x7c00;

    /// The float of these bits.
    pub const fn from_bits(bits: u16) -> Self {
        Self(bits)
    }

    /// Its bits.
    pub const fn bits(self) -> u16 {
        self.0
    }
}

impl Element for Half {
    /// The bits at their place in a 32-bit float are the number times 2^-112, tiny ones included.
    #[inline(always)]
    fn wide(self) -> f64 {
        let magnitude = self.0 & 0x7fff;
        let sign = u32::from(self.0 & 0x8000) << 16;
        // Infinities and NaN have all bits of the exponent set in both.
        let exponent = if magnitude < Self::INFINITE { 0 } else { 0xff << 23 };
        let small = f32::from_bits(u32::from(magnitude) << 13 | sign | exponent);
        f64::from(small) * (1_u128 << 112) as f64
    }

    #[inline(always)]
    fn is_finite(self) -> bool {
        self.0 & Self::INFINITE != Self::INFINITE
    }
}

impl Stored for Half {
    fn view(cells: &'static [Self]) -> View {
        View::Half(cells)
    }

    #[inline(always)]
    fn difference(a: Self, b: Self, scale: Scale) -> f32 {
        ((a.wide() - b.wide()) * scale.whole) as f32
    }
}

/// The index of the first number that is NaN or infinite.
pub(crate) fn first_not_finite<T: Element>(values: &[T]) -> Option<usize> {
    // Whole blocks without a branch for each number: the index matters only in the first bad block.
    let block = 1024;
    let bad = values.chunks(block).position(|block| block.iter().fold(false, |bad, value| bad | !value.is_finite()))?;
    let within = values[bad * block..].iter().position(|value| !value.is_finite())?;
    Some(bad * block + within)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_half_is_its_definition() {
        for bits in 0..=u16::MAX {
            let sign = if bits >> 15 == 1 { -1.0 } else { 1.0 };
            let (exponent, fraction) = (i32::from(bits >> 10 & 31), f64::from(bits & 1023));
            let expected = sign
                * match exponent {
                    0 => fraction * 2f64.powi(-24),
                    31 if fraction == 0.0 => f64::INFINITY,
                    31 => f64::NAN,
                    _ => (1024.0 + fraction) * 2f64.powi(exponent - 25),
                };
            let half = Half::from_bits(bits);
            assert_eq!(half.is_finite(), expected.is_finite(), "{bits:#x}");
            assert!(half.wide().to_bits() == expected.to_bits() || (half.wide().is_nan() && expected.is_nan()));
        }
    }

    #[test]
    fn the_first_bad_number_is_found_in_any_block() {
        for at in [0, 1023, 1024, 2500] {
            let mut values = vec![1.0_f32; 2600];
            (values[at], values[2599]) = (f32::NAN, f32::INFINITY);
            assert_eq!(first_not_finite(&values), Some(at));
        }
        assert_eq!(first_not_finite(&[1_u8, 255]), None);
    }
}
