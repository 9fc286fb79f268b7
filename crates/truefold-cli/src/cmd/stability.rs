//! `truefold stability`: where maps of the same data disagree.

use super::{print, print_json};
use crate::args::{Format, StabilityArgs};
use crate::session::{Clock, Session};
use crate::{data, plan, tables};
use std::collections::HashMap;
use std::path::Path;
use truefold::error::{Advice, Bound, Limit};
use truefold::stability::{Agreement, Map, Stability};
use truefold::{Data, Error, Points};
use truefold_report::figure::{self, ColorScale, Figure, Scatter};
use truefold_report::{facts, words};

pub(crate) fn execute(args: &StabilityArgs, session: &Session) -> anyhow::Result<()> {
    check(args)?;
    let run = session.searching(&args.neighborhoods.search.find)?;
    let mut clock = Clock::start();
    let data = data::read(&args.data.x, &args.read, &args.neighborhoods.search.find)?;
    let given = args.maps.iter().map(|path| Given::read(path, args, &data)).collect::<Result<Vec<_>, _>>()?;
    clock.lap("read");
    let neighborhoods = data::neighborhoods(&data, &args.neighborhoods, &run)?;
    clock.lap("neighbors");
    let maps: Vec<Map<'_>> = given.iter().map(Given::map).collect();
    let found = Stability { level: args.level }.run(data.input(), &neighborhoods, &maps, &run)?;
    clock.lap("stability");
    if let Some(path) = &args.per_point {
        write_points(path, &found, &data)?;
    }
    if let Some(path) = &args.figure {
        picture(&given, &found)?.write(path)?;
    }
    clock.lap("write");
    match args.shown.format {
        Format::Table => print(&words::stability(&found, &|row| data::row_name(&data, row), &session.voice())),
        Format::Json => {
            let mut result = facts::stability(&found);
            for (facts, given) in result["maps"].as_array_mut().into_iter().flatten().zip(&given) {
                facts["name"] = given.name.as_str().into();
            }
            result["seconds"] = clock.json(std::iter::empty());
            print_json(&result)
        }
    }
}

/// Everything that can be wrong before anything that takes long.
fn check(args: &StabilityArgs) -> Result<(), Error> {
    plan::check_metric(&args.neighborhoods.search.find)?;
    if args.maps.len() < 2 {
        let limit = Limit::because(Bound::AtLeast(2.0), "agreement needs two maps");
        return Err(Error::parameter("maps", args.maps.len(), limit, Advice::mend_file("name two or more files Y")));
    }
    let mut inputs: Vec<&Path> = vec![&args.data.x];
    inputs.extend(args.maps.iter().map(|path| path.as_path()));
    if inputs.iter().filter(|path| **path == Path::new("-")).count() > 1 {
        let advice = Advice::mend_file("give files for the others");
        return Err(Error::parameter("Y", "-", "cannot be standard input twice", advice));
    }
    if let Some(path) = &args.per_point {
        tables::check_per_point(path)?;
        plan::check_different(path, &inputs)?;
        inputs.push(path);
    }
    if let Some(path) = &args.figure {
        figure::check_path(path)?;
        plan::check_different(path, &inputs)?;
    }
    Ok(())
}

/// A map as it was read.
struct Given {
    name: String,
    points: Points,
    rows: Option<Vec<u32>>,
}

impl Given {
    fn read(path: &Path, args: &StabilityArgs, data: &Data) -> Result<Self, Error> {
        let options = plan::embedding_options(&args.read, args.y_id_column.clone(), args.y_drop_columns.clone())?;
        let points = plan::table(path, &options)?;
        let rows = rows(path, &points, data)?;
        Ok(Self { name: path.display().to_string(), points, rows })
    }

    fn map(&self) -> Map<'_> {
        let map = Map::new(&self.points);
        match &self.rows {
            Some(rows) => map.with_rows(rows),
            None => map,
        }
    }
}

/// The rows of X that a map shows, by their names where X and the map have names; none where it shows all in order.
fn rows(path: &Path, points: &Points, data: &Data) -> Result<Option<Vec<u32>>, Error> {
    let (Some(own), Some(names)) = (data.points().and_then(Points::ids), points.ids()) else {
        return match points.len() == data.input().len() {
            true => Ok(None),
            false => Err(Error::file(
                path,
                format!("has {} rows for {} points", points.len(), data.input().len()),
                Advice::change(
                    "y_id_column",
                    "give a row for every point, or name them by {id_column} and {y_id_column}",
                ),
            )),
        };
    };
    let place: HashMap<&str, u32> = own.iter().zip(0..).map(|(name, row)| (name.as_str(), row)).collect();
    let found: Result<Vec<u32>, Error> = names
        .iter()
        .map(|name| {
            place.get(name.as_str()).copied().ok_or_else(|| {
                let advice = Advice::mend_data("use the same names in both");
                Error::file(path, format!("names '{name}', which X does not have"), advice)
            })
        })
        .collect();
    found.map(Some)
}

/// Writes a line for each point: the values, what chance would give, the skills, and what kind of point it is.
fn write_points(path: &Path, found: &Agreement, data: &Data) -> Result<(), Error> {
    let count = found.kinds.len();
    let skills = |standing: &truefold::stability::Standing| -> Vec<f64> {
        (0..count).map(|point| standing.skill_at(point).unwrap_or(f64::NAN)).collect()
    };
    let [shape, neighbors, r_c] = [&found.shape, &found.neighbors, &found.distortion].map(skills);
    let columns: [(&str, &[f64]); 10] = [
        ("shape", &found.shape.per_point),
        ("shape_chance", &found.shape.per_point_chance),
        ("shape_skill", &shape),
        ("neighbors", &found.neighbors.per_point),
        ("neighbors_chance", &found.neighbors.per_point_chance),
        ("neighbors_skill", &neighbors),
        ("r_c", &found.distortion.per_point),
        ("r_c_bound", &found.distortion.per_point_best),
        ("r_c_chance", &found.distortion.per_point_chance),
        ("r_c_skill", &r_c),
    ];
    let kinds: Vec<String> = found.kinds.iter().map(|kind| kind.name().to_owned()).collect();
    let (ids, labels) = (data.points().and_then(Points::ids), data.points().and_then(Points::labels));
    let all: Vec<u32> = (0..count as u32).collect();
    let columns = columns.map(|(name, values)| (name.to_owned(), values));
    let texts = tables::present(&[("label", labels), ("kind", Some(&kinds))]);
    tables::write_per_point(path, ids, &texts, &all, &columns)
}

/// All maps, every point in the color of its disagreement in shape.
fn picture(given: &[Given], found: &Agreement) -> Result<Figure, Error> {
    let title = "Where the maps disagree in shape";
    let label = format!("disagreement of each point; {} on average by chance", words::short(found.shape.chance));
    let mut figure = Figure::new(title).with_colors(ColorScale::Linear, label);
    for one in given {
        let values: Vec<f64> = match &one.rows {
            Some(rows) => rows.iter().map(|&row| found.shape.per_point[row as usize]).collect(),
            None => found.shape.per_point.clone(),
        };
        figure = figure.with(Scatter::new(&one.name, &one.points).with_values(&values)?);
    }
    Ok(figure)
}
