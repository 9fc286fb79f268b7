//! Procrustes subspaces alignment (PSA): local PCA frames, turned until neighbors agree, then one linear system.
//!
//! 1. Frames P_i, q x d, by local PCA of each neighborhood.
//! 2. Rotations O_i so that A_i = P_i O_i make f = sum_i sum_(j in Neighbors(i)) |A_i - A_j|^2 small.
//! 3. Y from (sum_i H_i) Y = sum_i H_i X A_i, refined, turned onto its principal axes.
//!
//! X are the n points in q dimensions, d the dimension of the embedding, H_i the centering matrix of neighborhood i.
//! Goldberg and Ritov, section 4.2. Cost: O(n k q d) and a Laplacian solve; annealing takes more. When it fails: on a
//! surface that has no flat map, such as a sphere, the frames are a compromise, and f shows it; where sheets are nearer
//! to each other than about four standard deviations of the noise, points between them go to the wrong one.
//!
//! Differs from the paper: frames are aligned by synchronization unless annealing is asked for; both lower the same f.

#[cfg(test)]
mod noise_tests;
mod own_units;
#[cfg(test)]
mod own_units_tests;
mod parameters;
mod sheet;
#[cfg(test)]
mod tear_tests;
#[cfg(test)]
mod tests;

pub use crate::frames::{Alignment, AnnealingStart};
pub use crate::tear::Tearing;
pub use parameters::{Denoising, Psa, TangentK};

use super::pose::set_upright;
use super::refinement::Refining;
use super::renumbered::renumbered;
use super::{EmbedderInfo, Recipe, pca};
use crate::data::Input;
use crate::frames::Tangents;
use crate::local::Charts;
use crate::memory::Need;
use crate::tear::{Layout, may_be_torn, torn_apart, torn_at_sight};
use crate::warning::{Deficient, Warning};
use crate::{Fit, Points, Problem, Result};
use sheet::{Laid, Sheet};

impl Recipe for Psa {
    const INFO: &'static EmbedderInfo = parameters::INFO;

    fn check_parameters(&self, _dim: usize) -> Result<()> {
        self.check_used()
    }

    fn check(&self, problem: &Problem<'_>) -> Result<()> {
        coordinates(problem)?;
        self.check_size(problem)
    }

    fn memory(&self, problem: &Problem<'_>) -> Need {
        // Frames or places, and the links with their weights.
        Need::of(16.0 * problem.dim() as f64, 12.0)
    }

    fn embed(&self, problem: &Problem<'_>, fit: &mut Fit<'_>) -> Result<Vec<f64>> {
        renumbered(problem, fit, |problem, fit| {
            let (points, dim) = (coordinates(problem)?, problem.dim());
            if let Some(mut y) = self.in_own_units(points, problem, fit)? {
                set_upright(&mut y, dim);
                return Ok(y);
            }
            let (sheet, tangents) = self.sheet(points, problem, fit)?;
            let deficient = tangents.deficient();
            fit.fact("rank_deficient", deficient);
            if deficient > 0 {
                fit.warn(Warning::RankDeficient { of: Deficient::Frames, deficient, all: points.len(), wanted: dim });
            }
            let mut y = self.embed_sheet(&sheet, tangents, fit)?;
            sheet.settle(&mut y, fit)?;
            set_upright(&mut y, dim);
            Ok(y)
        })
    }
}

/// The coordinates, without which there are no frames to align.
fn coordinates<'a>(problem: &Problem<'a>) -> Result<&'a Points> {
    problem.coordinates(
        "psa aligns tangents in the space of the data, and distances alone have none",
        "give the points, or use gp",
    )
}

impl Psa {
    /// Lays out the whole; where it is folded, tears it, and else refines it, from another start where wrinkles are left.
    fn embed_sheet(&self, sheet: &Sheet<'_>, mut tangents: Tangents, fit: &mut Fit<'_>) -> Result<Vec<f64>> {
        let dim = tangents.dim();
        let may_be_torn = may_be_torn(sheet, &tangents, self.tear, fit.run())?;
        // Frames of two axes that differ by more than small angles are a sign of a surface that closes on itself, and take
        // long to align; of any other frames this is not known.
        let is_looked_at =
            self.tear == Tearing::Auto && may_be_torn && dim == 2 && self.alignment == Alignment::Synchronize;
        let at_sight = |tangents: &Tangents, fit: &mut Fit<'_>| {
            if is_looked_at { torn_at_sight(sheet, tangents, fit) } else { Ok(None) }
        };
        let y = match sheet.lay_out_or(sheet.neighborhoods(), &mut tangents, fit, at_sight)? {
            Laid::Torn(y) => return Ok(y),
            Laid::Whole(y) => y,
        };
        // Frames of many dimensions are large, and are not kept where nothing is torn.
        let tangents = may_be_torn.then_some(tangents);
        let Some(refine) = sheet.refinement() else {
            let torn = tangents.map(|tangents| torn_apart(sheet, tangents, &y, self.tear, fit)).transpose()?.flatten();
            return Ok(torn.unwrap_or(y));
        };
        let charts = Charts::new(Input::Points(sheet.measured), sheet.neighborhoods(), fit.run())?;
        fit.lap("charts");
        let start = sheet.start(y)?;
        let (refining, value) = Refining::judge(&refine, &charts, &start, fit)?;
        // A surface that closes on itself is folded before a refinement, which hides it in a few sharp creases and takes long:
        // a map near the bound is not looked at again, and any other before it is refined.
        let folded = self.tear == Tearing::Always || refining.may_have_folds(value);
        if let Some(tangents) = tangents.filter(|_| folded)
            && let Some(torn) = torn_apart(sheet, tangents, start.values(), self.tear, fit)?
        {
            return Ok(torn);
        }
        let y = refining.go_on(start, value, fit)?;
        let run = fit.run();
        let flat = || pca::projected(&Input::Points(sheet.measured), dim, run);
        let y = refining.again(y, &[("projection", &flat)], fit)?;
        if self.tear == Tearing::Auto
            && let Some(folded) = fit.facts().get("folded").and_then(serde_json::Value::as_bool)
            && let Some(times) = refining.far_above(&y, run)?
        {
            fit.warn(Warning::LeftWhole { times, folded });
        }
        refining.look_back(&y, fit)?;
        Ok(y)
    }
}
