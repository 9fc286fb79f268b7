//! Maps about their mean and in units of their own, so that single precision is enough for them wherever they lie.

use crate::Points;
use crate::linalg::Columns;

/// The units of a map: its largest coordinate, and its mean in these.
pub(crate) struct Units {
    unit: f64,
    means: Vec<f64>,
}

impl Units {
    /// The units of a map, and its coordinates in them.
    pub(crate) fn of(map: &Points) -> (Self, Vec<f64>) {
        let dim = map.dim();
        let unit = map.values().iter().fold(f64::MIN_POSITIVE, |most, at| most.max(at.abs()));
        let mut values: Vec<f64> = map.values().iter().map(|at| at / unit).collect();
        let mean = |axis: usize| values.iter().skip(axis).step_by(dim).sum::<f64>() / map.len() as f64;
        let means: Vec<f64> = (0..dim).map(mean).collect();
        Columns::new(&means).change(&mut values, |at, mean| *at -= mean);
        (Self { unit, means }, values)
    }

    /// Coordinates in these units as they were given.
    pub(crate) fn back(&self, values: &mut [f64]) {
        Columns::new(&self.means).change(values, |at, mean| *at = (*at + mean) * self.unit);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coordinates_come_back_from_any_units() {
        for (unit, offset) in [(1.0, 0.0), (1e-150, 0.0), (1e120, 3e122), (2.0, 4.5e6)] {
            let given: Vec<f64> = (0..60).map(|at| offset + unit * f64::from(at * 31 % 17)).collect();
            let (units, mut values) = Units::of(&Points::new(20, 3, given.clone()).unwrap());
            assert!(values.iter().all(|at| at.abs() <= 2.0));
            assert!((0..3).all(|axis| values.iter().skip(axis).step_by(3).sum::<f64>().abs() < 1e-12));
            units.back(&mut values);
            let largest = given.iter().fold(0.0_f64, |most, at| most.max(at.abs()));
            assert!(values.iter().zip(&given).all(|(a, b)| (a - b).abs() <= 1e-15 * largest));
        }
    }
}
