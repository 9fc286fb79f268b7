//! Some of many points, spread as all of them are: no part of the data is left out by chance.
//!
//! Points are sorted into the leaves of a k-d tree, and of every so many consecutive ones the middle one is taken: each stands for as
//! many others that lie around it. Where a random choice of n / s points leaves balls of several times s points empty, this
//! does not. Cost: that of the tree, n log n; memory: 8 bytes a coordinate.

use super::{Metric, Space, Tree};
use crate::{Points, Result, Run};

impl Metric {
    /// The rows of `count` points that are spread as all of them are, in order; all rows where there are no more.
    ///
    /// ```
    /// use truefold::{Metric, Points, Run};
    ///
    /// let points = Points::new(90, 1, (0..90).map(|row| f64::from((row * 37) % 90)).collect())?;
    /// let rows = Metric::Euclidean.spread(&points, 3, &Run::new())?;
    /// let mut places: Vec<f64> = rows.iter().map(|&row| points.row(row as usize)[0]).collect();
    /// places.sort_by(f64::total_cmp);
    /// assert!(places[0] < 30.0 && places[1] >= 30.0 && places[1] < 60.0 && places[2] >= 60.0);
    /// # Ok::<(), truefold::Error>(())
    /// ```
    pub fn spread(self, points: &Points, count: usize, run: &Run) -> Result<Vec<u32>> {
        let all = points.len();
        if count >= all {
            return Ok((0..all as u32).collect());
        }
        let tree = Tree::build(&Space::of_part(points, self)?, run)?;
        let order: Vec<u32> = tree.order().filter(|&row| (row as usize) < all).collect();
        let mut rows: Vec<u32> = (0..count).map(|place| order[(2 * place + 1) * all / (2 * count)]).collect();
        rows.sort_unstable();
        Ok(rows)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::uniform;

    #[test]
    fn every_region_has_its_share() {
        let points = Points::new(4000, 2, (0..8000).map(|at| uniform(3, at).powi(2)).collect()).unwrap();
        let rows = Metric::Euclidean.spread(&points, 250, &Run::new()).unwrap();
        assert_eq!(rows.len(), 250);
        assert!(rows.is_sorted_by(|a, b| a < b));
        // Of 16 regions with 250 points each none is far from its share; of a random choice some are.
        let region = |row: &[f64]| {
            let side = |value: f64| (4.0 * value.sqrt()) as usize;
            4 * side(row[0]) + side(row[1])
        };
        let (mut all, mut taken) = ([0.0; 16], [0.0; 16]);
        (0..4000).for_each(|row| all[region(points.row(row))] += 1.0);
        rows.iter().for_each(|&row| taken[region(points.row(row as usize))] += 1.0);
        for (all, taken) in all.iter().zip(taken) {
            assert!((taken - all / 16.0_f64).abs() < 4.0, "{taken} of {all}");
        }
        let few = Metric::Cosine.spread(&points, 5000, &Run::new()).unwrap();
        assert_eq!(few.len(), 4000);
    }
}
