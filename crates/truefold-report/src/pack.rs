//! Numbers in few bytes: rounded to 16 bits, compressed, and written as text in script elements that the page reads
//! when it needs them.

use flate2::Compression;
use flate2::write::DeflateEncoder;
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::io::Write as _;
use truefold::{Error, Result};

/// The code of a number that is not known.
const UNKNOWN: u16 = u16::MAX;

/// The blocks of a page, as HTML.
#[derive(Debug, Default)]
pub(crate) struct Blocks {
    html: String,
    count: usize,
}

impl Blocks {
    /// Adds a block and returns its name.
    pub(crate) fn add(&mut self, bytes: &[u8]) -> Result<String> {
        let mut encoder = DeflateEncoder::new(Vec::new(), Compression::default());
        let packed = encoder.write_all(bytes).and_then(|()| encoder.finish()).map_err(|cause| {
            Error::data(format!("the numbers of the page could not be packed ({cause})"), "report this as a defect")
        })?;
        let name = format!("block-{}", self.count);
        self.count += 1;
        let _ = write!(self.html, "<script type=\"text/plain\" id=\"{name}\">");
        push_base64(&packed, &mut self.html);
        self.html.push_str("</script>\n");
        Ok(name)
    }

    /// Adds whole numbers.
    pub(crate) fn add_indices(&mut self, indices: impl Iterator<Item = u32>) -> Result<String> {
        self.add(&indices.flat_map(u32::to_le_bytes).collect::<Vec<_>>())
    }

    /// Adds finite numbers, rounded to 65,536 steps between the least and the greatest.
    pub(crate) fn add_numbers(&mut self, values: impl Iterator<Item = f64> + Clone) -> Result<Value> {
        let (low, high) = bounds(values.clone());
        // Halves, because the difference of two finite numbers may not be one.
        let width = if high > low { high / 2.0 - low / 2.0 } else { 1.0 };
        let step = |value: f64| ((value / 2.0 - low / 2.0) / width * 65_535.0).round() as u16;
        let block = self.add(&values.flat_map(|value| step(value).to_le_bytes()).collect::<Vec<_>>())?;
        Ok(json!({ "low": low, "high": high, "block": block }))
    }

    /// Adds finite numbers, rounded to 65,535 steps between the least and the greatest; NaN, the unknown, has the last code.
    pub(crate) fn add_known(&mut self, values: impl Iterator<Item = f64> + Clone) -> Result<Value> {
        let (low, high) = bounds(values.clone());
        let width = if high > low { high / 2.0 - low / 2.0 } else { 1.0 };
        let step = |value: f64| match value.is_nan() {
            true => UNKNOWN,
            false => ((value / 2.0 - low / 2.0) / width * f64::from(UNKNOWN - 1)).round() as u16,
        };
        let block = self.add(&values.flat_map(|value| step(value).to_le_bytes()).collect::<Vec<_>>())?;
        Ok(json!({ "low": low, "high": high, "block": block }))
    }

    /// Adds finite numbers of at least zero by their logarithms to base ten: 0 stands for zero, 1 to 65,534 for the
    /// steps between the least and the greatest logarithm, and the last code for NaN, the unknown.
    pub(crate) fn add_logarithms(&mut self, values: impl Iterator<Item = f64> + Clone) -> Result<Value> {
        let (low, high) = bounds(values.clone().filter(|&value| value > 0.0).map(f64::log10));
        let width = if high > low { high - low } else { 1.0 };
        let step = |value: f64| match value {
            value if value.is_nan() => UNKNOWN,
            value if value > 0.0 => ((value.log10() - low) / width * f64::from(UNKNOWN - 2)).round() as u16 + 1,
            _ => 0,
        };
        let block = self.add(&values.flat_map(|value| step(value).to_le_bytes()).collect::<Vec<_>>())?;
        Ok(json!({ "low": low, "high": high, "block": block }))
    }

    /// All blocks.
    pub(crate) fn html(&self) -> &str {
        &self.html
    }
}

/// The least and the greatest; zeros where there is nothing.
fn bounds(values: impl Iterator<Item = f64>) -> (f64, f64) {
    let bounds =
        values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)));
    if bounds.0 <= bounds.1 { bounds } else { (0.0, 0.0) }
}

/// Appends bytes in base 64, the form that browsers read natively.
fn push_base64(bytes: &[u8], text: &mut String) {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    text.reserve(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let word = chunk.iter().fold(0_u32, |word, &byte| word << 8 | u32::from(byte)) << (8 * (3 - chunk.len()));
        for place in 0..4 {
            let letter = LETTERS[(word >> (18 - 6 * place) & 63) as usize];
            text.push(if place <= chunk.len() { letter as char } else { '=' });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn base64(bytes: &[u8]) -> String {
        let mut text = String::new();
        push_base64(bytes, &mut text);
        text
    }

    #[test]
    fn base64_is_that_of_its_definition() {
        let cases = [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy")];
        cases.iter().for_each(|(plain, coded)| assert_eq!(base64(plain.as_bytes()), *coded));
        assert_eq!(base64(&[0xff, 0xef, 0xbe]), "/+++");
    }

    #[test]
    fn the_ends_of_a_scale_are_given_and_extreme_numbers_survive() {
        let mut blocks = Blocks::default();
        let packed = blocks.add_numbers([f64::MIN, 0.0, f64::MAX].into_iter()).unwrap();
        assert_eq!((packed["low"].as_f64(), packed["high"].as_f64()), (Some(f64::MIN), Some(f64::MAX)));
        let packed = blocks.add_logarithms([0.0, 1e-3, 1.0].into_iter()).unwrap();
        assert_eq!((packed["low"].as_f64(), packed["high"].as_f64()), (Some(-3.0), Some(0.0)));
        let packed = blocks.add_logarithms([0.0, f64::NAN].into_iter()).unwrap();
        assert_eq!((packed["low"].as_f64(), packed["block"].as_str()), (Some(0.0), Some("block-2")));
        let packed = blocks.add_known([f64::NAN, -2.0, 1.0].into_iter()).unwrap();
        assert_eq!((packed["low"].as_f64(), packed["high"].as_f64()), (Some(-2.0), Some(1.0)));
        assert_eq!(blocks.html().matches("</script>").count(), 4);
    }
}
