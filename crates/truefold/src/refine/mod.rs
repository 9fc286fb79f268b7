//! Refinement: lowers a Procrustes measure of any embedding, by any program.
//!
//! In turn, the frames A_i = Procrustes rotations of (X_i, Y_i), then the Y that fits them best: (sum w_i H_i) Y = sum
//! w_i H_i T_i, T_i = X_i A_i, w_i = 1 for R and R_PCA, 1 / |H X_i|^2 for R_N. For R_C each neighborhood also has its
//! scale c_i = tr L_i / |H Y_i|^2; the weights are then c_i^2 / |H X_i|^2, T_i is divided by c_i, and the whole is
//! scaled so that the c_i average 1. H_i is the centering matrix of neighborhood X_i. Goldberg and Ritov, section 4.4.
//! Cost of a step: O(n m r d) and a Laplacian system.
//!
//! It finds a local minimum: a fold, a tear or a reflected part in the start stays. Neighborhoods of X without extent
//! are left out of R_N and R_C, as in the measures, and only keep their members together.
//!
//! With a penalty on distant points that lie together it also looks for other minima (see `faithful.rs`). Where the data have
//! more dimensions than the map, the target is both directions unless another is named (`both.rs`). On no data may a target
//! cost more on the other side than the slack (`guard.rs`): a result that does is refused.
//!
//! Differs from the paper, which iterates the simple step: here the exact step is the default, each step is corrected by
//! the memory of those before it, and a step that would raise the target is undone.

mod both;
#[cfg(test)]
mod both_tests;
mod descent;
mod faithful;
mod guard;
mod objective;
mod part;
mod penalty;
#[cfg(test)]
mod penalty_tests;
mod sample;
#[cfg(test)]
mod sample_tests;
mod stress;
mod sweep;
#[cfg(test)]
mod tests;
mod unfold;

use crate::data::Input;
use crate::embedding::Outcome;
use crate::error::{Advice, Bound, Limit};
use crate::graph::Renumbering;
use crate::history::{Stopwatch, Trace};
use crate::laplacian::{Effort, Strategy};
use crate::local::Charts;
use crate::{Error, Neighborhoods, Points, Result, Run, Warning, names};
use descent::Descent;
use guard::Guard;
use objective::Objective;
use serde::{Deserialize, Serialize};
use std::time::Instant;
use sweep::Sweeper;

/// How to refine an embedding.
///
/// ```
/// use truefold::{Neighborhoods, Points, Refine, Run, Input};
///
/// let run = Run::new();
/// let x = Points::from_rows(&[[0.0, 0.0], [1.0, 0.0], [2.0, 0.0], [3.0, 0.0], [4.0, 0.0]])?;
/// let y = Points::new(5, 1, vec![0.0, 0.9, 2.2, 2.8, 4.1])?;
/// let neighborhoods = Neighborhoods::nearest(&x, 2, &run)?;
/// let refined = Refine::default().refine(Input::Points(&x), &neighborhoods, &y, &run)?;
/// assert!(refined.traces[0].values.is_sorted_by(|before, after| after < before));
/// assert!((refined.values[1] - refined.values[0] - 1.0).abs() < 1e-3);
/// # Ok::<(), truefold::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Refine {
    /// The measure to lower.
    pub target: Target,
    /// The plain step.
    pub step: Step,
    /// Whether steps are corrected by the memory of those before.
    pub acceleration: Acceleration,
    /// The weight of the penalty on points distant on the neighborhood graph that are embedded as near as neighbors, 0 for
    /// none. Without such points it changes nothing; otherwise the map is also unfolded, and the lower of the two results
    /// is kept. Sensible values are from 0.1 to 10.
    pub penalty: f64,
    /// How the Laplacian of the exact step is factored.
    pub solver: Strategy,
    /// The most steps.
    pub iterations: usize,
    /// The iteration ends when two steps in a row lower the target by less than this share of it; of both directions, which
    /// are looked at now and then, when the steps between do so on average.
    pub tolerance: f64,
    /// The most seconds, if limited; checked between steps.
    pub time_limit: Option<f64>,
    /// How far reverse R_C may rise, and, where both directions are the target, R_C; maps of more than three dimensions, and
    /// data of which not all distances are known, are not looked at. None is no limit.
    pub slack: Option<f64>,
}

impl Default for Refine {
    fn default() -> Self {
        Self {
            target: Target::default(),
            step: Step::default(),
            acceleration: Acceleration::default(),
            penalty: 0.0,
            solver: Strategy::default(),
            iterations: 200,
            tolerance: 1e-5,
            time_limit: None,
            slack: Some(0.02),
        }
    }
}

/// The measure that a refinement lowers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Target {
    /// Both directions where the data have more dimensions than the map and no parameter of the others is given, or where
    /// lowering R_N ends with strangers over each other; else R_N.
    #[default]
    Auto,
    /// R_C on the neighborhoods of the data and on those of the map, with neighbors kept together: maps of up to three
    /// dimensions.
    Both,
    /// R.
    R,
    /// R_N: every neighborhood counts the same.
    RN,
    /// R_C: every neighborhood has its own scale.
    RC,
    /// R_PCA: only what the local PCA keeps of a neighborhood counts.
    RPca,
}

impl Target {
    /// The measure's name, as in the table of measures.
    pub fn measure(self) -> &'static str {
        match self {
            Self::R => "r",
            Self::Auto | Self::RN => "r_n",
            Self::Both | Self::RC => "r_c",
            Self::RPca => "r_pca",
        }
    }
}

/// The plain step of a refinement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Step {
    /// The best Y for the frames, by a Laplacian system.
    #[default]
    Exact,
    /// That of the paper: every point goes to the mean of the places that its neighborhoods predict.
    Simple,
}

/// Whether the steps of a refinement are accelerated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Acceleration {
    /// Plain steps, as in the paper.
    None,
    /// Steps corrected by the last few (limited-memory quasi-Newton).
    #[default]
    QuasiNewton,
}

impl Refine {
    /// The parameters that are words, with the words that they take.
    pub const WORDS: [(&'static str, &'static [&'static str]); 4] = [
        ("target", &["auto", "both", "r", "r-n", "r-c", "r-pca"]),
        ("step", &["exact", "simple"]),
        ("acceleration", &["quasi-newton", "none"]),
        ("solver", &["auto", "cholesky", "iterative"]),
    ];

    /// The word of [`Refine::WORDS`] that the user gave for the parameter `name`, however it was typed.
    ///
    /// ```
    /// use truefold::Refine;
    ///
    /// assert!(["r-c", "r_c", "R_C"].iter().all(|given| Refine::word("target", given).is_ok_and(|word| word == "r-c")));
    /// let error = Refine::word("step", "long").unwrap_err();
    /// assert_eq!(error.to_string(), "step = long is not one of exact, simple; choose one of them");
    /// ```
    pub fn word(name: &'static str, given: &str) -> Result<&'static str> {
        let known = Self::WORDS.iter().find(|(known, _)| *known == name).map_or(&[][..], |(_, words)| words);
        let word = known.iter().copied().find(|word| names::is_same(given, word));
        word.ok_or_else(|| {
            let known = Bound::OneOf(known.iter().map(|&word| word.to_owned()).collect());
            Error::parameter(name, given, known, Advice::change(name, "choose one of them"))
        })
    }

    /// An error if a limit makes no sense.
    pub fn check(&self) -> Result<()> {
        if !(self.tolerance >= 0.0 && self.tolerance < 1.0) {
            return Err(Error::parameter(
                "tolerance",
                self.tolerance,
                Bound::FromBelow(0.0, 1.0),
                Advice::leave_out("tolerance", "leave it out for 0.00001"),
            ));
        }
        if self.target == Target::Both
            && let Some(name) = self.of_one_side()
        {
            let what = format!("cannot go with {name}, which belongs to targets on the data's neighborhoods alone");
            let advice = Advice::leave_out(name, "leave it out, or name another {target}");
            return Err(Error::parameter("target", "both", what, advice));
        }
        if !(self.penalty >= 0.0 && self.penalty.is_finite()) {
            return Err(Error::parameter(
                "penalty",
                self.penalty,
                "is not a finite number of at least 0",
                Advice::change("penalty", "choose 1, or leave it out for none"),
            ));
        }
        if let Some(slack) = self.slack.filter(|slack| slack.is_nan() || *slack < 0.0) {
            let advice = Advice::leave_out("slack", "leave it out for 0.02");
            return Err(Error::parameter("slack", slack, Bound::AtLeast(0.0), advice));
        }
        if let Some(limit) = self.time_limit.filter(|limit| limit.is_nan() || *limit <= 0.0) {
            let bound = Limit::because(Bound::Above(0.0), "it is a number of seconds");
            let advice = Advice::leave_out("time_limit", "leave it out for none");
            return Err(Error::parameter("time_limit", limit, bound, advice));
        }
        Ok(())
    }

    /// A parameter that is not at its default and has a meaning only for targets on the data's neighborhoods alone.
    fn of_one_side(&self) -> Option<&'static str> {
        let usual = Self::default();
        let given = [
            ("penalty", self.penalty > 0.0),
            ("step", self.step != usual.step),
            ("acceleration", self.acceleration != usual.acceleration),
            ("solver", self.solver != usual.solver),
        ];
        given.into_iter().find(|(_, given)| *given).map(|(name, _)| name)
    }

    /// Refines the embedding `start` of `input`.
    ///
    /// The target, with the weighted penalty if there is one, never rises; [`Outcome::traces`] has its value after every
    /// step, of both directions the first and the last.
    pub fn refine(
        &self,
        input: Input<'_>,
        neighborhoods: &Neighborhoods,
        start: &Points,
        run: &Run,
    ) -> Result<Outcome> {
        self.check()?;
        input.check_embedding(start)?;
        neighborhoods.check_len(input.len())?;
        let mut watch = Stopwatch::start();
        let mut outcome = match Renumbering::of(&input, neighborhoods) {
            None => self.refine_from(input, neighborhoods, start.clone(), &mut watch, run)?,
            Some(near) => {
                watch.lap("renumber");
                let (input, start) = (Input::Points(near.points()), near.renumbered(start));
                let mut outcome = self.refine_from(input, near.neighborhoods(), start, &mut watch, run)?;
                outcome.values = near.restored(&outcome.values, outcome.values.len() / near.points().len());
                outcome
            }
        };
        outcome.stages = watch.stages();
        Ok(outcome)
    }

    fn refine_from(
        &self,
        input: Input<'_>,
        neighborhoods: &Neighborhoods,
        start: Points,
        watch: &mut Stopwatch,
        run: &Run,
    ) -> Result<Outcome> {
        if self.target == Target::Both && start.dim() > guard::MOST_DIM {
            let what = format!("needs a map of at most {} dimensions, and this has {}", guard::MOST_DIM, start.dim());
            return Err(Error::parameter("target", "both", what, Advice::change("target", "name another {target}")));
        }
        let both = match self.target {
            Target::Auto => self.of_one_side().is_none() && guard::is_thick(&input, neighborhoods, start.dim())?,
            target => target == Target::Both,
        };
        let target = match self.target {
            _ if both => Target::Both,
            Target::Auto => Target::RN,
            target => target,
        };
        let refine = Self { target, ..self.clone() };
        let (mut outcome, target) = if both {
            (both::refine(&refine, input, neighborhoods, &start, run)?, target)
        } else {
            refine.refine_one_side(self.target == Target::Auto, (input, neighborhoods), start, watch, run)?
        };
        watch.lap("refinement");
        outcome.facts.insert("target".into(), serde_json::to_value(target).unwrap_or_default());
        Ok(outcome)
    }

    /// Refines towards the target, and gives the one that was kept to: where the end costs too much on the other side, both
    /// directions if the target is `open`, else this one with every step looked at.
    fn refine_one_side(
        &self,
        open: bool,
        (input, neighborhoods): (Input<'_>, &Neighborhoods),
        start: Points,
        watch: &mut Stopwatch,
        run: &Run,
    ) -> Result<(Outcome, Target)> {
        let begun = Instant::now();
        let guard = Guard::new(self, (input, neighborhoods), &start, run)?;
        let charts = Charts::new(input, neighborhoods, run)?;
        watch.lap("charts");
        let Some(guard) = guard.as_ref().filter(|guard| !guard.is_strict) else {
            return Ok((self.refine_guarded(&charts, start, guard.as_ref(), run)?, self.target));
        };
        let free = self.refine_guarded(&charts, start.clone(), None, run)?;
        let end = Points::new(start.len(), start.dim(), free.values)?;
        if guard.admits(&end, &run.quiet())? {
            return Ok((Outcome { values: end.into_values(), ..free }, self.target));
        }
        watch.lap("refused refinement");
        let time_limit = self.time_limit.map(|limit| (limit - begun.elapsed().as_secs_f64()).max(f64::MIN_POSITIVE));
        let again = Self { time_limit, ..self.clone() };
        let (mut outcome, target) = if open && self.of_one_side().is_none() {
            let both = Self { target: Target::Both, ..again };
            (both::refine(&both, input, neighborhoods, &start, run)?, Target::Both)
        } else {
            (again.refine_guarded(&charts, start, Some(guard), run)?, self.target)
        };
        outcome.facts.insert("refused".into(), serde_json::to_value(self.target).unwrap_or_default());
        outcome.warnings.push(Warning::RefusedRefinement { measure: self.target.measure() });
        Ok((outcome, target))
    }

    /// Refines an embedding of neighborhoods whose charts are known, towards a measure of these alone, which is named.
    pub(crate) fn refine_charts(&self, charts: &Charts<'_>, start: Points, run: &Run) -> Result<Outcome> {
        self.refine_guarded(charts, start, None, run)
    }

    /// The same by few steps, which need not be exact.
    pub(crate) fn improve_charts(&self, charts: &Charts<'_>, start: Points, run: &Run) -> Result<Outcome> {
        self.descend(charts, start, None, Effort::Rough, run)
    }

    fn refine_guarded(
        &self,
        charts: &Charts<'_>,
        start: Points,
        guard: Option<&Guard<'_>>,
        run: &Run,
    ) -> Result<Outcome> {
        if self.penalty > 0.0 {
            return faithful::refine(self, charts, start, guard, run);
        }
        self.descend(charts, start, guard, Effort::Full, run)
    }

    /// Lowers the target alone.
    fn descend(
        &self,
        charts: &Charts<'_>,
        start: Points,
        guard: Option<&Guard<'_>>,
        effort: Effort,
        run: &Run,
    ) -> Result<Outcome> {
        let sweeper = Sweeper::new(charts, self.target, start.dim(), run)?;
        let objective = Objective { sweeper, penalty: None, stress: None, guard, free: None, effort };
        let descent = descent::descend(self, &objective, charts.neighborhoods(), start, run)?;
        Ok(self.outcome(descent))
    }

    fn outcome(&self, descent: Descent) -> Outcome {
        let mut values = descent.y.into_values();
        if self.target == Target::RC && descent.scale > 0.0 {
            values.iter_mut().for_each(|value| *value *= descent.scale);
        }
        let mut outcome = Outcome::direct(values);
        outcome.stop = descent.stop;
        outcome.facts.insert("refinement_steps".into(), (descent.values.len() - 1).into());
        outcome.facts.insert("steps_taken_back".into(), descent.taken_back.into());
        outcome.traces.push(Trace { objective: self.objective(), values: descent.values });
        outcome
    }

    /// What is lowered, as in the traces.
    fn objective(&self) -> String {
        let measure = self.target.measure();
        if self.penalty > 0.0 { format!("{measure} + {} penalty", self.penalty) } else { measure.into() }
    }
}
