//! A judged embedding as a panel of a page: every measure to color by, the classes of its points, its seam.

use crate::words::{self, Voice, class};
use crate::{Channel, Panel, Report, Verdicts, facts, scale_chart};
use serde_json::json;
use truefold::{Class, Judgment, Points, Scored, Verdict};

/// A panel with everything that the judgment says of single points, the telling measure first.
///
/// ```
/// use truefold::{Judge, Neighborhoods, Run, dataset};
///
/// let roll = dataset::find("swiss-roll")?.sample(&dataset::Request::new().with_points(300))?;
/// let neighborhoods = Neighborhoods::nearest(&roll.points, 8, &Run::new())?;
/// let judgment = Judge::of_points(&roll.points, &neighborhoods).judge(&roll.truth, &Run::new())?;
/// let panel = truefold_report::judged("truth", &roll.truth, &judgment);
/// assert_eq!(panel.channels[0].name, "R_N");
/// assert!(panel.verdicts.is_some());
/// # Ok::<(), truefold::Error>(())
/// ```
pub fn judged<'a>(title: impl Into<String>, points: &'a Points, judgment: &'a Judgment) -> Panel<'a> {
    let telling = judgment.telling();
    let (first, others): (Vec<&Scored>, Vec<&Scored>) =
        judgment.scores.iter().partition(|scored| scored.info.name == telling);
    let mut channels: Vec<Channel<'a>> = first.into_iter().chain(others).filter_map(channel).collect();
    channels.extend(judgment.verdict.as_ref().map_or(Vec::new(), of_verdict));
    Panel {
        rows: judgment.rows.as_deref(),
        channels,
        verdicts: judgment.verdict.as_ref().and_then(verdicts),
        seam: judgment.rest.as_ref().map(|rest| &rest.tear),
        ..Panel::new(title, points)
    }
}

/// Adds everything that a judgment says of one embedding to a page: sentences, tables, curves and the panel; `row` names a
/// row of the data.
///
/// ```
/// use truefold::{Judge, Neighborhoods, Run, dataset};
/// use truefold_report::{Report, words::Voice};
///
/// let roll = dataset::find("swiss-roll")?.sample(&dataset::Request::new().with_points(300))?;
/// let neighborhoods = Neighborhoods::nearest(&roll.points, 8, &Run::new())?;
/// let judgment = Judge::of_points(&roll.points, &neighborhoods).judge(&roll.truth, &Run::new())?;
/// let mut report = Report::default();
/// truefold_report::fill(&mut report, ("truth", &roll.truth), &judgment, &|row| row.to_string(), &Voice::plain());
/// assert_eq!((report.panels.len(), report.tables.len()), (1, 1));
/// # Ok::<(), truefold::Error>(())
/// ```
pub fn fill<'a>(
    report: &mut Report<'a>,
    (name, points): (&str, &'a Points),
    judgment: &'a Judgment,
    row: &dyn Fn(usize) -> String,
    voice: &Voice<'_>,
) {
    report.paragraphs.extend(words::setting(judgment));
    report.paragraphs.extend(words::findings(judgment, row));
    report.paragraphs.extend(words::notes(&judgment.warnings, voice));
    report.tables.push(words::scores(&judgment.scores));
    report.charts.extend(scale_chart(judgment.over_scale.as_ref().map(|curve| (name.to_owned(), curve))));
    if let Some(found) = &judgment.groups {
        let grouped = words::groups(found);
        report.paragraphs.extend(grouped.sentences);
        report.tables.extend(std::iter::once(grouped.table).chain(grouped.matrix));
    }
    report.panels.push(judged(name, points, judgment));
    if report.facts.is_null() {
        report.facts = json!({});
    }
    report.facts["judgment"] = facts::judgment(judgment, voice.vocabulary);
}

/// The values of a measure, with colors from the best possible to chance.
fn channel(scored: &Scored) -> Option<Channel<'_>> {
    let score = &scored.score;
    let channel = Channel::new(scored.info.symbol, score.per_point.as_deref()?);
    Some(match score.chance {
        Some(chance) => channel.between(score.best(scored.info.better), chance.value),
        None => channel,
    })
}

fn of_verdict(verdict: &Verdict) -> Vec<Channel<'_>> {
    let Some(points) = &verdict.points else { return Vec::new() };
    vec![
        Channel::new("skill of the shape", &points.skill[..]).between(1.0, 0.0),
        Channel::new("false neighbors", &points.false_shares[..]).between(0.0, 1.0),
        Channel::new("missing neighbors", &points.missing_shares[..]).between(0.0, 1.0),
    ]
}

fn verdicts(verdict: &Verdict) -> Option<Verdicts<'_>> {
    let points = verdict.points.as_ref()?;
    Some(Verdicts {
        codes: points.classes.iter().map(|class| class.code()).collect::<Vec<u8>>().into(),
        names: Class::ALL.iter().map(|&kind| class(kind).to_owned()).collect(),
    })
}
