//! `truefold embed`: an embedding by a method, and how faithful it is.

use super::{default_scores, print, print_json};
use crate::args::{EmbedArgs, Format};
use crate::judgment::{self, Judgment};
use crate::plan::{self, Source};
use crate::torn::{self, Torn};
use serde_json::json;
use std::time::Instant;
use truefold::local::Input;
use truefold::measure::{Evaluation, Options};
use truefold::{Embedding, Error, Pieces, Points, Problem, Run, embed, io};

pub(crate) fn execute(args: &EmbedArgs, run: Run) -> anyhow::Result<()> {
    let run = run.with_seed(args.search.seed);
    let (method, pieces) = method(args)?;
    plan::check_metric(&args.search)?;
    plan::check_output(&args.output)?;
    plan::check_different(&args.output, &[&args.x])?;
    if let Some(path) = &args.torn {
        judgment::check_table(path, "torn pairs")?;
        plan::check_different(path, &[&args.x, &args.output])?;
    }
    let mut lap = Instant::now();
    let mut seconds = Vec::new();
    let mut clock = |stage: &str| {
        seconds.push((stage.to_owned(), lap.elapsed().as_secs_f64()));
        lap = Instant::now();
    };
    let source = Source::read(&args.x, &args.read, &args.search)?;
    clock("read");
    let neighborhoods = match &args.neighbors {
        Some(path) => plan::given_neighborhoods(path)?,
        None => source.neighborhoods(&args.search, plan::DEFAULT_K, &run)?,
    };
    clock("neighbors");
    let problem = Problem::with_input(source.input(), &neighborhoods, args.dim)?;
    let embedding = truefold::fit(method.as_ref(), &problem, pieces, &run)?;
    clock("embed");
    let part = embedding.rows.as_ref().map(|rows| Part::new(&source, &neighborhoods, rows));
    let (input, lists) = match &part {
        Some(part) => (part.input(), &part.neighborhoods),
        None => (source.input(), &neighborhoods),
    };
    let evaluation = Evaluation::new(input, &embedding.points, lists, Options::default(), &run)?;
    let scores = default_scores(&evaluation)?;
    let tear = embedding.tear.as_ref();
    let torn = tear.map(|tear| Torn::new(tear, input, &embedding.points, lists, &run)).transpose()?;
    clock("measures");
    io::write(&args.output, &named(&source, &embedding)?)?;
    if let Some(path) = &args.torn {
        torn::write(path, tear, embedding.rows.as_deref())?;
    }
    clock("write");
    let points = match &part {
        Some(part) => part.points.as_ref(),
        None => source.points(),
    };
    let judgment = Judgment::new(&evaluation, points, scores)?;
    match args.format {
        Format::Table => {
            print(&judgment.text())?;
            if let Some(torn) = &torn {
                print(&torn.text())?;
            }
            for warning in &embedding.info.warnings {
                print(&format!("Note: {warning}."))?;
            }
            let total: f64 = seconds.iter().map(|stage| stage.1).sum();
            print(&format!("{} in {total:.1} s, written to {}", args.method, args.output.display()))
        }
        Format::Json => {
            let stages = embedding.info.stages.iter().map(|stage| (format!("embed: {}", stage.stage), stage.seconds));
            let mut result =
                judgment.json(&seconds.iter().map(|(name, time)| (name.as_str(), *time)).collect::<Vec<_>>());
            for (name, time) in stages {
                result["seconds"][name] = json!(time);
            }
            let info = &embedding.info;
            result["method"] = json!(info.method);
            result["parameters"] = info.parameters.clone();
            result["seed"] = json!(info.seed);
            result["stop"] = json!(info.stop);
            result["facts"] = json!(info.facts);
            result["traces"] = json!(info.traces);
            if let Some(torn) = &torn {
                result["tear"] = torn.json();
            }
            if let Some(warnings) = result["warnings"].as_array_mut() {
                warnings.extend(info.warnings.iter().map(|warning| json!(warning)));
            }
            print_json(&result)
        }
    }
}

/// The method with its parameters, and what to do with several components.
fn method(args: &EmbedArgs) -> Result<(Box<dyn embed::Embedder>, Pieces), Error> {
    let entry = embed::find(&args.method)?;
    let mut pieces = Pieces::default();
    let mut settings = Vec::new();
    for setting in &args.set {
        let (name, value) = setting.split_once('=').ok_or_else(|| {
            Error::parameter("set", format!("'{setting}'"), "is not of the form name=value", "write it so")
        })?;
        if name.trim() == "components" {
            pieces = serde_json::from_value(json!(value.trim())).map_err(|_| {
                Error::parameter("components", value, "is none of its values", "choose side-by-side, largest or error")
            })?;
        } else {
            settings.push((name.trim().to_owned(), value.trim().to_owned()));
        }
    }
    let method = entry.build(&settings)?;
    if !method.follows_graph() && pieces != Pieces::default() {
        return Err(Error::parameter(
            "components",
            json!(pieces),
            format!("would do nothing: {} embeds all points at once, whatever the graph", args.method),
            "leave it out",
        ));
    }
    Ok((method, pieces))
}

/// The part of the input that was embedded.
struct Part {
    points: Option<Points>,
    distances: Option<truefold::Distances>,
    neighborhoods: truefold::Neighborhoods,
}

impl Part {
    fn new(source: &Source, neighborhoods: &truefold::Neighborhoods, rows: &[u32]) -> Self {
        let neighborhoods = neighborhoods.restricted(rows);
        match source {
            Source::Points(points) => Self { points: Some(points.select(rows)), distances: None, neighborhoods },
            Source::Distances(all) => Self { points: None, distances: Some(all.select(rows)), neighborhoods },
        }
    }

    fn input(&self) -> Input<'_> {
        match (&self.points, &self.distances) {
            (_, Some(distances)) => Input::Distances(distances),
            (Some(points), None) => Input::Points(points),
            (None, None) => unreachable!("a part has points or distances"),
        }
    }
}

/// The embedding with the ids and labels of X; where points were left out, every row is named.
fn named(source: &Source, embedding: &Embedding) -> Result<Points, Error> {
    let columns = (1..=embedding.points.dim()).map(|axis| format!("y{axis}")).collect();
    let mut points = embedding.points.clone().with_columns(columns)?;
    let all: Vec<u32> = (0..source.input().len() as u32).collect();
    let rows = embedding.rows.as_deref().unwrap_or(&all);
    let pick = |texts: &[String]| rows.iter().map(|&row| texts[row as usize].clone()).collect();
    match source.points().and_then(Points::ids) {
        Some(ids) => points = points.with_ids(pick(ids))?,
        None if embedding.rows.is_some() => {
            points = points.with_ids(rows.iter().map(|row| format!("row {}", row + 1)).collect())?;
        }
        None => {}
    }
    if let Some(labels) = source.points().and_then(Points::labels) {
        points = points.with_labels(pick(labels))?;
    }
    Ok(points)
}
