//! Smaller neighborhoods from larger ones: the k nearest are the first k of any longer list in order of distance.

use super::search::no_neighbors;
use super::{Neighborhoods, Origin, Reach};
use crate::error::{Advice, Bound, Limit};
use crate::{Error, Result, memory};

impl Neighborhoods {
    /// The first `k` neighbors of each point, from a search for at least as many nearest neighbors.
    ///
    /// Exact lists are in order of distance, ties by row, so these are the lists that a search for `k` finds. From an
    /// approximate search they are the nearest of what it found, and the stated recall remains that of the longer
    /// lists. Lists within a radius, and given lists, cannot be shortened.
    ///
    /// ```
    /// use truefold::{Neighborhoods, Points, Run};
    ///
    /// let points = Points::new(5, 1, vec![0.0, 1.0, 3.0, 3.5, 9.0])?;
    /// let wide = Neighborhoods::nearest(&points, 3, &Run::new())?;
    /// assert_eq!(wide.first(1)?.neighbors(2), &[3]);
    /// assert!(wide.first(4).is_err());
    /// # Ok::<(), truefold::Error>(())
    /// ```
    pub fn first(&self, k: usize) -> Result<Self> {
        self.check_first(k)?;
        let mut origin = self.origin.clone();
        match &mut origin {
            Origin::Exact { reach, .. } | Origin::Approximate { reach, .. } | Origin::Distances { reach } => {
                *reach = Reach::Nearest(k);
            }
            Origin::Given => {}
        }
        // Neighborhoods restricted to a part of the points may be shorter than what was asked for.
        let length = (0..self.len()).map(|index| self.members(index).len().min(k + 1)).sum();
        let task = format!("lists of {k} neighbors of {} points", self.len());
        let mut members =
            memory::room(length, task, Advice::change("k", "choose a smaller {k}, or give fewer points"))?;
        let mut offsets = Vec::with_capacity(self.offsets.len());
        offsets.push(0);
        for index in 0..self.len() {
            members.extend(self.members(index).iter().take(k + 1));
            offsets.push(members.len());
        }
        Ok(Self::from_parts(offsets, members, origin).with_walk(self.walk.clone()))
    }

    /// An error unless the first `k` neighbors of each list are its `k` nearest.
    pub(crate) fn check_first(&self, k: usize) -> Result<()> {
        match self.origin {
            Origin::Exact { reach: Reach::Nearest(most), .. }
            | Origin::Approximate { reach: Reach::Nearest(most), .. }
            | Origin::Distances { reach: Reach::Nearest(most) } => match k {
                0 => Err(no_neighbors()),
                k if k > most => Err(Error::parameter(
                    "k",
                    k,
                    Limit::because(Bound::AtMost(most as f64), "no more neighbors were searched for"),
                    Advice::change("k", "choose a smaller {k}, or search for more neighbors"),
                )),
                _ => Ok(()),
            },
            _ => Err(Error::parameter(
                "k",
                k,
                "cannot be applied to neighborhoods that are given or within a radius",
                Advice::leave_out("k", "use them as they are"),
            )),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::dataset::{self, Request};
    use crate::memory::tests::asks_for;
    use crate::{Algorithm, Distances, Metric, Neighborhoods, Points, Run, Search};

    fn same_lists(a: &Neighborhoods, b: &Neighborhoods) -> bool {
        a.len() == b.len() && (0..a.len()).all(|index| a.members(index) == b.members(index))
    }

    /// A roll, and a lattice on which nearly all distances are tied.
    fn samples() -> [Points; 2] {
        let roll = dataset::find("swiss-roll").unwrap().sample(&Request::new().with_points(400)).unwrap();
        let lattice = (0..400).flat_map(|at| [f64::from(at % 20), f64::from(at / 20)]).collect();
        [roll.points, Points::new(400, 2, lattice).unwrap()]
    }

    #[test]
    fn shortened_lists_are_those_of_a_search() {
        let run = Run::new();
        for points in samples() {
            for algorithm in [Algorithm::Tree, Algorithm::Brute] {
                for metric in [Metric::Euclidean, Metric::Manhattan] {
                    let search = |k| {
                        Search::nearest(k).with_metric(metric).with_algorithm(algorithm).run(&points, &run).unwrap()
                    };
                    // From 49 neighbors on the search keeps its lists in another way.
                    let wide = search(60);
                    for k in [1, 2, 7, 48, 49, 60] {
                        let (cut, found) = (wide.first(k).unwrap(), search(k));
                        assert!(same_lists(&cut, &found), "{algorithm:?} {metric} {k}");
                        assert_eq!(cut.origin(), found.origin());
                        assert_eq!(cut.uniform_k(), Some(k));
                    }
                }
            }
        }
    }

    #[test]
    fn lists_from_distances_can_be_shortened_and_other_lists_cannot() {
        let run = Run::new();
        let [_, points] = samples();
        let distance = |a: &[f64], b: &[f64]| ((a[0] - b[0]).powi(2) + (a[1] - b[1]).powi(2)).sqrt();
        let table = points.rows().flat_map(|a| points.rows().map(move |b| distance(a, b))).collect();
        let distances = Distances::dense(400, table).unwrap();
        let wide = Search::nearest(20).run_on_distances(&distances, &run).unwrap();
        assert_eq!(wide.first(6).unwrap(), Search::nearest(6).run_on_distances(&distances, &run).unwrap());
        let reason = |lists: Neighborhoods| lists.first(1).unwrap_err().to_string();
        assert!(reason(Neighborhoods::within(&points, 1.5, &run).unwrap()).contains("within a radius"));
        assert!(reason(Neighborhoods::from_lists(&[vec![1], vec![0]]).unwrap()).contains("given"));
        assert!(wide.first(0).is_err() && wide.first(21).is_err());
    }

    #[test]
    fn shorter_lists_are_compared_with_the_memory_that_is_there() {
        let [roll, _] = samples();
        let wide = Neighborhoods::nearest(&roll, 12, &Run::new()).unwrap();
        asks_for(400 * (1 + 5) * 4, || wide.first(5));
    }
}
