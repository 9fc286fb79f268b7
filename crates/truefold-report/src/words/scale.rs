//! Neighborhoods kept at every scale, in a sentence.

use super::{count, decimals, points};
use truefold::measure::ScaleCurve;

/// The area under R_NX and its two halves, with their standard errors where they were sampled.
///
/// ```
/// use truefold::measure::{Evaluation, Options, scale_curve};
/// use truefold::{Input, Neighborhoods, Points, Run};
///
/// let (x, run) = (Points::new(9, 1, (0..9).map(f64::from).collect())?, Run::new());
/// let neighborhoods = Neighborhoods::nearest(&x, 2, &run)?;
/// let evaluation = Evaluation::new(Input::Points(&x), &x, &neighborhoods, Options::default(), &run)?;
/// assert_eq!(
///     truefold_report::words::scale_curve(scale_curve(&evaluation)?),
///     "Area under R_NX 1.000: local half (neighborhoods of up to 2 points) 1.000, global half 1.000; 1 is the best, 0 chance."
/// );
/// # Ok::<(), truefold::Error>(())
/// ```
pub fn scale_curve(curve: &ScaleCurve) -> String {
    let sampled = match curve.area_error {
        Some(_) => format!(" (from {} random points)", count(curve.sampled)),
        None => String::new(),
    };
    format!(
        "Area under R_NX {}{sampled}: local half (neighborhoods of up to {}) {}, global half {}; 1 is the best, 0 chance.",
        with_error(curve.area, curve.area_error),
        points(curve.split),
        with_error(curve.local, curve.local_error),
        with_error(curve.global, curve.global_error),
    )
}

fn with_error(value: f64, error: Option<f64>) -> String {
    let value = decimals(value, 3);
    error.map_or_else(|| value.clone(), |error| format!("{value} +- {}", decimals(error, 3)))
}
