//! A judgment as text: what was compared, the scores beside the best possible, the findings, and what to be aware of.

use super::groups::groups;
use super::verdict::{dimension, verdict};
use super::{
    Table, Voice, counted, dimensions, distortion, distortion_of_torn, neighborhoods, number, points, scale_curve,
    wrapped,
};
use truefold::measure::{Better, Score};
use truefold::{Judgment, Rest, Scored, Scores, Warning};

/// The number of worst rows that are named.
const NAMED: usize = 4;
/// R_C below this share of R_N means that the scale is what is wrong.
const SCALE_ONLY: f64 = 0.5;
/// An error below this share of a value does not touch the digits that are shown.
const CERTAIN: f64 = 2e-3;
/// An R_N below this is too small to look for a reason.
const SMALL: f64 = 0.01;

/// The whole judgment; `row` names a row of the data, by its id or its number.
///
/// ```
/// use truefold::{Judge, Neighborhoods, Run, dataset};
/// use truefold_report::words::{self, Voice};
///
/// let roll = dataset::find("swiss-roll")?.sample(&dataset::Request::new().with_points(500))?;
/// let neighborhoods = Neighborhoods::nearest(&roll.points, 12, &Run::new())?;
/// let judgment = Judge::of_points(&roll.points, &neighborhoods).judge(&roll.truth, &Run::new())?;
/// let text = words::judgment(&judgment, &|row| format!("row {row}"), &Voice::plain());
/// assert!(text.starts_with("500 points in 3 dimensions, embedded in 2 dimensions\n12 neighbors each (euclidean)"));
/// # Ok::<(), truefold::Error>(())
/// ```
pub fn judgment(judgment: &Judgment, row: &dyn Fn(usize) -> String, voice: &Voice<'_>) -> String {
    let mut lines: Vec<String> = setting(judgment).into();
    lines.extend([String::new(), scores(&judgment.scores).text(voice.bold)]);
    let mut findings = findings(judgment, row);
    if let Some(first) = findings.first_mut() {
        *first = (voice.bold)(&wrapped(first));
        lines.push(String::new());
    }
    // Lines that are set in continue the line above them.
    lines.extend(
        findings
            .into_iter()
            .map(|line| if line.contains('\n') || line.starts_with(' ') { line } else { wrapped(&line) }),
    );
    lines.extend(judgment.rest.as_ref().map(|part| rest(part, voice)));
    lines.extend(judgment.groups.as_ref().map(|found| format!("\n{}\n", groups(found).text(voice))));
    lines.extend(notes(&judgment.warnings, voice));
    lines.join("\n")
}

/// What was compared: the points, and the neighborhoods.
///
/// ```
/// use truefold::{Judge, Neighborhoods, Points, Run};
///
/// let x = Points::new(3, 1, vec![0.0, 1.0, 3.0])?;
/// let neighborhoods = Neighborhoods::nearest(&x, 2, &Run::new())?;
/// let judgment = Judge::of_points(&x, &neighborhoods).judge(&x, &Run::new())?;
/// let [points, neighborhoods] = truefold_report::words::setting(&judgment);
/// assert_eq!(points, "3 points in 1 dimension, embedded in 1 dimension");
/// assert!(neighborhoods.ends_with("1 connected component, center included"));
/// # Ok::<(), truefold::Error>(())
/// ```
pub fn setting(judgment: &Judgment) -> [String; 2] {
    let center = if judgment.options.center { "included" } else { "left out" };
    [
        format!("{}, embedded in {}", data(judgment.points, judgment.input_dim), dimensions(judgment.output_dim)),
        format!("{}, center {center}", neighborhoods(&judgment.neighborhoods)),
    ]
}

/// The number of points, and what they are given by.
pub(crate) fn data(count: usize, input_dim: Option<usize>) -> String {
    match input_dim {
        Some(dim) => format!("{} in {}", points(count), dimensions(dim)),
        None => format!("{} given by their distances", points(count)),
    }
}

/// The scores beside the best possible.
///
/// ```
/// use truefold::Scores;
///
/// assert_eq!(truefold_report::words::scores(&Scores::default()).header[1], "value");
/// ```
pub fn scores(scores: &Scores) -> Table {
    let row = |scored: &Scored| {
        let (info, score) = (scored.info, &scored.score);
        let error = score.standard_error.map_or(String::new(), |error| format!(" +- {}", number(error)));
        let best = match (score.lower_bound, info.better) {
            (Some(bound), _) => number(bound),
            (None, Better::Higher) => "1".to_owned(),
            (None, Better::Lower) => "0".to_owned(),
        };
        let times = score.times_bound().map_or(String::new(), |times| match times {
            times if times >= 1e4 => "> 9999".to_owned(),
            times => format!("{times:.2}"),
        });
        vec![
            info.symbol.into(),
            format!("{}{error}", number(score.value)).into(),
            best.into(),
            times.into(),
            chance(score).into(),
            scored.skill().map_or(String::new(), |skill| format!("{skill:.3}")).into(),
        ]
    };
    Table {
        header: ["measure", "value", "best possible", "times best", "chance", "skill"].map(str::to_owned).into(),
        rows: scores.iter().map(row).collect(),
        ..Table::default()
    }
}

/// What the measure would give by chance, with its error where the digits that are shown are not certain.
fn chance(score: &Score) -> String {
    let Some(chance) = score.chance else { return String::new() };
    let error = chance.error.filter(|error| *error > CERTAIN * chance.value.abs());
    number(chance.value) + &error.map_or(String::new(), |error| format!(" +- {}", number(error)))
}

/// How faithful the embedding is both ways, how far from the best possible, and where it is worst.
///
/// ```
/// use truefold::{Judge, Neighborhoods, Points, Run};
/// use truefold_report::words;
///
/// let x = Points::new(3, 1, vec![0.0, 1.0, 3.0])?;
/// let neighborhoods = Neighborhoods::nearest(&x, 2, &Run::new())?;
/// let judgment = Judge::of_points(&x, &neighborhoods).judge(&x, &Run::new())?;
/// let first = &words::findings(&judgment, &|row| row.to_string())[0];
/// assert_eq!(first, "Y keeps 100.0 % of the shape of an average neighborhood; the best possible is 100.0 %.");
/// # Ok::<(), truefold::Error>(())
/// ```
pub fn findings(judgment: &Judgment, row: &dyn Fn(usize) -> String) -> Vec<String> {
    let mut lines = Vec::new();
    let verdict_of = judgment.verdict.as_ref();
    let first = verdict_of.and_then(|verdict| dimension(judgment, verdict));
    let (leads, shape) = (first.is_some(), shape(judgment));
    lines.extend(first);
    if !leads {
        lines.extend(shape.iter().cloned());
    }
    lines.extend(verdict_of.map_or(Vec::new(), verdict));
    if leads {
        lines.extend(shape);
    }
    lines.extend(judgment.over_scale.as_ref().map(scale_curve));
    lines.extend(judgment.along_paths.as_ref().map(distortion));
    if let Some(worst) = judgment.worst(NAMED) {
        let share = 100.0 * worst.tenth_share;
        let symbol = worst.info.symbol;
        lines.push(format!(
            "The worst tenth of the neighborhoods holds {share:.0} % of {symbol} above its bound; the worst are"
        ));
        let named: Vec<String> =
            worst.rows.iter().map(|&(at, value)| format!("{} ({})", row(at), number(value))).collect();
        lines.push(format!("  {}.", named.join(", ")));
    }
    lines
}

/// How much of the shape of an average neighborhood is kept, by the measure that suits the map's scale.
fn shape(judgment: &Judgment) -> Vec<String> {
    let kept = |lost: f64| format!("{:.1} %", 100.0 * (1.0 - lost).max(0.0));
    let with_bound = |name: &str| judgment.scores.get(name).and_then(|score| Some((score.value, score.lower_bound?)));
    if let (true, Some((value, bound))) = (judgment.has_own_scale(), with_bound("r_c")) {
        return vec![format!(
            "Y has a scale of its own (a typical neighborhood is {} times as large in X); with a scale for each \
             neighborhood, Y keeps {} of its shape; the best possible is {}.",
            number(judgment.scale),
            kept(value),
            kept(bound)
        )];
    }
    let Some((value, bound)) = with_bound("r_n") else { return Vec::new() };
    let mut lines = vec![format!(
        "Y keeps {} of the shape of an average neighborhood; the best possible is {}.",
        kept(value),
        kept(bound)
    )];
    if let Some(conformal) = judgment.scores.get("r_c")
        && conformal.value < SCALE_ONLY * value
        && value > SMALL
    {
        lines.push(format!(
            "If every neighborhood may have a scale of its own, it keeps {}: mostly the scale is wrong.",
            kept(conformal.value)
        ));
    }
    lines
}

/// What was torn, and the scores on what is left.
fn rest(rest: &Rest, voice: &Voice<'_>) -> String {
    let paths = distortion_of_torn(rest).iter().fold(String::new(), |all, line| all + "\n" + &wrapped(line));
    format!(
        "\nTorn: {}, {:.2} % of the memberships. On what is left:\n\n{}\n{}",
        counted(rest.tear.pairs().len(), "pair", "pairs"),
        100.0 * rest.tear.share(),
        scores(&rest.scores).text(voice.bold),
        if paths.is_empty() { paths } else { paths + "\n" }
    )
}

/// Warnings as notes, a sentence each.
///
/// ```
/// use truefold::Warning;
/// use truefold_report::words::{self, Voice};
///
/// let notes = words::notes(&[Warning::OpenRotation { neighborhoods: 1 }], &Voice::plain());
/// assert!(notes[0].starts_with("Note: in 1 neighborhood"));
/// ```
pub fn notes(warnings: &[Warning], voice: &Voice<'_>) -> Vec<String> {
    warnings.iter().map(|warning| format!("Note: {}.", warning.worded(voice.vocabulary))).collect()
}
