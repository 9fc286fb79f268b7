//! A comparison of methods: each on the neighborhoods of each k, beside the best possible.
//!
//! Neighbors are searched once, for the largest k; smaller neighborhoods are cut from it ([`Nested`]). A method that
//! fails is a row that says why. For one k every method is measured on the same neighborhoods, so the best of a k can
//! be named; values of different k belong to different neighborhoods and cannot be compared ([`sweep`](crate::sweep)
//! does that).
//!
//! ```
//! use truefold::compare::{Nested, Plan};
//! use truefold::{Input, Method, Run, dataset};
//!
//! let run = Run::new();
//! let roll = dataset::find("swiss-roll")?.sample(&dataset::Request::new().with_points(800))?;
//! let plan = Plan::new(vec![Method::new("psa", &[])?, Method::new("pca", &[])?], 2)?;
//! let nested = Nested::nearest(&roll.points, &[9, 12], &run)?;
//! let comparison = plan.run(Input::Points(&roll.points), &nested, &run)?;
//! assert_eq!(comparison.rows.len(), 4);
//! assert!(comparison.is_best(&comparison.rows[0], "r_n"));
//! assert!(comparison.rows[0].trial().and_then(|trial| trial.times_bound("r_n")).is_some_and(|times| times < 1.1));
//! # Ok::<(), truefold::Error>(())
//! ```

mod comparison;
mod given;
mod memory;
mod nested;
mod plan;
#[cfg(test)]
mod precision_tests;
#[cfg(test)]
mod tests;
mod trial;

pub use comparison::{Comparison, Row};
pub use given::GivenMap;
pub use nested::Nested;
pub(crate) use nested::check_distinct;
pub use plan::Plan;
pub use trial::Trial;
pub(crate) use trial::TrialPlan;
