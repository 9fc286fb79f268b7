//! Reports of built-in data, without any method: `sample_report map|maps|kinds|pictures|judged POINTS PAGE.html`.
//!
//! `map` is the true flat map of a swiss roll, `maps` are four; `kinds` has embeddings of one, two and three dimensions, one of them of some
//! points only, with labels that look like markup, ids and a chart; `pictures` are image data; `judged` has
//! all that a page shows of a judgment. The tests of the page and its benchmark open them.
#![expect(clippy::print_stdout, reason = "an example tells what it wrote")]

mod judged;

use std::error::Error;
use truefold::{Neighborhoods, Points, Run, dataset, measure};
use truefold_report::{Axis, Cell, Channel, Chart, Coloring, Images, Panel, Report, Series, Table, Written};

/// An embedding, the input rows of its points where they are not all, and R_N of each.
struct Map {
    name: &'static str,
    points: Points,
    rows: Option<Vec<u32>>,
    distortion: Vec<f64>,
    r_n: f64,
}

impl Map {
    fn new(name: &'static str, of: &Surroundings<'_>, points: Points) -> truefold::Result<Self> {
        let score = measure::evaluate(of.points, &points, &of.neighborhoods, &["r_n"])?.remove(0);
        Ok(Self { name, points, rows: None, distortion: score.per_point.unwrap_or_default(), r_n: score.value })
    }

    fn of_some(name: &'static str, input: &Points, rows: Vec<u32>, points: Points) -> truefold::Result<Self> {
        let some = input.select(&rows);
        Ok(Self { rows: Some(rows), ..Self::new(name, &Surroundings::new(&some)?, points)? })
    }

    fn panel(&self) -> Panel<'_> {
        Panel {
            caption: format!("R_N = {:.4}.", self.r_n),
            rows: self.rows.as_deref(),
            channels: vec![Channel::new("R_N", &self.distortion)],
            ..Panel::new(self.name, &self.points)
        }
    }
}

/// Points, and which are near to each other.
struct Surroundings<'a> {
    points: &'a Points,
    neighborhoods: Neighborhoods,
}

impl<'a> Surroundings<'a> {
    fn new(points: &'a Points) -> truefold::Result<Self> {
        Ok(Self { points, neighborhoods: Neighborhoods::nearest(points, 12, &Run::new())? })
    }
}

fn image<const D: usize>(from: &Points, make: impl Fn(&[f64]) -> [f64; D]) -> truefold::Result<Points> {
    Points::from_rows(&from.rows().map(make).collect::<Vec<_>>())
}

fn unrolled(truth: &Points, near: &Surroundings<'_>) -> truefold::Result<Map> {
    Map::new("unrolled", near, image(truth, |row| [row[0], row[1]])?)
}

fn flat_maps(sample: &dataset::Sample) -> truefold::Result<Vec<Map>> {
    let (input, truth) = (&sample.points, &sample.truth);
    let middle = truth.rows().map(|row| row[0]).sum::<f64>() / truth.len() as f64;
    let near = Surroundings::new(input)?;
    Ok(vec![
        unrolled(truth, &near)?,
        Map::new("from the side", &near, image(input, |row| [row[0], row[1]])?)?,
        Map::new("normalized", &near, image(truth, |row| [row[0] / 20.0, row[1] / 6.0])?)?,
        Map::new("folded", &near, image(truth, |row| [(row[0] - middle).abs(), row[1]])?)?,
    ])
}

fn kinds(sample: &dataset::Sample) -> truefold::Result<Vec<Map>> {
    let (input, truth) = (&sample.points, &sample.truth);
    let near = Surroundings::new(input)?;
    let half: Vec<u32> = (0..truth.len() as u32).step_by(2).collect();
    let turned = image(&truth.select(&half), |row| [row[1], row[0]])?;
    Ok(vec![
        unrolled(truth, &near)?,
        Map::new("from the side", &near, image(input, |row| [row[0], row[1]])?)?,
        Map::new("waved", &near, image(truth, |row| [row[0], row[1], 5.0 * (row[0] / 10.0).sin()])?)?,
        Map::new("along the roll", &near, image(truth, |row| [row[0]])?)?,
        Map::of_some("every other", input, half, turned)?,
    ])
}

fn table(maps: &[Map]) -> Table {
    let least = maps.iter().map(|map| map.r_n).fold(f64::INFINITY, f64::min);
    let row = |map: &Map| {
        let cell = Cell::from(format!("{:.4}", map.r_n));
        let value = if map.r_n == least { cell.best() } else { cell };
        vec![Cell::from(map.name), Cell::from(map.points.dim().to_string()), value]
    };
    Table {
        title: "Maps".to_owned(),
        note: "The least R_N is bold.".to_owned(),
        header: ["map", "d", "R_N"].map(str::to_owned).to_vec(),
        rows: maps.iter().map(row).collect(),
        ..Table::default()
    }
}

fn chart(maps: &[Map]) -> Chart {
    let curve = |map: &Map| {
        let mut values = map.distortion.clone();
        values.sort_by(f64::total_cmp);
        let at = |percent: usize| values[(values.len() - 1) * percent / 100];
        let points = (0..=10).map(|step| (f64::from(step) * 10.0, at(step as usize * 10))).collect();
        Series { name: map.name.to_owned(), points, marked: Some(5), ..Series::default() }
    };
    Chart {
        title: "How distortion is spread".to_owned(),
        caption: "R_N of the points, from the most faithful to the most distorted; the median is marked.".to_owned(),
        x: Axis { title: "percent of points".to_owned(), log: false },
        y: Axis { title: "R_N".to_owned(), log: true },
        series: maps.iter().map(curve).collect(),
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [kind, points, page] = words.as_slice() else {
        return Err("usage: sample_report map|maps|kinds|pictures|judged POINTS PAGE.html".into());
    };
    let run = Run::new();
    let name = if kind == "pictures" { "glyph" } else { "swiss-roll" };
    let mut sample = dataset::find(name)?.sample(&dataset::Request::new().with_points(points.parse()?).with_seed(1))?;
    let images = (kind == "pictures").then_some(Images { height: 24, width: 24, by_columns: false });
    if kind == "kinds" || kind == "judged" {
        let label =
            |row: &[f64]| ["inner", "middle", "<script>alert(1)</script>"][(row[0] / 31.0).clamp(0.0, 2.0) as usize];
        let labels = sample.truth.rows().map(|row| label(row).to_owned()).collect();
        sample.points = sample.points.with_labels(labels)?;
    }
    if kind == "kinds" {
        let ids = (0..sample.points.len()).map(|row| format!("point-{row}")).collect();
        sample.points = sample.points.with_ids(ids)?;
    }
    let report = Report {
        title: format!("A report of {kind}"),
        paragraphs: vec!["Made without any method, to show what a report shows.".to_owned()],
        input: Some(&sample.points),
        colorings: Coloring::of_coordinates("true coordinate", &sample.truth),
        images,
        facts: serde_json::json!({
            "command": format!("sample_report {}", words.join(" ")),
            "truefold": env!("CARGO_PKG_VERSION"),
            "seed": 1,
        }),
        ..Report::default()
    };
    report.check(page)?;
    if kind == "judged" {
        return write_judged(report, &sample, page);
    }
    let maps = match kind.as_str() {
        "map" => vec![unrolled(&sample.truth, &Surroundings::new(&sample.points)?)?],
        "maps" => flat_maps(&sample)?,
        "kinds" => kinds(&sample)?,
        _ => {
            let near = Surroundings::new(&sample.points)?;
            vec![Map::new("shift", &near, image(&sample.truth, |row| [row[0], row[1]])?)?]
        }
    };
    let charts = if kind == "kinds" { vec![chart(&maps)] } else { Vec::new() };
    let panels = maps.iter().map(Map::panel).collect();
    let written = Report { tables: vec![table(&maps)], charts, panels, ..report }.write(page, &run)?;
    tell(&written);
    Ok(())
}

fn write_judged(report: Report<'_>, sample: &dataset::Sample, page: &str) -> Result<(), Box<dyn Error>> {
    let near = Surroundings::new(&sample.points)?;
    let judged = judged::maps(sample, &near)?;
    let labels = sample.points.labels().unwrap_or_default();
    let report = Report {
        tables: judged::tables(&judged[1], labels)?,
        charts: vec![judged::curves(&judged)],
        panels: judged.iter().map(judged::Judged::panel).collect(),
        neighbors: Some(&near.neighborhoods),
        ..report
    };
    tell(&report.write(page, &Run::new())?);
    Ok(())
}

fn tell(written: &Written) {
    for (file, size) in &written.files {
        println!("{} {size}", file.display());
    }
}
