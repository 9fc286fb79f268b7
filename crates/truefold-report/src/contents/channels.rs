//! Numbers of points by which they are colored, and the scale that is common to all panels.

use super::pick;
use crate::color::LogScale;
use crate::pack::Blocks;
use crate::{Channel, Panel, Report};
use serde_json::{Value, json};
use truefold::{Result, Tear};

/// The names of all channels, in the order in which they first come.
pub(super) fn names<'a>(report: &'a Report<'_>) -> Vec<&'a str> {
    let mut names: Vec<&str> = Vec::new();
    for channel in report.panels.iter().flat_map(|panel| &panel.channels) {
        if !names.contains(&channel.name.as_str()) {
            names.push(&channel.name);
        }
    }
    names
}

/// What colors of a channel mean: the way from best to chance where both are known of every panel that has it, else
/// powers of ten, or plain numbers where some are negative.
pub(super) fn scale(report: &Report<'_>, name: &str) -> Value {
    let found: Vec<(&Panel<'_>, &Channel<'_>)> = report
        .panels
        .iter()
        .filter_map(|panel| Some((panel, panel.channels.iter().find(|channel| channel.name == name)?)))
        .collect();
    let ends: Option<Vec<(f64, f64)>> = found.iter().map(|(_, channel)| channel.ends()).collect();
    if let Some(ends) = ends {
        let range = |end: fn(&(f64, f64)) -> f64| {
            let values = ends.iter().map(end);
            [values.clone().fold(f64::INFINITY, f64::min), values.fold(f64::NEG_INFINITY, f64::max)]
        };
        return json!({ "name": name, "kind": "skill", "best": range(|ends| ends.0), "chance": range(|ends| ends.1) });
    }
    let values: Vec<f64> = found.iter().flat_map(|(panel, channel)| unbroken(panel, channel)).collect();
    if is_log(&values) {
        let (low, high) = LogScale::covering(values.iter()).exponents();
        return json!({ "name": name, "kind": "log", "low": low, "high": high });
    }
    let known = values.iter().copied().filter(|value| !value.is_nan());
    let (low, high) = known.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), value| (l.min(value), h.max(value)));
    json!({ "name": name, "kind": "linear", "low": low, "high": high })
}

/// The values of the points that are not torn: those of the others, as large as the map, would leave no color for them.
fn unbroken(panel: &Panel<'_>, channel: &Channel<'_>) -> Vec<f64> {
    let torn = panel.seam.map_or(&[][..], Tear::banks);
    let is_whole = |row: &usize| torn.binary_search_by_key(&(*row as u32), |bank| bank.0).is_err();
    (0..channel.values.len()).filter(is_whole).map(|row| channel.values[row]).collect()
}

/// Whether values can be told by their logarithms.
fn is_log(values: &[f64]) -> bool {
    values.iter().all(|&value| value.is_nan() || value >= 0.0)
}

/// The values of a channel at a panel's `own` points that are shown. Logarithms keep four digits of small values beside
/// large ones.
pub(super) fn pack_values(channel: &Channel<'_>, own: Option<&[u32]>, blocks: &mut Blocks) -> Result<Value> {
    let is_log = is_log(&channel.values);
    let values = pick(&channel.values, own);
    let mut packed = if is_log { blocks.add_logarithms(values) } else { blocks.add_known(values) }?;
    packed["log"] = is_log.into();
    packed["ends"] = json!(channel.ends());
    packed["rises"] = channel.is_better_when_large().into();
    Ok(packed)
}
