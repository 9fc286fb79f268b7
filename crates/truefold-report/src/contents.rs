//! What the page's scripts are given: a table of contents, and blocks of packed numbers.

use crate::color::{LogScale, hexadecimal, ramp_color, seam_color};
use crate::labels::Labels;
use crate::pack::Blocks;
use crate::sample;
use crate::view::{View, axis_names};
use crate::{Axis, Chart, Panel, Report};
use serde_json::{Value, json};
use truefold::{Points, Result, Run, Tear};

/// The most bytes of pictures on a page.
const PICTURES: usize = 12 << 20;
/// Stops of the color ramp that the page is given.
const STOPS: usize = 17;

/// What the scripts are given, and what the page says about it.
pub(crate) struct Contents {
    pub(crate) table: Value,
    pub(crate) blocks: Blocks,
    /// The number of points there are, and of those on the page.
    pub(crate) points: usize,
    pub(crate) shown: usize,
    /// The number of points with a picture, where there are pictures.
    pub(crate) pictures: Option<usize>,
    /// What is seen of the data.
    pub(crate) input_caption: Option<String>,
}

impl Contents {
    pub(crate) fn new(report: &Report<'_>, run: &Run) -> Result<Self> {
        let mut blocks = Blocks::default();
        let points = report.count().unwrap_or(0);
        let whole = report.whole_panel().map(|panel| panel.points);
        let labels = report.labels.or_else(|| report.input.or(whole)?.labels()).map(Labels::new);
        let rows = sample::shown(report, points, labels.as_ref(), sample::MOST);
        run.check()?;
        let rows = rows.as_deref();
        let shown = rows.map_or(points, <[u32]>::len);
        let labels = match (labels, rows) {
            (Some(labels), Some(rows)) => Some(labels.select(rows)),
            (labels, _) => labels,
        };
        let mut colorings = Vec::new();
        let values = labels.as_ref().and_then(Labels::values);
        if let Some(values) = &values {
            colorings.push(named("label", blocks.add_numbers(values.iter().copied())?));
        }
        for coloring in &report.colorings {
            colorings.push(named(&coloring.name, blocks.add_numbers(pick(&coloring.values, rows))?));
        }
        let labels = labels.filter(|_| values.is_none()).map(|labels| pack_labels(&labels, &mut blocks)).transpose()?;
        let ids =
            report.input.or(whole).and_then(Points::ids).map(|ids| pack_ids(ids, rows, &mut blocks)).transpose()?;
        let scale = LogScale::covering(report.panels.iter().flat_map(unbroken));
        let (low, high) = scale.exponents();
        let mut panels = Vec::new();
        for panel in &report.panels {
            run.check()?;
            panels.push(pack_panel(panel, rows, points, &mut blocks)?);
        }
        let view = report.input.map(|input| View::new(input, rows, run));
        let input = view.as_ref().map(|view| pack_view(view, &mut blocks)).transpose()?;
        let images = pack_images(report, rows, shown, &mut blocks)?;
        let table = json!({
            "points": points,
            "shown": shown,
            "rows": rows.map(|rows| blocks.add_indices(rows.iter().copied())).transpose()?,
            "ids": ids,
            "labels": labels,
            "colorings": colorings,
            "scale": { "low": low, "high": high },
            "ramp": stops(ramp_color),
            "wheel": stops(seam_color),
            "panels": panels,
            "input": input,
            "images": images.as_ref().map(|(images, _)| images),
            "charts": report.charts.iter().map(chart).collect::<Vec<_>>(),
        });
        Ok(Self {
            table,
            blocks,
            points,
            shown,
            pictures: images.map(|(_, count)| count),
            input_caption: view.map(|view| view.caption),
        })
    }
}

/// The distortion of the points that are not torn: that of the others, as large as the map, would leave no color for it.
fn unbroken<'a>(panel: &Panel<'a>) -> impl Iterator<Item = &'a f64> {
    let torn = panel.seam.map_or(&[][..], Tear::banks);
    let is_whole = |row: &usize| torn.binary_search_by_key(&(*row as u32), |bank| bank.0).is_err();
    let values = panel.distortion.unwrap_or_default();
    (0..values.len()).filter(is_whole).map(|row| &values[row]).collect::<Vec<_>>().into_iter()
}

/// A ramp in steps that the page goes between.
fn stops(color: impl Fn(f64) -> [u8; 3]) -> Vec<String> {
    (0..STOPS).map(|stop| hexadecimal(color(stop as f64 / (STOPS - 1) as f64))).collect()
}

/// The values of these rows, or all.
fn pick<'a, T: Copy>(values: &'a [T], rows: Option<&'a [u32]>) -> impl Iterator<Item = T> + Clone + 'a {
    let count = rows.map_or(values.len(), <[u32]>::len);
    (0..count).map(move |at| values[rows.map_or(at, |rows| rows[at] as usize)])
}

fn named(name: &str, mut packed: Value) -> Value {
    packed["name"] = name.into();
    packed
}

fn pack_labels(labels: &Labels, blocks: &mut Blocks) -> Result<Value> {
    let mut counts = vec![0_u32; labels.names.len()];
    labels.codes.iter().for_each(|&code| counts[code as usize] += 1);
    Ok(json!({ "names": labels.names, "counts": counts, "codes": blocks.add_indices(labels.codes.iter().copied())? }))
}

fn pack_ids(ids: &[String], rows: Option<&[u32]>, blocks: &mut Blocks) -> Result<String> {
    let shown = match rows {
        Some(rows) => json!(rows.iter().map(|&row| &ids[row as usize]).collect::<Vec<_>>()),
        None => json!(ids),
    };
    blocks.add(shown.to_string().as_bytes())
}

fn pack_panel(panel: &Panel<'_>, rows: Option<&[u32]>, points: usize, blocks: &mut Blocks) -> Result<Value> {
    // The panel's own points that are shown, and which of the shown points they are.
    let (own, places) = match (panel.rows, rows) {
        (None, None) => (None, None),
        (None, Some(rows)) => (Some(rows.to_vec()), None),
        (Some(own_rows), rows) => {
            let mut place_of = vec![u32::MAX; points];
            match rows {
                Some(rows) => rows.iter().zip(0..).for_each(|(&row, place)| place_of[row as usize] = place),
                None => place_of.iter_mut().zip(0..).for_each(|(slot, place)| *slot = place),
            }
            let shown = own_rows.iter().zip(0_u32..).filter(|&(&row, _)| place_of[row as usize] != u32::MAX);
            let (places, own): (Vec<u32>, Vec<u32>) = shown.map(|(&row, own)| (place_of[row as usize], own)).unzip();
            (Some(own), Some(places))
        }
    };
    let own = own.as_deref();
    let seen = panel.points.dim().min(3);
    let count = own.map_or(panel.points.len(), <[u32]>::len);
    let row_of = |at: usize| own.map_or(at, |own| own[at] as usize);
    let along = |axis: usize| (0..count).map(move |at| panel.points.row(row_of(at))[axis]);
    Ok(json!({
        "title": panel.title,
        "axes": axis_names(panel.points, seen),
        "coordinates": (0..seen).map(|axis| blocks.add_numbers(along(axis))).collect::<Result<Vec<_>>>()?,
        "places": places.map(|places| blocks.add_indices(places.into_iter())).transpose()?,
        "distortion": panel.distortion.map(|values| blocks.add_logarithms(pick(values, own))).transpose()?,
        "seam": panel.seam.map(|tear| pack_seam(tear, own, panel.points.len(), blocks)).transpose()?,
    }))
}

/// The torn points and pairs of a panel, of its `own` points that are shown.
fn pack_seam(tear: &Tear, own: Option<&[u32]>, points: usize, blocks: &mut Blocks) -> Result<Value> {
    let mut shown_as: Vec<u32> = (0..points as u32).collect();
    if let Some(own) = own {
        shown_as.fill(u32::MAX);
        own.iter().zip(0..).for_each(|(&row, at)| shown_as[row as usize] = at);
    }
    let is_shown = |row: u32| shown_as[row as usize] != u32::MAX;
    let banks: Vec<(u32, f64)> = tear.banks().iter().copied().filter(|bank| is_shown(bank.0)).collect();
    let pairs = tear.pairs().iter().filter(|pair| is_shown(pair.0) && is_shown(pair.1));
    let ends = pairs.flat_map(|&(a, b)| [shown_as[a as usize], shown_as[b as usize]]);
    Ok(json!({
        "points": blocks.add_indices(banks.iter().map(|bank| shown_as[bank.0 as usize]))?,
        "along": blocks.add_numbers(banks.iter().map(|bank| bank.1))?,
        "pairs": blocks.add_indices(ends)?,
    }))
}

fn pack_view(view: &View, blocks: &mut Blocks) -> Result<Value> {
    let coordinates = view.coordinates.iter().map(|values| blocks.add_numbers(values.iter().copied()));
    Ok(json!({
        "title": "the data",
        "axes": view.axes,
        "coordinates": coordinates.collect::<Result<Vec<_>>>()?,
        "places": null,
        "distortion": null,
        "seam": null,
    }))
}

/// The pictures of as many points as there is room for, evenly spread, and their number.
fn pack_images(
    report: &Report<'_>,
    rows: Option<&[u32]>,
    shown: usize,
    blocks: &mut Blocks,
) -> Result<Option<(Value, usize)>> {
    let (Some(images), Some(input)) = (report.images, report.input) else { return Ok(None) };
    let count = shown.min((PICTURES / input.dim()).max(1));
    let places: Vec<u32> = (0..count).map(|at| (at * shown / count) as u32).collect();
    let pictures: Vec<&[f64]> =
        places.iter().map(|&place| input.row(rows.map_or(place, |rows| rows[place as usize]) as usize)).collect();
    let (low, high) = pictures
        .iter()
        .copied()
        .flatten()
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), &value| (low.min(value), high.max(value)));
    let width = if high > low { high / 2.0 - low / 2.0 } else { 1.0 };
    let gray = |value: f64| ((value / 2.0 - low / 2.0) / width * 255.0).round() as u8;
    let mut pixels = Vec::with_capacity(count * input.dim());
    for picture in pictures {
        pixels.extend((0..input.dim()).map(|at| gray(picture[images.coordinate(at)])));
    }
    let table = json!({
        "height": images.height,
        "width": images.width,
        "pixels": blocks.add(&pixels)?,
        "places": (count < shown).then(|| blocks.add_indices(places.into_iter())).transpose()?,
    });
    Ok(Some((table, count)))
}

fn chart(chart: &Chart) -> Value {
    let axis = |axis: &Axis| json!({ "title": axis.title, "log": axis.log });
    let series: Vec<Value> = chart
        .series
        .iter()
        .map(|series| {
            // JSON has no numbers that are not finite; null leaves a gap.
            let (x, y): (Vec<Value>, Vec<Value>) = series.points.iter().map(|&(x, y)| (json!(x), json!(y))).unzip();
            let marked = series.marked.filter(|&marked| marked < series.points.len());
            json!({ "name": series.name, "x": x, "y": y, "marked": marked, "dashed": series.dashed })
        })
        .collect();
    json!({ "x": axis(&chart.x), "y": axis(&chart.y), "series": series })
}
