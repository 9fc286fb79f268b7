//! What JSON says about the lengths of paths.

use serde_json::{Value, json};
use truefold::Rest;
use truefold::measure::Distortion;

/// The distortion at the median and at the worst point, the Lipschitz constants, and from how many sources they come.
///
/// ```
/// use truefold::measure::{Evaluation, Options, distortion};
/// use truefold::{Input, Neighborhoods, Points, Run};
///
/// let (x, run) = (Points::new(9, 1, (0..9).map(f64::from).collect())?, Run::new());
/// let y = Points::new(9, 1, (0..9).map(|i| f64::from(3 * i)).collect())?;
/// let neighborhoods = Neighborhoods::nearest(&x, 2, &run)?;
/// let evaluation = Evaluation::new(Input::Points(&x), &y, &neighborhoods, Options::default(), &run)?;
/// let facts = truefold_report::facts::distortion(distortion(&evaluation)?);
/// assert_eq!((&facts["median"], &facts["stretch"], &facts["sources"]), (&1.0.into(), &3.0.into(), &9.into()));
/// # Ok::<(), truefold::Error>(())
/// ```
pub fn distortion(found: &Distortion) -> Value {
    json!({
        "median": found.median,
        "error": found.error,
        "largest": found.largest,
        "stretch": found.stretch,
        "shrink": found.shrink,
        "sources": found.sources,
        "coinciding": found.coinciding,
        "merged": found.merged,
    })
}

/// Adds what the map does to paths that do not cross the seam, and to all paths where it is glued.
pub(super) fn torn(facts: &mut Value, rest: &Rest) {
    if let (Some(apart), Some(glued)) = (&rest.apart, &rest.glued) {
        facts["along_paths"] = json!({"apart": distortion(apart), "glued": distortion(glued)});
    }
}
