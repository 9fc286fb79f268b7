//! The refinement that ends an embedding, and its second starts.
//!
//! An embedding that is at the bound already is left as it is. One that was torn or collapsed somewhere ends in
//! wrinkles, which show in its excess, the mean of (G - least G) / |H X_i|^2. Then other starts are refined too, and the
//! result with the smallest excess is kept. G is the Procrustes statistic of a neighborhood X_i; refinement
//! is section 4.4 of Goldberg and Ritov. Cost: a pass over the neighborhoods, and the refinements.

use crate::data::Input;
use crate::embedding::{Outcome, last};
use crate::graph::{false_share, is_on_itself};
use crate::history::{Stop, Trace};
use crate::local::{Chart, Charts, Fitter};
use crate::measure::{FAR, embedded_neighbors};
use crate::refine::{Refine, Target};
use crate::tear::{WRINKLED, may_have_folds};
use crate::{Fit, Neighborhoods, Points, Result, Run, Warning};
use serde::{Deserialize, Serialize};

/// R_N of more than so many times its bound is far above it.
const FAR_ABOVE: f64 = 2.0;
/// Of two sheets on each other, half of the neighbors are strangers where they overlap: a map lies on itself if half of it does.
const DOUBLED: f64 = 0.25;
/// An excess below this is rounding.
const ROUNDING: f64 = 1e-14;

/// The refinement after an embedding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Refinement {
    /// None: the embedding as it is.
    None,
    /// Lowers R.
    R,
    /// Lowers R_N, by which the paper compares methods.
    #[default]
    RN,
    /// Lowers R_C.
    RC,
    /// Lowers R_PCA.
    RPca,
}

impl Refinement {
    /// The names of all, for the tables.
    pub(super) const NAMES: &'static [&'static str] = &["none", "r", "r-n", "r-c", "r-pca"];

    /// The measure to lower, where there is one.
    pub(super) fn target(self) -> Option<Target> {
        match self {
            Self::None => None,
            Self::R => Some(Target::R),
            Self::RN => Some(Target::RN),
            Self::RC => Some(Target::RC),
            Self::RPca => Some(Target::RPca),
        }
    }
}

/// A second start: its name, and what makes it, where it can be made.
pub(super) type SecondStart<'a> = (&'static str, &'a dyn Fn() -> Result<Option<Points>>);

/// A refinement of neighborhoods that was begun.
pub(super) struct Refining<'a> {
    refine: &'a Refine,
    charts: &'a Charts<'a>,
    /// The lower bound of R_N.
    bound: f64,
    /// Whether few steps are expected, which need not be exact.
    is_short: bool,
}

impl<'a> Refining<'a> {
    /// Refines `start`, or `other` where its R_N is lower; the coordinates reached, and what is needed to go on.
    pub(super) fn begin_with_lower(
        refine: &'a Refine,
        charts: &'a Charts<'a>,
        mut start: Points,
        other: Option<Points>,
        fit: &mut Fit<'_>,
    ) -> Result<(Self, Vec<f64>)> {
        let (refining, mut value) = Self::judge(refine, charts, &start, fit)?;
        if let Some(other) = other {
            let lower = r_n(charts, &other, fit.run())?.0;
            (start, value) = if lower < value { (other, lower) } else { (start, value) };
            fit.lap("judgment");
        }
        let refined = refining.go_on(start, value, fit)?;
        Ok((refining, refined))
    }

    /// R_N of `start`, from which a refinement may [go on](Self::go_on).
    pub(super) fn judge(
        refine: &'a Refine,
        charts: &'a Charts<'a>,
        start: &Points,
        fit: &mut Fit<'_>,
    ) -> Result<(Self, f64)> {
        let (value, bound) = r_n(charts, start, fit.run())?;
        fit.lap("judgment");
        Ok((Self { refine, charts, bound, is_short: false }, value))
    }

    /// Refines `start`, whose R_N is `value`.
    pub(super) fn go_on(&self, start: Points, value: f64, fit: &mut Fit<'_>) -> Result<Vec<f64>> {
        let refine = self.refine;
        // No step could lower it by more than the tolerance, or than rounding.
        if refine.target == Target::RN && value - self.bound <= (refine.tolerance * value).max(ROUNDING) {
            let mut done = Outcome::direct(start.into_values());
            done.stop = Stop::Converged;
            done.traces.push(Trace { objective: refine.target.measure().into(), values: vec![value] });
            return Ok(fit.continue_with(done));
        }
        let refined = if self.is_short {
            refine.improve_charts(self.charts, start, fit.run())?
        } else {
            refine.refine_charts(self.charts, start, fit.run())?
        };
        fit.lap("refinement");
        Ok(fit.continue_with(refined))
    }

    /// The same by few steps.
    pub(super) fn in_short<'b>(&self, refine: &'b Refine) -> Refining<'b>
    where
        'a: 'b,
    {
        Refining { refine, charts: self.charts, bound: self.bound, is_short: true }
    }

    /// Whether this R_N is at most so many times its bound.
    pub(super) fn is_within(&self, value: f64, times: f64) -> bool {
        value <= times * self.bound
    }

    /// Whether this R_N is so far above its bound that there may be folds.
    pub(super) fn may_have_folds(&self, value: f64) -> bool {
        may_have_folds(value - self.bound, self.bound)
    }

    /// Whether this R_N is so near to its bound that there are no wrinkles.
    pub(super) fn is_smooth(&self, value: f64) -> bool {
        value - self.bound <= WRINKLED
    }

    /// R_N in multiples of its bound where wrinkles or folds are left and it is above [`FAR_ABOVE`].
    pub(super) fn far_above(&self, y: &[f64], run: &Run) -> Result<Option<f64>> {
        let count = self.charts.neighborhoods().len();
        let value = r_n(self.charts, &Points::new(count, y.len() / count, y.to_vec())?, run)?.0;
        let far = self.bound > 0.0 && !self.is_smooth(value) && value > FAR_ABOVE * self.bound;
        Ok(far.then(|| value / self.bound))
    }

    /// Warns where the map lies on itself, which R_N does not see: looks at maps of too small a dimension for the
    /// neighborhoods, and at those that may have folds.
    pub(super) fn look_back(&self, y: &[f64], fit: &mut Fit<'_>) -> Result<()> {
        let is_near = matches!(self.refine.target, Target::RN | Target::RC) && !self.may_have_folds(fit.reached());
        if self.bound <= FAR && is_near {
            return Ok(());
        }
        let (real, run) = (self.charts.neighborhoods(), fit.run());
        let map = Points::new(real.len(), y.len() / real.len(), y.to_vec())?;
        let shown = embedded_neighbors(&map, real, run)?;
        let (false_share, by_chance) = false_share(real, &shown, run)?;
        if is_on_itself(false_share, by_chance) || (self.bound <= FAR && false_share >= DOUBLED * by_chance) {
            fit.warn(Warning::LiesOnItself { false_share, reverse: None });
        }
        fit.lap("false neighbors");
        Ok(())
    }

    /// Where wrinkles are left in `y`, refines each of the `second` starts; the lowest is kept.
    pub(super) fn again(&self, mut y: Vec<f64>, second: &[SecondStart<'_>], fit: &mut Fit<'_>) -> Result<Vec<f64>> {
        let count = self.charts.neighborhoods().len();
        let reached = match self.refine.target {
            // R_C has the same bound.
            Target::RN | Target::RC => fit.reached(),
            _ if second.is_empty() => return Ok(y),
            _ => r_n(self.charts, &Points::new(count, y.len() / count, y.clone())?, fit.run())?.0,
        };
        if self.is_smooth(reached) {
            return Ok(y);
        }
        for (name, make) in second {
            let Some(other) = make()? else { continue };
            fit.lap(name);
            let other = self.refine.refine_charts(self.charts, other, fit.run())?;
            fit.lap("refinement");
            if last(&other.traces) < fit.reached() {
                y = fit.replace_with(other);
                fit.fact("second_start", *name);
            }
        }
        Ok(y)
    }
}

/// The least R_N that a map of so many dimensions could have.
pub(super) fn least_r_n(input: &Input<'_>, neighborhoods: &Neighborhoods, dim: usize, run: &Run) -> Result<f64> {
    let parts = run.chunks("judgment", neighborhoods.len(), 256, |range| {
        let mut chart = Chart::default();
        let (mut bound, mut counted) = (0.0, 0_usize);
        for index in range {
            chart.fill(input, neighborhoods.members(index))?;
            let (extent, least) = chart.extent_and_bound(dim);
            if extent > 0.0 {
                bound += least / extent;
                counted += 1;
            }
        }
        Ok((bound, counted))
    })?;
    let counted = parts.iter().map(|part| part.1).sum::<usize>().max(1) as f64;
    Ok(parts.iter().map(|part| part.0).sum::<f64>() / counted)
}

/// R_N of an embedding, and its lower bound.
pub(super) fn r_n(charts: &Charts<'_>, y: &Points, run: &Run) -> Result<(f64, f64)> {
    let neighborhoods = charts.neighborhoods();
    let parts = run.chunks("judgment", neighborhoods.len(), 256, |range| {
        let mut fitter = Fitter::default();
        let (mut value, mut bound, mut counted) = (0.0, 0.0, 0_usize);
        for index in range {
            let fit = fitter.fit(charts.input(), y, neighborhoods.members(index))?;
            if fit.extent > 0.0 {
                value += fit.rigid / fit.extent;
                bound += fit.bound / fit.extent;
                counted += 1;
            }
        }
        Ok((value, bound, counted))
    })?;
    let counted = parts.iter().map(|part| part.2).sum::<usize>().max(1) as f64;
    let sum = |of: fn(&(f64, f64, usize)) -> f64| parts.iter().map(of).sum::<f64>() / counted;
    Ok((sum(|part| part.0), sum(|part| part.1)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dataset::{self, Request};

    #[test]
    fn the_least_value_is_the_bound_beside_any_map() {
        let sphere = dataset::find("sphere").unwrap().sample(&Request::new().with_points(300)).unwrap().points;
        let (run, input) = (Run::new(), Input::Points(&sphere));
        let neighborhoods = Neighborhoods::nearest(&sphere, 9, &run).unwrap();
        let charts = Charts::new(input, &neighborhoods, &run).unwrap();
        for dim in [1, 2] {
            let y = Points::new(300, dim, (0..300 * dim).map(|at| (at as f64).sin()).collect()).unwrap();
            let least = least_r_n(charts.input(), &neighborhoods, dim, &run).unwrap();
            assert!(least > 0.0 && least == r_n(&charts, &y, &run).unwrap().1);
        }
        let flat = least_r_n(charts.input(), &neighborhoods, 3, &run).unwrap();
        assert_eq!(flat, 0.0);
    }
}
