//! `truefold measure`: how faithful an embedding is, where it is not, and how far it is from the best possible.

use super::{print, print_json};
use crate::args::{Format, MeasureArgs};
use crate::judgment::{self, Judgment};
use crate::plan::{self, Source};
use std::path::Path;
use std::time::Instant;
use truefold::measure::{Cost, Evaluation, MEASURES, Measure, MeasureInfo, Options, find};
use truefold::{Error, Run};

pub(crate) fn execute(args: &MeasureArgs, run: Run) -> anyhow::Result<()> {
    let run = run.with_seed(args.search.seed);
    // Whatever can be wrong is looked at before anything that may take long.
    let measures = chosen(&args.measures)?;
    plan::check_metric(&args.search)?;
    if let Some(path) = &args.per_point {
        judgment::check_table(path, "per-point values")?;
        plan::check_different(path, &[&args.x, &args.y])?;
    }
    let takes = |wanted: &dyn Fn(&MeasureInfo) -> bool| measures.iter().any(|measure| wanted(measure.info()));
    if let Some(sample) = args.sample.filter(|_| !takes(&|info| info.cost == Cost::Quadratic)) {
        return Err(useless("sample", sample, "only measures of quadratic cost look at a sample").into());
    }
    if let Some(steps) = args.steps.filter(|_| !takes(&|info| info.name == "collapse")) {
        return Err(useless("steps", steps, "only the measure collapse counts steps").into());
    }
    if args.x == Path::new("-") && args.y == Path::new("-") {
        return Err(
            Error::parameter("Y", "-", "cannot be standard input when X is", "give a file for one of them").into()
        );
    }
    let mut lap = Instant::now();
    let mut seconds = Vec::new();
    let mut clock = |stage: &'static str| {
        seconds.push((stage, lap.elapsed().as_secs_f64()));
        lap = Instant::now();
    };
    let source = Source::read(&args.x, &args.read, &args.search)?;
    let embedding = plan::table(
        &args.y,
        &plan::embedding_options(&args.read, args.y_id_column.clone(), args.y_drop_columns.clone())?,
    )?;
    source.input().check_embedding(&embedding)?;
    if let Some(points) = source.points() {
        plan::check_names(points, &embedding)?;
    }
    clock("read");
    let neighborhoods = match &args.neighbors {
        Some(path) => plan::given_neighborhoods(path)?,
        None => source.neighborhoods(&args.search, plan::DEFAULT_K, &run)?,
    };
    clock("neighbors");
    let options = Options {
        center: !args.without_center,
        sample: args.sample,
        steps: args.steps.unwrap_or(Options::default().steps),
        metric: args.search.metric.parse().unwrap_or_default(),
    };
    let evaluation = Evaluation::new(source.input(), &embedding, &neighborhoods, options, &run)?;
    let scores =
        measures.into_iter().map(|measure| Ok((measure, measure.score(&evaluation)?))).collect::<Result<_, Error>>()?;
    clock("measures");
    let judgment = Judgment::new(&evaluation, source.points(), scores)?;
    if let Some(path) = &args.per_point {
        judgment.write_per_point(path)?;
    }
    clock("write");
    match args.format {
        Format::Json => print_json(&judgment.json(&seconds)),
        Format::Table => print(&judgment.text()),
    }
}

/// The error for an option that none of the chosen measures heeds.
fn useless(name: &str, given: usize, reason: &str) -> Error {
    Error::parameter(
        name,
        given,
        format!("has no use here: {reason}"),
        "leave it out, or choose such a measure by --measures",
    )
}

/// The measures of these names: the default ones if there are none, every one for `all`.
fn chosen(names: &[String]) -> Result<Vec<&'static dyn Measure>, Error> {
    match names {
        [] => Ok(MEASURES.iter().copied().filter(|measure| measure.info().default).collect()),
        [all] if all == "all" => Ok(MEASURES.to_vec()),
        names => {
            let mut chosen: Vec<&'static dyn Measure> = Vec::new();
            for name in names {
                let measure = find(name.trim())?;
                if !chosen.iter().any(|known| known.info().name == measure.info().name) {
                    chosen.push(measure);
                }
            }
            Ok(chosen)
        }
    }
}
