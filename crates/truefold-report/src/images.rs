//! The shape of the pictures that the rows of image data are.

use std::str::FromStr;
use truefold::{Error, Points, Result};

/// How the coordinates of each input point form a picture in gray.
///
/// ```
/// use truefold_report::Images;
///
/// let images: Images = "28x20".parse()?;
/// assert_eq!((images.height, images.width, images.by_columns), (28, 20, false));
/// assert!("28".parse::<Images>().is_err());
/// # Ok::<(), truefold::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Images {
    /// Rows of pixels.
    pub height: usize,
    /// Columns of pixels.
    pub width: usize,
    /// Whether the coordinates run down the columns, as MATLAB keeps matrices, and not along the rows.
    pub by_columns: bool,
}

impl Images {
    /// An error unless `points` have one coordinate per pixel.
    pub fn check(&self, points: &Points) -> Result<()> {
        if self.height.checked_mul(self.width) == Some(points.dim()) {
            return Ok(());
        }
        Err(Error::parameter(
            "images",
            format!("{}x{}", self.height, self.width),
            format!(
                "is {} pixels, but the points have {} coordinates",
                self.height as u128 * self.width as u128,
                points.dim()
            ),
            "give HEIGHTxWIDTH that multiply to the number of coordinates",
        ))
    }

    /// The coordinate of a pixel, these counted along the rows.
    pub(crate) fn coordinate(&self, pixel: usize) -> usize {
        match self.by_columns {
            true => pixel % self.width * self.height + pixel / self.width,
            false => pixel,
        }
    }
}

impl FromStr for Images {
    type Err = Error;

    /// From HEIGHTxWIDTH, row by row.
    fn from_str(text: &str) -> Result<Self> {
        let number = |part: &str| part.trim().parse::<usize>().ok().filter(|&size| size > 0);
        let parts = text.split_once(['x', 'X']).and_then(|(height, width)| Some((number(height)?, number(width)?)));
        let (height, width) = parts
            .ok_or_else(|| Error::parameter("images", text, "is not of the form HEIGHTxWIDTH", "give it as 28x20"))?;
        Ok(Self { height, width, by_columns: false })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_that_do_not_multiply_to_the_coordinates_are_told() {
        let points = Points::new(1, 6, vec![0.0; 6]).unwrap();
        "2x3".parse::<Images>().unwrap().check(&points).unwrap();
        assert_eq!(
            "2x4".parse::<Images>().unwrap().check(&points).unwrap_err().to_string(),
            "images = 2x4 is 8 pixels, but the points have 6 coordinates; give HEIGHTxWIDTH that multiply to the \
             number of coordinates"
        );
        let turned = Images { height: 2, width: 3, by_columns: true };
        assert_eq!([0, 1, 2, 3, 4, 5].map(|pixel| turned.coordinate(pixel)), [0, 2, 4, 1, 3, 5]);
        assert_eq!(
            "0x4".parse::<Images>().unwrap_err().to_string(),
            "images = 0x4 is not of the form HEIGHTxWIDTH; give it as 28x20"
        );
    }
}
