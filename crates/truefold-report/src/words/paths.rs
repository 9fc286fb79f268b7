//! The lengths of paths, in a sentence.

use super::{count, counted, number};
use truefold::Rest;
use truefold::measure::Distortion;

/// How much more the map stretches some paths than others, and what was left out.
///
/// ```
/// use truefold::measure::{Evaluation, Options, distortion};
/// use truefold::{Input, Neighborhoods, Points, Run};
///
/// let (x, run) = (Points::new(9, 1, (0..9).map(f64::from).collect())?, Run::new());
/// let neighborhoods = Neighborhoods::nearest(&x, 2, &run)?;
/// let evaluation = Evaluation::new(Input::Points(&x), &x, &neighborhoods, Options::default(), &run)?;
/// assert_eq!(
///     truefold_report::words::distortion(distortion(&evaluation)?),
///     "Of the paths from one point, the map stretches some 1.000 times more than others at the median point, 1.000 times \
///      at the worst; lengths grow 1.000 times at most and shrink 1.000 times at most."
/// );
/// # Ok::<(), truefold::Error>(())
/// ```
pub fn distortion(found: &Distortion) -> String {
    let sampled = match found.error {
        Some(_) => format!(" (paths from {} random points)", count(found.sources)),
        None => String::new(),
    };
    let merged = match found.merged {
        0 => String::new(),
        pairs => format!(
            " {} lie in one place in Y but not in X; they are left out.",
            counted(pairs, "pair of points", "pairs of points")
        ),
    };
    format!(
        "Of the paths from one point, the map stretches some {} times more than others at the median point, {} times at \
         the worst{sampled}; lengths grow {} times at most and shrink {} times at most.{merged}",
        number(found.median),
        number(found.largest),
        number(found.stretch),
        number(found.shrink),
    )
}

/// The same of a torn map, once without paths across the seam and once with the seam glued; a line each.
pub(crate) fn distortion_of_torn(rest: &Rest) -> Vec<String> {
    let line = |which: &str, found: &Distortion| {
        let [median, largest, stretch, shrink] = [found.median, found.largest, found.stretch, found.shrink].map(number);
        format!(
            "{which}: distortion {median} at the median point, {largest} at the worst; lengths grow {stretch} times at \
             most and shrink {shrink} times at most."
        )
    };
    let apart = rest.apart.as_ref().map(|found| line("Paths that do not cross the seam", found));
    let glued = rest.glued.as_ref().map(|found| line("All paths, with the seam glued", found));
    apart.into_iter().chain(glued).collect()
}
