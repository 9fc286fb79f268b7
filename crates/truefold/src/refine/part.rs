//! Refinement of some points while those around them stay: a part of a map that is too large for one machine.
//!
//! The measure is that of the neighborhoods of the first points; others are there to be neighbors, and have none of their own. The
//! exact step solves for the free points alone (`laplacian/held.rs`), so that the large scales of the map are those of the start.

use super::descent::descend;
use super::objective::Objective;
use super::sweep::Sweeper;
use super::{Refine, Target};
use crate::data::Input;
use crate::embedding::Outcome;
use crate::error::Advice;
use crate::laplacian::Effort;
use crate::local::Charts;
use crate::{Error, Neighborhoods, Points, Result, Run};

/// Neighborhoods that are looked at by one task.
const TASK: usize = 4096;

impl Refine {
    /// Lowers a measure of the first points' neighborhoods, and moves the first `free` points only.
    ///
    /// Neighborhoods are made by [`Neighborhoods::of_first`]. The target is R_N where none is named; both directions and the penalty
    /// need the whole map, and so does the slack. Steps are solved without a factor, whatever the solver. A part that is a single place
    /// stays as it is.
    ///
    /// ```
    /// use truefold::{Input, Neighborhoods, Points, Refine, Run};
    ///
    /// let x = Points::new(5, 1, vec![0.0, 1.0, 2.0, 3.0, 4.0])?;
    /// let y = Points::new(5, 1, vec![1.3, 0.9, 2.2, 0.0, 4.0])?;
    /// // The points 1 and 2 may move; 0, 3 and 4 belong to others.
    /// let order = [1, 2, 0, 3, 4];
    /// let (x, y) = (x.select(&order), y.select(&order));
    /// let neighborhoods = Neighborhoods::of_first(5, &[vec![1, 2], vec![0, 3]])?;
    /// let refined = Refine::default().refine_first(2, Input::Points(&x), &neighborhoods, &y, &Run::new())?;
    /// assert_eq!(refined.values[2..], y.values()[2..]);
    /// assert!(refined.traces[0].values.is_sorted_by(|before, after| after < before));
    /// # Ok::<(), truefold::Error>(())
    /// ```
    pub fn refine_first(
        &self,
        free: usize,
        input: Input<'_>,
        neighborhoods: &Neighborhoods,
        start: &Points,
        run: &Run,
    ) -> Result<Outcome> {
        self.check()?;
        input.check_embedding(start)?;
        neighborhoods.check_len(input.len())?;
        if self.target == Target::Both || self.penalty > 0.0 {
            let (name, value) =
                if self.penalty > 0.0 { ("penalty", self.penalty.to_string()) } else { ("target", "both".to_owned()) };
            let what = "needs the whole map, and these are some of its points";
            return Err(Error::parameter(name, value, what, Advice::leave_out(name, "leave it out")));
        }
        if free > start.len() {
            let problem = format!("{free} points may move, but there are {}", start.len());
            return Err(Error::data(problem, Advice::mend_data("name at most as many as there are")));
        }
        let target = if self.target == Target::Auto { Target::RN } else { self.target };
        let refine = Self { target, ..self.clone() };
        let charts = Charts::new(input, neighborhoods, run)?;
        if is_one_place(&charts, run)? {
            return Ok(Outcome::direct(start.values().to_vec()));
        }
        let sweeper = Sweeper::new(&charts, target, start.dim(), run)?;
        let objective =
            Objective { sweeper, penalty: None, stress: None, guard: None, free: Some(free), effort: Effort::Full };
        let descent = descend(&refine, &objective, neighborhoods, start.clone(), run)?;
        // The scale of the whole map is not a part's to change.
        Ok(refine.outcome(super::Descent { scale: 1.0, ..descent }))
    }
}

/// Whether no neighborhood has an extent, as among copies of a point.
fn is_one_place(charts: &Charts<'_>, run: &Run) -> Result<bool> {
    let parts = run.chunks("extents", charts.neighborhoods().len(), TASK, |range| {
        let mut columns = Vec::new();
        Ok(range.clone().all(|index| {
            charts.gather(index, 0, &mut columns);
            columns.iter().all(|&value| value == 0.0)
        }))
    })?;
    Ok(parts.into_iter().all(|one| one))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::uniform;

    #[test]
    fn a_part_of_copies_stays_and_too_many_free_points_are_refused() {
        let x = Points::new(6, 2, vec![3.0; 12]).unwrap();
        let y = Points::new(6, 2, (0..12).map(|at| uniform(1, at)).collect()).unwrap();
        let lists = Neighborhoods::of_first(6, &[vec![1, 2], vec![0, 5]]).unwrap();
        let refine = Refine::default();
        let found = refine.refine_first(2, Input::Points(&x), &lists, &y, &Run::new()).unwrap();
        assert_eq!(found.values, y.values());
        let error = refine.refine_first(7, Input::Points(&x), &lists, &y, &Run::new()).unwrap_err();
        assert!(error.to_string().contains("7 points may move, but there are 6"), "{error}");
    }

    #[test]
    fn points_that_are_held_stay_and_the_others_come_to_the_bound() {
        // A flat grid whose middle was moved: with the rim held, all points come back to where they were.
        let at = |row: usize| [(row % 20) as f64, (row / 20) as f64];
        let inner = |row: usize| (2..18).contains(&(row % 20)) && (2..18).contains(&(row / 20));
        let order: Vec<u32> = (0..400)
            .filter(|&row| inner(row))
            .chain((0..400).filter(|&row| !inner(row)))
            .map(|row| row as u32)
            .collect();
        let x = Points::new(400, 2, order.iter().flat_map(|&row| at(row as usize)).collect()).unwrap();
        let lists = Neighborhoods::nearest(&x, 8, &Run::new()).unwrap();
        let moved = |(index, &value): (usize, &f64)| {
            value + if index < 512 { 0.3 * (uniform(7, index as u64) - 0.5) } else { 0.0 }
        };
        let y = Points::new(400, 2, x.values().iter().enumerate().map(moved).collect()).unwrap();
        let found = Refine::default().refine_first(256, Input::Points(&x), &lists, &y, &Run::new()).unwrap();
        assert_eq!(found.values[512..], x.values()[512..]);
        let far = found.values.iter().zip(x.values()).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(far < 1e-3, "{far}");
        let values = &found.traces[0].values;
        assert!(values.last().unwrap() < &(1e-5 * values[0]), "{values:?}");
    }
}
