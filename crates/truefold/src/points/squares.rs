//! Whether squares of the numbers of points stay in the range of numbers, so that sums of them mean something.

use crate::error::{Advice, Place};
use crate::{Error, Points, Result};

/// The largest number whose squares can be summed over any number of points, and the smallest extent whose square does
/// not vanish.
const LARGEST: f64 = 1e140;
const SMALLEST: f64 = 1e-140;

impl Points {
    /// An error where squares of the numbers, which messages call those of `name`, would leave the range of numbers.
    pub(crate) fn check_squares(&self, name: &str) -> Result<()> {
        let extent = self.extent_of_squares(name)?;
        if extent > 0.0 && extent < SMALLEST {
            let problem = format!(
                "the points of {name} lie within {extent:e} of each other, and squares below {SMALLEST:e} vanish"
            );
            return Err(Error::data(problem, Advice::mend_data("rescale the data")));
        }
        Ok(())
    }

    /// The same for numbers that are too large alone; how far a coordinate is from that of the first point, at the most.
    pub(crate) fn extent_of_squares(&self, name: &str) -> Result<f64> {
        let (mut largest, mut extent) = (0.0_f64, 0.0_f64);
        let mut first = vec![0.0; self.dim()];
        self.read_row(0, &mut first);
        let mut beyond = None;
        self.each_row(|index, row| {
            for (value, first) in row.iter().zip(&first) {
                largest = largest.max(value.abs());
                extent = extent.max((value - first).abs());
            }
            if largest > LARGEST && beyond.is_none() {
                let column = row.iter().position(|value| value.abs() > LARGEST).unwrap_or(0);
                beyond = Some((index, column, row[column]));
            }
        });
        let Some((row, column, value)) = beyond else { return Ok(extent) };
        let problem = format!("of {name} holds {value:e}, and squares of numbers beyond {LARGEST:e} cannot be summed");
        Err(Error::data(problem, Advice::mend_data("rescale the data")).at(Place::cell(row, column)))
    }
}
