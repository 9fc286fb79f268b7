//! A small gray picture, such as one point of a set of images.

use truefold::{Error, Result};

/// A gray picture: rows of pixels from the top, 0 black and 255 white.
///
/// ```
/// use truefold_report::figure::Picture;
///
/// // Numbers of any range become shades between the darkest and the lightest of them.
/// let picture = Picture::from_values(2, 2, &[-1.0, 0.0, 0.0, 1.0])?;
/// assert_eq!(picture.pixels(), [0, 128, 128, 255]);
///
/// let error = Picture::from_values(3, 2, &[0.0; 4]).unwrap_err();
/// assert_eq!(error.to_string(), "a picture of 3 x 2 pixels has 6, but 4 values were given; check the shape");
/// # Ok::<(), truefold::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    rows: usize,
    columns: usize,
    pixels: Vec<u8>,
}

impl Picture {
    /// `rows` times `columns` numbers, row by row, with the least black and the largest white.
    pub fn from_values(rows: usize, columns: usize, values: &[f64]) -> Result<Self> {
        if rows == 0 || columns == 0 || rows.checked_mul(columns) != Some(values.len()) {
            return Err(Error::data(
                format!(
                    "a picture of {rows} x {columns} pixels has {}, but {} values were given",
                    rows as u128 * columns as u128,
                    values.len()
                ),
                "check the shape",
            ));
        }
        let (low, high) = values
            .iter()
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), &value| (low.min(value), high.max(value)));
        let range = if high > low { high - low } else { 1.0 };
        let pixels = values.iter().map(|value| ((value - low) / range * 255.0).round() as u8).collect();
        Ok(Self { rows, columns, pixels })
    }

    /// The pixels, row by row.
    pub fn pixels(&self) -> &[u8] {
        &self.pixels
    }

    pub(super) fn rows(&self) -> usize {
        self.rows
    }

    pub(super) fn columns(&self) -> usize {
        self.columns
    }
}
