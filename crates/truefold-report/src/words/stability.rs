//! The agreement of maps as text: what was compared, the disagreement beside chance, and what it says about the points.

use super::judgment::data;
use super::{Table, Voice, counted, dimensions, neighborhoods, number, percent, short};
use truefold::stability::{Agreement, Kind, Standing};

/// The number of rows that are named.
const NAMED: usize = 4;

/// The whole text; `row` names a row of the data, by its id or its number.
///
/// ```
/// use truefold::stability::{Map, Stability};
/// use truefold::{Input, Neighborhoods, Run, dataset};
/// use truefold_report::words::{self, Voice};
///
/// let roll = dataset::find("swiss-roll")?.sample(&dataset::Request::new().with_points(300))?;
/// let neighborhoods = Neighborhoods::nearest(&roll.points, 10, &Run::new())?;
/// let maps = [Map::new(&roll.truth), Map::new(&roll.truth)];
/// let found = Stability::default().run(Input::Points(&roll.points), &neighborhoods, &maps, &Run::new())?;
/// let text = words::stability(&found, &|row| format!("row {row}"), &Voice::plain());
/// assert!(text.starts_with("300 points in 3 dimensions, 2 maps in 2 dimensions, 1 pair of maps compared\n"));
/// assert!(text.contains("are stable and faithful"));
/// # Ok::<(), truefold::Error>(())
/// ```
pub fn stability(found: &Agreement, row: &dyn Fn(usize) -> String, voice: &Voice<'_>) -> String {
    let mut lines: Vec<String> = stability_setting(found).into();
    lines.extend([String::new(), standings(found).text(voice.bold), String::new()]);
    let mut findings = stability_findings(found, row);
    if let Some(first) = findings.first_mut() {
        *first = (voice.bold)(first);
    }
    lines.extend(findings);
    lines.join("\n")
}

/// What was compared: the points and the maps, and the neighborhoods.
///
/// ```
/// # use truefold::stability::{Map, Stability};
/// # use truefold::{Input, Neighborhoods, Points, Run};
/// # let x = Points::new(4, 1, vec![0.0, 1.0, 3.0, 4.0])?;
/// # let neighborhoods = Neighborhoods::nearest(&x, 2, &Run::new())?;
/// let maps = [Map::new(&x), Map::new(&x)];
/// let found = Stability::default().run(Input::Points(&x), &neighborhoods, &maps, &Run::new())?;
/// let [points, _] = truefold_report::words::stability_setting(&found);
/// assert_eq!(points, "4 points in 1 dimension, 2 maps in 1 dimension, 1 pair of maps compared");
/// # Ok::<(), truefold::Error>(())
/// ```
pub fn stability_setting(found: &Agreement) -> [String; 2] {
    let (least, most) = found.maps.iter().fold((usize::MAX, 0), |(a, b), map| (a.min(map.1), b.max(map.1)));
    let dims = if least == most { dimensions(most) } else { format!("{least} to {}", dimensions(most)) };
    let points = found.kinds.len();
    let fewest = found.maps.iter().map(|map| map.0).min().unwrap_or(points);
    let part = if fewest < points { format!(" of {} or more", super::points(fewest)) } else { String::new() };
    let maps = counted(found.maps.len(), "map", "maps");
    let pairs = counted(found.pairs, "pair", "pairs");
    [
        format!("{}, {maps}{part} in {dims}, {pairs} of maps compared", data(points, found.input_dim)),
        neighborhoods(&found.neighborhoods),
    ]
}

/// The disagreement of the maps, and their distortion, beside the best possible and chance.
///
/// ```
/// # use truefold::stability::{Map, Stability};
/// # use truefold::{Input, Neighborhoods, Points, Run};
/// # let x = Points::new(4, 1, vec![0.0, 1.0, 3.0, 4.0])?;
/// # let neighborhoods = Neighborhoods::nearest(&x, 2, &Run::new())?;
/// let maps = [Map::new(&x), Map::new(&x)];
/// let found = Stability::default().run(Input::Points(&x), &neighborhoods, &maps, &Run::new())?;
/// assert_eq!(truefold_report::words::standings(&found).rows.len(), 3);
/// # Ok::<(), truefold::Error>(())
/// ```
pub fn standings(found: &Agreement) -> Table {
    let with_error = |value: f64, error: f64| match error > 0.0 {
        true => format!("{} +- {}", number(value), short(error)),
        false => number(value),
    };
    let line = |name: &str, standing: &Standing| {
        let skill = standing.skill.map(|skill| format!("{skill:.2}"));
        let error = standing.skill_error.filter(|&error| error >= 0.005).map(|error| format!(" +- {error:.2}"));
        vec![
            name.into(),
            number(standing.value).into(),
            number(standing.best).into(),
            with_error(standing.chance, standing.chance_error).into(),
            format!("{}{}", skill.unwrap_or_default(), error.unwrap_or_default()).into(),
        ]
    };
    Table {
        header: ["", "value", "best possible", "chance", "skill"].map(str::to_owned).into(),
        rows: vec![
            line("maps disagree in shape", &found.shape),
            line("maps disagree in neighbors", &found.neighbors),
            line("R_C of the maps", &found.distortion),
        ],
        ..Table::default()
    }
}

/// What the agreement says about the points, and where the maps disagree most.
///
/// ```
/// # use truefold::stability::{Map, Stability};
/// # use truefold::{Input, Neighborhoods, Points, Run};
/// # let x = Points::new(4, 1, vec![0.0, 1.0, 3.0, 4.0])?;
/// # let neighborhoods = Neighborhoods::nearest(&x, 2, &Run::new())?;
/// let maps = [Map::new(&x), Map::new(&x)];
/// let found = Stability::default().run(Input::Points(&x), &neighborhoods, &maps, &Run::new())?;
/// let first = &truefold_report::words::stability_findings(&found, &|row| row.to_string())[0];
/// assert_eq!(first, "4 points (100 %) are stable and faithful: the maps agree, and with the data.");
/// # Ok::<(), truefold::Error>(())
/// ```
pub fn stability_findings(found: &Agreement, row: &dyn Fn(usize) -> String) -> Vec<String> {
    let total = found.kinds.len();
    let mut lines: Vec<String> = Vec::new();
    for kind in Kind::ALL {
        let count = found.count(kind);
        // The first is told even where there is none of it.
        if count == 0 && kind != Kind::Faithful {
            continue;
        }
        let share = percent(count as f64 / total as f64);
        let verb = if count == 1 { "is" } else { "are" };
        lines.push(format!("{} ({share}) {verb} {}.", super::points(count), meaning(kind)));
    }
    let worst = found.worst(NAMED);
    if worst.first().is_some_and(|one| one.1 > 1e-9) {
        let named: Vec<String> = worst.iter().map(|&(at, value)| format!("{} ({})", row(at), number(value))).collect();
        lines.push(format!("The maps disagree most in shape at {}.", named.join(", ")));
    }
    lines
}

fn meaning(kind: Kind) -> &'static str {
    match kind {
        Kind::Faithful => "stable and faithful: the maps agree, and with the data",
        Kind::Wrong => "stable but wrong: the maps agree on a shape that the data do not have",
        Kind::Unstable => "unstable: the maps disagree, and what one of them shows there is chance",
        Kind::Unknown => "not told: the maps share too few neighbors, or these have no extent",
    }
}
