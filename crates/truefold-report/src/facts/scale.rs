//! What JSON says about neighborhoods kept at every scale.

use serde_json::{Value, json};
use truefold::measure::ScaleCurve;

/// The curve of R_NX over K, the area under it, its two halves and where they meet; errors where it was sampled.
///
/// ```
/// use truefold::measure::{Evaluation, Options, scale_curve};
/// use truefold::{Input, Neighborhoods, Points, Run};
///
/// let (x, run) = (Points::new(9, 1, (0..9).map(f64::from).collect())?, Run::new());
/// let neighborhoods = Neighborhoods::nearest(&x, 2, &run)?;
/// let evaluation = Evaluation::new(Input::Points(&x), &x, &neighborhoods, Options::default(), &run)?;
/// let facts = truefold_report::facts::scale_curve(scale_curve(&evaluation)?);
/// assert_eq!((&facts["area"], &facts["k"][6], &facts["area_error"]), (&1.0.into(), &7.into(), &().into()));
/// # Ok::<(), truefold::Error>(())
/// ```
pub fn scale_curve(curve: &ScaleCurve) -> Value {
    json!({
        "k": curve.k,
        "q_nx": curve.q_nx,
        "r_nx": curve.r_nx,
        "standard_error": curve.standard_error,
        "area": curve.area,
        "area_error": curve.area_error,
        "local": curve.local,
        "local_error": curve.local_error,
        "global": curve.global,
        "global_error": curve.global_error,
        "split": curve.split,
        "sampled": curve.sampled,
    })
}
