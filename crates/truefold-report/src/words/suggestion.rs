//! A suggestion as text: which method and which numbers to choose and why, the estimates of the dimension, and what the surface is like.

use super::{Cell, Table, Voice, count, counted, dimensions, number, points};
use truefold::Suggestion;
use truefold::error::Name;
use truefold::suggest::{Choice, Reason};

/// The parts of a suggestion in words.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Suggested {
    /// The data.
    pub setting: String,
    /// Which method to choose for a picture and for coordinates, and why.
    pub methods: Table,
    /// Which numbers to choose, and why.
    pub choices: Table,
    /// The estimates of the dimension.
    pub estimates: Table,
    /// What the surface is like, in sentences.
    pub surface: Vec<String>,
}

impl Suggested {
    /// All parts below each other.
    pub fn text(&self, voice: &Voice<'_>) -> String {
        let mut lines = vec![self.setting.clone(), String::new()];
        for table in [&self.methods, &self.choices, &self.estimates] {
            lines.extend([table.text(voice.bold), String::new()]);
        }
        lines.extend_from_slice(&self.surface);
        lines.join("\n")
    }
}

/// A suggestion in words.
///
/// ```
/// use truefold::{Run, Suggest, dataset};
/// use truefold_report::words::{self, Voice};
///
/// let roll = dataset::find("swiss-roll")?.sample(&dataset::Request::new().with_points(500))?;
/// let suggested = words::suggestion(&Suggest::default().run(&roll.points, &Run::new())?, &Voice::plain());
/// assert_eq!((suggested.setting.as_str(), suggested.choices.rows.len()), ("500 points in 3 dimensions", 3));
/// assert_eq!(suggested.methods.rows[0][1].text, "psa");
/// # Ok::<(), truefold::Error>(())
/// ```
pub fn suggestion(found: &Suggestion, voice: &Voice<'_>) -> Suggested {
    let looked = match found.sample {
        all if all == found.points => String::new(),
        some => format!("; {} looked at closely", points(some)),
    };
    let name = |name: &'static str| voice.vocabulary.name(&name.into());
    let choice = |name: String, value: usize, why: &Reason| {
        vec![name.into(), value.to_string().into(), Cell::from(why.worded(voice.vocabulary))]
    };
    let method = |purpose: &str, one: &Choice| {
        let (method, why) = (Cell::from(one.method.to_owned()), Cell::from(one.reason.worded(voice.vocabulary)));
        vec![purpose.to_owned().into(), method, one.dim.to_string().into(), why]
    };
    let mut methods = vec![method("a picture", &found.picture), method("coordinates", &found.coordinates)];
    methods.extend(found.asked.as_ref().map(|asked| method("as asked", asked)));
    let estimate = |one: &truefold::suggest::Estimate| {
        let (value, interval) = match (one.value, one.high) {
            (Some(value), Some(high)) => (number(value), format!("{} to {}", number(one.low), number(high))),
            _ => (format!("at least {}", one.low), "not determined".to_owned()),
        };
        vec![one.name.replace('-', " ").into(), value.into(), interval.into()]
    };
    Suggested {
        setting: format!("{} in {}{looked}", points(found.points), dimensions(found.input_dim)),
        methods: Table {
            header: ["for".to_owned(), name("method"), name("dim"), "why".to_owned()].into(),
            left: vec![1, 3],
            rows: methods,
            ..Table::default()
        },
        choices: Table {
            header: ["suggested", "", "why"].map(str::to_owned).into(),
            left: vec![2],
            rows: vec![
                choice(name("dim"), found.dim, &found.dim_reason),
                choice(name("k"), found.k, &found.k_reason),
                choice(Name::setting("tangent_k").plain().to_owned(), found.tangent_k, &found.tangent_k_reason),
            ],
            ..Table::default()
        },
        estimates: Table {
            header: ["dimension by", "estimate", "interval"].map(str::to_owned).into(),
            left: vec![2],
            rows: found.estimates.iter().map(estimate).collect(),
            ..Table::default()
        },
        surface: surface(found),
    }
}

/// What the graph and the surface are like.
fn surface(found: &Suggestion) -> Vec<String> {
    let neighbors = |count: usize| counted(count, "neighbor", "neighbors");
    let mut lines = vec![match (found.graph.components, found.graph.connected_from) {
        (1, Some(least)) => format!("The graph is connected from {} on.", neighbors(least)),
        (pieces, Some(least)) => {
            format!("The graph has {} components; with {} it is connected.", count(pieces), neighbors(least))
        }
        (pieces, None) => format!(
            "The graph has {} components, and is not connected with up to {} neighbors either.",
            count(pieces),
            found.graph.tried_to
        ),
    }];
    if found.graph.approximate {
        lines.push("The search for neighbors was approximate; there may be fewer components.".into());
    }
    lines.extend(shape(found));
    if found.copies > 0 {
        let copies =
            counted(found.copies, "point is a copy of another and was", "points are copies of others and were");
        lines.push(format!("Note: {copies} left out."));
    }
    lines
}

/// The noise, the curvature and the edge of the surface, where there is one.
fn shape(found: &Suggestion) -> Vec<String> {
    let Some(edge) = &found.edge else {
        return vec![
            "The dimension is too high for a surface to be seen, so noise, curvature and edge are not told.".into(),
        ];
    };
    let mut lines = Vec::new();
    match &found.surface {
        None => lines.push(format!("By local PCA the points fill all {}.", dimensions(found.input_dim))),
        Some(surface) => {
            lines.push(if surface.noise > 0.0 {
                format!(
                    "The noise off the surface is about {} in each coordinate, {:.0} % of the radius of a neighborhood.",
                    number(surface.noise),
                    100.0 * surface.relative_noise
                )
            } else {
                "No noise off the surface was found.".into()
            });
            lines.push(match surface.curvature_radius {
                Some(radius) => format!(
                    "The surface bends like a circle of radius {}, {:.1} times the radius of a neighborhood.",
                    number(radius),
                    radius / found.neighborhood_radius
                ),
                None => "The surface is flat.".into(),
            });
        }
    }
    let share = format!("{:.1} % of the points have all their neighbors on one side", 100.0 * edge.share);
    lines.push(if edge.closed {
        format!("No edge was found ({share}): a flat map of a closed surface must tear it.")
    } else if found.surface.is_some() {
        format!("The surface has an edge: {share}.")
    } else {
        format!("They have an edge: {share}.")
    });
    lines
}
