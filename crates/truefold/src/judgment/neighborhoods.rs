//! What is known of the neighborhoods in which X and Y are compared.

use crate::{Fallback, Neighborhoods, Origin, Reach};
use serde::ser::{Serialize, SerializeMap, Serializer};

/// The sizes, the origin and the connected components of some neighborhoods.
///
/// ```
/// use truefold::{NeighborhoodFacts, Neighborhoods, Points, Run};
///
/// let points = Points::new(4, 1, vec![0.0, 1.0, 8.0, 9.0])?;
/// let facts = NeighborhoodFacts::of(&Neighborhoods::nearest(&points, 1, &Run::new())?);
/// assert_eq!((facts.k, facts.least_k, facts.largest_k, facts.components), (Some(1), 1, 1, 2));
/// assert_eq!(serde_json::to_string(&facts).unwrap(), r#"{"k":1,"metric":"euclidean","components":2}"#);
/// # Ok::<(), truefold::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct NeighborhoodFacts {
    /// The number of neighbors, where it is the same for all points.
    pub k: Option<usize>,
    /// The smallest number of neighbors of any point.
    pub least_k: usize,
    /// The largest number of neighbors of any point.
    pub largest_k: usize,
    /// The number of connected components of the graph.
    pub components: usize,
    /// Where the neighborhoods come from: the metric, the radius, the recall of an approximate search.
    pub origin: Origin,
}

impl NeighborhoodFacts {
    /// The facts of these neighborhoods.
    pub fn of(neighborhoods: &Neighborhoods) -> Self {
        let counts = (0..neighborhoods.len()).map(|index| neighborhoods.neighbors(index).len());
        Self {
            k: neighborhoods.uniform_k(),
            least_k: counts.min().unwrap_or(0),
            largest_k: neighborhoods.largest_k(),
            components: neighborhoods.components().count(),
            origin: neighborhoods.origin().clone(),
        }
    }
}

/// The recall of an approximate search, as programs read it.
#[derive(serde::Serialize)]
struct Recall {
    wanted: f64,
    recall: f64,
    standard_error: f64,
    checked: usize,
}

/// A promised recall that was not reached.
#[derive(serde::Serialize)]
struct Missed {
    reason: &'static str,
    wanted: f64,
    reached: f64,
}

/// An exact search that is as fast.
#[derive(serde::Serialize)]
struct AsFast {
    reason: &'static str,
}

impl Serialize for NeighborhoodFacts {
    /// For programs: the smallest and the largest k are told where they differ.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut facts = serializer.serialize_map(None)?;
        facts.serialize_entry("k", &self.k)?;
        let reach = match &self.origin {
            Origin::Exact { reach, metric, instead, .. } => {
                facts.serialize_entry("metric", metric.name())?;
                match instead {
                    Some(Fallback::Missed { wanted, reached }) => facts.serialize_entry(
                        "exact_instead",
                        &Missed { reason: "missed", wanted: *wanted, reached: *reached },
                    )?,
                    Some(Fallback::AsFast) => facts.serialize_entry("exact_instead", &AsFast { reason: "as_fast" })?,
                    None => {}
                }
                Some(reach)
            }
            Origin::Approximate { reach, metric, wanted, recall, standard_error, checked } => {
                facts.serialize_entry("metric", metric.name())?;
                let (wanted, recall, standard_error) = (*wanted, *recall, *standard_error);
                let recall = Recall { wanted, recall, standard_error, checked: *checked };
                facts.serialize_entry("approximate", &recall)?;
                Some(reach)
            }
            Origin::Distances { reach } => {
                facts.serialize_entry("metric", "precomputed")?;
                Some(reach)
            }
            Origin::Given => None,
        };
        if let Some(Reach::Within(radius)) = reach {
            facts.serialize_entry("radius", radius)?;
        }
        if self.k.is_none() {
            facts.serialize_entry("least_k", &self.least_k)?;
            facts.serialize_entry("largest_k", &self.largest_k)?;
        }
        facts.serialize_entry("components", &self.components)?;
        facts.end()
    }
}
