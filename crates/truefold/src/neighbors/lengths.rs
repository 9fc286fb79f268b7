//! How far the neighbors in given lists are: by the coordinates of the points, or by given distances.

use super::{Distances, Metric, Neighborhoods, Space};
use crate::error::{Advice, Place};
use crate::{Error, Points, Result, Run};

/// Neighborhoods that are measured by one task.
const TASK: usize = 1024;

impl Neighborhoods {
    /// The distance of every member from its center, list after list; the center itself is at zero.
    ///
    /// They are those by which a search ordered its lists, bit for bit.
    ///
    /// ```
    /// use truefold::{Metric, Neighborhoods, Points, Run};
    ///
    /// let points = Points::new(4, 1, vec![0.0, 1.0, 3.0, 3.5])?;
    /// let run = Run::new();
    /// let found = Neighborhoods::nearest(&points, 2, &run)?;
    /// assert_eq!(found.members(2), &[2, 3, 1]);
    /// assert_eq!(found.distances(&points, Metric::Euclidean, &run)?[6..9], [0.0, 0.5, 2.0]);
    /// # Ok::<(), truefold::Error>(())
    /// ```
    pub fn distances(&self, points: &Points, metric: Metric, run: &Run) -> Result<Vec<f64>> {
        self.check_len(points.len())?;
        let space = Space::new(points, metric)?;
        let chunks = run.chunks("distances", self.len(), TASK, |range| {
            let (mut all, mut values) = (Vec::new(), Vec::new());
            for index in range {
                space.values_to(index, self.members(index), &mut values);
                all.extend(values.iter().map(|value| space.distance(*value)));
            }
            Ok(all)
        })?;
        Ok(chunks.concat())
    }

    /// The same, read from given distances; an error names a pair whose distance is not known.
    ///
    /// ```
    /// use truefold::{Distances, Neighborhoods};
    ///
    /// let distances = Distances::sparse(3, vec![0, 1, 2, 2], vec![1, 2], vec![0.5, 2.0])?;
    /// let lists = Neighborhoods::from_lists(&[[1], [2], [1]])?;
    /// assert_eq!(lists.known_distances(&distances)?, [0.0, 0.5, 0.0, 2.0, 0.0, 2.0]);
    /// assert!(Neighborhoods::from_lists(&[[2], [2], [1]])?.known_distances(&distances).is_err());
    /// # Ok::<(), truefold::Error>(())
    /// ```
    pub fn known_distances(&self, distances: &Distances) -> Result<Vec<f64>> {
        self.check_len(distances.len())?;
        let mut all = Vec::with_capacity(self.memberships());
        for index in 0..self.len() {
            for &row in self.members(index) {
                all.push(distances.get(index, row as usize).ok_or_else(|| {
                    let problem = format!("has row {} as a neighbor, but their distance is not known", row + 1);
                    Error::data(problem, Advice::mend_data("give more distances")).at(Place::row(index))
                })?);
            }
        }
        Ok(all)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Algorithm, Search};

    #[test]
    fn lists_of_a_search_rise_and_are_those_of_the_search_for_some_rows() {
        let values = (0..900).map(|at| f64::from(at * 7919 % 1009) - 300.5).collect();
        let (points, run) = (Points::new(300, 3, values).unwrap(), Run::new());
        let rows: Vec<u32> = (0..300).collect();
        for metric in Metric::ALL {
            for algorithm in [Algorithm::Tree, Algorithm::Brute] {
                let search = Search::nearest(6).with_metric(metric).with_algorithm(algorithm);
                let found = search.run(&points, &run).unwrap();
                let distances = found.distances(&points, metric, &run).unwrap();
                assert_eq!(distances, found.distances(&points, metric, &Run::new().with_threads(3).unwrap()).unwrap());
                let lists = search.run_for(&points, &rows, &run).unwrap();
                for (index, list) in lists.iter().enumerate() {
                    let own = &distances[found.places(index)];
                    assert_eq!(own[0], 0.0);
                    assert!(own.windows(2).all(|pair| pair[0] <= pair[1]));
                    assert_eq!(own[1..], list.iter().map(|one| one.0).collect::<Vec<_>>()[..]);
                }
            }
        }
        let other = Neighborhoods::from_lists(&[[1], [0]]).unwrap();
        assert!(other.distances(&points, Metric::Euclidean, &run).is_err());
    }
}
