//! Neighborhoods and the end of an iteration in words.

use super::{count, counted, number};
use truefold::{Fallback, Metric, NeighborhoodFacts, Origin, Reach, Stop};

/// The size, the origin and the components of neighborhoods.
///
/// ```
/// use truefold::{NeighborhoodFacts, Neighborhoods, Points, Run};
/// use truefold_report::words;
///
/// let points = Points::new(4, 1, vec![0.0, 1.0, 8.0, 9.0])?;
/// let facts = NeighborhoodFacts::of(&Neighborhoods::nearest(&points, 1, &Run::new())?);
/// assert_eq!(words::neighborhoods(&facts), "1 neighbor each (euclidean); 2 connected components");
/// # Ok::<(), truefold::Error>(())
/// ```
pub fn neighborhoods(facts: &NeighborhoodFacts) -> String {
    let size = match facts.k {
        Some(k) => counted(k, "neighbor each", "neighbors each"),
        None => format!("{} to {} neighbors", count(facts.least_k), count(facts.largest_k)),
    };
    format!("{size} ({}); {}", origin(&facts.origin), components(facts.components))
}

/// A number of connected components.
fn components(value: usize) -> String {
    counted(value, "connected component", "connected components")
}

/// Where neighborhoods come from.
///
/// ```
/// use truefold::{Algorithm, Fallback, Metric, Origin, Reach};
/// use truefold_report::words::origin;
///
/// assert_eq!(origin(&Origin::Given), "given");
/// let exact = |instead| Origin::Exact {
///     reach: Reach::Nearest(12),
///     metric: Metric::Cosine,
///     algorithm: Algorithm::Brute,
///     instead,
/// };
/// assert_eq!(origin(&exact(None)), "cosine");
/// assert_eq!(origin(&exact(Some(Fallback::AsFast))), "cosine, exact, which is as fast here");
/// assert_eq!(
///     origin(&exact(Some(Fallback::Missed { wanted: 0.99, reached: 0.512 }))),
///     "cosine, exact: an approximate search had found 51.2 % of the true ones, not 99 %, when all pairs would have cost less"
/// );
/// ```
pub fn origin(origin: &Origin) -> String {
    let reach = |reach: &Reach| match reach {
        Reach::Within(radius) => format!(", within {}", number(*radius)),
        Reach::Nearest(_) => String::new(),
    };
    let searched = |metric: &Metric, how: &Reach| format!("{metric}{}", reach(how));
    match origin {
        Origin::Exact { reach, metric, instead, .. } => {
            format!("{}{}", searched(metric, reach), instead.as_ref().map_or_else(String::new, fallback))
        }
        Origin::Approximate { reach, metric, recall, standard_error, checked, .. } => format!(
            "{}, approximate: {:.2} % of the true ones found (+- {:.2}, {} points checked)",
            searched(metric, reach),
            100.0 * recall,
            100.0 * standard_error,
            count(*checked)
        ),
        Origin::Distances { reach: how } => format!("given distances{}", reach(how)),
        _ => "given".to_owned(),
    }
}

/// Why a search was exact although an approximate one was asked for.
fn fallback(instead: &Fallback) -> String {
    match instead {
        Fallback::Missed { wanted, reached } => format!(
            ", exact: an approximate search had found {:.1} % of the true ones, not {} %, when all pairs would have cost less",
            100.0 * reached,
            (1e6 * wanted).round() / 1e4
        ),
        _ => ", exact, which is as fast here".to_owned(),
    }
}

/// Why an iteration ended.
///
/// ```
/// assert_eq!(truefold_report::words::stop(truefold::Stop::Converged), "converged");
/// ```
pub fn stop(stop: Stop) -> &'static str {
    match stop {
        Stop::Direct => "computed directly",
        Stop::Converged => "converged",
        Stop::MaxIterations => "the limit of steps",
        Stop::Stalled => "no further step helped",
        Stop::Deadline => "the time limit",
    }
}
