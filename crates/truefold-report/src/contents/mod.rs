//! What the page's scripts are given: a table of contents, and blocks of packed numbers.

mod channels;
mod neighbors;
mod panel;
mod pictures;

use crate::color::{VERDICTS, hexadecimal, ramp_color, seam_color};
use crate::labels::Labels;
use crate::pack::Blocks;
use crate::sample;
use crate::view::View;
use crate::{Axis, Chart, Report, Series};
use serde_json::{Value, json};
use truefold::{Points, Result, Run};

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
    /// The number of points with a list of neighbors, where there are lists.
    pub(crate) neighbors: Option<usize>,
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
        // What tables are about are classes, though they be numbers.
        let are_classes = report.tables.iter().any(|table| !table.row_labels.is_empty());
        let values = labels.as_ref().filter(|_| !are_classes).and_then(Labels::values);
        if let Some(values) = &values {
            colorings.push(named("label", blocks.add_numbers(values.iter().copied())?));
        }
        for coloring in &report.colorings {
            colorings.push(named(&coloring.name, blocks.add_numbers(pick(&coloring.values, rows))?));
        }
        let labels = labels.filter(|_| values.is_none()).map(|labels| pack_labels(&labels, &mut blocks)).transpose()?;
        let ids =
            report.input.or(whole).and_then(Points::ids).map(|ids| pack_ids(ids, rows, &mut blocks)).transpose()?;
        let names = channels::names(report);
        let pack = |panel| run.check().and_then(|()| panel::pack(panel, rows, points, &names, &mut blocks));
        let panels = report.panels.iter().map(pack).collect::<Result<Vec<_>>>()?;
        let view = report.input.map(|input| View::new(input, rows, run));
        let input = view.as_ref().map(|view| panel::pack_view(view, &mut blocks)).transpose()?;
        let lists = report.neighbors.map(|lists| neighbors::pack(lists, rows, shown, &mut blocks)).transpose()?;
        let images = pictures::pack(report, rows, shown, &mut blocks)?;
        let table = json!({
            "points": report.drawn.map_or(points, |drawn| drawn.of),
            "shown": shown,
            "rows": pack_rows(report, rows, &mut blocks)?,
            "ids": ids,
            "labels": labels,
            "colorings": colorings,
            "channels": names.iter().map(|name| channels::scale(report, name)).collect::<Vec<_>>(),
            "verdicts": verdicts(report),
            "neighbors": lists.as_ref().map(|(lists, _)| lists),
            "firstRow": usize::from(!report.rows_from_zero),
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
            neighbors: lists.map(|(_, count)| count),
            input_caption: view.map(|view| view.caption),
        })
    }
}

/// The number of each shown point among all rows, where it is not its place.
fn pack_rows(report: &Report<'_>, rows: Option<&[u32]>, blocks: &mut Blocks) -> Result<Option<String>> {
    let numbers = match report.drawn {
        Some(drawn) => Some(blocks.add_indices(pick(drawn.rows, rows))),
        None => rows.map(|rows| blocks.add_indices(rows.iter().copied())),
    };
    numbers.transpose()
}

/// The classes of verdicts, which all panels have in common, and their colors.
fn verdicts(report: &Report<'_>) -> Option<Value> {
    let names = &report.panels.iter().find_map(|panel| panel.verdicts.as_ref())?.names;
    Some(
        json!({ "names": names, "colors": VERDICTS[..names.len()].iter().copied().map(hexadecimal).collect::<Vec<_>>() }),
    )
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

fn chart(chart: &Chart) -> Value {
    let axis = |axis: &Axis| json!({ "title": axis.title, "log": axis.log });
    let series: Vec<Value> = chart.series.iter().map(curve).collect();
    json!({ "x": axis(&chart.x), "y": axis(&chart.y), "series": series })
}

fn curve(series: &Series) -> Value {
    // JSON has no numbers that are not finite; null leaves a gap.
    let (x, y): (Vec<Value>, Vec<Value>) = series.points.iter().map(|&(x, y)| (json!(x), json!(y))).unzip();
    let marked = series.marked.filter(|&marked| marked < series.points.len());
    let band = (!series.band.is_empty()).then_some(&series.band);
    json!({ "name": series.name, "x": x, "y": y, "marked": marked, "dashed": series.dashed, "band": band })
}
