//! A report that fills all that a page can show of a judgment: channels between best and chance, verdicts, neighbors,
//! ellipses, curves with bands, and tables about labels.
//!
//! Numbers that a judgment would bring are made up from the true coordinates: a page shows whatever it is given.

use crate::{Map, Surroundings};
use truefold::{Neighborhoods, Points, Run, dataset};
use truefold_report::{Axis, Cell, Channel, Chart, Panel, Series, Table, Verdicts};

const CLASSES: [&str; 5] = ["faithful", "shape lost", "false neighbors", "neighbors missing", "not told from chance"];

/// A map, and what is told about each of its points.
pub(crate) struct Judged {
    map: Map,
    /// The share of neighbors that the map keeps.
    kept: Vec<f64>,
    codes: Vec<u8>,
    ellipses: Option<Vec<[f64; 3]>>,
}

impl Judged {
    fn new(map: Map, near: &Surroundings<'_>, ellipses: Option<Vec<[f64; 3]>>) -> truefold::Result<Self> {
        let seen = Neighborhoods::nearest(&map.points, 12, &Run::new())?;
        let share = |row: usize| {
            let real = near.neighborhoods.neighbors(row);
            let kept = seen.neighbors(row).iter().filter(|other| real.contains(other)).count();
            kept as f64 / real.len() as f64
        };
        let kept: Vec<f64> = (0..seen.len()).map(share).collect();
        let class = |(row, &share): (usize, &f64)| match share {
            share if share < 0.1 => 4,
            share if share < 0.4 => 2 + (row % 2) as u8,
            share if share < 0.6 => 1,
            _ => 0,
        };
        Ok(Self { codes: kept.iter().enumerate().map(class).collect(), map, kept, ellipses })
    }

    pub(crate) fn panel(&self) -> Panel<'_> {
        let channels = vec![
            Channel::new("R_N", &self.map.distortion),
            Channel::new("neighbors kept", &self.kept).between(1.0, 0.02),
        ];
        let names = CLASSES.map(str::to_owned).to_vec();
        let verdicts = Some(Verdicts { codes: self.codes.as_slice().into(), names });
        Panel { channels, verdicts, ellipses: self.ellipses.clone(), ..self.map.panel() }
    }
}

/// The true map, the view from the side, and the true map with its rows in another order.
pub(crate) fn maps(sample: &dataset::Sample, near: &Surroundings<'_>) -> truefold::Result<Vec<Judged>> {
    let (input, truth) = (&sample.points, &sample.truth);
    let side = Points::from_rows(&input.rows().map(|row| [row[0], row[1]]).collect::<Vec<_>>())?;
    let count = truth.len();
    let other = |row: usize| truth.row((row * 7919 + 13) % count);
    let shuffled = Points::from_rows(&(0..count).map(|row| [other(row)[0], other(row)[1]]).collect::<Vec<_>>())?;
    // A circle of unit radius stays one when the roll is laid flat; from the side it is as narrow as the roll is steep, and
    // leans over so that left and right can be told apart.
    let along = |row: &[f64]| [(row[2] / row[0].hypot(row[2])).abs(), 0.3, 1.0];
    Ok(vec![
        Judged::new(crate::unrolled(truth, near)?, near, Some(vec![[1.0, 0.0, 1.0]; count]))?,
        Judged::new(Map::new("from the side", near, side)?, near, Some(input.rows().map(along).collect()))?,
        Judged::new(Map::new("\"shuffled\", by rows", near, shuffled)?, near, None)?,
    ])
}

/// Made-up curves over the number of neighbors, with their errors.
pub(crate) fn curves(maps: &[Judged]) -> Chart {
    let sizes = [1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0, 1000.0];
    let series = maps.iter().enumerate().map(|(at, judged)| {
        let height = [0.9, 0.5, 0.0][at];
        let points: Vec<(f64, f64)> =
            sizes.iter().map(|&size: &f64| (size, height * (1.0 - 0.2 * (size.log10() - 1.0).powi(2) / 4.0))).collect();
        let band =
            points.iter().map(|&(size, value)| (value - 0.15 / size.sqrt(), value + 0.15 / size.sqrt())).collect();
        Series { name: judged.map.name.to_owned(), points, band, ..Series::default() }
    });
    Chart {
        title: "Neighbors kept over scale".to_owned(),
        caption: "R_NX over the number of neighbors; the bands are two standard errors.".to_owned(),
        x: Axis { title: "K".to_owned(), log: true },
        y: Axis { title: "R_NX".to_owned(), log: false },
        series: series.collect(),
    }
}

/// How labels fare in the side view: one table by label, and whose its false neighbors are.
pub(crate) fn tables(judged: &Judged, labels: &[String]) -> truefold::Result<Vec<Table>> {
    let mut names: Vec<String> = labels.to_vec();
    names.sort();
    names.dedup();
    let rows_of = |name: &String| (0..labels.len()).filter(|&row| labels[row] == *name).collect::<Vec<usize>>();
    let row_labels: Vec<Option<String>> = names.iter().cloned().map(Some).collect();
    let by_label = |name: &String| {
        let rows = rows_of(name);
        let kept = rows.iter().map(|&row| judged.kept[row]).sum::<f64>() / rows.len() as f64;
        vec![
            Cell::from(name.as_str()),
            Cell::from(rows.len().to_string()),
            Cell::from(format!("{kept:.2}")).shaded(kept),
        ]
    };
    let seen = Neighborhoods::nearest(&judged.map.points, 12, &Run::new())?;
    let whose = |name: &String| {
        let rows = rows_of(name);
        let near: Vec<&String> =
            rows.iter().flat_map(|&row| seen.neighbors(row)).map(|&other| &labels[other as usize]).collect();
        let share = |other: &String| near.iter().filter(|label| **label == other).count() as f64 / near.len() as f64;
        let cells = names.iter().map(|other| Cell::from(format!("{:.2}", share(other))).shaded(share(other)));
        std::iter::once(Cell::from(name.as_str())).chain(cells).collect()
    };
    let head = |first: &str, others: &[String]| [&[first.to_owned()], others].concat();
    Ok(vec![
        Table {
            title: "By label".to_owned(),
            header: head("label", &["points", "neighbors kept"].map(str::to_owned)),
            rows: names.iter().map(by_label).collect(),
            row_labels: row_labels.clone(),
            ..Table::default()
        },
        Table {
            title: "Whose the neighbors in the map are".to_owned(),
            note: "From the side. A row shares its neighbors out among the labels.".to_owned(),
            header: head("label", &names),
            rows: names.iter().map(whose).collect(),
            row_labels: row_labels.clone(),
            column_labels: std::iter::once(None).chain(row_labels).collect(),
            ..Table::default()
        },
    ])
}
