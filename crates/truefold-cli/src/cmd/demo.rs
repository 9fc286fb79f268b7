//! `truefold demo`: the whole job on a built-in data set, ending in a report to open.

use super::print;
use crate::args::DemoArgs;
use crate::table::{count, number, table};
use anyhow::Context;
use std::io::Write;
use truefold::measure::{Evaluation, MEASURES, Options, Score};
use truefold::{Error, Neighborhoods, Points, Run, dataset, io, local::Input};
use truefold_report::{Page, Panel};

const POINTS: usize = 2000;
const NEIGHBORS: usize = 12;

/// A map of the swiss roll that somebody might believe.
struct Candidate {
    name: &'static str,
    file: &'static str,
    caption: &'static str,
    points: Points,
}

pub(crate) fn execute(args: &DemoArgs, run: Run) -> anyhow::Result<()> {
    std::fs::create_dir_all(&args.output)
        .with_context(|| format!("the folder {} cannot be made", args.output.display()))?;
    let sample = dataset::find("swiss-roll")?.sample(&dataset::Request::new().with_points(POINTS).with_seed(1))?;
    io::write(args.output.join("swiss-roll.csv"), &sample.points)?;
    let neighborhoods = Neighborhoods::nearest(&sample.points, NEIGHBORS, &run)?;
    let candidates = candidates(&sample)?;
    let mut judged = Vec::new();
    for candidate in &candidates {
        io::write(args.output.join(candidate.file), &candidate.points)?;
        let input = Input::Points(&sample.points);
        let evaluation = Evaluation::new(input, &candidate.points, &neighborhoods, Options::default(), &run)?;
        let scores = MEASURES
            .iter()
            .map(|measure| Ok((measure.info().name, measure.score(&evaluation)?)))
            .collect::<Result<Vec<_>, Error>>()?;
        judged.push((candidate, scores));
    }
    let header = ["map", "R_N", "best possible", "R_C", "R_A", "trust", "collapse"];
    let rows: Vec<Vec<String>> = judged
        .iter()
        .map(|(candidate, scores)| {
            let value = |name: &str| score(scores, name).map_or(String::new(), |score| number(score.value));
            let bound = score(scores, "r_n").and_then(|score| score.lower_bound).map_or(String::new(), number);
            vec![
                candidate.name.to_owned(),
                value("r_n"),
                bound,
                value("r_c"),
                value("r_a"),
                value("trustworthiness"),
                value("collapse"),
            ]
        })
        .collect();
    let report = args.output.join("report.html");
    let html = page(&sample.points, &judged, &header, &rows).html();
    io::atomic(&report, |out| out.write_all(html.as_bytes()))?;
    print(&format!("Four maps of a swiss roll ({} points, {NEIGHBORS} neighbors each), judged:\n", count(POINTS)))?;
    print(&table(&header, &[false, true, true, true, true, true, true], rows))?;
    print(&format!(
        "\nThe true map is at the best possible; the view from the side looks fine and is not.\n\
         The same from the shell, for any data and any embedding:\n  \
         truefold measure {} {}\n\nOpen {}",
        args.output.join("swiss-roll.csv").display(),
        args.output.join("from-the-side.csv").display(),
        report.display()
    ))
}

fn score<'a>(scores: &'a [(&'static str, Score)], name: &str) -> Option<&'a Score> {
    scores.iter().find(|(known, _)| *known == name).map(|(_, score)| score)
}

fn candidates(sample: &dataset::Sample) -> Result<Vec<Candidate>, Error> {
    let map = |from: &Points, make: &dyn Fn(&[f64]) -> [f64; 2]| {
        Points::from_rows(&from.rows().map(make).collect::<Vec<_>>())?.with_columns(vec!["y1".into(), "y2".into()])
    };
    let truth = &sample.truth;
    let spread = |column: usize| {
        let mean = truth.rows().map(|row| row[column]).sum::<f64>() / truth.len() as f64;
        let variance = truth.rows().map(|row| (row[column] - mean).powi(2)).sum::<f64>() / truth.len() as f64;
        variance.sqrt()
    };
    let (long, short) = (spread(0), spread(1));
    let middle = truth.rows().map(|row| row[0]).sum::<f64>() / truth.len() as f64;
    Ok(vec![
        Candidate {
            name: "unrolled",
            file: "unrolled.csv",
            caption: "The true coordinates: arc length and height.",
            points: map(truth, &|row| [row[0], row[1]])?,
        },
        Candidate {
            name: "from the side",
            file: "from-the-side.csv",
            caption: "Two of the three input coordinates, as a linear projection gives: sheets lie on top of each other.",
            points: map(&sample.points, &|row| [row[0], row[1]])?,
        },
        Candidate {
            name: "normalized",
            file: "normalized.csv",
            caption: "Unrolled, then both axes scaled to equal spread, as methods do that normalize their output.",
            points: map(truth, &|row| [row[0] / long, row[1] / short])?,
        },
        Candidate {
            name: "folded",
            file: "folded.csv",
            caption: "Unrolled, then folded over in the middle: right almost everywhere locally, wrong as a whole.",
            points: map(truth, &|row| [(row[0] - middle).abs(), row[1]])?,
        },
    ])
}

fn page<'a>(
    input: &'a Points,
    judged: &'a [(&Candidate, Vec<(&'static str, Score)>)],
    header: &[&str],
    rows: &[Vec<String>],
) -> Page<'a> {
    let mut panels = vec![Panel {
        title: "the data".to_owned(),
        caption: "A swiss roll in three dimensions, colored by where the true map is distorted: nowhere.".to_owned(),
        points: input,
        distortion: judged.first().and_then(|(_, scores)| score(scores, "r_n")?.per_point.as_deref()),
    }];
    panels.extend(judged.iter().map(|(candidate, scores)| Panel {
        title: candidate.name.to_owned(),
        caption: candidate.caption.to_owned(),
        points: &candidate.points,
        distortion: score(scores, "r_n").and_then(|score| score.per_point.as_deref()),
    }));
    Page {
        title: "How faithful are these maps of a swiss roll?".to_owned(),
        paragraphs: vec![
            format!(
                "{} points on a rolled-up sheet, {NEIGHBORS} neighbors each. R_N is the share of each neighborhood's shape \
                 that the map loses, 0 to 1 and beyond; no map into the plane can have less than the best possible. R_C \
                 forgives a change of scale, R_A any linear map. Trust is trustworthiness: 1 where no point is shown near \
                 another that it is not near in the data. Collapse is the share of distant pairs that the map puts \
                 into each other's neighborhood.",
                count(input.len())
            ),
            "Points are colored by their own R_N, on a logarithmic scale.".to_owned(),
        ],
        header: header.iter().map(|&cell| cell.to_owned()).collect(),
        rows: rows.to_vec(),
        panels,
    }
}
